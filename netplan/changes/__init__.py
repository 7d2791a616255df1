"""``netplan diff``: what a change does.

``sides`` (what is compared), ``intent`` (what changed in the inventories), ``objects``, ``hosts`` and
``switches`` (what changed in the files, and its effect on whatever runs), ``effects`` (the rows of
``effects.yaml``), ``lines`` and ``markdown`` (how it is shown).
"""
