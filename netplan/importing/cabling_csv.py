"""A table of cables with the columns of netplan's ``cabling.csv``: switch, port, peer_kind, peer, peer_port,
and rail, speed_gbps, cable_m, pci and netdev if known. A row is a cable seen from the switch."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Remark, not_taken
from netplan.importing.kubernetes.objects import no_address, pci_of
from netplan.model.document import Places, unix_text
from netplan.model.values import whole

NEEDED = ("switch", "port", "peer_kind", "peer", "peer_port")
_MOST = 400_000
_NUMBER = re.compile(r"[0-9]{1,9}")
Row = Mapping[str, str]


def read_cabling(name: str, text: str, places: Places) -> Iterator[Fact | Remark]:
    text = unix_text(text)
    at = places.sources.add(name, text)
    lines = text.split("\n")
    heads = next(_cells(lines[0]), [])
    for number, line in enumerate(lines):
        if number and line.strip():
            where = places.sources.source(at)
            if number == _MOST:
                yield Remark(where, f"only {_MOST:,} lines are read; the rest is left out")
                return
            cells = next(_cells(line), None)
            if cells is None:
                yield not_taken(where, "row", line, "not CSV")
            row = {head.strip(): cell.strip() for head, cell in zip(heads, cells or (), strict=False)}
            yield from _row(row, where) if cells is not None else ()
        at += len(line) + 1


def _cells(line: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader([line])
    except csv.Error:
        return


def _row(row: Row, at: Source) -> Iterator[Fact | Remark]:
    missing = [name for name in NEEDED if not row.get(name)]
    kind = row.get("peer_kind", "")
    if missing or kind not in ("host", "switch"):
        what = f"no {', '.join(missing)}" if missing else f"peer_kind {kind!r} is neither host nor switch"
        yield Remark(at, f"{what}; the row is left out")
        return
    of = (row["switch"], row["port"])
    yield Fact("switch", of[:1], "recorded", True, at)
    for name in ("speed_gbps", "cable_m", "rail"):
        if row.get(name) and _number(row, name) is None:
            yield not_taken(at, name, row[name], "not a whole number")
    if speed := _number(row, "speed_gbps"):
        yield Fact("port", of, "speed", speed * 1000, at)
    if metres := _number(row, "cable_m"):
        yield Fact("port", of, "cable_m", metres, at)
    if kind == "switch":
        yield Fact("switch", (row["peer"],), "recorded", True, at)
        yield Fact("port", of, "record/csv", (row["peer"], row["peer_port"], ""), at)
        return
    yield Fact("node", (row["peer"],), "recorded", True, at)
    yield from _host(row, of, at)


def _host(row: Row, of: tuple[str, str], at: Source) -> Iterator[Fact | Remark]:
    """``peer_port`` is the inventory's name for the HCA, which no other source has."""
    netdev, pci = row.get("netdev", ""), pci_of(row.get("pci", ""))
    if row.get("pci") and not pci:
        yield no_address(row["pci"], at)
    names = [name for name in (netdev, pci) if name] or [row["peer_port"]]
    yield Fact("port", of, "record/csv", (row["peer"], *names), at)
    if not pci:
        return
    card = (row["peer"], pci)
    if netdev:
        yield Fact("card", card, "netdev", netdev, at)
    rail = _number(row, "rail")
    if rail is not None:
        yield Fact("card", card, "rail", rail, at)


def _number(row: Row, name: str) -> int | None:
    return whole(row.get(name, ""), 9)
