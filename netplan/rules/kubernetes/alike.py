"""Whether a name is another one misspelt, or the name of something else."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

_ALIKE = 0.75
"""Similarity of two words: dra and dranet have 0.67, rail and raal 0.75."""


def misspelt(name: str, there: Iterable[str]) -> str:
    """The domain name that was meant, empty if there is none: ``vfio.gpu.nvidia.com`` is another class than
    ``gpu.nvidia.com``."""
    close = difflib.get_close_matches(name, list(there))
    return next((other for other in close if same_words(name.split("."), other.split("."))), "")


def unnumbered(name: str) -> str:
    """``rail-0`` and ``rail1`` -> ``rail``"""
    return re.sub(r"[-_]?\d+", "", name)


def same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether there are as many words, each of them alike."""
    return len(one) == len(other) and all(map(_alike, one, other))


def _alike(one: str, other: str) -> bool:
    return sorted(one) == sorted(other) or difflib.SequenceMatcher(None, one, other).ratio() >= _ALIKE
