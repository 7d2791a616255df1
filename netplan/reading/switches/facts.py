"""Rows of lines to facts: lines that jointly state a fact are joined on their common columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from operator import itemgetter

from netplan.reading.switches.columns import Value, columns_in, constants
from netplan.reading.switches.lines import Row
from netplan.records import dataclass

FACTS: Mapping[str, tuple[str, ...]] = {
    "port": ("port",),
    "port-up": ("port",),
    "port-down": ("port",),
    "routed": ("port",),
    "bridged": ("port",),
    "bridged-mtu": ("mtu",),
    "trunking": ("port",),
    "trunk-listed": ("port",),
    "trunk-all": ("port",),
    "vlan": ("vlan",),
    "untagged": ("port", "vlan"),
    "trunk": ("port", "vlan"),
    "native": ("port", "vlan"),
    "port-address": ("port", "address"),
    "port-mtu": ("port", "mtu"),
    "port-ip-mtu": ("port", "mtu"),
    "port-speed": ("port", "gbps"),
    "port-fec": ("port", "fec"),
    "port-autoneg": ("port", "autoneg"),
    "port-layer3": ("port",),
    "port-frame": ("port", "mtu"),
    "vlan-up": ("vlan",),
    "vlan-down": ("vlan",),
    "vlan-address": ("vlan", "address"),
    "vlan-mtu": ("vlan", "mtu"),
    "vlan-ip-mtu": ("vlan", "mtu"),
    "vlan-garp": ("vlan",),
    "garp": (),
    "vlan-arp": ("vlan",),
    "loopback": ("address",),
    "asn": ("asn",),
    "neighbour": ("ip", "asn"),
    "neighbour-any-as": ("ip",),
    "neighbour-down": ("ip",),
    "neighbour-local": ("ip", "local"),
    "neighbour-unread": ("ip",),
    "neighbour-nameless": ("ip",),
    "router-id": ("ip",),
    "network": ("address",),
    "redistributed": ("version",),
    "rejects": ("policy", "term"),
    "routing": (),
    "vlan-routing": (),
    "bgp": (),
    "paths": ("paths",),
    "seed": ("seed",),
    "trust": ("port", "trust"),
    "dscp": ("port", "dscp", "queue"),
    "dscp-rest": ("port", "queue"),
    "group": ("port", "dscp", "pg"),
    "pfc": ("port", "priority"),
    "pfc-again": ("port", "priority"),
    "pfc-fixed": ("port",),
    "pfc-queue": ("port", "priority", "queue"),
    "pfc-group": ("port", "priority", "pg"),
    "class-queue": ("port", "priority", "queue"),
    "buffer": ("port", "pg"),
    "buffer-lossy": ("port", "pg"),
    "headroom": ("port", "metres"),
    "headroom-mtu": ("port", "dscp", "mtu"),
    "headroom-table": (),
    "queue-buffer": ("port", "queue"),
    "queue-lossy": ("port", "queue"),
    "queue-mtu": ("port", "queue", "mtu"),
    "ecn": ("port", "queue", "min", "max"),
    "ecn-off": ("port", "queue"),
    "watchdog": ("port", "priority"),
    "watchdog-off": ("port", "priority"),
    "strict": ("port", "queue"),
    "level": ("queue", "level"),
    "weight": ("port", "queue", "weight"),
    "share": ("port", "queue", "percent"),
    "ecn-percent": ("port", "queue", "percent"),
    "watchdog-detection": ("port", "ms"),
    "watchdog-restoration": ("port", "ms"),
    "watchdog-poll": ("port", "ms"),
    "watchdog-polls": ("port", "polls"),
    "arp": ("age",),
    "arp-ms": ("age",),
    "arp6-ms": ("age",),
    "collected": ("count",),
    "collected6": ("count",),
    "entries": ("count",),
    "entries6": ("count",),
}
"""Every fact and its columns. If ``port`` is missing, the fact holds for the whole switch.

