"""Output of SONiC's show commands, as readings.

Shapes: sonic-net/sonic-utilities 691b1bbc: tests/intfutil_test.py and scripts/intfutil (header_stat; Vlan:
config_db_vlan_port_keys_get; header_fec), scripts/lldpshow, tests/pfcwd_input/pfcwd_test_vectors.py and
pfcwd/main.py (collect_config: every port that has it, and the polling interval where there is one),
tests/pfcstat_test.py; VLANs, sessions and WRED profiles: sonic_lists; addresses: sonic_addresses. Ports by
their aliases (SONIC_CLI_IFACE_MODE=alias): utilities_common/cli.py, tests/vlan_test.py (output, alias mode).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from netplan.importing.lldp import of_table
from netplan.live import sonic_addresses, sonic_lists
from netplan.live.linux import sysctls
from netplan.live.lists import PART, shows_part
from netplan.live.model import Kind, Unused, Whole
from netplan.live.objects import Found, said, speed
from netplan.live.sections import Section
from netplan.live.sonic_lists import aliases, by_alias
from netplan.reading.tables import Row, Table, tables

_POLL = re.compile(r"\s*Changed polling interval to (\d{1,9})ms")
_BIG_RED_SWITCH = re.compile(r"\s*BIG_RED_SWITCH status is (\S{1,40})")
_PORT = re.compile(r"Ethernet[A-Za-z-]{0,8}[0-9]{1,5}")
_ADDRESSES = {"interface", "admin/oper"}
_NO_SPEED = ("", "n/a", "auto")
_NO_VALUE = "N/A"
"""What intfutil, pfcstat and pfcwd print for a missing value: neither right nor wrong."""
Peer = Callable[[str, str, tuple[str, ...]], Iterator[tuple[str, str]]]


def readings(section: Section, peer: Peer) -> Found:
    """Other text gives none. ``peer``: (port, system, names of the far port) -> fields of it in the plan's
    words."""
    doubt = PART if shows_part(section.command) else ""
    for one in _readings(section, peer):
        yield replace(one, doubt=doubt) if isinstance(one, Whole) else one


def _readings(section: Section, peer: Peer) -> Found:
    where, lines = section.whose, section.lines
    for table in tables(lines):
        yield from _of_table(section, table, peer)
    yield from sonic_lists.readings(section)
    yield from sysctls(where, lines)
    for line in lines:
        if found := _POLL.match(line.text):
            yield said(where, "watchdog", "polling", "interval", found[1], line.at)
        elif found := _BIG_RED_SWITCH.match(line.text):
            yield said(where, "watchdog", "BIG_RED_SWITCH", "status", found[1], line.at)


def _of_table(section: Section, shown: Table, peer: Peer) -> Found:
    """Of the rows that are in their columns; a list with another one between them is none of all."""
    damaged = _damaged(shown)
    yield from (Unused(row.at, "a row that is not in its columns, which is not used") for row in damaged)
    last = max((number for number, row in enumerate(shown.rows) if row.fits), default=-1)
    table = replace(shown, rows=tuple(row for row in shown.rows if row.fits))
    if damaged or any(not row.fits for row in shown.rows[:last]):
        table, section = replace(table, ended=False), replace(section, ended=False)
    yield from _lldp(section.whose, table, peer)
    yield from sonic_addresses.readings(section, table)
    for heads, kind, reader in _TABLES:
        if heads <= set(table.head):
            yield from reader(section, table)
            if by_alias(_ports(table)):
                yield aliases(table.rows[0].at, kind)
            return


def _damaged(table: Table) -> list[Row]:
    """Of a table that is read here, rows that are not in their columns."""
    rows = table.rows if any(heads <= {*table.head} for heads in HEADS) else ()
    return [row for row in rows if not row.fits and _is_row(row, table.head[0])]


def _is_row(row: Row, first: str) -> bool:
    """Not a line of another output below it, which has more than one word there, nor a rule."""
    return " " not in row.cells[first] and any(re.search(r"\w", cell) for cell in row.cells.values())


def _ports(table: Table) -> list[str]:
    """Of the first column, where queues stand as ``Ethernet0:3``."""
    return [row.cells[table.head[0]].partition(":")[0] for row in table.rows]


def _rows(where: str, kind: Kind, table: Table, key: str, fields: Mapping[str, str]) -> Found:
    """``fields``: column heading -> field."""
    for row in table.rows:
        for column, field in fields.items():
            found = row.cells.get(column, "")
            if found not in ("", _NO_VALUE):
                yield said(where, kind, row.cells[key], field, found, row.at)


def _lldp(where: str, table: Table, peer: Peer) -> Found:
    for one in of_table(table):
        for field, found in peer(one.port, one.system, one.names):
            yield said(where, "lldp", one.port, field, found, one.at)


def _interfaces(section: Section, table: Table) -> Found:
    same = ("oper", "admin", "mtu", "fec", "asym pfc")
    fields = {**{name: name for name in same}, "vlan": "mode"}
    yield from _rows(section.whose, "interfaces", table, "interface", fields)
    for row in table.rows:
        shown = row.cells["speed"]
        if rate := speed(shown) or (shown if shown.lower() not in _NO_SPEED else ""):
            yield said(section.whose, "interfaces", row.cells["interface"], "speed", rate, row.at)


def _fec(section: Section, table: Table) -> Found:
    """Of a port that is down, the operational one is N/A."""
    fields = {"fec oper": "oper", "fec admin": "admin"}
    yield from _rows(section.whose, "fec", table, "interface", fields)


def _watchdog(section: Section, table: Table) -> Found:
    fields = {"action": "action", "detection time": "detection", "restoration time": "restoration"}
    yield from _rows(section.whose, "watchdog", table, "port", fields)
    polled = any(
        _POLL.match(line.text) for line in section.lines
    )  # of 202012 and later only if a port has it
    ends = table.ended or section.ended or not (table.rows or polled)
    if by_alias(_ports(table)):
        return
    if damaged := next((row for row in table.rows if not _PORT.fullmatch(row.cells["port"])), None):
        yield Unused(damaged.at, f"{damaged.cells['port'][:40]} is no port: what is not there is not seen")
    elif ends:
        rows = {row.cells["port"] for row in table.rows}
        rows |= {"polling" for line in section.lines if _POLL.match(line.text)}
        yield Whole(where=section.whose, kind="watchdog", at=table.at, rows=frozenset(rows))
    elif not table.rows:
        yield Unused(table.at, "pfcwd show config: no row, and nothing below it: perhaps cut off")


def _storms(section: Section, table: Table) -> Found:
    """Without ``-e`` it leaves out queues that never were in a storm (pfcwd/main.py, collect_stats), and so
    those of a port without a watchdog. Storms that are over have dropped traffic too."""
    if not table.rows:
        yield Unused(
            table.at, "no queue was in a storm that a watchdog saw; pfcwd show stats -e shows every queue"
        )
    yield from _rows(section.whose, "storm", table, "queue", {"status": "status"})
    for row in table.rows:
        detected = row.cells["storm detected/restored"].partition("/")[0]
        if detected.isdecimal():
            yield said(section.whose, "storm", row.cells["queue"], "detected", detected, row.at)


def _pfc(section: Section, table: Table) -> Found:
    way = "Rx" if "port rx" in table.head else "Tx"
    for row in table.rows:
        for number in range(8):
            count = row.cells.get(f"pfc{number}", "").replace(",", "")
            if count.isdecimal():
                port = row.cells[table.head[0]]
                yield said(section.whose, "pfc", port, f"{way} PFC{number}", count, row.at)


_TABLES: Sequence[tuple[set[str], Kind, Callable[[Section, Table], Found]]] = (
    ({"localport", "remotedevice", "remoteportid"}, "lldp", lambda _, table: iter(())),
    ({"interface", "lanes", "oper", "admin", "speed", "mtu"}, "interfaces", _interfaces),
    ({"interface", "fec oper", "fec admin"}, "fec", _fec),
    ({"port", "action", "detection time", "restoration time"}, "watchdog", _watchdog),
    ({"queue", "status", "storm detected/restored"}, "storm", _storms),
    ({"port rx", "pfc0"}, "pfc", _pfc),
    ({"port tx", "pfc0"}, "pfc", _pfc),
)
"""Headings, kind and reader of a table."""
HEADS: Sequence[set[str]] = (_ADDRESSES, *(heads for heads, *_ in _TABLES))
"""Of every table that is read."""
