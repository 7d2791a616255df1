"""Tables and JSON that a terminal broke at its width, as they stand where its screen was copied: each row of
a table is as many lines as the rule below the header, or around the grid."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise

from netplan.reading.tables import PROMPT, Line
from netplan.records import dataclass

_DASHES = re.compile(r" *-+(?: +-+)* *")
_GRID = re.compile(r"\+-[-+]*")
_GRID_GOES_ON = re.compile(r"(?!\+-)[-+]*\+")
_BROKEN_JSON = re.compile(r"^[\[{][^\n]{39,}[^\]}\s]\n", re.MULTILINE)
_USUAL, _MOST = 80, 20
_TRIMMED = 3
"""Blanks between columns that may be gone at the end of a line."""


@dataclass(frozen=True, slots=True)
class Unfolded:
    """``left``: first lines of tables whose rows are broken in another way."""

    lines: list[Line]
    left: tuple[Line, ...] = ()


def unfolded(lines: list[Line]) -> Unfolded:
    """The same lines where none is broken."""
    found, left, widths, at = list[Line](), list[Line](), set[int](), 0
    while at < len(lines):
        pieces = _pieces(lines, at)
        table = _rows(lines, at, pieces) if pieces > 1 else None
        if table is None:
            left += [lines[at]] * (pieces > 1)
            found.append(lines[at])
            at += 1
            continue
        rows, width = table
        header = pieces * (lines[at].text[:1] != "+")
        del found[len(found) - header :]
        found += rows
        at += len(rows) * pieces - header
        widths.add(width)
    return Unfolded(_sentences(found, widths.pop()) if len(widths) == 1 else found, tuple(left))


def _sentences(lines: Sequence[Line], width: int) -> list[Line]:
    """Lines beside the tables, which end where the terminal does, with what follows them; rows of a table
    that is just as wide are whole."""
    found, goes_on, inside = list[Line](), False, False
    for number, line in enumerate(lines):
        if goes_on and not PROMPT.match(line.text):
            found[-1] = Line(found[-1].text + line.text, found[-1].at)
        else:
            found.append(line)
        inside = _is_rule(line.text) or (inside and line.text.strip() != "" and not PROMPT.match(line.text))
        heads = number + 1 < len(lines) and _is_rule(lines[number + 1].text)
        goes_on = len(line.text) == width and line.text[-1] != " " and not (inside or heads)
    return found


def _is_rule(line: str) -> bool:
    return bool(line.strip()) and (_DASHES.fullmatch(line) or _GRID.fullmatch(line)) is not None


def _pieces(lines: Sequence[Line], at: int) -> int:
    """Of the rule that begins there."""
    grid = _GRID.fullmatch(lines[at].text.rstrip()) is not None
    goes_on = _GRID_GOES_ON if grid else _DASHES
    if not (grid or _DASHES.fullmatch(lines[at].text)):
        return 0
    end = at + 1
    while end < len(lines) and end <= at + _MOST and goes_on.fullmatch(lines[end].text.rstrip()):
        end += 1
    number = end - at if end <= at + _MOST else 0
    return number if grid or (number and _has_header(lines, at, number)) else 0


def _has_header(lines: Sequence[Line], at: int, pieces: int) -> bool:
    """The header is as many lines as the rule, with a word over each column."""
    if at < pieces or (at > pieces and _DASHES.fullmatch(lines[at - pieces - 1].text)):
        return False
    width = _width(lines[at - pieces : at + pieces])
    head, rule = _joined(lines[at - pieces : at], width), _joined(lines[at : at + pieces], width)
    columns = [slice(*match.span()) for match in re.finditer("-+", rule)]
    between = any(head[gap].strip() for gap in _gaps(rule))
    return len(columns) > 1 and not between and all(head[column].strip() for column in columns)


def _rows(lines: Sequence[Line], at: int, pieces: int) -> tuple[list[Line], int] | None:
    """The table from its header on, and the width; None if its lines are not that many for each row."""
    grid = lines[at].text[:1] == "+"
    start, end = at if grid else at - pieces, at + pieces
    while end < len(lines) and lines[end].text.strip() and not PROMPT.match(lines[end].text):
        if not grid and _DASHES.fullmatch(lines[end].text):
            break
        end += 1
    if (end - start) % pieces:
        return None
    width = _width(lines[start:end])
    rows = [Line(_joined(lines[n : n + pieces], width), lines[n].at) for n in range(start, end, pieces)]
    return (rows, width) if _is_table(rows, grid) else None


def _is_table(rows: Sequence[Line], grid: bool) -> bool:
    """Nothing stands between the columns."""
    if grid:
        return all(row.text[:1] in "+|" and row.text.rstrip()[-1:] in "+|" for row in rows)
    return not any(row.text[gap].strip() for row in rows for gap in _gaps(rows[1].text))


def _gaps(rule: str) -> list[slice]:
    spans = [match.span() for match in re.finditer("-+", rule)]
    return [slice(before[1], after[0]) for before, after in pairwise(spans)]


def _width(lines: Sequence[Line]) -> int:
    return _width_of([line.text for line in lines])


def _width_of(lines: Sequence[str]) -> int:
    most = max(map(len, lines))
    return _USUAL if _USUAL - _TRIMMED < most <= _USUAL else most


def _joined(lines: Sequence[Line], width: int) -> str:
    return "".join(line.text.ljust(width) for line in lines[:-1]) + lines[-1].text


def with_whole_json(text: str) -> str:
    """The same text where JSON of one line is not broken; blank lines keep the numbers of those below it."""
    if _BROKEN_JSON.search(text) is None:
        return text
    lines, at = text.split("\n"), 0
    while at < len(lines):
        most = _of_json(lines, at) if lines[at][:1] in ("{", "[") else 1
        for pieces in range(most, max(most - 2, 1), -1):  # the last one may be what is below it
            if joined := _one_value(lines[at : at + pieces]):
                lines[at : at + pieces] = [joined, *[""] * (pieces - 1)]
                break
        at += most
    return "\n".join(lines)


def _of_json(lines: Sequence[str], at: int) -> int:
    """How many lines from there on may be one: all but the last are as wide as the terminal."""
    width = _width_of(lines[at : at + 2])
    end = at + 1
    while end < len(lines) and lines[end] and width - _TRIMMED < len(lines[end - 1]) <= width:
        end += 1
    return end - at


def _one_value(pieces: Sequence[str]) -> str:
    """Joined, if it ends in the last piece, where a prompt may be behind it."""
    width = _width_of(pieces[:-1])
    before = "".join(line.ljust(width) for line in pieces[:-1])
    try:
        end = json.JSONDecoder().raw_decode(before + pieces[-1])[1]
    except (json.JSONDecodeError, RecursionError):
        return ""
    return before + pieces[-1] if end > len(before) else ""
