"""Folds cables between switches: the ports of a leaf to a spine, then leaves whose ports go on in order on
the spine, as ``netplan init`` writes them. An entry pairs the ports of all its switches with ``to_ports`` in
order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from netplan.importing.facts import Of
from netplan.importing.names import folded
from netplan.model.folding import Folded
from netplan.model.values import natural

Settings = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Uplink:
    """One cable, from its lower end. ``far``: switch and port."""

    switch: str
    port: str
    far: Of
    settings: Settings


@dataclass(frozen=True, slots=True)
class UplinkRow:
    """An entry of ``links``: names as ranges."""

    switches: str
    ports: str
    to: str
    to_ports: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class _Run:
    """Cables of one switch whose ports count up together."""

    switch: str
    ports: str
    far: str
    far_ports: tuple[str, ...]
    settings: Settings


def uplink_rows(uplinks: Iterable[Uplink]) -> list[UplinkRow]:
    """Whichever gives fewer entries: runs of ports, or each port by itself."""
    given = sorted(uplinks, key=lambda one: (natural(one.switch), natural(one.far[0]), natural(one.port)))
    alone = [_Run(one.switch, one.port, one.far[0], one.far[1:], one.settings) for one in given]
    found = min((_joined(_runs(given)), _joined(alone)), key=len)
    return sorted(found, key=lambda row: (natural(row.switches), natural(row.to), natural(row.ports)))


def _runs(uplinks: Sequence[Uplink]) -> Iterator[_Run]:
    rows = [((one.switch, one.far[0], one.settings), (one.port, one.far[1])) for one in uplinks]
    begin = 0
    for run in folded(rows):
        mine, begin = uplinks[begin : begin + run.count], begin + run.count
        ports = tuple(one.far[1] for one in mine)
        yield _Run(mine[0].switch, run.texts[0], mine[0].far[0], ports, mine[0].settings)


def _joined(runs: Iterable[_Run]) -> list[UplinkRow]:
    ordered = sorted(runs, key=lambda run: (*map(natural, (run.far, run.ports)), str(run.settings)))
    groups = groupby(ordered, key=lambda run: (run.far, run.ports, run.settings))
    return [row for _, group in groups for row in _of_group(sorted(group, key=lambda r: natural(r.switch)))]


def _of_group(runs: Sequence[_Run]) -> Iterator[UplinkRow]:
    """Runs with the same ports to the same switch."""
    mine: list[_Run] = []
    for run in runs:
        if mine and not _goes_on([*mine, run]):
            yield _row(mine)
            mine = []
        mine.append(run)
    yield _row(mine)


def _columns(runs: Sequence[_Run]) -> tuple[list[Folded[tuple[()]]], list[Folded[tuple[()]]]]:
    """The switches, and their ports at the far end."""
    ports = chain.from_iterable(run.far_ports for run in runs)
    return folded(((), (run.switch,)) for run in runs), folded(((), (port,)) for port in ports)


def _goes_on(runs: Sequence[_Run]) -> bool:
    return all(len(column) == 1 for column in _columns(runs))


def _row(runs: Sequence[_Run]) -> UplinkRow:
    switches, far = _columns(runs)
    one = runs[0]
    return UplinkRow(switches[0].texts[0], one.ports, one.far, far[0].texts[0], one.settings)
