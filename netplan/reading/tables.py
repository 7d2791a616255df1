"""Parses a switch session log: prompts, and tables as SONiC prints them (``tabulate``): a header, a rule
of dashes, and rows in columns as wide as the dashes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise

from netplan.diagnostics import Source
from netplan.model.document import Places
from netplan.records import dataclass

_RULE = re.compile(r" *-+(?: +-+)+ *")
_OTHER = re.compile(r"\+-|\||net\.ip\S+ = |Profile: |Capability codes: ")
"""Below a table a grid, settings of the kernel, or what stands above the list of another command: no row."""
PROMPT = re.compile(r"\S{0,64}?@(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,62})[:>$# ][^$#>]{0,200}?[$#>] ?")
PROMPT_ENDS = "$#%>\u276f\u279c\u03bb\u00bb"
"""Characters that end the prompt of a shell, also in themes of zsh."""
MODE = r"\([A-Za-z][A-Za-z0-9_.,:/+*-]{0,79}\)"
"""Behind the name in a prompt: ``(config)``, ``(config-if-Et17/1-20/1)``, ``(config-vlan-100,200)``,
``(vrf:MGMT)`` of EOS (EOS User Manual, Command-Line Interface, Command Modes)."""
MOST_LINES = 400_000


BROKEN_OFF = re.compile(
    r"\s*(?:\^C|Aborted!|client_loop: .*|.*: Broken pipe|Connection (?:to|reset|closed) .*"
    r"|Read from remote host .*|Timeout, server .*"
    r"|\^C\S.*|Traceback \(most recent call last\):.*|KeyboardInterrupt"
    r"|(?:Broadcast m|M)essage from .*|-{2,4} ?\(?[Mm]ore(?: [0-9]{1,3}%)?\)? ?-{2,4}.*)\s*"
)
"""What a terminal shows of Ctrl-C (torvalds/linux drivers/tty/n_tty.c, echo of control characters), what
click prints of it (pallets/click src/click/core.py, "Aborted!"), and the last words of ssh
(openssh/openssh-portable clientloop.c, packet.c); what Python prints of it, messages of the system amid an
output (util-linux term-utils/wall.c), and a pager's mark that stayed."""


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    at: Source


@dataclass(frozen=True, slots=True)
class Row:
    """``cells`` by column header, in lower case, with runs of blanks as one. ``fits``: each stands where
    those of the other rows do, and nothing between the columns."""

    cells: dict[str, str]
    at: Source
    fits: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """``ended``: something is printed below it, so that no row of it can be missing at its end."""

    head: tuple[str, ...]
    rows: tuple[Row, ...]
    at: Source
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """``blocks``: the rows between two rules, the header first. ``rest``: rows that no rule closes.
    ``whole``: it ends with a rule, every row has all its cells, and something is printed below it."""

    blocks: tuple[list[Row], ...]
    rest: tuple[Row, ...]
    whole: bool


def lines_of(text: str, base: int, places: Places) -> list[Line]:
    """``base``: offset of the text in the sources of ``places``."""
    lines, offset = [], base
    for line in text.split("\n")[:MOST_LINES]:
        lines.append(Line(line, places.sources.source(offset)))
        offset += len(line) + 1
    return lines


def goes_on(lines: Iterable[Line]) -> bool:
    """Whether something is printed after an output, so that it is whole: no sign that it was broken off."""
    below = next((line.text for line in lines if line.text.strip()), "")
    return bool(below) and BROKEN_OFF.fullmatch(below) is None


def is_broken_off(line: Line) -> bool:
    return BROKEN_OFF.fullmatch(line.text) is not None


def without_cut_cell(lines: Sequence[Line]) -> Sequence[Line]:
    """Without the last value of the last row of a table, where that row has fewer than the others: it may be
    a part of a value. The same lines where nothing is cut."""
    rule, last = _last_rows(lines)
    if rule < 0:
        return lines
    starts = [match.start() for match in re.finditer("-+", lines[rule].text)]
    text = lines[last].text.rstrip()
    begun = [start for start in starts if start < len(text)]
    is_row = all(text[start - 1] == " " for start in begun if start) and _is_like(
        text, lines[rule + 1 : last]
    )
    others = [len(line.text.rstrip()) > starts[-1] for line in lines[rule + 1 : last]]
    if not is_row or starts[-1] in begun or (others and not any(others)):
        return lines
    return [*lines[:last], Line(text[: begun[-1] if begun else 0], lines[last].at), *lines[last + 1 :]]


def _is_like(text: str, rows: Sequence[Line]) -> bool:
    """Whether its first cell begins as that of another row does: a line of one word may be no row."""
    first = next(iter(text.split()), "").rstrip("0123456789")
    return not rows or any(row.text.lstrip().startswith(first) for row in rows)


def _last_rows(lines: Sequence[Line]) -> tuple[int, int]:
    """The rule above the last rows of a text, -1 if these are of no table, and its last line."""
    last = len(lines) - 1
    while last >= 0 and not lines[last].text.strip():
        last -= 1
    rule = last - 1
    while rule >= 0 and lines[rule].text.strip(" -"):
        rule -= 1
    return (rule if rule >= 0 and _RULE.fullmatch(lines[rule].text) else -1), last


