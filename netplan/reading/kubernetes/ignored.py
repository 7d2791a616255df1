"""Which files git leaves out: what a ``.gitignore`` names is written by something else, or is secret.

Patterns: git-scm.com/docs/gitignore.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from netplan.records import dataclass

NAME = ".gitignore"
_MAX_BYTES = 64 * 1024
_LEVELS = 32


def ignores_above(root: Path) -> Iterator[Ignore]:
    """Of the folders above ``root`` up to that of its git repository, the highest first; none outside of
    one."""
    home = root.resolve()
    parents = [home, *home.parents][:_LEVELS]
    top = next((at for at, folder in enumerate(parents) if (folder / ".git").exists()), 0)
    for folder in reversed(parents[1 : top + 1]):
        yield Ignore(os.path.normpath(root), patterns_in(folder), f"{home.relative_to(folder).as_posix()}/")


def patterns_in(folder: Path) -> str:
    """The text of its ``.gitignore``; empty without one, or for a link."""
    path = folder / NAME
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(_MAX_BYTES).decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Ignore:
    """A ``.gitignore``: ``folder`` as given, below which it counts; ``beyond``: the path from the file's own
    folder to that one, where it is higher up."""

    folder: str
    text: str
    beyond: str = ""

    def within(self, path: str) -> str:
        """The path as its patterns see it; empty if it is elsewhere."""
        start = "" if self.folder in ("", ".") else f"{self.folder}/"
        return f"{self.beyond}{path[len(start) :]}" if path.startswith(start) else ""


def is_ignored(path: str, files: Iterable[Ignore]) -> bool:
    """``files``: the highest first. The last pattern that matches decides."""
    decided = False
    for each in files:
        within = each.within(path)
        for line in each.text.splitlines() if within else ():
            pattern = line.strip()
            if pattern and not pattern.startswith("#") and _matches(pattern.removeprefix("!"), within):
                decided = not pattern.startswith("!")
    return decided


def _matches(pattern: str, path: str) -> bool:
    """Whether a pattern names the path or a folder that it is in."""
    parts = path.split("/")
    wanted = pattern.strip("/").split("/")
    if "/" not in pattern.rstrip("/"):
        return any(fnmatchcase(part, wanted[0]) for part in parts)
    return any(_fits(parts[:end], wanted) for end in range(1, len(parts) + 1))


def _fits(parts: list[str], wanted: list[str]) -> bool:
    """Part by part; ``**`` is any number of parts."""
    reached = {0}  # numbers of parts that the pattern so far can cover
    for each in wanted:
        if each == "**":
            reached = set(range(min(reached), len(parts) + 1)) if reached else reached
        else:
            reached = {at + 1 for at in reached if at < len(parts) and fnmatchcase(parts[at], each)}
    return len(parts) in reached
