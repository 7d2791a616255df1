"""The QoS chain of ports, from the rows that bind its maps: DSCP -> traffic class -> queue and group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from netplan.model.readback import ReadQos
from netplan.reading.config_db.switch import (
    VOQ_PARTS,
    DbSwitch,
    listed,
    once,
    plain_name,
    ports_of,
    span,
    whole_number,
)

Numbers = Mapping[int, int]

MAX_INDEX = 300_000
"""Limit on ports times queues: a key may name many ports and a range, so a small file can expand without
bound."""

TABLES = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
}


@dataclass(frozen=True, eq=False)
class Chain:
    """Ports that bind the same maps and enable PFC for the same priorities.

    ``names``: field -> name of the map bound; ``maps``: field -> its numbers, only for maps that are bound
    and exist. ``pfc``: the priorities, in order.
    """

    switch: DbSwitch
    ports: tuple[str, ...]
    row: str
    pfc: tuple[int, ...]
    names: Mapping[str, str]
    maps: Mapping[str, Numbers]

    @cached_property
    def complete(self) -> bool:
        """Whether a packet can be followed: everything needed is bound, and every bound map exists."""
        bound = set(self.names) & set(TABLES)
        marks = {"dscp_to_tc_map", "dot1p_to_tc_map"}
        return (
            bound == set(self.maps) and {"tc_to_queue_map", "tc_to_pg_map"} <= bound and bool(marks & bound)
        )

    @cached_property
    def qos(self) -> ReadQos:
        """The same maps by marking, for the questions that are asked of any NOS."""
        return ReadQos(
            queues=self._by_mark("tc_to_queue_map"),
            groups=self._by_mark("tc_to_pg_map"),
            pfc=frozenset(self.pfc),
            pfc_queues=_sets(self.maps.get("pfc_to_queue_map", {})),
            pfc_groups=_sets(self.maps.get("pfc_to_pg_map", {})),
        )

    def _by_mark(self, field: str) -> dict[int, frozenset[int]]:
        known = self.maps.get(field, {})
        return _sets({mark: known[tc] for mark, tc in self.classes.items() if tc in known})

    def queue_of(self, priority: int) -> int:
        """The queue that a received PFC frame stops; a map of config_db has one."""
        return min(self.qos.stopped(priority))

    def group_of(self, priority: int) -> int:
        """The priority group that sends PFC frames for a priority."""
        return min(self.qos.sending(priority))

    @cached_property
    def classes(self) -> Numbers:
        """Marking (DSCP, else 802.1p priority) -> traffic class."""
        return self.maps.get("dscp_to_tc_map") or self.maps.get("dot1p_to_tc_map", {})

    @property
    def marks(self) -> str:
        return "DSCP" if "dscp_to_tc_map" in self.names else "802.1p priority"

    def marks_of(self, traffic_class: int) -> list[int]:
        return sorted(mark for mark, tc in self.classes.items() if tc == traffic_class)

    @cached_property
    def lossless(self) -> Numbers:
        """Marking -> PFC priority, for the markings whose queue PFC pauses."""
        groups = {mark: min(found) for mark, found in self.qos.groups.items()}
        found = {
            mark: self.qos.stopping(min(queues), groups.get(mark)) for mark, queues in self.qos.queues.items()
        }
        return {mark: priorities[0] for mark, priorities in found.items() if priorities}

    def __str__(self) -> str:
        return listed(self.ports)

    def map_name(self, field: str) -> str:
        return f"{TABLES[field]} {self.names[field]}"


@once
def chains_of(switch: DbSwitch) -> tuple[Chain, ...]:
    """One chain per set of maps and priorities; a switch has few, however many ports it has."""
    return tuple(_chains(switch))


def pfc_chains(switch: DbSwitch) -> list[Chain]:
    return [chain for chain in chains_of(switch) if chain.pfc]


@once
def chain_by_port(switch: DbSwitch) -> Mapping[str, Chain]:
    return {port: chain for chain in chains_of(switch) for port in chain.ports}


def _chains(switch: DbSwitch) -> Iterable[Chain]:
    groups: dict[tuple[object, ...], list[tuple[str, str]]] = {}
    for key in switch.keys("PORT_QOS_MAP"):
        if key != "global":
            names, pfc = _names(switch, key), priorities(switch.text("PORT_QOS_MAP", key, "pfc_enable"))
            group = (tuple(sorted(names.items())), pfc)
            groups.setdefault(group, []).extend((port, key) for port in ports_of(key))
    maps: dict[tuple[str, str], Numbers | None] = {}
    for members in filter(None, groups.values()):
        row = members[0][1]
        names = _names(switch, row)
        found = {}
        for field, name in names.items():
            if (field, name) not in maps:
                maps[field, name] = numbers(switch, TABLES[field], name)
            one = maps[field, name]
            if one is not None:
                found[field] = one
        pfc = priorities(switch.text("PORT_QOS_MAP", row, "pfc_enable"))
        yield Chain(switch, tuple(port for port, _ in members), row, pfc, names, found)


def _names(switch: DbSwitch, key: str) -> dict[str, str]:
    """Maps that a port binds; a DSCP map may be bound for all ports (qosorch handleGlobalQosMap)."""
    names = {field: plain_name(switch.text("PORT_QOS_MAP", key, field) or "") for field in TABLES}
    if not names["dscp_to_tc_map"]:
        names["dscp_to_tc_map"] = plain_name(switch.text("PORT_QOS_MAP", "global", "dscp_to_tc_map") or "")
    return {field: name for field, name in names.items() if name}


def _sets(pairs: Numbers) -> dict[int, frozenset[int]]:
    return {left: frozenset({right}) for left, right in pairs.items()}


def numbers(switch: DbSwitch, table: str, name: str) -> Numbers | None:
    """A map row as numbers, skipping entries that are not numeric; None if there is no such row."""
    row = switch.row(table, name)
    if row is None:
        return None
    pairs = ((whole_number(key), switch.number(table, name, key)) for key in row.fields)
    return {left: right for left, right in pairs if left is not None and right is not None}


def priorities(text: str | None) -> tuple[int, ...]:
    found = (whole_number(part) for part in (text or "").split(","))
    return tuple(sorted({number for number in found if number is not None and number < 8}))


def is_remote(switch: DbSwitch, key: str) -> bool:
    """Whether a key names a queue of another line card or ASIC of a chassis."""
    return key.count("|") == VOQ_PARTS - 1 and not switch.is_mine(key)


def queues_known(switch: DbSwitch, table: str) -> bool:
    """Whether this switch's own rows can be told from others; on a chassis that requires its hostname."""
    return bool(switch.hostname) or not any(key.count("|") == VOQ_PARTS - 1 for key in switch.rows(table))


