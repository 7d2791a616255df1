"""Folders of expected output, compared byte by byte in both directions."""

from __future__ import annotations

import difflib
import hashlib
import io
import json
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


DIGESTS = "SHA256SUMS"
SCRIPTS_IN = frozenset({"iei-rocev2", "kitchen-sink"})
"""Trees in which scripts are stored as text; together they have every kind of script."""


def condensed(name: str, produced: Mapping[str, str]) -> dict[str, str]:
    """A rendered tree in which what another file already shows is a digest only: the second switch of a NOS
    and role, and scripts outside ``SCRIPTS_IN``. All of it is still compared byte by byte."""
    switches = json.loads(produced["site.json"])["switches"]
    first: dict[tuple[str, str], str] = {}
    for switch, row in switches.items():
        first.setdefault((row["nos"], row["role"]), switch)
    alike = switches.keys() - first.values()

    def shown(path: str) -> bool:
        top, _, rest = path.partition("/")
        if top == "switches" and rest.partition("/")[0] in alike:
            return False
        return not path.endswith(".sh") or name in SCRIPTS_IN

    kept = {path: text for path, text in produced.items() if shown(path)}
    rest = sorted(produced.keys() - kept.keys())
    sums = (f"{hashlib.sha256(produced[path].encode()).hexdigest()}  {path}\n" for path in rest)
    return kept | ({DIGESTS: "".join(sums)} if rest else {})


def differences(stored: Mapping[str, str], produced: Mapping[str, str]) -> Iterator[str]:
    """Lines with line feeds: files on one side only, and unified diffs of the others."""
    for path in sorted(stored.keys() | produced.keys()):
        if path not in produced:
            yield f"not produced: {path}\n"
        elif path not in stored:
            yield f"not in golden: {path}\n"
        elif stored[path] != produced[path]:
            yield from _unified_diff(path, stored[path], produced[path])


def _unified_diff(path: str, stored: str, produced: str) -> Iterator[str]:
    # StringIO splits at \n alone; str.splitlines would also split at \r, form feeds and the like.
    before, after = (list(io.StringIO(text, newline="\n")) for text in (stored, produced))
    for line in difflib.unified_diff(before, after, f"golden/{path}", f"produced/{path}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
