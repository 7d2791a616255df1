"""Facts of one line each, at their edge: numbers of a switch in the units of its NOS, and its defaults."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.reading.switches.units import entries_kept, lengths_of, pools_of
from tests.unit.some import some


@pytest.mark.parametrize(
    ("shipped", "facts", "kept"),
    [
        ((), {}, {}),
        ((128, 512, 1024), {}, {4: 512, 6: 512}),
        ((128, 512, 1024), {"gc2": [(2048,)]}, {4: 2048, 6: 512}),
        ((128, 512, 1024), {"gc26": [(2048,)]}, {4: 512, 6: 2048}),
        ((128, 512, 1024), {"gc2": [(4096,), (64,)], "gc26": [(8,)]}, {4: 64, 6: 8}),
        ((), {"gc26": [(8,)]}, {6: 8}),
        ((), {"gc2": []}, {}),
    ],
)
def test_neighbours_that_a_switch_keeps(shipped: tuple[int, ...], facts: Any, kept: dict[int, int]) -> None:
    """By IP version: the smallest that is stated, else what the NOS ships."""
    assert entries_kept(some(nos=some(kernel_neighbours=shipped)), facts, "gc2", 1) == kept


def row(speed: int, cable: int, threshold: int = 0) -> Any:
    return some(speed_gbps=speed, cable_m=cable, dynamic_th=threshold)


ROWS = (row(100, 5), row(100, 40, -1), row(400, 5, 1))
STATED: Any = {"headroom-table": [()]}


@pytest.mark.parametrize(
    ("model", "facts", "lengths", "pools"),
    [
        (None, STATED, {}, {}),
        (some(headroom=ROWS, pool_bytes=0), STATED, {100: {5, 40}, 400: {5}}, {}),
        (
            some(headroom=ROWS, pool_bytes=9),
            STATED,
            {100: {5, 40}, 400: {5}},
            {(100, 5): (9, 0), (100, 40): (9, -1), (400, 5): (9, 1)},
        ),
        (some(headroom=ROWS, pool_bytes=9), {}, {}, {}),
        (some(headroom=(), pool_bytes=9), STATED, {}, {}),
    ],
)
def test_headroom_by_the_table_of_the_model(model: Any, facts: Any, lengths: Any, pools: Any) -> None:
    """Only of a switch that takes its headroom from there."""
    assert lengths_of(model, facts) == lengths
    assert pools_of(model, facts) == pools
