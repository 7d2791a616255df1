"""Blocks of a range of interfaces of EOS and NX-OS, as a block of each port. A running configuration has
none; startup configurations of templates and labs do.

Arista EOS user manual, Ethernet Ports, ``interface ethernet``: ``et1-4``, ``et1/1-4``, ``et1/1-8/1``; Cisco
Nexus 9000 Interfaces guide, ``interface ethernet 1/1-8, ethernet 1/17``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

MOST = 1024
"""Ports of a range."""
_LONGEST = 1_000
"""Characters of a head."""
_HEAD = re.compile(r"interface +(?P<ports>e(?:t|th|thernet)? ?[0-9][^!]*[,-][^!]*?) *", re.IGNORECASE)
_SOME = re.compile(r"^interface +e[^\n!]*[0-9][^\n!]*[,-]", re.IGNORECASE | re.MULTILINE)
_PART = re.compile(r"(?:e(?:t|th|thernet)?)? *(?P<first>[0-9/]+)(?: *- *(?P<last>[0-9/]+))?", re.IGNORECASE)


def has_ranges(text: str) -> bool:
    """Whether a head may be one of a range."""
    return _SOME.search(text) is not None


def ports_of_head(line: str) -> list[str]:
    """The ports of a head of a range; none of another line, and where one part is no range that is known."""
    head = _HEAD.fullmatch(line) if len(line) <= _LONGEST else None
    if head is None:
        return []
    found: list[str] = []
    for text in head["ports"].split(","):
        part = _PART.fullmatch(text.strip())
        own = [*_numbers(part["first"], part["last"] or part["first"])] if part is not None else []
        if not own:
            return []
        found += own
    return [f"Ethernet{number}" for number in found[:MOST]]


def _numbers(first: str, last: str) -> Iterator[str]:
    """``1/1`` to ``8``, ``1/1`` to ``1/8`` and ``1/1`` to ``8/1``: one number counts up."""
    low, high = first.split("/"), last.split("/")
    high = [*low[: len(low) - len(high)], *high]
    places = [place for place, (one, other) in enumerate(zip(low, high, strict=False)) if one != other]
    if len(low) != len(high) or len(places) > 1 or not all(part.isdecimal() for part in (*low, *high)):
        return
    place = places[0] if places else 0
    for number in range(int(low[place]), min(int(high[place]), int(low[place]) + MOST) + 1):
        yield "/".join((*low[:place], str(number), *low[place + 1 :]))


def split_blocks(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Each line with its number; the block of a range once for each port."""
    at = 0
    while at < len(lines):
        ports = ports_of_head(lines[at])
        end = at + 1
        while ports and end < len(lines) and (lines[end][:1].isspace() or not lines[end].strip()):
            end += 1
        for port in ports:
            yield at + 1, f"interface {port}"
            yield from ((number + 1, lines[number]) for number in range(at + 1, end))
        if not ports:
            yield at + 1, lines[at]
        at = end
