"""What netplan owns below the output directory: ``manifest.json`` and, during a run, the journal.

The journal has two listings: ``before``, the owned files that the run replaces or removes, and ``after``, all
files owned at its end. A cut-off run left each file in one of these states, so the next run recognizes
netplan's files by path and content, whatever inventory it renders.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from netplan.model.artifact import Artifact
from netplan.model.shard import shard_of
from netplan.records import dataclass
from netplan.write.tree import Tree, WriteError, parents

MANIFEST = "manifest.json"
JOURNAL = ".netplan-journal.json"
TEMPORARY = ".netplan-tmp"
_FORMAT = 1
_IMPROPER = re.compile(rf"/(\.?\.?|{re.escape(TEMPORARY)})(?=/)|\\")
"""Forbidden between two slashes of a path."""
_quoted = json.JSONEncoder(ensure_ascii=False).encode


Shards = Sequence[tuple[int, int]]
"""Parts of a tree as (number, count); empty for a whole tree."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One owned file. ``sha256``: of the bytes netplan wrote, hexadecimal."""

    kind: str
    sha256: str
    entities: tuple[str, ...]


def entry_of(artifact: Artifact) -> Entry:
    return Entry(artifact.kind, artifact.sha256, artifact.entities)


def manifest_text(artifacts: Iterable[Artifact], site: str) -> str:
    """The complete ``manifest.json``; independent of the order of the artifacts."""
    return manifest_of({a.path: entry_of(a) for a in artifacts}, site)


def manifest_of(files: Mapping[str, Entry], site: str, shards: Shards = ()) -> str:
    """Formatted like ``json.dumps(document, indent=2)``, whose C encoder works only without an indent.

    ``shards``: the parts that the files belong to, if they are not all."""
    entries = ",\n".join(_manifest_entry(path, entry) for path, entry in sorted(files.items()))
    listing = f"{{\n{entries}\n  }}" if entries else "{}"
    parts = ", ".join(_quoted(f"{number}/{count}") for number, count in shards)
    only = f'  "shards": [{parts}],\n' if parts else ""
    return f'{{\n  "format": {_FORMAT},\n  "site": {_quoted(site)},\n{only}  "files": {listing}\n}}\n'


def _manifest_entry(path: str, entry: Entry) -> str:
    names = ",\n        ".join(map(_quoted, entry.entities))
    entities = f"[\n        {names}\n      ]" if names else "[]"
    return (
        f'    {_quoted(path)}: {{\n      "kind": {_quoted(entry.kind)},\n'
        f'      "sha256": {_quoted(entry.sha256)},\n      "entities": {entities}\n    }}'
    )


def journal_of(before: Mapping[str, Entry], after: Mapping[str, Entry], site: str) -> str:
    document = {"format": _FORMAT, "site": site, "before": _as_data(before), "after": _as_data(after)}
    return json.dumps(document, ensure_ascii=False) + "\n"


def by_path(artifacts: Sequence[Artifact]) -> dict[str, Artifact]:
    """Artifacts by path, sorted. Raises ``ValueError`` for names that a plan must never produce."""
    found = {artifact.path: artifact for artifact in sorted(artifacts, key=lambda artifact: artifact.path)}
    if len(found) != len(artifacts):
        raise ValueError("two artifacts have the same path")
    folders: dict[str, str] = {}
    for path in found:
        if not is_proper(path):
            raise ValueError(f"artifact path {path!r} is not a plain relative path")
        folders.setdefault(path.rpartition("/")[0], path)
    for folder, path in folders.items():
        if clash := next((above for above in (folder, *parents(folder)) if above in found), None):
            raise ValueError(f"artifact path {clash!r} is also the directory of {path!r}")
    return found


