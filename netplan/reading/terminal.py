"""What a terminal showed in the end, of the bytes that script(1), PuTTY or ``tmux pipe-pane`` save: an editor
of command lines (readline, zsh) moves the cursor and changes letters, and a pager writes over its mark.

Control functions: ECMA-48 8.3.20 CUF, 8.3.18 CUB, 8.3.9 CHA, 8.3.22 CUU, 8.3.19 CUD, 8.3.64 ICH, 8.3.26 DCH,
8.3.38 ECH, 8.3.41 EL, 8.3.39 ED, 8.3.21 CUP, 7.2.10 IRM; ESC 7 and 8: xterm's ctlseqs. A line that is longer
than the terminal has several rows there, and cursor and carriage return move within one. The width is that
at which an editor wrapped the line, by a blank and a carriage return; without it such a line is not known.
That of the begin of a log (COLUMNS of script(1)) is none: windows are made wider.
"""

from __future__ import annotations

import re
from unicodedata import category, east_asian_width

from netplan.records import dataclass

_PLAIN = re.compile(
    r"\x1b(?:\[[0-9;:]*m|\[[?<=>!][0-9;?<=>]*[ -/]*[@-~]|\[[0-9;]*[ -/]+[@-~]|\[[0-9;]*[ginqtc]"
    r"|[\]P_^Xk][^\x07\x1b\n]{0,9999}(?:\x07|\x1b\\)|[()][0-9A-Z]|[=>])|[\x07\x0e\x0f]"
)
"""Colours, modes of xterm, titles and marks of a shell (OSC, xterm's ctlseqs: titles 0 to 2; 133 and 633
around a command), the bell, and SI and SO: none moves the cursor over other text."""
_PASTED = re.compile(r"\x1b\[7m([^\n\x1b]*)\x1b\[27m")
_BLOCK = re.compile(
    r"\x1b\[\?2004h(?P<prompt>[^\n]{0,400}?)(?P<body>\x1b\[7m(?:(?!\x1b\[\?2004[hl]).){0,40000})"
    r"(?=\x1b\[\?2004l)",
    re.DOTALL,
)
"""What was pasted at one prompt of readline: shown inverse, and once more when all of its lines run, with no
prompt between."""
_UNSEEN = re.compile(r"\x1b\[[0-9;]*[@-~]|\s|\x08|\x00")
_PART = re.compile(
    r"\x1b(?P<kept>[78])|\x1b\[(?P<number>[0-9]{0,4})(?P<more>;[0-9;]{0,12})?(?P<what>[@-~])|[^\x1b\b\r]+|.",
    re.DOTALL,
)
_WITHOUT_WIDTH = frozenset({"Mn", "Me", "Cf"})
_NARROW = 80
"""A line of fewer columns has one row: no terminal that people work in is narrower."""
_AT_MARGIN = re.compile(r" {20}.*|.?", re.DOTALL)
_WITHOUT_END = re.compile(r"(?P<own>.*)[%#] {20,}", re.DOTALL)
"""zsh's mark of an output that no line break ends (PROMPT_SP): its prompt stands in the next row."""
_MOST = 2_000_000
"""Cells that are moved in one line: more are no line that a person typed."""
_FAR = 10_000
"""Columns behind the end of a line that a cursor is not moved."""
EDITED = "^[[A: a line of several rows of the terminal, which was edited"
"""In place of a line that is not known."""


def as_seen(text: str) -> str:
    """Lines keep their numbers."""
    if "\n" not in text or not any(mark in text for mark in "\x1b\b\r\x07\x0e\x0f"):
        return text
    text = _PLAIN.sub("", _BLOCK.sub(_as_one, text))
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return "\n".join(_shown(line) if any(mark in line for mark in "\x1b\b\r") else line for line in lines)


def _as_one(block: re.Match[str]) -> str:
    """Several lines behind one prompt, with ``;``, and as many line breaks; not known if they were edited."""
    body, breaks = block["body"], block[0].count("\n")
    if breaks < 2:
        return block[0]
    *_, last = _PASTED.finditer(body)
    commands = [each.replace(" \r", "") for each in _PASTED.findall(body)]
    same = _UNSEEN.sub("", body[last.end() :]) == _UNSEEN.sub("", "".join(commands))
    told = f"{block['prompt']}{'; '.join(filter(str.strip, commands))}" if same else EDITED
    return told + "\n" * breaks


