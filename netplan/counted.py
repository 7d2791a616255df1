"""Progress of long-running work for the terminal's status line: counts and estimated time left."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from time import monotonic
from typing import TypeVar

EVERY_SECONDS = 0.2
_SHOWN_FROM = 2.0
"""Minimum seconds left for the estimate to be shown; less is over before it is read."""

T = TypeVar("T")


def counted(items: Collection[T], say: Callable[[str], None] | None, verb: str, noun: str) -> Iterator[T]:
    """Yield the items and call ``say`` a few times a second: ``writing 4,000 of 21,974 files, 12 s left``.

    The estimate assumes the average rate so far.
    """
    begin = last = monotonic()
    for number, item in enumerate(items, 1):
        yield item
        now = monotonic()
        if say is not None and now - last >= EVERY_SECONDS:
            last = now
            left = (now - begin) / number * (len(items) - number)
            say(f"{verb} {number:,} of {len(items):,} {noun}{_left(left)}")


def _left(seconds: float) -> str:
    if seconds < _SHOWN_FROM:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    return f", {minutes} min {rest} s left" if minutes else f", {rest} s left"
