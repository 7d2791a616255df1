"""Planned settings against those that run, one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from netplan.changes.commands import Form, InPlace, Stated
from netplan.changes.drift_text import both, in_ranges, in_short
from netplan.reading.switches.lines import BELOW, Reader, Row
from netplan.reading.switches.rules import Rules

_SECRET = re.compile(
    r"\b((?:message-digest-|authentication-|auth-|pre-shared-)?(?:key|password|secret)(?:-chain|-string)?)"
    r"\b[ :].*",
    re.IGNORECASE,
)
"""Of a line that nobody planned, what must not be shown."""
_SWITCHED = ({"on", "off"}, {"enable", "disable"}, {"enabled", "disabled"})
"""Last words of lines that say the opposite of each other."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Differs:
    """``said``: what differs; ``number``: the line that states what runs, 0 if none does."""

    said: str
    number: int


@dataclass(frozen=True, slots=True)
class Compared:
    """What both sides state. ``planned``, ``runs``: settings by key; ``shown``: of ``runs``, what the running
    configuration shows, the rest is what a line of it stands for. ``files``, ``text``: where they are from.
    ``unlike``: whether the readers of the NOS see that files differ from the planned ones, and that a text
    differs from what runs. ``told``: the patterns of facts that these compare."""

    form: Form
    rules: Rules
    files: Mapping[str, str]
    text: str
    planned: Mapping[Hashable, Stated]
    runs: Mapping[Hashable, Stated]
    shown: Mapping[Hashable, Stated]
    unlike: tuple[Callable[[Mapping[str, str]], bool], Callable[[str], bool]]
    told: frozenset[str]


