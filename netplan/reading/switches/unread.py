"""Lines of a running configuration that no rule reads and that may decide what a class does: ``decides`` of
``readback.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.reading.switches.lines import BELOW, Reader, TooMuchError, readable
from netplan.reading.switches.places import is_commands
from netplan.reading.switches.rules import Rules
from netplan.reading.switches.settled_text import numbered
from netplan.records import dataclass

_KEY = re.compile(r"([ -]*)(\S+): ?(.*?)\s*")
"""Of a tree: indent, key, value."""


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
    wanted = _unread(rules, text)
    for key, patterns in rules.decides.items():
        for number, path in wanted:
            found = next(filter(None, (pattern.search(path) for pattern in patterns)), None)
            if found is not None:
                of = found.groupdict().get("class") or ""
                yield Deciding(key, of, path.rpartition(BELOW)[2], number)


def _unread(rules: Rules, text: str) -> list[tuple[int, str]]:
    """Lines that no rule reads, each behind those that it is nested in."""
    reader = Reader(rules.lines, rules.several)
    try:
        if rules.command and not is_commands(rules, text):
            _ = reader.block(text, rules.command) or reader.block(readable(text), rules.command)
            paths = ((number, forms[0]) for number, forms in reader.unread)
            return [
                (number or _line_of(text, path.removeprefix(f"{rules.command} ")), path)
                for number, path in paths
            ]
        lines = [*numbered(rules, text)]
        reader.text(lines, rules.comment, rules.comments, rules.leave)
    except (TooMuchError, RecursionError, ValueError):
        return []
    numbers = {number for number, _ in reader.unread}
    return [(number, path) for number, path in _paths(lines) if number in numbers]


def _line_of(text: str, path: str) -> int:
    """The line of a tree in block style whose keys, and value, are the path; 1 if there is none."""
    above: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if (found := _KEY.fullmatch(line)) is None:
            continue
        indent, key, value = len(found[1]), found[2].strip("\"'"), found[3].strip("\"'")
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, key))
        keys = " ".join(each for _, each in above)
        if path in (keys, f"{keys} {value}"):
            return number
    return 1


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