``untagged``: a port's untagged VLAN; ``trunk``: VLANs it carries, tagged except its untagged one;
``native``: its untagged VLAN if ``trunk`` lists that too. ``routed``: a port that does not switch,
whatever VLANs it has; ``bridged``: the line without which a port does not switch; ``bridged-mtu``: the
only MTU besides 1500 that such ports accept. ``trunking``: a port that uses ``trunk`` and not
``untagged``; it carries all existing VLANs unless ``trunk``, or ``trunk-listed``, says otherwise; of
``trunk-all`` it carries them in any case. ``-ip-mtu`` counts the IP packet, ``-frame`` the whole frame,
``-mtu`` as the NOS counts. ``port-layer3``: a line that only a port without VLANs may have. ``vlan-garp``:
the VLAN's interface learns from gratuitous ARP, ``garp``: all of them do; ``vlan-arp``: a neighbour age is
stated for it, where each has its own. ``neighbour-down``: its session is shut down; ``neighbour-local``:
the switch's own address in it; ``neighbour-unread``: it is in a form that the switch's BGP daemon ignores;
``neighbour-nameless``: it has no name, and it is not known what then becomes of its session. ``routing``,
``vlan-routing``, ``bgp``: the line without which the NOS does not do it. ``paths``: maximum of equal-cost
paths that BGP uses; ``seed``: of the ECMP hash. ``dscp-rest``: queue of the code points that no line
names. ``group``: priority group of a code point; ``pfc-queue`` and ``pfc-group``: the queue that a
received pause frame stops and the group that sends one; ``class-queue``: that of a class, where PFC goes by
the class. ``pfc-fixed``: PFC is as stated whatever the peer
offers by DCBX. ``pfc-again``: the lossless priorities in a second file, which must be the same.
``buffer``, ``queue-buffer``: lossless ones; with ``-lossy``, those stated to drop. ``headroom``: cable
length that the headroom is sized for, ``headroom-mtu``: largest packet of a code point that it is sized for,
``headroom-table``: it is a row of the model's table, by speed and
length. ``queue-mtu``: largest packet that a queue accepts. ``ecn``: in the NOS's unit; ``ecn-percent``:
marking probability at the upper threshold. ``level``: of a strict queue among strict queues. ``weight``:
of a queue among those that are not strict; ``share``: the same in percent, at most 100 in total.
``watchdog-detection``, ``-restoration``: in ms; ``watchdog-polls``: detection in polls, each
``watchdog-poll`` long. ``arp6-ms``: age of IPv6 neighbours, if it has its own line. ``entries``,
``entries6``: maximum of neighbours kept; ``collected``: the number above which idle ones are dropped.
``redistributed``: it announces the networks of its interfaces of an IP version, all or some. ``rejects``:
a term that drops every route that reaches it.
"""
QOS = (
    "dscp", "dscp-rest", "group", "pfc", "pfc-again", "pfc-queue", "pfc-group", "class-queue",
    "buffer", "buffer-lossy", "queue-buffer", "queue-lossy", "ecn", "ecn-off", "watchdog", "watchdog-off",
    "strict", "pfc-fixed", "queue-mtu", "headroom-mtu", "share", "watchdog-poll", "watchdog-polls",
    "weight", "ecn-percent", "watchdog-detection", "watchdog-restoration",
)  # fmt: skip
"""Facts about queues, priorities and groups of a port: all columns after the port are numbers."""
PORTWISE = frozenset(QOS) - {"pfc", "ecn", "strict"}
"""Facts that are only queried per port."""
EVERYWHERE = ""
"""The port of a fact that holds for the whole switch."""


class Table:
    """Rows of one pattern in one file. Compared by identity, so that results derived from it can be
    cached."""

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows


NO_TABLE = Table(())
"""Table of a pattern that no line matches."""


@dataclass(frozen=True, slots=True, eq=False)
class Join:
    """One join: the rows so far with those of the next table, then only the columns still needed.
    ``unless``: an anti-join, keeps the rows so far that have no match there."""

    left: Callable[[Row], Row]
    right: Callable[[Row], Row]
    kept: Callable[[Row], Row]
    unless: bool = False

    def rows(self, so_far: Iterable[Row], other: Iterable[Row]) -> Iterable[Row]:
        by_key: dict[Row, list[Row]] = {}
        for row in other:
            by_key.setdefault(self.right(row), []).append(row)
        if self.unless:
            return dict.fromkeys(self.kept(row) for row in so_far if self.left(row) not in by_key)
        pairs = (left + right for left in so_far for right in by_key.get(self.left(left), ()))
        return dict.fromkeys(map(self.kept, pairs))


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One way a fact is stated. ``fixed``: rows of the constants in the rules. ``unless``: patterns whose
    match cancels the statement."""

    patterns: tuple[str, ...]
    unless: tuple[str, ...]
    fixed: tuple[Row, ...]
    joins: tuple[Join, ...]
    first: Callable[[Row], Row] | None
    same: tuple[tuple[str, Callable[[Row], bool]], ...]

    def rows(self, tables: Mapping[str, Table]) -> Sequence[Row]:
        return self.rows_of(self.tables_in(tables))

    def tables_in(self, tables: Mapping[str, Table]) -> tuple[Table | None, ...]:
        return tuple(tables.get(pattern) for pattern in (*self.patterns, *self.unless))

    def rows_of(self, found: Sequence[Table | None]) -> Sequence[Row]:
        """``found``: the table of each pattern, then of those in ``unless``."""
        count = len(self.patterns)
        wanted = [table for table in found[:count] if table is not None]
        if len(wanted) != count:
            return ()
        if not self.joins:
            rows = _alike(self, self.patterns[0], wanted[0].rows)
            return rows if self.first is None else [self.first(row) for row in rows]
        return _joined(self, *wanted, *(table or NO_TABLE for table in found[count:]))


def by_port(sources: Sequence[Source], tables: Mapping[str, Table]) -> Mapping[Value, frozenset[Row]]:
    """Port -> rows of a fact whose first column is the port; computed once for the same lines."""
    parts = tuple(source.tables_in(tables) for source in sources)
    return _by_port(tuple(sources), parts)


