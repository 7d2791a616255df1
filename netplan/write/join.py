"""Joins what ``render --shard`` wrote to several directories, without rendering again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from netplan.model.artifact import Artifact
from netplan.write.manifest import MANIFEST, Record, read_record, site_of
from netplan.write.tree import Tree, WriteError


def joined(directories: Sequence[Path]) -> tuple[str, tuple[Artifact, ...]]:
    """Site and files of all parts, as one render would make them. Raises WriteError if a part is missing,
    edited or another site's, or a directory is not a part."""
    site = ""
    found: dict[str, Artifact] = {}
    shards: list[tuple[int, int]] = []
    for directory in directories:
        tree = Tree(directory)
        manifest = tree.read(MANIFEST)
        if manifest is None:
            raise WriteError(f"{directory} has no {MANIFEST}: name directories that render --shard wrote")
        site = site or site_of(directory, manifest.data)
        record = read_record(tree, directory, site)
        if record.interrupted or not record.shards:
            why = "a run in it was cut off" if record.interrupted else "it holds a whole tree"
            raise WriteError(f"{directory} is not a part that render --shard wrote: {why}")
        shards += record.shards
        found |= {artifact.path: artifact for artifact in _artifacts(directory, tree, record)}
    _all_there(directories, shards)
    return site, tuple(found[path] for path in sorted(found))


def _artifacts(directory: Path, tree: Tree, record: Record) -> list[Artifact]:
    found = []
    for path, entry in record.owned.items():
        file, seen = tree.read(path), tree.look(path)
        if file is None or seen is None or seen.sha256 != entry.sha256:
            raise WriteError(f"{directory / path} is not as netplan wrote it; render the part again", (path,))
        text = file.data.decode()
        found.append(Artifact(path, text, entry.kind, entry.entities, file.executable))
    return found


def _all_there(directories: Sequence[Path], shards: Sequence[tuple[int, int]]) -> None:
    counts = sorted({count for _, count in shards})
    if len(counts) > 1:
        raise WriteError(f"parts of {counts[0]} and of {counts[1]} come from different renders")
    missing = sorted(set(range(1, counts[0] + 1)) - {number for number, _ in shards})
    if missing:
        shown = ", ".join(f"{number}/{counts[0]}" for number in missing[:8])
        raise WriteError(
            f"{len(missing)} of {counts[0]} parts are missing: {shown}; name their directories too"
        )
