"""Patches that bring the pod templates of every kind of job into reach, and put them back.

A patch passes over kinds it does not name without a word. So each object that is known gets a mark, and one
without a mark fails the build: that is all the guard there is in kustomize (no plugin, no validator in
``kubectl kustomize``). Then templates are moved to the same place in every object, which keeps the
replacements few. Targets are regular expressions in patches (``^$``: the core group), which they are in
replacements only from kustomize 5.8 on; annotations select in both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from netplan.model.pod_kinds import ANY, RAILS, SHAPES, TEMPLATE, WITHOUT_PODS, PodKind, PodTemplates
from netplan.render.dump import OneLine

UNKNOWN = "/netplan-does-not-know-this-kind-or-annotation"
"""All that kustomize says is this path; the README of the workload goes on from there."""

KNOWN = "netplan/known"
_EVERY = {"group": ANY, "kind": ANY}


def mark(shape: str) -> str:
    """Annotation that objects have while the component works on them."""
    return f"netplan/{shape}"


def taken_out(kinds: tuple[PodKind, ...]) -> list[dict[str, Any]]:
    """Marks, the guard, then the moves."""
    group = "|".join(group for group, known in WITHOUT_PODS.items() if known == ANY)
    without = [(group or "^$", known) for group, known in WITHOUT_PODS.items() if known != ANY]
    each = list(_each(kinds))
    single = {**_EVERY, "annotationSelector": mark(TEMPLATE.name)}
    return [
        *(_marked({"group": g, "kind": k}) for g, k in [*without, (group, ANY)]),
        _marked({**_EVERY, "annotationSelector": f"{RAILS}=none"}),
        *(_marked(target, t.shape.name) for target, t in each),
        *(_patch(target, {"op": "test", "path": UNKNOWN, "value": "known"}) for target in _unknown(kinds)),
        *_stated(kinds),
        _patch(single, {"op": "add", "path": _pointer(TEMPLATE.path[:1]), "value": []}),
        *(_patch(target, _move(t.place, _moved(t, "-"))) for target, t in each if t.shape.moved),
    ]


def put_back(kinds: tuple[PodKind, ...]) -> list[dict[str, Any]]:
    """In the order of the moves, then without marks; kustomize does not print empty ``annotations``."""
    marks = (KNOWN, *(mark(shape.name) for shape in SHAPES))
    single = {**_EVERY, "annotationSelector": mark(TEMPLATE.name)}
    return [
        *(_patch(target, _move(_moved(t, "0"), t.place)) for target, t in _each(kinds) if t.shape.moved),
        _patch(single, {"op": "remove", "path": _pointer(TEMPLATE.path[:1])}),
        *(_patch({**_EVERY, "annotationSelector": m}, _unmark(m)) for m in marks),
    ]


def _each(kinds: tuple[PodKind, ...]) -> Iterator[tuple[dict[str, str], PodTemplates]]:
    for kind in kinds:
        for each in kind.templates:
            yield {**_target(kind), "annotationSelector": _chosen(kind, each)}, each


def _chosen(kind: PodKind, templates: PodTemplates) -> str:
    """Objects whose annotation, or the lack of it, chooses these templates."""
    others = [t.name for t in kind.templates if t is not templates]
    if not others:
        return f"!{RAILS}"
    if templates.default:
        return f"{RAILS} notin (none, {', '.join(others)})"
    return f"{RAILS} in (all, {templates.name})"


def _unknown(kinds: tuple[PodKind, ...]) -> Iterator[dict[str, str]]:
    """Objects without a mark, and known ones with a value of the annotation that says nothing."""
    yield {**_EVERY, "annotationSelector": f"!{KNOWN}"}
    for kind in kinds:
        names = [each.name for each in kind.templates]
        if len(names) > 1:
            values = ", ".join(("none", "all", *names))
            yield {**_target(kind), "annotationSelector": f"{RAILS}, {RAILS} notin ({values})"}


def _stated(kinds: tuple[PodKind, ...]) -> Iterator[dict[str, Any]]:
    """What a job must have, moved to its own place, and what it must not have unless it says who gets rails.

    Only ``move`` fails at a missing key of a map that is there (evanphx/json-patch patch.go): ``copy`` writes
    null."""
    for kind in kinds:
        for place in kind.states:
            path = _pointer(place)
            yield _patch(
                {**_target(kind), "annotationSelector": f"!{RAILS}"},
                {"op": "move", "from": path, "path": path},
            )
        for each in kind.templates:
            if each.optional:
                unsaid = {**_target(kind), "annotationSelector": f"!{RAILS}"}
                yield _patch(unsaid, {"op": "test", "path": _pointer(each.place), "value": None})


def _target(kind: PodKind) -> dict[str, str]:
    return {"group": kind.group or "^$", "kind": "|".join(kind.kinds)}


def _marked(target: dict[str, str], *shapes: str) -> dict[str, Any]:
    """A strategic merge makes the map of annotations where there is none. Its own names say nothing."""
    annotations = dict.fromkeys((KNOWN, *(mark(shape) for shape in shapes)), "true")
    patch = {"apiVersion": "v1", "kind": "any", "metadata": {"name": "any", "annotations": annotations}}
    return {"target": OneLine(target), "patch": json.dumps(patch)}


def _patch(target: dict[str, str], operation: dict[str, Any]) -> dict[str, Any]:
    return {"target": OneLine(target), "patch": json.dumps([operation])}


def _moved(templates: PodTemplates, index: str) -> tuple[str, ...]:
    place = templates.shape.path[:1]
    return place if templates.shape.listed else (*place, index)


def _move(source: tuple[str, ...], target: tuple[str, ...]) -> dict[str, Any]:
    return {"op": "move", "from": _pointer(source), "path": _pointer(target)}


def _unmark(annotation: str) -> dict[str, Any]:
    return {"op": "remove", "path": _pointer(("metadata", "annotations", annotation))}


def _pointer(parts: tuple[str, ...]) -> str:
    """JSON pointer (RFC 6901): ``~`` and ``/`` inside a key are escaped."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)
