"""Headroom compared with the vendors' tables and the formula of the standard."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from netplan.catalog import switch_rows
from netplan.model.nos import DynamicBuffers, HeadroomRow
from netplan.model.switch_qos import Headroom
from netplan.plan.buffers import port_headroom
from netplan.plan.headroom import (
    cable_lengths,
    cell_occupancy,
    dynamic_headroom,
    qbb_headroom,
    table_headroom,
    xoff_threshold,
)
from netplan.plan.verdicts import headroom_verdict, qbb_verdict
from tests import upstream
from tests.switch_site import profiles, site

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
    """Port MTU 9216 and only small packets, as ACS-SN5600's pg_profile_lookup.ini assumes."""
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


@pytest.mark.parametrize(("share", "equal"), [(None, 0), (50, 0), (100, 24)])
def test_only_the_worst_case_equals_the_vendors_table(share: int | None, equal: int) -> None:
    """``share``: stated in the inventory, or the image's default."""
    stated = {} if share is None else {"switch_types__leaf__small_packet_percentage": share}
    kind = (
        site(switch_types__leaf__model="sn5600", switch_types__leaf__buffer_model="dynamic", **stated)
        .switches[0]
        .type
    )
    sized = [port_headroom(kind, SONIC, row.speed_gbps, row.cable_m).headroom for row in SN5600]
    assert len(sized) == 24
    assert [one.table_xoff for one in sized if one] == [row.xoff for row in SN5600]
    assert sum(one.xoff == one.table_xoff for one in sized if one) == equal
    at_400 = next(
        one for row, one in zip(SN5600, sized, strict=True) if (row.speed_gbps, row.cable_m) == (400, 40)
    )
    assert at_400
    assert at_400.xoff == (283_648 if equal else 119_808)


def test_the_compensation_is_for_what_is_clearly_below_the_worst_case() -> None:
    """buffer_headroom_mellanox.lua adds 2 KiB only if the sum stays below the headroom for small packets."""
    full, almost = (
        on_sn5600(replace(shipped(), small_packet_percent=share), 10, 5).xoff for share in (100, 99)
    )
    assert almost <= full


@pytest.mark.parametrize(
    ("model", "asic", "word"),
    [
        ("msn2700", "spectrum-1", "enough if the peer stops within"),
        ("msn3700", "spectrum-2", "enough if the peer stops within"),
        ("msn4700", "spectrum-3", "enough if the peer stops within"),
        ("sn5600", "spectrum-4", "enough"),
    ],
)
def test_verdicts_of_the_vendors_tables(model: str, asic: str, word: str) -> None:
    """Peer response that each generation's table assumes: 3.8 KiB, or the full response of 802.3."""
    said = set()
    for row in SONIC.models[model].headroom:
        found = from_table(model, row.speed_gbps, row.cable_m)
        verdict = headroom_verdict(found, SONIC, SONIC.asics[asic], row.speed_gbps, row.cable_m, 9216)
        said.add(re.split(r":| [0-9]", verdict)[0])
    assert word in said
    assert said <= {"enough", word}


def test_the_verdict_can_be_worked_out() -> None:
    """30,720 bytes: (30720 - 1024) / (2 x 96 / 97) - 9216 - 631.3 - 819.2 = 4336 bytes = 67 quanta of 64."""
    found = from_table("msn2700", 100, 5)
    verdict = headroom_verdict(found, SONIC, SONIC.asics["spectrum-1"], 100, 5, 9216)
    assert verdict == (
        "enough if the peer stops within 67 pause quanta (283 with 1024-byte packets); the vendor assumes "
        "60, IEEE 802.3 permits 394, so a slow conforming peer can overrun it"
    )
    assert qbb_verdict(found, 75_117, 100) == (
        "44,397 bytes above the headroom: the standard counts up to 25,216 bytes of peer response and 30,720 "
        "of two interface delays; see the headroom's verdict"
    )


def test_verdicts_below() -> None:
    half = on_sn5600(shipped(), 400, 40)
    asic = SONIC.asics["spectrum-4"]
    assert headroom_verdict(half, SONIC, asic, 400, 40, 9216).startswith(
        "enough with 1024-byte packets, else only if the peer stops within 52 pause quanta "
    )
    short = replace(half, xoff=40_960)
    assert headroom_verdict(short, SONIC, asic, 400, 40, 9216).startswith(
        "not enough for what the vendor assumes, only if the peer stops within 0 "
    )


@pytest.mark.parametrize(
    ("xoff", "verdict"),
    [
        (75_117, "enough: 0 bytes above the 802.1Qbb worst case, cells not counted"),
        (75_116, "below the 802.1Qbb worst case: leaves 55,935 bytes for interfaces and peer response, "
            "the standard gives them up to 55,936"),
    ],
)  # fmt: skip
def test_verdict_where_cells_are_not_known(xoff: int, verdict: str) -> None:
    found = replace(from_table("s5232f", 100, 5), xoff=xoff)
    assert headroom_verdict(found, SONIC, SONIC.asics["trident3"], 100, 5, 9216) == verdict


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


@pytest.mark.parametrize(("model", "speed", "row"), [("z9664f", 200, 240792), ("s5232f", 25, 67840)])
def test_tables_of_dell_have_the_speeds_of_their_files(model: str, speed: int, row: int) -> None:
    found = table_headroom(SONIC.models[model], speed, 40)
    assert found is not None
    assert found.xoff == row


@pytest.mark.parametrize(
    ("model", "speeds"),
    [
        ("z9332f", (40, 50, 100, 200, 400)),
        ("z9664f", (10, 25, 40, 50, 100, 200, 400)),
        ("7060x6-64pe", (100, 200, 400, 800)),
    ],
)
def test_speeds_of_models_are_those_of_their_ports_in_parts(model: str, speeds: tuple[int, ...]) -> None:
    """sonic-net/sonic-buildimage 086b03bd: platform.json, or the lossless table where it lists no port."""
    assert tuple(switch_rows()[model]["speeds_gbps"]) == speeds


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
