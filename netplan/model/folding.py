"""Folds rows that count up together: sixteen ports to sixteen hosts are one line of a page."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import field
from typing import Generic, TypeVar

from netplan.records import dataclass

K = TypeVar("K", bound=Hashable)
Texts = tuple[str, ...]
Step = tuple[int, int]
"""(index of the number in a text that increases, increment)."""

_NUMBER = re.compile(r"([0-9]+)")
_SAME: Step = (-1, 0)


@dataclass(frozen=True, slots=True)
class Folded(Generic[K]):
    """``texts``: columns as ranges, ``Ethernet[0-60/4]``; ``count``: rows folded."""

    key: K
    texts: Texts
    count: int


@dataclass(frozen=True, slots=True)
class _Column:
    """A text with a number that increases by ``by`` per row; 0 if it is constant."""

    head: str
    number: int
    width: int
    tail: str
    by: int

    def at(self, row: int) -> str:
        return f"{self.head}{self.number + row * self.by:0{self.width}}{self.tail}" if self.by else self.head


@dataclass(slots=True)
class _Run(Generic[K]):
    """``columns``: how the run continues, known from its second row."""

    key: K
    first: Texts
    last: Texts
    steps: tuple[Step, ...] = ()
    columns: tuple[_Column, ...] = ()
    count: int = field(default=1)

    def takes(self, key: K, texts: Texts) -> bool:
        """Adds the row if it continues the run; returns whether it does."""
        if key != self.key:
            return False
        if self.columns:
            going_on = texts == tuple([column.at(self.count) for column in self.columns])
        else:
            going_on = self._begins_with(texts)
        if going_on:
            self.last, self.count = texts, self.count + 1
        return going_on

    def _begins_with(self, second: Texts) -> bool:
        steps = tuple(map(_step, self.first, second))
        known = tuple([step for step in steps if step is not None])
        if len(known) < len(steps):
            return False
        self.steps, self.columns = known, tuple(map(_column, self.first, known))
        return True


def _column(first: str, step: Step) -> _Column:
    index, by = step
    if step == _SAME:
        return _Column(first, 0, 0, "", 0)
    parts = _NUMBER.split(first)
    head, number, tail = "".join(parts[:index]), parts[index], "".join(parts[index + 1 :])
    return _Column(head, int(number), len(number), tail, by)


def folded(rows: Iterable[tuple[K, Texts]]) -> list[Folded[K]]:
    """Adjacent rows with the same key whose columns are constant or increase by one step in one number."""
    runs: list[_Run[K]] = []
    for key, texts in rows:
        if not (runs and runs[-1].takes(key, texts)):
            runs.append(_Run(key, texts, texts))
    return [Folded(run.key, _ranges(run), run.count) for run in runs]


def _step(before: str, after: str) -> Step | None:
    """None if the texts differ in more than one number, or the number decreases."""
    if before == after:
        return _SAME
    old, new = _NUMBER.split(before), _NUMBER.split(after)
    changed = [index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a != b]
    if len(old) != len(new) or len(changed) != 1 or changed[0] % 2 == 0:
        return None
    a, b = old[changed[0]], new[changed[0]]
    padded = "0" in (a[0], b[0]) and len(a) != len(b) and int(a) != 0
    by = int(b) - int(a)
    return None if padded or by < 1 else (changed[0], by)


def _ranges(run: _Run[K]) -> Texts:
    if not run.steps:
        return run.first
    return tuple(map(_range, run.first, run.last, run.steps))


def _range(first: str, last: str, step: Step) -> str:
    index, by = step
    if step == _SAME:
        return first
    parts, end = _NUMBER.split(first), _NUMBER.split(last)[index]
    parts[index] = f"[{parts[index]}-{end}{f'/{by}' if by > 1 else ''}]"
    return "".join(parts)
