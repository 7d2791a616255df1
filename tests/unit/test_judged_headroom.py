"""The judge's own headroom: computed independently of the planner's, with the same result."""

from __future__ import annotations

import pytest

from netplan.graph.config_db.hardware import profile
from netplan.graph.config_db.headroom import Cable, Pattern, by_table, computed, least_for, level_of_xoff
from netplan.plan.headroom import dynamic_headroom, table_headroom, xoff_threshold

SONIC = profile()
assert SONIC
assert SONIC.dynamic_buffers
DATA = SONIC.dynamic_buffers
PATTERN = Pattern(DATA.lossless_mtu, DATA.small_packet_percent, shared=False)


@pytest.mark.parametrize("name", sorted(SONIC.models))
def test_tables_are_read_alike(name: str) -> None:
    assert SONIC
    model = SONIC.models[name]
    for row in model.headroom:
        for metres in (1, row.cable_m, row.cable_m + 1):
            cable = Cable(row.speed_gbps * 1000, metres, 9100)
            mine, theirs = by_table(model, cable), table_headroom(model, row.speed_gbps, metres)
            assert (mine is None) == (theirs is None)
            if mine and theirs:
                assert (mine.xoff, mine.reserved) == (theirs.xoff, theirs.reserved)
                assert mine.xoff >= least_for(cable, DATA.metres_per_second)


@pytest.mark.parametrize("name", ["spectrum-1", "spectrum-2", "spectrum-3", "spectrum-4"])
@pytest.mark.parametrize("gbps", [10, 25, 40, 50, 100, 200, 400, 800])
def test_sonics_computation_is_the_same(name: str, gbps: int) -> None:
    assert SONIC
    asic = SONIC.asics[name]
    for metres, mtu in ((5, 9100), (40, 9216), (300, 1500)):
        mine = computed(DATA, asic, Cable(gbps * 1000, metres, mtu), PATTERN)
        theirs = dynamic_headroom(DATA, asic, gbps, metres, mtu)
        assert mine
        assert theirs
        assert (mine.xoff, mine.reserved) == (theirs.xoff, theirs.size)


def test_what_the_file_states_counts() -> None:
    """Computed by hand from buffer_headroom_mellanox.lua: 100 Gb/s, 40 m, port MTU 9100 on Spectrum-2."""
    assert SONIC
    asic = SONIC.asics["spectrum-2"]
    # delay 9100 + 5050.5 + 819.2 + 394 x 64 = 40185.7; half the packets small: factor 1.235; plus 1024
    half = computed(DATA, asic, Cable(100_000, 40, 9100), PATTERN)
    # all packets small: factor 3
    small = computed(DATA, asic, Cable(100_000, 40, 9100), Pattern(1024, 100, shared=False))
    shared = computed(DATA, asic, Cable(100_000, 40, 9100, lanes=8), Pattern(1024, 100, shared=True))
    assert half
    assert small
    assert shared
    assert half.xoff == (50 + 2) * 1024
    assert small.xoff == 119 * 1024
    assert (small.reserved, shared.reserved) == (119 * 1024 + 19456, 2 * 19456)
    assert computed(DATA, asic, Cable(1_600_000, 40, 9100), PATTERN) is None


def test_level_of_xoff() -> None:
    assert [level_of_xoff(1_000_000, alpha) for alpha in (-3, 0, 7)] == [
        xoff_threshold(1_000_000, alpha, 1) for alpha in (-3, 0, 7)
    ]
