"""NX-OS commands for ``cli``. Each line takes effect at once, so every intermediate state counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.changes.cli import (
    Cli,
    Form,
    Path,
    State,
    interfaces_have_vlans,
    members_exist,
    names_exist,
    one_network_once,
    only_one,
    within_budget,
)

PORT, SVI = "(?:Ethernet|port-channel|loopback)[^ ]*", r"Vlan\d+"
ANY = f"(?:{PORT}|{SVI})"
BGP, FAMILY = "bgp [^/]*", "bgp [^/]* / ipv[46]"
PEER = "bgp [^/]* / neighbor [^/]*"
CLASS, POLICY, NETWORK, QUEUING = (
    "class-map [^/]*",
    "policy-map qos [^/]*",
    "policy-map network [^/]*",
    "policy-map queuing [^/]*",
)
SWITCHED = ["mode", "access", "native", "vlans:.*", "mtu"]
ROUTED = ["address.*", "arp", "mtu"]


def other_mtu(state: State, path: Path, line: str) -> str:
    """A switched port accepts only the default MTU and the system's."""
    keys, system = state.objects[path], state.objects[()].get("jumbo", "system jumbomtu 9216").split()[-1]
    refused = "mode" in keys and line not in ("mtu 1500", f"mtu {system}")
    return f"the system's is {system}" if refused else ""


