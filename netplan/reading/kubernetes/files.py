"""Which files of a directory are read: YAML and JSON below it, up to limits, and nothing outside it that
a link leads to."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from netplan.load import STDIN, InputError
from netplan.paths import exists
from netplan.records import dataclass
from netplan.report import count

SUFFIXES = (".yaml", ".yml", ".json")
MAX_BYTES = 32 * 2**20
"""Per file. etcd holds no object of more than 1.5 MiB, but a dump of a cluster has many of them."""
COPIES = frozenset({"vendor", "node_modules", "third_party"})
"""Folders with sources of other projects: their manifests are for those projects' own tests."""
MAX_TOTAL = 512 * 2**20
MAX_FILES = 50_000


@dataclass(frozen=True, slots=True)
class Found:
    """``texts``: by path as given. ``large``: files over ``MAX_BYTES``. ``skipped``: links and folders
    that were not followed."""

    texts: dict[str, str]
    large: tuple[str, ...]
    skipped: tuple[str, ...]


def read_directory(given: str, suffixes: tuple[str, ...] = SUFFIXES) -> Found:
    """Ignores hidden entries and files with other suffixes. Raises InputError if nothing can be read."""
    root = Path(given)
    try:
        if not given or not exists(root):
            raise InputError(f"{given!r} does not exist; name a directory of Kubernetes YAML")
        return _read(root, suffixes)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"{given!r} cannot be read ({reason}); check path and permissions") from error


def read_input(given: str, suffixes: tuple[str, ...] = SUFFIXES) -> Found:
    """``-`` is standard input, one stream of objects. Raises InputError if nothing can be read."""
    if given != "-":
        return read_directory(given, suffixes)
    try:
        raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    except (AttributeError, OSError) as error:  # sys.stdin is None when the shell closed it
        raise InputError("standard input cannot be read; pipe the objects in or name a directory") from error
    if len(raw) > MAX_BYTES:
        return Found({}, (STDIN,), ())
    return Found({STDIN: raw.decode("utf-8", "surrogateescape")}, (), ())


def _read(root: Path, suffixes: tuple[str, ...]) -> Found:
    texts: dict[str, str] = {}
    large: list[str] = []
    left: list[str] = []
    copies: list[str] = []
    total = 0
    for path in _files(root, suffixes, left, copies):
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        total += len(raw)
        if total > MAX_TOTAL or len(texts) >= MAX_FILES:
            limits = f"{MAX_TOTAL // 2**20} MiB or {MAX_FILES:,} files"
            raise InputError(f"{root} holds more than {limits} of YAML and JSON; name a part of it")
        if len(raw) > MAX_BYTES:
            large.append(str(path))
        else:
            texts[str(path)] = raw.decode("utf-8", "surrogateescape")
    skipped = []
    if left:
        skipped.append(f"{count(len(left), 'link')} out of the directory not followed (first: {left[0]})")
    if copies:
        skipped.append(f"{count(len(copies), 'folder')} of copied sources not read (first: {copies[0]})")
    return Found(texts, tuple(large), tuple(skipped))


def _files(root: Path, suffixes: tuple[str, ...], left: list[str], copies: list[str]) -> Iterator[Path]:
    """Files in sorted order; one that two names lead to is read once. ``left``: collects links that lead
    out; ``copies``: collects folders named in ``COPIES``."""
    if root.is_file():
        yield root
        return
    home, seen = root.resolve(), set[Path]()
    for at, folders, names in os.walk(root):
        folder = Path(at)
        folders[:] = _entered(folder, folders, home, left, copies)
        for path in (folder / name for name in sorted(names) if _is_wanted(name, suffixes)):
            if path.is_symlink() and not _inside(path, home):
                left.append(str(path))
            elif path.is_file() and path.resolve() not in seen:
                seen.add(path.resolve())
                yield path


def _entered(folder: Path, names: list[str], home: Path, left: list[str], copies: list[str]) -> list[str]:
    """Subfolders to descend into: no links, nothing hidden, no ``COPIES``."""
    linked = [name for name in names if (folder / name).is_symlink()]
    left += [str(folder / name) for name in linked if not _inside(folder / name, home)]
    own = sorted(name for name in names if not name.startswith(".") and name not in linked)
    copies += [str(folder / name) for name in own if name in COPIES]
    return [name for name in own if name not in COPIES]


def _is_wanted(name: str, suffixes: tuple[str, ...]) -> bool:
    return name.endswith(suffixes) and not name.startswith(".")


def _inside(path: Path, home: Path) -> bool:
    return path.resolve().is_relative_to(home)
