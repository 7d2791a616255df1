"""Edge cases, one fact per case: verdicts on a switch's numbers, and times of its PFC watchdog."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from netplan.model.nos import WatchdogTimer
from netplan.model.qos_classes import Watchdog
from netplan.plan.switch_watchdog import _poll_ms as poll_ms
from netplan.plan.switch_watchdog import _stepped as stepped
from netplan.plan.switch_watchdog import _time as time_text
from netplan.plan.verdicts import _by_response as by_response
from netplan.plan.verdicts import (
    kernel_verdict,
    large_occupancy,
    mac_age_verdict,
    neighbours_verdict,
    oversubscription_verdict,
    reserved_verdict,
    worst_occupancy,
)
from tests.unit.some import some

CELL, PACKET, QUANTUM = 128, 1024, 64
"""A packet of 64 bytes fills a cell of twice its size, one of 1024 bytes exactly eight cells."""
SMALL = "so a slow conforming peer can overrun it with 64-byte packets"


def test_how_much_buffer_a_byte_takes() -> None:
    assert worst_occupancy(CELL) == 2
    assert large_occupancy(CELL, some(lossless_mtu=PACKET)) == 1
    assert large_occupancy(CELL, some(lossless_mtu=PACKET + 1)) == 9 * CELL / (PACKET + 1)


@pytest.mark.parametrize(
    ("left", "assumed", "begins", "ends"),
    [
        (40 * QUANTUM, 10, "enough: a peer may take 20 pause quanta to stop; the vendor assumes 10", "20"),
        (40 * QUANTUM - 1, 10, "enough if the peer stops within 19 pause quanta (39 with", SMALL),
        (20 * QUANTUM, 10, "enough if the peer stops within 10 pause quanta (20 with", SMALL),
        (20 * QUANTUM - 1, 9, "enough if the peer stops within 9 pause quanta (19 with", "overrun it"),
        (20 * QUANTUM, 11, "enough with 1024-byte packets, else only if the peer stops within 10", SMALL),
        (
            20 * QUANTUM - 1,
            11,
            "not enough for what the vendor assumes, only if the peer stops within 9",
            "it",
        ),
        (-3 * QUANTUM, 11, "not enough for what the vendor assumes, only if the peer stops within 0", "it"),
    ],
)
def test_headroom_against_the_response_of_a_peer(left: int, assumed: int, begins: str, ends: str) -> None:
    """``left``: bytes left for packets still arriving, of the largest size; IEEE 802.3 permits 20 quanta."""
    data: Any = some(lossless_mtu=PACKET, peer_bytes=assumed * QUANTUM)
    verdict = by_response(some(xoff=PACKET + left), data, some(cell_bytes=CELL), 20, 0)
    assert verdict.startswith(begins)
    assert "IEEE 802.3 permits 20" in verdict
    assert verdict.endswith(ends)


@pytest.mark.parametrize(
    ("verdict", "of", "begins"),
    [
        (reserved_verdict, (some(reserved=100, room=100),), "fits"),
        (reserved_verdict, (some(reserved=101, room=100),), "does not fit"),
        (neighbours_verdict, (some(total=100, host_table=100),), "fits"),
        (neighbours_verdict, (some(total=101, host_table=100),), "exceeds"),
        (neighbours_verdict, (some(total=1, host_table=0),), "not judged"),
        (mac_age_verdict, (some(mac_wanted=300, seconds=300),), "enough: not below the ARP age of 300 s"),
        (mac_age_verdict, (some(mac_wanted=299, seconds=300),), "too short: below the ARP age of 300 s"),
        (oversubscription_verdict, (150, 150), "within the limit"),
        (oversubscription_verdict, (151, 150), "above the limit"),
        (oversubscription_verdict, (100, None), "at or below 100 %"),
        (oversubscription_verdict, (101, None), "the uplinks are oversubscribed"),
        (kernel_verdict, (1,), "not below the entries"),
        (kernel_verdict, (2,), "above the entries"),
        (kernel_verdict, (3,), "twice the entries or more"),
    ],
)
def test_a_verdict_at_its_edge(verdict: Callable[..., str], of: tuple[Any, ...], begins: str) -> None:
    assert verdict(*of).startswith(begins)


def times(poll: int, detection: int, restoration: int) -> Watchdog:
    return Watchdog(poll_ms=poll, detection_ms=detection, restoration_ms=restoration)


TIMER = WatchdogTimer(steps_ms=(10, 100), detection=(1, 15), restoration=(2, 20))
"""Two steps: detection up to 150 or 1,500 ms, restoration from 20 ms up to 200 or 2,000 ms."""


@pytest.mark.parametrize(
    ("detection", "restoration", "step", "counts"),
    [
        (150, 200, 10, (15, 20)),
        (151, 200, 100, (2, 2)),
        (150, 201, 100, (2, 3)),
        (1, 11, 10, (1, 2)),
        (10, 20, 10, (1, 2)),
        (10, 10, 0, (0, 0)),
        (1500, 2000, 100, (15, 20)),
        (1501, 2000, 0, (0, 0)),
        (1500, 2001, 0, (0, 0)),
    ],
)
def test_the_smallest_step_that_counts_both_times(
    detection: int, restoration: int, step: int, counts: tuple[int, int]
) -> None:
    dog = stepped(times(100, detection, restoration), TIMER)
    assert (dog.step_ms, dog.detection_steps, dog.restoration_steps) == (step, *counts)
    assert dog.enabled is bool(step)
    assert bool(dog.unfit) is not bool(step)


def test_what_is_said_of_steps() -> None:
    dog = stepped(times(100, 151, 200), TIMER)
    assert dog.in_force == "poll 100 ms, detection 200 ms, restoration 200 ms"
    assert dog.changed == (("detection_ms", "detection 151 ms becomes 200 ms: in steps of 100 ms"),)
    assert dog.detection_polls == 2
    single = stepped(times(100, 150, 200), replace(TIMER, steps_ms=(10,)))
    why = "poll 100 ms cannot be set: it is at an interval of the switch's own"
    assert single.changed == (("poll_ms", why),)
    assert stepped(times(100, 1501, 200), TIMER).unfit == (
        "detection 1,501 ms and restoration 200 ms fit no step of 10, 100 ms: it counts 1 to 15 and 2 to 20"
    )


@pytest.mark.parametrize(
    ("poll", "detection", "restoration", "unit", "how", "expected"),
    [
        (100, 250, 190, "s", "half", 90),
        (100, 190, 250, "s", "half", 90),
        (15, 250, 190, "s", "half", 20),
        (15, 19, 190, "s", "half", 10),
        (100, 40, 40, "s", "half", 20),
        (100, 40, 40, "s", "any", 100),
        (101, 400, 400, "100ms", "any", 200),
        (100, 400, 400, "100ms", "any", 100),
    ],
)
def test_how_often_a_switch_looks(
    poll: int, detection: int, restoration: int, unit: str, how: str, expected: int
) -> None:
    units: Any = some(watchdog=unit, watchdog_poll_ms=0, watchdog_poll=how)
    assert poll_ms(times(poll, detection, restoration), units) == expected
    units.watchdog_poll_ms = 70
    assert poll_ms(times(poll, detection, restoration), units) == 70


@pytest.mark.parametrize(
    ("milliseconds", "unit", "text"),
    [(10_100, "100ms", "101"), (10_101, "100ms", "102"), (251, "ms", "251"), (11, "s", "0.02")],
)  # fmt: skip
def test_a_time_in_the_unit_of_a_nos(milliseconds: int, unit: str, text: str) -> None:
    assert time_text(milliseconds, unit) == text
