"""Switches that differ only in their own names, numbers and addresses have one text, with blanks for these.

`OWN` says which values are a switch's own; switches that agree in all others are of one `Shape`. The second
of a shape is printed with a `Blank` in the place of each own value. A template may print a blank and nothing
else, so what it decides is the same for every switch of the shape, and filling the blanks in gives the text
of any of them. Of a template that does more, each switch is printed by itself.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from itertools import count
from operator import attrgetter
from typing import Any

from netaddr import IPAddress, IPNetwork

from netplan.model.switch_page import NeighbourRow, PortRow, SwitchPage
from netplan.model.switch_ports import SwitchPort, SwitchVlan
from netplan.model.switching import BgpNeighbour, SwitchPlan
from netplan.model.values import InterfaceAddress
from netplan.records import dataclass

OWN: Mapping[type, tuple[str, ...]] = {
    SwitchPlan: ("name", "id", "loopbacks", "asn", "router_id", "networks", "host_networks"),
    SwitchPort: ("peer", "addresses"),
    SwitchVlan: ("name", "addresses"),
    BgpNeighbour: ("name", "address", "local", "remote_as"),
    SwitchPage: (),
    PortRow: ("peers", "carries"),
    NeighbourRow: ("peers", "addresses", "remote_as"),
}
"""Fields with a switch's own values: one value, or a tuple of them."""
PARTS: Mapping[type, tuple[str, ...]] = {
    SwitchPlan: ("ports", "vlans", "neighbours"),
    SwitchPage: ("neighbours", "ports"),
}
"""Fields with a tuple of records that have own values."""
UNPRINTED = frozenset({"at"})
"""Where the inventory states it: for findings, never for a file."""
RECENT = 64
"""Shapes of a kind that are remembered: a pod has one for each rail, and the next pod has the same."""
_MARK = re.compile(r"zq([0-9]+)qz")


class OwnValueError(TypeError):
    """A template does more with an own value than to print it."""


class Blank:
    """Stands for an own value. ``facts``: what is the same in every switch of the shape."""

    __hash__ = None  # type: ignore[assignment]  # what a set of values decides depends on the values

    def __init__(self, number: int, facts: Mapping[str, Any]) -> None:
        self._number, self._facts = number, facts

    def __str__(self) -> str:
        return f"zq{self._number}qz"

    def __bool__(self) -> bool:
        return bool(self.__getattr__("truth"))

    def __eq__(self, other: object) -> bool:
        raise OwnValueError("an own value is compared")

    def __getattr__(self, name: str) -> Any:
        if name not in self._facts:
            raise OwnValueError(f"{name} of an own value is asked for")
        return self._facts[name]


def _facts(value: Any) -> tuple[Any, ...]:
    """What a template may know of an own value, in the order in which `_blank` hands it out."""
    if isinstance(value, str):
        return ()
    if isinstance(value, int):
        return (bool(value),)
    if isinstance(value, IPAddress):
        return (value.version,)
    if isinstance(value, InterfaceAddress):
        return value.ip.version, value.prefixlen
    return value.version, value.prefixlen, str(value.netmask)


def _blank(value: Any, numbers: Iterator[int]) -> Blank:
    facts = _facts(value)
    number = next(numbers)
    if isinstance(value, str):
        return Blank(number, {})
    if isinstance(value, int):
        return Blank(number, {"truth": facts[0]})
    if isinstance(value, IPAddress):
        return Blank(number, {"version": facts[0]})
    ip = Blank(next(numbers), {"version": facts[0]})
    if isinstance(value, InterfaceAddress):
        return Blank(number, {"ip": ip, "ipv6": facts[0] == 6, "prefixlen": facts[1]})
    return Blank(number, {"ip": ip, "version": facts[0], "prefixlen": facts[1], "netmask": facts[2]})


def _texts(value: Any) -> tuple[str, ...]:
    """What fills the blanks that `_blank` makes of such a value."""
    if isinstance(value, InterfaceAddress | IPNetwork):
        return str(value), str(value.ip)
    return (str(value),)


