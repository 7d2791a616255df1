"""Running objects that planned ones of another name replace: the same addresses, VFs or resource."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from netplan.changes.rival_claims import ALSO, Claims, range_of_held
from netplan.changes.rival_ranges import held_by
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.objects import Thing

Mark = tuple[str, ...]
"""Kind of a network, and a range, or resource and namespace."""
Pair = tuple[Thing, Thing]
"""Planned, running."""


def replaced(
    planned: ObjectGraph, running: ObjectGraph, claims: Claims, left: Iterable[Thing], missing: Container[int]
) -> Iterator[Pair]:
    """Pairs of one kind. ``left``: running objects that are not planned; ``missing``: by id, planned ones
    that do not run."""
    ours = [thing for thing in planned.tree.things if id(thing) in missing]
    by_name = {key: [*same] for key, same in groupby(sorted(ours, key=_name), key=_name)}
    networks: dict[Mark, list[_Network]] = {}
    for net in _networks(planned):
        for mark in net.marks if id(net.thing) in missing else ():
            networks.setdefault(mark, []).append(net)
    theirs = {id(net.thing): net for net in _networks(running)}
    for thing in left:
        found = by_name.get(_name(thing)) or _claimed(claims, thing, missing)
        if not found and id(thing) in theirs:
            found = theirs[id(thing)].likest(networks)
        yield from ((each, thing) for each in found)


def _name(thing: Thing) -> tuple[str, str]:
    return thing.kind, thing.name


def _claimed(claims: Claims, thing: Thing, missing: Container[int]) -> list[Thing]:
    claim = claims.of(thing)
    planned = claim.planned if claim is not None and claim.how == ALSO else ()
    return [each for each in planned if id(each) in missing and each.kind == thing.kind]


@dataclass(frozen=True, slots=True)
class _Network:
    """``ranges``: that it hands out, of a pool or its own."""

    thing: Thing
    namespace: str | None
    resource: str
    ranges: frozenset[str]

    def like(self, other: _Network) -> tuple[bool, bool]:
        return self.resource == other.resource, self.namespace == other.namespace

    @property
    def marks(self) -> list[Mark]:
        """Each of its ranges; of a network without any its resource and namespace."""
        if not self.ranges:
            return [(self.thing.kind, self.resource, str(self.namespace))] if self.resource else []
        return [(self.thing.kind, text) for text in sorted(self.ranges)]

    def likest(self, marks: Mapping[Mark, Sequence[_Network]]) -> list[Thing]:
        """Of networks with a mark in common those that are most like it."""
        same = {id(each.thing): each for mark in self.marks for each in marks.get(mark, ())}.values()
        best = max((self.like(each) for each in same), default=None)
        return [each.thing for each in same if self.like(each) == best]


def _networks(cluster: ObjectGraph) -> list[_Network]:
    ranges: dict[int, set[str]] = {}
    for held in held_by(cluster):
        ranges.setdefault(id(held.thing), set()).add(range_of_held(held))
    return [
        _Network(
            net.thing,
            net.namespace,
            (net.resource or "").rpartition("/")[2],
            frozenset(ranges.get(id(net.thing), ())),
        )
        for net in cluster.networks
    ]
