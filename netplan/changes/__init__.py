"""What a change does: ``netplan diff``.

``sides`` (what is compared), ``intent`` (what changed in the inventories), ``objects``, ``hosts`` and
``switches`` (what changed in the files, and what that does to whatever runs), ``effects`` (the rows of
``effects.yaml``), ``lines`` and ``markdown`` (how it is shown).
"""
