"""The traffic classes of a switch, from its ports, and its PFC watchdog.

Tables: PORT_QOS_MAP (dscp_to_tc_map, tc_to_queue_map, pfc_enable), DSCP_TO_TC_MAP, TC_TO_QUEUE_MAP, QUEUE,
SCHEDULER, WRED_PROFILE, PFC_WD of sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models;
thresholds are in bytes. A reference is a bare name, in old images ``[TABLE|name]``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from netplan.importing.facts import Fact
from netplan.importing.lossless import PFC_PRIORITY
from netplan.importing.sonic.switches import SwitchReader
from netplan.importing.weights import REST
from netplan.reading.config_db.switch import DbSwitch, plain_name, ports_of, span, whole_number

CLASSES = frozenset("01234567")
QUEUES = frozenset(map(str, range(20)))
CODE_POINTS = 64
_NO_CLASS = "not a class from 0 to 7"
_NO_POINT = "not a DSCP from 0 to 63 with a class from 0 to 7"
_MAPS, _QUEUE = "PORT_QOS_MAP", "QUEUE"
_PATHS = (
    (("pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"), ("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP")),
    (("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"), ("tc_to_queue_map", "TC_TO_QUEUE_MAP")),
)
"""Field of a port and its table: from a PFC priority, and from a class, to the same number."""


def qos_facts(read: SwitchReader) -> Iterator[Fact]:
    switch = read.switch
    lossless: set[str] = set()
    yield from _pfc(read, lossless)
    for name in _maps(switch, "dscp_to_tc_map"):
        yield from _code_points(read, name, lossless)
    yield from _trust(read)
    yield from _queues(read)
    maps = _by_port(switch)
    for key in switch.keys(_QUEUE):
        numbers = next((maps[port] for port in ports_of(key) if port in maps), {})
        for queue in map(str, span(key.rpartition("|")[2])) if ports_of(key) else ():
            found = [number for number in sorted(CLASSES) if numbers.get(number, number) == queue]
            for number in found:
                yield from _queue(read, key, number)
            if not found and queue in CLASSES and read.switch.text(_QUEUE, key, "wred_profile"):
                read.refuse(queue, "no class is in this queue", _QUEUE, key)
    yield from _watchdog(read)


def _pfc(read: SwitchReader, lossless: set[str]) -> Iterator[Fact]:
    """The classes with PFC, also into ``lossless``."""
    for key in read.switch.keys(_MAPS):
        for part in (read.switch.text(_MAPS, key, "pfc_enable") or "").split(","):
            if (priority := part.strip()) not in CLASSES:
                if priority:
                    read.refuse(priority, _NO_CLASS, _MAPS, key, "pfc_enable")
                continue
            for number in _lossless(read.switch, key, priority):
                lossless.add(number)
                yield read.fact("class", (number,), "lossless", True, _MAPS, key, "pfc_enable")
                if number != priority:
                    spot = (_MAPS, key, "pfc_to_pg_map")
                    yield read.fact("class", (number,), PFC_PRIORITY, (priority,), *spot)


def _lossless(switch: DbSwitch, key: str, priority: str) -> list[str]:
    """The classes whose priority group sends PFC of a priority, else those whose queue it stops. Numbers stay
    the same unless maps say otherwise."""
    for of_priority, of_class in _PATHS:
        wanted = _mapped(switch, key, *of_priority).get(priority, priority)
        numbers = _mapped(switch, key, *of_class)
        found = [number for number in sorted(CLASSES) if numbers.get(number, number) == wanted]
        if found:
            return [priority] if priority in found else found
    return [priority]


def _mapped(switch: DbSwitch, key: str, field: str, table: str) -> dict[str, str]:
    row = switch.row(table, plain_name(switch.text(_MAPS, key, field) or ""))
    return {number: str(other) for number, other in (row.fields if row else {}).items()}


def _trust(read: SwitchReader) -> Iterator[Fact]:
    """What ports classify by, and the PCP values of each class. The switch's own map is for tunnels."""
    table = "DOT1P_TO_TC_MAP"
    for word, field in (("dscp", "dscp_to_tc_map"), ("pcp", "dot1p_to_tc_map")):
        for key in read.switch.keys(_MAPS):
            if key != "global" and read.switch.text(_MAPS, key, field):
                yield read.fact("cluster", (), "trust", word, _MAPS, key, field)
                break
    for name in _maps(read.switch, "dot1p_to_tc_map"):
        row = read.switch.row(table, name)
        values: dict[str, list[str]] = {}
        for pcp, number in (row.fields if row else {}).items():
            if pcp in CLASSES and isinstance(number, str) and number in CLASSES:
                values.setdefault(number, []).append(pcp)
        for number, found in values.items():
            yield read.fact("class", (number,), "pcp", tuple(sorted(found)), table, name, found[0])


