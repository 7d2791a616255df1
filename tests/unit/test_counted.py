"""Progress messages of long work."""

from __future__ import annotations

import pytest

from netplan import counted as module
from netplan.counted import counted


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock, which a test advances."""
    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    return now


def told(clock: list[float], seconds: float, number: int) -> list[str]:
    """Messages for ``number`` files that take ``seconds`` each."""
    said: list[str] = []
    for _ in counted(range(number), said.append, "writing", "files"):
        clock[0] += seconds
    return said


def test_counts_and_the_time_left(clock):
    assert told(clock, 10, 4) == [
        "writing 1 of 4 files, 30 s left",
        "writing 2 of 4 files, 20 s left",
        "writing 3 of 4 files, 10 s left",
        "writing 4 of 4 files",
    ]


def test_minutes(clock):
    assert told(clock, 75, 3)[0] == "writing 1 of 3 files, 2 min 30 s left"


def test_a_few_times_a_second_at_most(clock):
    assert len(told(clock, 0.001, 12_500)) in range(55, 64)


def test_a_time_that_is_soon_over_is_not_shown(clock):
    assert told(clock, 0.25, 3) == ["writing 1 of 3 files", "writing 2 of 3 files", "writing 3 of 3 files"]


def test_nobody_is_told():
    assert list(counted("abc", None, "writing", "files")) == ["a", "b", "c"]
