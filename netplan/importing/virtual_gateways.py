"""Gateways that several switches share: VRRP, HSRP, VARP, VRR, MAGP, anycast. Such an address is the gateway
of its VLAN; the interfaces keep their own addresses beside it.

Lines: aristanetworks/avd 3cac535c eos_cli_config_gen, vlan-interfaces.j2 (ip virtual-router address, ip
address virtual, vrrp <id> ipv4); Cisco Nexus 9000 Unicast Routing guide, HSRP and VRRP; CumulusNetworks/docs,
cumulus-linux-515, Virtual-Router-Redundancy-VRR.md; juniper.net, statements virtual-gateway-address and
vrrp-group; NVIDIA Onyx user manual, MAGP. config_db: sonic-net/SONiC 050b613b doc/vrrp/VRRP_Adaptation_HLD.md
(VRRP, vip); sonic-net/SONiC, VRRP_HLD_Buzznik.md (SAG, gwip); sonic-net/sonic-utilities tests/sag_test.py
(static_anycast_gateway).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from netaddr import IPAddress

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Of, Said, Site
from netplan.importing.sonic.switches import SwitchReader
from netplan.model.readback import ReadSwitch
from netplan.model.values import parse_address, parse_network
from netplan.reading.switches.places import matched
from netplan.reading.switches.rules import Rules

_VLAN = re.compile("[1-9][0-9]{0,3}")
SHARED = "shared/"
"""Field of a VLAN interface, with the address: how switches share it."""
_IRB = "set interfaces irb unit <unit:number> family inet6? address "
_NAMED = ("set vlans <name> vlan-id <vlan>", r"set vlans <name> l3-interface irb\.<unit:number>")
_LINES: Mapping[str, Mapping[str, str]] = {
    "arista-eos": {
        "interface Vlan<vlan> / (ip|ipv6) virtual-router address <ip>( .+)?": "ip virtual-router",
        "interface Vlan<vlan> / (ip|ipv6) address virtual <address>( .+)?": "ip address virtual",
        "interface Vlan<vlan> / vrrp [0-9]+ (ip|ipv4|ipv6) <ip>( .+)?": "VRRP",
    },
    "cisco-nxos": {
        "interface Vlan<vlan> / hsrp [0-9]+( ipv4| ipv6)? / ip <ip>( .+)?": "HSRP",
        "interface Vlan<vlan> / vrrp [0-9]+ / address <ip>( .+)?": "VRRP",
        "interface Vlan<vlan> / vrrpv3 [0-9]+ address-family ipv[46] / address <ip>( .+)?": "VRRP",
        "interface Vlan<vlan> / fabric forwarding mode anycast-gateway": "anycast",
    },
    "cumulus-nvue": {
        "nv set interface vlan<vlan> (ip|ipv4|ipv6) vrr address <address>": "VRR",
        r"nv set interface vlan<vlan> (ip|ipv4|ipv6) vrrp virtual-router \S+ address <ip>": "VRRP",
    },
    "juniper-junos": {
        rf"{_IRB}\S+ virtual-gateway-address <ip>": "virtual-gateway-address",
        rf"{_IRB}\S+ vrrp-(inet6-)?group [0-9]+ virtual-(inet6-)?address <ip>": "VRRP",
    },
    "onyx": {"interface vlan <vlan> magp [0-9]+ ip virtual-router address <ip>": "MAGP"},
}
"""NOS -> line of a VLAN interface -> what shares the address; without one those of the interface."""


def shared_facts(rules: Rules, read: ReadSwitch, name: str, text: str, file: str) -> Iterator[Fact]:
    words = _LINES.get(rules.nos.name, {})
    units = _units(rules, text) if rules.nos.name == "juniper-junos" else {}
    for line in matched(rules, text, tuple(words)):
        values = line.values
        vlan = str(units.get(values["unit"], "") if "unit" in values else values["vlan"])
        stated = values.get("ip") or values.get("address")
        own = [] if stated is not None else _own(read, vlan)
        for address in [str(stated).partition("/")[0]] if stated is not None else own:
            at = Source(file, line.line or 1, 1)
            if vlan:
                yield Fact("svi", (name, vlan), f"{SHARED}{address}", words[line.pattern], at)


def _own(read: ReadSwitch, vlan: str) -> list[str]:
    interface = read.vlan_interfaces.get(int(vlan))
    return [str(address.ip) for address in interface.addresses] if interface is not None else []


def _units(rules: Rules, text: str) -> Mapping[object, object]:
    """Unit of the interface -> VLAN."""
    rows = [line.values for line in matched(rules, text, _NAMED)]
    vlans = {row["name"]: row["vlan"] for row in rows if "vlan" in row}
    return {row["unit"]: vlans[row["name"]] for row in rows if "unit" in row and row["name"] in vlans}


def shared_in_tables(read: SwitchReader) -> Iterator[Fact]:
    """Rows of VRRP and SAG, and interfaces with a static anycast gateway."""
    for table, fields, word in (("VRRP", ("vip", "vip@"), "VRRP"), ("SAG", ("gwip", "gwip@"), "anycast")):
        for key in read.switch.keys(table):
            vlan, (row, field) = key.partition("|")[0].removeprefix("Vlan"), _row(read, table, key, fields)
            for text in row if _VLAN.fullmatch(vlan) else ():
                if (ip := parse_address(text.partition("/")[0])) is not None:
                    of = (*read.of, vlan)
                    yield read.fact("svi", of, f"{SHARED}{ip}", word, table, key, field)
    for key in read.switch.keys("VLAN_INTERFACE"):
        vlan, _, address = key.partition("|")
        network = parse_network(address) if address else None
        if (
            network is not None
            and read.switch.text("VLAN_INTERFACE", vlan, "static_anycast_gateway") == "true"
        ):
            of = (*read.of, vlan.removeprefix("Vlan"))
            yield read.fact("svi", of, f"{SHARED}{network.ip}", "anycast", "VLAN_INTERFACE", vlan)


def _row(read: SwitchReader, table: str, key: str, names: tuple[str, ...]) -> tuple[list[str], str]:
    """Texts of the first field that is there, a list or parted by commas, and its name."""
    row = read.switch.row(table, key)
    for name in names if row is not None else ():
        if row is not None and (value := row.fields.get(name)) is not None:
            texts = value if isinstance(value, tuple) else str(value).split(",")
            return [*map(str, texts)], name
    return [], names[0]


def shared_addresses(site: Site, svi: Of) -> dict[IPAddress, Said]:
    """Of a VLAN interface."""
    found = ((parse_address(text), said) for text, said in site.prefixed("svi", svi, SHARED))
    return {address: said for address, said in found if address is not None}
