"""What a command printed, out of what a terminal showed: prompts and Junos's line about the Routing Engine
around it are not part of it.

Junos puts ``{master:0}`` on a line of its own above each prompt, so that it stands below what the command
before printed (batfish/lab-validation dbe21f0 snapshots/*/show). Unconfirmed, from published sessions without
a citable address: ``{linecard:1}``, ``{primary:node0}``, and ``[edit]`` behind them in configuration mode.
"""

from __future__ import annotations

import re

from netplan.model.document import unix_text
from netplan.reading.tables import MODE, PROMPT
from netplan.records import dataclass

_ENGINE = r"\{(?:master|backup|linecard|primary|secondary)(?::[^{}\n]{1,20})?\}"
_ROLE = re.compile(rf"(?:{_ENGINE})?(?:\[edit[^\]\n]{{0,200}}\])?")
_ENGINES = re.compile(rf"^[ \t]*{_ENGINE}(?:\[edit[^\]\n]{{0,200}}\])?[ \t]*$", re.MULTILINE)
_WORDS = r"(?:(?:show|cat|sudo|nv|lldpctl|lldpcli|kubectl|sonic-cfggen|run|do) |exit|quit|\Z)"
_SHORT = re.compile(
    rf"(?:[A-Za-z0-9._-]{{1,64}}@)?(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{{0,62}})(?:{MODE})?[#>] ?"
    rf"(?={_WORDS})"
)
"""``admin@leaf-1>`` of Junos, ``leaf-1(config)#`` of EOS and NX-OS, with a command or nothing behind it."""
_FAREWELL = re.compile(r"logout|Connection to \S{1,255} closed\.")
"""Below the prompt where the session ended: of bash's login shell (GNU bash builtins/exit.def, exit_builtin);
unconfirmed: of OpenSSH's client."""
_LOOK = 1000
_ABOVE = 8
"""Lines that are looked at before the output: the prompt, and what Junos puts above it."""


@dataclass(frozen=True, slots=True)
class Printed:
    """``text``: lines above the output are blank, so that lines keep their numbers. ``name``: of the system
    in the prompt before it, ``command``: behind that prompt; empty without one."""

    text: str
    name: str
    command: str = ""


def without_roles(text: str) -> str:
    """Lines about the Routing Engine are blank: none of them is JSON."""
    return _ENGINES.sub("", text)


def printed(text: str) -> Printed:
    """Of a session with several commands the text as it is."""
    text = unix_text(text)
    if not any(map(_is_around, _ends(text))):
        return Printed(text, "")
    lines = text.split("\n")
    last = len(lines)
    while last and _is_around(lines[last - 1]):
        last -= 1
    first, name, command = 0, "", ""
    while first < min(last, _ABOVE) and _is_around(lines[first]):
        if found := _prompt(lines[first]):
            name, command = found["name"], lines[first][found.end() :].strip()
        first += 1
    if name and any(map(_prompted, lines[first:last])):
        return Printed(text, "")
    return Printed("\n".join([*[""] * first, *lines[first:last], ""]), name, command)


def _ends(text: str) -> tuple[str, str]:
    """The first and the last line that are not blank, so that a large text is not split for nothing."""
    return text[:_LOOK].lstrip().partition("\n")[0], text[-_LOOK:].rstrip().rpartition("\n")[2]


def _is_around(line: str) -> bool:
    text = line.strip()
    return not text or any(of.fullmatch(text) for of in (_ROLE, _FAREWELL)) or bool(_prompted(line))


def _prompted(line: str) -> str:
    """The system in the prompt that a line begins with; empty for any other line."""
    found = _prompt(line)
    return found["name"] if found is not None else ""


def _prompt(line: str) -> re.Match[str] | None:
    return PROMPT.match(line) or _SHORT.match(line.rstrip())
