"""A rendered directory as artifacts, whoever edited it since."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Set
from fnmatch import fnmatchcase
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path

from netplan.model.artifact import Artifact
from netplan.model.site import PATH
from netplan.records import dataclass
from netplan.trace.model import TraceError
from netplan.write.manifest import MANIFEST, read_record
from netplan.write.tree import Tree, WriteError

_LARGEST = 64 << 20
"""Bytes of one file; netplan's largest are a few megabytes."""


def load_tree(directory: Path) -> tuple[Artifact, ...]:
    """The files its manifest lists that are there. Raises TraceError."""
    try:
        tree = Tree(directory)
        manifest = tree.read(MANIFEST)
        if manifest is None:
            raise TraceError(f"{directory} has no {MANIFEST}: it is not a directory netplan rendered")
        owned = read_record(tree, directory, _site(directory, manifest.data)).owned
        files = {path: tree.read(path) for path in sorted(owned)}
    except WriteError as error:
        raise TraceError(error.message) from error
    found = []
    for path, file in files.items():
        if file is None:
            continue
        if len(file.data) > _LARGEST:
            raise TraceError(f"{directory / path} is larger than {_LARGEST >> 20} MB")
        try:
            text = file.data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise TraceError(f"{directory / path} is not UTF-8 text") from error
        found.append(Artifact(path=path, text=text, kind=owned[path].kind, entities=owned[path].entities))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Beside:
    """What a directory is beside the text of its files. ``apart``: sentences about files that are missing,
    that nothing reads or whose edit nothing follows, each beginning with the path. ``edited``: files that
    are not as netplan wrote them."""

    apart: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()


def beside(directory: Path) -> Beside:
    """Files that the manifest lists and that are not there, those below the same folders that it does not
    list (a person may have put them to use, and nothing here reads them), and those with another digest.
    Raises TraceError."""
    try:
        tree = Tree(directory)
        manifest = tree.read(MANIFEST)
        owned = read_record(tree, directory, _site(directory, manifest.data)).owned if manifest else {}
        texts = {path: file.data for path in sorted(owned) if (file := tree.read(path)) is not None}
    except WriteError as error:
        raise TraceError(error.message) from error
    edited = tuple(path for path, data in texts.items() if sha256(data).hexdigest() != owned[path].sha256)
    changed = (f"{path} was edited: {why}" for path in edited if (why := _unfollowed(path, texts[path])))
    said = chain(_gone_or_strange(directory, owned.keys()), changed)
    return Beside(tuple(islice(said, _MOST)), edited)


def _gone_or_strange(directory: Path, owned: Set[str]) -> Iterator[str]:
    there = {path.relative_to(directory).as_posix() for top in _FOLDERS for path in _below(directory / top)}
    gone = sorted(path for path in owned - there if "/" in path and not path.endswith(_FOR_PEOPLE))
    yield from (f"{path} is missing: {MANIFEST} lists it" for path in gone)
    yield from (f"{path} is not read: netplan did not write it" for path in sorted(there - owned))


def _unfollowed(path: str, data: bytes) -> str:
    """Why nothing else tells whether an edit of a file is right; empty where it is read."""
    why = next((why for pattern, why in _UNFOLLOWED.items() if fnmatchcase(path, pattern)), "")
    return "" if path.endswith(".link") and b"MACAddress=" not in data else why


_UNFOLLOWED: Mapping[str, str] = {
    PATH: "what is asked of the site is not what netplan wrote",
    "pods/*/kustomization.yaml": "what it makes of the pods of others is not followed",
    "hosts/*.link": "no other file has the MAC address that it is for",
    "kubernetes/*/values.yaml": "what its chart then installs is not followed",
    "kubernetes/gitops/*": "what is applied by it is not followed",
    "kubernetes/flux/*": "what is applied by it is not followed",
    "kubernetes/argocd/*": "what is applied by it is not followed",
}
"""Files that no reader follows to its end -> why an edit leaves the way open."""
_FOLDERS = ("hosts", "kubernetes", "pods", "switches")
_FOR_PEOPLE = ("README.md", "cabling.csv", "check-rails.sh")
"""Nothing runs by them."""
_MOST = 200
"""Files that are named."""


def _below(folder: Path) -> Iterator[Path]:
    """Files and links; links are not followed."""
    for here, _, names in os.walk(folder):
        yield from (Path(here) / name for name in names)


def _site(directory: Path, data: bytes) -> str:
    try:
        return str(json.loads(data)["site"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise TraceError(f"{directory / MANIFEST} is damaged or not written by netplan") from error
