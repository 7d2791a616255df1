"""Values and lists of names in the texts of the drift."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from netplan.model.folding import folded

_SHOWN = 3


def both(was: str, will: str) -> str:
    """``9000 -> 9100``; in quotes where only blanks differ."""
    if was.split() == will.split():
        was, will = json.dumps(was, ensure_ascii=False), json.dumps(will, ensure_ascii=False)
    return f"{was} -> {will}"


def in_ranges(names: Iterable[str]) -> Iterator[str]:
    """Those that count up as one: ``BUFFER_QUEUE|Ethernet[0-12/4]|4``."""
    yield from (text for text, _ in _runs([*names]))


def in_short(names: Iterable[str]) -> str:
    """The same in one text, each name once: the first ranges, then how many names there are beside them."""
    runs = [*_runs([*dict.fromkeys(names)])]
    rest = sum(number for _, number in runs[_SHOWN:])
    return ", ".join(text for text, _ in runs[:_SHOWN]) + (f" and {rest} more" if rest else "")


def _runs(names: list[str]) -> Iterator[tuple[str, int]]:
    """Ranges, each with the number of its names; two names with a step between them are none."""
    at = 0
    for run in folded(("", (name,)) for name in names):
        own = names[at : at + run.count]
        at += run.count
        if run.count == 2 and "/" in run.texts[0].rpartition("[")[2].partition("]")[0]:
            yield from ((name, 1) for name in own)
        else:
            yield run.texts[0], run.count
