"""Planned outputs of leaf-1 of iei-rocev2, a SONiC switch, to change; and what is told of them."""

from __future__ import annotations

import re

from netplan.live.judge import Live
from tests import live_outputs
from tests.test_check_live import live, plan

PROMPT = "admin@leaf-1:~$"
COMMANDS = ["show lldp table", *live_outputs.COMMANDS]


def shown(command: str) -> str:
    switch = next(one for one in plan().switches if one.name == "leaf-1")
    return live_outputs.shown(switch, plan())[command]


def changed(command: str, pattern: str, by: str) -> str:
    """The output with its first match replaced; a longer or shorter value stays in its column."""
    text = shown(command)
    found = re.search(pattern, text)
    assert found is not None
    value = found.expand(by)
    more, before, behind = len(value) - len(found[0]), text[: found.start()], text[found.end() :]
    if more > 0 and before.endswith(" " * (more + 2)):
        before = before[:-more]
    elif more < 0 and before.endswith("  ") and "\n" not in found[0]:
        before += " " * -more
    return f"{before}{value}{behind}"


def with_cell(command: str, row: str, column: str, value: str) -> str:
    """The table with another value in a row; a row that is not there is a copy of the first one."""
    lines = shown(command).split("\n")
    rule = next(n for n, line in enumerate(lines) if re.fullmatch(r" *-+(?: +-+)+", line))
    spans = [part.span() for part in re.finditer("-+", lines[rule])]
    head, *rows = ([line[slice(*span)].strip() for span in spans] for line in lines[rule - 1 :] if line)
    body = [cells for cells in rows if not cells[0].startswith("-")]
    if row not in (cells[0] for cells in body):
        body.append([row, *body[0][1:]])
    for cells in body:
        if cells[0] == row:
            cells[head.index(column)] = value
    return "\n".join(lines[: rule - 1]) + "\n" * (rule > 1) + live_outputs.table(head, body)


def session(command: str, text: str) -> Live:
    """One command, and the prompt below it."""
    return live({"x.txt": f"{PROMPT} {command}\n{text}{PROMPT}\n"})


def told(found: Live) -> list[str]:
    return [
        f"{w.claim.subject} {w.claim.field}: {w.claim.expected or 'none'}, {w.found or 'none'}"
        for w in found.wrong
    ]


def count(found: Live, outcome: str) -> int:
    return sum(one.outcome == outcome for one in found.judged)
