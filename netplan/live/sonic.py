"""Output of SONiC's show commands, as readings.

Shapes: sonic-net/sonic-utilities 691b1bbc: tests/intfutil_test.py and scripts/intfutil (header_stat),
scripts/lldpshow, tests/vlan_test.py, tests/pfcwd_input/pfcwd_test_vectors.py and pfcwd/main.py,
tests/ecn_input/ecn_test_vectors.py, tests/pfcstat_test.py, doc/Command-Reference.md (show ip bgp summary).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from netplan.importing.lldp import Neighbour, of_table
from netplan.live.linux import sysctls
from netplan.live.model import Kind, Reading, Whole
from netplan.live.objects import whole_bgp
from netplan.reading.tables import Line, Row, Table, grid, tables

_BGP_ROW = re.compile(r"\s*([0-9A-Fa-f.:]{3,45})\s+4\s+(\d{1,10})\s+(?:\d+\s+){5}(\S+)\s+(\S.*)")
_BGP_SELF = re.compile(r"\s*BGP router identifier ([0-9.]+), local AS number (\d{1,10})")
_BGP_TOTAL = re.compile(r"\s*Total number of neighbors (\d{1,6})\s*")
_POLL = re.compile(r"\s*Changed polling interval to (\d{1,9})ms")
_PROFILE = re.compile(r"Profile: (\S{1,64})\s*")
_PAIR = re.compile(r"([a-z_]{1,40}) {2,}(\S{1,40})\s*")
_NO_VALUE = "N/A"
"""What intfutil and pfcstat print for a missing value: neither right nor wrong."""
Found = Iterator[Reading | Whole]
Peer = Callable[[str, str, tuple[str, ...]], str]


def readings(where: str, lines: Sequence[Line], peer: Peer) -> Found:
    """Readings of one switch; other text gives none. ``peer``: (port, system, names of the far port) -> the
    plan's name for it, empty if unknown."""
    for table in tables(lines):
        yield from _lldp(where, table, peer)
        for heads, reader in _TABLES:
            if heads <= set(table.head):
                yield from reader(where, table)
                break
    yield from _bgp(where, lines)
    yield from _ecn(where, lines)
    yield from _vlans(where, lines)
    yield from sysctls(where, lines)
    for line in lines:
        if found := _POLL.match(line.text):
            yield _said(where, "watchdog", "polling", "interval", found[1], line)


def _said(
    where: str, kind: Kind, subject: str, field: str, found: str, line: Line | Row | Neighbour
) -> Reading:
    return Reading(where=where, kind=kind, subject=subject, field=field, found=found, at=line.at)


def _rows(where: str, kind: Kind, table: Table, key: str, fields: Mapping[str, str]) -> Found:
    """``fields``: column heading -> field."""
    for row in table.rows:
        for column, field in fields.items():
            yield _said(where, kind, row.cells[key], field, row.cells[column], row)


def _lldp(where: str, table: Table, peer: Peer) -> Found:
    for one in of_table(table):
        if found := peer(one.port, one.system, one.names):
            yield _said(where, "lldp", one.port, "peer", found, one)


def _interfaces(where: str, table: Table) -> Found:
    fields = {"oper": "oper", "admin": "admin", "speed": "speed", "mtu": "mtu"}
    found = _rows(where, "interfaces", table, "interface", fields)
    yield from (one for one in found if isinstance(one, Whole) or one.found != _NO_VALUE)


def _watchdog(where: str, table: Table) -> Found:
    fields = {"action": "action", "detection time": "detection", "restoration time": "restoration"}
    yield from _rows(where, "watchdog", table, "port", fields)


def _storms(where: str, table: Table) -> Found:
    yield from _rows(where, "storm", table, "queue", {"status": "status"})


def _pfc(where: str, table: Table) -> Found:
    way = "Rx" if "port rx" in table.head else "Tx"
    for row in table.rows:
        for number in range(8):
            count = row.cells.get(f"pfc{number}", "").replace(",", "")
            if count.isdecimal():
                yield _said(where, "pfc", row.cells[table.head[0]], f"{way} PFC{number}", count, row)


_TABLES = (
    ({"interface", "lanes", "oper", "admin", "speed", "mtu"}, _interfaces),
    ({"port", "action", "detection time", "restoration time"}, _watchdog),
    ({"queue", "status", "storm detected/restored"}, _storms),
    ({"port rx", "pfc0"}, _pfc),
    ({"port tx", "pfc0"}, _pfc),
)


def _bgp(where: str, lines: Sequence[Line]) -> Found:
    rows: list[str] = []
    for line in lines:
        if own := _BGP_SELF.match(line.text):
            rows = []
            yield _said(where, "bgp", "local", "router id", own[1], line)
            yield _said(where, "bgp", "local", "AS", own[2], line)
        elif row := _BGP_ROW.fullmatch(line.text):
            rows.append(row[1])
            state = re.split(r"\s{2,}", row[4].strip())[0]
            session = "established" if state.split()[0].isdigit() else state[:40]
            yield _said(where, "bgp", row[1].lower(), "AS", row[2], line)
            yield _said(where, "bgp", row[1].lower(), "session", session, line)
        elif (total := _BGP_TOTAL.fullmatch(line.text)) and int(total[1]) == len(rows):
            yield from whole_bgp(where, rows, line.at)


def _ecn(where: str, lines: Sequence[Line]) -> Found:
    profile = ""
    for line in lines:
        if found := _PROFILE.fullmatch(line.text):
            profile = found[1]
            yield Whole(where=where, kind="ecn", at=line.at)
        elif profile and (pair := _PAIR.fullmatch(line.text)):
            yield _said(where, "ecn", profile, pair[1], pair[2], line)
        elif not line.text.strip():
            profile = ""


def _vlans(where: str, lines: Sequence[Line]) -> Found:
    """A VLAN is the rows between two rules; only the first row has its id."""
    for block in grid(lines, "vlan id"):
        first = block[0]
        vlan = first.cells["vlan id"]
        if not vlan.isdigit():  # the heading itself
            yield Whole(where=where, kind="vlan", at=first.at)
            yield Whole(where=where, kind="tagging", at=first.at)
            continue
        addresses = sorted(filter(None, (row.cells.get("ip address", "") for row in block)))
        yield _said(where, "vlan", vlan, "addresses", " ".join(addresses), first)
        for row in block:
            if port := row.cells.get("ports"):
                tagging = row.cells.get("port tagging", "")
                yield _said(where, "tagging", f"{vlan} {port}", "tagging", tagging, row)