def _queues(read: SwitchReader) -> Iterator[Fact]:
    """The queue of each class."""
    for name in _maps(read.switch, "tc_to_queue_map"):
        row = read.switch.row("TC_TO_QUEUE_MAP", name)
        for of_queue, text in (row.fields if row else {}).items():
            spot = ("TC_TO_QUEUE_MAP", name, of_queue)
            if of_queue in CLASSES and str(text) in QUEUES:
                yield read.fact("class", (of_queue,), "queue", str(text), *spot)
            else:
                read.refuse(f"{of_queue}: {text}", "not a class from 0 to 7 with its queue", *spot)


def _by_port(switch: DbSwitch) -> dict[str, dict[str, str]]:
    """Port -> class -> queue; those of a class that is not listed are the same."""
    queues = _PATHS[1][1]
    return {port: _mapped(switch, key, *queues) for key in switch.keys(_MAPS) for port in key.split(",")}


def _maps(switch: DbSwitch, field: str) -> list[str]:
    """The maps that ports use, each once."""
    names = (switch.text(_MAPS, key, field) for key in switch.keys(_MAPS))
    return list(dict.fromkeys(plain_name(name) for name in names if name))


def _code_points(read: SwitchReader, name: str, lossless: Set[str]) -> Iterator[Fact]:
    """Code points of every class except best effort: the class with the most code points that has no PFC.
    Code points missing from the map are in class 0."""
    row = read.switch.row("DSCP_TO_TC_MAP", name)
    points: dict[str, list[int]] = {}
    for dscp, number in (row.fields if row else {}).items():
        value = whole_number(dscp)
        if value is not None and value < CODE_POINTS and isinstance(number, str) and number in CLASSES:
            points.setdefault(number, []).append(value)
        else:
            read.refuse(f"{dscp}: {number}", _NO_POINT, "DSCP_TO_TC_MAP", name, dscp)
    sizes = Counter({number: len(values) for number, values in points.items()})
    if unlisted := CODE_POINTS - sizes.total():
        yield read.fact("class", ("0",), REST, True, "DSCP_TO_TC_MAP", name)
    sizes["0"] += unlisted
    usual = next((number for number, _ in sizes.most_common() if number not in lossless), "")
    for number, values in points.items():
        if number != usual:
            texts = tuple(map(str, sorted(values)))
            yield read.fact("class", (number,), "dscp", texts, "DSCP_TO_TC_MAP", name, texts[0])
        else:
            yield read.fact("class", (number,), "usual", True, "DSCP_TO_TC_MAP", name)


def _queue(read: SwitchReader, key: str, queue_class: str) -> Iterator[Fact]:
    """Scheduling and marking of the class in a queue."""
    text, of = read.switch.text, (queue_class,)
    scheduler = plain_name(text(_QUEUE, key, "scheduler") or "")
    if kind := text("SCHEDULER", scheduler, "type"):
        yield read.fact("class", of, "scheduling", kind.lower(), "SCHEDULER", scheduler, "type")
    weight = read.number("SCHEDULER", scheduler, "weight")
    if weight is not None:
        yield read.fact("class", of, "weight", weight, "SCHEDULER", scheduler, "weight")
    wred = plain_name(text(_QUEUE, key, "wred_profile") or "")
    if (text("WRED_PROFILE", wred, "ecn") or "ecn_none") == "ecn_none":
        return
    fields = ("green_min_threshold", "green_max_threshold", "green_drop_probability")
    for field, name in zip(fields, ("kmin_bytes", "kmax_bytes", "probability_percent"), strict=True):
        number = read.number("WRED_PROFILE", wred, field)
        if number is not None:
            yield read.fact("class", of, name, number, "WRED_PROFILE", wred, field)


def _watchdog(read: SwitchReader) -> Iterator[Fact]:
    names = {
        "POLL_INTERVAL": "poll_ms",
        "detection_time": "detection_ms",
        "restoration_time": "restoration_ms",
    }
    for key in read.switch.keys("PFC_WD"):
        for field, name in names.items():
            number = read.number("PFC_WD", key, field)
            if number is not None:
                yield read.fact("cluster", (), f"watchdog/{name}", number, "PFC_WD", key, field)