def own_values(record: Any) -> Iterator[Any]:
    """In the order in which `stand_in` replaces them."""
    kind = type(record)
    for name in OWN[kind]:
        value = getattr(record, name)
        if isinstance(value, tuple):
            yield from value
        else:
            yield value
    for name in PARTS.get(kind, ()):
        for part in getattr(record, name):
            yield from own_values(part)


def stand_in(record: Any, blank: Callable[[Any], Blank]) -> Any:
    """The record with a blank in the place of each own value."""
    kind = type(record)
    found: dict[str, Any] = {}
    for name in OWN[kind]:
        value = getattr(record, name)
        found[name] = tuple(map(blank, value)) if isinstance(value, tuple) else blank(value)
    for name in PARTS.get(kind, ()):
        found[name] = tuple(stand_in(part, blank) for part in getattr(record, name))
    return replace(record, **found)


def shared_values(record: Any) -> tuple[Any, ...]:
    """All values but the own ones."""
    kind: type = type(record)
    parts = (tuple(map(shared_values, getattr(record, name))) for name in PARTS.get(kind, ()))
    return (_others(kind)(record), *parts)


@cache
def _others(kind: type) -> Callable[[Any], Any]:
    left_out = {*OWN[kind], *PARTS.get(kind, ()), *UNPRINTED}
    return attrgetter(*(field.name for field in fields(kind) if field.name not in left_out))


@dataclass(frozen=True, slots=True)
class Subject:
    """What is printed of one switch. ``own``: the texts of its own values."""

    plan: SwitchPlan
    page: SwitchPage
    own: Sequence[str] = ()


Print = Callable[[Subject], str]


class Shape:
    """Switches that differ in their own values only, by the first of them."""

    def __init__(self, first: Subject) -> None:
        self._first = first
        self._blank: Subject | None = None
        self._printed: dict[Hashable, str] = {}
        """Texts of the first one."""
        self._pieces: dict[Hashable, list[str]] = {}
        """Of a text with blanks: every second one is the number of an own value. Empty where it has none."""

    def text(self, file: Hashable, subject: Subject, made: Print) -> str:
        """``made`` prints one switch by itself."""
        if subject is self._first:
            return self._printed.setdefault(file, made(subject))
        if file not in self._pieces:
            self._pieces[file] = self._with_blanks(file, made)
        pieces = self._pieces[file]
        return _filled(pieces, subject) if pieces else made(subject)

    def _with_blanks(self, file: Hashable, made: Print) -> list[str]:
        """Held against the text of the first one, which shows what a filter did to a blank."""
        if self._blank is None:
            self._blank = _blanked(self._first)
        try:
            pieces = _MARK.split(made(self._blank))
        except TypeError:  # also Python's own: a blank has no length, no sum, no hash
            return []
        return pieces if _filled(pieces, self._first) == self._printed[file] else []


def _blanked(subject: Subject) -> Subject:
    numbers = count()

    def blank(value: Any) -> Blank:
        return _blank(value, numbers)

    return Subject(stand_in(subject.plan, blank), stand_in(subject.page, blank))


def _filled(pieces: list[str], subject: Subject) -> str:
    if len(pieces) == 1:
        return pieces[0]
    filled = pieces.copy()
    filled[1::2] = [subject.own[int(number)] for number in pieces[1::2]]
    return "".join(filled)


class Shapes:
    """Finds the shape of a switch among those of the last ones."""

    def __init__(self) -> None:
        self._recent: dict[Hashable, deque[tuple[Any, Shape]]] = defaultdict(lambda: deque(maxlen=RECENT))

    def of(self, plan: SwitchPlan, page: SwitchPage) -> tuple[Shape, Subject]:
        values = [*own_values(plan), *own_values(page)]
        subject = Subject(plan, page, [text for value in values for text in _texts(value)])
        key = (list(map(_facts, values)), shared_values(plan), shared_values(page))
        recent = self._recent[plan.nos, plan.type.name, len(plan.ports)]
        for known, shape in recent:
            if known == key:
                return shape, subject
        shape = Shape(subject)
        recent.append((key, shape))
        return shape, subject
