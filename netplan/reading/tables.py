"""Parses a switch session log: prompts, and tables as SONiC prints them (``tabulate``): a header, a rule
of dashes, and rows in columns as wide as the dashes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from netplan.diagnostics import Source
from netplan.model.document import Places
from netplan.records import dataclass

_RULE = re.compile(r" *-+(?: +-+)+ *")
PROMPT = re.compile(r"\S{0,64}?@(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,62})[:>$# ][^$#>]{0,200}?[$#>] ?")
MOST_LINES = 400_000


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    at: Source


@dataclass(frozen=True, slots=True)
class Row:
    """``cells`` by column header, in lower case, with runs of blanks as one."""

    cells: dict[str, str]
    at: Source


@dataclass(frozen=True, slots=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[Row, ...]
    at: Source


def lines_of(text: str, base: int, places: Places) -> list[Line]:
    """``base``: offset of the text in the sources of ``places``."""
    lines, offset = [], base
    for line in text.split("\n")[:MOST_LINES]:
        lines.append(Line(line, places.sources.source(offset)))
        offset += len(line) + 1
    return lines


def tables(lines: Sequence[Line]) -> Iterator[Table]:
    """Every table of a text. A blank line or one of dashes ends it; so does the header of the next table,
    since commands that run one after the other in one ``ssh`` print nothing in between."""
    index = 1
    while index < len(lines):
        if not _RULE.fullmatch(lines[index].text):
            index += 1
            continue
        spans = [match.span() for match in re.finditer("-+", lines[index].text)]
        head = tuple(_words(cell) for cell in _cells(lines[index - 1].text, spans))
        rows, end = [], index + 1
        while end < len(lines) and lines[end].text.strip(" -"):
            line = lines[end]
            rows.append(Row(dict(zip(head, _cells(line.text, spans), strict=True)), line.at))
            end += 1
        if end < len(lines) and _RULE.fullmatch(lines[end].text):
            del rows[-1:]  # the line before a rule is the header of the next table
        yield Table(head, tuple(rows), lines[index - 1].at)
        index = end


def _words(text: str) -> str:
    return " ".join(text.lower().split())


def _cells(line: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    last = len(spans) - 1
    return [line[start : None if n == last else end].strip() for n, (start, end) in enumerate(spans)]


def grid(lines: Sequence[Line], first: str) -> Iterator[list[Row]]:
    """Row blocks of grids whose first column is ``first``: cells between bars, blocks between rules. The
    header is a block of its own. A last block without a closing rule is truncated, and left out."""
    head: list[str] = []
    block: list[Row] = []
    for line in lines:
        text = line.text.strip()
        if text.startswith("|"):
            cells = [cell.strip() for cell in text.strip("|").split("|")]
            names = [_words(cell) for cell in cells]
            head = names if names[0] == first else head
            if head and len(cells) == len(head):
                block.append(Row(dict(zip(head, cells, strict=True)), line.at))
        elif text.startswith("+") and block:
            yield block
            block = []
        elif not text.startswith("+"):
            head, block = [], []
