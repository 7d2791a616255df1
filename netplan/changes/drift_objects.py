"""A cluster's objects against the planned ones: differences in fields that netplan writes.

What the API server and controllers add (status, defaults, finalizers, other fields) is not drift.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from netplan.changes.drift import Drift, Drifted
from netplan.changes.objects import LEFT_OUT, Key, key_of, name_of, said, tree_of
from netplan.changes.rivals import rivals
from netplan.changes.sides import Side
from netplan.graph.kubernetes.gather import cluster_of
from netplan.load import InputError
from netplan.model.ranges import gathered
from netplan.model.site import SiteFacts
from netplan.model.values import natural
from netplan.reading.kubernetes.files import read_input
from netplan.reading.kubernetes.load import ObjectTree, load_texts
from netplan.reading.kubernetes.objects import Thing, inside, read_texts

_MANAGED = ("metadata", "labels", "app.kubernetes.io/managed-by")
_PART_OF = ("metadata", "labels", "app.kubernetes.io/part-of")
_METADATA = ("labels", "annotations")
_LEAST = ("apiVersion", "kind", "status")
Path = tuple[str | int, ...]


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
    claimed = [*_claimed_twice(plan, replace(tree, things=tuple(running.values())), facts)]
    rows = [
        *_missing(compared, running, given),
        *_unlike(compared, running),
        *_unplanned(ours, running, facts),
        *claimed,
    ]
    absent = sorted({key[0] for key in ours} - kinds)
    notes = (f"{', '.join(absent)} not compared: none in {given}",) if absent else ()
    named = {key[0] for key in compared} | {row.target.partition(" ")[0] for row in claimed}
    return Drift(tuple(sorted(named)), tuple(rows), notes)


def _claimed_twice(plan: ObjectTree, tree: ObjectTree, facts: SiteFacts) -> Iterator[Drifted]:
    """Objects that the other rows do not name: of nobody, or of another site in the same cluster."""
    for thing in tree.things:
        read_texts(thing)
    ours = {key_of(thing) for thing in plan.things}
    gone = {(kind, name) for kind, _, name in ours - {key_of(thing) for thing in tree.things}}
    named = {
        id(t) for t in tree.things if key_of(t) in ours or (t.kind, t.name) in gone or _of_site(t, facts)
    }
    yield from rivals(cluster_of(plan, {}, whole=True), cluster_of(tree, {}), facts, named)


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


def _unlike(ours: Mapping[Key, Any], running: Mapping[Key, Thing]) -> Iterator[Drifted]:
    """One row for objects of a kind with the same differences, at the place of the first."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for key in sorted(ours.keys() & running.keys()):
        for at, planned, other in _fields(ours[key], running[key].body):
            change = f"{'.'.join(map(str, at))} {said(other, planned)} -> {said(planned, other)}"
            groups.setdefault((key[0], change), []).append((name_of(key), _place(running[key], at)))
    for (kind, change), alike in groups.items():
        yield Drifted(f"{kind} {gathered(name for name, _ in alike)}", change, alike[0][1])


def _place(thing: Thing, at: Path) -> str:
    """Place of the field, or of its nearest existing parent."""
    source = thing.source(at)
    return f"{source.file}:{source.line}"


def _fields(planned: dict[str, Any], running: dict[str, Any]) -> Iterator[tuple[Path, Any, Any]]:
    for key, value in planned.items():
        if key == "metadata":
            for part in _METADATA:
                yield from _within(value.get(part), inside(running, ("metadata", part)), ("metadata", part))
        elif key not in _LEAST:
            yield from _within(value, running.get(key), (key,))


def _within(planned: Any, running: Any, at: Path, whole: bool = False) -> Iterator[tuple[Path, Any, Any]]:
    """Paths where the running value lacks what is planned, with both values. Empty values do not count: the
    API server drops them. ``whole``: inside a JSON text, which nobody else writes into."""
    if (planned is None and not whole) or _same(planned, running):
        return
    one, other = _opened(planned, running)
    whole = whole or one is not planned
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *(other if whole else ())]):
            yield from _within(one.get(key), other.get(key), (*at, str(key)), whole)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other, strict=True)):
            yield from _within(*pair, (*at, index), whole)
    elif not _same(one, other):
        yield at, one, other


def _same(planned: Any, running: Any) -> bool:
    """A quantity may be written as a number or as text."""
    if planned in (None, "", [], {}) and running in (None, "", [], {}):
        return True
    if isinstance(planned, bool) or isinstance(running, bool):
        return planned is running
    scalars = isinstance(planned, str | int | float) and isinstance(running, str | int | float)
    return planned == running or (scalars and str(planned) == str(running))


def _opened(planned: Any, running: Any) -> tuple[Any, Any]:
    """JSON texts as data, to compare them by field."""
    if not (isinstance(planned, str) and isinstance(running, str)):
        return planned, running
    try:
        both = json.loads(planned), json.loads(running)
    except (ValueError, RecursionError):
        return planned, running
    return both if all(isinstance(each, dict | list) for each in both) else (planned, running)
