"""Whether a name is another one misspelt, or the name of something else."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_ALIKE = 0.75
"""Similarity of two words: dra and dranet have 0.67, rail and raal 0.75."""


def misspelt(name: str, there: Iterable[str], separators: str = ".") -> str:
    """The name that was meant, empty if there is none: it has as many words, each of them alike.
    ``vfio.gpu.nvidia.com`` is another class than ``gpu.nvidia.com``."""
    parts = re.compile(f"[{re.escape(separators)}]")
    words = parts.split(name)
    for other in difflib.get_close_matches(name, list(there)):
        others = parts.split(other)
        if len(others) == len(words) and all(map(alike, words, others)):
            return other
    return ""


def alike(one: str, other: str) -> bool:
    return sorted(one) == sorted(other) or difflib.SequenceMatcher(None, one, other).ratio() >= _ALIKE
