"""Recorded findings about files after a small edit: any changed code, place, count or value fails a test.

A file of rows has a line ``@ FILE OF A CASE`` (or ``@ WORLD PATH``), then rows about that file::

    - a line of the file, without indentation      the first occurrence; if missing: the file unchanged
    + its replacement                              if missing: the line is removed; several: all of them
    = an expected finding                          if missing: no findings

Of a message and its hint, only the values are recorded (words with digits or signs): the wording may change.
``python -m tests.said`` regenerates the rows from the edits; review every difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from netplan.diagnostics import Diagnostic

FOLDER = Path(__file__).parent
_VALUE = re.compile(r"[^\s,;()'\"]*(?:[\d/_=]|\w\.\w)[^\s,;()'\"]*")


def values(text: str) -> str:
    """The values in a message: words with a digit, and paths and names that are not plain words."""
    return " ".join(_VALUE.findall(text))


def line(found: Diagnostic, place: str) -> str:
    """Code, place and values of a finding."""
    return f"{found.code} {place} {values(found.message)} | {values(found.hint)}".rstrip(" |")


@dataclass(frozen=True)
class Row:
    """``about``: the text after ``@``; ``now``: None if the line is removed; ``said``: recorded findings."""

    about: str
    was: str
    now: tuple[str, ...]
    said: tuple[str, ...]

    def __str__(self) -> str:
        marked = [("- ", (self.was,)), ("+ ", self.now), ("= ", self.said)]
        return "".join(f"{mark}{line}".rstrip() + "\n" for mark, lines in marked for line in lines)

    def edited(self, text: str) -> str:
        if not self.was:
            return text
        lines = text.split("\n")
        place = [line.strip() for line in lines].index(self.was)
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        lines[place : place + 1] = [indent + line for line in self.now]
        return "\n".join(lines)


def rows(name: str) -> Iterator[Row]:
    """The rows of a file."""
    about, parts = "", list[tuple[str, str]]()
    for line in [*(FOLDER / name).read_text(encoding="utf-8").splitlines(), "@ "]:
        mark, text = f"{line[:1]} ", line[2:]
        if mark in ("- ", "@ ") and parts:
            kept = {m: tuple(t for mark, t in parts if mark == m) for m in ("- ", "+ ", "= ")}
            yield Row(about, kept["- "][0], kept["+ "], kept["= "])
            parts = []
        if mark == "@ ":
            about = text
        elif mark in ("- ", "+ ", "= "):
            parts.append((mark, text))


def written(found: Sequence[Row]) -> str:
    """The text of a file of rows."""
    text, about = "", ""
    for row in found:
        text += f"@ {row.about}\n" * (row.about != about) + str(row)
        about = row.about
    return text