@lru_cache(maxsize=1024)
def _by_port(
    sources: tuple[Source, ...], parts: tuple[tuple[Table | None, ...], ...]
) -> Mapping[Value, frozenset[Row]]:
    found: dict[Value, set[Row]] = {}
    for source, tables in zip(sources, parts, strict=True):
        for row in source.rows_of(tables):
            found.setdefault(row[0], set()).add(row[1:])
    same: dict[frozenset[Row], frozenset[Row]] = {}
    frozen = ((port, frozenset(rows)) for port, rows in found.items())
    return {port: same.setdefault(rows, rows) for port, rows in frozen}


@lru_cache(maxsize=256)
def _joined(source: Source, *tables: Table) -> Sequence[Row]:
    """Cached because switches of one kind have the same QoS file."""
    count = len(source.patterns)
    parts = [_alike(source, p, t.rows) for p, t in zip(source.patterns, tables[:count], strict=True)]
    if source.fixed:
        parts.append(source.fixed)
    parts += (table.rows for table in tables[count:])
    rows: Iterable[Row] = parts[0]
    if source.first is not None:
        rows = dict.fromkeys(map(source.first, rows))
    for join, part in zip(source.joins, parts[1:], strict=True):
        rows = join.rows(rows, part)
    return tuple(rows)


def _alike(source: Source, pattern: str, rows: Sequence[Row]) -> Sequence[Row]:
    """Drops rows in which a column that occurs twice has two values."""
    for name, test in source.same:
        if name == pattern:
            rows = [row for row in rows if test(row)]
    return rows


def source_of(
    fact: str, patterns: Sequence[str], given: Mapping[str, str], unless: Sequence[str] = ()
) -> Source:
    """Raises ValueError if the lines do not supply all columns of the fact."""
    wanted = FACTS[fact]
    sides, without = ([_names(pattern) for pattern in each] for each in (patterns, unless))
    if given:
        sides.append(list(given))
    have = {name for side in sides for name in side}
    if missing := [name for name in wanted if name not in have and name != "port"]:
        raise ValueError(f"{fact}: no {', '.join(missing)} in {', '.join(patterns)}")
    last = [name if name in have else EVERYWHERE for name in wanted]
    first, joins = _steps(sides, last, without)
    return Source(tuple(patterns), tuple(unless), _fixed(given), joins, first, tuple(_twice(patterns)))


def _names(pattern: str) -> list[str]:
    return [name for name, _, _ in columns_in(pattern)]


def _fixed(given: Mapping[str, str]) -> tuple[Row, ...]:
    """Rows of the constants given in the rules."""
    return tuple(product(*(constants(name, text) for name, text in given.items()))) if given else ()


def _steps(
    sides: Sequence[list[str]], last: Sequence[str], without: Sequence[list[str]]
) -> tuple[Callable[[Row], Row] | None, tuple[Join, ...]]:
    """Which columns of the first side are kept, None for all, and how each further side is joined; the
    sides of ``without`` come last."""
    every = [*sides, *without]
    if len(every) == 1:
        return (None if sides[0] == last else _columns(sides[0], last)), ()
    now = _kept(sides[0], every[1:], last)
    first = _columns(sides[0], now)
    joins: list[Join] = []
    for number, side in enumerate(every[1:], start=1):
        shared = [name for name in dict.fromkeys(now) if name in side]
        rest, unless = every[number + 1 :], number >= len(sides)
        both = now if unless else now + side
        after = _kept(both, rest, last) if rest else list(last)
        joins.append(Join(_columns(now, shared), _columns(side, shared), _columns(both, after), unless))
        now = after
    return first, tuple(joins)


def _kept(now: Sequence[str], later: Sequence[Sequence[str]], last: Sequence[str]) -> list[str]:
    """The columns that a later join or the fact itself still needs."""
    needed = {name for side in later for name in side} | set(last)
    return [name for name in dict.fromkeys(now) if name in needed]


def _columns(have: Sequence[str], wanted: Sequence[str]) -> Callable[[Row], Row]:
    """A function that picks columns of a row; a column that is not there becomes EVERYWHERE."""
    places = [have.index(name) if name in have else -1 for name in wanted]
    if not places:
        return lambda row: ()
    if -1 in places:
        return lambda row: tuple(EVERYWHERE if place < 0 else row[place] for place in places)
    if len(places) == 1:
        only = places[0]
        return lambda row: (row[only],)
    return itemgetter(*places)


def _twice(patterns: Sequence[str]) -> Iterable[tuple[str, Callable[[Row], bool]]]:
    for pattern in patterns:
        names = _names(pattern)
        for name in dict.fromkeys(names):
            places = [place for place, other in enumerate(names) if other == name]
            if len(places) > 1:
                yield pattern, _equal(places)


def _equal(places: Sequence[int]) -> Callable[[Row], bool]:
    def test(row: Row) -> bool:
        values: list[Value] = [row[place] for place in places]
        return len(set(values)) == 1

    return test
