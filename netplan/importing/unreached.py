"""Queues that a switch serves first or marks, and to which no line of it maps a code point, or not all that
lead there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.facts import Fact, Of, Remark
from netplan.importing.open_lines import open_field
from netplan.model.nos import NosProfile
from netplan.model.readback import ReadSwitch

AS_SHIPPED = "points as shipped"
"""Field of a class: code points come to it that no line maps."""
SHOWN_BY = "points as shipped are shown by"
"""Field of a class: the command that prints the map."""
_BEST_EFFORT = "0"
_POINTS = 64
_KNOWN = frozenset({"dscp", "lossless"})
"""Fields of classes that the inventory has."""


def unreached(
    name: str, said: Iterable[Fact | Remark], shipped: Mapping[str, str]
) -> Iterator[Fact | Remark]:
    """``said``: of one switch. ``shipped``: as ``shipped_queues`` has it."""
    rows = [fact for fact in said if isinstance(fact, Fact)]
    if any((fact.field, fact.value) == ("trust", "pcp") for fact in rows):
        return
    classes = [fact for fact in rows if fact.kind == "class"]
    told, known = _settled(rows), {fact.of for fact in classes if fact.field in _KNOWN}
    for fact in classes:
        led, own = fact.of[0] in shipped, fact.of in known
        what = _stated(fact, led and not own)
        if not what or fact.of in told or (own and not led):
            continue
        told.add(fact.of)
        yield from _open(name, fact, what, shipped.get(fact.of[0]))


def _open(name: str, fact: Fact, what: str, shown: str | None) -> Iterator[Fact | Remark]:
    """``shown``: the command that prints the map, where code points as shipped may be in the class."""
    if shown is not None:
        yield Fact(fact.kind, fact.of, AS_SHIPPED, True, fact.at)
        yield Fact(fact.kind, fact.of, SHOWN_BY, shown, fact.at)
        return
    queue = f"queue {fact.of[0]} {what}"
    text = f"{name}: {queue}, but no line that is read maps a code point to it: not taken"
    yield Remark(fact.at, text, alike=queue)


def _settled(rows: Iterable[Fact]) -> set[Of]:
    """Classes about which there is nothing to tell: best effort, and those that unread lines map."""
    own, asked = [*rows], open_field("dscp", "")
    classes = (fact for fact in own if fact.kind == "class")
    found = {fact.of for fact in classes if fact.field == "usual" or fact.field.startswith(asked)}
    return {(_BEST_EFFORT,), *found, *_below(own)}


def _below(rows: Iterable[Fact]) -> set[Of]:
    """NX-OS refuses strict queues without queue 7 (10.5 QoS guide, Configuring Queuing and Scheduling)."""
    own = [*rows]
    strict = {fact.of for fact in own if (fact.field, fact.value) == ("scheduling", "strict")}
    nxos = any((fact.field, fact.value) == ("nos", "cisco-nxos") for fact in own)
    return {("7",)} if nxos and len(strict) > 1 else set()


def shipped_queues(nos: NosProfile, read: ReadSwitch) -> Mapping[str, str]:
    """Queues to which the map that the NOS ships may lead, with the command that prints it: of ports on which
    lines map some code points and not all, or none where they trust DSCP, without those whose class has
    another queue."""
    ports = (port for port in read.ports.values() if port.qos.queues or port.trust == "dscp")
    maps = [port.qos for port in ports if len(port.qos.queues) < _POINTS]
    if nos.stock_map is None or not maps:
        return {}
    moved = {number for qos in maps for number, own in qos.class_queues.items() if number not in own}
    return {str(number): nos.stock_map.show for number in range(8) if number not in moved}


def _stated(fact: Fact, may_be_led: bool) -> str:
    if may_be_led and fact.field == "share":
        return f"has {fact.value} %"
    if fact.field == "kmin_bytes":
        return f"marks from {fact.value} bytes on"
    if fact.field == "lossless":
        return "is lossless"
    return "is strict" if (fact.field, fact.value) == ("scheduling", "strict") else ""
