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
    that were not followed. ``names``: every file and folder, read or not; of a folder that was not entered
    itself alone."""

    texts: dict[str, str]
    large: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()


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
    total = 0
    walk = _Walk(root, suffixes)
    for path in walk.files():
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
    skipped = (*walk.skipped(), *(walk.unseen() if not texts else ()))
    return Found(texts, tuple(large), skipped, frozenset(walk.names))


class _Walk:
    """``left``: links that lead out; ``copies``: folders named in ``COPIES``; ``hidden``: those whose name
    begins with a dot; ``names``: as in ``Found``."""

    def __init__(self, root: Path, suffixes: tuple[str, ...]) -> None:
        self.root, self.suffixes = root, suffixes
        self.home = root.resolve()
        self.left: list[str] = []
        self.copies: list[str] = []
        self.hidden: list[str] = []
        self.names: set[str] = set()

    def files(self) -> Iterator[Path]:
        """Files in sorted order; one that two names lead to is read once, by its own name."""
        if self.root.is_file():
            yield self.root
            return
        found = [path for at, folders, names in os.walk(self.root) for path in self._in(at, folders, names)]
        seen = {path.resolve() for path in found if not path.is_symlink()}
        for path in found:
            if not path.is_symlink():
                yield path
            elif path.resolve() not in seen:
                seen.add(path.resolve())
                yield path

    def _in(self, at: str, folders: list[str], names: list[str]) -> Iterator[Path]:
        folder = Path(at)
        self.names.update(os.path.normpath(folder / name) for name in (*folders, *names))
        self.hidden += [str(folder / name) for name in sorted(folders) if name.startswith(".")]
        folders[:] = self._entered(folder, folders)
        for path in (folder / name for name in sorted(names) if _is_wanted(name, self.suffixes)):
            if path.is_symlink() and not _inside(path, self.home):
                self.left.append(str(path))
            elif path.is_file():
                yield path

    def _entered(self, folder: Path, names: list[str]) -> list[str]:
        """Subfolders to descend into: no links, nothing hidden, no ``COPIES``."""
        linked = [name for name in names if (folder / name).is_symlink()]
        self.left += [str(folder / name) for name in linked if not _inside(folder / name, self.home)]
        own = sorted(name for name in names if not name.startswith(".") and name not in linked)
        self.copies += [str(folder / name) for name in own if name in COPIES]
        return [name for name in own if name not in COPIES]

    def skipped(self) -> Iterator[str]:
        if self.left:
            first = self.left[0]
            yield f"{count(len(self.left), 'link')} out of the directory not followed (first: {first})"
        if self.copies:
            first = self.copies[0]
            yield f"{count(len(self.copies), 'folder')} of copied sources not read (first: {first})"

    def unseen(self) -> Iterator[str]:
        if self.hidden:
            yield f"{count(len(self.hidden), 'hidden folder')} not read (first: {self.hidden[0]})"


def _is_wanted(name: str, suffixes: tuple[str, ...]) -> bool:
    return name.endswith(suffixes) and not name.startswith(".")


def _inside(path: Path, home: Path) -> bool:
    return path.resolve().is_relative_to(home)