def _shown(line: str) -> str:
    row = _Row([])
    for part in _PART.finditer(line):
        if row.unknown:
            break
        if part["kept"]:
            row.keep(part["kept"])
        elif part["what"]:
            row.control(part["what"], int(part["number"] or 0), part["more"] or "")
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
    it may be in another row than it seems; ``gap``: where a jump to the right began, ``kept``: where the
    cursor was at ESC 7, -1 without one; ``first``: the first cell of the row; ``tabs``, ``joined``: how many
    columns text with a tab, or with emoji of several parts, has is not known; ``moved``: cells so far;
    ``drop``: from where on the cells are decoration if anything is written before them, -1 if none are."""

    cells: list[str]
    width: int = 0
    at: int = 0
    gap: int = -1
    kept: int = -1
    first: int = 0
    drop: int = -1
    full: bool = False
    inserts: bool = False
    returned: bool = False
    tabs: bool = False
    joined: bool = False
    moved: int = 0
    unknown: bool = False

    def _drop(self) -> None:
        if self.drop >= 0:
            del self.cells[self.drop :]
            self.drop = -1

    def write(self, text: str) -> None:
        self._drop()
        self.unknown = self.unknown or self.returned
        if 0 <= self.at <= self.gap:  # back from a prompt at the right margin
            del self.cells[self.gap :]
            self.gap = -1
        elif self.at > len(self.cells) + 1 and self.gap < 0:
            self.gap = len(self.cells)
        self.tabs = self.tabs or "\t" in text
        if text.isascii():
            self._put(list(text))
            return
        self.joined = self.joined or "\ufe0f" in text or "\u200d" in text
        for character in text:
            if category(character) in _WITHOUT_WIDTH and 0 < self.at <= len(self.cells):
                self.cells[self.at - 1] += character
            else:
                self._put([character, ""] if east_asian_width(character) in ("W", "F") else [character])

    def _put(self, cells: list[str]) -> None:
        self._reach(self.at)
        end = self.at + (0 if self.inserts else len(cells))
        if end < len(self.cells):
            self._pays()
        self.cells[self.at : end] = cells
        self.at += len(cells)
        self.full = bool(self.width) and self.at % self.width == 0

    def move(self, by: int) -> None:
        self._settle()
        first = self._begin()
        last = first + self.width - 1 if self.width else self.at + by
        self.at = max(min(self.at + by, last), first)
        self.unknown = self.unknown or self.tabs or (self.joined and by > 0)

    def to_column(self, column: int) -> None:
        self._wrap()
        self._settle()
        self.at = self._begin() + (min(column, self.width - 1) if self.width else column)
        self.returned = self.returned or (self.drop < 0 and self._may_have_rows())
        self.unknown = self.unknown or (column > 0 and (self.tabs or self.joined))

    def _wrap(self) -> None:
        """By a blank behind the last column; or without a prompt at the right margin, or such a mark."""
        self._pays()
        text = "".join(self.cells)
        last = self.at - 1
        ends = self.at == len(text) and text.endswith(" ") and len(text.rstrip()) >= last - 1
        if not self.width and last >= _NARROW and ends:
            self.width, self.at = last, last
        elif found := _WITHOUT_END.fullmatch(text) or _AT_MARGIN.fullmatch(text):
            self.first = self.at = self.drop = len(found.groupdict().get("own", ""))

    def keep(self, what: str) -> None:
        """What was written since ESC 7 is decoration."""
        if what == "7":
            self.kept = self.at
        else:
            self.unknown = self.unknown or not 0 <= self.kept <= len(self.cells)
            self.at, self.full = max(self.kept, 0), False
            del self.cells[self.at :]

    def control(self, what: str, number: int, more: str) -> None:
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
            case "H" | "f" if number < 2 and more in ("", ";", ";1"):  # where the screen is cleared
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
        """Where the width is not known."""
        end = 0 if self.width else len(self.cells)
        while end >= _NARROW and self.cells[end - 1] == " ":
            end -= 1
            self.moved += 1
        return end >= _NARROW

    def _erase(self, what: str, number: int) -> None:
        self._drop()
        self.unknown = self.unknown or self.returned or (number > 0 and self._may_have_rows())
        self._settle()
        begin, end = (0, len(self.cells)) if what == "J" else (self._begin(), self._end())
        first, last = {0: (self.at, end), 1: (begin, self.at + 1)}.get(number, (begin, end))
        self._blank(first, last)
        if last == len(self.cells):
            del self.cells[max(first, 0) :]

    def _change(self, what: str, count: int) -> None:
        """Within the row: letters behind the last column are lost."""
        self._drop()
        self._pays()
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
        return self.at - self.at % self.width if self.width else self.first

    def _end(self) -> int:
        return min(self._begin() + self.width, len(self.cells)) if self.width else len(self.cells)

    def _blank(self, first: int, last: int) -> None:
        self._pays()
        last = min(last, len(self.cells))
        self.cells[first:last] = [" "] * max(last - first, 0)

    def _reach(self, at: int) -> None:
        self.unknown = self.unknown or at - len(self.cells) > _FAR
        self.cells += [" "] * (min(at - len(self.cells), _FAR))

    def _pays(self) -> None:
        self.moved += len(self.cells)
        self.unknown = self.unknown or self.moved > _MOST
