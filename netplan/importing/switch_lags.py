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
OF_LAG = "of_lag"
"""Field of a port: the name of that one, as the switch has it."""
LAG_LEFT = "VLANs and addresses of the LAG are not taken"
_PORT = 2
"""Parts of a port's name: switch and port."""
_CHANNEL = "interface <port> / channel-group <lag:number>( .+)?"
_LINES: Mapping[str, tuple[str, ...]] = {
    "arista-eos": (_CHANNEL,),
    "cisco-nxos": (_CHANNEL,),
    "onyx": ("interface ethernet <port> (mlag-)?channel-group <lag:number>( .+)?",),
    "juniper-junos": (r"set interfaces <port> (gigether|ether)-options 802\.3ad <lag>( .+)?",),
    "cumulus-nvue": (r"nv set interface <lag> bond member <ports>",),
}
_NUMBERED = {"arista-eos": "Port-Channel{}", "cisco-nxos": "port-channel{}", "onyx": "port-channel {}"}
"""How the NOS calls the LAG of a number."""
_ADDRESSES: Mapping[str, tuple[str, ...]] = {
    "arista-eos": ("interface <lag> / ip(v6)? address <address>",),
    "cisco-nxos": ("interface <lag> / ip(v6)? address <address>( tag [0-9]+)?",),
    "juniper-junos": ("set interfaces <lag> unit 0 family inet6? address <address>",),
    "cumulus-nvue": ("nv set interface <lag> (ip|ipv4|ipv6) address <address>",),
}
"""EOS: sonic-net/sonic-mgmt b4ba9de3 ansible/roles/eos/templates/t0-leaf.j2. NX-OS: the words of a port,
docs.ansible.com, nxos_l3_interfaces. Junos: Juniper/jvd 005ab34
automation/configuration/set/ag1-1_acx7509.set. NVUE: the pages above."""


def lag_facts(rules: Rules, name: str, text: str, file: str) -> Iterator[Fact | Remark]:
    """Each port, and one line for all of them; addresses of LAGs, whose names are those of ``BUNDLE``."""
    found: dict[str, int] = {}
    for row in matched(rules, text, _LINES.get(rules.nos.name, ())):
        ports = members(str(row.values["ports"])) if "ports" in row.values else (str(row.values["port"]),)
        lag = _NUMBERED.get(rules.nos.name, "{}").format(row.values["lag"])
        found.update((port, row.line) for port in ports)
        at = Source(file, row.line or 1, 1)
        yield from (Fact("port", (name, port), OF_LAG, lag, at) for port in ports)
    for port, line in found.items():
        yield Fact("port", (name, port), LAG, True, Source(file, line or 1, 1))
    if found:
        port, line = next(iter(found.items()))
        more = f" ({len(found) - 1} more of this kind)" if len(found) > 1 else ""
        what = f"{port} is in a LAG: {LAG_LEFT}{more}"
        yield Remark(Source(file, line or 1, 1), f"{name}: {what}", alike=what)
    for row in matched(rules, text, _ADDRESSES.get(rules.nos.name, ())):
        lag, address = str(row.values["lag"]), str(row.values["address"])
        if BUNDLE.fullmatch(lag):
            yield Fact("port", (name, lag), f"address/{address}", address, Source(file, row.line or 1, 1))


def single_members(site: Site) -> Mapping[Of, Of]:
    """LAG -> its port, of LAGs with one port."""
    found: dict[Of, list[Of]] = {}
    for of in site.every("port"):
        if lag := site.text("port", of, OF_LAG):
            found.setdefault((of[0], lag), []).append(of)
    return {lag: ports[0] for lag, ports in found.items() if len(ports) == 1}


def addresses_of_lags(site: Site, switches: Iterable[str]) -> Iterator[tuple[Of, Said]]:
    """LAGs of these switches with their addresses."""
    names = {*switches}
    for of in site.every("port"):
        if of[0] in names and len(of) == _PORT and BUNDLE.fullmatch(of[1]):
            for _, said in site.prefixed("port", of, "address/"):
                yield of, said


def in_lag(site: Site, port: Of) -> Said | None:
    return site.said("port", port, LAG)
