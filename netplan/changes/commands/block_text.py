"""Files of a block CLI as settings, each with its header lines and a key that does not depend on its
value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from netplan.changes.commands.block_rows import Blocks, Found, Row, State
from netplan.changes.commands.model import Files
from netplan.reading.switches.several import members

Key = tuple[tuple[str, ...], ...]
"""Per level: the slot, and the values that tell its settings apart."""
_NUMBER = re.compile(r"([0-9]+)(?:-([0-9]+))?")
_MOST = 4096


@dataclass(slots=True, eq=False)
class Line:
    """A line of a file with the lines below it. ``left``: whether a line that leaves the block is below or
    beside it. ``found``: None for comments and lines that set nothing. ``number``: in the file, from 1."""

    text: str
    found: Found | None = None
    key: Key = ()
    below: list[Line] = field(default_factory=list)
    left: str = ""
    number: int = 0

    @property
    def elements(self) -> tuple[int, ...]:
        """Members of its list; empty for a line without a list."""
        row = self.found.row if self.found else None
        return numbers(self.found.bound.get(row.each, "")) if self.found and row and row.each else ()


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """``value``: what it is set to; ``path``: header lines above it; ``line``: the line that sets it, with
    its whole list; ``order``: positions of its top block, of its block, and in the block; ``number``: of
    the line in its file."""

    key: Key
    row: Row
    value: str
    path: tuple[str, ...]
    line: str
    bound: Mapping[str, str]
    list_at: tuple[int, int]
    element: int | None
    order: tuple[int, int, int]
    number: int

    @property
    def block(self) -> Key:
        return self.key[:-1]


Settings = Mapping[Key, Setting]


def numbers(text: str) -> tuple[int, ...]:
    """Numbers of a list, ranges expanded; empty if the text is not a list."""
    found: list[int] = []
    for first, last in _NUMBER.findall(text):
        start, end = int(first[:9]), int((last or first)[:9])
        if end - start + len(found) >= _MOST:
            return ()
        found += range(start, end + 1)
    return tuple(found)


def listed(elements: list[int], like: str) -> str:
    """A list written like ``like``: with ranges if that has some, separated by commas or blanks."""
    comma = "," in like or ("," not in like and " " not in like)
    if "-" not in like:
        return ("," if comma else " ").join(map(str, elements))
    spans: list[list[int]] = []
    for number in elements:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)


def parsed(text: str, blocks: Blocks) -> list[Line]:
    """Lines of a file, nested by indent."""
    return _Parser(blocks).lines(text)


class _Parser:
    """``above``: open blocks, each with its indent and the lines below it."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self.top: list[Line] = []
        self.above: list[tuple[int, Line, State]] = []
        self.number = 0

    def lines(self, text: str) -> list[Line]:
        for self.number, raw in enumerate(text.replace("\t", " ").split("\n"), start=1):
            if words := raw.strip():
                self._line(words, len(raw) - len(raw.lstrip()))
        return self.top

    def _line(self, words: str, depth: int) -> None:
        last = None
        while self.above and self.above[-1][0] >= depth:
            last = self.above.pop()[1]
        if words == self.blocks.leave:
            if self.above:
                self.above[-1][1].left = "below"
            elif last is not None:
                last.left = "beside"
            return
        header, rest = self.blocks.split(words)
        if header and rest:
            for each in self._each(header):
                self._flat(each, rest)
        else:
            self._placed(words, depth)

    def _each(self, header: str) -> list[str]:
        """The header of each interface that one names."""
        begin = self.blocks.several
        if not begin or not header.startswith(begin):
            return [header]
        return [f"{begin}{name}" for name in members(header.removeprefix(begin))]

    def _placed(self, words: str, depth: int) -> None:
        block = self.above[-1][1] if self.above else None
        beside = self.top if block is None else block.below
        if words.startswith(self.blocks.comment) or self.blocks.skip.fullmatch(words):
            beside.append(Line(words))
            return
        found = self.blocks.find(self.above[-1][2] if self.above else self.blocks.start, words)
        line = self._new(words, found, () if block is None else block.key)
        beside.append(line)
        self.above.append((depth, line, found.below))

    def _flat(self, header: str, rest: str) -> None:
        """Put a line that repeats its header below that header."""
        found = self.blocks.find(self.blocks.start, header)
        head = self._new(header, found, ())
        same = (line for line in self.top if line.found and line.key == head.key and line.text == header)
        known = next(same, None)
        if known is None:
            head.left = "none"
            self.top.append(head)
        below = known or head
        below.below.append(self._new(rest, self.blocks.find(found.below, rest), below.key))

    def _new(self, text: str, found: Found, above: Key) -> Line:
        row = found.row
        named = (text,) if row.by is None else (found.bound.get(name, "") for name in row.by)
        return Line(text, found, (*above, (row.slot, *named)), number=self.number)


def element_key(key: Key, element: int) -> Key:
    return (*key[:-1], (*key[-1], f"[{element}]"))


def settings(files: Files, blocks: Blocks) -> dict[Key, Setting]:
    """Settings of all files; a later value overrides an earlier one."""
    found: dict[Key, Setting] = {}
    places: dict[Key, int] = {}
    for file in files:
        for line, path in _walked(parsed(files[file], blocks), ()):
            assert line.found is not None
            top = places.setdefault(line.key[:1], len(places))
            place = (top, places.setdefault(line.key[:-1], len(places)), len(found))
            for setting in _settings(line, path, place):
                if not (setting.row.block == "shared" and setting.key in found):
                    found[setting.key] = setting
    return found


def _walked(lines: list[Line], path: tuple[str, ...]) -> Iterator[tuple[Line, tuple[str, ...]]]:
    for line in lines:
        if line.found is not None:
            yield line, path
            yield from _walked(line.below, (*path, line.text))


def _settings(line: Line, path: tuple[str, ...], place: tuple[int, int, int]) -> Iterator[Setting]:
    assert line.found is not None
    row, bound = line.found.row, line.found.bound
    elements, at = line.elements, line.found.list_at
    if not elements:
        yield Setting(line.key, row, line.text, path, line.text, bound, at, None, place, line.number)
    value = line.text[: at[0]] + "*" + line.text[at[1] :]
    for element in elements:
        key = element_key(line.key, element)
        yield Setting(key, row, value, path, line.text, bound, at, element, place, line.number)


def relisted(line: str, at: tuple[int, int], elements: list[int]) -> str:
    """The line with another list in it."""
    return line[: at[0]] + listed(elements, line[at[0] : at[1]]) + line[at[1] :]
