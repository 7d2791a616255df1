"""OS10 configuration: exact lines for one of each kind, comments for what no source confirms."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.switch_ports import PortVlans
from tests.nos_site import (
    ROUTED_HOSTS,
    STRETCHED,
    TWO_LOSSLESS,
    badly_indented,
    commands,
    context,
    contexts,
    nos_site,
    with_vlans,
)
from tests.switch_site import Site

VARIANTS: dict[str, dict[str, Any]] = {
    "one lossless": {},
    "two lossless": TWO_LOSSLESS,
    "routed hosts": ROUTED_HOSTS,
    "stretched": STRETCHED,
    "pcp": {"fabric__qos__trust": "pcp"},
    "no watchdog": {"fabric__qos__pfc_watchdog": None},
    "no QoS": {"fabric__qos": None},
}
HOST_PORT = [
    "flowcontrol receive off",
    "flowcontrol transmit off",
    "priority-flow-control mode on",
    "service-policy input type network-qos netplan-pfc",
    "service-policy output type queuing netplan-ets",
    "ets mode on",
    "qos-map traffic-class netplan",
    "exit",
]


def os10(**changes: Any) -> Site:
    return nos_site("dell-os10", "ethernet1/1/", "trident3", **changes)


def roce(**changes: Any) -> str:
    return os10(**changes).files("leaf-1")["roce.txt"]


def interfaces(planned: Site, switch: str = "leaf-1") -> str:
    return planned.files(switch)["interfaces.txt"]


@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_contexts_are_indented_and_left(variant: str, switch: str) -> None:
    files = os10(**VARIANTS[variant]).files(switch)
    text = "".join(text for name, text in files.items() if name != "README.md")
    assert badly_indented(text) == []
    assert contexts(text, "!") == commands(text, "!").count("exit")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_policy_class_and_profile_is_defined(variant: str) -> None:
    text = os10(**VARIANTS[variant]).files("leaf-1").get("roce.txt", "")
    words = [line.split() for line in commands(text, "!")]
    defined = {w[-1] for w in words if w[0] in ("class-map", "policy-map", "wred", "trust", "qos-map")}
    used = {w[-1] for w in words if w[0] in ("class", "service-policy", "trust-map")}
    used |= {w[1] for w in words if w[0] == "random-detect" and w[1].startswith("netplan")}
    assert used - defined == set()


def test_classification() -> None:
    assert context(roce(**TWO_LOSSLESS), "trust dscp-map netplan") == [
        "qos-group 0 dscp 0-25,27-33,35-47,49-63",
        "qos-group 3 dscp 26",
        "qos-group 4 dscp 34",
        "qos-group 6 dscp 48",
        "exit",
    ]
    assert context(roce(), "system qos") == ["trust-map dscp netplan", "ets mode on", "exit"]


def test_classification_by_tag() -> None:
    text = roce(fabric__qos__trust="pcp")
    assert context(text, "trust dot1p-map netplan") == [
        "qos-group 0 dot1p 0-2,4-5,7",
        "qos-group 3 dot1p 3",
        "qos-group 6 dot1p 6",
        "exit",
    ]
    assert context(text, "system qos")[0] == "trust-map dot1p netplan"


def test_lossless_classes() -> None:
    assert context(roce(**TWO_LOSSLESS), "policy-map type network-qos netplan-pfc") == [
        "class netplan-pfc-3",
        "pause",
        "pfc-cos 3",
        "exit",
        "class netplan-pfc-4",
        "pause",
        "pfc-cos 4",
        "exit",
        "exit",
    ]


def test_ecn_in_kilobytes() -> None:
    assert context(roce(**TWO_LOSSLESS), "wred netplan-4") == [
        "random-detect color green minimum-threshold 100 maximum-threshold 1500 drop-probability 20",
        "random-detect ecn",
        "exit",
    ]


def test_scheduling() -> None:
    assert context(roce(), "policy-map type queuing netplan-ets") == [
        "class netplan-queue-0",
        "bandwidth percent 50",
        "exit",
        "class netplan-queue-3",
        "bandwidth percent 50",
        "random-detect netplan-3",
        "exit",
        "class netplan-queue-6",
        "priority",
        "exit",
        "exit",
    ]


@pytest.mark.parametrize("port", ["ethernet1/1/1", "ethernet1/1/17"])
def test_qos_of_a_port(port: str) -> None:
    assert context(roce(), f"interface {port}") == HOST_PORT


def test_watchdog_is_a_comment() -> None:
    text = roce()
    assert "! confirm on the switch: the pfc-watchdog commands with poll 200 ms, detection 200 ms" in text
    assert [line for line in commands(text, "!") if "watchdog" in line] == []
    assert "watchdog" not in roce(fabric__qos__pfc_watchdog=None)


def test_gateway() -> None:
    assert context(interfaces(os10()), "interface vlan 100") == [
        "description rail0-leaf-1",
        "no shutdown",
        "mtu 9216",
        "ip address 172.16.0.1/24",
        "exit",
    ]


@pytest.mark.parametrize(
    ("vlans", "lines"),
    [
        (PortVlans((100, 101), None), ["switchport mode trunk", "switchport trunk allowed vlan 100,101"]),
        (PortVlans((), 100), ["switchport mode access", "switchport access vlan 100"]),
        (
            PortVlans((101,), 100),
            ["switchport mode trunk", "switchport access vlan 100", "switchport trunk allowed vlan 101"],
        ),
    ],
)
def test_vlans_of_a_port(vlans: PortVlans, lines: list[str]) -> None:
    text = interfaces(with_vlans(os10(), vlans))
    assert context(text, "interface ethernet1/1/1") == ["no shutdown", "mtu 9216", *lines, "exit"]


def test_mtu_counts_32_bytes_more() -> None:
    port = os10().switch("leaf-1").ports[-1]
    assert (port.mtu, port.ip_mtu) == (9216, 9184)
    assert context(interfaces(os10()), "interface ethernet1/1/17") == [
        "no shutdown",
        "mtu 9216",
        "no switchport",
        "ip address 172.31.0.0/31",
        "exit",
    ]


def test_routed_host_link_is_announced() -> None:
    text = interfaces(os10(**ROUTED_HOSTS))
    assert "ip address 172.16.0.0/31" in context(text, "interface ethernet1/1/1")
    assert "network 172.16.0.0/31" in context(text, "address-family ipv4 unicast")


def test_bgp_of_a_spine() -> None:
    text = interfaces(os10(), "spine-1")
    assert context(text, "interface loopback0") == ["ip address 172.31.255.101/32", "exit"]
    assert context(text, "router bgp 4200000001")[:5] == [
        "router-id 172.31.255.101",
        "maximum-paths ebgp 16",
        "address-family ipv4 unicast",
        "network 172.31.255.101/32",
        "exit",
    ]
    assert context(text, "neighbor 172.31.0.0") == [
        "remote-as 4200000100",
        "address-family ipv4 unicast",
        "activate",
        "exit",
        "no shutdown",
        "exit",
    ]


def test_without_underlay_there_is_no_bgp() -> None:
    text = interfaces(os10(**STRETCHED))
    assert "router bgp" not in text
    assert "switchport trunk allowed vlan 100,101,102,103" in context(text, "interface ethernet1/1/17")


def test_mac_age() -> None:
    ages = {"timeout_seconds": 60, "mac_timeout_seconds": 300}
    text = os10(fabric__arp=ages).files("leaf-1")["arp.txt"]
    assert [line for line in text.splitlines() if not line.startswith("!")] == [
        "mac address-table aging-time 300"
    ]
    assert "asks for 60 s" in text


def test_dcbx_is_on_and_nothing_says_it_is_not() -> None:
    text = os10().files("leaf-1")["roce.txt"]
    assert text.splitlines()[1] == "dcbx enable"
    assert "dcbx enable is not set" not in text


def test_which_files_there_are() -> None:
    assert list(os10().files("leaf-1")) == ["interfaces.txt", "roce.txt", "arp.txt", "README.md"]
    assert list(os10(fabric__qos=None).files("leaf-1")) == ["interfaces.txt", "arp.txt", "README.md"]


def test_what_is_missing_and_what_is_a_comment() -> None:
    leaf = os10().switch("leaf-1")
    assert [(g.feature, g.needed) for g in leaf.missing] == [
        ("headroom", False),
        ("arp_age", True),
        ("arp_from_garp", False),
    ]
    assert [g.feature for g in leaf.unconfirmed] == ["pfc_watchdog", "dcbx", "hash_seed"]
    assert "no ARP ageing command is confirmed on OS10" in os10().files("leaf-1")["README.md"]