@dataclass(frozen=True, slots=True)
class Record:
    """The listings found in the output directory. ``manifest``: the bytes of ``manifest.json``, if it exists.

    ``shards``: the rendered parts, if they are not all. ``interrupted``: there is a journal, so a run was cut
    off and each file may be in either state.
    """

    manifest: bytes | None = None
    owned: Mapping[str, Entry] = field(default_factory=dict)
    before: Mapping[str, Entry] = field(default_factory=dict)
    after: Mapping[str, Entry] = field(default_factory=dict)
    interrupted: bool = False
    shards: Shards = ()

    def paths(self) -> set[str]:
        return {*self.owned, *self.before, *self.after}

    def claim(self, path: str, digest: str) -> Entry | None:
        """The entry for a file with this sha256 at ``path``; None if the file is not netplan's.

        A file listed only in ``after`` may never have been written: if its content does not match, somebody
        else created it.
        """
        listed = [files[path] for files in (self.owned, self.before) if path in files]
        planned = [self.after[path]] if path in self.after else []
        exact = (entry for entry in listed + planned if entry.sha256 == digest)
        return next(exact, listed[0] if listed else None)


def read_record(tree: Tree, directory: Path, site: str) -> Record:
    """Raises `WriteError` if the directory belongs to another site, or a listing is invalid."""
    manifest, journal = tree.read(MANIFEST), tree.read(JOURNAL)
    owned: Mapping[str, Entry] = {}
    before: Mapping[str, Entry] = {}
    after: Mapping[str, Entry] = {}
    shards: Shards = ()
    if manifest:
        shards = _shards(directory, manifest.data)
        (owned,) = _parse(directory, MANIFEST, manifest.data, site, ("files",))
    if journal:
        before, after = _parse(directory, JOURNAL, journal.data, site, ("before", "after"))
    return Record(manifest.data if manifest else None, owned, before, after, journal is not None, shards)


_PARTS = re.compile(rb'\A\{\n  "format": [0-9]+,\n  "site": "[^"\n]*",\n  "shards": \[([^]\n]*)\],\n')


def _shards(directory: Path, data: bytes) -> Shards:
    """Read from the beginning of the text: the rest is long and is read with the listing."""
    found = _PARTS.match(data)
    try:
        return [(s.number, s.count) for s in map(shard_of, json.loads(b"[%b]" % found[1]))] if found else ()
    except (ValueError, TypeError) as error:
        raise _damaged(directory, MANIFEST) from error


def site_of(directory: Path, data: bytes) -> str:
    """Raises WriteError."""
    try:
        return str(json.loads(data)["site"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _damaged(directory, MANIFEST) from error


def _damaged(directory: Path, name: str) -> WriteError:
    return WriteError(
        f"{directory / name} is damaged or not written by netplan; restore it from git, render into "
        f"another directory, or, when {directory} holds rendered files only, delete it and render again",
        (name,),
    )


def _parse(
    directory: Path, name: str, data: bytes, site: str, listings: tuple[str, ...]
) -> tuple[Mapping[str, Entry], ...]:
    try:
        document = json.loads(data)
        if document["format"] != _FORMAT:
            raise WriteError(
                f"{directory / name} has format {document['format']!r}, this netplan reads {_FORMAT}; "
                "use the netplan that wrote it",
                (name,),
            )
        owner = document["site"]
        parsed = tuple(_entries(document[listing]) for listing in listings)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _damaged(directory, name) from error
    if owner != site:
        raise WriteError(f"{directory} belongs to site {owner}, not {site}; use another directory")
    return parsed


def _entries(listing: object) -> dict[str, Entry]:
    if not isinstance(listing, dict):
        raise TypeError("a listing is a mapping of paths")
    return {path: _entry(path, fields) for path, fields in listing.items()}


def _entry(path: str, fields: object) -> Entry:
    match fields:
        case {"kind": str(kind), "sha256": str(digest), "entities": list(entities)} if is_proper(path):
            return Entry(kind, digest, tuple(str(entity) for entity in entities))
    raise ValueError(f"{path!r} is not an entry of a manifest")


def _as_data(files: Mapping[str, Entry]) -> dict[str, object]:
    return {
        path: {"kind": entry.kind, "sha256": entry.sha256, "entities": entry.entities}
        for path, entry in sorted(files.items())
    }


def is_proper(path: str) -> bool:
    """Whether the path is relative, stays below the directory, is printable and not reserved."""
    return path not in (MANIFEST, JOURNAL) and path.isprintable() and _IMPROPER.search(f"/{path}/") is None
