"""Reads a rendered directory as artifacts, whoever edited it since."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path

from netplan.model.artifact import Artifact
from netplan.model.site import PATH
from netplan.records import dataclass
from netplan.trace.model import TraceError
from netplan.write.manifest import MANIFEST, Entry, read_record
from netplan.write.parts import seen_from, split_part
from netplan.write.tree import File, Tree, WriteError

_LARGEST = 64 << 20
"""Bytes of one file; netplan's largest ones are a few MB."""


@dataclass(frozen=True, slots=True)
class _Owned:
    """Files that a manifest lists: path in the named tree -> where the file is, and its entry. ``root``: the
    directory of the manifest."""

    root: Path
    tree: Tree
    files: Mapping[str, tuple[str, Entry]]

    def read(self, path: str) -> File | None:
        return self.tree.read(self.files[path][0])


def _owned(directory: Path) -> _Owned | None:
    """For a directory, or a cluster's part of a shared tree (``netplan.write.parts``); None without a
    manifest. Raises WriteError, TraceError."""
    part = None if (directory / MANIFEST).is_file() else split_part(str(directory.resolve()))
    root, prefix = (Path(part[0]), part[1]) if part else (directory, "")
    tree = Tree(root)
    manifest = tree.read(MANIFEST)
    if manifest is None:
        return None
    record = read_record(tree, root, _site(root, manifest.data)).owned
    seen = ((seen_from(prefix, path) if part else path, path) for path in sorted(record))
    files = {name: (path, record[path]) for name, path in seen if name is not None}
    return _Owned(root, tree, dict(sorted(files.items())))


def load_tree(directory: Path) -> tuple[Artifact, ...]:
    """The existing files that the manifest lists. Raises TraceError."""
    try:
        owned = _owned(directory)
        if owned is None:
            raise TraceError(f"{directory} has no {MANIFEST}: it is not a directory netplan rendered")
        files = {path: owned.read(path) for path in owned.files}
    except WriteError as error:
        raise TraceError(error.message) from error
    found = []
    for path, file in files.items():
        if file is None:
            continue
        real, entry = owned.files[path]
        if len(file.data) > _LARGEST:
            raise TraceError(f"{owned.root / real} is larger than {_LARGEST >> 20} MiB")
        try:
            text = file.data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise TraceError(f"{owned.root / real} is not UTF-8 text") from error
        found.append(Artifact(path=path, text=text, kind=entry.kind, entities=entry.entities))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Beside:
    """How a directory differs from what netplan wrote. ``apart``: sentences about files that are missing,
    that nothing reads, or whose edits nothing checks, each beginning with the path. ``edited``: files that
    differ from what netplan wrote."""

    apart: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()


def beside(directory: Path) -> Beside:
    """Listed files that are missing, unlisted files in the same folders (somebody may use them, and trace
    does not read them), and files with another digest. Raises TraceError."""
    try:
        owned = _owned(directory) or _Owned(directory, Tree(directory), {})
        texts = {path: file.data for path in owned.files if (file := owned.read(path)) is not None}
    except WriteError as error:
        raise TraceError(error.message) from error
    digests = {path: entry.sha256 for path, (_, entry) in owned.files.items()}
    edited = tuple(path for path, data in texts.items() if sha256(data).hexdigest() != digests[path])
    changed = (f"{path} was edited: {why}" for path in edited if (why := _unfollowed(path, texts[path])))
    said = chain(_gone_or_strange(directory, owned), changed)
    return Beside(tuple(islice(said, _MOST)), edited)


def _gone_or_strange(directory: Path, owned: _Owned) -> Iterator[str]:
    named = owned.files.keys()
    there = {_relative(path, directory) for top in _FOLDERS for path in _below(directory / top)}
    if owned.root != directory:
        there |= {_relative(path, owned.root) for path in _below(owned.root / "switches")}
    gone = sorted(path for path in named - there if "/" in path and not path.endswith(_FOR_PEOPLE))
    yield from (f"{path} is missing: {MANIFEST} lists it" for path in gone)
    yield from (f"{path} is not read: netplan did not write it" for path in sorted(there - named))


def _relative(path: Path, directory: Path) -> str:
    return path.relative_to(directory).as_posix()


def _unfollowed(path: str, data: bytes) -> str:
    """Why nothing can tell whether an edit of a file is right; empty if a reader follows it."""
    why = next((why for pattern, why in _UNFOLLOWED.items() if fnmatchcase(path, pattern)), "")
    return "" if path.endswith(".link") and b"MACAddress=" not in data else why


_UNFOLLOWED: Mapping[str, str] = {
    PATH: "the requirements it states are not those netplan wrote",
    "pods/*/kustomization.yaml": "what it does to pods of other manifests is not followed",
    "hosts/*.link": "no other file has the MAC address that it is for",
    "kubernetes/*/values.yaml": "what its chart then installs is not followed",
    "kubernetes/gitops/*": "what it applies is not followed",
    "kubernetes/flux/*": "what it applies is not followed",
    "kubernetes/argocd/*": "what it applies is not followed",
}
"""Files that no reader follows completely -> why an edit leaves the path unproved."""
_FOLDERS = ("hosts", "kubernetes", "pods", "switches")
_FOR_PEOPLE = ("README.md", "cabling.csv", "check-rails.sh")
"""Nothing executes or reads them."""
_MOST = 200
"""Files that are listed by name."""


def _below(folder: Path) -> Iterator[Path]:
    """Files and links; does not follow links."""
    for here, _, names in os.walk(folder):
        yield from (Path(here) / name for name in names)


def _site(directory: Path, data: bytes) -> str:
    try:
        return str(json.loads(data)["site"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise TraceError(f"{directory / MANIFEST} is damaged or not written by netplan") from error


def is_rendered(directory: Path) -> bool:
    """Whether netplan rendered the directory, or a cluster's part of it, site.json included."""
    part = split_part(str(directory.resolve()))
    roots = [directory, *([Path(part[0])] if part else [])]
    return (directory / PATH).is_file() and any((root / MANIFEST).is_file() for root in roots)
