"""Namespaces that Kustomizations of Flux give to all objects of a folder.

``targetNamespace`` sets or overrides the namespace in the kustomization.yaml of ``path``, and so that of
every object (fluxcd/kustomize-controller 8ccbdc90 docs/spec/v1/kustomizations.md, Target namespace).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from netplan.reading.kubernetes.objects import Thing
from netplan.reading.kubernetes.placeholders import templated

_GROUP = "kustomize.toolkit.fluxcd.io"


class Targets:
    """``base``: the directory given, which may lie below the root of the repository."""

    def __init__(self, things: Iterable[Thing], base: str) -> None:
        self._base = base
        self._paths: dict[str, dict[str, set[str | None]]] = {}
        """Namespaces by path, below the last part of the path."""
        self._found: dict[str, tuple[str | None] | None] = {}
        for thing in things:
            self._add(thing)

    def _add(self, thing: Thing) -> None:
        path, target = thing.spec.get("path"), thing.spec.get("targetNamespace")
        if thing.group != _GROUP or thing.kind != "Kustomization":
            return
        if not isinstance(path, str) or templated(path) or not isinstance(target, str) or not target:
            return
        own = posixpath.normpath(path.strip("/") or ".")
        below = self._paths.setdefault(posixpath.basename(own), {})
        below.setdefault(own, set()).add(None if templated(target) else target)

    def of(self, file: str) -> tuple[str | None] | None:
        """The namespace that the nearest path above a file gives, in a tuple: None in it where it is not
        final, or several differ. None if there is no such path."""
        folder = posixpath.dirname(file)
        if folder not in self._found:
            self._found[folder] = self._look_up(folder) if self._paths else None
        return self._found[folder]

    def _look_up(self, folder: str) -> tuple[str | None] | None:
        while folder and folder != posixpath.dirname(folder):
            below = self._paths.get(posixpath.basename(folder), {})
            own = posixpath.relpath(folder, self._base) if self._base else folder
            whole = [spaces for path, spaces in below.items() if _ends_with(folder, path)]
            part = [spaces for path, spaces in below.items() if own != "." and _ends_with(path, own)]
            if named := set().union(*(whole or part)):
                return (named.pop() if len(named) == 1 else None,)
            folder = posixpath.dirname(folder)
        return None


def _ends_with(folder: str, path: str) -> bool:
    return folder == path or folder.endswith(f"/{path}")
