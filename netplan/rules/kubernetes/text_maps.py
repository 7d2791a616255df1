"""Maps of texts that hold other values: labels, annotations, data of a ConfigMap; for NP752."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, dotted
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.objects import Thing, inside, mapping
from netplan.report import and_more


def not_texts(cluster: ObjectGraph, thing: Thing) -> Iterator[tuple[Path, str, str]]:
    """Path, message, hint. One label of many objects is said once."""
    for at, value in _no_texts(cluster, thing):
        same = [thing]
        if at[0] == "metadata":
            same = cluster.once("values that are not text", lambda: _by_value(cluster))[at, str(value)]
        if same[0] is thing:
            shown, hint = _as_no_text(at, value)
            yield at, f"{dotted(at)} is {shown}, not text{and_more(len(same) - 1, 'object')}", hint


def _no_texts(cluster: ObjectGraph, thing: Thing) -> list[tuple[Path, Any]]:
    found = () if thing.live or is_form(thing) else _text_maps(thing, cluster.texts_annotations(thing.file))
    return [(at, value) for at, value in found if not isinstance(value, str) and value is not None]


def _by_value(cluster: ObjectGraph) -> dict[tuple[Path, str], list[Thing]]:
    """Objects with the same value at the same place: somebody copied it, which is one cause."""
    found: dict[tuple[Path, str], list[Thing]] = {}
    for thing in cluster.tree.things:
        for at, value in _no_texts(cluster, thing):
            found.setdefault((at, str(value)), []).append(thing)
    return found


def _as_no_text(at: Path, value: Any) -> tuple[str, str]:
    """The value as a message shows it, and what to do."""
    if at in _ONE_TOO_DEEP:
        return "a map", f"move {at[2]} out of {at[1]}, to the left: both are keys of metadata"
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "a map", "write one text"
    shown = str(value).lower() if isinstance(value, bool) else str(value)[:60]
    return shown, f'quote it: "{shown}"'


_GENERATED_FROM = frozenset({"PolicyGenTemplate", "PolicyGenerator", "SiteConfig", "ClusterInstance"})
"""Kinds that a generator reads, and no API server (openshift-kni/cnf-features-deploy ztp)."""


def is_form(thing: Thing) -> bool:
    """Whether a generator fills the object in: by its kind, or {} stands for its name or namespace."""
    names = (thing.metadata.get(key) for key in ("name", "namespace"))
    return thing.kind in _GENERATED_FROM or any(isinstance(name, dict) for name in names)


_ONE_TOO_DEEP = (("metadata", "annotations", "labels"), ("metadata", "labels", "annotations"))


def _text_maps(thing: Thing, built: bool) -> Iterator[tuple[Path, Any]]:
    places: list[Path] = [("metadata", "labels")]
    if not built:
        places.append(("metadata", "annotations"))
    if (thing.api_version, thing.kind) == ("v1", "ConfigMap"):
        places.append(("data",))
    for place in places:
        for key, value in mapping(inside(thing.body, place)).items():
            yield (*place, key), value
