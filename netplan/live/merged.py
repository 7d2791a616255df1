"""Outputs that are equal on several machines, which ``clush -b`` and ``dshbak -c`` show once below the names
of all (clustershell doc, tools/clush, gathering; chaos/pdsh scripts/dshbak.in): each of them printed it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from netplan.reading.tables import Line

_RULE = re.compile(r"-{3,60}")
_NAMES = re.compile(r"(?P<names>[\w.,\[\]-]{1,2000})(?: \([0-9]{1,6}\))?")
_PART = re.compile(r"\[([0-9,-]{1,500})\]")
_COMMA = re.compile(r",(?![^\[]*\])")
"""Outside of brackets."""
_MOST = 400_000
"""Names, and lines, that the titles of a file stand for: beyond it they are read as they are."""


def each_machine(
    lines: Sequence[Line], known: Callable[[str], bool], begins: Callable[[str], bool]
) -> Iterator[Line]:
    """``known``: of a planned machine; ``begins``: a line that says who speaks below it."""
    titles, at, left = dict(_titles(lines, known)), 0, _MOST
    while at < len(lines):
        if not (names := titles.get(at)):
            yield lines[at]
            at += 1
            continue
        end = next((n for n in range(at + 3, len(lines)) if n in titles or begins(lines[n].text)), len(lines))
        block = lines[at + 3 : end]
        for name in names[: left // (len(block) + 1)]:
            left -= len(block) + 1
            yield Line(name, lines[at + 1].at)
            yield from block
        at = end


def _titles(lines: Sequence[Line], known: Callable[[str], bool]) -> Iterator[tuple[int, list[str]]]:
    """Number of the first rule -> the planned machines between it and the next one."""
    left = _MOST
    for at, (above, title, below) in enumerate(zip(lines, lines[1:], lines[2:], strict=False)):
        if names := _names(above.text, title.text, below.text, left):
            left -= len(names)
            yield at, [name for name in dict.fromkeys(names) if known(name)]


def _names(above: str, title: str, below: str, most: int) -> list[str]:
    """Those between two rules, if it is more than one."""
    found = _NAMES.fullmatch(title) if above == below and _RULE.fullmatch(above) else None
    if found is None:
        return []
    names = list[str]()
    for part in _COMMA.split(found["names"]):
        names += _expanded(part, most - len(names))
    return names if len(names) > 1 else []


def _expanded(text: str, most: int) -> list[str]:
    """``leaf-[1-4,7]``; numbers keep the width of the first one."""
    parts = _PART.split(text)
    each = [[part] if n % 2 == 0 else _numbers(part, most) for n, part in enumerate(parts)]
    size = 1
    for choices in each:
        size *= len(choices)
    return ["".join(chosen) for chosen in product(*each)] if size <= most else []


def _numbers(text: str, most: int) -> list[str]:
    found = list[str]()
    for span in text.split(","):
        first, _, last = span.partition("-")
        end = last or first
        if not (first.isdecimal() and end.isdecimal() and len(end) < 9) or int(end) - int(
            first
        ) >= most - len(found):
            return []
        found += [str(number).zfill(len(first)) for number in range(int(first), int(end) + 1)]
    return found
