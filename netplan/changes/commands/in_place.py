"""Entries that run under other names than the planned ones, in their place: a profile, policy, map or BGP
group that is used where the plan uses one of its own.

Which running entry is used in the place of a planned one follows from the lines that name it: a port's
``service-profile AI`` where ``service-profile netplan`` is planned. Where one header has several, such as the
classes of a policy, those belong together that have most lines in common.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from netplan.changes.commands.model import InPlace, Stated

BELOW = " / "
MOST = 8
"""Running entries compared with one planned entry."""
_TOKEN = re.compile(r"<([a-z_]+)>")
_NAME = "name"
Levels = tuple[str, ...]
Place = tuple[str, ...]
"""Levels up to the one with a name, and ``""`` in place of the name."""
Settings = Mapping[Hashable, Stated]


@dataclass(frozen=True, slots=True)
class Named:
    """A kind of entry: forms of lines, level by level, with a group ``name``; ``defined`` begins its own
    lines, ``used`` is where another one names it."""

    defined: tuple[tuple[re.Pattern[str], ...], ...]
    used: tuple[tuple[re.Pattern[str], ...], ...]


def kinds(rows: Iterable[Mapping[str, Any]], begin: str = "") -> tuple[Named, ...]:
    """``names`` of change.yaml. ``begin``: of every first level, not written there."""
    return tuple(
        Named(
            tuple(_form(one, begin) for one in row["defined"]),
            tuple(_form(one, begin) for one in row["used"]),
        )
        for row in rows
    )


def _form(line: str, begin: str) -> tuple[re.Pattern[str], ...]:
    levels = [_TOKEN.sub(r"(?P<\1>\\S+)", level) for level in line.split(BELOW)]
    levels[0] = f"{begin}{levels[0]}"
    return tuple(re.compile(rf"(?:{level})(?= |$)") for level in levels)


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name in the levels of a line: where it is, and the levels up to there without it."""

    level: int
    span: tuple[int, int]
    name: str
    place: Place


def _mention(levels: Levels, forms: Iterable[tuple[re.Pattern[str], ...]]) -> _Mention | None:
    for form in forms:
        if len(levels) < len(form):
            continue
        found = [pattern.match(level) for pattern, level in zip(form, levels, strict=False)]
        whole = zip(found[:-1], levels, strict=False)
        if not all(found) or any(match and match.end() < len(level) for match, level in whole):
            continue
        for depth, match in enumerate(found):
            if match is not None and _NAME in match.re.groupindex:
                start, end = match.span(_NAME)
                last = len(form) - 1
                head = match.string[:start] + "\0" + match.string[end : match.end()]
                stop = found[-1].end() if found[-1] is not None else 0
                rest = (*levels[depth + 1 : last], levels[last][:stop]) if depth < last else ()
                return _Mention(depth, (start, end), match[_NAME], (*levels[:depth], head, *rest))
    return None


def _renamed(levels: Levels, at: _Mention, name: str) -> Levels:
    line, (start, end) = levels[at.level], at.span
    return (*levels[: at.level], line[:start] + name + line[end:], *levels[at.level + 1 :])


@dataclass(slots=True)
class _Side:
    """One side's mentions of a kind: place -> names, and name -> lines without it."""

    at: dict[Place, set[str]] = field(default_factory=dict)
    lines: dict[str, set[Levels]] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)


def _side(kind: Named, lines: Iterable[Levels]) -> _Side:
    side = _Side()
    for levels in lines:
        used, defined = _mention(levels, kind.used), _mention(levels, kind.defined)
        if used is not None:
            side.at.setdefault(used.place, set()).add(used.name)
        if defined is not None:
            side.defined.add(defined.name)
        for each in filter(None, (used, defined)):
            side.lines.setdefault(each.name, set()).add(_renamed(levels, each, "\0"))
    return side


def in_place(
    stated: Callable[[Levels], tuple[Hashable, Stated] | None],
    runs: Settings,
    planned: Settings,
    named: Sequence[Named],
) -> list[InPlace]:
    """The first has, for each planned entry, the one that runs in its place most often, the second the next
    one, and so on; empty if every entry runs under its planned name. ``stated``: the setting of a line with
    its headers."""
    found: list[InPlace] = []
    most = 1
    while len(found) < min(most, MOST):
        one = _Ranked(runs, planned, len(found))
        for kind in named:
            one.rename(kind)
        most = one.most
        found.append(one.result(stated))
    return found if any(beside.found for beside in found) else []


