"""``trace``: files of a small site, or of a shipped inventory, with one line changed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import groupby

from netplan.trace import Tabulator, TraceError
from netplan.trace.draw import _MARKS as MARKS
from netplan.trace.matrix import Cell, Matrix
from tests.edits.judges import site_of
from tests.edits.site import rendered
from tests.said import Row, values


def said(row: Row) -> tuple[str, ...]:
    """The verdict of each workload with the mark of every cell, and the values of each sentence that the
    unchanged files do not produce."""
    world, path = row.about.split(" ")
    texts = rendered(world)
    return _traced({**texts, path: row.edited(texts[path])}, _usual(world))


@cache
def _usual(world: str) -> frozenset[str]:
    return frozenset(_traced(rendered(world), frozenset()))


def _traced(texts: Mapping[str, str], usual: frozenset[str]) -> tuple[str, ...]:
    try:
        site = site_of(texts)
        tabulator = Tabulator(site)
        matrices = [tabulator.matrix(workload) for workload in site.workloads.values()]
    except TraceError as error:
        return (f"error {values(str(error))}".rstrip(),)
    told = [values(text) for each in matrices for cell in each.cells for text in _sentences_of(cell)]
    return (*map(_marks, matrices), *(text for text in dict.fromkeys(told) if text not in usual))


def _sentences_of(cell: Cell) -> list[str]:
    return [*(fault.text for fault in cell.faults), *cell.notes]


def _marks(matrix: Matrix) -> str:
    """The cells of each relation and flow, joined."""
    groups = groupby(matrix.cells, key=lambda cell: (cell.relation, cell.flow))
    marks = ("".join(MARKS[cell.verdict] if cell.meant else "." for cell in cells) for _, cells in groups)
    return f"{matrix.workload} {matrix.verdict.name} {' '.join(marks)} {values(matrix.missing)}".rstrip()
