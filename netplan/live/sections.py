"""Parts of a saved session: what each command printed, and on which switch."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from netplan.live.commands import asked, own
from netplan.reading.tables import PROMPT, Line, is_broken_off
from netplan.records import dataclass

_BARE_PROMPT = re.compile(
    r"(?:\([^)]{1,30}\) |[0-9:]{4,8} )?\[?(?:[A-Za-z0-9._-]{1,64}@)?(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,62})"
    r"(?: ?~?\][^#>$%]{0,30}|[:~][^#>$%]{0,60}|\([a-z0-9-]{1,40}\))?[#>$%] ?(?=\S|$)"
)
"""Of other shells, without a user before the name: only where a planned switch has it."""
_INTERRUPT = "^C"
"""Where the prompt stands on the same line."""
_TOTAL = re.compile(r"\s*Total [a-z ]{1,40}:? +[0-9]+\s*")

_NO_OUTPUT = (
    ".cfg",
    ".conf",
    ".diff",
    ".html",
    ".j2",
    ".link",
    ".md",
    ".network",
    ".py",
    ".rst",
    ".service",
    ".sh",
)
"""Configurations, pages and programs: they may hold what an output would, and say nothing of what runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """``whose``: the switch, empty where nothing says it. ``command``: behind the prompt, empty without one.
    ``ended``: another prompt is below it, and nobody broke it off."""

    whose: str
    command: str
    lines: tuple[Line, ...]
    ended: bool = False


def is_output(name: str) -> bool:
    """Whether a file of a folder may be what a command printed."""
    return not name.lower().endswith(_NO_OUTPUT)


def is_end(lines: Sequence[Line]) -> bool:
    """Whether the last line is whole though no line break ends it: a prompt, a total, or a rule of a grid."""
    last = lines[-1].text
    if PROMPT.match(last) or _TOTAL.fullmatch(last):
        return True
    return last.startswith("+-") and any(line.text == last for line in lines[:-1])


def sections(name: str, lines: Sequence[Line], known: Collection[str]) -> Iterator[Section]:
    """By the prompt before them; the first one by the file's name, and so those below a prompt with a name
    that is not planned, unless a planned one was before it: then it is of another device."""
    whose, command, part, told = named(name, known), "", list[Line](), False
    for line in lines:
        prompt = PROMPT.match(line.text) or _prompt_of_planned(line.text, known)
        if prompt is None:
            part.append(line)
            continue
        ended = not any(map(is_broken_off, part)) and not line.text.startswith(_INTERRUPT)
        yield Section(whose=whose, command=command, lines=tuple(part), ended=ended)
        mine = own(prompt["name"], known)
        told = told or bool(mine)
        whose = mine or ("" if told else whose)
        command, part = line.text[prompt.end() :].strip(), []
        whose = asked(command, known, whose)
    yield Section(whose=whose, command=command, lines=tuple(part))


def _prompt_of_planned(line: str, known: Collection[str]) -> re.Match[str] | None:
    prompt = _BARE_PROMPT.match(line)
    return prompt if prompt is not None and own(prompt["name"], known) else None


def named(name: str, known: Collection[str]) -> str:
    """``dumps/leaf-1/bgp.txt``, ``leaf-1.txt`` or ``leaf-1-bgp.txt``: the longest name that fits."""
    for part in reversed(re.split(r"[/\\]", name)):
        fitting = [
            each for each in known if part == each or part.startswith((f"{each}.", f"{each}-", f"{each}_"))
        ]
        if fitting:
            return max(fitting, key=len)
    return ""