class Settings:
    """``beside``: which entries of other names run in the place of planned ones."""

    def __init__(self, ran: Compared, beside: InPlace) -> None:
        self._form, self._rules, self._text, self._unlike = ran.form, ran.rules, ran.text, ran.unlike
        self._files, self._told, self._planned = ran.files, ran.told, ran.planned
        own = {key: one for key, one in ran.runs.items() if key not in beside.gone}
        self._runs = {**own, **{key: one for key, (_, one) in beside.found.items()}}
        self._key_of = {key: own for key, (own, _) in beside.found.items()}
        self._shown = ran.shown.keys() | beside.found.keys()

    def differing(self) -> Iterator[Differs]:
        """What runs with another value, is not planned in an entry of netplan's own, or is missing."""
        changed = list(self._changed())
        for alike in _by_kind(changed, lambda pair: pair[1].kind):
            was, will = alike[0]
            said = f"{_at([one for one, _ in alike])}{both(was.text, will.text)}{_more(alike)}"
            yield self._row(said, was)
        told = {_line(one) for pair in changed for one in pair}
        for unplanned in grouped(one for one in self._unplanned() if _line(one) not in told):
            yield self._row(f"not planned: {said_of(unplanned)}", unplanned[0])
        if not self._form.hides:
            missing = (one for one in self._missing() if _line(one) not in told)
            yield from (Differs(f"missing: {said}", 0) for said in in_ranges(map(said_of, grouped(missing))))

    def unseen(self) -> Iterator[Stated]:
        """Planned settings that what runs does not show: defaults, and what a line of it stands for."""
        told = {_line(will) for _, will in self._changed()}
        unseen = [*self._missing()] if self._form.hides else []
        stood_for = self._planned.keys() & self._runs.keys() - self._shown
        unseen += (
            one
            for key, one in self._planned.items()
            if key in stood_for and not one.implied and one.text == self._runs[key].text
        )
        yield from (one for one in unseen if _line(one) not in told)

    def _changed(self) -> Iterator[tuple[Stated, Stated]]:
        pairs = [
            (key, was, will) for key, was, will in self._pairs() if _plain(was.text) != _plain(will.text)
        ]
        for alike in _by_kind(pairs, lambda pair: pair[2].kind):
            other = any(self._values(was) != self._values(will) for _, was, will in alike)
            if not (other and self._counts(key for key, _, _ in alike)):
                yield from ((was, will) for _, was, will in alike)

    def _pairs(self) -> Iterator[tuple[Hashable, Stated, Stated]]:
        """What runs and what is planned of one setting: the same key; the only ones of their kind that the
        other side does not have in that block; or one says the opposite of the other."""
        yield from ((key, self._runs[key], will) for key, will in self._planned.items() if key in self._runs)
        alone = [_by_block(self._runs, self._planned), _by_block(self._planned, self._runs)]
        for at, will in alone[1].items():
            was = alone[0].get(at, [])
            if len(was) == len(will) == 1:
                yield will[0], self._runs[was[0]], self._planned[will[0]]
        if self._form.negate:
            yield from self._opposites(f"{self._form.negate} ")

    def _opposites(self, no: str) -> Iterator[tuple[Hashable, Stated, Stated]]:
        beside: dict[str, list[Stated]] = {}
        for key, one in self._runs.items():
            if key not in self._planned:
                beside.setdefault(one.block, []).append(one)
        for key, will in self._planned.items():
            for was in beside.get(will.block, ()) if key not in self._runs else ():
                if _are_opposite(was.text, will.text, no) or _are_opposite(will.text, was.text, no):
                    yield key, was, will

    def _unplanned(self) -> Iterator[Stated]:
        """Of an entry that is not planned as a whole, its name."""
        blocks = {one.block for one in self._planned.values()}
        beyond: tuple[list[tuple[Hashable, Stated]], ...] = ([], [])
        for key, one in self._alone():
            known = one.block in blocks
            beyond[known or self._undoes(one)].append((key, one))
        other, within = beyond
        yield from self._other_entries(other, blocks)
        for alike in _by_kind(within, lambda each: each[1].kind + each[1].text.split(" ")[0]):
            if not (self._any_facts(alike) and self._runs_by(key for key, _ in alike)):
                yield from (one for _, one in alike)

    def _alone(self) -> Iterator[tuple[Hashable, Stated]]:
        """What runs in entries of netplan's own, not planned; a header is in the block that it opens."""
        opened = {one.block for one in self._runs.values()}
        for key, one in self._runs.items():
            if one.own and key not in self._planned and not one.implied:
                yield key, replace(one, block=_opens(one, opened))

    def _other_entries(
        self, found: Sequence[tuple[Hashable, Stated]], blocks: Collection[str]
    ) -> Iterator[Stated]:
        """``blocks``: the planned ones; an entry within one is netplan's too."""
        for name, members in _outermost(found).items():
            if any(_within(name, block) for block in blocks) and not self._any_facts(members):
                at, _, text = name.rpartition(BELOW)
                yield replace(members[0][1], at=at, text=text, kind=text)

    def _any_facts(self, settings: Iterable[tuple[Hashable, Stated]]) -> bool:
        return any(self._facts(one) for _, one in settings)

    def _undoes(self, one: Stated) -> bool:
        """Whether it changes what planned lines do."""
        return bool(one.undoes) and any(
            _within(will.levels[-1], one.undoes) for will in self._planned.values()
        )

    def _runs_by(self, keys: Iterable[Hashable]) -> bool:
        """Whether what runs states other facts without these settings."""
        own = {self._key_of.get(key, key) for key in keys}
        return self._unlike[1](self._form.without({"": self._text}, own)[""])

    def _missing(self) -> Iterator[Stated]:
        """Of an entry that is missing as a whole, its name."""
        blocks = {one.block for one in self._runs.values()} | {""}
        missing = [
            (key, one) for key, one in self._planned.items() if key not in self._runs and not one.implied
        ]
        absent = _outermost((key, one) for key, one in missing if one.block not in blocks)
        for name, members in absent.items():
            if not self._are_told(members):
                yield replace(members[0][1], at="", text=name, kind=name)
        within = [(key, one) for key, one in missing if one.block in blocks]
        for alike in _by_kind(within, lambda pair: pair[1].kind):
            if not self._are_told(alike):
                yield from (one for _, one in alike)

    def _are_told(self, settings: Sequence[tuple[Hashable, Stated]]) -> bool:
        """Whether they state facts: these are compared, however they are stated."""
        return self._any_facts(settings) and self._counts(key for key, _ in settings)

    def _counts(self, keys: Iterable[Hashable]) -> bool:
        """Whether the planned files without these settings state other facts."""
        return self._unlike[0](self._form.without(self._files, set(keys)))

    def _values(self, one: Stated) -> list[list[Row]]:
        return sorted(self._facts(one).values(), key=str)

    def _facts(self, one: Stated) -> Mapping[str, list[Row]]:
        """Of its line, what is compared: pattern -> rows."""
        reader = Reader(self._rules.lines, self._rules.several)
        state = reader.root
        for level in one.levels[:-1]:
            state = reader.step(state, level)
        reader.rows.clear()
        reader.met(state, one.levels[-1], 0)
        return {pattern: rows for pattern, rows in reader.rows.items() if pattern in self._told}

    def _row(self, said: str, one: Stated) -> Differs:
        return Differs(_SECRET.sub(r"\1 (not shown)", said), self._form.line(self._text, one))


