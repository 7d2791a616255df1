"""One switch as its config_db files state it: tables of rows of texts, each with its place.

Files are merged field by field, in order, as ``config load`` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from netplan.diagnostics import Path
from netplan.model.document import Places, SourceMap
from netplan.model.values import natural, whole
from netplan.reading.config_db.names import FIELDS, MANY, OF_BROADCOM, TABLES, meant
from netplan.reading.config_db.scan import Number, Scanned
from netplan.records import dataclass
from netplan.report import few

Value = str | tuple[str, ...]
T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place to report: an offset into all texts, and the path that leads there."""

    offset: int
    path: Path


@dataclass(slots=True)
class Row:
    """One row; ``spots``: offset of each field, ``at``: of the row itself."""

    at: int
    fields: dict[str, Value] = field(default_factory=dict)
    spots: dict[str, int] = field(default_factory=dict)


class DbSwitch:
    """``name``: its hostname, or that of its folder or file. ``files``: in the order they are merged.

    ``kept``: what functions with ``@once`` returned. ``mends``: whether misspelt names are read as the names
    that were meant, which rules want and SONiC does not.
    """

    def __init__(self, name: str, files: Sequence[Scanned], places: Places, mends: bool = False) -> None:
        self.name = name
        self.mends = mends
        self.files = tuple(files)
        self.kept: dict[object, Any] = {}
        self._places = places
        self._tables: dict[str, dict[str, Row]] = {}
        self._table_spots: dict[str, int] = {}
        self._strange = 0
        for file in files:
            self._lay(file)

    @property
    def places(self) -> Places:
        return self._places

    @property
    def sources(self) -> SourceMap:
        return self._places.sources

    def where(self, spot: Spot) -> str:
        """``file:line:column``, for a message that cites a second place."""
        return str(self.sources.source(spot.offset))

    def _lay(self, file: Scanned) -> None:
        for name, rows, at, _ in self._entries(file.data):
            if not isinstance(rows, dict):
                continue
            name = name.strip()
            name = self._meant(name, TABLES, file.data)
            self._table_spots.setdefault(name, at)
            table = self._tables.setdefault(name, {})
            for key, fields, row_at, _ in self._entries(rows):
                if isinstance(fields, dict):
                    self._fill(table.setdefault(_bare(key), Row(row_at)), fields, FIELDS.get(name))

    def _fill(self, row: Row, fields: dict[str, Any], known: frozenset[str] | None) -> None:
        for key, value, at, _ in self._entries(fields):
            text = _text(value)
            if text is not None and key != "NULL":  # redis stores NULL for a row without fields
                name = key.strip()
                if known and name not in known:
                    name = self._meant(name, known, fields)
                row.fields[name], row.spots[name] = text, at

    def _meant(self, name: str, known: frozenset[str], present: Collection[str]) -> str:
        """The name that a misspelt one stands for (NP872 reports it), else the name itself."""
        if not self.mends or name in known or self._strange >= MANY:
            return name
        self._strange += 1
        return meant(name, known, present) or name

    def _entries(self, data: Any) -> Iterator[tuple[str, Any, int, int]]:
        if isinstance(data, dict):
            yield from self._places.entries(data)

    def has(self, table: str) -> bool:
        return table in self._tables

    def rows(self, table: str) -> Mapping[str, Row]:
        return self._tables.get(table, {})

    def lost(self, table: str) -> Collection[str]:
        """Keys of rows that a later table of the same name replaces (NP871)."""
        return self._lost.get((table,), set())

    @cached_property
    def _lost(self) -> Mapping[Path, set[str]]:
        lost: dict[Path, set[str]] = {}
        for each in (one for file in self.files for one in file.problems if isinstance(one.lost, dict)):
            lost.setdefault(each.path, set()).update(each.lost)
        return lost

    def keys(self, table: str) -> list[str]:
        """Keys of a table in natural order."""
        return sorted(self.rows(table), key=natural)

    def row(self, table: str, key: str) -> Row | None:
        return self.rows(table).get(key)

    def text(self, table: str, key: str, name: str) -> str | None:
        """A field as one text, a list joined by commas; None if not stated."""
        row = self.row(table, key)
        value = row.fields.get(name) if row else None
        return ",".join(value) if isinstance(value, tuple) else value

    def number(self, table: str, key: str, name: str) -> int | None:
        """A field as a number; None if not stated or not a number (another rule reports that)."""
        return whole_number(self.text(table, key, name))

    def spot(self, table: str, key: str | None = None, name: str | None = None) -> Spot:
        """Place of a field; if absent, of its row, else its table, else the first file."""
        row = self.row(table, key) if key is not None else None
        if row is not None and key is not None:
            if name is not None and name in row.spots:
                return Spot(row.spots[name], (table, key, name))
            return Spot(row.at, (table, key))
        if table in self._table_spots:
            return Spot(self._table_spots[table], (table,))
        return Spot(self.files[0].base, ())

    @property
    def local(self) -> Mapping[str, Value]:
        row = self.row("DEVICE_METADATA", "localhost")
        return row.fields if row else {}

    @cached_property
    def whole(self) -> bool:
        """Whether this is a complete config_db; what a partial file leaves out is on the switch already."""
        return "hwsku" in self.local and any("lanes" in row.fields for row in self.rows("PORT").values())

    @cached_property
    def laid_over(self) -> bool:
        """Whether this is a part without ports of its own: what `config load` lays over a switch, field by
        field, rather than an excerpt of its configuration."""
        return not self.whole and not any("lanes" in row.fields for row in self.rows("PORT").values())

    @cached_property
    def hostname(self) -> str:
        value = self.local.get("hostname")
        return value if isinstance(value, str) else ""

    @property
    def is_unnamed(self) -> bool:
        """Whether the hostname is one that images and templates come with."""
        return self.hostname.lower() in _STOCK_NAMES

    def older_than(self, *version: int) -> bool:
        """Whether the file states a database version before this one. When such a file is loaded whole,
        db_migrator converts what has changed since (scripts/db_migrator.py of sonic-utilities 691b1bb)."""
        text = self.text("VERSIONS", "DATABASE", "VERSION") or ""
        # version_3_0_3, or on later branches version_202411_01
        parts = map(whole_number, text.split("_")[1:])
        numbers = tuple(part for part in parts if part is not None)
        return bool(numbers) and numbers < version

    @property
    def versioned(self) -> bool:
        """Whether the file states a database version. db_migrator takes a file without one for one of the
        oldest images, and so do rules unless its contents say otherwise."""
        return bool(self.text("VERSIONS", "DATABASE", "VERSION"))

    @cached_property
    def of_broadcom(self) -> bool:
        """Whether the tables are those of Broadcom's Enterprise SONiC: what follows from code or models of
        the community is a note."""
        return not OF_BROADCOM.isdisjoint(self._tables) or "default_config_profile" in self.local

    @cached_property
    def frrcfgd(self) -> bool:
        """Whether frrcfgd, not bgpcfgd, configures FRR."""
        default = "true" if self.of_broadcom else "false"
        return self.local.get("frr_mgmt_framework_config", default) == "true"

    @cached_property
    def sessions_by_rows(self) -> bool:
        """Whether bgpd has the sessions of BGP_NEIGHBOR only. In the split modes it keeps what its own files
        state (sonic-net/sonic-buildimage 086b03bd dockers/docker-fpm-frr/docker_init.sh); a switch whose
        feature is off has no bgpd."""
        mode, off = self.local.get("docker_routing_config_mode"), ("disabled", "always_disabled")
        runs = self.text("FEATURE", "bgp", "state") not in off
        return self.whole and runs and mode in (None, "", "separated", "unified")

    def is_mine(self, key: str) -> bool:
        """Whether a row HOST|ASIC|PORT|QUEUE of a chassis belongs to a port of this line card and ASIC;
        the others are virtual output queues of the same name on other cards."""
        host, asic = key.split("|")[:2]
        own = str(self.local.get("asic_name", "")) or self.files[0].namespace or asic
        return host == self.hostname and asic.lower() == own.lower()

    @cached_property
    def ports(self) -> list[str]:
        """Front panel ports, including those a partial file only mentions in its QoS rows."""
        names = [*self.rows("PORT"), *(p for key in self.rows("PORT_QOS_MAP") for p in ports_of(key))]
        return sorted((name for name in dict.fromkeys(names) if name != "global"), key=natural)

    def is_down(self, port: str) -> bool:
        """Whether a complete configuration leaves a port administratively down, which is the default
        (sonic-net/sonic-swss e6b0c5b cfgmgr/portmgr.h)."""
        known = self.whole and self.row("PORT", port) is not None
        return known and self.text("PORT", port, "admin_status") != "up"

    @property
    def dynamic(self) -> bool:
        """Whether the buffer model is dynamic; it is traditional if not stated
        (sonic-device_metadata.yang)."""
        return self.local.get("buffer_model") == "dynamic"

    @cached_property
    def lag_of(self) -> Mapping[str, str]:
        """Port -> its port channel."""
        pairs = (key.partition("|") for key in self.rows("PORTCHANNEL_MEMBER"))
        return {port: lag for lag, _, port in pairs}