FORMS = [
    Form("", "feature .+", keeps=True),
    Form("", "ip load-sharing address .+", sets="seed"),
    Form("", "no ip load-sharing address .+", unsets=["seed"]),
    Form("", r"system jumbomtu (\d+)", sets="jumbo"),
    Form("", "no system jumbomtu", unsets=["jumbo"]),
    Form("", r"mac address-table aging-time \d+", sets="mac"),
    Form("", "no mac address-table aging-time", unsets=["mac"]),
    Form("", r"route-map (\S+) permit (\d+)", opens="route-map {1} {2}"),
    Form("route-map .*", "match .+", sets="match"),
    Form("", r"vlan (\d+)", opens="vlan {1}"),
    Form("", r"no vlan (\d+)", ends="vlan {1}"),
    Form("vlan .*", r"name (\S+)", sets="name"),
    Form("vlan .*", "no name", unsets=["name"]),
    Form("", r"interface (Vlan\d+)", opens="{1}"),
    Form("", r"no interface (Vlan\d+)", ends="{1}"),
    Form("", r"interface (loopback\d+)", opens="{1}", whole=False, keeps=True),
    Form("", r"interface ((?:Ethernet|port-channel)\S+)", opens="{1}", whole=False),
    Form(ANY, r"mtu (\d+)", sets="mtu", refused=other_mtu),
    Form(ANY, "no mtu", unsets=["mtu"]),
    Form(ANY, "description (.+)", sets="description"),
    Form(ANY, "no description", unsets=["description"]),
    Form(ANY, r"ip address (\S+)", sets="address"),
    Form(ANY, r"no ip address (\S+)", unsets=["address"]),
    Form(ANY, r"ipv6 address (\S+)", sets="address {1}"),
    Form(ANY, r"no ipv6 address (\S+)", unsets=["address {1}"]),
    Form(ANY, "ip arp timeout .+", sets="arp"),
    Form(ANY, "no ip arp timeout", unsets=["arp"]),
    Form(SVI, "ip arp gratuitous update", sets="garp"),
    Form(SVI, "no ip arp gratuitous update", unsets=["garp"]),
    Form(SVI, "no shutdown", sets="up"),
    Form(SVI, "shutdown", unsets=["up"]),
    Form(PORT, "no shutdown", keeps=True),
    Form(PORT, "no switchport", sets="routed", wipes=SWITCHED),
    Form(PORT, "switchport", sets="routed", value=None, wipes=ROUTED),
    Form(PORT, "switchport mode (trunk|access)", sets="mode"),
    Form(PORT, "no switchport mode", unsets=["mode"]),
    Form(PORT, r"switchport access vlan (\d+)", sets="access"),
    Form(PORT, "no switchport access vlan", unsets=["access"]),
    Form(PORT, r"switchport trunk native vlan (\d+)", sets="native"),
    Form(PORT, "no switchport trunk native vlan", unsets=["native"]),
    Form(
        PORT,
        r"switchport trunk allowed vlan add ([\d,]+)",
        adds="vlans:{1}",
        value="switchport trunk allowed vlan #",
    ),
    Form(PORT, r"switchport trunk allowed vlan remove ([\d,]+)", takes="vlans:{1}"),
    Form(
        PORT,
        r"switchport trunk allowed vlan ([\d,]+)",
        wipes=["vlans:.*"],
        adds="vlans:{1}",
        value="switchport trunk allowed vlan #",
    ),
    Form(PORT, "no switchport trunk allowed vlan", unsets=["vlans:.*"]),
    Form(f"(?:{PORT})?", "priority-flow-control (mode|watch-dog-interval) on", sets="pfc {1}"),
    Form(f"(?:{PORT})?", "no priority-flow-control (mode|watch-dog-interval) on", unsets=["pfc {1}"]),
    Form(
        "",
        r"priority-flow-control (watch-dog shutdown|auto-restore )-?multiplier (\d+)",
        sets="multiplier {1}",
    ),
    Form(
        "",
        r"no priority-flow-control (watch-dog shutdown|auto-restore )-?multiplier",
        unsets=["multiplier {1}"],
    ),
    Form(PORT, r"service-policy type qos input (\S+)", sets="policy"),
    Form(PORT, r"no service-policy type qos input (\S+)", unsets=["policy"]),
    Form("", r"router bgp (\d+)", opens="bgp {1}", whole=False, keeps=True),
    Form("", r"no router bgp (\d+)", ends="bgp {1}"),
    Form(BGP, r"router-id (\S+)", sets="router-id"),
    Form(BGP, r"no router-id (\S+)", unsets=["router-id"]),
    Form(BGP, "address-family (ipv[46]) unicast", opens="{1}", whole=False),
    Form(FAMILY, r"(?:maximum-paths) \d+", sets="paths"),
    Form(FAMILY, r"no maximum-paths \d+", unsets=["paths"]),
    Form(FAMILY, r"network (\S+)", sets="network {1}"),
    Form(FAMILY, r"no network (\S+)", unsets=["network {1}"]),
    Form(BGP, r"neighbor (\S+) remote-as (\d+)", opens="neighbor {1}", inside={"as": "{2}"}),
    Form(BGP, r"no neighbor (\S+)", ends="neighbor {1}"),
    Form(PEER, "description .+", sets="description"),
    Form(PEER, "no description", unsets=["description"]),
    Form(PEER, "address-family (ipv[46]) unicast", opens="family {1}"),
    Form(PEER, "no address-family (ipv[46]) unicast", ends="family {1}"),
    Form("", r"class-map type qos match-any (\S+)", opens="class-map {1}"),
    Form("", r"no class-map type qos match-any (\S+)", ends="class-map {1}"),
    Form(CLASS, r"match (dscp|cos) ([\d,]+)", adds="{1}:{2}", value="match {1} #"),
    Form(CLASS, r"no match (dscp|cos) ([\d,]+)", takes="{1}:{2}"),
    Form("", r"policy-map type qos (\S+)", opens="policy-map qos {1}"),
    Form("", r"no policy-map type qos (\S+)", ends="policy-map qos {1}"),
    Form(POLICY, r"class (\S+)", opens="class {1}"),
    Form(POLICY, r"no class (\S+)", ends="class {1}"),
    Form(f"{POLICY} / class .*", r"set qos-group (\d)", sets="group"),
    Form("", r"policy-map type network-qos (\S+)", opens="policy-map network {1}"),
    Form("", r"no policy-map type network-qos (\S+)", ends="policy-map network {1}"),
    Form(NETWORK, r"class type network-qos (\S+)", opens="class {1}"),
    Form(NETWORK, r"no class type network-qos (\S+)", ends="class {1}"),
    Form(f"{NETWORK} / class .*", r"mtu (\d+)", sets="mtu"),
    Form(f"{NETWORK} / class .*", r"no mtu (\d+)", unsets=["mtu"]),
    Form(f"{NETWORK} / class .*", r"pause pfc-cos (\d)", sets="pause"),
    Form(f"{NETWORK} / class .*", r"no pause pfc-cos (\d)", unsets=["pause"]),
    Form("", r"policy-map type queuing (\S+)", opens="policy-map queuing {1}"),
    Form("", r"no policy-map type queuing (\S+)", ends="policy-map queuing {1}"),
    Form(QUEUING, r"class type queuing (\S+)", opens="class {1}"),
    Form(QUEUING, r"no class type queuing (\S+)", ends="class {1}"),
    Form(f"{QUEUING} / class .*", r"priority level (\d)", sets="level"),
    Form(f"{QUEUING} / class .*", r"no priority level (\d)", unsets=["level"]),
    Form(f"{QUEUING} / class .*", r"bandwidth remaining percent (\d+)", sets="percent"),
    Form(f"{QUEUING} / class .*", r"no bandwidth remaining percent (\d+)", unsets=["percent"]),
    Form(f"{QUEUING} / class .*", r"random-detect .+", sets="ecn"),
    Form(f"{QUEUING} / class .*", "no random-detect", unsets=["ecn"]),
    Form("", "system qos", opens="system qos", whole=False),
    Form("system qos", r"service-policy type (network-qos|queuing output) (\S+)", sets="{1}"),
    Form("system qos", r"no service-policy type (network-qos|queuing output) (\S+)", unsets=["{1}"]),
]


