"""What CloudEngine is told: exact for one of each kind, comments for what no source confirms."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.switching import PortVlans
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
    "no watchdog": {"fabric__qos__pfc_watchdog": None},
    "no QoS": {"fabric__qos": None},
}
UNCONFIRMED = ("jumboframe", "deadlock", "headroom-pool", "dscp-mapping")


def huawei(**changes: Any) -> Site:
    return nos_site("huawei-vrp", "100GE1/0/", "cloudengine", **changes)


def roce(**changes: Any) -> str:
    return huawei(**changes).files("leaf-1")["roce.txt"]


def interfaces(planned: Site, switch: str = "leaf-1") -> str:
    return planned.files(switch)["interfaces.txt"]


@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_views_are_indented_and_left_and_every_file_is_committed(variant: str, switch: str) -> None:
    files = huawei(**VARIANTS[variant]).files(switch)
    texts = [text for name, text in files.items() if name != "README.md"]
    assert badly_indented("".join(texts)) == []
    assert [contexts(text, "!") - commands(text, "!").count("quit") for text in texts] == [0] * len(texts)
    assert [text.splitlines()[-1] for text in texts] == ["commit"] * len(texts)
    assert "".join(texts).count("commit") == len(texts)


@pytest.mark.parametrize("variant", VARIANTS)
def test_unconfirmed_commands_are_comments_only(variant: str) -> None:
    files = huawei(**VARIANTS[variant]).files("leaf-1")
    found = [line for name, text in files.items() if name != "README.md" for line in commands(text, "!")]
    assert [line for line in found if any(word in line for word in UNCONFIRMED)] == []


def test_lossless_priorities_and_watchdog() -> None:
    assert context(roce(**TWO_LOSSLESS), "dcb pfc") == [
        "priority 3 4",
        "! confirm on the switch: priority 3 deadlock-detect time <n> deadlock-recovery time <n>, "
        "for 200 ms and 2000 ms",
        "! confirm on the switch: priority 4 deadlock-detect time <n> deadlock-recovery time <n>, "
        "for 200 ms and 2000 ms",
        "quit",
    ]
    assert context(roce(fabric__qos__pfc_watchdog=None), "dcb pfc") == ["priority 3", "quit"]


def test_classification_names_every_code_point() -> None:
    lines = context(roce(**TWO_LOSSLESS), "diffserv domain netplan")
    assert [line for line in lines if " phb be " not in line] == [
        "ip-dscp-inbound 26 phb af3 green",
        "ip-dscp-inbound 34 phb af4 green",
        "ip-dscp-inbound 48 phb cs6 green",
        "quit",
    ]
    assert sorted(int(line.split()[1]) for line in lines[:-1]) == list(range(64))


def test_ecn_in_bytes() -> None:
    assert context(roce(**TWO_LOSSLESS), "drop-profile netplan-4") == [
        "color green buffer-size low-limit 100000 high-limit 1500000 discard-percentage 20",
        "quit",
    ]


@pytest.mark.parametrize("port", ["100GE1/0/1", "100GE1/0/17"])
def test_qos_of_a_port(port: str) -> None:
    assert context(roce(), f"interface {port}") == [
        "trust dscp",
        "trust upstream netplan",
        "qos drr 0 to 3",
        "qos pq 6 to 7",
        "qos queue 0 drr weight 50",
        "qos queue 3 drr weight 50",
        "qos queue 3 wred netplan-3",
        "qos queue 3 ecn",
        "undo flow-control",
        "dcb pfc enable mode manual",
        "quit",
    ]


def test_strict_below_weighted_is_a_comment() -> None:
    classes = {
        "roce": {"dscp": 26, "priority": 5, "lossless": True, "bandwidth_percent": 50},
        "cnp": {"dscp": 48, "priority": 2, "scheduling": "strict"},
    }
    lines = context(roce(fabric__qos__classes=classes), "interface 100GE1/0/1")
    assert (
        "! confirm on the switch: qos drr and qos pq for single queues; strict are 2, weighted 0 5" in lines
    )
    assert [line for line in lines if line.startswith(("qos drr", "qos pq"))] == []


def test_gateway() -> None:
    text = interfaces(huawei())
    assert context(text, "vlan 100") == ["description rail0-leaf-1", "quit"]
    assert context(text, "interface Vlanif100") == ["mtu 9216", "ip address 172.16.0.1 24", "quit"]


@pytest.mark.parametrize(
    ("vlans", "lines"),
    [
        (
            PortVlans((100, 101), None),
            [
                "port link-type trunk",
                "undo port trunk allow-pass vlan 1",
                "port trunk allow-pass vlan 100",
                "port trunk allow-pass vlan 101",
            ],
        ),
        (PortVlans((), 100), ["port link-type access", "port default vlan 100"]),
        (
            PortVlans((101,), 100),
            [
                "port link-type trunk",
                "undo port trunk allow-pass vlan 1",
                "port trunk allow-pass vlan 100",
                "port trunk allow-pass vlan 101",
                "port trunk pvid vlan 100",
            ],
        ),
    ],
)
def test_vlans_of_a_port(vlans: PortVlans, lines: list[str]) -> None:
    text = interfaces(with_vlans(huawei(), vlans))
    head = ["portswitch", "! confirm on the switch: jumboframe enable 9216"]
    assert context(text, "interface 100GE1/0/1") == [*head, *lines, "quit"]


def test_uplink() -> None:
    assert context(interfaces(huawei()), "interface 100GE1/0/17") == [
        "undo portswitch",
        "mtu 9216",
        "ip address 172.31.0.0 31",
        "quit",
    ]


def test_routed_host_link_is_announced_and_ages() -> None:
    planned = huawei(**ROUTED_HOSTS)
    assert "ip address 172.16.0.0 31" in context(interfaces(planned), "interface 100GE1/0/1")
    assert "network 172.16.0.0 255.255.255.254" in context(interfaces(planned), "ipv4-family unicast")
    ages = planned.files("leaf-1")["arp.txt"]
    assert context(ages, "interface 100GE1/0/1") == ["arp expire-time 60", "quit"]
    assert commands(ages, "!").count("arp expire-time 60") == 16


def test_arp_age_of_the_gateway() -> None:
    assert commands(huawei().files("leaf-1")["arp.txt"], "!") == [
        "interface Vlanif100",
        "arp expire-time 60",
        "quit",
        "commit",
    ]


def test_bgp_of_a_spine() -> None:
    text = interfaces(huawei(), "spine-1")
    assert context(text, "interface LoopBack0") == ["ip address 172.31.255.101 32", "quit"]
    assert context(text, "bgp 4200000001")[:2] == [
        "router-id 172.31.255.101",
        "peer 172.31.0.0 as-number 4200000100",
    ]
    assert context(text, "ipv4-family unicast")[:3] == [
        "maximum load-balancing 16",
        "network 172.31.255.101 255.255.255.255",
        "peer 172.31.0.0 enable",
    ]


def test_without_underlay_there_is_no_bgp() -> None:
    text = interfaces(huawei(**STRETCHED))
    assert [line for line in text.splitlines() if line.startswith("bgp")] == []
    assert "port trunk allow-pass vlan 103" in context(text, "interface 100GE1/0/17")


def test_which_files_there_are() -> None:
    assert list(huawei(fabric__qos=None).files("leaf-1")) == ["interfaces.txt", "arp.txt", "README.md"]
    assert list(huawei().files("spine-1")) == ["interfaces.txt", "roce.txt", "README.md"]


def test_what_is_missing_is_only_wanted() -> None:
    leaf = huawei().switch("leaf-1")
    assert [(g.feature, g.needed) for g in leaf.missing] == [("arp_from_garp", False)]
    unconfirmed = [g.feature for g in leaf.unconfirmed]
    assert unconfirmed == ["dscp_trust", "jumbo", "pfc_watchdog", "headroom", "hash_seed"]
