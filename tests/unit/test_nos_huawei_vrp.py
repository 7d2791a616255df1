"""CloudEngine configuration: exact lines for one of each kind, comments for what no source confirms."""

from __future__ import annotations

import re
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
    "no watchdog": {"fabric__qos__pfc_watchdog": None},
    "no QoS": {"fabric__qos": None},
}
BY_MODEL = ("deadlock", "headroom-pool", "dscp-mapping", "seed")
"""Commands rendered only if the model's family determines their form."""


def huawei(asic: str = "ce8855", **changes: Any) -> Site:
    return nos_site("huawei-vrp", "100GE1/0/", asic, **changes)


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
    files = huawei("cloudengine", **VARIANTS[variant]).files("leaf-1")
    found = [line for name, text in files.items() if name != "README.md" for line in commands(text, "!")]
    assert [line for line in found if any(word in line for word in BY_MODEL)] == []


def test_a_model_of_no_family_has_comments_in_their_place() -> None:
    planned = huawei("cloudengine")
    text = "".join(planned.files("leaf-1").values())
    for said in (
        "dcb pfc dscp-mapping",
        "qos buffer headroom-pool",
        "priority <n> deadlock-detect",
        "ECMP hash",
    ):
        assert re.search(rf"(?m)^! confirm on the switch.*{re.escape(said)}", text), said
    unconfirmed = [(g.feature, g.needed) for g in planned.switch("leaf-1").unconfirmed]
    assert unconfirmed == [
        ("dscp_trust", True),
        ("pfc_watchdog", True),
        ("headroom", False),
        ("hash_seed", False),
    ]


def test_lossless_priorities_and_watchdog() -> None:
    text = roce(**TWO_LOSSLESS)
    assert commands(text, "!")[:4] == [
        "dcb pfc dscp-mapping enable slot 1",
        "qos buffer headroom-pool size 4 mbytes slot 1",
        "dcb pfc deadlock recovery-behavior discard slot 1",
        "dcb pfc deadlock-detect interval 100",
    ]
    assert context(text, "dcb pfc") == [
        "priority 3 4",
        "priority 3 deadlock-detect time 2",
        "priority 3 deadlock-recovery time 20",
        "priority 4 deadlock-detect time 2",
        "priority 4 deadlock-recovery time 20",
        "quit",
    ]
    quiet = roce(fabric__qos__pfc_watchdog=None)
    assert context(quiet, "dcb pfc") == ["priority 3", "quit"]
    assert "deadlock" not in quiet


def test_priority_3_is_lossless_as_shipped_and_no_longer() -> None:
    classes = {"roce": {"dscp": 34, "priority": 4, "lossless": True, "bandwidth_percent": 50}}
    lines = context(roce(fabric__qos__classes=classes, fabric__qos__pfc_watchdog=None), "dcb pfc")
    assert lines == ["undo priority 3", "priority 4", "quit"]


def watchdog(detection: int, restoration: int) -> dict[str, Any]:
    return {"poll_ms": 10, "detection_ms": detection, "restoration_ms": restoration}


@pytest.mark.parametrize(
    ("detection", "restoration", "step", "steps"),
    [
        (100, 300, 10, (10, 30)),
        (200, 2000, 100, (2, 20)),
        (1501, 1500, 500, (4, 3)),
        (15000, 1000, 1000, (15, 1)),
    ],
)
def test_watchdog_times_are_counts_of_the_smallest_step(
    detection: int, restoration: int, step: int, steps: tuple[int, int]
) -> None:
    planned = huawei(fabric__qos__pfc_watchdog=watchdog(detection, restoration))
    dog = planned.switch("leaf-1").watchdog
    assert (dog.step_ms, dog.detection_steps, dog.restoration_steps) == (step, *steps)
    assert (dog.detection, dog.restoration) == (str(steps[0] * step), str(steps[1] * step))
    assert f"dcb pfc deadlock-detect interval {step}\n" in planned.files("leaf-1")["roce.txt"]


def test_the_other_families_have_timers_in_ms() -> None:
    planned = huawei("ce8850", fabric__qos__pfc_watchdog=watchdog(200, 1500))
    lines = commands(planned.files("leaf-1")["roce.txt"], "!")
    assert lines[:5] == [
        "dcb pfc deadlock recovery-behavior discard slot 1",
        "dcb pfc deadlock-detect timer 200",
        "dcb pfc deadlock-recovery timer 1500",
        "dcb pfc",
        "priority 3",
    ]
    assert " ecmp seed 10\n" in planned.files("leaf-1")["interfaces.txt"]


