"""Unified diffs between the output directory and a render, as ``render --check`` prints them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff as difflib_unified_diff
from pathlib import Path

from netplan.model.artifact import Artifact
from netplan.printable import printable
from netplan.write.manifest import MANIFEST
from netplan.write.survey import Changes
from netplan.write.tree import File, Tree

# As git prints: bold headers, cyan hunks, red and green lines. The first match counts.
_BOLD = ("diff --git", "old mode", "new mode", "--- a/", "--- /dev/null", "+++ b/", "+++ /dev/null")
_COLORS = ((_BOLD, "1"), ("@@", "36"), ("-", "31"), ("+", "32"))
_NO_NEWLINE = "\n\\ No newline at end of file"


def unified_diff(
    directory: Path, artifacts: Sequence[Artifact], changes: Changes, color: bool = False
) -> Iterator[str]:
    """Lines without line feeds, by path of the file, in a form that ``patch`` reads.

    ``changes``: from `compare` with the same directory and artifacts. ``manifest.json`` is left out: its
    hashes add nothing. With ``color``, for a terminal, invisible characters are escaped; without, the text is
    as ``patch`` needs it.
    """
    produced = {artifact.path: artifact for artifact in artifacts}
    removed = set(changes.removed)
    tree = Tree(directory)
    for path in changes.pending:
        if path != MANIFEST:
            new = None if path in removed else produced[path]
            for line in _file_diff(path, tree.read(path), new):
                yield _colored(printable(line)) if color else line


def _file_diff(path: str, old: File | None, new: Artifact | None) -> Iterator[str]:
    if old and new and old.executable != new.executable:
        yield f"diff --git a/{path} b/{path}"
        yield f"old mode {_git_mode(old.executable)}"
        yield f"new mode {_git_mode(new.executable)}"
    names = f"a/{path}" if old else "/dev/null", f"b/{path}" if new else "/dev/null"
    try:
        before = old.data.decode() if old else ""
    except UnicodeDecodeError:
        yield f"Binary files {names[0]} and {names[1]} differ"
        return
    after = new.text if new else ""
    for line in difflib_unified_diff(_lines(before), _lines(after), *names, lineterm=""):
        yield from line.split("\n")


def _lines(text: str) -> list[str]:
    """Splits at line feeds only, as ``patch`` does; a missing final one is marked, so that the line
    differs."""
    *lines, rest = text.split("\n")
    return [*lines, rest + _NO_NEWLINE] if rest else lines


def _git_mode(executable: bool) -> str:
    return "100755" if executable else "100644"


def _colored(line: str) -> str:
    code = next((code for start, code in _COLORS if line.startswith(start)), "")
    return f"\x1b[{code}m{line}\x1b[m" if code else line
