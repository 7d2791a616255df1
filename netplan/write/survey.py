"""What a render would change below the output directory, determined without writing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Literal

from netplan.counted import counted
from netplan.model.artifact import Artifact
from netplan.model.shard import Shard
from netplan.records import dataclass
from netplan.write.manifest import (
    MANIFEST,
    Entry,
    Record,
    Shards,
    by_path,
    entry_of,
    manifest_of,
    read_record,
)
from netplan.write.memory import Memory
from netplan.write.tree import Seen, Tree, WriteError

Progress = Callable[[str], None] | None
"""Receives how far the work is: see `netplan.counted`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Sorted paths relative to the output directory, ``manifest.json`` included.

    ``edited``: those of ``changed`` and ``removed`` that differ from what netplan wrote.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()

    @property
    def settled(self) -> Changes:
        """What the next run finds if nobody touches anything."""
        return Changes(unchanged=tuple(sorted((*self.added, *self.changed, *self.unchanged))))

    @property
    def pending(self) -> tuple[str, ...]:
        """Every path that differs from the render; empty if the directory is up to date."""
        return tuple(sorted((*self.added, *self.changed, *self.removed)))


@dataclass(frozen=True, slots=True)
class Survey:
    """Input of `netplan.write.apply`. ``before``, ``after``: see `netplan.write.manifest`. ``seen``: files
    that stay as they are."""

    record: Record
    changes: Changes
    artifacts: Mapping[str, Artifact]
    before: Mapping[str, Entry]
    after: Mapping[str, Entry]
    manifest: str
    seen: Mapping[str, Seen]


def compare(
    directory: Path,
    artifacts: Sequence[Artifact],
    site: str,
    only: frozenset[str] | None = None,
    memory: Memory | None = None,
    progress: Progress = None,
    shard: Shard | None = None,
) -> Changes:
    """What `write` would do with the same arguments, refusals (`WriteError`) included. Writes nothing."""
    found = survey(directory, artifacts, site, only, memory, progress, shard)
    if memory and not found.changes.pending:
        memory.saw(found.seen)
    return found.changes


def survey(
    directory: Path,
    artifacts: Sequence[Artifact],
    site: str,
    only: frozenset[str] | None,
    memory: Memory | None = None,
    progress: Progress = None,
    shard: Shard | None = None,
) -> Survey:
    """Look at every file concerned once, and decide. Raises `WriteError` if nothing may be written."""
    produced = by_path(artifacts)
    tree = Tree(directory, memory.files) if memory else Tree(directory)
    sorter = _Sorter(tree, read_record(tree, directory, site))
    wanted = {path: a for path, a in produced.items() if only is None or a.kind in only}
    for path, artifact in counted(wanted.items(), progress, "comparing", "files"):
        sorter.want(path, artifact)
    for path in sorted(sorter.record.paths().difference(wanted)):
        if shard is None or shard.has(path):
            sorter.drop(path, only, still_produced=path in produced)
        else:
            sorter.keep(path)
    if foreign := sorter.status.pop("foreign", []):
        raise WriteError(
            f"{directory} holds files at rendered paths that netplan did not write: {', '.join(foreign)}; "
            "move or delete them, or use another directory",
            foreign,
        )
    manifest = manifest_of(sorter.after, site, _shards(directory, sorter.record, shard))
    sorter.status[_manifest_status(sorter.record.manifest, manifest)].append(MANIFEST)
    if sorter.record.manifest is not None and (seen := tree.look(MANIFEST)):
        sorter.seen[MANIFEST] = seen
    return Survey(sorter.record, sorter.changes(), wanted, sorter.before, sorter.after, manifest, sorter.seen)


def _manifest_status(on_disk: bytes | None, wanted: str) -> _Status:
    if on_disk is None:
        return "added"
    return "unchanged" if on_disk == wanted.encode() else "changed"


def _shards(directory: Path, record: Record, shard: Shard | None) -> Shards:
    """The parts present after this one; empty if they are complete, or were before."""
    if shard is None or (record.manifest is not None and not record.shards):
        return ()
    if other := next((count for _, count in record.shards if count != shard.count), None):
        raise WriteError(f"{directory} holds parts of {other}, not of {shard.count}; use another directory")
    found = sorted({*record.shards, (shard.number, shard.count)})
    return found if len(found) < shard.count else ()


_Status = Literal["added", "changed", "removed", "edited", "unchanged", "foreign"]


@dataclass(slots=True)
class _Sorter:
    """Sorts paths into the lists of `Changes` and the two listings of the journal."""

    tree: Tree
    record: Record
    before: dict[str, Entry] = field(default_factory=dict)
    after: dict[str, Entry] = field(default_factory=dict)
    status: defaultdict[_Status, list[str]] = field(default_factory=lambda: defaultdict(list))
    seen: dict[str, Seen] = field(default_factory=dict)

    def want(self, path: str, artifact: Artifact) -> None:
        """A file of the render. A file that is not netplan's is taken over only if its content is already
        right."""
        wanted = entry_of(artifact)
        self.after[path] = wanted
        file = self.tree.look(path)
        if file is None:
            self.status["added"].append(path)
        elif file.sha256 == wanted.sha256:
            same_mode = file.executable == artifact.executable
            self.status["unchanged" if same_mode else "changed"].append(path)
            self.seen[path] = file
        elif not self._discard(path, file, "changed"):
            self.status["foreign"].append(path)

    def drop(self, path: str, only: frozenset[str] | None, *, still_produced: bool) -> None:
        """A listed file that is not written now: stale, or kept because ``only`` leaves it out.

        A kept file that is missing stays listed: the manifest says what is netplan's, not what exists.
        """
        file = self.tree.look(path)
        entry = self.record.claim(path, file.sha256) if file else self.record.owned.get(path)
        if entry and only is not None and (still_produced or entry.kind not in only):
            self.after[path] = entry
            if file:
                self.seen[path] = file
        elif file:
            self._discard(path, file, "removed")

    def keep(self, path: str) -> None:
        """A listed file of another part. After a cut-off run its content tells whether it is netplan's."""
        entry = self.record.owned.get(path)
        if self.record.interrupted and (file := self.tree.look(path)):
            entry = self.record.claim(path, file.sha256)
        if entry is not None:
            self.after[path] = entry

    def changes(self) -> Changes:
        def listed(status: _Status) -> tuple[str, ...]:
            return tuple(sorted(self.status[status]))

        return Changes(
            added=listed("added"),
            changed=listed("changed"),
            removed=listed("removed"),
            edited=listed("edited"),
            unchanged=listed("unchanged"),
        )

    def _discard(self, path: str, file: Seen, status: _Status) -> bool:
        """Mark ``file`` for replacement or removal; False if it is not netplan's."""
        entry = self.record.claim(path, file.sha256)
        if entry is None:
            return False
        self.before[path] = entry
        self.status[status].append(path)
        if entry.sha256 != file.sha256:
            self.status["edited"].append(path)
        return True
