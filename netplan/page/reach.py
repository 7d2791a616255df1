"""Which rail reaches which, for every workload, and the path of a packet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.page.places import Once
from netplan.trace import Matrix, Tabulator, TracedSite, Verdict, Walk, workloads_named
from netplan.trace.matrix import SAME_NODE, Cell
from netplan.trace.model import DEVICE_BOUND, Hop, Leg, TraceError, TracePod
from netplan.trace.pods import build_pod
from netplan.trace.site import TraceWorkload

SIGNS: Mapping[Verdict, str] = {
    Verdict.DELIVERED: "+",
    Verdict.UNPROVED: "~",
    Verdict.UNLIKE: "u",
    Verdict.NARROW: "n",
    Verdict.LOSSY: "l",
    Verdict.TOO_BIG: "b",
    Verdict.WRONG_RAIL: "w",
    Verdict.LOST: "x",
}
"""Verdict -> its character in a grid; a blank means that nothing was walked."""
_DRAWN = 8
"""Workloads whose paths are in the page; the others have the grid, and the command that shows a path."""
_REASONS = 6
"""Reasons shown for a cell; `netplan trace` has all."""


class Reach:
    """``workloads``: a grid for each relation of hosts and kind of flow. ``hops``, ``texts``: shared by paths
    and cells."""

    def __init__(self, site: TracedSite) -> None:
        self._site = site
        self._tabulator = Tabulator(site)
        self._hops: Once[list[Any]] = Once()
        self._texts: Once[str] = Once()
        self._pods: dict[tuple[str, str, int], TracePod] = {}
        self.workloads = [self._of(n, workload) for n, workload in enumerate(_workloads(site))]

    @property
    def hops(self) -> list[list[Any]]:
        return self._hops.rows

    @property
    def texts(self) -> list[str]:
        return self._texts.rows

    def _of(self, number: int, workload: TraceWorkload) -> dict[str, Any]:
        matrix = self._tabulator.matrix(workload)
        names = {name: place for place, name in enumerate(matrix.interfaces)}
        grids: dict[tuple[str, str], dict[str, Any]] = {}
        for cell in matrix.cells:
            key = (cell.relation, cell.flow.name)
            if key not in grids:
                grids[key] = _grid(cell, len(names))
            self._put(grids[key], cell, names, workload if number < _DRAWN else None)
        return {**_summary(matrix), "grids": [_joined(grid) for grid in grids.values()]}

    def _put(
        self, grid: dict[str, Any], cell: Cell, names: Mapping[str, int], drawn: TraceWorkload | None
    ) -> None:
        place = names[cell.start] * len(names) + names[cell.end]
        grid["signs"][place] = SIGNS[cell.verdict]
        if cell.meant and cell.decides:
            grid["decides"] = True
        else:
            grid["shown"].append(place)
        said = [*(fault.text for fault in cell.faults), *cell.notes]
        if said:
            numbers = [self._texts.number(text, text) for text in said[:_REASONS]]
            grid["why"][str(place)] = [*numbers, -len(said)] if len(said) > _REASONS else numbers
        if tuple(grid["example"]) != cell.example:
            grid["examples"][str(place)] = list(cell.example)
        if drawn is not None and cell.flow is DEVICE_BOUND:
            way = self._way(drawn, cell)
            if way is not None:
                grid["ways"][str(place)] = way

    def _way(self, workload: TraceWorkload, cell: Cell) -> list[Any] | None:
        a = self._pod(workload, cell.example[0], 0)
        b = self._pod(workload, cell.example[1], int(cell.relation == SAME_NODE))
        walk: Walk = self._tabulator.between(a, cell.start, b, cell.end, cell.flow)
        return [self._leg(walk.there), self._leg(walk.back) if walk.back else None]

    def _pod(self, workload: TraceWorkload, host: str, slot: int) -> TracePod:
        key = (workload.name, host, slot)
        if key not in self._pods:
            self._pods[key] = build_pod(self._site, workload, self._site.hosts[host], slot)
        return self._pods[key]

    def _leg(self, leg: Leg) -> list[Any]:
        """Source address, number of other equal paths, hops."""
        source = str(leg.source) if leg.source else ""
        return [source, leg.others, [self._hop(hop) for hop in leg.hops]]

    def _hop(self, hop: Hop) -> int:
        values = ", ".join(f"{name} {value}" for name, value in hop.values.items())
        row = [hop.node, hop.enter, hop.leave, hop.does, values, hop.file]
        return self._hops.number(tuple(row), row)


def _workloads(site: TracedSite) -> list[TraceWorkload]:
    """Empty if there is nothing to walk."""
    try:
        return workloads_named(site, None)
    except TraceError:
        return []


def _grid(cell: Cell, size: int) -> dict[str, Any]:
    return {
        "relation": cell.relation,
        "flow": cell.flow.name,
        "signs": [" "] * (size * size),
        "decides": False,
        "shown": [],
        "example": list(cell.example),
        "examples": {},
        "why": {},
        "ways": {},
    }


def _joined(grid: dict[str, Any]) -> dict[str, Any]:
    return {**grid, "signs": "".join(grid["signs"])}


def _summary(matrix: Matrix) -> dict[str, Any]:
    return {
        "name": matrix.workload,
        "proof": matrix.verdict.proof,
        "verdict": matrix.verdict.words,
        "missing": matrix.missing,
        "interfaces": list(matrix.interfaces),
        "hosts": matrix.hosts,
        "classes": len(matrix.classes),
        "walks": matrix.walks,
    }
