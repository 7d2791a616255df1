"""Which objects of a directory are judged, each with the namespace that it is applied to.

Patches look like objects but are none. Objects in folders of what is not in use are left out where there are
others. What a patch completes, and what is of a test, is marked so.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import Any

from netplan.reading.kubernetes.flux import Targets
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.reading.kubernetes.partial import partial_things
from netplan.reading.kubernetes.passed_over import is_fixture, is_unused
from netplan.reading.kubernetes.placeholders import templated
from netplan.report import count

_PATCH_FILE = re.compile(r"(?:^|[-_./])patch(?:es)?(?:[-_./]|\Z)", re.IGNORECASE)
"""A path that is named as a patch, in case no kustomization that was read lists it."""


def judged(
    things: list[Thing], kustomizations: Mapping[str, Thing], base: str, between: Container[str]
) -> tuple[list[Thing], list[str]]:
    """The objects, and what is said of those left out. ``between``: files whose objects the next function of
    a pipeline may complete."""
    whole, left = _without_patches(things, kustomizations, base)
    kept = [t for t in whole if not is_unused(t.file, base)] or whole
    notes = [f"{count(len(left), 'patch file object')} not judged"] if left else []
    if unused := len(whole) - len(kept):
        notes.append(f"{count(unused, 'object')} in folders of what is not in use not judged")
    partial = partial_things(kept, left, kustomizations) | {id(t) for t in kept if t.file in between}
    placed = _placed(kept, base, kustomizations)
    fixtures = (is_fixture(t.file, base) for t in kept)
    marked = zip(kept, placed, fixtures, strict=True)
    return [replace(new, partial=test or id(t) in partial, fixture=test) for t, new, test in marked], notes


def _without_patches(
    things: list[Thing], kustomizations: Mapping[str, Thing], base: str
) -> tuple[list[Thing], list[Thing]]:
    """The objects, and those that are patches."""
    named = patch_files(kustomizations)
    whole: list[Thing] = []
    left: list[Thing] = []
    for thing in things:
        is_patch = is_patch_file(thing.file, named, base) or _directs(thing.body)
        (left if is_patch else whole).append(thing)
    return whole, left


def patch_files(kustomizations: Mapping[str, Thing]) -> frozenset[str]:
    """Those that a kustomization names as patches, or as configuration of plugins."""
    return frozenset(path for folder, k in kustomizations.items() for path in _patches(folder, k))


def is_patch_file(file: str, named: Container[str], base: str) -> bool:
    """Whether what is in it modifies objects defined elsewhere: it is named so, or its path has the word."""
    return file in named or _PATCH_FILE.search(file.removeprefix(base)) is not None


def _patches(folder: str, kustomization: Thing) -> Iterator[str]:
    """Paths of the files that a kustomization names as patches, or as configuration of plugins."""
    body = kustomization.body
    entries = [
        mapping(e).get("path") for key in ("patches", "patchesJson6902") for e in listing(body.get(key))
    ]
    whole = ("patchesStrategicMerge", "transformers", "generators", "validators")
    for entry in [*entries, *(entry for key in whole for entry in listing(body.get(key)))]:
        if isinstance(entry, str):
            yield posixpath.normpath(posixpath.join(folder, entry))


def _directs(value: Any) -> bool:
    """Whether the value contains a directive of a strategic merge patch."""
    if isinstance(value, dict):
        return any(key in ("$patch", "$retainKeys") or _directs(item) for key, item in value.items())
    return isinstance(value, list) and any(map(_directs, value))


def _placed(things: list[Thing], base: str, kustomizations: Mapping[str, Thing]) -> Iterator[Thing]:
    """The objects, each with the namespace that Flux gives to its folder, else the nearest kustomization in a
    parent directory."""
    targets = Targets(things, base)
    for thing in things:
        given = targets.of(thing.file)
        if given is None:
            given = _of_kustomizations(posixpath.dirname(thing.file), kustomizations)
        yield thing if given is None else replace(thing, namespace=given[0])


def _of_kustomizations(folder: str, kustomizations: Mapping[str, Thing]) -> tuple[str | None] | None:
    """As ``Targets.of``, for the kustomizations in a folder and above it."""
    while True:
        at = kustomizations.get(folder)
        namespace = at.body.get("namespace") if at else None
        if isinstance(namespace, str) and namespace:
            return (None if templated(namespace) else namespace,)
        if not folder or folder == posixpath.dirname(folder):
            return None
        folder = posixpath.dirname(folder)
