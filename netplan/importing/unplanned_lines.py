"""Lines of running configurations that change where packets go and that no inventory has.

NVUE: CumulusNetworks/docs 05e49539, Static Routing, Open Shortest Path First (OSPF), Netfilter (ACLs), VRF,
DHCP Relays, EVPN Multihoming, MLAG, VRRP, PIM, Policy-based Routing, 802.1X Interfaces; nvue-reference,
nv set interface. EOS: pyavd 6.4.0, router_ospf, router_isis, ethernet_interfaces (isis_enable, pim,
storm_control, dot1x, port_security), vlan_interfaces, mlag_configuration, router_bgp (peer_groups, vrfs,
aggregate_addresses). NX-OS: ansible-collections/cisco.nxos 154aa540, nxos_ospf_interfaces, nxos_vpc,
nxos_bgp_neighbor_global, nxos_bgp_address_family, nxos_storm_control, nxos_pim_interface. Junos: Juniper/yang
24.4R1, junos-qfx-conf-protocols (isis, pim, iccp), junos-qfx-conf-interfaces (esi, vrrp-group, fec). Onyx:
Cray-HPE/canu 817e30ff tests/data/switch_backups/dellanox/sw-spine-001.cfg.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netplan.diagnostics import Source
from netplan.importing.facts import Remark
from netplan.importing.rewritten_rows import NO_KEY
from netplan.importing.switch_forms import ACL, CONNECTED, ROUTE, VIRTUAL, VRF, VXLAN
from netplan.reading.switches.places import Matched, matched
from netplan.reading.switches.rules import Rules


@dataclass(frozen=True, slots=True)
class Unplanned:
    """``line``: a pattern of ``netplan.reading.switches``; ``text``: what is said, with its columns."""

    line: str
    text: str


def _of(text: str, name: str) -> str:
    """A text of ``switch_forms`` about what the columns name."""
    return text.replace("{1}", name)


_OSPF = "OSPF of {who} is not taken, netplan plans BGP"
_POLICY = f"the traffic policy of {{who}} is not taken, {NO_KEY}"
_PROCESS = "OSPF process {who} is not taken, netplan plans BGP"
_ISIS = "IS-IS of {who} is not taken, netplan plans BGP"
_PIM = f"PIM of {{who}} is not taken, {NO_KEY}"
_SECOND = f"the second address {{address}} of {{who}} is not taken, {NO_KEY}"
_OF_VRF = f"BGP neighbour {{who}} of VRF {{vrf}} is not taken, {NO_KEY}"
_AGGREGATE = "the BGP aggregate {who} is not taken: netplan announces loopbacks and rails one by one"
_ESI = "{who} is multihomed (ESI): its LAG over several switches is not taken"
_RELAY = f"DHCP relay of {{who}} is not taken, {NO_KEY}"
_PAIR = "MLAG is not taken, the inventory has no pair of switches with common LAGs"
_SUB = "{who}: the VLAN and the addresses of a sub-interface are not taken"
_FEC = "FEC {code} of {who} is not taken, the switch keeps it"
_AUTONEG = "auto-negotiation off of {who} is not taken, the switch keeps it"
_EVPN = f"EVPN is not taken, {NO_KEY}"
_ON = "(enable on|state enabled)"
_WORDS = {
    "password": "the password",
    "bfd": "BFD",
    "route-map": "a route map",
    "prefix-list": "a prefix list",
}
_NXOS_PEER = r"router bgp [0-9]+ / (neighbor|template peer) <who>( remote-as .+)? / "
_PEERS: Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]] = {
    "arista-eos": (
        (
            "router bgp [0-9]+ / neighbor <who> {}( .+)?",
            "router bgp [0-9]+ / address-family .+ / neighbor <who> {}( .+)?",
        ),
        _WORDS,
    ),
    "cisco-nxos": ((f"{_NXOS_PEER}{{}}( .+)?", f"{_NXOS_PEER}address-family .+ / {{}}( .+)?"), _WORDS),
    "juniper-junos": (
        (r"set protocols bgp group <who> (neighbor \S+ )?{}( .+)?",),
        {"authentication-key": "the password", "bfd-liveness-detection": "BFD", "import": "a policy"},
    ),
    "onyx": (
        (r"router bgp [0-9]+ vrf \S+ neighbor <who> {}( .+)?",),
        {**_WORDS, "transport connection-mode": "the side that connects"},
    ),
    "cumulus-nvue": (
        (r"nv set vrf \S+ router bgp (neighbor|peer-group) <who> {}( .+)?",),
        {
            "password": "the password",
            f"bfd {_ON}": "BFD",
            r"address-family \S+ policy (inbound|outbound) route-map": "a route map",
            r"address-family \S+ policy (inbound|outbound) prefix-list": "a prefix list",
        },
    ),
}
"""NOS -> lines of BGP neighbours and groups, and what their words are."""


def _of_peers(nos: str) -> Iterator[Unplanned]:
    lines, words = _PEERS[nos]
    for word, what in words.items():
        for line in lines:
            text = f"{what} of BGP neighbour {{who}} is not taken, {NO_KEY}"
            yield Unplanned(line.format(word), text)


def _guards(line: str, *words: str) -> Iterator[Unplanned]:
    """What a port lets in. ``line``: with a place for the word."""
    for word in words:
        yield Unplanned(line.format(word), f"{word} of {{who}} is not taken, {NO_KEY}")


_GUARDS = ("storm-control", "dot1x", "port-security")
_EOS_PORT = "interface (?!Management)<who> / "
_NXOS_PORT = "interface (?!mgmt)<who> / "
ROWS: Mapping[str, tuple[Unplanned, ...]] = {
    "cumulus-nvue": (
        Unplanned(r"nv set vrf (?!mgmt )\S+ router static <who>( .+)?", _of(ROUTE, "route {who}")),
        Unplanned(f"nv set vrf <who> router ospf {_ON}", _OSPF),
        Unplanned(f"nv set interface <who> router ospf (area .+|{_ON})", _OSPF),
        Unplanned("nv set interface (?!eth0 )<who> acl .+", _of(ACL, "{who}")),
        Unplanned("nv set interface (?!eth0 )<who> (ip )?vrf (?!default$|mgmt$).+", _of(VRF, "{who}")),
        Unplanned("nv set interface <who> (ip|ipv4|ipv6) vrr address .+", _of(VIRTUAL, "{who}")),
        Unplanned(
            r"nv set interface <who> (ip|ipv4|ipv6) vrrp virtual-router \S+ address .+", _of(VIRTUAL, "{who}")
        ),
        Unplanned(f"nv set interface <who> router pim {_ON}", _PIM),
        Unplanned("nv set interface <who> router pbr map .+", _POLICY),
        *_guards("nv set interface <who> {} (.+ )?(on|enabled)", "port-security", "dot1x"),
        Unplanned("nv set interface <who> base-interface .+", _SUB),
        Unplanned(f"nv set evpn {_ON}", _EVPN),
        Unplanned(
            rf"nv set vrf default router bgp address-family \S+ redistribute connected ({_ON}|[rm].+)",
            _of(CONNECTED, "redistribute connected"),
        ),
        Unplanned(f"nv set nve vxlan ({_ON}|source address .+)", _of(VXLAN, "nve vxlan")),
        Unplanned("nv set interface <who> evpn multihoming segment .+", _ESI),
        Unplanned(f"nv set mlag ({_ON}|mac-address .+|peer-ip .+)", _PAIR),
        Unplanned(r"nv set service dhcp-relay6? \S+ interface <who>( .+)?", _RELAY),
        Unplanned("nv set interface (?!eth0 )<who> link fec (?!auto$)<code>", _FEC),
        Unplanned("nv set interface (?!eth0 )<who> link auto-negotiate (off|disabled)", _AUTONEG),
        *_of_peers("cumulus-nvue"),
    ),
    "arista-eos": (
        Unplanned(f"{_EOS_PORT}ip(v6)? ospf .+", _OSPF),
        Unplanned("router ospf <who>( .+)?", _PROCESS),
        Unplanned(f"{_EOS_PORT}evpn ethernet-segment", _ESI),
        Unplanned("mlag configuration", _PAIR),
        Unplanned(f"{_EOS_PORT}(traffic-policy input|service-policy type pbr input) .+", _POLICY),
        Unplanned(f"{_EOS_PORT}encapsulation dot1q .+", _SUB),
        Unplanned(f"{_EOS_PORT}ip(v6)? (helper-address|dhcp relay destination) .+", _RELAY),
        Unplanned("router isis <who>( .+)?", _ISIS),
        Unplanned(f"{_EOS_PORT}isis enable .+", _ISIS),
        Unplanned(f"{_EOS_PORT}pim ipv[46] sparse-mode", _PIM),
        Unplanned(f"{_EOS_PORT}ip address <address> secondary", _SECOND),
        Unplanned("router bgp [0-9]+ / vrf <vrf> / neighbor <who> .+", _OF_VRF),
        Unplanned("router bgp [0-9]+ / aggregate-address <who>( .+)?", _AGGREGATE),
        *_guards(f"{_EOS_PORT}(switchport )?{{}}( .+)?", *_GUARDS),
        Unplanned(f"{_EOS_PORT}error-correction encoding <code>( .+)?", _FEC),
        *_of_peers("arista-eos"),
    ),
    "cisco-nxos": (
        Unplanned(f"{_NXOS_PORT}ip(v6)? router ospf(v3)? .+", _OSPF),
        Unplanned("router ospf(v3)? <who>( .+)?", _PROCESS),
        Unplanned("vpc domain .+", _PAIR),
        Unplanned("router isis <who>( .+)?", _ISIS),
        Unplanned(f"{_NXOS_PORT}ip(v6)? router isis .+", _ISIS),
        Unplanned(f"{_NXOS_PORT}ip(v6)? pim sparse-mode", _PIM),
        Unplanned(f"{_NXOS_PORT}ip address <address> secondary( .+)?", _SECOND),
        Unplanned("router bgp [0-9]+ / vrf <vrf> / neighbor <who>( .+)?", _OF_VRF),
        Unplanned("router bgp [0-9]+ / address-family .+ / aggregate-address <who>( .+)?", _AGGREGATE),
        *_guards(f"{_NXOS_PORT}(switchport )?{{}}( .+)?", *_GUARDS),
        Unplanned(f"{_NXOS_PORT}ethernet-segment .+", _ESI),
        Unplanned(f"{_NXOS_PORT}encapsulation dot1q .+", _SUB),
        Unplanned(f"{_NXOS_PORT}ip(v6)? dhcp relay address .+", _RELAY),
        Unplanned(f"{_NXOS_PORT}fec (?!auto$)<code>", _FEC),
        *_of_peers("cisco-nxos"),
    ),
    "juniper-junos": (
        Unplanned(r"set protocols ospf3? area \S+ interface <who>( .+)?", _OSPF),
        Unplanned("set protocols isis interface <who>( .+)?", _ISIS),
        Unplanned("set protocols pim interface <who>( .+)?", _PIM),
        Unplanned("set (protocols iccp|multi-chassis) .+", _PAIR),
        *_guards(
            "set (ethernet-switching-options|forwarding-options) .*{} .*interface <who>( .+)?",
            "storm-control",
        ),
        Unplanned("set interfaces <who> (unit [0-9]+ )?esi .+", _ESI),
        Unplanned(
            r"set interfaces <who> unit <unit:text> family inet6? address \S+ vrrp(-inet6)?-group .+",
            _of(VIRTUAL, "{who} unit {unit}"),
        ),
        Unplanned(r"set forwarding-options dhcp-relay group \S+ interface <who>( .+)?", _RELAY),
        Unplanned("set interfaces <who> (gigether|ether)-options fec <code>", _FEC),
        *_of_peers("juniper-junos"),
    ),
    "onyx": (
        Unplanned(r"ip route (vrf (?!mgmt )\S+ )?(?!vrf )<who> .+", _of(ROUTE, "route {who}")),
        Unplanned("router ospf <who>( .+)?", _PROCESS),
        Unplanned("interface <kind> <who> ip ospf .+", _OSPF),
        *_guards("interface ethernet <who> {}( .+)?", *_GUARDS),
        Unplanned(r"interface <kind> <who> ip(v[46])? port access-group .+", _of(ACL, "{kind} {who}")),
        Unplanned(
            "interface vlan <who> magp [0-9]+ ip virtual-router address .+", _of(VIRTUAL, "vlan {who}")
        ),
        Unplanned("interface vlan <who> ip dhcp relay .+", _RELAY),
        Unplanned("(protocol mlag|mlag-vip .+)", _PAIR),
        *_of_peers("onyx"),
    ),
}
"""NOS -> its lines."""


def unplanned(rules: Rules, name: str, text: str, file: str) -> Iterator[Remark]:
    """The first of each kind, with the number of the others."""
    rows = ROWS.get(rules.nos.name, ())
    found: dict[str, dict[str, Matched]] = {}
    texts = {row.line: row.text for row in rows}
    for line in matched(rules, text, tuple(texts)):
        values = {column: str(value) for column, value in line.values.items()}
        found.setdefault(texts[line.pattern], {}).setdefault(texts[line.pattern].format(**values), line)
    for kind, mine in found.items():
        what, first = next(iter(mine.items()))
        more = f" ({len(mine) - 1} more of this kind)" if len(mine) > 1 else ""
        yield Remark(Source(file, first.line or 1, 1), f"{name}: {what}{more}", alike=f"{kind}{more}")
