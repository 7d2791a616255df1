"""Rows that count up together, folded into one: sixteen ports to sixteen hosts are one line of a page."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import field
from functools import lru_cache
from typing import Generic, TypeVar

from netplan.records import dataclass

K = TypeVar("K", bound=Hashable)
Texts = tuple[str, ...]
Step = tuple[int, int]
"""The index of the number that grows in a text, and by how much."""

_NUMBER = re.compile(r"([0-9]+)")
_SAME: Step = (-1, 0)


@dataclass(frozen=True, slots=True)
class Folded(Generic[K]):
    """``texts``: the columns in the notation of ranges, ``Ethernet[0-60/4]``; ``count``: rows folded."""

    key: K
    texts: Texts
    count: int


@dataclass(slots=True)
class _Run(Generic[K]):
    key: K
    first: Texts
    last: Texts
    steps: tuple[Step, ...] = ()
    count: int = field(default=1)

    def takes(self, key: K, texts: Texts) -> bool:
        """Whether the row goes on as the run does; it is then part of it."""
        if key != self.key:
            return False
        steps = tuple([_SAME if a == b else _step(a, b) for a, b in zip(self.last, texts, strict=True)])
        if None in steps or (self.steps and steps != self.steps):
            return False
        self.steps = tuple(step for step in steps if step is not None)
        self.last, self.count = texts, self.count + 1
        return True


def folded(rows: Iterable[tuple[K, Texts]]) -> list[Folded[K]]:
    """Neighbouring rows of one key whose columns stay the same or grow by one step in one number."""
    runs: list[_Run[K]] = []
    for key, texts in rows:
        if not (runs and runs[-1].takes(key, texts)):
            runs.append(_Run(key, texts, texts))
    return [Folded(run.key, _ranges(run), run.count) for run in runs]


@lru_cache(maxsize=4096)
def _step(before: str, after: str) -> Step | None:
    """Of two different texts; None where they differ in more than one number, or where it falls. Kept: every
    switch of a kind has the same ports."""
    old, new = _parts(before), _parts(after)
    changed = [index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a != b]
    if len(old) != len(new) or len(changed) != 1 or changed[0] % 2 == 0:
        return None
    a, b = old[changed[0]], new[changed[0]]
    padded = "0" in (a[0], b[0]) and len(a) != len(b) and int(a) != 0
    by = int(b) - int(a)
    return None if padded or by < 1 else (changed[0], by)


@lru_cache(maxsize=64)
def _parts(text: str) -> list[str]:
    """Texts and numbers in turn; each row is looked at twice, beside the one before and the one behind."""
    return _NUMBER.split(text)


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