def test_times_that_do_not_fit_are_left_out_and_named() -> None:
    planned = huawei("ce8850")
    assert planned.switch("leaf-1").watchdog.unfit == (
        "detection 200 ms and restoration 2,000 ms fit no step of 1 ms: it counts 10 to 1,500 and 10 to 1,500"
    )
    assert "deadlock" not in planned.files("leaf-1")["roce.txt"]


def test_ecmp_seed_and_adaptive_routing() -> None:
    text = interfaces(huawei())
    assert context(text, "load-balance ecmp") == ["ecmp underlay seed 10", "quit"]
    assert context(interfaces(huawei(), "spine-1"), "load-balance ecmp") == ["ecmp underlay seed 20", "quit"]
    text = interfaces(huawei(fabric__adaptive_routing=True))
    assert context(text, "load-balance ecmp") == ["ecmp underlay seed 10", "ecmp mode eligible", "quit"]
    missing = huawei("ce6885", fabric__adaptive_routing=True).switch("leaf-1").missing
    assert ("adaptive_routing", True) in [(gap.feature, gap.needed) for gap in missing]


def test_classification_by_the_vlan_tag() -> None:
    text = roce(fabric__qos__trust="pcp")
    assert "8021p-inbound 3 phb af3 green" in context(text, "diffserv domain netplan")
    assert len(context(text, "diffserv domain netplan")) == 9
    assert context(text, "interface 100GE1/0/1")[:2] == ["trust 8021p outer", "trust upstream netplan"]


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
        "qos drr 0 1 2 3 4 5",
        "qos pq 6 7",
        "qos queue 0 drr weight 50",
        "qos queue 3 drr weight 50",
        "qos queue 3 wred netplan-3",
        "qos queue 3 ecn",
        "dcb pfc enable mode manual",
        "quit",
    ]


def test_strict_below_weighted() -> None:
    classes = {
        "roce": {"dscp": 26, "priority": 5, "lossless": True, "bandwidth_percent": 50},
        "cnp": {"dscp": 48, "priority": 2, "scheduling": "strict"},
    }
    lines = context(roce(fabric__qos__classes=classes), "interface 100GE1/0/1")
    assert [line for line in lines if line.startswith(("qos drr", "qos pq"))] == [
        "qos drr 0 1 3 4 5",
        "qos pq 2 6 7",
    ]


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
    head = ["portswitch", "jumboframe enable 9238"]
    assert context(text, "interface 100GE1/0/1") == [*head, *lines, "quit"]


def test_uplink() -> None:
    assert context(interfaces(huawei()), "interface 100GE1/0/17") == [
        "undo portswitch",
        "jumboframe enable 9238",
        "mtu 9216",
        "ip address 172.31.0.0 31",
        "quit",
    ]


def test_routed_host_link_is_announced_and_ages() -> None:
    planned = huawei(**ROUTED_HOSTS)
    assert "ip address 172.16.0.0 31" in context(interfaces(planned), "interface 100GE1/0/1")
    assert "network 172.16.0.0 255.255.255.254" in context(interfaces(planned), "ipv4-family unicast")
    assert commands(planned.files("leaf-1")["arp.txt"], "!") == ["arp timeout 60", "commit"]


def test_ages() -> None:
    ages = {"timeout_seconds": 60, "mac_timeout_seconds": 300}
    assert commands(huawei(fabric__arp=ages).files("leaf-1")["arp.txt"], "!") == [
        "arp timeout 60",
        "mac-address aging-time 300",
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
    assert leaf.unconfirmed == ()


def test_readme_takes_back_what_was_brought() -> None:
    text = huawei(**TWO_LOSSLESS).files("leaf-1")["README.md"]
    assert "priority 3 alone as shipped: `undo priority 4`\n" in text
    assert "`undo priority 3`" not in text
    assert "`undo dcb pfc deadlock-detect interval`" in text
    assert "| ECMP hash seed | 10 |" in text
    unknown = huawei("cloudengine").files("leaf-1")["README.md"]
    assert "| ECMP hash seed, to enter by hand | 10 |" in unknown
    assert "undo load-balance ecmp" not in unknown
