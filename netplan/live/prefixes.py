"""What others put before each line of an output: the time, as terminals and ts(1) of moreutils do, and the
machine, as pdsh(1), clush(1) and ``parallel --tag`` do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from netplan.reading.tables import Line

_TIME = re.compile(
    r"(?:\[?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ])?[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
    r"(?:Z| ?[+-][0-9]{2}:?[0-9]{2})?\]?|[A-Z][a-z]{2} [ 0-3][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2})(?: |\Z)"
)
_TAG = re.compile(r"(?!check-rails:)(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,120})(?:: |:\Z|:?\t)(?P<text>.*)")
_OF_PDSH = re.compile(r"(?:pdsh@[\w.-]{1,63}|clush): .")
"""What they say themselves, such as that ssh failed."""
_FEW = 3


def without_times(lines: list[Line]) -> list[Line]:
    """Where each line has one, but for a few such as the first of script(1)."""
    text = [line for line in lines if line.text.strip()]
    timed = sum(1 for line in text if _TIME.match(line.text))
    if timed < _FEW or len(text) - timed >= _FEW:
        return lines
    return [Line(_TIME.sub("", line.text, count=1), line.at) for line in lines]


def by_machine(lines: Sequence[Line], known: Callable[[str], bool]) -> Iterator[tuple[str, list[Line]]]:
    """What each machine printed, if every line begins with one, and one of them is known."""
    groups: dict[str, list[Line]] = {}
    for line in lines:
        found = _TAG.fullmatch(line.text)
        if found is not None:
            groups.setdefault(found["name"], []).append(Line(found["text"], line.at))
        elif line.text.strip() and not _OF_PDSH.match(line.text):
            return
    if any(map(known, groups)):
        yield from groups.items()
