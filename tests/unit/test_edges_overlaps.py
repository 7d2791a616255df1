"""Edge cases, one fact per case: subnets of the routed interfaces of a config_db that overlap, and lanes that
ports share."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.rules.config_db.interfaces import ROUTED, subnets
from netplan.rules.config_db.interfaces import _clashes as clashes
from netplan.rules.config_db.interfaces import lanes as shared_lanes
from tests.unit.test_edges_readers import switches, whole


def routed(*prefixes: str, **rows: dict[str, Any]) -> Any:
    """A switch with the prefixes on Ethernet0, Ethernet4 and so on."""
    own: dict[str, Any] = {}
    for index, prefix in enumerate(prefixes):
        own |= {f"Ethernet{4 * index}": {}, f"Ethernet{4 * index}|{prefix}": {}}
    (leaf,) = switches(leaf=whole("leaf", INTERFACE=own | rows)).values()
    return leaf


def said(switch: Any) -> list[str]:
    return [each.message.partition(" at ")[0] for each in subnets(switch)]


@pytest.mark.parametrize(
    ("prefixes", "found"),
    [
        (["10.0.0.0/31", "10.0.0.2/31"], []),
        (["10.0.0.0/31", "10.0.0.1/31"], ["Ethernet4 has 10.0.0.1/31, overlaps 10.0.0.0/31 of Ethernet0"]),
        (["10.0.0.1/32", "10.0.0.1/32"], ["Ethernet4 has 10.0.0.1/32, overlaps 10.0.0.1/32 of Ethernet0"]),
        (["10.0.0.0/31", "10.0.0.1/32"], ["Ethernet4 has 10.0.0.1/32, overlaps 10.0.0.0/31 of Ethernet0"]),
        (["10.0.0.1/32", "10.0.0.0/31"], ["Ethernet0 has 10.0.0.1/32, overlaps 10.0.0.0/31 of Ethernet4"]),
        (["10.0.0.0/31", "10.0.0.2/32"], []),
        (
            ["10.0.0.1/24", "10.0.0.129/25"],
            ["Ethernet4 has 10.0.0.129/25, overlaps 10.0.0.1/24 of Ethernet0"],
        ),
        (["10.0.0.1/25", "10.0.0.129/25"], []),
        (["fd00::1/64", "fd00::2/64"], ["Ethernet4 has fd00::2/64, overlaps fd00::1/64 of Ethernet0"]),
        (["fd00::1/64", "10.0.0.1/24"], []),
        (["fe80::1/64", "fe80::2/64"], []),
        (
            ["10.0.0.1/24", "10.0.0.2/31", "10.0.0.4/31"],
            ["Ethernet0 has 10.0.0.1/24, overlaps 10.0.0.2/31 of Ethernet4"],
        ),
        (
            ["10.0.0.1/16", "10.0.1.1/24", "10.0.2.1/24", "10.0.2.2/31"],
            [
                "Ethernet0 has 10.0.0.1/16, overlaps 10.0.1.1/24 of Ethernet4",
                "Ethernet12 has 10.0.2.2/31, overlaps 10.0.2.1/24 of Ethernet8",
            ],
        ),
    ],
)
def test_subnets_of_two_interfaces_overlap(prefixes: list[str], found: list[str]) -> None:
    assert said(routed(*prefixes)) == found


def test_one_interface_may_have_two_addresses_of_a_subnet() -> None:
    assert said(routed("10.0.0.1/24", **{"Ethernet0|10.0.0.2/24": {}})) == []


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({}, {"vrf_name": "VrfA"}, 0),
        ({"vrf_name": "VrfA"}, {"vrf_name": "VrfA"}, 1),
        ({"vrf_name": "VrfA"}, {"vrf_name": "VrfB"}, 0),
        ({"vnet_name": "VnetA"}, {}, 0),
        ({"vnet_name": "VnetA"}, {"vnet_name": "VnetA"}, 1),
    ],
)
def test_subnets_of_two_vrfs_may_overlap(one: dict[str, str], other: dict[str, str], found: int) -> None:
    assert len(said(routed("10.0.0.0/31", "10.0.0.1/31", Ethernet0=one, Ethernet4=other))) == found


@pytest.mark.parametrize("table", ROUTED)
def test_subnets_of_every_routed_table_are_compared(table: str) -> None:
    tables: dict[str, Any] = {"INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.1/24": {}}}
    tables.setdefault(table, {}).update({"X": {}, "X|10.0.0.2/24": {}})
    (leaf,) = switches(leaf=whole("leaf", **tables)).values()
    assert len(said(leaf)) == 1


def ports(number: int, lane: str = "1") -> Any:
    rows = {f"Ethernet{n}": {"lanes": lane} for n in range(number)}
    (leaf,) = switches(leaf=whole("leaf") | {"PORT": rows}).values()
    return leaf


def test_ports_of_other_lanes_do_not_clash() -> None:
    assert clashes(ports(2, "")) == {}
    assert clashes(ports(1)) == {}
    assert clashes(ports(2, "1, 2,1")) == {
        "Ethernet0": {"Ethernet1": ["1", "2"]},
        "Ethernet1": {"Ethernet0": ["1", "2"]},
    }


def pairs(number: int, platform: str = "x86_64-odd-r0") -> Any:
    """Ports, two by two on one lane."""
    rows = {f"Ethernet{n}": {"lanes": str(n // 2)} for n in range(2 * number)}
    given = whole("leaf") | {"PORT": rows}
    local = given["DEVICE_METADATA"]["localhost"]
    given["DEVICE_METADATA"] = {"localhost": {**local, "platform": platform}}
    (leaf,) = switches(leaf=given).values()
    return leaf


@pytest.mark.parametrize(
    ("number", "told", "end"),
    [(1, ["Ethernet1"], ""), (4, ["Ethernet7", "Ethernet5", "Ethernet3", "Ethernet1"], ""),
     (5, ["Ethernet9"], ", and 4 more ports share lanes")],
)  # fmt: skip
def test_more_than_four_ports_with_lanes_of_others_are_one_mistake(
    number: int, told: list[str], end: str
) -> None:
    found = [each.message for each in shared_lanes(pairs(number))]
    assert [text.partition(" has lane ")[0] for text in found] == told
    assert all(text.endswith(end) for text in found)
    assert ("more ports" in found[0]) is bool(end)


def test_of_three_ports_the_one_that_clashes_with_both_is_wrong() -> None:
    rows = {"Ethernet0": {"lanes": "1,2"}, "Ethernet4": {"lanes": "1"}, "Ethernet8": {"lanes": "2"}}
    (leaf,) = switches(leaf=whole("leaf") | {"PORT": rows}).values()
    (found,) = shared_lanes(leaf)
    assert found.message.startswith("Ethernet0 has lanes 1, 2, which Ethernet4, Ethernet8 also have at ")
