"""What dumps say, each value with its place, grouped by subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from netplan.diagnostics import Source
from netplan.model.values import natural
from netplan.report import few

Kind = Literal[
    "cluster",
    "node",
    "card",
    "resource",
    "network",
    "pool",
    "switch",
    "port",
    "svi",
    "class",
    "prefix",
    "address",
    "template",
    "workload",
    "claim",
]
Of = tuple[str, ...]
"""The subject of a fact: ("gpu-001", "0000:18:00.0") for kind card; empty for kind cluster."""
Value = str | int | bool | tuple[str, ...]
WHOLE = "whole/"
"""``whole/SriovNetwork``: the field of a fact that lists the other fields of one object of that kind. In
another dump, an object that lacks one of them says that there is none."""
WORDS: Mapping[Kind, str] = {
    "cluster": "the cluster",
    "node": "node",
    "card": "card",
    "resource": "resource",
    "network": "network",
    "pool": "pool",
    "switch": "switch",
    "port": "port",
    "svi": "VLAN interface",
    "class": "traffic class",
    "prefix": "prefix",
    "address": "address",
    "template": "NicInterfaceNameTemplate",
    "workload": "workload",
    "claim": "claim",
}


_CALLED = {"planned_vfs": "numVfs", "externally_managed": "externallyManaged"}
"""Fields that objects call otherwise."""


@dataclass(frozen=True, slots=True)
class Fact:
    kind: Kind
    of: Of
    field: str
    value: Value
    at: Source


def texts_in(value: Value | None) -> tuple[str, ...]:
    """Those of a list; none of another value."""
    return value if isinstance(value, tuple) else ()


@dataclass(frozen=True, slots=True)
class Said:
    value: Value
    at: Source


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements that cannot both be right. Neither is used."""

    kind: Kind
    of: Of
    field: str
    one: Said
    other: Said

    def __str__(self) -> str:
        whom = " ".join((WORDS[self.kind], *self.of))
        return f"{whom}, {_CALLED.get(self.field, self.field)}: {self.values}"

    @property
    def values(self) -> str:
        return " or ".join(f"{shown(said.value)} ({place(said.at)})" for said in (self.one, self.other))


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Statements about different subjects that cannot all be right. ``more``: others of the same kind."""

    why: str
    more: int

    def __str__(self) -> str:
        return f"{self.why} (and {self.more} more)" if self.more else self.why


def first_faults(found: Iterable[tuple[object, str]]) -> Iterator[Contradiction]:
    """Of (kind, why) the first of each kind, with the number of the others."""
    groups: dict[object, list[str]] = {}
    for kind, why in found:
        groups.setdefault(kind, []).append(why)
    for whys in groups.values():
        yield Contradiction(whys[0], len(whys) - 1)


@dataclass(frozen=True, slots=True)
class Remark:
    """What was not taken, and why. ``alike``: the same for remarks of which one line is enough. ``value``:
    what tells them apart."""

    at: Source
    text: str
    alike: str = ""
    value: str = ""

    def __str__(self) -> str:
        return f"{place(self.at)}: {self.text}"


_LONGEST, _OTHERS = 80, 3


def not_taken(at: Source, what: str, value: object, why: str) -> Remark:
    """What a reader found and cannot use: ``what`` is the field, ``value`` as written."""
    written = str(value)
    written = written if len(written) <= _LONGEST else f"{written[:_LONGEST]}..."
    return Remark(at, f"{what} {written!r}: {why}", alike=f"{what}: {why}", value=written)


def folded(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    """Remarks, each group of alike ones as its first with the number of the others and their other values."""
    groups: dict[str, list[Remark]] = {}
    for number, remark in enumerate(remarks):
        groups.setdefault(remark.alike or f"{number}", []).append(remark)
    return tuple(
        replace(one, text=f"{one.text} (and {len(others):,} more{_others(one, others)})") if others else one
        for one, *others in groups.values()
    )


def _others(one: Remark, others: Iterable[Remark]) -> str:
    """The other values, the first few of them."""
    values = [f"{value!r}" for value in dict.fromkeys(each.value for each in others) if value != one.value]
    return f", also {few(values, _OTHERS)}" if values and one.value else ""


def place(at: Source) -> str:
    """``nodes.yaml:12``: comments leave out the column."""
    return f"{at.file}:{at.line}"


def shown(value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or "nothing"
    return str(value).lower() if isinstance(value, bool) else str(value) or "nothing"


def by_short_name(names: Iterable[str]) -> dict[str, str]:
    """Name -> name, and its part before the first dot -> name if only one name has it."""
    full = list(names)
    short: dict[str, str] = {}
    for name in full:
        head = name.partition(".")[0]
        short[head] = "" if head in short else name
    return {**{head: name for head, name in short.items() if name}, **{name: name for name in full}}


@dataclass(slots=True)
class Site:
    """All facts of a run, with the first place of each value."""

    _said: dict[Kind, dict[Of, dict[str, Said]]] = field(default_factory=dict)
    _whole: dict[tuple[Kind, Of, str], Fact] = field(default_factory=dict)
    _conflicts: dict[tuple[Kind, Of, str], Conflict] = field(default_factory=dict)
    _by_subject: dict[tuple[Kind, Of], list[Conflict]] = field(default_factory=dict)
    _noted: list[Conflict] = field(default_factory=list)

    def add(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            key = (fact.kind, fact.of, fact.field)
            if fact.field.startswith(WHOLE):
                self._compare(self._whole.setdefault(key, fact), fact)
                continue
            fields = self._said.setdefault(fact.kind, {}).setdefault(fact.of, {})
            said = Said(fact.value, fact.at)
            before = fields.setdefault(fact.field, said)
            if before.value != fact.value:
                self._disagree(Conflict(*key, before, said))

    def _compare(self, before: Fact, fact: Fact) -> None:
        """What one of two dumps of an object has and the other has not."""
        fields = self._said.get(fact.kind, {}).get(fact.of, {})
        first, then = texts_in(before.value), texts_in(fact.value)
        for name in (name for name in first if name not in then and name in fields):
            self._disagree(Conflict(fact.kind, fact.of, name, fields[name], Said("", fact.at)))
        for name in (name for name in then if name not in first and name in fields):
            self._disagree(Conflict(fact.kind, fact.of, name, Said("", before.at), fields[name]))

    def _disagree(self, conflict: Conflict) -> None:
        """Of a field the first contradiction counts."""
        key = (conflict.kind, conflict.of, conflict.field)
        if key not in self._conflicts:
            self._conflicts[key] = conflict
            self._by_subject.setdefault(key[:2], []).append(conflict)

    def rewritten(self, change: Callable[[Fact], Fact | None]) -> Site:
        """Each fact as ``change`` has it, without those that are None then; what becomes one and differs
        is a contradiction."""
        found = Site(_whole=self._whole)
        found.note(each for each in self._noted if change(Fact(each.kind, each.of, "", "", each.one.at)))
        for kind, subjects in self._said.items():
            for of, fields in subjects.items():
                facts = (Fact(kind, of, name, said.value, said.at) for name, said in fields.items())
                found.add(filter(None, map(change, facts)))
        for (kind, of, name), each in self._conflicts.items():
            both = (Fact(kind, of, name, said.value, said.at) for said in (each.one, each.other))
            found.add(filter(None, map(change, both)))
        return found

    @property
    def empty(self) -> bool:
        return not self._said

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        return (*self._conflicts.values(), *self._noted)

    def note(self, conflicts: Iterable[Conflict]) -> None:
        """Contradictions between fields."""
        self._noted += conflicts

    def every(self, kind: Kind) -> list[Of]:
        """Subjects in natural order."""
        return sorted(self._said.get(kind, ()), key=lambda of: tuple(map(natural, of)))

    def fields(self, kind: Kind, of: Of = ()) -> Mapping[str, Said]:
        """Fields without contradictions."""
        found = self._said.get(kind, {}).get(of, {})
        return {name: said for name, said in found.items() if (kind, of, name) not in self._conflicts}

    def said(self, kind: Kind, of: Of, name: str) -> Said | None:
        if (kind, of, name) in self._conflicts:
            return None
        return self._said.get(kind, {}).get(of, {}).get(name)

    def conflict(self, kind: Kind, of: Of, name: str) -> Conflict | None:
        return self._conflicts.get((kind, of, name))

    def about(self, kind: Kind, of: Of, prefix: str = "") -> list[Conflict]:
        """Contradictions about a subject in fields with the prefix."""
        mine = self._by_subject.get((kind, of), ())
        return [conflict for conflict in mine if conflict.field.startswith(prefix)]

    def text(self, kind: Kind, of: Of, name: str) -> str:
        """Empty if nothing is said, or two things are."""
        said = self.said(kind, of, name)
        return said.value if said and isinstance(said.value, str) else ""

    def number(self, kind: Kind, of: Of, name: str) -> int | None:
        said = self.said(kind, of, name)
        value = said.value if said else None
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def listed(self, kind: Kind, of: Of, name: str) -> tuple[str, ...]:
        said = self.said(kind, of, name)
        return texts_in(said.value if said else None)

    def prefixed(self, kind: Kind, of: Of, prefix: str) -> Iterator[tuple[str, Said]]:
        """With ``label/``: the labels of a node."""
        for name, said in self.fields(kind, of).items():
            if name.startswith(prefix):
                yield name.removeprefix(prefix), said
