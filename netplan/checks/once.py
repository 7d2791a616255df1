"""What several checks ask of one fabric or plan is worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


def once(find: Callable[[S], T]) -> Callable[[S], T]:
    """Keeps the last answer for as long as the same object is asked about; nobody may change it."""
    last: list[tuple[S, T]] = []

    @wraps(find)
    def found(subject: S) -> T:
        if not last or last[0][0] is not subject:
            last[:] = [(subject, find(subject))]
        return last[0][1]

    return found
