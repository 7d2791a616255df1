"""Comware, VRP, OS10, Onyx: what their running configurations have in other words is as planned, and what is
opposite is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_diff import ran

SAME = [
    ("Comware: masks", "leaf-8", (r"(ip address 172\.31\.1\.192) 31", r"\1 255.255.255.254")),
    ("Comware: mask of a prefix", "leaf-8", (r"(network 172\.31\.255\.8) 32", r"\1 255.255.255.255")),
    ("Comware: age in minutes", "leaf-8", ("arp timer aging second 300", "arp timer aging 5")),
    ("Comware: equal paths of EBGP", "leaf-8", ("balance 4", "balance ebgp 4")),
    ("Comware: all VLANs", "leaf-8", ("port trunk permit vlan 107", "port trunk permit vlan all")),
    ("Onyx: all VLANs", "leaf-1", ("trunk allowed-vlan add 100", "trunk allowed-vlan all")),
    ("VRP: masks", "leaf-9", (r"(ip address 172\.31\.2\.0) 31", r"\1 255.255.255.254")),
    ("VRP: length of a prefix", "leaf-9", (r"(network 172\.16\.8\.0) 255.255.255.0", r"\1 24")),
    ("VRP: VLANs as a batch", "leaf-9",
     (r"(?s)vlan 100\n.*?(?=interface )", "vlan batch 100 to 107\n")),
    ("OS10: VLANs without a blank", "leaf-7", ("interface vlan 106", "interface vlan106")),
    ("OS10: VLAN 1 untagged", "leaf-7",
     (r"(?m)^( *)switchport mode trunk$", r"\g<0>\n\1switchport access vlan 1")),
    ("Onyx: mask of a prefix", "leaf-1", ("network 172.16.0.0 /24", "network 172.16.0.0 255.255.255.0")),
    ("Onyx: ports of a slot", "leaf-1",
     (r"(?s)(interface ethernet 1/)1( mtu \d+ force\n).*?(interface ethernet 1/17)",
      r"\g<1>1-1/4\2\g<1>1-1/4 switchport mode trunk\n\g<1>1-1/4 switchport trunk allowed-vlan 100\n\3")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edit"), [case[1:] for case in SAME], ids=[case[0] for case in SAME])
def test_the_same_in_other_words_is_as_planned(name: str, edit: tuple[str, str], tmp_path: Path) -> None:
    assert [one.change for one in ran(name, tmp_path, edit).found] == []


_OS10 = r"(?m)^( +)(neighbor 172\.31\.1\.129)\n +remote-as (\d+)"
TOLD = [
    ("Comware: another mask", "leaf-8", (r"(ip address 172\.31\.1\.192) 31", r"\1 255.255.255.252"),
     "address replaced: 172.31.1.192/30 -> 172.31.1.192/31 HundredGigE1/0/17"),
    ("Comware: no mask", "leaf-8", (r"(ip address 172\.31\.1\.192) 31", r"\1 255.0.255.0"),
     "address missing: 172.31.1.192/31 HundredGigE1/0/17"),
    ("Comware: another age", "leaf-8", ("arp timer aging second 300", "arp timer aging 20"),
     "ARP ageing 1200 -> 300 s"),
    ("Comware: fewer paths of EBGP", "leaf-8", ("balance 4", "balance ebgp 2"), "equal paths of BGP 2 -> 4"),
    ("Comware: LLDP off", "leaf-8", ("lldp global enable", "undo lldp global enable"),
     "undo lldp global enable -> lldp global enable"),
    ("Comware: a group of another AS", "leaf-8",
     (r"( *)peer 172\.31\.1\.193 as-number \d+", r"\1peer S as-number 65001\n\1peer 172.31.1.193 group S"),
     "AS of BGP neighbour 172.31.1.193 65001 -> 4200000001"),
    ("VRP: a VLAN less in the batch", "leaf-9",
     (r"(?s)vlan 100\n.*?(?=interface )", "vlan batch 100 to 106\n"),
     "VLAN missing: 107"),
    ("VRP: all VLANs", "leaf-9", ("port trunk allow-pass vlan 101", "port trunk allow-pass vlan all"),
     "VLANs of ports, not planned: 100,102-107 on 100GE1/0/2"),
    ("OS10: link-level pause", "leaf-7", ("flowcontrol receive off", "flowcontrol receive on"),
     "interface ethernet1/1/1: flowcontrol receive on -> flowcontrol receive off"),
    ("OS10: a template of another AS", "leaf-7",
     (_OS10, r"\1template S\n\1 remote-as 65001\n\1\2\n\1 inherit template S"),
     "AS of BGP neighbour 172.31.1.129 65001 -> 4200000001"),
    ("Onyx: a port out of the range", "leaf-1",
     (r"(?s)(interface ethernet 1/)1( mtu \d+ force\n).*?(interface ethernet 1/17)",
      r"\g<1>1-1/3\2\g<1>1-1/3 switchport mode trunk\n\g<1>1-1/3 switchport trunk allowed-vlan 100\n\3"),
     "VLANs of ports, missing: 100 on 1/4"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "edit", "said"), [case[1:] for case in TOLD], ids=[case[0] for case in TOLD]
)
def test_what_differs_is_told(name: str, edit: tuple[str, str], said: str, tmp_path: Path) -> None:
    assert said in [one.change for one in ran(name, tmp_path, edit).found]


GROUPS = [
    ("Comware", "leaf-8", (r"( *)peer 172\.31\.1\.193 as-number (\d+)",
                           r"\1group S external\n\1peer S as-number \2\n\1peer 172.31.1.193 group S")),
    ("VRP", "leaf-9", (r"( *)peer 172\.31\.2\.1 as-number (\d+)",
                       r"\1group S external\n\1peer S as-number \2\n\1peer 172.31.2.1 group S")),
    ("Onyx", "leaf-1", (r"(router bgp \d+ vrf default neighbor )(172\.31\.0\.1) remote-as (\d+)",
                        r"\1S peer-group\n\1S remote-as \3\n\1\2 peer-group S")),
    ("OS10", "leaf-7", (_OS10, r"\1template S\n\1 remote-as \3\n\1\2\n\1 inherit template S")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edit"), [case[1:] for case in GROUPS], ids=[case[0] for case in GROUPS])
def test_a_neighbour_has_the_as_number_of_its_group(name: str, edit: tuple[str, str], tmp_path: Path) -> None:
    said = [one.change for one in ran(name, tmp_path, edit).found]
    assert [each for each in said if "not planned: " not in each] == []


def _nxos(policy: str, system: str) -> tuple[tuple[str, str], ...]:
    """Edits of leaf-5: the line of every port, and one below `system qos`."""
    mine = r"(?m)^ *service-policy type qos input NETPLAN-CLASSIFY$"
    return (*[(mine, policy)] * 8, (r"(?m)^system qos$", rf"system qos\n  {system}"))


def test_nxos_a_policy_of_the_system_is_that_of_ports_without_one(tmp_path: Path) -> None:
    one = "service-policy type qos input NETPLAN-CLASSIFY"
    assert ran("leaf-5", tmp_path, *_nxos("", one)).found == ()
    assert ran("leaf-5", tmp_path, *_nxos("", f"{one} no-stats")).found == ()
    assert [each.change for each in ran("leaf-5", tmp_path, *_nxos("", "")).found][:1] == [
        "trust not stated -> dscp on all 8 ports"
    ]


def test_nxos_the_policy_of_a_port_goes_before_that_of_the_system(tmp_path: Path) -> None:
    other = "policy-map type qos OTHER\n  class NETPLAN-ROCE\n    set qos-group 5\nsystem qos"
    edits = ((r"(?m)^system qos$", f"{other}\n  service-policy type qos input OTHER"),)
    assert ran("leaf-5", tmp_path, *edits).found == ()


def test_junos_all_vlans_hold_the_planned_one(tmp_path: Path) -> None:
    every = (r"(?m)^(set interfaces et-0/0/1 .* vlan members) v105$", r"\1 all")
    assert ran("leaf-6", tmp_path, every).found == ()
    more = (r"(?m)^set vlans v105 vlan-id 105$", r"\g<0>\nset vlans v999 vlan-id 999")
    assert "VLANs of ports, not planned: 999 on et-0/0/1" in [
        one.change for one in ran("leaf-6", tmp_path, every, more).found
    ]


OVER = [
    ("leaf-4", "   no priority-flow-control"),
    ("leaf-4", "   priority-flow-control priority 4 no-drop"),
    ("leaf-4", "   qos trust cos"),
    ("leaf-4", "   no qos trust"),
    ("leaf-4", "   shape rate 50 percent"),
    ("leaf-4", "   service-policy type qos input OTHER"),
    ("leaf-4", "   channel-group 1 mode active"),
    ("leaf-4", "   vrf tenant"),
    ("leaf-5", "  service-policy type queuing output OTHER"),
    ("leaf-5", "  channel-group 1 mode active"),
    ("leaf-5", "  flowcontrol receive on"),
    ("leaf-7", " channel-group 1 mode active"),
    ("leaf-8", " port link-aggregation group 1"),
    ("leaf-8", " flow-control"),
    ("leaf-9", " flow-control"),
    ("leaf-9", " eth-trunk 1"),
]  # fmt: skip
_PORT = r"(?m)^(interface (Ethernet|ethernet|HundredGigE|100GE)\S+)$"


@pytest.mark.parametrize(("name", "line"), OVER)
def test_a_line_over_what_a_planned_port_has_is_told(name: str, line: str, tmp_path: Path) -> None:
    (found,) = ran(name, tmp_path, (_PORT, rf"\1\n{line}")).found
    text = (tmp_path / name).read_text().splitlines()
    header = next(row for row in text if re.match(_PORT, row))
    assert found.change == f"not planned: {header}: {line.strip()}"
    assert text[int(found.place.rpartition(":")[2]) - 1] == line


def test_eos_queues_of_ports_are_told_once_for_all_ports(tmp_path: Path) -> None:
    queue = r"\1\n   uc-tx-queue 3\n      bandwidth percent 10"
    found = ran("leaf-4", tmp_path, (_PORT, queue), (r"(?m)^(interface Ethernet2/1)$", queue)).found
    assert [one.change for one in found] == ["not planned: interface Ethernet[1-2]/1: uc-tx-queue 3"]


def test_an_unplanned_port_may_be_in_a_lag(tmp_path: Path) -> None:
    lag = r"interface Ethernet63/1\n   channel-group 1 mode active\n   qos trust cos\n!\n\1"
    assert ran("leaf-4", tmp_path, (_PORT, lag)).found == ()


@pytest.mark.parametrize(
    "line", ["flowcontrol receive on force", "no dcb priority-flow-control mode force", "qos trust L2"]
)
def test_onyx_a_line_over_what_a_planned_port_has_is_told(line: str, tmp_path: Path) -> None:
    edit = (r"(?m)^interface ethernet 1/1 mtu .*$", rf"\g<0>\ninterface ethernet 1/1 {line}")
    assert [one.change for one in ran("leaf-1", tmp_path, edit).found] == [
        f"not planned: interface ethernet 1/1: {line}"
    ]


def test_what_is_opposite_is_told_once(tmp_path: Path) -> None:
    found = ran("leaf-9", tmp_path, (r"peer 172\.31\.2\.1 enable", "undo peer 172.31.2.1 enable")).found
    assert [one.change for one in found] == [
        "bgp 4200000108 / ipv4-family unicast: undo peer 172.31.2.1 enable -> peer 172.31.2.1 enable"
    ]


def test_onyx_a_port_in_a_lag_is_told(tmp_path: Path) -> None:
    lag = r"\g<0>\ninterface ethernet 1/1-1/2 channel-group 1 mode active"
    found = ran("leaf-1", tmp_path, (r"(?m)^interface ethernet 1/1 mtu .*$", lag)).found
    assert [one.change for one in found] == [
        "not planned: interface ethernet 1/[1-2]: channel-group 1 mode active"
    ]