class _Ranked:
    """``lines``: what runs, as (own key, levels) with the planned names; an entry may run in the place of
    several. ``touched``: own keys of those with another name; ``dropped``: of those that are defined, but
    another one is in use. ``most``: running entries of the planned one that has most."""

    def __init__(self, runs: Settings, planned: Settings, rank: int) -> None:
        self.runs, self.planned, self.rank = runs, planned, rank
        self.lines: list[tuple[Hashable, Levels]] = [(key, one.levels) for key, one in runs.items()]
        self.wanted = [one.levels for one in planned.values()]
        self.touched: set[Hashable] = set()
        self.dropped: set[Hashable] = set()
        self.most = 1

    def rename(self, kind: Named) -> None:
        will, was = _side(kind, self.wanted), _side(kind, [levels for _, levels in self.lines])
        runs_as = {name: at for name, at in self._pairs(will, was).items() if at}
        self.most = max([self.most, *(len(names) for names in runs_as.values())])
        chosen = {name: names[min(self.rank, len(names) - 1)] for name, names in runs_as.items()}
        other = {name: runs for name, runs in chosen.items() if runs != name}
        if other:
            self.lines = [line for each in self.lines for line in self._lines(kind, will, other, each)]

    def _lines(
        self, kind: Named, will: _Side, other: Mapping[str, str], line: tuple[Hashable, Levels]
    ) -> Iterator[tuple[Hashable, Levels]]:
        key, levels = line
        used, defined = _mention(levels, kind.used), _mention(levels, kind.defined)
        if used is None and defined is not None and defined.name in other:
            self.dropped.add(key)  # of that name, but another one is in use
            return
        at = used or defined
        names = [name for name, runs in other.items() if at is not None and runs == at.name]
        if used is not None:
            here = [name for name in names if name in will.at.get(used.place, ())]
            names = here or names
        if at is None or not names:
            yield line
            return
        self.touched.add(key)
        yield from ((key, _renamed(levels, at, name)) for name in names)

    def _pairs(self, will: _Side, was: _Side) -> dict[str, list[str]]:
        """Planned name -> running names in its place, the most used one first."""
        counted: dict[str, Counter[str]] = {name: Counter() for name in sorted(will.defined)}
        for place, names in will.at.items():
            for name, runs in _together(names, was.at.get(place, set()), will, was):
                if name in counted:
                    counted[name][runs] += 1
        return {
            name: [runs for runs, _ in sorted(found.items(), key=lambda each: (-each[1], each[0]))]
            for name, found in counted.items()
        }

    def result(self, stated: Callable[[Levels], tuple[Hashable, Stated] | None]) -> InPlace:
        found: dict[Hashable, tuple[Hashable, Stated]] = {}
        for own, levels in self.lines:
            one = stated(levels) if own in self.touched else None
            if one is not None:
                key, new = one
                was = self.runs[own]
                found[key] = own, replace(new, at=_as_runs(new, was), number=was.number)
        return InPlace(found, frozenset(self.dropped | self.touched))


def _as_runs(new: Stated, was: Stated) -> str:
    """``new.at`` with the names that run: the same words of the line."""
    words, renamed = new.at.split(" "), BELOW.join(new.levels).split(" ")
    own, size = BELOW.join(was.levels).split(" "), len(words)
    starts = (at for at in range(len(renamed)) if renamed[at : at + size] == words)
    start = next(starts, None)
    return new.at if start is None else " ".join(own[start : start + size])


def _together(planned: Set[str], running: Set[str], will: _Side, was: _Side) -> Iterator[tuple[str, str]]:
    """Names of one place that belong together: the same; those with most in common; the only ones."""
    same = planned & running
    yield from ((name, name) for name in sorted(same))
    left, others = sorted(planned - same), sorted(running - same)
    own, their = _telling(left, will), _telling(others, was)
    ranked = sorted(
        ((len(own[name] & their[runs]), name, runs) for name in left for runs in others),
        key=lambda each: (-each[0], each[1:]),
    )
    for common, name, runs in ranked:
        if common and name in left and runs in others:
            left.remove(name)
            others.remove(runs)
            yield name, runs
    if len(left) == len(others) == 1:
        yield left[0], others[0]


def _telling(names: Sequence[str], side: _Side) -> dict[str, set[str]]:
    """Beginnings of lines that tell each name from the others, the name left out."""
    found = {
        name: {each for line in side.lines.get(name, ()) for each in _beginnings(line)} for name in names
    }
    alike = set.intersection(*found.values()) if len(found) > 1 else set()
    return {name: lines - alike for name, lines in found.items()}


def _beginnings(levels: Levels) -> Iterator[str]:
    words = BELOW.join(levels).split(" ")
    named = next(number for number, word in enumerate(words) if "\0" in word)
    yield from (" ".join(words[:end]) for end in range(named + 2, len(words) + 1))