def row_of(switch: DbSwitch, table: str, port: str, number: int, field: str = "") -> str | None:
    """Key of the row (``PORT|3`` or ``PORT|3-4``) of a table that covers a queue or priority group; with
    ``field``, of the row that states it. qosorch applies each row of QUEUE by itself, so what several rows
    state of one queue adds up (sonic-net/sonic-swss e6b0c5b orchagent/qosorch.cpp, handleQueueTable)."""
    return _rows_by_number(switch, table, field).get((port, number))


@once
def _rows_by_number(switch: DbSwitch, table: str, field: str) -> Mapping[tuple[str, int], str]:
    """(port, queue or priority group) -> key of the row, of at most some MAX_INDEX."""
    index: dict[tuple[str, int], str] = {}
    for key, row in switch.rows(table).items():
        if is_remote(switch, key) or (field and field not in row.fields):
            continue
        numbers = span(key.rpartition("|")[2])
        for one in ports_of(key) if len(index) < MAX_INDEX else ():
            index.update({(one, each): key for each in numbers})
    return index


def bound(switch: DbSwitch, port: str, queue: int, field: str) -> str:
    """What a field of QUEUE names for a queue, by whichever row states it; empty if none does."""
    row = row_of(switch, "QUEUE", port, queue, field)
    return plain_name(switch.text("QUEUE", row, field) or "") if row else ""


RETURNED = frozenset({2, 6})
"""Priorities of lossless traffic from the tunnel of dual ToR; pfcwd_sw_enable has only the others
(sonic-net/sonic-buildimage 086b03bd files/build_templates/qos_config.j2)."""
_REMAPPED = (2, 3, 4, 6)


def is_remapped(switch: DbSwitch) -> bool:
    """Whether lossless traffic returns from a tunnel in priorities of its own: dual ToR, and the leaves
    above it, add such maps to the usual ones."""
    tunnel = any("TUNNEL" in key for key in switch.rows("TC_TO_PRIORITY_GROUP_MAP"))
    pairs = ("MUX_CABLE", "PEER_SWITCH", "TUNNEL")
    if any(chain.pfc == _REMAPPED for chain in pfc_chains(switch)):
        return True
    return tunnel or any(switch.rows(table) for table in pairs) or switch.local.get("subtype") == "DualToR"
