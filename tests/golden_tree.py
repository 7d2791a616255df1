"""Folders of expected output, compared to the byte and both ways."""

from __future__ import annotations

import difflib
import io
from collections.abc import Iterator, Mapping
from pathlib import Path


def read_tree(root: Path) -> dict[str, str]:
    """``{relative path: text}`` of all files below ``root``; empty when there is no such folder."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def write_tree(root: Path, produced: Mapping[str, str]) -> None:
    """Make ``root`` hold exactly ``produced``: other files and empty folders go."""
    for path in read_tree(root).keys() - produced.keys():
        (root / path).unlink()
    for folder in sorted(root.rglob("*"), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    for name, text in produced.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())


def differences(stored: Mapping[str, str], produced: Mapping[str, str]) -> Iterator[str]:
    """Lines, each with its newline: files on one side only, and unified diffs of the others."""
    for path in sorted(stored.keys() | produced.keys()):
        if path not in produced:
            yield f"not produced: {path}\n"
        elif path not in stored:
            yield f"not in golden: {path}\n"
        elif stored[path] != produced[path]:
            yield from _unified_diff(path, stored[path], produced[path])


def _unified_diff(path: str, stored: str, produced: str) -> Iterator[str]:
    # StringIO cuts at \n alone; str.splitlines would also cut at \r, form feeds and the like.
    before, after = (list(io.StringIO(text, newline="\n")) for text in (stored, produced))
    for line in difflib.unified_diff(before, after, f"golden/{path}", f"produced/{path}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
