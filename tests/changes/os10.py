"""OS10 commands for ``cli``. A VLAN and its interface are one object."""

from __future__ import annotations

from collections.abc import Iterator

from tests.changes.cli import (
    Cli,
    Form,
    State,
    members_exist,
    names_exist,
    numbers,
    one_network_once,
    only_one,
    within_budget,
)
from tests.changes.vrp import one_value

PORT, SVI = "(?:ethernet|port-channel|loopback)[^ ]*", r"vlan \d+"
ANY = f"(?:{PORT}|{SVI})"
BGP, FAMILY = "bgp [^/]*", "bgp [^/]* / ipv4"
PEER = "bgp [^/]* / neighbor [^/]*"
TRUST, QUEUES, WRED = "trust [^/]*", "queues [^/]*", "wred [^/]*"
CLASS, POLICY = "class-map [^/]*", "policy-map [^/]*"
IN_POLICY = f"{POLICY} / class .*"
MODES = ["access", "vlans:.*", "address"]


def taken(state: State, path: tuple[str, ...], line: str) -> str:
    """A DSCP is in one group only: it must be removed from the old one first."""
    _, group, word, *_ = line.split()
    keys = state.objects[path]
    others = {
        key
        for key, value in keys.items()
        if key.startswith(f"{word}:") and f"qos-group {group} " not in value
    }
    wrong = [number for number in numbers(line.split()[-1]) if f"{word}:{number}" in others]
    return f"{wrong[0]} is in another group" if wrong else ""


FORMS = [
    Form("", "(?:lldp|dcbx) enable", keeps=True),
    Form("", r"route-map (\S+) permit (\d+)", opens="route-map {1} {2}"),
    Form("route-map .*", "match .+", sets="match"),
    *one_value("", r"mac address-table aging-time \d+", "mac", "no mac address-table aging-time"),
    Form("", r"interface vlan ?(\d+)", opens="vlan {1}"),
    Form("", r"no interface vlan ?(\d+)", ends="vlan {1}"),
    Form("", r"interface (loopback\d+)", opens="{1}", whole=False, keeps=True),
    Form("", r"interface (\S+)", opens="{1}", whole=False),
    *one_value(ANY, "description .+", "description", "no description"),
    *one_value(ANY, r"mtu \d+", "mtu", "no mtu"),
    *one_value(ANY, r"ip address \S+", "address", "no ip address"),
    *one_value(SVI, "no shutdown", "up", "shutdown"),
    Form(PORT, "no shutdown", keeps=True),
    Form(PORT, "no switchport", sets="mode", wipes=MODES),
    Form(PORT, "switchport mode access", sets="mode", value=None, wipes=MODES),
    Form(PORT, "switchport mode trunk", sets="mode", wipes=MODES),
    *one_value(PORT, r"switchport access vlan (\d+)", "access", "no switchport access vlan"),
    Form(
        PORT,
        r"switchport trunk allowed vlan ([\d,-]+)",
        adds="vlans:{1}",
        value="switchport trunk allowed vlan #",
    ),
    Form(PORT, r"no switchport trunk allowed vlan ([\d,-]+)", takes="vlans:{1}"),
    Form(PORT, "flowcontrol (receive|transmit) off"),
    *one_value(PORT, "priority-flow-control mode on", "pfc", "no priority-flow-control mode"),
    *one_value(
        PORT,
        r"service-policy (input type network-qos|output type queuing) \S+",
        "{1}",
        "no service-policy (input type network-qos|output type queuing)",
    ),
    *one_value(f"(?:{PORT}|system qos)", "ets mode on", "ets", "no ets mode"),
    *one_value(PORT, r"qos-map traffic-class \S+", "queues", "no qos-map traffic-class"),
    Form("", r"router bgp (\d+)", opens="bgp {1}", whole=False, keeps=True),
    Form("", r"no router bgp (\d+)", ends="bgp {1}"),
    *one_value(BGP, "router-id .+", "router-id", "no router-id"),
    *one_value(BGP, r"maximum-paths ebgp \d+", "paths", "no maximum-paths ebgp"),
    Form(f"(?:{BGP}|{PEER})", "address-family ipv4 unicast", opens="ipv4", whole=False),
    *one_value(FAMILY, r"network (\S+)", "network {1}", r"no network (\S+)"),
    Form(BGP, r"neighbor (\S+)", opens="neighbor {1}"),
    Form(BGP, r"no neighbor (\S+)", ends="neighbor {1}"),
    *one_value(PEER, r"remote-as (\d+)", "as", r"no remote-as (\d+)"),
    *one_value(PEER, "no shutdown", "up", "shutdown"),
    *one_value(f"{PEER} / ipv4", "activate", "activate", "no activate"),
    Form("", r"trust (dscp|dot1p)-map (\S+)", opens="trust {1} {2}"),
    Form("", r"no trust (dscp|dot1p)-map (\S+)", ends="trust {1} {2}"),
    Form(
        TRUST,
        r"qos-group (\d) (dscp|dot1p) ([\d,-]+)",
        adds="{2}:{3}",
        value="qos-group {1} {2} #",
        refused=taken,
    ),
    Form(TRUST, r"no qos-group (\d) (dscp|dot1p) ([\d,-]+)", takes="{2}:{3}"),
    Form("", r"qos-map traffic-class (\S+)", opens="queues {1}"),
    Form("", r"no qos-map traffic-class (\S+)", ends="queues {1}"),
    *one_value(QUEUES, r"queue (\d) qos-group (\d)", "queue {1}", r"no queue (\d) qos-group (\d)"),
    Form("", r"wred (\S+)", opens="wred {1}"),
    Form("", r"no wred (\S+)", ends="wred {1}"),
    *one_value(WRED, r"random-detect color (\S+) .+", "color {1}", r"no random-detect color (\S+)"),
    *one_value(WRED, "random-detect ecn", "ecn", "no random-detect ecn"),
    Form("", r"class-map type (?:network-qos|queuing) (\S+)", opens="class-map {1}"),
    Form("", r"no class-map type (?:network-qos|queuing) (\S+)", ends="class-map {1}"),
    *one_value(CLASS, r"match (qos-group|queue) \d", "match", r"no match (qos-group|queue) \d"),
    Form("", r"policy-map type (network-qos|queuing) (\S+)", opens="policy-map {2}"),
    Form("", r"no policy-map type (network-qos|queuing) (\S+)", ends="policy-map {2}"),
    Form(POLICY, r"class (\S+)", opens="class {1}"),
    Form(POLICY, r"no class (\S+)", ends="class {1}"),
    *one_value(IN_POLICY, "pause", "pause", "no pause"),
    *one_value(IN_POLICY, r"pfc-cos \d", "cos", "no pfc-cos"),
    *one_value(IN_POLICY, "priority", "strict", "no priority"),
    *one_value(IN_POLICY, r"bandwidth percent \d+", "percent", "no bandwidth percent"),
    *one_value(IN_POLICY, r"random-detect (\S+)", "wred", r"no random-detect (\S+)"),
    Form("", "system qos", opens="system qos", whole=False),
    *one_value("system qos", r"trust-map (dscp|dot1p) \S+", "trust {1}", "no trust-map (dscp|dot1p)"),
]


