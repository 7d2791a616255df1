"""Renders switches of the same shape (``model.alike``) from one text with blanks for their own values.

The second switch of a shape is rendered with a `Blank` for each own value. A template may print a blank and
nothing else, so its decisions are the same for every switch of the shape, and filling in the blanks gives the
text of any of them. If a template does more with a blank, each switch is rendered by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import count
from typing import Any, NamedTuple

from netaddr import IPAddress

from netplan.model.alike import Shapes as Found
from netplan.model.alike import facts, own_values, shape_of, stand_in
from netplan.model.switch_page import SwitchPage, switch_page, with_rows
from netplan.model.switching import SwitchPlan
from netplan.model.values import InterfaceAddress, text_of
from netplan.records import dataclass
from netplan.render.marks import Form, mark


class OwnValueError(TypeError):
    """A template does more with an own value than print it."""


class Blank:
    """Placeholder for an own value. ``facts``: attributes that are the same for every switch of the shape."""

    __hash__ = None  # type: ignore[assignment]  # membership in a set depends on the values

    def __init__(self, number: int, facts: Mapping[str, Any]) -> None:
        self._number, self._facts = number, facts

    def __str__(self) -> str:
        return mark(self._number)

    def __bool__(self) -> bool:
        return bool(self.__getattr__("truth"))

    def __eq__(self, other: object) -> bool:
        raise OwnValueError("an own value is compared")

    def __getattr__(self, name: str) -> Any:
        if name not in self._facts:
            raise OwnValueError(f"{name} of an own value is asked for")
        return self._facts[name]


def _blank(value: Any, numbers: Iterator[int]) -> Blank:
    known = facts(value)
    number = next(numbers)
    if isinstance(value, str):
        return Blank(number, {})
    if isinstance(value, int):
        return Blank(number, {"truth": known[0]})
    if isinstance(value, IPAddress):
        return Blank(number, {"version": known[0]})
    ip = Blank(next(numbers), {"version": known[0]})
    if isinstance(value, InterfaceAddress):
        return Blank(number, {"ip": ip, "ipv6": known[0] == 6, "prefixlen": known[1]})
    return Blank(
        number, {"ip": ip, "version": known[0], "prefixlen": known[1], "netmask": str(value.netmask)}
    )


def _all_texts(values: Iterable[Any]) -> list[str]:
    """Texts for the blanks that `_blank` makes of these values, in the same order."""
    found: list[str] = []
    for value in values:
        if type(value) is str:
            found.append(value)
        elif isinstance(value, int):
            found.append(str(value))
        elif isinstance(value, IPAddress):
            found.append(text_of(value))
        else:
            ip = text_of(value.ip)
            found += (f"{ip}/{value.prefixlen}", ip)
    return found


@dataclass(frozen=True, slots=True)
class SwitchSubject:
    """Template input for one switch. ``own``: texts of its own values; ``unescaped``: JSON needs to escape
    none of them."""

    plan: SwitchPlan
    page: SwitchPage
    own: Sequence[str] = ()
    unescaped: bool = True


Print = Callable[[SwitchSubject], str]


class Shape:
    """A set of switches that differ only in their own values, represented by the first of them."""

    def __init__(self, first: SwitchSubject) -> None:
        self._first = first
        self._blank: SwitchSubject | None = None
        self._printed: dict[Hashable, str] = {}
        """Texts of the first switch, by file."""
        self._forms: dict[Hashable, Form | None] = {}
        """Texts with blanks numbered by own value; None if the template does more with one than print it."""

    def text(self, file: Hashable, subject: SwitchSubject, made: Print) -> str:
        """Text of one file for one switch. ``made`` renders a switch by itself."""
        if file not in self._printed:
            self._printed[file] = made(self._first)
        if subject is self._first:
            return self._printed[file]
        if file not in self._forms:
            self._forms[file] = self._with_blanks(file, made)
        form = self._forms[file]
        return form.filled(subject.own) if form is not None else made(subject)

    def _with_blanks(self, file: Hashable, made: Print) -> Form | None:
        """The text with blanks; None if it does not reproduce the first switch's text, as when a filter
        changed a blank."""
        if self._blank is None:
            self._blank = _blanked(self._first)
        try:
            form = Form(made(self._blank))
        except TypeError:  # OwnValueError, or Python's own: a blank has no length, sum or hash
            return None
        return form if form.filled(self._first.own) == self._printed[file] else None


def _blanked(subject: SwitchSubject) -> SwitchSubject:
    numbers = count()

    def blank(value: Any) -> Blank:
        return _blank(value, numbers)

    return SwitchSubject(stand_in(subject.plan, blank), stand_in(subject.page, blank))


def _unescaped(text: str) -> bool:
    """Whether JSON writes the text without escapes."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


class _Alike:
    """Switches whose plans have the same shape, though the rows of their pages may differ. ``first``: one of
    them."""

    def __init__(self, first: SwitchPlan, shape: Any) -> None:
        self._first, self._shape = first, shape
        self.shapes: Found[Shape] = Found()

    @cached_property
    def page(self) -> SwitchPage:
        return switch_page(self._first)

    @cached_property
    def digest(self) -> bytes:
        return blake2b(repr(self._shape).encode()).digest()


class Likeness(NamedTuple):
    """A switch with those that it is like. ``own``: texts of the values of its plan that may differ."""

    plan: SwitchPlan
    alike: _Alike
    own: Sequence[str]

    @property
    def digest(self) -> bytes:
        """Of all that its files follow from but the program and the name of the site."""
        return blake2b(self.alike.digest + "\0".join(self.own).encode(), digest_size=16).digest()

    def drawn(self) -> tuple[Shape, SwitchSubject]:
        page = with_rows(self.alike.page, self.plan)
        of_page = own_values(page)
        own = [*self.own, *_all_texts(of_page)]
        subject = SwitchSubject(self.plan, page, own, _unescaped("".join(own)))
        return self.alike.shapes.find("", shape_of(page, of_page), lambda: Shape(subject)), subject


class Shapes:
    """All shapes of one run."""

    def __init__(self) -> None:
        self._found: Found[_Alike] = Found()

    def of(self, plan: SwitchPlan) -> Likeness:
        own = own_values(plan)
        kind, shape = (plan.nos, plan.type.name, len(plan.ports)), shape_of(plan, own)
        return Likeness(plan, self._found.find(kind, shape, lambda: _Alike(plan, shape)), _all_texts(own))