_STOCK_NAMES = frozenset(("sonic", "localhost", "switch", "switch1"))
"""The default of sonic-net/sonic-buildimage 086b03bd build_debian.sh, and names in files of vendors."""


def is_whole(data: Any) -> bool:
    """Whether tables form a complete configuration: they name the hardware SKU and the lanes of the ports."""
    local, ports = (
        data.get(name) if isinstance(data, dict) else None for name in ("DEVICE_METADATA", "PORT")
    )
    local = local.get("localhost") if isinstance(local, dict) else None
    if not isinstance(local, dict) or "hwsku" not in local or not isinstance(ports, dict):
        return False
    return any(isinstance(row, dict) and "lanes" in row for row in ports.values())


def _bare(key: str) -> str:
    """A key without blanks around it or its parts (NP860 reports them)."""
    return "|".join(part.strip() for part in key.split("|")) if key != "".join(key.split()) else key


def whole_number(text: str | None) -> int | None:
    """A non-negative number of at most 20 digits (64 bits); else None."""
    return whole((text or "").strip(), 20)


VOQ_PARTS = 4
"""Parts of a queue key on a chassis: HOST|ASIC|PORT|QUEUE (sonic-queue.yang)."""


def ports_of(key: str) -> tuple[str, ...]:
    """Ports of ``Ethernet0|3`` or the old ``Ethernet0,Ethernet4|3``; for HOST|ASIC|PORT|QUEUE its port. The
    row ``global`` of PORT_QOS_MAP is of none."""
    parts = key.split("|")
    ports = parts[2] if len(parts) == VOQ_PARTS else parts[0]
    return tuple(part.strip() for part in ports.split(",") if part.strip() not in ("", "global"))


