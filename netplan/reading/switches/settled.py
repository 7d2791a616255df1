"""The effective statements of a file: a later one replaces an earlier one, or edits its list.

Which lines do so is a property of the NOS (``single`` in ``readback.yaml``); all other lines accumulate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from operator import itemgetter
from typing import Any

from netplan.reading.switches.columns import columns_in
from netplan.reading.switches.lines import BELOW, Row
from netplan.records import dataclass

Rows = dict[str, list[Row]]
Numbers = Mapping[str, Sequence[int]]
"""Pattern -> the line of each of its rows."""
Key = tuple[Any, ...]


class Effect(Enum):
    """What a line does to earlier statements about the same thing; in the order they apply within one
    line. The values are keys of a rule."""

    SET = "lines"
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Part:
    """A line pattern. ``into``: the pattern that its values count as; ``key`` picks the columns that
    identify what the statement is about."""

    pattern: str
    into: str
    effect: Effect
    key: Callable[[Row], Key]


@dataclass(frozen=True, slots=True)
class Single:
    """Patterns of which one statement applies for each value of the columns ``by``: the last one; or, if
    all of them stay in the configuration (``beside``), it is undefined which."""

    parts: tuple[Part, ...]
    by: tuple[str, ...]
    beside: bool = False

    @property
    def name(self) -> str:
        """Name in messages: the line without its enclosing commands."""
        return self.parts[0].pattern.rpartition(BELOW)[2]

    def settle(self, rows: Rows, numbers: Numbers) -> None:
        """Keep only what applies in ``rows``. A line that removes from a list stays, since the list may
        now be empty."""
        if self.beside or not any(self._often(rows, part) for part in self.parts):
            return
        holds: dict[Key, set[tuple[str, Row]]] = defaultdict(set)
        order: dict[tuple[str, Row], None] = {}
        last: dict[Key, int] = {}
        for number, part, row in sorted(self._lines(rows, numbers), key=itemgetter(0)):
            key = part.key(row)
            if part.effect is Effect.SET and last.get(key) != number:
                holds[key].clear()
                last[key] = number
            if part.effect is Effect.REMOVE:
                holds[key].discard((part.into, row))
            stated = (part.pattern if part.effect is Effect.REMOVE else part.into), row
            holds[key].add(stated)
            order[stated] = None
        for part in self.parts:
            rows.pop(part.pattern, None)
        left = set().union(*holds.values())
        for pattern, row in order:
            if (pattern, row) in left:
                rows.setdefault(pattern, []).append(row)

    def unsettled(self, rows: Rows, numbers: Numbers) -> Iterator[str]:
        """Conflicting lines that both stay in the configuration."""
        if not self.beside or not self._again(rows):
            return
        first: dict[Key, tuple[int, Row]] = {}
        for number, part, row in sorted(self._lines(rows, numbers), key=itemgetter(0)):
            before, said = first.setdefault(part.key(row), (number, row))
            if said != row:
                yield f"lines {before} and {number} state {self.name} otherwise, and both stay"

    def _often(self, rows: Rows, part: Part) -> bool:
        """Whether rows may have to be dropped or moved; most files state everything once."""
        return part.pattern in rows and (part.effect is not Effect.SET or self._again(rows))

    def _again(self, rows: Rows) -> bool:
        stated = [part.key(row) for part in self.parts for row in rows.get(part.pattern, ())]
        return len(set(stated)) < len(stated)

    def _lines(self, rows: Rows, numbers: Numbers) -> Iterator[tuple[int, Part, Row]]:
        for part in self.parts:
            stated = zip(numbers.get(part.pattern, ()), rows.get(part.pattern, ()), strict=True)
            yield from ((number, part, row) for number, row in stated)

    def stated(self, rows: Mapping[str, Sequence[Row]]) -> Mapping[Key, frozenset[tuple[str, Row]]]:
        """Key -> what is stated about it."""
        found: dict[Key, set[tuple[str, Row]]] = defaultdict(set)
        for part in self.parts:
            for row in rows.get(part.pattern, ()):
                as_stated = part.pattern if part.effect is Effect.REMOVE else part.into
                found[part.key(row)].add((as_stated, row))
        return {key: frozenset(stated) for key, stated in found.items()}


def single_of(data: Mapping[str, Any]) -> Single:
    """``data``: one item of ``single``. Raises ValueError for a pattern without the columns."""
    first = data["lines"][0]
    parts = [_part(pattern, pattern, Effect.SET, data["by"]) for pattern in data["lines"]]
    for effect in (Effect.ADD, Effect.REMOVE):
        for pattern in data[effect.value]:
            if _names(pattern) != _names(first):
                raise ValueError(f"{pattern} lacks the columns of {first}")
            parts.append(_part(pattern, first, effect, data["by"]))
    return Single(tuple(parts), tuple(data["by"]), data["beside"])


def _part(pattern: str, into: str, effect: Effect, by: Sequence[str]) -> Part:
    names = _names(pattern)
    if missing := [name for name in by if name not in names]:
        raise ValueError(f"no {', '.join(missing)} in {pattern}")
    places = [names.index(name) for name in by]
    return Part(pattern, into, effect, lambda row: tuple(row[place] for place in places))


def _names(pattern: str) -> list[str]:
    return [name for name, _, _ in columns_in(pattern)]
