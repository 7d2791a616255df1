"""A table of cables with the columns of netplan's ``cabling.csv``: switch, port, peer_kind, peer, peer_port,
and rail, speed_gbps, cable_m, pci and netdev if known. A row is a cable seen from the switch.

Cells are separated by commas, semicolons or tabs. Names of columns count without regard to case, blanks and
hyphens; ``SAME`` has the others that are taken.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from netplan.diagnostics import Source
from netplan.importing.cable_lengths import RECORD, ROUNDED
from netplan.importing.domain_names import DomainNames
from netplan.importing.facts import Fact, Remark, not_taken
from netplan.importing.kubernetes.objects import no_address, pci_of
from netplan.importing.netbox.nics import Nic
from netplan.model.cabling import COLUMNS
from netplan.model.document import Places
from netplan.model.values import whole
from netplan.report import few

NEEDED = COLUMNS[:5]
SAME: Mapping[str, str] = {
    "switch_name": "switch",
    "switch_port": "port",
    "switch_interface": "port",
    "peer_type": "peer_kind",
    "peer_name": "peer",
    "peer_device": "peer",
    "peer_interface": "peer_port",
    "host_port": "peer_port",
    "hca": "peer_port",
    "nic": "peer_port",
    "host_interface": "netdev",
    "pci_address": "pci",
    "cable_length_m": "cable_m",
    "length_m": "cable_m",
}
"""Other names of columns that can mean only one thing."""
_HOSTS = ("host", "server", "node")
"""Columns that name the peer and say that it is a host."""
_SEPARATORS = ",;\t"
_SEP_LINE = re.compile(r"sep=[,;\t]")
"""What spreadsheets write and read above the table."""
_NO_TABLE = re.compile(r"[{}\[\]<>]|: |:$")
_METRES = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?(?: ?m)?")
_LINES = 5
_SHOWN = 12
_MOST = 400_000
Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Head:
    """``line``: its number, from 0. ``columns``: as written, each with the column of COLUMNS or "host" that
    it is; empty for one that is not known, or means the same as another."""

    line: int
    separator: str
    columns: tuple[tuple[str, str], ...]

    @property
    def known(self) -> frozenset[str]:
        return frozenset(filter(None, (name for _, name in self.columns)))

    @property
    def missing(self) -> list[str]:
        have = set(self.known)
        if "host" in have:
            have |= {"peer_kind", "peer"}
        if have & {"pci", "netdev"} and "host" in have:
            have.add("peer_port")
        return [name for name in NEEDED if name not in have]


def is_cabling(text: str) -> bool:
    head = _head(text.split("\n", _LINES)[:_LINES])
    return head is not None and {"switch", "port"} <= head.known and not head.missing


def is_table(text: str) -> bool:
    """Whether it is a table of cells at all, with whatever columns."""
    lines = text.split("\n", _LINES)[:_LINES]
    head = _head(lines)
    if head is None or len(head.columns) < 3 or _NO_TABLE.search(lines[head.line]):
        return False
    below = [line for line in lines[head.line + 1 :] if line.strip()][:1]
    return all(len(next(_cells(line, head.separator), ())) == len(head.columns) for line in below)


def _head(lines: Sequence[str]) -> _Head | None:
    """The first line that is not blank, by the separator that gives the most known columns, then cells."""
    for number, line in enumerate(lines):
        if line.strip() and not _SEP_LINE.fullmatch(line.strip(" ")):
            found = [_Head(number, mark, _named(next(_cells(line, mark), []))) for mark in _SEPARATORS]
            return max(found, key=lambda head: (len(head.known), len(head.columns)))
    return None


def _named(cells: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """A column under its own name counts before others; of two others that mean the same, none does."""
    written = [cell.strip() for cell in cells]
    plain = [re.sub(r"[\s-]+", "_", cell.lower()) for cell in written]
    meant = ["host" if name in _HOSTS else SAME.get(name, "") for name in plain]
    found = [
        name if name in COLUMNS else same if same not in plain or same == "host" else ""
        for name, same in zip(plain, meant, strict=True)
    ]
    return tuple(
        (cell, name if found.count(name) == 1 else "") for cell, name in zip(written, found, strict=True)
    )


Found = Fact | Remark | Nic


def read_cabling(
    name: str, text: str, places: Places, hosts: Iterable[str] = (), switches: Iterable[str] = ()
) -> Iterator[Found]:
    """``hosts`` and ``switches``: names that other files have."""
    names = {"host": DomainNames(hosts), "switch": DomainNames(switches)}
    at = places.sources.add(name, text)
    lines = text.split("\n")
    head = _head(lines)
    if head is None:
        return
    starts = at + sum(len(line) + 1 for line in lines[: head.line])
    first = places.sources.source(starts)
    yield from _columns(head, first)
    if head.missing:
        return
    starts += len(lines[head.line]) + 1
    for number, line in enumerate(lines[head.line + 1 :], start=1):
        if line.strip():
            where = places.sources.source(starts)
            if number == _MOST:
                yield Remark(where, f"only {_MOST:,} lines are read; the rest is left out")
                return
            yield from _line(line, head, where, names)
        starts += len(line) + 1


def _columns(head: _Head, at: Source) -> Iterator[Remark]:
    """What the head lacks, and the columns that are not read."""
    shown = few([cell or "(no name)" for cell, _ in head.columns], _SHOWN)
    if head.missing:
        lacks = f"no {', '.join(head.missing)} among the columns {shown}"
        yield Remark(at, f"{lacks}: a table of cables has {', '.join(NEEDED)}; rename the columns")
    elif unread := [cell for cell, name in head.columns if cell and not name]:
        yield Remark(at, f"columns {few(unread, _SHOWN)}: not read")


def _line(line: str, head: _Head, at: Source, names: Mapping[str, DomainNames]) -> Iterator[Found]:
    cells = next(_cells(line, head.separator), None)
    if cells is None:
        yield not_taken(at, "row", line, "not CSV")
        return
    row = {name: cell.strip() for (_, name), cell in zip(head.columns, cells, strict=False) if name}
    if "host" in head.known and not {"peer", "peer_kind"} & head.known:
        row |= {"peer": row.get("host", ""), "peer_kind": "host"}
    row["switch"] = names["switch"].of(row.get("switch", ""))
    if (kind := row.get("peer_kind", "")) in names:
        row["peer"] = names[kind].of(row.get("peer", ""))
    if kind == "host":
        row["peer_port"] = row.get("peer_port") or row.get("netdev") or row.get("pci") or ""
    yield from _row(row, at)


def _cells(line: str, separator: str) -> Iterator[list[str]]:
    try:
        yield from islice(csv.reader([line], delimiter=separator), 1)
    except csv.Error:
        return


def _row(row: Row, at: Source) -> Iterator[Found]:
    missing = [name for name in NEEDED if not row.get(name)]
    kind = row.get("peer_kind", "")
    if missing or kind not in ("host", "switch"):
        what = f"no {', '.join(missing)}" if missing else f"peer_kind {kind!r} is neither host nor switch"
        yield Remark(at, f"{what}; the row is left out")
        return
    of = (row["switch"], row["port"])
    yield Fact("switch", of[:1], "recorded", True, at)
    for name in ("speed_gbps", "rail"):
        if row.get(name) and _number(row, name) is None:
            yield not_taken(at, name, row[name], "not a whole number")
    if speed := _number(row, "speed_gbps"):
        yield Fact("port", of, "speed", speed * 1000, at)
    yield from _length(row.get("cable_m", ""), of, at)
    if kind == "switch":
        yield Fact("switch", (row["peer"],), "recorded", True, at)
        yield Fact("port", of, "record/csv", (row["peer"], row["peer_port"], ""), at)
        return
    yield Fact("node", (row["peer"],), "recorded", True, at)
    yield from _host(row, of, at)


def _length(text: str, of: tuple[str, str], at: Source) -> Iterator[Fact | Remark]:
    written = _METRES.fullmatch(text)
    if text and written is None:
        yield not_taken(at, "cable_m", text, "not a length in m")
        return
    whole_metres = int(written[1]) if written else 0
    if written and int(written[2] or 0):
        whole_metres += 1
        yield not_taken(at, "cable_m", text, ROUNDED)
    if whole_metres:
        yield Fact("port", of, RECORD, whole_metres, at)


def _host(row: Row, of: tuple[str, str], at: Source) -> Iterator[Found]:
    """``peer_port`` is the inventory's name for the HCA, which no other source has."""
    netdev, pci = row.get("netdev", ""), pci_of(row.get("pci", ""))
    if row.get("pci") and not pci:
        yield no_address(row["pci"], at)
    names = [name for name in (netdev, pci) if name] or [row["peer_port"]]
    yield Fact("port", of, "record/csv", (row["peer"], *names), at)
    rail = _number(row, "rail")
    if not pci:
        if rail is not None:  # of the card with this name, which other files have
            yield Nic(row["peer"], names[0], "rail", rail, at)
        return
    card = (row["peer"], pci)
    if netdev:
        yield Fact("card", card, "netdev", netdev, at)
        yield Nic(row["peer"], netdev, "netdev", netdev, at, pci)
    if rail is not None:
        yield Fact("card", card, "rail", rail, at)
        yield from [Nic(row["peer"], netdev, "rail", rail, at, pci)] if netdev else ()


def _number(row: Row, name: str) -> int | None:
    return whole(row.get(name, ""), 9)
