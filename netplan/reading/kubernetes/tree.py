"""What the files of a directory come to: its objects, and what stands beside them."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import field

from netplan.diagnostics import Diagnostic
from netplan.model.document import Places
from netplan.reading.kubernetes.objects import Thing
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class ObjectTree:
    """``values``: Helm values files. ``kustomizations``: by directory. ``renamed``: files whose objects a
    kustomization renames. ``paths``: all files that were read; ``names``: as of ``Found``. ``loose``:
    resource names in texts without an object, such as parts of a configuration that a script inserts, and of
    objects without a kind.
    ``base``: the directory they are in, or the file, as given. ``empty``: what there is in place of objects,
    if there is none."""

    things: tuple[Thing, ...]
    values: tuple[Thing, ...]
    places: Places
    paths: frozenset[str]
    kustomizations: Mapping[str, Thing] = field(default_factory=dict)
    renamed: frozenset[str] = frozenset()
    base: str = ""
    problems: tuple[Diagnostic, ...] = ()
    skipped: tuple[str, ...] = ()
    empty: str = ""
    names: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()

    @property
    def is_one_file(self) -> bool:
        """Whether a file was given in place of a directory."""
        return posixpath.normpath(self.base) in self.paths