def vlan(number: str) -> tuple[str, ...]:
    return (f"vlan {number}",)


def ports_take_their_lines(state: State) -> Iterable[str]:
    """Routed and switched ports have only the lines that they accept."""
    for path, keys in state.objects.items():
        if not path or not path[0].startswith("Ethernet"):
            continue
        wrong = {"mode", "access", "native"} if "routed" in keys else {"address", "arp"}
        if wrong & keys.keys() or ("routed" in keys and any(key.startswith("vlans:") for key in keys)):
            yield f"{path[-1]} does not take {', '.join(sorted(wrong & keys.keys()))}"


def strict_queues_are_the_highest(state: State) -> Iterable[str]:
    """Strict queues are contiguous from 7 down, without bandwidth or thresholds; other queues with thresholds
    also have bandwidth."""
    for path, keys in state.objects.items():
        if not path[-1:] or len(path) != 2 or not path[0].startswith("policy-map queuing"):
            continue
        number = path[1][-1]
        above = (path[0], f"class c-out-8q-q{int(number) + 1}") if number.isdigit() else path
        if "level" in keys and number != "7" and "level" not in state.objects.get(above, {}):
            yield f"{path[1]} is strict and the one above is not"
        if ("level" in keys) + ("percent" in keys) > 1 or ("ecn" in keys and "percent" not in keys):
            yield f"{path[1]} has {', '.join(sorted(keys))}"


RULES = [
    one_network_once,
    members_exist(vlan),
    interfaces_have_vlans("Vlan", vlan),
    ports_take_their_lines,
    strict_queues_are_the_highest,
    names_exist(r"Ethernet\S+ / service-policy type qos input (\S+)", "policy-map qos {0}"),
    names_exist(r"policy-map qos \S+ / class (\S+) / .*", "class-map {0}"),
    names_exist(r"system qos / service-policy type network-qos (\S+)", "policy-map network {0}"),
    names_exist(r"system qos / service-policy type queuing output (\S+)", "policy-map queuing {0}"),
    only_one("bgp "),
    within_budget(f"{QUEUING} / class .*", "percent"),
]
CLI = Cli(FORMS, RULES, comment="!", leave="exit")


def faults(state: State) -> Iterator[str]:
    for rule in RULES:
        yield from rule(state)


FOREIGN = """
vlan 999
  name others
interface Vlan999
  ip address 192.0.2.1/24
interface Ethernet1/1
  switchport trunk allowed vlan add 999
interface Ethernet1/60
  description others
  mtu 1500
route-map OTHERS permit 10
  match tag 5
router bgp {asn}
  neighbor 192.0.2.9 remote-as 65000
class-map type qos match-any OTHERS
  match dscp 10
"""
"""Lines configured by others. ``{{asn}}``: the switch's own AS number."""
