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


def each_machine(
    lines: Sequence[Line], known: Callable[[str], bool], begins: Callable[[str], bool]
) -> Iterator[Line]:
    """``known``: of a planned machine; ``begins``: a line that says who speaks below it."""
    at = 0
    while at < len(lines):
        names = [name for name in _names(lines, at) if known(name)]
        if not names:
            yield lines[at]
            at += 1
            continue
        end = next(
            (n for n in range(at + 3, len(lines)) if _names(lines, n) or begins(lines[n].text)), len(lines)
        )
        block = lines[at + 3 : end]
        for name in names[: _MOST // (len(block) + 1)]:
            yield Line(name, lines[at + 1].at)
            yield from block
        at = end


def _names(lines: Sequence[Line], at: int) -> list[str]:
    """Those between two rules that begin there, if it is more than one."""
    rules = [lines[n].text for n in (at, at + 2)] if at + 2 < len(lines) else []
    found = _NAMES.fullmatch(lines[at + 1].text) if rules and _RULE.fullmatch(rules[0]) else None
    if found is None or rules[0] != rules[1]:
        return []
    names = [name for part in _COMMA.split(found["names"]) for name in _expanded(part)]
    return names if len(names) > 1 else []


def _expanded(text: str) -> list[str]:
    """``leaf-[1-4,7]``; numbers keep the width of the first one."""
    parts = _PART.split(text)
    each = [[part] if n % 2 == 0 else _numbers(part) for n, part in enumerate(parts)]
    size = 1
    for choices in each:
        size *= len(choices)
    return ["".join(chosen) for chosen in product(*each)] if size <= _MOST else []


def _numbers(text: str) -> list[str]:
    found = list[str]()
    for span in text.split(","):
        first, _, last = span.partition("-")
        end = last or first
        if not (first.isdecimal() and end.isdecimal() and len(end) < 9) or int(end) - int(first) > _MOST:
            return []
        found += [str(number).zfill(len(first)) for number in range(int(first), int(end) + 1)]
    return found
