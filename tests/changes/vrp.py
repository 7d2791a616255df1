"""VRP commands and, with other keywords, Comware's, for ``cli``. `undo` of something that is not set is
rejected, as is `undo vlan` while the VLAN has its interface or a member."""

from __future__ import annotations

from collections.abc import Iterator

from tests.changes.cli import (
    Cli,
    Form,
    State,
    interfaces_have_vlans,
    members_exist,
    names_exist,
    one_network_once,
    only_one,
)

PORT, SVI, BGP, FAMILY = r"(?:\d+GE|LoopBack)[^ ]*", r"Vlanif\d+", "bgp [^/]*", "bgp [^/]* / ipv4"
ANY = f"(?:{PORT}|{SVI})"
DOMAIN, DROP = "domain [^/]*", "drop [^/]*"
LAYER_2 = ["type", "access", "native", "vlans:.*", "not 1"]


def one_value(within: str, line: str, key: str, undo: str, value: str = "{0}") -> list[Form]:
    """A command that sets a key, and the one that undoes it."""
    return [Form(within, line, sets=key, value=value), Form(within, undo, unsets=[key])]


def trunk(within: str, word: str, undo_pvid: str) -> list[Form]:
    """The VLAN list of a trunk port, whose command only adds."""
    allow = f"port trunk {word} vlan"
    return [
        Form(within, f"undo {allow} 1", sets="not 1"),
        Form(within, f"{allow} 1", unsets=["not 1"]),
        Form(within, rf"{allow} (\d+)", adds="vlans:{1}", value=f"{allow} #"),
        Form(within, rf"undo {allow} (\d+)", takes="vlans:{1}"),
        *one_value(within, r"port trunk pvid vlan (\d+)", "native", undo_pvid),
    ]


def bgp(family: str, paths: str) -> list[Form]:
    return [
        Form("", r"bgp (\d+)", opens="bgp {1}", whole=False, keeps=True),
        Form("", r"undo bgp (\d+)", ends="bgp {1}"),
        *one_value(BGP, "router-id .+", "router-id", "undo router-id"),
        Form(BGP, r"peer (\S+) as-number (\d+)", sets="peer {1}", refused=peer_has_an_as),
        Form(BGP, r"undo peer (\S+)", unsets=["peer {1}"], clears=["ipv4 / enable {1}"]),
        Form(BGP, family, opens="ipv4", whole=False),
        *one_value(FAMILY, rf"{paths} \d+", "paths", f"undo {paths}"),
        Form(FAMILY, r"network (\S+ \S+)", sets="network {1}"),
        Form(FAMILY, r"undo network (\S+ \S+)", unsets=["network {1}"]),
        Form(FAMILY, r"peer (\S+) enable", sets="enable {1}"),
        Form(FAMILY, r"undo peer (\S+) enable", unsets=["enable {1}"]),
    ]


def peer_has_an_as(state: State, path: tuple[str, ...], line: str) -> str:
    word, address, *_ = line.split()
    return "the peer has an AS" if f"{word} {address}" in state.objects[path] else ""


