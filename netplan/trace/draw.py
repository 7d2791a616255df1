"""Walks and matrices as text: a packet's path hop by hop, a workload's rails as a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.printable import printable
from netplan.trace.matrix import OTHER_LEAVES, OTHER_NODE, SAME_NODE, Cell, Matrix
from netplan.trace.model import DEVICE_BOUND, FLOWS, UNBOUND, Flow, Hop, Leg, Verdict, Walk, Walks

_COLORS = {
    Verdict.DELIVERED: "32",
    Verdict.UNPROVED: "36",
    Verdict.UNLIKE: "35",
    Verdict.NARROW: "35",
    Verdict.LOSSY: "35",
    Verdict.TOO_BIG: "35",
    Verdict.WRONG_RAIL: "31",
    Verdict.LOST: "31",
}
_MARKS = {
    Verdict.DELIVERED: "+",
    Verdict.UNPROVED: "~",
    Verdict.UNLIKE: "u",
    Verdict.NARROW: "p",
    Verdict.LOSSY: "l",
    Verdict.TOO_BIG: "b",
    Verdict.WRONG_RAIL: "w",
    Verdict.LOST: "X",
}
_NOT_MEANT = "."
_NUMBER = re.compile(r"\d+")
_LISTED = 12
"""Sentences of each kind that text output shows; json has all."""


def paint(text: str, verdict: Verdict, color: bool) -> str:
    return f"\x1b[{_COLORS[verdict]}m{text}\x1b[m" if color else text


def trace_lines(walks: Walks, color: bool) -> Iterator[str]:
    """Draws the device-bound walk and gives each other walk a line."""
    meant = "" if walks.meant else " (the routes are not meant to connect them)"
    for family, each in walks.families.items():
        drawn = next(walk for walk in each if walk.flow is DEVICE_BOUND)
        of_family = f" ({family})" if len(walks.families) > 1 else ""
        said = paint(_words(drawn), drawn.verdict, color)
        yield f"{printable(walks.start)} -> {printable(walks.end)}{of_family}: {said}{meant}"
        yield from _leg_lines("there", drawn.there, color)
        if drawn.back is not None:
            yield from _leg_lines("back", drawn.back, color)
        yield ""
        for walk in each:
            if walk is not drawn:
                shown = "" if walks.decides(walk) else ", shown only"
                said = paint(_words(walk), walk.verdict, color)
                yield f"{walk.flow.name}: {said}{shown}{_first(walk)}"


def _words(walk: Walk) -> str:
    verdict = walk.verdict
    said = "delivered on the right rail, both ways" if verdict is Verdict.DELIVERED else verdict.words
    return f"{verdict.proof}: {said}"


def _first(walk: Walk) -> str:
    return f": {printable(walk.faults[0].text)}" if walk.faults else ""


def _leg_lines(name: str, leg: Leg, color: bool) -> Iterator[str]:
    yield ""
    source = f", from {leg.source}" if leg.source else ""
    yield f"{name}{source}"
    width = max((len(hop.node) for hop in leg.hops), default=0)
    for index, hop in enumerate(leg.hops):
        yield from _hop_lines(hop, width, last=index == len(leg.hops) - 1)
    if leg.others:
        yield f"  and {leg.others} other equal path{'s' if leg.others > 1 else ''}, each checked"
    for neighbour in leg.neighbours:
        yield f"  neighbour {printable(neighbour)}"
    for fault in leg.faults:
        yield "  " + paint(f"{fault.verdict.words}: {printable(fault.text)}", fault.verdict, color)
    for text in _few(_alike(leg.notes)):
        yield "  " + paint(f"not proved: {printable(text)}", Verdict.UNPROVED, color)


def _hop_lines(hop: Hop, width: int, last: bool) -> Iterator[str]:
    ports = " -> ".join(part for part in (hop.enter, hop.leave) if part)
    does = f"  {hop.does}" if hop.does else ""
    yield printable(f"  {hop.node:<{width}}  {ports}{does}".rstrip())
    values = ", ".join(f"{name} {value}" for name, value in hop.values.items())
    bar = " " if last else "|"
    if values:
        yield printable(f"  {bar:<{width}}  {values}")
    if hop.file:
        yield printable(f"  {bar:<{width}}  {hop.file}")


def matrix_lines(matrix: Matrix, color: bool) -> Iterator[str]:
    """One table for each place the other pod can be: rows and columns are rails, a block is a kind of
    flow."""
    classes = f"{len(matrix.classes)} class{'es' if len(matrix.classes) != 1 else ''}"
    said = paint(_summary(matrix), matrix.verdict, color)
    yield f"{printable(matrix.workload)}: {said}"
    hosts, pairs, walks = (
        _count(n, noun)
        for n, noun in ((matrix.hosts, "host"), (matrix.pairs, "pair"), (matrix.walks, "walk"))
    )
    partners = ", each class with two others" if matrix.few else ""
    yield f"  {hosts} in {classes}, {pairs} of them{partners}, {walks} there and back"
    if matrix.missing:
        yield f"  {printable(matrix.missing)}"
    for relation in (SAME_NODE, OTHER_NODE, OTHER_LEAVES):
        cells = [cell for cell in matrix.cells if cell.relation == relation]
        if cells:
            yield ""
            yield from _table(relation, matrix.interfaces, cells, color)
    yield from _reasons(matrix, color)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _summary(matrix: Matrix) -> str:
    said = "not delivered" if matrix.missing else matrix.verdict.words
    if matrix.verdict is Verdict.DELIVERED:
        pairs = "every pair that was walked" if matrix.few else "every pair"
        said = f"{pairs} is delivered on the right rail, both ways"
    return f"{matrix.verdict.proof}: {said}"


def _table(relation: str, interfaces: Sequence[str], cells: list[Cell], color: bool) -> Iterator[str]:
    flows = [flow for flow in FLOWS if any(cell.flow is flow for cell in cells)]
    short = [_short(name, index) for index, name in enumerate(interfaces)]
    wide = max(map(len, short))
    left = max(len(relation), *map(len, interfaces))
    block = max((wide + 1) * len(interfaces) - 1, *(len(flow.name) for flow in flows))
    yield f"  {relation:<{left}}  " + "  ".join(f"{flow.name:<{block}}" for flow in flows).rstrip()
    heads = " ".join(f"{name:>{wide}}" for name in short)
    yield f"  {'from / to':<{left}}  " + "  ".join(f"{heads:<{block}}" for _ in flows).rstrip()
    found = {(cell.flow, cell.start, cell.end): cell for cell in cells}
    gap = " " * (block - (wide + 1) * len(interfaces) + 1)
    for index, start in enumerate(interfaces):
        drawn = [flow for flow in flows if flow is not UNBOUND or not index]
        row = "  ".join(_marks(found, flow, start, interfaces, wide, color) + gap for flow in drawn)
        yield f"  {printable(start):<{left}}  {row}".rstrip()


def _marks(
    found: Mapping[tuple[Flow, str, str], Cell],
    flow: Flow,
    start: str,
    ends: Sequence[str],
    wide: int,
    color: bool,
) -> str:
    """A row of a block. An unbound socket has no interface of its own, so its block has one row."""
    cells = (found.get((flow, end if flow is UNBOUND else start, end)) for end in ends)
    return " ".join(_mark(cell, wide, color) for cell in cells)


def _short(name: str, index: int) -> str:
    digits = name[len(name.rstrip("0123456789")) :]
    return digits or str(index)


def _mark(cell: Cell | None, wide: int, color: bool) -> str:
    if cell is None or not cell.meant:
        return f"{_NOT_MEANT:>{wide}}"
    return " " * (wide - 1) + paint(_MARKS[cell.verdict], cell.verdict, color)


def _reasons(matrix: Matrix, color: bool) -> Iterator[str]:
    yield from _legend(matrix)
    yield from _failing(matrix, color)
    yield from _notes(matrix, color)
    unbound = [cell for cell in matrix.cells if not cell.decides and cell.meant and cell.verdict.fails]
    if unbound:
        reason = printable(unbound[0].faults[0].text)
        yield f"  unbound sockets are shown and decide nothing: {reason}"


def _legend(matrix: Matrix) -> Iterator[str]:
    """Explains the marks that are used."""
    used = {cell.verdict for cell in matrix.cells if cell.meant}
    if used:
        yield ""
        marks = [f"{_MARKS[v]} {v.words}" for v in sorted(used)]
        if any(not cell.meant for cell in matrix.cells):
            marks.append(f"{_NOT_MEANT} not meant to reach each other")
        yield f"  {', '.join(marks)}"


def _failing(matrix: Matrix, color: bool) -> Iterator[str]:
    """Each fault once, with the first walk that meets it and how many others do."""
    met: dict[str, list[Cell]] = {}
    for cell in matrix.cells:
        for text in dict.fromkeys(fault.text for fault in cell.faults if cell.fails):
            met.setdefault(text, []).append(cell)
    failing = {f"{_walks(cells)}: {text}": cells[0].verdict for text, cells in met.items()}
    for text in _few(failing):
        yield "  " + paint(printable(text), failing.get(text, Verdict.LOST), color)


def _walks(cells: Sequence[Cell]) -> str:
    more = f", and {_count(len(cells) - 1, 'more walk')}" if len(cells) > 1 else ""
    return f"{_where(cells[0])}{more}"


def _notes(matrix: Matrix, color: bool) -> Iterator[str]:
    decisive = [cell for cell in matrix.cells if cell.meant and cell.decides]
    told = {fault.text for cell in matrix.cells if cell.fails for fault in cell.faults}
    notes = dict.fromkeys(note for cell in decisive for note in cell.notes if note not in told)
    for text in _few(_alike(notes)):
        yield "  " + paint(f"not proved: {printable(text)}", Verdict.UNPROVED, color)


def _where(cell: Cell) -> str:
    a, b = cell.example
    return f"{cell.flow.name} {a}/{cell.start} -> {b}/{cell.end}, {cell.relation}"


def _alike(texts: Iterable[str]) -> Iterator[str]:
    """One of the texts that differ in numbers only, with how many there are."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(_NUMBER.sub("", text), []).append(text)
    for first, *others in groups.values():
        yield f"{first} (and {len(others)} like it)" if others else first


def _few(texts: Iterable[str]) -> Iterator[str]:
    listed = list(texts)
    yield from listed[:_LISTED]
    if len(listed) > _LISTED:
        yield f"and {len(listed) - _LISTED} more (--format json lists all)"
