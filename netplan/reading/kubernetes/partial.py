"""Objects that are incomplete as written: a patch or a template supplies the rest.

kustomize builds the objects of a base with the patches of its overlays (kubectl.docs.kubernetes.io,
references/kustomize, bases and overlays); only the result goes to an API server.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated

_BASE = re.compile(r"(?:^|[-_./])bases?(?:[-_./]|\Z)", re.IGNORECASE)
"""A folder that is named as a base: its overlays may be elsewhere."""
Target = tuple[str | None, str | None]
"""Kind and name of what a patch changes; None matches any."""


def partial_things(
    things: Iterable[Thing], patches: Iterable[Thing], kustomizations: Mapping[str, Thing]
) -> set[int]:
    """``id`` of each incomplete object. ``patches``: objects that are themselves patches."""
    targets: set[Target] = {(patch.kind, patch.name) for patch in patches}
    for kustomization in kustomizations.values():
        targets.update(_targets(kustomization))
    built = {
        path
        for folder, k in kustomizations.items()
        if _BASE.search(folder)
        for path in built_files(folder, k)
    }
    every = list(things)
    left = _left_out(every, kustomizations)
    return {
        id(thing)
        for thing in every
        if templated(thing.name) or thing.file in built or _is_target(thing, targets) or id(thing) in left
    }


def _left_out(things: list[Thing], kustomizations: Mapping[str, Thing]) -> set[int]:
    """``id`` of each object that the kustomization of its folder leaves out, while another file defines it
    too: what is left of it is a form that the other one fills in."""
    files: dict[tuple[str, str], set[str]] = {}
    for thing in things:
        files.setdefault((thing.group, str(thing)), set()).add(thing.file)
    return {
        id(thing)
        for thing in things
        if len(files[thing.group, str(thing)]) > 1 and not is_listed(thing.file, kustomizations)
    }


def _is_target(thing: Thing, targets: set[Target]) -> bool:
    kind, name = thing.kind, thing.name
    return not targets.isdisjoint({(kind, name), (kind, None), (None, name), (None, None)})


def _targets(kustomization: Thing) -> Iterator[Target]:
    """Targets of the inline patches of a kustomization. A name that is a regular expression counts as any
    name."""
    for key in ("patches", "patchesJson6902"):
        for entry in listing(kustomization.body.get(key)):
            target = inside(entry, ("target",))
            if isinstance(target, dict):
                kind, name = (target.get(part) for part in ("kind", "name"))
                plain = isinstance(name, str) and re.fullmatch(r"[a-z0-9-]+", name)
                yield (kind if isinstance(kind, str) else None, name if plain else None)


def built_files(folder: str, kustomization: Thing) -> Iterator[str]:
    """Files and folders that a kustomization lists as resources or bases."""
    body = mapping(kustomization.body)
    for entry in (*listing(body.get("resources")), *listing(body.get("bases"))):
        if isinstance(entry, str):
            yield posixpath.normpath(posixpath.join(folder, entry))


def renamed_files(kustomizations: Mapping[str, Thing]) -> tuple[str, frozenset[str]]:
    """The first folder whose kustomization gives names a prefix or suffix, and all files that such ones
    build, themselves or through other kustomizations."""
    renaming = [f for f, k in kustomizations.items() if any(map(k.body.get, ("namePrefix", "nameSuffix")))]
    built: dict[str, None] = {}
    left = list(renaming)
    while left:
        folder = left.pop()
        below = set(built_files(folder, kustomizations[folder])) - built.keys()
        built |= dict.fromkeys(below)
        left += [path for path in below if path in kustomizations]
    return (renaming[0] if renaming else ""), frozenset(built)


def is_listed(file: str, kustomizations: Mapping[str, Thing]) -> bool:
    """Whether a kustomization lists the file, if that of its folder lists files at all."""
    own = kustomizations.get(posixpath.dirname(file))
    if own is None or not any(built_files("", own)):
        return True
    return is_built(file, kustomizations)


def is_built(file: str, kustomizations: Mapping[str, Thing]) -> bool:
    """Whether a kustomization lists the file as a resource. What it builds has the annotations of objects as
    texts, whatever was written; labels and templates stay as they are (kubernetes-sigs/kustomize 12f9e63
    api/resource/resource.go, RemoveBuildAnnotations; kyaml/yaml/rnode.go, SetAnnotations)."""
    return any(file in built_files(folder, each) for folder, each in kustomizations.items())
