"""Rows that cannot coexist: overlapping number ranges of one port, overlapping addresses of one interface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from netaddr import AddrFormatError, IPNetwork

from netplan.changes.commands.config_db.state import Place, Tables
from netplan.model.switch_buffers import Range

Span = tuple[int, int, int]
"""(IP version or 0 for numbers, first, last)."""


@dataclass(frozen=True, slots=True)
class Crowding:
    """``ranges``: tables whose keys end in a number or range; ``addresses``: tables whose keys end in an
    address.

    If a range is removed, swss resets each of its numbers even if another row still covers it
    (sonic-net/sonic-swss e6b0c5b orchagent/bufferorch.cpp, processPriorityGroup and processQueue); of two
    addresses in one subnet it uses the first (orchagent/intfsorch.cpp, setIntf).
    """

    ranges: frozenset[str]
    addresses: frozenset[str]

    def pairs(self, ours: Iterable[Place], theirs: Iterable[Place]) -> Iterator[tuple[Place, Place]]:
        """(one of ours, one of theirs) under the same port or interface that overlap."""
        there: dict[tuple[str, str], list[tuple[Place, Span]]] = {}
        for place, span in self._spans(theirs):
            there.setdefault(_owner(place), []).append((place, span))
        for place, (kind, first, last) in self._spans(ours):
            for other, (its, begin, end) in there.get(_owner(place), ()):
                if other != place and its == kind and first <= end and begin <= last:
                    yield place, other

    def apart(self, under: Tables, over: Tables) -> tuple[Tables, Tables]:
        """Both without the rows that clash: of ranges the wider one stays, of addresses the new one."""
        gone, come = ([(t, k) for t, rows in one.items() for k in rows] for one in (under, over))
        beaten, spared = set[Place](), set[Place]()
        for mine, theirs in self.pairs(set(gone) - set(come), set(come) - set(gone)):
            if self._holds(mine, theirs):
                spared.add(theirs)
            else:
                beaten.add(mine)
        return _without(under, beaten), _without(over, spared)

    def _holds(self, one: Place, other: Place) -> bool:
        (_, first, last), (_, begin, end) = self._span(one) or (0, 0, 0), self._span(other) or (0, 0, 0)
        return one[0] in self.ranges and first <= begin and end <= last

    def _spans(self, places: Iterable[Place]) -> Iterator[tuple[Place, Span]]:
        yield from ((place, span) for place in places if (span := self._span(place)) is not None)

    def _span(self, place: Place) -> Span | None:
        text = place[1].rpartition("|")[2]
        if place[0] in self.ranges:
            numbers = range_of(text)
            return None if numbers is None else (0, *numbers)
        return network_span(text) if place[0] in self.addresses else None


def range_of(text: str) -> Range | None:
    """``3-4`` or ``3``."""
    first, _, last = text.partition("-")
    last = last or first
    return (int(first), int(last)) if first.isdecimal() and last.isdecimal() else None


def network_span(text: str) -> Span | None:
    """Span of an address with its prefix length."""
    try:
        network = IPNetwork(text)
    except (AddrFormatError, ValueError):
        return None
    return network.version, network.first, network.last


def crowding(rows: Mapping[str, Any]) -> Crowding:
    """``rows``: the section config_db of change.yaml."""
    return Crowding(frozenset(rows["ranges"]), frozenset(rows["addresses"]))


def _owner(place: Place) -> tuple[str, str]:
    return place[0], place[1].rpartition("|")[0]


def _without(tables: Tables, places: Iterable[Place]) -> Tables:
    left = set(places)
    if not left:
        return tables
    return {t: {k: row for k, row in rows.items() if (t, k) not in left} for t, rows in tables.items()}
