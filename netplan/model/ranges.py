"""Ranged names: ``gpu-[001-128]``, ``Ethernet[0-124/4]``, ``swp[1-32]s[0-1]``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

from netplan.model.folding import folded

MAX_NAMES = 200_000
MAX_TEXT = 255
"""Limit in characters; a longer text is not a name, and its numbers may be too long for int()."""
_RANGE = re.compile(r"\[(\d+)-(\d+)(?:/(\d+))?\]")
_MOST_DIGITS = 18
_DIGITS = re.compile(rf"[0-9]{{1,{_MOST_DIGITS}}}$")


class RangeError(ValueError):
    """The text is not a usable range; the message says why."""


@lru_cache(maxsize=16)  # each has at most MAX_NAMES names; callers that expand every member ask for few texts
def expand(text: str) -> tuple[str, ...]:
    """All names of a ranged text, in order; the last range varies fastest.

    Digits keep the width of the range's first number: ``[001-128]`` gives ``001``. A text without a range is
    itself. Raises RangeError for a range that runs backwards, is longer than MAX_TEXT or gives more than
    MAX_NAMES names.
    """
    if len(text) > MAX_TEXT and is_range(text):
        raise RangeError(f"{text[:20]}... has {len(text)} characters, a range has at most {MAX_TEXT}")
    parts: list[tuple[str, ...]] = []
    total, end = 1, 0
    for match in _RANGE.finditer(text):
        first, last, step = int(match[1]), int(match[2]), int(match[3] or 1)
        if last < first or step < 1:
            raise RangeError(f"{match[0]} runs from {match[1]} to {match[2]} in steps of {step}")
        total *= (last - first) // step + 1
        if total > MAX_NAMES:
            raise RangeError(f"{text} gives more than {MAX_NAMES} names")
        parts.append((text[end : match.start()],))
        parts.append(tuple(str(n).zfill(len(match[1])) for n in range(first, last + 1, step)))
        end = match.end()
    if "[" in text[end:] or "]" in text[end:]:
        raise RangeError(f"{text} has a bracket that is not a range such as [001-128] or [0-124/4]")
    parts.append((text[end:],))
    return tuple("".join(combination) for combination in product(*parts))


def compressed(numbers: Iterable[int]) -> str:
    """Numbers in ascending order as a list with spans: 0, 1, 2 and 5 are ``0-2,5``."""
    spans: list[tuple[int, int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def is_range(text: str) -> bool:
    return "[" in text


def trailing_number(name: str) -> int | None:
    """The digits at the end of a name: ``gpu-007`` -> 7; ``None`` when there are none or too many."""
    match = re.search(r"(\d+)$", name)
    return int(match[1]) if match and len(match[1]) <= _MOST_DIGITS else None


_NAMES_SHOWN = 3
"""Parts of a list of names shown in a message; the rest is counted."""


def ranged(names: Sequence[str]) -> str:
    """The range that gives exactly these names; empty if there is none."""
    found = folded(("", (name,)) for name in names)
    text = found[0].texts[0] if len(found) == 1 and len(names) > 1 else ""
    return text if text and list(expand(text)) == list(names) else ""


def gathered(names: Iterable[str]) -> str:
    """Names as a person writes them, runs as ranges: ``gpu-[001-016], gpu-101 and 4 more``.

    In the order given; a run has one prefix, one width and steps of one.
    """
    runs: list[list[str]] = []
    for name in names:
        if runs and _next(runs[-1][-1]) == name:
            runs[-1].append(name)
        else:
            runs.append([name])
    shown = [_run(run) for run in runs[:_NAMES_SHOWN]]
    rest = sum(len(run) for run in runs[_NAMES_SHOWN:])
    return ", ".join(shown) + (f" and {rest} more" if rest else "")


def _next(name: str) -> str | None:
    """The name that follows in a range; None if there is no number or it gets longer."""
    digits = _DIGITS.search(name)
    if digits is None:
        return None
    number = str(int(digits[0]) + 1)
    grown = number.zfill(len(digits[0]))
    # 9 -> 10 is a range without leading zeros, 99 -> 100 after 098 is not
    whole = len(grown) == len(digits[0]) or (digits[0][0] != "0" and len(grown) <= _MOST_DIGITS)
    return name[: digits.start()] + grown if whole else None


def _run(run: list[str]) -> str:
    first = _DIGITS.search(run[0])
    if first is None or len(run) == 1:
        return run[0]
    return f"{run[0][: first.start()]}[{first[0]}-{run[-1][first.start() :]}]"
