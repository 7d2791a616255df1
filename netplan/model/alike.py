"""Switches that differ only in their own names, numbers and addresses have the same shape.

`OWN` lists the values that belong to a single switch. What the plan derives from all other values, and the
text of a file except for own values, is computed once per shape (``plan.switches``, ``render.alike``).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from operator import attrgetter
from typing import Any, Generic, TypeVar

from netaddr import IPAddress

from netplan.model.switch_page import NeighbourRow, PortRow, SwitchPage
from netplan.model.switch_ports import SwitchPort, SwitchVlan
from netplan.model.switching import BgpNeighbour, SwitchPlan
from netplan.model.values import InterfaceAddress

T = TypeVar("T")

OWN: Mapping[type, tuple[str, ...]] = {
    SwitchPlan: ("name", "id", "loopbacks", "asn", "router_id", "networks", "host_networks"),
    SwitchPort: ("peer", "addresses"),
    SwitchVlan: ("name", "addresses"),
    BgpNeighbour: ("name", "address", "local", "remote_as"),
    SwitchPage: (),
    PortRow: ("peers", "carries"),
    NeighbourRow: ("peers", "addresses", "remote_as"),
}
"""Fields with values of a single switch: one value, or a tuple of them."""
PARTS: Mapping[type, tuple[str, ...]] = {
    SwitchPlan: ("ports", "vlans", "neighbours"),
    SwitchPage: ("neighbours", "ports"),
}
"""Fields with a tuple of records that have such values."""
UNPRINTED = frozenset({"at"})
"""Where the inventory states it: for findings, never printed to a file."""
RECENT = 64
"""Shapes of a kind that are cached: a pod has one per rail, and the next pod has the same."""


def own_values(record: Any) -> list[Any]:
    """In the order in which `stand_in` replaces them."""
    found: list[Any] = []
    _add(found, [record])
    for name in PARTS.get(type(record), ()):
        _add(found, getattr(record, name))
    return found


def _add(found: list[Any], records: Sequence[Any]) -> None:
    """The own values of records of one kind."""
    if not records:
        return
    kind: type = type(records[0])
    for values in map(_own(kind), records):
        for value in values:
            if type(value) is tuple:
                found += value
            else:
                found.append(value)


@cache
def _own(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    names = OWN[kind]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)


def stand_in(record: Any, other: Callable[[Any], Any]) -> Any:
    """The record with each own value replaced by another of the same kind."""
    kind = type(record)
    found: dict[str, Any] = {}
    for name in OWN[kind]:
        value = getattr(record, name)
        found[name] = tuple(map(other, value)) if isinstance(value, tuple) else other(value)
    for name in PARTS.get(kind, ()):
        found[name] = tuple(stand_in(part, other) for part in getattr(record, name))
    return replace(record, **found)


def shape_of(record: Any, own: Sequence[Any]) -> tuple[Any, ...]:
    """Everything except own values, and the `facts` about those. What differs most comes first."""
    kind: type = type(record)
    parts = (_shared(getattr(record, name)) for name in PARTS.get(kind, ()))
    known = [facts(value) for value in own if type(value) is not str]
    return (*parts, known, _others(kind)(record))


def _shared(parts: Sequence[Any]) -> tuple[Any, ...]:
    if not parts:
        return ()
    kind: type = type(parts[0])
    return tuple(map(_others(kind), parts))


@cache
def _others(kind: type) -> Callable[[Any], Any]:
    left_out = {*OWN[kind], *PARTS.get(kind, ()), *UNPRINTED}
    return attrgetter(*(field.name for field in fields(kind) if field.name not in left_out))


def facts(value: Any) -> tuple[Any, ...]:
    """What decisions may know of an own value: the same for all switches of a shape."""
    if isinstance(value, str):
        return ()
    if isinstance(value, int):
        return (bool(value),)
    if isinstance(value, IPAddress):
        return (value.version,)
    if isinstance(value, InterfaceAddress):
        return value.ip.version, value.prefixlen
    return value.version, value.prefixlen, "network"  # unlike an interface address that stands in its place


class Shapes(Generic[T]):
    """Cache of results per shape, with the last `RECENT` ones of each kind."""

    def __init__(self) -> None:
        self._recent: dict[Hashable, deque[tuple[Any, T]]] = defaultdict(lambda: deque(maxlen=RECENT))

    def find(self, kind: Hashable, shape: Any, make: Callable[[], T]) -> T:
        """``kind``: a part of the shape that is cheap to look up."""
        recent = self._recent[kind]
        for known, made in recent:
            if known == shape:
                return made
        recent.append((shape, make()))
        return recent[-1][1]