def _line(one: Stated) -> Hashable:
    """The same for a copy that is said to be in another entry."""
    return one.levels, one.text, one.number


def _plain(text: str) -> str:
    """Without the quotes that a NOS puts around a word where another does not."""
    return text.replace('"', "").casefold()


def _by_kind(found: Iterable[T], kind: Callable[[T], str]) -> list[list[T]]:
    groups: dict[str, list[T]] = {}
    for one in found:
        groups.setdefault(kind(one), []).append(one)
    return list(groups.values())


def _by_block(
    found: Mapping[Hashable, Stated], other: Mapping[Hashable, Stated]
) -> dict[tuple[str, str], list[Hashable]]:
    """Keys of ``found`` alone, by block and kind."""
    groups: dict[tuple[str, str], list[Hashable]] = {}
    for key, one in found.items():
        if key not in other and one.own:
            groups.setdefault((one.block, one.kind), []).append(key)
    return groups


def _are_opposite(one: str, other: str, no: str) -> bool:
    """``no lldp run`` and ``lldp run``; ``no dcbx mode`` and ``dcbx mode ieee``; ``receive on`` and
    ``receive off``."""
    if {one.rpartition(" ")[2], other.rpartition(" ")[2]} in _SWITCHED:
        return one.rpartition(" ")[0] == other.rpartition(" ")[0]
    return one.startswith(no) and f"{other} ".startswith(f"{one.removeprefix(no)} ")


def _opens(one: Stated, opened: Collection[str]) -> str:
    """The block that a line is in, or the one that it is the header of."""
    name = f"{one.block}{BELOW}{one.text}" if one.block else one.text
    return name if name in opened else one.block


def _within(name: str, block: str) -> bool:
    return bool(block) and name.startswith((f"{block}{BELOW}", f"{block} "))


def _outermost(
    found: Iterable[tuple[Hashable, Stated]],
) -> dict[str, list[tuple[Hashable, Stated]]]:
    """By the highest block that is missing."""
    groups: dict[str, list[tuple[Hashable, Stated]]] = {}
    for key, one in found:
        above = [name for name in groups if _within(one.block, name)]
        groups.setdefault(above[0] if above else one.block, []).append((key, one))
    return groups


def grouped(found: Iterable[Stated]) -> Iterator[list[Stated]]:
    groups: dict[tuple[str, str], list[Stated]] = {}
    for one in found:
        groups.setdefault((one.kind, one.text), []).append(one)
    yield from groups.values()


def said_of(alike: list[Stated]) -> str:
    return f"{_at(alike)}{alike[0].text}".removesuffix(": ")


def _at(alike: list[Stated]) -> str:
    """``interface Vlan103: ``"""
    places = in_short(one.at for one in alike if one.at)
    return f"{places}: " if places else ""


def _more(alike: list[tuple[Stated, Stated]]) -> str:
    """Of those with other values the first alone is quoted."""
    return "" if len({(was.text, will.text) for was, will in alike}) == 1 else " (of the first)"
