"""A rendered directory as artifacts, whoever edited it since."""

from __future__ import annotations

import json
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


def _site(directory: Path, data: bytes) -> str:
    try:
        return str(json.loads(data)["site"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise TraceError(f"{directory / MANIFEST} is damaged or not written by netplan") from error
