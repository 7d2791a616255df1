"""Parses rendered switch files back to values, by rules that are data of each NOS's folder.

No NOS is named here: ``templates/switch/<nos>/readback.yaml`` says which lines state what, ``nos.yaml`` in
which units.
"""

from netplan.reading.switches.rules import read_rules
from netplan.reading.switches.switch import read_site_switch, read_switch

__all__ = ["read_rules", "read_site_switch", "read_switch"]
