"""Why a fact is not read although a text states part of it: the lines that go with those that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.model.values import InterfaceAddress
from netplan.reading.switches.columns import columns_in
from netplan.reading.switches.contradictions import network_of
from netplan.reading.switches.facts import Source
from netplan.reading.switches.lines import BELOW, Row
from netplan.reading.switches.places import Lines, lines_in
from netplan.reading.switches.rules import Rules
from netplan.records import dataclass

Bound = Mapping[str, Any]
_MOST = 64
"""Limit of joined rows that are followed."""
_TOKEN = re.compile(r"<([a-z_]+)[^>]*>")
_OPTIONAL = re.compile(r"\([^()]*\)\?")


Said = tuple[str, str]
"""Table, empty for a command, and field or command."""


@dataclass(frozen=True, slots=True)
class Half:
    """``line``: what is there; ``lacking``: what would complete it; ``against``: what cancels it."""

    line: int
    lacking: tuple[Said, ...]
    against: tuple[Said, ...]

    def __str__(self) -> str:
        """``without BGP_NEIGHBOR_AF route_map_in, route_map_out``"""
        told = [f"without {_listed(self.lacking)}"] if self.lacking else []
        told += [f"not read because of {_listed(self.against)}"] if self.against else []
        return ", ".join(told)


def _listed(said: tuple[Said, ...]) -> str:
    """A table that several fields follow once."""
    before = ("", *(table for table, _ in said))
    return ", ".join(
        f"{table} {name}" if table and table != last else name
        for last, (table, name) in zip(before, said, strict=False)
    )


def half_stated(rules: Rules, text: str, fact: str, known: Mapping[str, str]) -> Half | None:
    """``known``: the columns that say what it is about, such as ``{"ip": "10.0.0.1"}``. None if no line of
    the fact says anything of it, or nothing is missing. Of several ways to state it, the one that lacks
    least."""
    lines = lines_in(rules, text)
    halves = (half for each in rules.facts.get(fact, ()) if (half := _of_source(each, lines, known)))
    least = min(halves, key=lambda half: len(half.lacking) + len(half.against), default=None)
    return least if least is not None and (least.lacking or least.against) else None


def _of_source(source: Source, lines: Lines, known: Mapping[str, str]) -> Half | None:
    bound: list[Bound] = [known]
    place, lacking, open_ = 0, list[Said](), set[str]()
    for pattern in _connected(source.patterns, known):
        columns = _columns(pattern)
        if open_ & columns:
            continue  # it depends on what is missing
        found = [(one, line) for row, line in lines.get(pattern, ()) for one in _joined(pattern, row, bound)]
        if not found:
            lacking.append(_words(pattern, bound[0]))
            open_ |= columns - bound[0].keys()
            continue
        bound = [one for one, _ in found[:_MOST]]
        place = place or (found[0][1] if known.keys() <= columns else 0)
    against = [_words(pattern, bound[0]) for pattern in source.unless if lines.get(pattern)]
    return Half(place, tuple(lacking), tuple(against)) if place else None


def _columns(pattern: str) -> set[str]:
    return {name for name, _, _ in columns_in(pattern)}


def _connected(patterns: tuple[str, ...], known: Mapping[str, str]) -> Iterator[str]:
    """Those with known columns first, then those that share one with a pattern before."""
    left, reached = list(patterns), set(known)
    while left:
        pattern = next((each for each in left if _columns(each) & reached), left[0])
        left.remove(pattern)
        reached |= _columns(pattern)
        yield pattern


def _joined(pattern: str, row: Row, bound: list[Bound]) -> Iterator[Bound]:
    own = dict(zip((name for name, _, _ in columns_in(pattern)), row, strict=False))
    for one in bound:
        if all(_says(own[name], one[name]) for name in own.keys() & one.keys()):
            yield {**one, **own}


def _says(value: Any, wanted: Any) -> bool:
    """An announced network is stated by the address of an interface in it."""
    if str(value) == str(wanted):
        return True
    return isinstance(value, InterfaceAddress) and str(network_of(value)) == str(wanted)


def _words(pattern: str, bound: Bound) -> Said:
    """``BGP_NEIGHBOR_AF`` and ``route_map_in`` of a table, the command of a text."""
    above, _, last = pattern.rpartition(BELOW)
    name, equals, value = last.partition(" = ")
    filled = _TOKEN.sub(lambda found: str(bound.get(found[1], found[0])), name)
    shown = _OPTIONAL.sub("", filled).replace("\\", "")
    if not equals:
        return "", shown
    free = _TOKEN.search(value) or re.search(r"[\\[(+*]", value)
    return above.partition(BELOW)[0], shown if free else f"{shown} = {value}"
