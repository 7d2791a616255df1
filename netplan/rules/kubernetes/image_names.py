"""Names of images that no registry can have, for NP752: a dash pasted from a manual."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, dotted
from netplan.graph.kubernetes.cluster import NVIDIA, ObjectGraph
from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import Thing
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.pod_fields import all_pods_by_thing

_PARTS = ("repository", "image", "version")
"""Of an image in a NicClusterPolicy."""
_PASTED = ("Pd", "Zs", "Cf")
"""Dashes, spaces and marks without a width (unicode.org/reports/tr44, General_Category); letters of another
script say what to write there."""


def image_faults(cluster: ObjectGraph, thing: Thing) -> Iterator[FieldFault]:
    """Images of containers, and of the parts that the NVIDIA Network Operator deploys."""
    if thing.group == NVIDIA:
        for at, image in _images(thing.spec, ("spec",)):
            for key in _PARTS:
                yield from _strange((*at, key), image.get(key))
    for pod in all_pods_by_thing(cluster).get(id(thing), ()):
        for place, container in (*pod.containers(), *pod.containers("initContainers")):
            yield from _strange((*place, "image"), container.get("image"))


def _images(value: Any, at: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    if isinstance(value, dict):
        if "image" in value and "version" in value:
            yield at, value
        for key, item in value.items():
            yield from _images(item, (*at, key))


def _strange(at: Path, text: Any) -> Iterator[FieldFault]:
    if not isinstance(text, str) or templated(text):
        return
    odd = next((c for c in text if not c.isascii() and unicodedata.category(c) in _PASTED), "")
    if odd:
        message = f"{dotted(at)} is {text!r}, and U+{ord(odd):04X} is in no name of an image"
        hint = "write - in its place" if unicodedata.category(odd) == "Pd" else "write the name without it"
        yield FieldFault(at, message, hint)
