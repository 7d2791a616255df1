"""Edge cases, one fact per case: what a fact lacks of which a switch states a part."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.nos import shipped
from netplan.reading.switches.halves import Half, Said, half_stated
from netplan.reading.switches.rules import Rules, rules_of

ASKED = {"ip": "10.0.0.1"}
FAMILY = ("", "address-family ipv[46] unicast")
REMOTE = ("", "remote-as <asn>")
MAPS = (("BGP_NEIGHBOR_AF", "route_map_in"), ("BGP_NEIGHBOR_AF", "route_map_out"))


def rules(nos: str) -> Rules:
    found = rules_of(nos, shipped())
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("lacking", "against", "said"),
    [
        ((("T", "a"),), (), "without T a"),
        ((("T", "a"), ("T", "b"), ("U", "c"), ("", "cmd"), ("T", "d")), (), "without T a, b, U c, cmd, T d"),
        ((), (("T", "a"), ("T", "b = 1")), "not read because of T a, b = 1"),
        ((("T", "a"),), (("T", "b"),), "without T a, not read because of T b"),
    ],
)
def test_what_is_said_of_a_half(lacking: tuple[Said, ...], against: tuple[Said, ...], said: str) -> None:
    assert str(Half(1, lacking, against)) == said


@pytest.mark.parametrize(
    ("lines", "half"),
    [
        ([], None),
        (["neighbor 10.0.0.9 remote-as 65002"], None),
        (["neighbor 10.0.0.1 remote-as 65002"], Half(2, (FAMILY,), ())),
        (["neighbor 10.0.0.1 remote-as 65002", "  address-family ipv4 unicast"], None),
        (
            [
                "neighbor 10.0.0.9 remote-as 65002",
                "  address-family ipv4 unicast",
                "neighbor 10.0.0.1 remote-as 65002",
            ],
            Half(4, (FAMILY,), ()),
        ),
        (["neighbor 10.0.0.1", "  remote-as 65002"], Half(3, (FAMILY,), ())),
        (["neighbor 10.0.0.1", "  inherit peer SPINE"], Half(3, (REMOTE, FAMILY), ())),
        (
            ["template peer SPINE", "  remote-as 65002", "neighbor 10.0.0.1", "  inherit peer SPINE"],
            Half(5, (FAMILY,), ()),
        ),
        (
            ["template peer LEAF", "  remote-as 65002", "neighbor 10.0.0.1", "  inherit peer SPINE"],
            Half(5, (REMOTE, FAMILY), ()),
        ),
    ],
)
def test_what_a_neighbour_of_nxos_lacks(lines: list[str], half: Half | None) -> None:
    """Of several ways to state it, the one that lacks least."""
    text = "\n".join(["router bgp 65001", *(f"  {line}" for line in lines)])
    assert half_stated(rules("cisco-nxos"), text, "neighbour", ASKED) == half


def stated(**tables: Any) -> str:
    return json.dumps(tables, indent=1)


OLD = {"10.0.0.1": {"asn": "65002"}}
NEW = {"default|10.0.0.1": {"asn": "65002"}}
OWN = {"default": {"local_asn": "65001"}}


def owner(framework: str) -> dict[str, Any]:
    return {"localhost": {"frr_mgmt_framework_config": framework}}


@pytest.mark.parametrize(
    ("text", "half"),
    [
        (stated(BGP_NEIGHBOR=OLD), None),
        (stated(BGP_NEIGHBOR=NEW, BGP_GLOBALS=OWN), Half(4, MAPS, ())),
        (stated(BGP_NEIGHBOR=NEW), Half(4, (*MAPS, ("BGP_GLOBALS", "local_asn")), ())),
        (
            stated(
                BGP_NEIGHBOR=NEW,
                BGP_GLOBALS=OWN,
                BGP_NEIGHBOR_AF={"default|10.0.0.1|ipv4_unicast": {"route_map_in": "IN"}},
            ),
            Half(4, (MAPS[1], ("ROUTE_MAP", "route_operation = permit")), ()),
        ),
        (
            stated(
                BGP_NEIGHBOR=NEW,
                BGP_GLOBALS=OWN,
                BGP_NEIGHBOR_AF={
                    "default|10.0.0.1|ipv4_unicast": {"route_map_in": "A", "route_map_out": "A"}
                },
                ROUTE_MAP={"A|10": {"route_operation": "permit"}},
            ),
            None,
        ),
        (
            stated(BGP_NEIGHBOR=OLD, DEVICE_METADATA=owner("true")),
            Half(4, (), (("DEVICE_METADATA", "frr_mgmt_framework_config = true"),)),
        ),
        (
            stated(BGP_NEIGHBOR=NEW, BGP_GLOBALS=OWN, DEVICE_METADATA=owner("false")),
            Half(4, MAPS, (("DEVICE_METADATA", "frr_mgmt_framework_config = false"),)),
        ),
        (stated(BGP_NEIGHBOR=OLD, DEVICE_METADATA=owner("false")), None),
        ("{", None),
    ],
)
def test_what_a_neighbour_of_sonic_lacks(text: str, half: Half | None) -> None:
    """What depends on a row that is missing is not asked for beside it."""
    assert half_stated(rules("sonic"), text, "neighbour", ASKED) == half


@pytest.mark.parametrize(
    ("tables", "fact", "known", "half"),
    [
        (
            {"VLAN_INTERFACE": {"Vlan100|10.1.0.1/24": {}}},
            "network",
            {"address": "10.1.0.0/24"},
            Half(3, (("DEVICE_METADATA", "bgp_asn"),), ()),
        ),
        ({"VLAN_INTERFACE": {"Vlan100|10.1.0.1/24": {}}}, "network", {"address": "10.1.0.0/25"}, None),
        (
            {"PORT_QOS_MAP": {"Ethernet0": {"pfcwd_sw_enable": "3,4"}}},
            "watchdog",
            {"port": "Ethernet0"},
            Half(4, (("PFC_WD", "detection_time"),), ()),
        ),
        ({"PORT_QOS_MAP": {"Ethernet4": {"pfcwd_sw_enable": "3"}}}, "watchdog", {"port": "Ethernet0"}, None),
        (
            {"PFC_WD": {"Ethernet0": {"detection_time": "200"}}},
            "watchdog",
            {"port": "Ethernet0"},
            Half(4, (("PORT_QOS_MAP", "pfcwd_sw_enable"),), ()),
        ),
        (
            {"PFC_WD": {"Ethernet0": {"detection_time": "200"}}},
            "watchdog",
            {"port": "Ethernet0", "priority": "3"},
            None,
        ),
        ({"PORT": {"Ethernet0": {}}}, "no such fact", {"port": "Ethernet0"}, None),
    ],
)
def test_what_other_facts_of_sonic_lack(
    tables: dict[str, Any], fact: str, known: dict[str, str], half: Half | None
) -> None:
    """An announced network is that of an interface in it; a row of another port says nothing."""
    assert half_stated(rules("sonic"), stated(**tables), fact, known) == half


MEMBERS = "set interfaces et-0/0/1 unit 0 family ethernet-switching vlan members"


@pytest.mark.parametrize(
    ("nos", "text", "fact", "known", "lacking"),
    [
        (
            "juniper-junos",
            f"{MEMBERS} v100\n",
            "trunk",
            {"port": "et-0/0/1"},
            [f"{MEMBERS[:-13]} interface-mode trunk", "set vlans v100 vlan-id <vlan>"],
        ),
        (
            "juniper-junos",
            "set protocols bgp group UP neighbor 10.0.0.1 description spine\n",
            "neighbour",
            ASKED,
            ["set protocols bgp group UP peer-as <asn>"],
        ),
        (
            "cumulus-nvue",
            "nv set qos mapping default-global dscp 26 switch-priority 3\n",
            "dscp",
            {"dscp": "26"},
            ["nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class <queue>"],
        ),
    ],
)
def test_a_whole_command_that_is_missing(
    nos: str, text: str, fact: str, known: dict[str, str], lacking: list[str]
) -> None:
    assert half_stated(rules(nos), text, fact, known) == Half(1, tuple(("", each) for each in lacking), ())


def test_what_goes_with_a_port_is_followed_from_the_port() -> None:
    """Its policy is not there; classes without it say nothing."""
    classes = "class-map type qos match-any ROCE\n  match dscp 26\n"
    text = f"{classes}interface Ethernet1/1\n  service-policy type qos input IN\n"
    known = {"port": "Ethernet1/1"}
    lacking = (("", "class <class>"),)
    assert half_stated(rules("cisco-nxos"), text, "dscp-rest", known) == Half(4, lacking, ())
    alone = text.removeprefix(classes)
    assert half_stated(rules("cisco-nxos"), alone, "dscp-rest", known) == Half(2, lacking, ())
    assert half_stated(rules("cisco-nxos"), classes, "dscp-rest", known) is None
