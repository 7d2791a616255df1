"""Classes of Junos of which only some lines of PFC are there.

A frame is lossless where its forwarding class is ``no-loss`` with a ``pfc-priority`` and its code point has
``pfc`` in the profile of the port (juniper.net, statements class (Forwarding Classes), pfc-priority and
congestion-notification-profile). What Junos does without one of these, no source states for every model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from netplan.diagnostics import Source
from netplan.importing.facts import Fact
from netplan.importing.lossless import BY

_WORDS, _PFC = ("no-loss", "pfc-priority"), "pfc of its code point"
_PARTS = (*_WORDS, _PFC)
_SET = r"^set class-of-service "
_PROFILE = _SET + r"congestion-notification-profile (\S+) "
_CLASS = re.compile(_SET + r"forwarding-classes class (\S+) queue-num ([0-7])(.*)$", re.MULTILINE)
_USED = re.compile(_SET + r"interfaces \S+ congestion-notification-profile (\S+)$", re.MULTILINE)
_POINT = re.compile(_PROFILE + r"input dscp code-point ([01]{6}) pfc\b", re.MULTILINE)
_TAG = re.compile(_PROFILE + r"input ieee-802\.1 code-point ([01]{3}) pfc\b", re.MULTILINE)
_STOPPED = re.compile(
    _PROFILE + r"output ieee-802\.1 code-point ([01]{3}) flow-control-queue ([0-7])$", re.MULTILINE
)
_MAPPED = re.compile(
    _SET + r"classifiers dscp \S+ forwarding-class (\S+) loss-priority \S+ code-points (.+)$", re.MULTILINE
)
_BITS = re.compile(r"(?<![01])[01]{6}(?![01])")


@dataclass(frozen=True, slots=True)
class _Lines:
    """``points``: code point -> its line with ``pfc``; ``tagged``: queues with PFC by PCP."""

    points: Mapping[str, int]
    tagged: frozenset[str]


def told_lossless(text: str, at: Callable[[int], Source]) -> Iterator[Fact]:
    lines, classed = _lines(text), dict[str, set[str]]()
    for found in _MAPPED.finditer(text):
        classed.setdefault(found[1], set()).update(_BITS.findall(found[2]))
    for found in _CLASS.finditer(text):
        own = sorted(lines.points[bits] for bits in classed.get(found[1], ()) if bits in lines.points)
        there = {word: found.start() for word in _WORDS if word in found[3].split()}
        if own:
            there[_PFC] = own[0]
        for part in _PARTS if there and found[2] not in lines.tagged else ():
            yield Fact("class", (found[2],), f"{BY}{part}", part in there, at(there.get(part, found.start())))


def _lines(text: str) -> _Lines:
    """Of profiles that ports have."""
    used = {found[1] for found in _USED.finditer(text)}
    stopped = {(found[1], found[2]): found[3] for found in _STOPPED.finditer(text)}
    points: dict[str, int] = {}
    for found in _POINT.finditer(text):
        if found[1] in used:
            points.setdefault(found[2], found.start())
    tags = ((found[1], found[2]) for found in _TAG.finditer(text) if found[1] in used)
    return _Lines(points, frozenset(stopped.get(of, str(int(of[1], 2))) for of in tags))
