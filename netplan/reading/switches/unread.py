"""Lines of a running configuration that no rule reads and that may decide what a class does: ``decides`` of
``readback.yaml``."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.reading.switches.lines import BELOW, Reader, TooMuchError
from netplan.reading.switches.rules import Rules
from netplan.reading.switches.settled_text import numbered
from netplan.records import dataclass

MOST = 1_000


@dataclass(frozen=True, slots=True)
class Deciding:
    """``key``: of a class, or ``trust``. ``number``: of the class, empty if the line names none."""

    key: str
    number: str
    text: str
    line: int


def deciding_lines(rules: Rules, text: str) -> Iterator[Deciding]:
    """``text``: as ``as_runs`` has it."""
    if not rules.decides:
        return
    lines, wanted = [*numbered(rules, text)], dict[int, str]()
    reader = Reader(rules.lines, rules.several)
    try:
        reader.text(lines, rules.comment, rules.comments, rules.leave)
    except (TooMuchError, RecursionError):
        return
    numbers = {number for number, _ in reader.unread}
    wanted = {number: path for number, path in _paths(lines) if number in numbers}
    for key, patterns in rules.decides.items():
        for number, path in wanted.items():
            found = next(filter(None, (pattern.search(path) for pattern in patterns)), None)
            if found is not None:
                of = found.groupdict().get("class") or ""
                yield Deciding(key, of, path.rpartition(BELOW)[2], number)


def _paths(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Each line with those that it is nested in."""
    above: list[tuple[int, str]] = []
    for number, raw in lines:
        line = raw.strip()
        if not line:
            continue
        depth = len(raw) - len(raw.lstrip())
        while above and above[-1][0] >= depth:
            above.pop()
        above.append((depth, line))
        yield number, BELOW.join(text for _, text in above)
