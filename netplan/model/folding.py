"""Folds rows that count up together: sixteen ports to sixteen hosts are one line of a page."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count, repeat
from typing import Generic, TypeVar

from netplan.records import dataclass

K = TypeVar("K", bound=Hashable)
Texts = tuple[str, ...]
Step = tuple[int, int]
"""(index of the number in a text that increases, increment)."""

_NUMBER = re.compile(r"(?<![0-9])([0-9]{1,18})(?![0-9])")
_SAME: Step = (-1, 0)


@dataclass(frozen=True, slots=True)
class Folded(Generic[K]):
    """``texts``: columns as ranges, ``Ethernet[0-60/4]``; ``count``: rows folded."""

    key: K
    texts: Texts
    count: int


def folded(rows: Iterable[tuple[K, Texts]]) -> list[Folded[K]]:
    """Neighbouring rows of one key whose columns stay the same or grow by one step in one number."""
    given = list(rows)
    found, begin = [], 0
    while begin < len(given):
        key, first = given[begin]
        steps = _steps(given, begin)
        end = _end(given, begin, steps) if steps else begin + 1
        texts = tuple(map(_range, first, given[end - 1][1], steps)) if steps else first
        found.append(Folded(key, texts, end - begin))
        begin = end
    return found


def _steps(rows: Sequence[tuple[K, Texts]], begin: int) -> tuple[Step, ...]:
    """From a row to the next, for each column; nothing where the two do not fold."""
    if begin + 1 == len(rows) or rows[begin + 1][0] != rows[begin][0]:
        return ()
    steps = tuple(map(_step, rows[begin][1], rows[begin + 1][1]))
    known = tuple([step for step in steps if step is not None])
    return known if len(known) == len(steps) else ()


def _end(rows: Sequence[tuple[K, Texts]], begin: int, steps: Iterable[Step]) -> int:
    """The first row that does not go on as two of a run begin."""
    key, first = rows[begin]
    end = begin + 2
    for texts in zip(*map(_later, first, steps), strict=True):
        if end == len(rows) or rows[end] != (key, texts):
            break
        end += 1
    return end


def _later(first: str, step: Step) -> Iterator[str]:
    """A column from the third row of a run on, without end."""
    index, by = step
    if step == _SAME:
        return repeat(first)
    parts = [part.replace("%", "%%") for part in _parts(first)]
    number = parts[index]
    parts[index] = f"%0{len(number)}d"
    return map("".join(parts).__mod__, count(int(number) + 2 * by, by))


@lru_cache(maxsize=4096)
def _parts(text: str) -> tuple[str, ...]:
    """Every second one is a number."""
    return tuple(_NUMBER.split(text))


def _step(before: str, after: str) -> Step | None:
    """None if the texts differ in more than one number, or the number decreases."""
    if before == after:
        return _SAME
    old, new = _parts(before), _parts(after)
    changed = [index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a != b]
    if len(old) != len(new) or len(changed) != 1 or changed[0] % 2 == 0:
        return None
    a, b = old[changed[0]], new[changed[0]]
    padded = "0" in (a[0], b[0]) and len(a) != len(b) and int(a) != 0
    by = int(b) - int(a)
    return None if padded or by < 1 else (changed[0], by)


def _range(first: str, last: str, step: Step) -> str:
    index, by = step
    if step == _SAME:
        return first
    parts, end = list(_parts(first)), _parts(last)[index]
    parts[index] = f"[{parts[index]}-{end}{f'/{by}' if by > 1 else ''}]"
    return "".join(parts)
