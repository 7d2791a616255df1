"""The text of rendered switch files back to values, by rules that are data of each NOS's folder.

No NOS is named here: ``templates/switch/<nos>/readback.yaml`` says which lines state what, ``nos.yaml`` in
which units.
"""

from netplan.readback.rules import nos_of, read_rules
from netplan.readback.switch import read_switch, read_switches

__all__ = ["nos_of", "read_rules", "read_switch", "read_switches"]