FORMS = [
    Form("", "lldp enable", keeps=True),
    Form("", r"acl number (\d+)", opens="acl {1}"),
    Form("acl .*", "rule .+", sets="rule"),
    Form("", r"vlan (\d+)", opens="vlan {1}"),
    Form("", r"undo vlan (\d+)", ends="vlan {1}"),
    *one_value("vlan .*", r"description (\S+)", "name", "undo description"),
    Form("", r"interface (Vlanif\d+)", opens="{1}"),
    Form("", r"undo interface (Vlanif\d+)", ends="{1}"),
    Form("", r"interface (LoopBack\d+)", opens="{1}", whole=False, keeps=True),
    Form("", r"interface (\S+)", opens="{1}", whole=False),
    *one_value(ANY, r"mtu \d+", "mtu", "undo mtu"),
    *one_value(ANY, "description .+", "description", "undo description"),
    *one_value(ANY, r"jumboframe enable \d+", "jumbo", "undo jumboframe enable"),
    *one_value(ANY, r"ip address (\S+ \S+)", "address", r"undo ip address \S+ \S+"),
    Form(PORT, "undo portswitch", sets="routed", wipes=LAYER_2),
    Form(PORT, "portswitch", sets="routed", value=None, wipes=["address", "mtu"]),
    Form(PORT, "port link-type (trunk|access)", sets="type", wipes=LAYER_2[1:]),
    Form(PORT, "undo port link-type", unsets=["type"], wipes=LAYER_2[1:]),
    *trunk(PORT, "allow-pass", "undo port trunk pvid vlan"),
    *one_value(PORT, r"port default vlan (\d+)", "access", "undo port default vlan"),
    *one_value(PORT, "trust (dscp|8021p outer)", "trust", "undo trust"),
    *one_value(PORT, r"trust upstream (\S+)", "upstream", "undo trust upstream"),
    Form(PORT, r"qos (drr|pq) ([\d ]+)", adds="service:{2}", value="qos {1} #"),
    Form(PORT, r"undo qos (?:drr|pq) ([\d ]+)", takes="service:{1}"),
    *one_value(PORT, r"qos queue (\d) drr weight \d+", "weight {1}", r"undo qos queue (\d) drr"),
    *one_value(PORT, r"qos queue (\d) wred \S+", "wred {1}", r"undo qos queue (\d) wred"),
    *one_value(PORT, r"qos queue (\d) ecn", "ecn {1}", r"undo qos queue (\d) ecn"),
    *one_value(PORT, "dcb pfc enable mode manual", "pfc", "undo dcb pfc enable"),
    Form("", "load-balance ecmp", opens="ecmp", whole=False),
    *one_value("ecmp", r"ecmp (?:underlay )?seed \d+", "seed", "undo ecmp seed"),
    *one_value("ecmp", r"ecmp mode \S+", "mode", "undo ecmp mode"),
    *bgp("ipv4-family unicast", "maximum load-balancing"),
    *one_value(
        "", r"(dcb pfc dscp-mapping enable slot \d)", "mapping", r"undo dcb pfc dscp-mapping enable slot \d"
    ),
    *one_value("", r"qos buffer headroom-pool .+", "headroom", r"undo qos buffer headroom-pool slot \d"),
    *one_value(
        "", r"dcb pfc deadlock recovery-behavior .+", "behavior", "undo dcb pfc deadlock recovery-behavior .+"
    ),
    *one_value("", r"dcb pfc deadlock-detect .+", "detect", "undo dcb pfc deadlock-detect"),
    *one_value("", r"dcb pfc deadlock-recovery .+", "recovery", "undo dcb pfc deadlock-recovery"),
    Form("", "dcb pfc", opens="dcb pfc", whole=False),
    Form("dcb pfc", r"priority ([\d ]+)", adds="lossless:{1}", value="priority #"),
    Form("dcb pfc", r"undo priority ([\d ]+)", takes="lossless:{1}"),
    *one_value(
        "dcb pfc",
        r"priority (\d) deadlock-detect time \d+",
        "detect {1}",
        r"undo priority (\d) deadlock-detect",
    ),
    *one_value(
        "dcb pfc",
        r"priority (\d) deadlock-recovery time \d+",
        "recovery {1}",
        r"undo priority (\d) deadlock-recovery",
    ),
    Form("", r"diffserv domain (\S+)", opens="domain {1}"),
    Form("", r"undo diffserv domain (\S+)", ends="domain {1}"),
    *one_value(DOMAIN, r"ip-dscp-inbound (\d+) .+", "dscp {1}", r"undo ip-dscp-inbound (\d+)"),
    *one_value(DOMAIN, r"8021p-inbound (\d+) .+", "pcp {1}", r"undo 8021p-inbound (\d+)"),
    Form("", r"drop-profile (\S+)", opens="drop {1}"),
    Form("", r"undo drop-profile (\S+)", ends="drop {1}"),
    *one_value(DROP, r"color (\S+) .+", "color {1}", r"undo color (\S+)"),
    *one_value("", r"arp timeout \d+", "arp", "undo arp timeout"),
    *one_value("", r"mac-address aging-time \d+", "mac", "undo mac-address aging-time"),
]


def vlan(number: str) -> tuple[str, ...]:
    return (f"vlan {number}",)


def layers(state: State) -> Iterator[str]:
    """Routed, switched and access ports have only the lines that they accept."""
    for path, keys in state.objects.items():
        if not path or "/" not in path[0]:
            continue
        listed = any(key.startswith("vlans:") for key in keys) or "native" in keys or "not 1" in keys
        if "routed" in keys and (listed or {"type", "access"} & keys.keys()):
            yield f"{path[0]} routes"
        if "routed" not in keys and "address" in keys:
            yield f"{path[0]} switches"
        kind = keys.get("type", "").split()[-1:]
        if (listed and kind != ["trunk"]) or ("access" in keys and kind != ["access"]):
            yield f"{path[0]} is no such port"


RULES = [
    one_network_once,
    members_exist(vlan),
    interfaces_have_vlans("Vlanif", vlan),
    layers,
    names_exist(r"\S+ / trust upstream (\S+)", "domain {0}"),
    names_exist(r"\S+ / qos queue \d wred (\S+)", "drop {0}"),
    only_one("bgp "),
]


def shipped() -> State:
    """Default state: priority 3 is lossless in the profile of ports with PFC enabled."""
    state = State(headers={("dcb pfc",): "dcb pfc"})
    state.objects["dcb pfc",] = {"lossless:3": "priority #"}
    return state


CLI = Cli(FORMS, RULES, comment="!", leave="quit", free="commit.*", start=shipped)


def faults(state: State) -> Iterator[str]:
    for rule in RULES:
        yield from rule(state)


FOREIGN = """
vlan 999
 description others
interface Vlanif999
 ip address 192.0.2.1 24
interface 100GE1/0/1
 port trunk allow-pass vlan 999
interface 100GE1/0/60
 description others
acl number 3999
 rule 5 permit ip
bgp {asn}
 peer 192.0.2.9 as-number 65000
"""
"""Lines configured by others. ``{{asn}}``: the switch's own AS number."""
