"""EOS commands for ``cli``. A port is switched by default. Unlike EOS, the model rejects `no` for something
that is not set: such a change assumes a state that does not exist."""

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
    within_budget,
)

PORT, SVI, BGP, FAMILY = "(?:Ethernet|Port-Channel|Loopback).*", "Vlan.*", "bgp [^/]*", "bgp [^/]* / ipv[46]"
PROFILE, QUEUE = "profile [^/]*", "profile [^/]* / (?:uc-)?tx-queue .*"
ANY = f"(?:{PORT}|{SVI})"
FORMS = [
    Form("", "(ip routing|ipv6 unicast-routing|lldp run)", keeps=True),
    Form("", r"route-map (\S+) permit (\d+)", opens="route-map {1} {2}"),
    Form("route-map .*", "match .+", sets="match"),
    Form("", r"vlan (\d+)", opens="vlan {1}"),
    Form("", r"no vlan (\d+)", ends="vlan {1}"),
    Form("vlan .*", r"name (\S+)", sets="name"),
    Form("vlan .*", "no name", unsets=["name"]),
    Form("", r"interface (Vlan\d+)", opens="{1}"),
    Form("", r"no interface (Vlan\d+)", ends="{1}"),
    Form("", r"interface (Loopback\d+)", opens="{1}", whole=False, keeps=True),
    Form("", r"interface (\S+)", opens="{1}", whole=False),
    Form(ANY, "mtu (.+)", sets="mtu"),
    Form(ANY, "no mtu", unsets=["mtu"]),
    Form(ANY, "description (.+)", sets="description"),
    Form(ANY, "no description", unsets=["description"]),
    Form(ANY, r"ip address (\S+)", sets="address"),
    Form(ANY, "no ip address", unsets=["address"]),
    Form(ANY, r"ipv6 address (\S+)", sets="address {1}"),
    Form(ANY, r"no ipv6 address (\S+)", unsets=["address {1}"]),
    Form(ANY, "ipv6 nd cache expire .+", sets="nd"),
    Form(ANY, "no ipv6 nd cache expire", unsets=["nd"]),
    Form(SVI, "arp gratuitous accept", sets="garp"),
    Form(SVI, "no arp gratuitous accept", unsets=["garp"]),
    Form(PORT, "speed .+", sets="speed"),
    Form(PORT, "no speed", unsets=["speed"]),
    Form(PORT, "no switchport", sets="routed"),
    Form(PORT, "switchport", sets="routed", value=None),
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
    Form(PORT, "no dcbx mode"),
    Form(PORT, r"service-profile (\S+)", sets="profile"),
    Form(PORT, "no service-profile", unsets=["profile"]),
    Form("", r"router bgp (\d+)", opens="bgp {1}", whole=False, keeps=True),
    Form("", r"no router bgp (\d+)", ends="bgp {1}"),
    Form(BGP, "router-id .+", sets="router-id"),
    Form(BGP, "no router-id", unsets=["router-id"]),
    Form(BGP, "maximum-paths .+", sets="paths"),
    Form(BGP, "no maximum-paths", unsets=["paths"]),
    Form(BGP, r"neighbor (\S+) remote-as (\d+)", sets="neighbor {1} as"),
    Form(BGP, r"neighbor (\S+) description .+", sets="neighbor {1} description"),
    Form(BGP, r"no neighbor (\S+) description", unsets=["neighbor {1} description"]),
    Form(
        BGP,
        r"no neighbor (\S+)",
        unsets=["neighbor {1} .*"],
        clears=["ipv4 / activate {1}", "ipv6 / activate {1}"],
    ),
    Form(BGP, "address-family (ipv[46])", opens="{1}", whole=False),
    Form(FAMILY, r"neighbor (\S+) activate", sets="activate {1}"),
    Form(FAMILY, r"no neighbor (\S+) activate", unsets=["activate {1}"]),
    Form(FAMILY, r"network (\S+)", sets="network {1}"),
    Form(FAMILY, r"no network (\S+)", unsets=["network {1}"]),
    Form(
        "",
        r"qos map (dscp|cos) ([\d ]+) to traffic-class (\d)",
        adds="{1}:{2}",
        value="qos map {1} # to traffic-class {3}",
    ),
    Form("", r"no qos map (dscp|cos) ([\d ]+)", takes="{1}:{2}"),
    Form("", r"qos map traffic-class (\d) to tx-queue (\d)", sets="tc {1}"),
    Form("", r"no qos map traffic-class (\d) to tx-queue", unsets=["tc {1}"]),
    Form("", r"priority-flow-control pause watchdog (default \S+|action) (\S+)", sets="watchdog {1}"),
    Form("", r"no priority-flow-control pause watchdog (default \S+|action)", unsets=["watchdog {1}"]),
    Form("", r"qos profile (\S+)", opens="profile {1}"),
    Form("", r"no qos profile (\S+)", ends="profile {1}"),
    Form(PROFILE, "qos trust .+", sets="trust"),
    Form(PROFILE, "no qos trust", unsets=["trust"]),
    Form(PROFILE, "priority-flow-control on", sets="pfc"),
    Form(PROFILE, "no priority-flow-control", unsets=["pfc"]),
    Form(PROFILE, r"priority-flow-control priority (\d) no-drop", sets="no-drop {1}"),
    Form(PROFILE, r"no priority-flow-control priority (\d) no-drop", unsets=["no-drop {1}"]),
    Form(PROFILE, "priority-flow-control pause watchdog", sets="watchdog"),
    Form(PROFILE, "no priority-flow-control pause watchdog", unsets=["watchdog"]),
    Form(PROFILE, r"((?:uc-)?tx-queue \d)", opens="{1}"),
    Form(PROFILE, r"no ((?:uc-)?tx-queue \d)", ends="{1}"),
    Form(QUEUE, "priority strict", sets="priority"),
    Form(QUEUE, "no priority", sets="priority"),
    Form(QUEUE, r"bandwidth percent (\d+)", sets="percent"),
    Form(QUEUE, "no bandwidth percent", unsets=["percent"]),
    Form(QUEUE, "random-detect ecn .+", sets="ecn"),
    Form(QUEUE, "no random-detect ecn", unsets=["ecn"]),
    Form("", "arp aging timeout default .+", sets="arp"),
    Form("", "no arp aging timeout default", unsets=["arp"]),
    Form("", r"mac address-table aging-time \d+", sets="mac"),
    Form("", "no mac address-table aging-time", unsets=["mac"]),
]


def vlan(number: str) -> tuple[str, ...]:
    return (f"vlan {number}",)


RULES = [
    one_network_once,
    members_exist(vlan),
    interfaces_have_vlans("Vlan", vlan),
    names_exist(r"[^/]+(?: / [^/]+)* / service-profile (\S+)", "profile {0}"),
    only_one("bgp "),
    within_budget(QUEUE, "percent"),
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
interface Ethernet60
   description others
   mtu 1500
route-map OTHERS permit 10
   match tag 5
router bgp {asn}
   neighbor 192.0.2.9 remote-as 65000
"""
"""Lines configured by others. ``{asn}``: the switch's own AS number."""