def is_rule(line: str) -> bool:
    """Below the heading of a table."""
    return _RULE.fullmatch(line) is not None


def tables(lines: Sequence[Line]) -> Iterator[Table]:
    """Every table of a text. A blank line or one of dashes ends it; so does the header of the next table,
    since commands that run one after the other in one ``ssh`` print nothing in between."""
    index = 1
    while index < len(lines):
        if not _RULE.fullmatch(lines[index].text):
            index += 1
            continue
        spans = [match.span() for match in re.finditer("-+", lines[index].text)]
        above = _moved(lines[index - 1].text, spans)
        head = tuple(_words(cell) for cell in _cells(above, spans))
        end = index + 1
        while end < len(lines) and lines[end].text.strip(" -") and not _OTHER.match(lines[end].text):
            end += 1
        fitting = _fitting([above, *(line.text for line in lines[index + 1 : end])], spans)
        rows = [
            Row(dict(zip(head, _cells(line.text, spans), strict=True)), line.at, fits)
            for line, fits in zip(lines[index + 1 : end], fitting[1:], strict=True)
        ]
        if end < len(lines) and _RULE.fullmatch(lines[end].text):
            del rows[-1:]  # the line before a rule is the header of the next table
        ended = goes_on(islice(lines, end, None))
        yield Table(head, tuple(rows), lines[index - 1].at, ended)
        index = end


def _moved(head: str, spans: Sequence[tuple[int, int]]) -> str:
    """The heading, with blanks before it that a program took from the begin of the text: as few as put each
    of its words above its column."""
    moves = range(spans[0][1] - spans[0][0] if head[:1].strip() else 1)
    fitting = (moved for n in moves if _is_in_columns(moved := " " * n + head, spans))
    return next(fitting, head)


def _is_in_columns(line: str, spans: Sequence[tuple[int, int]]) -> bool:
    between = any(line[end:start].strip() for (_, end), (start, _) in pairwise(spans))
    return not between and all(_cells(line, spans)) and len(line.rstrip()) <= spans[-1][1]


def _words(text: str) -> str:
    return " ".join(text.lower().split())


def _cells(line: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    last = len(spans) - 1
    return [line[start : None if n == last else end].strip() for n, (start, end) in enumerate(spans)]


def _fitting(lines: Sequence[str], spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Whether the cells of a line begin, or end, where most of their column do, as tabulate prints them; of a
    line with letters that may be wider, only that nothing stands between the columns."""
    fitting = [not any(line[end:start].strip() for (_, end), (start, _) in pairwise(spans)) for line in lines]
    told = [number for number, line in enumerate(lines) if line.isascii()]
    for n, (start, end) in enumerate(spans):
        last = None if n == len(spans) - 1 else end
        for number in _unlike({number: lines[number][start:last] for number in told}, end - start):
            fitting[number] = False
    return fitting


def _unlike(column: Mapping[int, str], width: int) -> list[int]:
    """The cells, by line, that neither begin nor end where most do; none where there is no such place."""
    cells = {number: cell.rstrip() for number, cell in column.items() if cell.strip()}
    begin = {number for number, cell in cells.items() if cell[0] != " "}
    end = {number for number, cell in cells.items() if len(cell) == width}
    most = max(len(begin), len(end))
    if 2 * most <= len(cells):
        return []
    usual = set[int]().union(*(side for side in (begin, end) if len(side) == most))
    return [number for number in cells if number not in usual]


def grids(lines: Sequence[Line], first: str, ended: bool) -> Iterator[Grid]:
    """Grids whose first column is ``first``: cells between bars, blocks between rules. ``ended``: another
    command stands below the lines."""
    index = 0
    while index < len(lines):
        end = index
        while end < len(lines) and lines[end].text.strip()[:1] in ("|", "+"):
            end += 1
        if end > index:
            yield from _grid(lines[index:end], first, ended or goes_on(islice(lines, end, None)))
        index = end + 1


def _grid(lines: Sequence[Line], first: str, ended: bool) -> Iterator[Grid]:
    """Of lines without another one between them, which may be several grids."""
    head: list[str] = []
    blocks: list[list[Row]] = []
    block: list[Row] = []
    whole = True
    for line in lines:
        text = line.text.strip()
        if text.startswith("+"):
            blocks += [block] if block else []
            block = []
            continue
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        names = [_words(cell) for cell in cells]
        if names[0] == first:
            if blocks:
                yield Grid(tuple(blocks), tuple(block), whole and not block)
            head, blocks, block, whole = names, [], [], True
        if head and len(cells) == len(head):
            block.append(Row(dict(zip(head, cells, strict=True)), line.at))
        else:
            whole = False
    if blocks or block:
        closed = ended and lines[-1].text.strip().startswith("+-")
        yield Grid(tuple(blocks), tuple(block), whole and closed)
