"""Ranges of names as an inventory takes them: none begins with a range, 1001 to 1004 are ``1[001-004]``."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import TypeVar

from netplan.model import folding
from netplan.model.folding import Folded, Texts

K = TypeVar("K", bound=Hashable)
_DIGITS = re.compile(r"[0-9]+")
_FIRST = re.compile(r"\[([0-9])([0-9]+)-[0-9]([0-9]+)")


def folded(rows: Iterable[tuple[K, Texts]]) -> list[Folded[K]]:
    """As ``netplan.model.folding.folded``; numbers that begin a name are of one run if length and first digit
    are the same."""
    found = folding.folded(((key, tuple(map(_lead, texts))), texts) for key, texts in rows)
    return [Folded(run.key[0], tuple(map(_opened, run.texts)), run.count) for run in found]


def _lead(text: str) -> tuple[str, int]:
    digits = _DIGITS.match(text)
    return (digits[0][0], len(digits[0])) if digits else ("", 0)


def _opened(text: str) -> str:
    return _FIRST.sub(r"\1[\2-\3", text, count=1) if text.startswith("[") else text


def first_of(text: str) -> str:
    """``Ethernet[0-60/4]`` -> ``Ethernet0``"""
    return re.sub(r"\[([0-9]+)-[0-9]+(?:/[0-9]+)?\]", r"\1", text)
