"""Comware configuration: exact lines for one of each kind, comments for what no source confirms."""

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
    with_asic,
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
UNCONFIRMED = ("interval", "auto-recover cos")


def comware(**changes: Any) -> Site:
    return nos_site("h3c-comware", "HundredGigE1/0/", "tomahawk3", **changes)


def roce(**changes: Any) -> str:
    return comware(**changes).files("leaf-1")["roce.txt"]


def interfaces(planned: Site, switch: str = "leaf-1") -> str:
    return planned.files(switch)["interfaces.txt"]


@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_views_are_indented_and_left(variant: str, switch: str) -> None:
    files = comware(**VARIANTS[variant]).files(switch)
    text = "".join(text for name, text in files.items() if name != "README.md")
    assert badly_indented(text) == []
    assert contexts(text, "#") == commands(text, "#").count("quit")


@pytest.mark.parametrize("variant", VARIANTS)
def test_unconfirmed_commands_are_comments_only(variant: str) -> None:
    files = comware(**VARIANTS[variant]).files("leaf-1")
    found = [line for name, text in files.items() if name != "README.md" for line in commands(text, "#")]
    assert [line for line in found if any(word in line for word in UNCONFIRMED)] == []


def test_map_tables_name_every_code_point_and_priority() -> None:
    text = roce(**TWO_LOSSLESS)
    lines = context(text, "qos map-table dscp-dot1p")
    assert [line for line in lines if not line.endswith(" export 0")] == [
        "import 26 export 3",
        "import 34 export 4",
        "import 48 export 6",
        "quit",
    ]
    assert sorted(int(line.split()[1]) for line in lines[:-1]) == list(range(64))
    equal = [f"import {n} export {n}" for n in range(8)]
    assert context(text, "qos map-table dot1p-lp") == [*equal, "quit"]


@pytest.mark.parametrize("port", ["HundredGigE1/0/1", "HundredGigE1/0/17"])
def test_qos_of_a_port(port: str) -> None:
    assert context(roce(**TWO_LOSSLESS), f"interface {port}") == [
        "qos trust dscp",
        "qos wfq byte-count",
        "qos wfq be group 1 byte-count 40",
        "qos wfq af3 group 1 byte-count 40",
        "qos wfq af4 group 1 byte-count 20",
        "qos wfq cs6 group sp",
        "qos wred apply netplan",
        "priority-flow-control enable",
        "priority-flow-control no-drop dot1p 3,4",
        "priority-flow-control deadlock enable",
        "quit",
    ]


def test_ecn_in_cells_on_all_three_levels() -> None:
    """Kmin 100000 / 254 rounded down, Kmax 1500000 / 254 rounded up."""
    assert context(roce(), "qos wred queue table netplan") == [
        "queue 3 drop-level 0 low-limit 393 high-limit 5906 discard-probability 100",
        "queue 3 drop-level 1 low-limit 393 high-limit 5906 discard-probability 100",
        "queue 3 drop-level 2 low-limit 393 high-limit 5906 discard-probability 100",
        "queue 3 weighting-constant 0",
        "queue 3 ecn",
        "quit",
    ]


def test_ecn_without_a_cell_size_is_a_comment() -> None:
    planned = with_asic(comware(), "h3c-comware")
    text = planned.files("leaf-1")["roce.txt"]
    assert (
        "# confirm on the switch: ECN of queue 3 from 100000 to 1500000 bytes at 100 %, with both in" in text
    )
    assert [line for line in commands(text, "#") if "wred" in line] == []
    assert planned.switch("leaf-1").unconfirmed[-1].reason == (
        "h3c-comware takes thresholds in cells, no size that converts them is known for tomahawk3"
    )


def test_deadlock_recovery_discards() -> None:
    text = roce()
    assert [
        line for line in commands(text, "#") if line.startswith("priority-flow-control deadlock auto")
    ] == [
        "priority-flow-control deadlock auto-recover action discard",
    ]
    assert (
        "# confirm on the switch: priority-flow-control deadlock cos 3 interval <n>, for a detection" in text
    )
    assert (
        "# confirm on the switch: priority-flow-control deadlock auto-recover cos 3 delay <n>, for 2000"
        in text
    )
    assert "deadlock" not in roce(fabric__qos__pfc_watchdog=None)


def test_buffers_are_applied_after_they_are_set() -> None:
    found = [line for line in commands(roce(), "#") if line.startswith("buffer")]
    assert found == [
        "buffer egress cell queue 3 shared ratio 100",
        "buffer egress cell queue 6 shared ratio 100",
        "buffer apply",
    ]


