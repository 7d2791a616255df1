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


_MANY = 50
"""Names of a long series of networks."""
_AS_NEAR = 0.1
"""Difference of two similarities that tells nothing."""


def likeliest(name: str, there: Iterable[str], cutoff: float) -> list[str]:
    """Of similar names those that share most words with it (us or ds), and of these the most similar ones;
    several are as likely: net-0 and net-1 for net."""
    every = sorted(set(there))
    near = difflib.get_close_matches(name, every, n=_MANY, cutoff=cutoff - _AS_NEAR)
    ratios = {each: difflib.SequenceMatcher(None, name, each).ratio() for each in near}
    best = max(ratios.values(), default=0)
    if best < cutoff:
        return []
    ranked = [(_shared(name, each), ratio, each) for each, ratio in ratios.items() if ratio > best - _AS_NEAR]
    first = max(((words, ratio) for words, ratio, _ in ranked), default=None)
    return sorted(each for words, ratio, each in ranked if (words, ratio) == first)


def _shared(one: str, other: str) -> int:
    words, others = (set(re.split(r"[-_.]", name)) for name in (one, other))
    return len(words & others)


def unnumbered(name: str) -> str:
    """``rail-0`` and ``rail1`` -> ``rail``"""
    return re.sub(r"[-_]?\d+", "", name)


def same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether there are as many words, each of them alike."""
    return len(one) == len(other) and all(map(_alike, one, other))


def _alike(one: str, other: str) -> bool:
    return sorted(one) == sorted(other) or difflib.SequenceMatcher(None, one, other).ratio() >= _ALIKE
