"""What netplan remembers about an output directory, in the user's cache and never in the directory: the state
of its files, and what runs printed that found nothing to change. Losing it only costs time.

A file counts as unchanged if size, inode and ctime are the same. That is unsafe for a file that changed
within the clock tick in which it was read (git, Documentation/technical/racy-git.txt), so only files older
than manifest.json, which is written last, are remembered this way; others are read again. A fresh git
checkout has new times: all its files are read, once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from netplan import user_cache
from netplan.counted import counted
from netplan.write.manifest import JOURNAL, MANIFEST, TEMPORARY, is_proper
from netplan.write.tree import NOTHING_KNOWN, Seen, Tree, WriteError

Said = tuple[Literal["out", "err"], str]
"""A piece of what a run printed, and to which stream."""

MAX_BYTES = 64 << 20
"""Size limit of one memory. 120,000 files take 20 MiB."""
MOST = 32
"""Number of output directories remembered; the least recently used one is dropped first."""
_ANSWERS = 8
"""Number of commands remembered for a directory."""
_FORMAT = 1


@dataclass(slots=True)
class Memory:
    """Memory of one output directory. ``answers``: question (see `netplan.question`) -> what was printed."""

    directory: Path
    place: Path
    files: dict[str, Seen] = field(default_factory=dict)
    answers: dict[str, tuple[Said, ...]] = field(default_factory=dict)

    def saw(self, found: Mapping[str, Seen], written: Mapping[str, Seen] = NOTHING_KNOWN) -> None:
        """Record netplan's files: those ``found``, and those ``written`` afterwards. If contents changed,
        earlier answers are dropped."""
        files = {**_older(found), **_older(written)}
        if _contents(files) != _contents(self.files):
            self.answers = {}
        self.files = files

    def answer(self, question: str, progress: Callable[[str], None] | None = None) -> tuple[Said, ...] | None:
        """What a run with this question printed, if the directory is unchanged; else None."""
        said = self.answers.get(question)
        if said is None or not (now := self._unchanged(progress)):
            return None
        before = self.files
        self.saw(now)
        if self.files != before:
            self.keep({})
        return said

    def _unchanged(self, progress: Callable[[str], None] | None) -> dict[str, Seen]:
        """All files if their contents are unchanged; empty if any of them changed."""
        found: dict[str, Seen] = {}
        try:
            if any(os.path.lexists(self.directory / name) for name in (JOURNAL, TEMPORARY)):
                return {}
            tree = Tree(self.directory, self.files)
            for path, was in counted(self.files.items(), progress, "comparing", "files"):
                now = tree.look(path)
                if now is None or now[:2] != was[:2]:
                    return {}
                found[path] = now
        except (WriteError, OSError):  # the run that follows reports what is wrong
            return {}
        return found

    def keep(self, answers: Mapping[str, tuple[Said, ...]]) -> None:
        """Store what this run saw, and these answers."""
        every = {**self.answers, **answers}
        self.answers = dict(list(every.items())[-_ANSWERS:])
        document = {
            "format": _FORMAT,
            "directory": str(self.directory),
            "answers": self.answers,
            "files": self.files,
        }
        data = json.dumps(document).encode()
        if len(data) <= MAX_BYTES and user_cache.store(self.place, data):
            user_cache.forget(self.place.parent, MOST)


def _contents(files: Mapping[str, Seen]) -> dict[str, tuple[str, bool]]:
    return {path: (seen.sha256, seen.executable) for path, seen in files.items()}


def _older(files: Mapping[str, Seen]) -> dict[str, Seen]:
    """For files not older than the manifest only the content counts: gives them a time that no file has."""
    limit = files[MANIFEST].changed_ns if MANIFEST in files else 0
    return {
        path: seen if seen.changed_ns < limit else seen._replace(changed_ns=-1)
        for path, seen in files.items()
    }


def remembered(directory: Path) -> Memory | None:
    """The memory of the directory, possibly empty; None if none can be kept."""
    folder = user_cache.folder_of("trees")
    if folder is None:
        return None
    directory = Path(os.path.realpath(directory))
    name = sha256(os.fsencode(directory)).hexdigest()[:32]
    memory = Memory(directory, folder / f"{name}.json")
    if not user_cache.is_private(folder):
        return memory
    try:
        document = json.loads(user_cache.load(memory.place, MAX_BYTES))
        if document["format"] == _FORMAT and document["directory"] == str(directory):
            files = dict(_seen(path, fields) for path, fields in document["files"].items())
            memory.answers = {str(key): _said(parts) for key, parts in document["answers"].items()}
            memory.files = files
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Memory(directory, memory.place)
    return memory


def _seen(path: str, fields: object) -> tuple[str, Seen]:
    match fields:
        case [str(digest), bool(executable), int(size), int(changed), int(inode)] if (
            path == MANIFEST or is_proper(path)
        ):
            return path, Seen(digest, executable, size, changed, inode)
    raise ValueError(f"{path!r} is not a file of a memory")


def _said(parts: Any) -> tuple[Said, ...]:
    found: list[Said] = []
    for where, text in parts:
        if where not in ("out", "err") or not isinstance(text, str):
            raise ValueError("not what a run prints")
        found.append((where, text))
    return tuple(found)
