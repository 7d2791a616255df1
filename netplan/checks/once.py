"""What several checks ask of one fabric or plan is worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")
_KEPT: list[list[Any]] = []


def once(find: Callable[[S], T]) -> Callable[[S], T]:
    """Keeps the last answer for as long as the same object is asked about; nobody may change it."""
    last: list[tuple[S, T]] = []
    _KEPT.append(last)

    @wraps(find)
    def found(subject: S) -> T:
        if not last or last[0][0] is not subject:
            last[:] = [(subject, find(subject))]
        return last[0][1]

    return found


def forget() -> None:
    """After the checks: an answer holds the plan it is about, and that takes much memory."""
    for last in _KEPT:
        last.clear()
