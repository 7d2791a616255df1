"""Rules about anybody's objects that are not asked of netplan's own tree, by the reason."""

from __future__ import annotations

from collections.abc import Mapping

_SCHEMA = "NP902 tells it: the closed schemas allow no such key, word, type or version"
_LISTED = "NP915 holds kustomizations and files against each other, by stage"
_NAMED = "NP911 tells a resource, NP912 a network that no file of the tree has: nothing comes from elsewhere"
_SITE = "it holds objects against labels, GPUs or workloads of an inventory, whose checks tell it first"
_MEANT = "the inventory may mean it: its own check tells it with the key to change, at its own severity"
_CHART = "it is about values of charts, which NP902 closes, or an operator that is not netplan's to place"
_LINKS = "it knows a link by the interface's name; a check of the inventory holds modes against link layers"
_NODES = "netplan writes no MachineConfig"
_LABELS = "two host types of an inventory may have the same labels: its own checks tell it (NP515, NP616)"

LEFT_OUT: Mapping[str, str] = {
    **dict.fromkeys(("NP671", "NP675", "NP676", "NP687", "NP689", "NP698"), _SCHEMA),
    **dict.fromkeys(("NP750", "NP751", "NP752", "NP754", "NP764", "NP768"), _SCHEMA),
    **dict.fromkeys(("NP774", "NP781", "NP784", "NP797"), _SCHEMA),
    **dict.fromkeys(("NP688", "NP690", "NP796"), _LISTED),
    **dict.fromkeys(("NP669", "NP679", "NP692", "NP756"), _NAMED),
    **dict.fromkeys(("NP633", "NP693", "NP695", "NP699", "NP746", "NP748"), _SITE),
    **dict.fromkeys(("NP426", "NP427", "NP428", "NP677", "NP678", "NP684"), _MEANT),
    **dict.fromkeys(("NP691", "NP696", "NP697", "NP731", "NP765", "NP766", "NP767"), _MEANT),
    **dict.fromkeys(("NP776", "NP779", "NP780", "NP795", "NP799"), _MEANT),
    **dict.fromkeys(("NP792", "NP793"), _CHART),
    "NP517": _NODES,
    "NP775": _LINKS,
    **dict.fromkeys(("NP786", "NP787", "NP794"), _LABELS),
}
"""Code of a rule -> why `netplan.verify.rules` does not ask it."""
