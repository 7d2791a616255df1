"""Headroom against the vendors' own tables and the arithmetic of the standard."""

from __future__ import annotations

from dataclasses import replace

import pytest

from netplan.model.nos import DynamicBuffers, HeadroomRow
from netplan.model.switch_qos import Headroom
from netplan.plan.headroom import (
    cable_lengths,
    cell_occupancy,
    dynamic_headroom,
    qbb_headroom,
    table_headroom,
    xoff_threshold,
)
from tests import upstream
from tests.switch_site import profiles

SONIC = profiles()["sonic"]
SN5600 = SONIC.models["sn5600"].headroom


def shipped() -> DynamicBuffers:
    assert SONIC.dynamic_buffers is not None
    return SONIC.dynamic_buffers


def on_sn5600(data: DynamicBuffers, speed_gbps: int, cable_m: int) -> Headroom:
    computed = dynamic_headroom(data, SONIC.asics["spectrum-4"], speed_gbps, cable_m, 9216)
    assert computed is not None
    return computed


def from_table(model: str, speed_gbps: int, cable_m: int) -> Headroom:
    found = table_headroom(SONIC.models[model], speed_gbps, cable_m)
    assert found is not None
    return found


@pytest.mark.parametrize("row", SN5600, ids=lambda row: f"{row.speed_gbps}G-{row.cable_m}m")
def test_dynamic_model_gives_the_xoff_of_the_vendors_table(row: HeadroomRow) -> None:
    """Port MTU 9216 and small packets only: the assumptions of ACS-SN5600's pg_profile_lookup.ini."""
    computed = on_sn5600(replace(shipped(), small_packet_percent=100), row.speed_gbps, row.cable_m)
    assert (computed.xoff, computed.xon) == (row.xoff, row.xon)


@pytest.mark.parametrize(
    "row",
    [r for r in SN5600 if 100 <= r.speed_gbps < 800],
    ids=lambda row: f"{row.speed_gbps}G-{row.cable_m}m",
)
def test_dynamic_model_gives_the_size_of_the_vendors_table(row: HeadroomRow) -> None:
    computed = on_sn5600(replace(shipped(), small_packet_percent=100), row.speed_gbps, row.cable_m)
    assert computed.size == row.size


def test_dynamic_model_with_the_shipped_traffic_pattern() -> None:
    """Half of the packets small: occupancy (100 - 11.76 + 11.76 x 3) / 100, 2 KiB without a shared pool."""
    computed = on_sn5600(shipped(), 400, 5)
    assert (computed.xoff, computed.xon, computed.size) == (98304, 19456, 117760)


def test_dynamic_model_knows_no_response_at_56_gbps() -> None:
    assert dynamic_headroom(shipped(), SONIC.asics["spectrum-1"], 56, 5, 9216) is None


@pytest.mark.parametrize(
    ("cell", "small_percent", "expected"),
    [(96, 100, 2.0), (144, 100, 3.0), (192, 100, 3.0), (192, 0, 1.125)],
)
def test_cell_occupancy(cell: int, small_percent: int, expected: float) -> None:
    assert cell_occupancy(cell, 1024, small_percent) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cable", "row", "xoff", "size"),
    [(1, 5, 30720, 50176), (5, 5, 30720, 50176), (6, 40, 38912, 58368), (300, 300, 104448, 123904)],
)
def test_table_takes_the_next_length(cable: int, row: int, xoff: int, size: int) -> None:
    found = from_table("msn2700", 100, cable)
    assert (found.cable_m, found.xoff, found.size, found.reserved) == (row, xoff, size, size)


def test_table_ends_at_its_longest_row() -> None:
    assert table_headroom(SONIC.models["msn2700"], 100, 301) is None


def test_table_has_no_row_at_400_gbps() -> None:
    assert table_headroom(SONIC.models["msn2700"], 400, 5) is None


def test_shared_headroom_reserves_nothing_of_the_ingress_pool() -> None:
    assert from_table("z9332f", 400, 5).reserved == 0


def test_cable_lengths_are_sorted() -> None:
    assert cable_lengths(SONIC.models["z9332f"].headroom, 400) == (5, 40, 300, 1000, 2000)


@pytest.mark.parametrize(
    ("speed", "cable", "expected"),
    [(25, 5, 25368), (25, 300, 34587), (100, 5, 75117), (100, 300, 111992), (400, 40, 127196)],
)
def test_802_1qbb_budget(speed: int, cable: int, expected: int) -> None:
    assert qbb_headroom(speed, cable, 9216) == expected


def test_802_1qbb_budget_has_no_number_for_200_gbps() -> None:
    assert qbb_headroom(200, 5, 9216) is None


@pytest.mark.parametrize(("congested", "expected"), [(1, 2290432), (32, 138814)])
def test_xoff_threshold_of_an_sn2700(congested: int, expected: int) -> None:
    assert xoff_threshold(4580864, 0, congested) == expected


def test_xoff_threshold_with_a_quarter_alpha() -> None:
    assert xoff_threshold(1000, -2, 1) == 200


UPSTREAM_TABLES = [
    ("msn2700", "ACS-MSN2700"),
    ("msn3700", "ACS-MSN3700"),
    ("msn4700", "ACS-MSN4700"),
    ("z9332f", "DellEMC-Z9332f-O32"),
    ("z9864f", "Dell-Z9864f-O64"),
]


@pytest.mark.parametrize(("model", "sku"), UPSTREAM_TABLES, ids=[sku for _, sku in UPSTREAM_TABLES])
def test_rows_are_those_of_the_upstream_table(model: str, sku: str) -> None:
    table = upstream.root() / "sonic-pg-profiles" / f"{sku}.ini"
    if not table.is_file():
        pytest.skip(f"{table.name} is not there: make upstream")
    lines = [line.split() for line in table.read_text().splitlines() if line and not line.startswith("#")]
    expected = [
        (int(speed) // 1000, int(cable.removesuffix("m")), *map(int, numbers))
        for speed, cable, *numbers in lines
    ]
    rows = [
        (r.speed_gbps, r.cable_m, r.size, r.xon, r.xoff, r.dynamic_th)
        + (() if r.xon_offset is None else (r.xon_offset,))
        for r in SONIC.models[model].headroom
    ]
    assert rows == expected
