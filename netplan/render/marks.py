"""Marks that stand in a text for values that are filled in later, so that many texts are laid out as one."""

from __future__ import annotations

import re

_MARK = re.compile(r"zq([0-9]+)qz")


def mark(number: int) -> str:
    """Plain in YAML and JSON, and no word."""
    return f"zq{number}qz"


def cut(text: str) -> list[str]:
    """The text between the marks; every second piece is the number of a mark."""
    return _MARK.split(text)
