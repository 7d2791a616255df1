"""Commands that a person took from the history of a shell: bash and zsh print the one that runs on the next
line (bash(1), HISTORY EXPANSION), which stands in its place then.

Only where that line is what the typed one may stand for, part by part: else it is of the output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from netplan.reading.tables import PROMPT_ENDS, Line

_TYPED = re.compile(rf"(?P<prompt>[^!^]{{1,120}}?[{PROMPT_ENDS}] ?)(?P<command>[^\s$#%>].{{0,999}})")
_EVENT = re.compile(
    r"!(?:-?[0-9]{1,9}|[!$*^]|\?[^?\s]{1,80}\??|:[0-9$*^-]{1,9}|(?P<begins>[A-Za-z./_][^\s!:;|&<>'\"()]{0,80}))"
    r"(?::[\w$*^/-]{1,80}){0,4}"
)
"""``!!``, ``!sh``, ``!-2``, ``!?vlan?``, ``!$``, ``!!:2``"""
_QUICK = re.compile(r"\^(?P<old>[^^]{1,200})\^(?P<new>[^^]{0,200})(?:\^.{0,200})?")
_MOST, _LONGEST = 4, 1100


def as_run(lines: Sequence[Line]) -> Iterator[Line]:
    """``admin@leaf-1:~$ sudo !!`` and ``sudo show vlan brief`` below it as one line."""
    at = 0
    while at < len(lines):
        line = lines[at]
        below = lines[at + 1].text if at + 1 < len(lines) else ""
        may_be = below and len(line.text) <= _LONGEST and ("!" in line.text or "^" in line.text)
        found = _TYPED.fullmatch(line.text) if may_be else None
        own = found is not None and not below.startswith(found["prompt"].rstrip())
        if found is not None and own and is_run(found["command"].rstrip(), below):
            line, at = Line(f"{found['prompt']}{below}", line.at), at + 1
        yield line
        at += 1


def is_run(typed: str, below: str) -> bool:
    """Whether the command below may be what the shell made of the typed one."""
    if quick := _QUICK.fullmatch(typed):
        return bool(below.strip()) and quick["new"] in below and quick["old"].strip() not in ("", below)
    events = list(_EVENT.finditer(typed))
    if not 0 < len(events) <= _MOST or below[:1].isspace():
        return False
    at = end = 0
    for number, event in enumerate(events):
        part = f"{typed[end : event.start()]}{event['begins'] or ''}"
        place = below.find(part, at)
        if place < 0 or (number == 0 and place):
            return False
        at, end = place + len(part), event.end()
    tail = typed[end:]
    return below.endswith(tail) and len(below) - len(tail) >= at and below != typed
