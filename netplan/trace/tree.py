"""A rendered directory as artifacts, whoever edited it since."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from netplan.model.artifact import Artifact
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
            raise TraceError(f"{directory / path} is no UTF-8 text") from error
        found.append(Artifact(path=path, text=text, kind=owned[path].kind, entities=owned[path].entities))
    return tuple(found)


def apart(directory: Path) -> tuple[str, ...]:
    """Files that the manifest lists and that are not there, and those below the same folders that it does not
    list: a person may have put them to use, and nothing here reads them. Raises TraceError."""
    try:
        tree = Tree(directory)
        manifest = tree.read(MANIFEST)
        owned = read_record(tree, directory, _site(directory, manifest.data)).owned if manifest else {}
    except WriteError as error:
        raise TraceError(error.message) from error
    there = {path.relative_to(directory).as_posix() for top in _FOLDERS for path in _below(directory / top)}
    gone = sorted(path for path in owned.keys() - there if "/" in path and not path.endswith(_FOR_PEOPLE))
    missing = (f"{path} is missing: {MANIFEST} lists it" for path in gone)
    strange = (f"{path} is not read: netplan did not write it" for path in sorted(there - owned.keys()))
    return tuple(islice(chain(missing, strange), _MOST))


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
