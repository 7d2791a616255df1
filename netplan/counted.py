"""How far long work is, for the line that a terminal shows: counts, and the time that the rest will take."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from time import monotonic
from typing import TypeVar

EVERY_SECONDS = 0.2
_SHOWN_FROM = 2.0
"""Seconds that must be left for them to be shown: less is over before it is read."""

T = TypeVar("T")


def counted(items: Collection[T], say: Callable[[str], None] | None, verb: str, noun: str) -> Iterator[T]:
    """The items; a few times a second ``say`` is told, such as ``writing 4,000 of 21,974 files, 12 s left``.

    The rest is taken to go at the rate so far.
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
