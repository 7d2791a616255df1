"""Prompts of any form on the machine of an admin: a line that begins with the text that stood before a
command already is one. In it the folder may be another one (zsh of macOS, PowerShell)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from netplan.live.sections import Section
from netplan.reading.tables import PROMPT_ENDS

_TEXT = re.compile(rf".*?[{PROMPT_ENDS}](?= |$)")
_FOLDER = re.compile(r"(?P<before>.*\S@\S+ )\S{1,80} (?P<end>[%$#>])")
_MOST = 64
"""Forms of prompts of a file."""
_POWERSHELL = re.compile(r"PS [A-Z]:\\[^<>|]{0,200}>")


def parted(parts: Sequence[Section]) -> list[Section]:
    """At prompts of a form that is known by another line alone; below them nobody speaks."""
    every = dict.fromkeys(form for part in parts if not part.titled and (form := _form(part)))
    forms = list(every)[:_MOST]
    if not forms:
        return list(parts)
    prompt = re.compile(rf"(?:{'|'.join(forms)})(?: +(?P<text>.*)|(?<=>)(?P<close>\S.*)|)")
    return [each for part in parts for each in ([part] if part.whose else _parted(part, prompt))]


def _form(part: Section) -> str:
    """Of what stands before the command, or the first program that is piped into it."""
    line = part.above.text if part.above is not None else ""
    if not part.command or part.pod or not line.endswith(part.command):
        return ""
    found = _TEXT.match(line.removesuffix(part.command).rstrip())
    if found is None or _POWERSHELL.fullmatch(found[0]):
        return _POWERSHELL.pattern if found is not None else ""
    named = _FOLDER.fullmatch(found[0])
    if named is None:
        return re.escape(found[0])
    return rf"{re.escape(named['before'])}\S{{1,80}} {re.escape(named['end'])}"


def _parted(part: Section, prompt: re.Pattern[str]) -> Iterator[Section]:
    head, lines, first = part, list(part.lines[:0]), part.lines[:1] == (part.above,)
    for number, line in enumerate(part.lines):
        found = None if first and not number else prompt.fullmatch(line.text)
        if found is not None:
            yield replace(head, lines=tuple(lines))
            command = (found["text"] or found["close"] or "").strip()
            head, lines = (
                Section(whose="", command=command, lines=(), above=line, speaker="", nobody=True),
                [],
            )
        lines.append(line)
    yield replace(head, lines=tuple(lines))