def vlan(number: str) -> tuple[str, ...]:
    return (f"vlan {number}",)


def modes(state: State) -> Iterator[str]:
    for path, keys in state.objects.items():
        if not path or not path[0].startswith("ethernet"):
            continue
        mode = keys.get("mode", "")
        listed = any(key.startswith("vlans:") for key in keys)
        if (listed and "trunk" not in mode) or ("address" in keys and mode != "no switchport"):
            yield f"{path[0]} is no such port"
        if "access" in keys and mode == "no switchport":
            yield f"{path[0]} routes"


RULES = [
    one_network_once,
    members_exist(vlan),
    modes,
    names_exist(r"ethernet\S+ / service-policy \S+ type \S+ (\S+)", "policy-map {0}"),
    names_exist(r"ethernet\S+ / qos-map traffic-class (\S+)", "queues {0}"),
    names_exist(r"policy-map \S+ / class (\S+) / .*", "class-map {0}"),
    names_exist(r"policy-map \S+ / class \S+ / random-detect (\S+)", "wred {0}"),
    names_exist(r"system qos / trust-map (\S+ \S+)", "trust {0}"),
    only_one("bgp "),
    within_budget(IN_POLICY, "percent"),
]
CLI = Cli(FORMS, RULES, comment="!", leave="exit")


def faults(state: State) -> Iterator[str]:
    for rule in RULES:
        yield from rule(state)


FOREIGN = """
interface vlan 999
 description others
 ip address 192.0.2.1/24
interface ethernet1/1/1
 switchport trunk allowed vlan 999
interface ethernet1/1/60
 description others
route-map OTHERS permit 10
 match tag 5
router bgp {asn}
 neighbor 192.0.2.9
  remote-as 65000
"""
"""Lines configured by others. ``{{asn}}``: the switch's own AS number."""
