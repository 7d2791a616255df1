"""What dumps say held against an inventory that is there: ``netplan import --into``.

``known`` (the inventory, by what dumps speak of), ``hosts``, ``cables`` and ``sections`` (what is new, what
differs, what no dump shows), ``additions`` (an inventory file with what is new).
"""
