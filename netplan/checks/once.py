"""Cache for results that several checks need of the same fabric or plan."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")
_KEPT: list[list[Any]] = []


def once(find: Callable[[S], T]) -> Callable[[S], T]:
    """Cache the last result while the argument is the same object. Callers must not modify the result."""
    last: list[tuple[S, T]] = []
    _KEPT.append(last)

    @wraps(find)
    def found(subject: S) -> T:
        if not last or last[0][0] is not subject:
            last[:] = [(subject, find(subject))]
        return last[0][1]

    return found


def forget() -> None:
    """Clear the caches after the checks: each entry keeps its plan alive, which takes much memory."""
    for last in _KEPT:
        last.clear()
