"""The NOS folders of a run, and the profiles of the NOSes that its inventory uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache, lru_cache
from pathlib import Path as FilePath
from typing import Any

from netplan import resources
from netplan.diagnostics import Diagnostic, Path, Severity, dotted
from netplan.model.document import SourceMap
from netplan.model.nos import NosProfile
from netplan.model.nos_folder import NosFolder
from netplan.nos.profile import profile_of
from netplan.nos.read import FILE, read_nos
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NosLibrary:
    """``folders``: by name, sorted. ``own``: profiles of the site's usable folders; faults of the others have
    already been reported."""

    folders: Mapping[str, NosFolder]
    own: Mapping[str, NosProfile] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.folders)


def switch_folder() -> FilePath:
    return resources.templates() / "switch"


@cache
def shipped(folder: FilePath | None = None) -> NosLibrary:
    """The built-in folders, those with a ``nos.yaml``; their files are trusted."""
    paths = sorted(path.parent for path in (folder or switch_folder()).glob(f"*/{FILE}"))
    return NosLibrary(folders={path.name: NosFolder(name=path.name, path=path) for path in paths})


def available() -> tuple[str, ...]:
    """Names of the built-in NOSes."""
    return shipped().names


def text_of(folder: NosFolder, file: str) -> str | None:
    """The text of a file in a NOS folder; None if it does not exist."""
    if folder.texts is not None:
        return folder.texts.get(file)
    path = folder.path / file
    return path.read_text(encoding="utf-8") if path.is_file() else None


def load_nos(
    names: Mapping[str, Path], library: NosLibrary | None = None
) -> tuple[dict[str, NosProfile], list[Diagnostic]]:
    """Profiles of the NOSes in ``names`` (NOS -> inventory path that references it), and problems found.

    Reads only these folders. Reports NP101 and NP801.
    """
    library = library or shipped()
    profiles: dict[str, NosProfile] = {}
    problems: list[Diagnostic] = []
    for name, at in sorted(names.items()):
        if name not in library.folders:
            hint = f"known: {', '.join(library.names) or 'none'}"
            problems.append(Diagnostic("NP101", Severity.ERROR, at, f"NOS {name} does not exist", hint))
        elif library.folders[name].own:
            profiles |= {name: library.own[name]} if name in library.own else {}
        else:
            data, texts = _parsed(f"{name}/{FILE}", text_of(library.folders[name], FILE) or "")
            hint = f"correct {name}/{FILE}"
            problems += [Diagnostic("NP801", Severity.ERROR, at, text, hint) for text in texts]
            profiles |= {} if texts else {name: profile_of(library.folders[name], data)}
    return profiles, problems


@lru_cache(maxsize=32)
def _parsed(shown: str, text: str) -> tuple[Any, tuple[str, ...]]:
    """A nos.yaml's data and error messages. Cached, as parsing is slow; callers must not modify the data."""
    data, problems = read_nos(shown, text, SourceMap())
    return data, tuple(f"{shown}: {dotted(d.path)}: {d.message}" for d in problems)
