"""Marks in a text for values filled in later, so that many similar texts are formatted only once."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MARK = re.compile(r"zq([0-9]+)qz")


def mark(number: int) -> str:
    """A mark that needs no quotes in YAML or JSON and is no word."""
    return f"zq{number}qz"


class Form:
    """A text with marks. ``numbers``: the numbers of its marks, in order of appearance."""

    def __init__(self, text: str) -> None:
        self._pieces = _MARK.split(text)
        self.numbers = tuple(map(int, self._pieces[1::2]))

    def filled(self, values: Sequence[str]) -> str:
        """The text with each mark replaced by the value of its number."""
        pieces = self._pieces.copy()
        pieces[1::2] = [values[number] for number in self.numbers]
        return "".join(pieces)
