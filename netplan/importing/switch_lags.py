"""Ports in a LAG. An inventory has none: its VLANs and addresses are not taken, and a rail behind such ports
has a VLAN only where something else states it.

NVUE: docs.nvidia.com, Cumulus Linux 5.19, Bonding - Link Aggregation, Create a Bond, and MLAG (peerlink is a
bond). EOS, NX-OS, Junos, Onyx: as in ``switch_forms``. SONiC: ``sonic.left``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Of, Remark, Said, Site
from netplan.reading.switches.places import matched
from netplan.reading.switches.rules import Rules
from netplan.reading.switches.several import members

BUNDLE = re.compile(r"(?:port-?channel|bond|ae|eth-trunk)\d+", re.IGNORECASE)
"""Names of LAGs: SONiC PortChannel1, EOS Port-Channel1, NX-OS port-channel1, NVUE bond1, Junos ae1, VRP
Eth-Trunk1."""
LAG = "lag"
"""Field of a port: that it is in one."""
LAG_LEFT = "VLANs and addresses of the LAG are not taken"
_PORT = 2
"""Parts of a port's name: switch and port."""
_LINES: Mapping[str, tuple[str, ...]] = {
    "arista-eos": ("interface <port> / channel-group [0-9]+( .+)?",),
    "cisco-nxos": ("interface <port> / channel-group [0-9]+( .+)?",),
    "onyx": ("interface ethernet <port> (mlag-)?channel-group [0-9]+( .+)?",),
    "juniper-junos": (r"set interfaces <port> (gigether|ether)-options 802\.3ad .+",),
    "cumulus-nvue": (r"nv set interface \S+ bond member <ports>",),
}


def lag_facts(rules: Rules, name: str, text: str, file: str) -> Iterator[Fact | Remark]:
    """Each port, and one line for all of them."""
    found: dict[str, int] = {}
    for row in matched(rules, text, _LINES.get(rules.nos.name, ())):
        ports = members(str(row.values["ports"])) if "ports" in row.values else (str(row.values["port"]),)
        found.update((port, row.line) for port in ports)
    for port, line in found.items():
        yield Fact("port", (name, port), LAG, True, Source(file, line or 1, 1))
    if found:
        port, line = next(iter(found.items()))
        more = f" ({len(found) - 1} more of this kind)" if len(found) > 1 else ""
        what = f"{port} is in a LAG: {LAG_LEFT}{more}"
        yield Remark(Source(file, line or 1, 1), f"{name}: {what}", alike=what)


def addresses_of_lags(site: Site, switches: Iterable[str]) -> Iterator[tuple[Of, Said]]:
    """LAGs of these switches with their addresses."""
    names = {*switches}
    for of in site.every("port"):
        if of[0] in names and len(of) == _PORT and BUNDLE.fullmatch(of[1]):
            for _, said in site.prefixed("port", of, "address/"):
                yield of, said


def in_lag(site: Site, port: Of) -> Said | None:
    return site.said("port", port, LAG)
