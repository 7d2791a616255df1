"""``netplan import --into``: dumps compared with an existing inventory.

``known`` (the inventory in the terms of dumps), ``hosts``, ``cables`` and ``sections`` (what is new, what
differs, what no dump shows), ``additions`` (an inventory file with what is new).
"""