def span(text: str) -> range:
    """``3`` or ``3-4`` -> the numbers; empty if it is neither, or above 63."""
    first, dash, last = text.partition("-")
    low, high = whole_number(first), whole_number(last if dash else first)
    return range(low, high + 1) if low is not None and high is not None and high < 64 else range(0)


def plain_name(text: str) -> str:
    """A reference without the brackets that old images use: ``[BUFFER_PROFILE|x]``, or ``[BUFFER_PROFILE:x]``
    (sonic-net/sonic-swss, branches 201803 to 202106, orchagent/orch.cpp, parseReference) -> ``x``."""
    if text.startswith("[") and text.endswith("]"):
        return "".join(re.split("[|:]", text[1:-1], maxsplit=1)[1:])
    return text


def _text(value: Any) -> Value | None:
    if isinstance(value, list):
        texts = tuple(str(item) for item in value if isinstance(item, str))
        return texts if len(texts) == len(value) else None
    if isinstance(value, Number):
        return str(value)
    return value if isinstance(value, str) else None


def listed(names: Sequence[str], most: int = 3) -> str:
    return few(names, most)


def having(names: Sequence[str]) -> str:
    """``Ethernet0 has``, ``Ethernet0, Ethernet4 have``"""
    return f"{listed(names)} {'has' if len(names) == 1 else 'have'}"


def with_others(others: int, one: str, several: str) -> str:
    """``, and 1 more key has``, ``, and 2 more keys have``; empty if there are none."""
    return f", and {others:,} more {one if others == 1 else several}" if others else ""


def once(make: Callable[Concatenate[DbSwitch, P], T]) -> Callable[Concatenate[DbSwitch, P], T]:
    """A function of a switch, run once for each switch and what else it is asked for."""

    @wraps(make)
    def kept(switch: DbSwitch, /, *asked: P.args, **named: P.kwargs) -> T:
        key = (make, asked, *named.items())
        if key not in switch.kept:
            switch.kept[key] = make(switch, *asked, **named)
        found: T = switch.kept[key]
        return found

    return kept
