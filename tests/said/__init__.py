"""What is said of files after a small edit, kept as rows: any other word, place, count or value is a change.

A row of a file of rows, after the line ``@ FILE OF A CASE`` (or ``@ WORLD PATH``) that it is about::

    - a line of the file, without indentation      where it occurs twice, the first; none: the file as it is
    + the line in its place                        none: it is left out; several: all of them
    = what is then said                            none: nothing

Of a message and its hint only the values are kept, by the digits and signs in them: how they are worded may
change.
``python -m tests.said`` makes the rows anew from the edits; what differs then is to be read, line by line.
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
    """Words of a message with a digit in them, and paths and names that are no words."""
    return " ".join(_VALUE.findall(text))


def line(found: Diagnostic, place: str) -> str:
    """Code, place and values of a finding."""
    return f"{found.code} {place} {values(found.message)} | {values(found.hint)}".rstrip(" |")


@dataclass(frozen=True)
class Row:
    """``about``: what follows ``@``; ``now``: None where the line is left out; ``said``: as kept."""

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
    """Of a file of rows."""
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
