"""What a terminal showed in the end, of the bytes that script(1), PuTTY or ``tmux pipe-pane`` save: an editor
of command lines (readline, zsh) moves the cursor and changes letters, and a pager writes over its mark.

Control functions: ECMA-48 8.3.20 CUF, 8.3.18 CUB, 8.3.9 CHA, 8.3.22 CUU, 8.3.19 CUD, 8.3.64 ICH, 8.3.26 DCH,
8.3.38 ECH, 8.3.41 EL, 8.3.39 ED, 8.3.21 CUP, 7.2.10 IRM. A line that is longer than the terminal has several
rows there, and cursor and carriage return move within one: where the width is not known, such a line is not.
"""

from __future__ import annotations

import re
from unicodedata import east_asian_width

from netplan.records import dataclass

_PLAIN = re.compile(
    r"\x1b(?:\[[0-9;:]*m|\[[?<=>!][0-9;?<=>]*[ -/]*[@-~]|\[[0-9;]*[ -/]+[@-~]|\[[0-9;]*[ginqtc]"
    r"|[\]P_^Xk][^\x07\x1b\n]{0,9999}(?:\x07|\x1b\\)|[()][0-9A-Z]|[=>])|\x07"
)
"""Colours, modes of xterm, titles and marks of a shell (OSC, xterm's ctlseqs: titles 0 to 2; 133 and 633
around a command), and the bell: none moves the cursor over other text."""
_PART = re.compile(r"\x1b\[(?P<number>[0-9]{0,4})(?:;[0-9;]{0,12})?(?P<what>[@-~])|[^\x1b\b\r]+|.", re.DOTALL)
_COLUMNS = re.compile(r"Script started on [^\n]{0,200} COLUMNS=\"([0-9]{2,4})\"")
_NARROW = 80
"""A line of fewer columns has one row: no terminal that people work in is narrower."""
EDITED = "^[[A: a line that was edited over several rows of the terminal"
"""In place of a line that is not known."""


def as_seen(text: str) -> str:
    """Lines keep their numbers."""
    if "\n" not in text or not any(mark in text for mark in "\x1b\b\r\x07"):
        return text
    found = _COLUMNS.search(text[:1000])
    width = int(found[1]) if found is not None else 0
    lines = (line.removesuffix("\r") for line in _PLAIN.sub("", text).split("\n"))
    return "\n".join(
        _shown(line, width) if any(mark in line for mark in "\x1b\b\r") else line for line in lines
    )


def _shown(line: str, width: int) -> str:
    row = _Row([], width)
    for part in _PART.finditer(line):
        if part["what"]:
            row.control(part["what"], int(part["number"] or 0))
        elif part[0] == "\b":
            row.move(-1)
        elif part[0] == "\r":
            row.to_column(0)
        elif part[0] == "\x1b":
            row.unknown = True
        else:
            row.write(part[0])
    return EDITED if row.unknown else "".join(row.cells)


@dataclass(slots=True)
class _Row:
    """``cells``: of all rows of the line, one behind the other; ``width``: of the terminal, 0 if not known;
    ``at``: where the cursor is; ``full``: it is behind the last column, and still in that row; ``returned``:
    it may be in another row than it seems."""

    cells: list[str]
    width: int
    at: int = 0
    full: bool = False
    inserts: bool = False
    returned: bool = False
    unknown: bool = False

    def write(self, text: str) -> None:
        self.unknown = self.unknown or self.returned
        for character in text:
            wide = east_asian_width(character) in ("W", "F")
            self._reach(self.at)
            end = self.at + (0 if self.inserts else 1 + wide)
            self.cells[self.at : end] = [character, *([""] if wide else [])]
            self.at += 1 + wide
        self.full = bool(self.width) and self.at % self.width == 0

    def move(self, by: int) -> None:
        self._settle()
        first = self._begin()
        last = first + self.width - 1 if self.width else self.at + by
        self.at = max(min(self.at + by, last), first)

    def to_column(self, column: int) -> None:
        self._settle()
        self.at = self._begin() + (min(column, self.width - 1) if self.width else column)
        self.returned = self.returned or self._may_have_rows()

    def control(self, what: str, number: int) -> None:
        count = max(number, 1)
        match what:
            case "C" | "a":
                self.move(count)
            case "D":
                self.move(-count)
            case "G" | "`":
                self.to_column(count - 1)
            case "A" | "B" | "e" | "k":
                self._to_row(count if what in "Be" else -count)
            case "H" | "f" if number < 2:  # where the screen is cleared
                self.cells, self.at, self.full = [], 0, False
            case "h" | "l":
                self.inserts = what == "h" and number == 4
            case "K" | "J":
                self._erase(what, number)
            case "@" | "P" | "X":
                self._change(what, count)
            case _:
                self.unknown = True

    def _to_row(self, rows: int) -> None:
        self._settle()
        self.at += rows * self.width
        self.unknown = self.unknown or not self.width or self.at < 0
        self.at = max(self.at, 0)

    def _may_have_rows(self) -> bool:
        return not self.width and len("".join(self.cells).rstrip()) >= _NARROW

    def _erase(self, what: str, number: int) -> None:
        self.unknown = self.unknown or self.returned or (number > 0 and self._may_have_rows())
        self._settle()
        end = len(self.cells) if what == "J" else self._end()
        first, last = {0: (self.at, end), 1: (self._begin(), self.at + 1)}.get(number, (self._begin(), end))
        self._blank(first, last)
        if last == len(self.cells):
            del self.cells[max(first, 0) :]

    def _change(self, what: str, count: int) -> None:
        """Within the row: letters behind the last column are lost."""
        self.unknown = self.unknown or self.returned
        self._settle()
        self._reach(self.at)
        end = self._end()
        if what == "X":
            self._blank(self.at, min(self.at + count, end))
        elif what == "P":
            rest = self.cells[self.at + count : end]
            self.cells[self.at : end] = rest + (
                [" "] * min(count, end - self.at) if end < len(self.cells) else []
            )
        else:
            rest = self.cells[self.at : end]
            room = self._begin() + self.width - self.at if self.width else count + len(rest)
            self.cells[self.at : end] = ([" "] * count + rest)[: max(room, 0)]

    def _settle(self) -> None:
        """Behind the last column the cursor stands on it."""
        self.at -= self.full
        self.full = False

    def _begin(self) -> int:
        return self.at - self.at % self.width if self.width else 0

    def _end(self) -> int:
        return min(self._begin() + self.width, len(self.cells)) if self.width else len(self.cells)

    def _blank(self, first: int, last: int) -> None:
        for at in range(first, min(last, len(self.cells))):
            self.cells[at] = " "

    def _reach(self, at: int) -> None:
        self.cells += [" "] * (min(at, 100_000) - len(self.cells))
