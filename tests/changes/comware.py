"""Comware commands for ``cli``. Each line takes effect at once."""

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
from tests.changes.vrp import LAYER_2, bgp, layers, one_value, trunk, vlan

PORT, SVI = r"(?:[A-Z][A-Za-z-]*GigE|Ten-GigabitEthernet|LoopBack)[^ ]*", r"Vlan-interface\d+"
ANY = f"(?:{PORT}|{SVI})"
MAP, TABLE = "map [^/]*", "wred [^/]*"
FORMS = [
    Form("", "lldp global enable", keeps=True),
    Form("", r"acl number (\d+)", opens="acl {1}"),
    Form("acl .*", "rule .+", sets="rule"),
    Form("", r"vlan (\d+)", opens="vlan {1}"),
    Form("", r"undo vlan (\d+)", ends="vlan {1}"),
    Form("", r"interface (Vlan-interface\d+)", opens="{1}"),
    Form("", r"undo interface (Vlan-interface\d+)", ends="{1}"),
    Form("", r"interface (LoopBack\d+)", opens="{1}", whole=False, keeps=True),
    Form("", r"interface (\S+)", opens="{1}", whole=False),
    *one_value(ANY, r"mtu \d+", "mtu", "undo mtu"),
    *one_value(ANY, "description .+", "description", "undo description"),
    *one_value(ANY, r"jumboframe enable \d+", "jumbo", "undo jumboframe enable"),
    *one_value(ANY, r"ip address (\S+ \S+)", "address", r"undo ip address \S+ \S+"),
    Form(PORT, "port link-mode route", sets="routed", wipes=[".*"]),
    Form(PORT, "port link-mode bridge", sets="routed", value=None, wipes=[".*"]),
    Form(PORT, "port link-type (trunk|access)", sets="type", wipes=LAYER_2[1:]),
    Form(PORT, "undo port link-type", unsets=["type"], wipes=LAYER_2[1:]),
    *trunk(PORT, "permit", "undo port trunk pvid"),
    *one_value(PORT, r"port access vlan (\d+)", "access", "undo port access vlan"),
    *one_value(PORT, r"qos trust \S+", "trust", "undo qos trust"),
    Form(PORT, "qos wfq byte-count", sets="wfq"),
    Form(PORT, "undo qos wfq", unsets=["wfq.*"]),
    *one_value(PORT, r"qos wfq (\S+) group .+", "wfq {1}", r"undo qos wfq (\S+) group"),
    *one_value(PORT, r"qos wred apply \S+", "wred", "undo qos wred apply"),
    *one_value(PORT, "priority-flow-control enable", "pfc", "undo priority-flow-control"),
    *one_value(
        PORT,
        r"priority-flow-control no-drop dot1p \S+",
        "no-drop",
        "undo priority-flow-control no-drop dot1p",
    ),
    *one_value(
        PORT,
        "priority-flow-control deadlock enable",
        "deadlock",
        "undo priority-flow-control deadlock enable",
    ),
    *one_value(
        "",
        r"priority-flow-control deadlock auto-recover action \S+",
        "recover",
        "undo priority-flow-control deadlock auto-recover action",
    ),
    *one_value(
        "",
        r"buffer egress cell queue (\d) shared ratio \d+",
        "buffer {1}",
        r"undo buffer egress cell queue (\d) shared",
    ),
    Form("", r"qos map-table (\S+)", opens="map {1}", whole=False),
    Form(MAP, "undo import all", unsets=["import .*"]),
    *one_value(MAP, r"import (\d+) export \d", "import {1}", r"undo import (\d+)"),
    Form("", r"qos wred queue table (\S+)", opens="wred {1}"),
    Form("", r"undo qos wred queue table (\S+)", ends="wred {1}"),
    *one_value(TABLE, r"queue (\d drop-level \d) .+", "{1}", r"undo queue (\d drop-level \d)"),
    *one_value(TABLE, r"queue (\d weighting-constant) \d+", "{1}", r"undo queue (\d weighting-constant)"),
    *one_value(TABLE, r"queue (\d ecn)", "{1}", r"undo queue (\d ecn)"),
    *bgp("address-family ipv4 unicast", "balance"),
    *one_value("", r"arp timer aging second \d+", "arp", "undo arp timer aging"),
    *one_value("", "gratuitous-arp-learning enable", "garp", "undo gratuitous-arp-learning enable"),
    *one_value("", r"mac-address timer aging \d+", "mac", "undo mac-address timer aging"),
]
RULES = [
    one_network_once,
    members_exist(vlan),
    interfaces_have_vlans("Vlan-interface", vlan),
    layers,
    names_exist(r"\S+ / qos wred apply (\S+)", "wred {0}"),
    only_one("bgp "),
]
CLI = Cli(FORMS, RULES, comment="#", leave="quit", free="buffer apply")


def faults(state: State) -> Iterator[str]:
    for rule in RULES:
        yield from rule(state)


FOREIGN = """
vlan 999
interface Vlan-interface999
 ip address 192.0.2.1 24
interface HundredGigE1/0/1
 port trunk permit vlan 999
interface HundredGigE1/0/60
 description others
acl number 3999
 rule 5 permit ip
bgp {asn}
 peer 192.0.2.9 as-number 65000
"""
"""Lines configured by others. ``{{asn}}``: the switch's own AS number."""
