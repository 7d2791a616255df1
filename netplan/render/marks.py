"""Marks that stand in a text for values that are filled in later, so that many texts are laid out as one."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MARK = re.compile(r"zq([0-9]+)qz")


def mark(number: int) -> str:
    """Plain in YAML and JSON, and no word."""
    return f"zq{number}qz"


class Form:
    """A text with marks. ``numbers``: of the marks, in the order in which they stand in it."""

    def __init__(self, text: str) -> None:
        self._pieces = _MARK.split(text)
        self.numbers = tuple(map(int, self._pieces[1::2]))

    def filled(self, values: Sequence[str]) -> str:
        """With the value of its number in the place of each mark."""
        pieces = self._pieces.copy()
        pieces[1::2] = [values[number] for number in self.numbers]
        return "".join(pieces)
