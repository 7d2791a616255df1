"""Patches that move the pod templates of every kind of job to a common place, and back.

A patch silently skips kinds it does not name. So each known object gets a mark, and an object without a mark
fails the build: kustomize has no other guard (no plugin, no validator in ``kubectl kustomize``). Then
templates are moved to the same place in every object, which keeps the replacements few. Targets are regular
expressions in patches (``^$``: the core group), but in replacements only from kustomize 5.8 on; annotations
select in both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from netplan.model.pod_kinds import ANY, RAILS, SHAPES, TEMPLATE, WITHOUT_PODS, PodKind, PodTemplates
from netplan.render.dump import OneLine

UNKNOWN = "/netplan-does-not-know-this-kind-or-annotation"
"""kustomize's error shows only this path; the workload's README explains it."""

KNOWN = "netplan/known"
_EVERY = {"group": ANY, "kind": ANY}


def mark(shape: str) -> str:
    """Name of the annotation that marks objects while the component works on them."""
    return f"netplan/{shape}"


def taken_out(kinds: tuple[PodKind, ...]) -> list[dict[str, Any]]:
    """Patches that mark the objects, guard against unmarked ones, then move the templates."""
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
    """Patches that move the templates back, then remove the marks. kustomize does not print empty
    ``annotations``."""
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
    """Annotation selector of the objects in which these templates get rails, with the annotation or without
    it."""
    others = [t.name for t in kind.templates if t is not templates]
    if not others:
        return f"!{RAILS}"
    if templates.default:
        return f"{RAILS} notin (none, {', '.join(others)})"
    return f"{RAILS} in (all, {templates.name})"


def _unknown(kinds: tuple[PodKind, ...]) -> Iterator[dict[str, str]]:
    """Targets of unmarked objects, and of known objects whose annotation has an unknown value."""
    yield {**_EVERY, "annotationSelector": f"!{KNOWN}"}
    for kind in kinds:
        names = [each.name for each in kind.templates]
        if len(names) > 1:
            values = ", ".join(("none", "all", *names))
            yield {**_target(kind), "annotationSelector": f"{RAILS}, {RAILS} notin ({values})"}


def _stated(kinds: tuple[PodKind, ...]) -> Iterator[dict[str, Any]]:
    """Checks that a job has the fields it must have, by moving each onto itself, and lacks optional templates
    unless its annotation says which pods get rails.

    Only ``move`` fails on a missing key of an existing map (evanphx/json-patch patch.go); ``copy`` writes
    null.
    """
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
    """Patch that marks the target. As a strategic merge it creates the annotations map if missing; the kind
    and name in it are placeholders."""
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
    """JSON pointer (RFC 6901) with ``~`` and ``/`` in keys escaped."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)
