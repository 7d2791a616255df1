"""Lines of running configurations that no inventory has and that change what it can state: VLANs with a VXLAN
network identifier, and BGP sessions over interfaces without addresses.

EOS: batfish/lab-validation 467941b2 snapshots/eos_evpn_l2_multiple_rts/source/configs/leaf1.cfg, 28c13255
infra/examples/ceos-bgp-unnumbered/configs/leaf.cfg; NX-OS: 25798aa8 snapshots/nxos_evpn_l3vni there; Junos:
Juniper/jvd 005ab34 data_center/adc/5stage_evpn_vxlan, juniper.net, statement peer-auto-discovery; NVUE:
docs.nvidia.com, Cumulus Linux 5.14, Basic BGP Configuration, and nv set bridge domain <domain-id> vlan <vid>
vni; YAML and JSON have the path of the command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_NVUE = "cumulus-nvue"
_VNIS = {
    ("arista-eos", "interfaces.txt"): (
        r"^ +vxlan vlan (?:add )?(?P<vlan>[0-9][0-9,-]*) vni (?P<vni>[0-9][0-9,-]*)\s*$"
    ),
    ("cisco-nxos", "interfaces.txt"): (
        r"^vlan (?P<vlan>[0-9][0-9,-]*)\n(?:[ \t][^\n]*\n)*?[ \t]+vn-segment (?P<vni>[0-9]+)\s*$"
    ),
    ("juniper-junos", "interfaces.txt"): (
        r"^set vlans (\S+) vlan-id (?P<vlan>[0-9]+)\n(?:set vlans \1 [^\n]*\n)*?"
        r"set vlans \1 vxlan vni (?P<vni>[0-9]+)\s*$"
    ),
    (_NVUE, "interfaces.yaml"): (
        r"^( +)['\"]?(?P<vlan>[0-9][0-9,-]*)['\"]?: ?\{?\n(?:\1 [^\n]*\n){0,20}?"
        r"\1 +\"?vni\"?: ?\{?\n +['\"]?(?P<vni>[0-9]+|auto)['\"]?:"
    ),
    (_NVUE, "interfaces.txt"): (
        r"^nv set bridge domain \S+ vlan (?P<vlan>[0-9][0-9,-]*) vni (?P<vni>[0-9]+|auto)\b"
    ),
}
_UNNUMBERED = {
    ("arista-eos", "interfaces.txt"): r"^ +neighbor interface (?P<port>\S+) peer-group ",
    ("juniper-junos", "interfaces.txt"): (
        r"^set protocols bgp group \S+ dynamic-neighbor \S+ peer-auto-discovery interface (?P<port>\S+)"
    ),
    (_NVUE, "interfaces.yaml"): (
        r"^( +)\"?(?P<port>swp[0-9][0-9a-z,-]*)\"?: ?\{?\n(?:\1 [^\n]*\n){0,12}?"
        r"\1 +\"?(?:remote-as\"?:|peer-group\"?:|type\"?: \"?unnumbered)"
    ),
    (_NVUE, "interfaces.txt"): (
        r"^nv set vrf \S+ router bgp neighbor (?P<port>swp\S+) (?:remote-as|peer-group|type unnumbered)"
    ),
}
Patterns = Mapping[tuple[str, str], re.Pattern[str]]
VNIS: Patterns = {of: re.compile(text, re.MULTILINE) for of, text in _VNIS.items()}
"""NOS and form of its file -> a VLAN, or a list of them (``vlan``), with its network identifier (``vni``)."""
UNNUMBERED: Patterns = {of: re.compile(text, re.MULTILINE) for of, text in _UNNUMBERED.items()}
"""The same of an interface (``port``) whose neighbour has no address."""


def found_in(text: str, patterns: Patterns, of: tuple[str, str]) -> Iterator[re.Match[str]]:
    if of in patterns:
        yield from patterns[of].finditer(text)
