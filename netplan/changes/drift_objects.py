"""A cluster's objects against the planned ones: differences in fields that netplan writes.

What the API server and controllers add (status, defaults, finalizers, other fields) is not drift.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from netplan.changes.drift import Drift, Drifted
from netplan.changes.object_fields import Path, Unlike, unlike_beyond_names, unlike_fields
from netplan.changes.objects import LEFT_OUT, Key, key_of, name_of, said, tree_of
from netplan.changes.renamed_objects import Pair, replaced
from netplan.changes.rival_claims import Claims
from netplan.changes.rivals import rivals
from netplan.changes.sides import Side
from netplan.graph.kubernetes.gather import cluster_of
from netplan.load import InputError
from netplan.model.ranges import gathered
from netplan.model.site import SiteFacts
from netplan.model.values import natural
from netplan.reading.kubernetes.files import read_input
from netplan.reading.kubernetes.load import load_texts
from netplan.reading.kubernetes.objects import Thing, inside, read_texts
from netplan.reading.kubernetes.tree import ObjectTree

_MANAGED = ("metadata", "labels", "app.kubernetes.io/managed-by")
_PART_OF = ("metadata", "labels", "app.kubernetes.io/part-of")


def object_drift(planned: Side, facts: SiteFacts, given: str) -> Drift:
    """``given``: the output of ``kubectl get ... -o yaml`` (or json), a folder of such files, or ``-`` for
    standard input. Raises InputError."""
    found = read_input(given)
    if found.large:
        raise InputError(f"{found.large[0]} is too large to read")
    return objects_drift(planned, facts, found.texts, given)


def objects_drift(planned: Side, facts: SiteFacts, texts: Mapping[str, str], given: str) -> Drift:
    """The same for texts by file name. Raises InputError."""
    tree = load_texts(texts, given)
    broken = next((each.message for each in tree.problems), None)
    if broken is not None:
        raise InputError(f"{given}: {broken}")
    running = {key_of(thing): thing for thing in tree.things}
    if not running:
        raise InputError(f"{given} contains no Kubernetes object: pass the output of kubectl get -o yaml")
    plan = tree_of(planned, _files(planned))
    ours = {key_of(thing): thing.body for thing in plan.things if thing.kind not in LEFT_OUT}
    kinds = {key[0] for key in running}
    compared = {key: body for key, body in ours.items() if key[0] in kinds}
    around = _Around(plan, replace(tree, things=tuple(running.values())), facts)
    claimed = [*around.claimed_twice()]
    rows = [
        *_missing(compared, running, given),
        *_unlike(_same_name(compared, running)),
        *_unplanned(ours, running, facts),
        *claimed,
        *_unlike(_other_name(around.replaced())),
    ]
    absent = sorted({key[0] for key in ours} - kinds)
    notes = (f"{', '.join(absent)} not compared: none in {given}",) if absent else ()
    named = {key[0] for key in compared} | {row.target.partition(" ")[0] for row in claimed}
    return Drift(tuple(sorted(named)), tuple(rows), notes)


class _Around:
    """Running objects that are not planned, beside the planned ones. What a controller made is left out: it
    goes with what it was made from."""

    def __init__(self, plan: ObjectTree, tree: ObjectTree, facts: SiteFacts) -> None:
        for thing in tree.things:
            read_texts(thing)
        self._facts, self._ours = facts, {key_of(thing) for thing in plan.things}
        self._gone = self._ours - {key_of(thing) for thing in tree.things}
        self._planned, self._running = cluster_of(plan, {}, whole=True), cluster_of(tree, {})
        self._left = [thing for thing in tree.things if key_of(thing) not in self._ours and not thing.owned]
        self._claims = Claims(self._planned, self._running, facts, self._left)

    def claimed_twice(self) -> Iterator[Drifted]:
        """By objects that the other rows do not name: of nobody, or of another site in the same cluster."""
        gone = {(kind, name) for kind, _, name in self._gone}
        left = [t for t in self._left if (t.kind, t.name) not in gone and not _of_site(t, self._facts)]
        return rivals(self._claims, left)

    def replaced(self) -> list[Pair]:
        missing = {id(thing) for thing in self._planned.tree.things if key_of(thing) in self._gone}
        return [*replaced(self._planned, self._running, self._claims, self._left, missing)]


def _files(side: Side) -> set[str]:
    return {path for path in side.texts if path.startswith("kubernetes/")}


def _missing(ours: Mapping[Key, Any], running: Mapping[Key, Thing], given: str) -> Iterator[Drifted]:
    gone = [key for key in ours if key not in running]
    elsewhere = {(kind, name): thing for (kind, _, name), thing in sorted(running.items(), reverse=True)}
    for key in gone:
        other = elsewhere.get((key[0], key[2]))
        if other is not None:
            where = f"namespace {other.namespace}" if other.namespace else "no namespace"
            place = _place(other, ("metadata", "namespace"))
            yield Drifted(f"{key[0]} {name_of(key)}", f"missing; one of this name is in {where}", place)
    for kind in dict.fromkeys(key[0] for key in gone):
        names = [name_of(key) for key in gone if key[0] == kind and (kind, key[2]) not in elsewhere]
        if names:
            yield Drifted(f"{kind} {gathered(sorted(names, key=natural))}", "missing", given)


def _unplanned(ours: Mapping[Key, Any], running: Mapping[Key, Thing], facts: SiteFacts) -> Iterator[Drifted]:
    """Objects from an earlier render of this site."""
    for key, thing in sorted(running.items()):
        if _of_site(thing, facts) and key not in ours:
            place = _place(thing, ("metadata", "name"))
            yield Drifted(f"{key[0]} {name_of(key)}", "not planned", place)


def _of_site(thing: Thing, facts: SiteFacts) -> bool:
    return (inside(thing.body, _MANAGED), inside(thing.body, _PART_OF)) == ("netplan", facts.name)


class _Unlike(NamedTuple):
    """``of``: name of the planned object, where the running one has another."""

    thing: Thing
    of: str
    field: Unlike

    @property
    def change(self) -> str:
        at, planned, runs = self.field
        return f"{'.'.join(map(str, at))} {said(runs, planned)} -> {said(planned, runs)}"


def _same_name(ours: Mapping[Key, Any], running: Mapping[Key, Thing]) -> Iterator[_Unlike]:
    for key in sorted(ours.keys() & running.keys()):
        for field in unlike_fields(ours[key], running[key].body):
            yield _Unlike(running[key], "", field)


def _other_name(pairs: list[Pair]) -> Iterator[_Unlike]:
    """Of objects that planned ones of other names replace; the names alone are no difference."""
    names: dict[str, set[str]] = {}
    for planned, thing in pairs:
        names.setdefault(thing.name, set()).add(planned.name)
    for planned, thing in pairs:
        for field in unlike_beyond_names(planned.body, thing.body, names):
            yield _Unlike(thing, name_of(key_of(planned)), field)


def _unlike(found: Iterable[_Unlike]) -> Iterator[Drifted]:
    """One row for objects of a kind with the same differences, at the place of the first."""
    groups: dict[tuple[str, str, bool], list[_Unlike]] = {}
    for each in found:
        groups.setdefault((each.thing.kind, each.change, bool(each.of)), []).append(each)
    for (kind, change, other), alike in groups.items():
        whom = gathered(dict.fromkeys(name_of(key_of(each.thing)) for each in alike))
        of = f", in planned {gathered(dict.fromkeys(each.of for each in alike))}" if other else ""
        yield Drifted(f"{kind} {whom}", f"{change}{of}", _place(alike[0].thing, alike[0].field[0]))


def _place(thing: Thing, at: Path) -> str:
    """Place of the field, or of its nearest existing parent."""
    source = thing.source(at)
    return f"{source.file}:{source.line}"
