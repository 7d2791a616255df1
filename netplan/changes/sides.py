"""The two sides of a comparison: the rendered files, and the inventory if there is one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from netplan.changes.git import is_revision, texts_of
from netplan.load import MAX_BYTES, InputError, is_inventory_name, read_texts
from netplan.model.document import Document
from netplan.write.manifest import MANIFEST
from netplan.write.parts import is_other_site, seen_from, split_part

_FILES = "files"


@dataclass(frozen=True)
class Side:
    """``name``: as the user gave it. ``texts``: path below the output directory -> content. ``document``: the
    inventory, None for a rendered directory."""

    name: str
    texts: Mapping[str, str]
    document: Document | None = None

    @cached_property
    def _folders(self) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """Part -> name -> file -> content; grouped once, for thousands of switches."""
        found: dict[str, dict[str, dict[str, str]]] = {}
        for path, text in self.texts.items():
            part, _, rest = path.partition("/")
            name, _, file = rest.partition("/")
            found.setdefault(part, {}).setdefault(name, {})[file] = text
        return found

    def part(self, part: str) -> Mapping[str, Mapping[str, str]]:
        """``switches``, ``hosts``, ``pods`` or ``kubernetes``: name -> file -> content."""
        return self._folders.get(part, {})


def rendered(given: str, texts: Mapping[str, str] | None = None) -> Side | None:
    """A directory that netplan rendered: the files of its manifest, None if there is no manifest. ``texts``:
    the files of a git revision by full name. Raises InputError."""
    if texts is not None:
        return _rendered_texts(given, texts) or _part_of_revision(given, texts)
    root = Path(given)
    part = None if (root / MANIFEST).is_file() else split_part(str(root.resolve()))
    if part is not None:
        root = Path(part[0])
    if not (root / MANIFEST).is_file():
        return None
    paths = _listed(f"{root}/{MANIFEST}", _read(root / MANIFEST))
    names = {path: seen_from(part[1], path) if part else path for path in paths if (root / path).is_file()}
    return Side(given, {name: _read(root / path) for path, name in names.items() if name is not None})


def _rendered_texts(given: str, texts: Mapping[str, str]) -> Side | None:
    base = _base(given)
    manifest = f"{base}{MANIFEST}"
    if manifest not in texts:
        return None
    paths = _listed(manifest, texts[manifest])
    return Side(given, {path: texts[f"{base}{path}"] for path in paths if f"{base}{path}" in texts})


def _part_of_revision(given: str, texts: Mapping[str, str]) -> Side | None:
    """A cluster's part of a shared tree (``netplan.write.parts``), with all switches."""
    revision, _, path = given.partition(":")
    part = split_part(path)
    if part is None:
        return None
    root = f"{revision}:" if part[0] == "." else f"{revision}:{part[0]}/"
    try:
        (listing,) = texts_of(f"{root}{MANIFEST}").values()
    except InputError:
        return None
    names = {path: seen_from(part[1], path) for path in _listed(f"{root}{MANIFEST}", listing)}
    found = {**texts, **texts_of(f"{root}switches")}
    for name in filter(None, names.values()):
        found |= texts_of(f"{root}{name}") if is_other_site(name) else {}
    there = {name: found.get(f"{root}{path}") for path, name in names.items() if name is not None}
    return Side(given, {name: text for name, text in there.items() if text is not None})


def inventory(given: str, texts: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """The files of an inventory or overlay, from disk or git (``texts``, if already read): one file, or what
    ``load`` reads from a folder. Raises InputError."""
    if texts is None:
        if not is_revision(given):
            return read_texts([given])
        texts = texts_of(given)
    if given in texts:
        return texts
    base = _base(given)
    found = {name: text for name, text in texts.items() if is_inventory_name(name.removeprefix(base))}
    if not found:
        raise InputError(f"{given} holds no *.yaml or *.yml file")
    return found


def _base(given: str) -> str:
    return given if given.endswith((":", "/")) else f"{given}/"


def _listed(name: str, text: str) -> list[str]:
    try:
        files = json.loads(text)[_FILES]
        paths = [str(path) for path in files]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{name} is not a manifest of netplan") from None
    outside = [path for path in paths if path.startswith("/") or ".." in path.split("/")]
    if outside:
        raise InputError(f"{name} lists {outside[0]}, which is outside the directory")
    return sorted(paths)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise InputError(f"{path} is larger than {MAX_BYTES // 2**20} MiB")
        return raw.decode("utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check its permissions") from error
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8") from None