def test_gateway() -> None:
    text = interfaces(comware())
    assert "# rail0-leaf-1\nvlan 100\n quit\n" in text
    assert context(text, "interface Vlan-interface100") == ["mtu 9216", "ip address 172.16.0.1 24", "quit"]


@pytest.mark.parametrize(
    ("vlans", "lines"),
    [
        (
            PortVlans((100, 101), None),
            [
                "port link-type trunk",
                "undo port trunk permit vlan 1",
                "port trunk permit vlan 100",
                "port trunk permit vlan 101",
            ],
        ),
        (PortVlans((), 100), ["port link-type access", "port access vlan 100"]),
        (
            PortVlans((101,), 100),
            [
                "port link-type trunk",
                "undo port trunk permit vlan 1",
                "port trunk permit vlan 100",
                "port trunk permit vlan 101",
                "port trunk pvid vlan 100",
            ],
        ),
    ],
)
def test_vlans_of_a_port(vlans: PortVlans, lines: list[str]) -> None:
    text = interfaces(with_vlans(comware(), vlans))
    head = ["port link-mode bridge", "jumboframe enable 9238"]
    assert context(text, "interface HundredGigE1/0/1") == [*head, *lines, "quit"]


def test_uplink() -> None:
    assert context(interfaces(comware()), "interface HundredGigE1/0/17") == [
        "port link-mode route",
        "jumboframe enable 9238",
        "mtu 9216",
        "ip address 172.31.0.0 31",
        "quit",
    ]


def test_routed_host_link_is_announced_and_ages() -> None:
    planned = comware(**ROUTED_HOSTS)
    assert "ip address 172.16.0.0 31" in context(interfaces(planned), "interface HundredGigE1/0/1")
    assert "network 172.16.0.0 31" in context(interfaces(planned), "address-family ipv4 unicast")
    ages = ["arp timer aging second 60", "gratuitous-arp-learning enable"]
    assert commands(planned.files("leaf-1")["arp.txt"], "#") == ages


def test_ages_are_set_in_system_view() -> None:
    ages = {"timeout_seconds": 60, "mac_timeout_seconds": 300}
    assert commands(comware(fabric__arp=ages).files("leaf-1")["arp.txt"], "#") == [
        "arp timer aging second 60",
        "gratuitous-arp-learning enable",
        "mac-address timer aging 300",
    ]


def test_bgp_of_a_spine() -> None:
    text = interfaces(comware(), "spine-1")
    assert context(text, "interface LoopBack0") == ["ip address 172.31.255.101 32", "quit"]
    assert context(text, "bgp 4200000001")[:2] == [
        "router-id 172.31.255.101",
        "peer 172.31.0.0 as-number 4200000100",
    ]
    assert context(text, "address-family ipv4 unicast")[:3] == [
        "balance 16",
        "network 172.31.255.101 32",
        "peer 172.31.0.0 enable",
    ]


def test_without_underlay_there_is_no_bgp() -> None:
    text = interfaces(comware(**STRETCHED))
    assert [line for line in text.splitlines() if line.startswith("bgp")] == []
    assert "port trunk permit vlan 103" in context(text, "interface HundredGigE1/0/17")


def test_which_files_there_are() -> None:
    assert list(comware(fabric__qos=None).files("leaf-1")) == ["interfaces.txt", "arp.txt", "README.md"]
    assert list(comware().files("spine-1")) == ["interfaces.txt", "roce.txt", "README.md"]


def test_what_is_missing_is_only_wanted() -> None:
    leaf = comware().switch("leaf-1")
    assert [(g.feature, g.needed) for g in leaf.missing] == [("headroom", False)]
    assert [g.feature for g in leaf.unconfirmed] == ["pfc_watchdog", "hash_seed"]


def test_the_page_has_the_thresholds_that_whole_cells_make() -> None:
    (cell,) = {
        asic.cell_bytes for name, asic in comware().nos["h3c-comware"].asics.items() if name == "tomahawk3"
    }
    (ecn,) = comware().switch("leaf-1").qos.marking[0].ecn
    assert (ecn.kmin_bytes, ecn.kmax_bytes) == (ecn.kmin * cell, ecn.kmax * cell)
    assert ecn.kmin_bytes < 100_000 < 1_500_000 < ecn.kmax_bytes
    page = f"| {ecn.kmin_bytes:,} to {ecn.kmax_bytes:,} bytes, 100 %, rounded from 100,000 to 1,500,000 |"
    assert page in comware().files("leaf-1")["README.md"]
