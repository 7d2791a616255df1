"""Text within an answer of Ansible, as the machine printed it.

Shapes: ansible-core lib/ansible/plugins/callback/default.py and minimal.py (``ok: [leaf-1] => {...}``, also
of one line with ``-v``); Return Values of ansible.builtin.shell (``cmd``, ``stdout``, ``stdout_lines``) and
of the modules ``*_command`` (one of both for each command); ansible.builtin.debug (``"out.stdout"``,
``"out.stdout_lines"``, ``msg``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from netplan.json_text import loads
from netplan.reading.tables import Line
from netplan.records import dataclass

_OF_ANSIBLE = re.compile(
    r"(\S{1,100} \| [A-Z]{1,20}\b.{0,40}=>|(?:ok|changed|failed): \[[^\s\]]{1,100})"
    r"(?:( -> (?:localhost|127\.0\.0\.1)(?:\([^\s\])]{1,60}\))?)?"
    r"(\] =>)(?: \(item=(.{0,200})\) =>)?)? *([{\[].*)"
)
"""Behind ``->`` and ``item`` another machine may stand, which answered."""
_NAME = re.compile(r"(?:\w+: \[)?([\w.-]+)")
_TEXTS = re.compile(r"(?:(?:\w{1,80}\.)?stdout(?:\[[0-9]{1,3}\])?|msg|(?:\w{1,80}\.)?stdout_lines)")
_UNNAMED = "localhost"


@dataclass(frozen=True, slots=True)
class AnsibleAnswer:
    """``title``: what stands before it; ``item``: of a loop; ``elsewhere``: another machine did it."""

    title: str
    item: str
    text: str
    elsewhere: bool


def answer(line: str) -> AnsibleAnswer | None:
    found = _OF_ANSIBLE.fullmatch(line)
    if found is None:
        return None
    return AnsibleAnswer(f"{found[1]}{found[3] or ''}", found[4] or "", found[5], found[2] is not None)


def has_text(text: str) -> bool:
    """Whether it is JSON of Ansible with text of a machine in it."""
    return _said(text) is not None


def as_printed(lines: Sequence[Line]) -> Iterator[Line]:
    """Below the title the command, behind a prompt, and what it printed; JSON of any other form as it is."""
    at = 0
    while at < len(lines):
        found = answer(lines[at].text)
        begins = "" if found is None or found.item or found.elsewhere else found.text
        if lines[at].text.startswith("{"):
            begins = lines[at].text
        block = _block(lines, at, begins) if begins else []
        said = _said("\n".join([begins, *(line.text for line in block[1:])])) if block else None
        if said is None:
            yield lines[at]
            at += 1
            continue
        title = found.title if found is not None else ""
        yield from _session(title, said, block)
        at += len(block)


def _block(lines: Sequence[Line], at: int, begins: str) -> Sequence[Line]:
    """The lines of the object: this one, or up to its bracket at the begin of a line."""
    if begins.rstrip().endswith("}"):
        return lines[at : at + 1]
    end = next((n for n in range(at + 1, len(lines)) if lines[n].text.rstrip() == "}"), -1)
    return lines[at : end + 1] if end > at else []


@dataclass(frozen=True, slots=True)
class _Said:
    command: str
    key: str
    texts: list[str]


def _said(text: str) -> _Said | None:
    if not any(word in text for word in ("stdout", '"msg"')):
        return None
    try:
        data = loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    inner = next((each for each in data.values() if _is_result(each)), data)
    keys = [key for key in inner if _TEXTS.fullmatch(key)]
    for key in sorted(keys, key=lambda key: key.endswith("_lines")):
        if texts := _texts(inner[key], key):
            return _Said(_command(inner.get("cmd")), key, texts)
    return None


def _is_result(value: Any) -> bool:
    return isinstance(value, dict) and {"changed", "stdout"} <= value.keys()


def _command(cmd: Any) -> str:
    """On one line, whatever it has."""
    words = " ".join(map(str, cmd)) if isinstance(cmd, list) else cmd if isinstance(cmd, str) else ""
    return "; ".join(words.split("\n"))


def _texts(value: Any, key: str) -> list[str]:
    """Of several lines, or JSON: one word is no output."""
    if isinstance(value, str):
        return [value] if "\n" in value or value[:1] in ("[", "{") else []
    if not isinstance(value, list):
        return []
    if value and all(map(_are_texts, value)):
        return ["\n".join(each) for each in value]
    if len(value) < 2 or not _are_texts(value):
        return [each for each in value if _are_texts([each]) and "\n" in each]
    return ["\n".join(value)]


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _session(title: str, said: _Said, block: Sequence[Line]) -> Iterator[Line]:
    first = block[0].at
    name = _NAME.match(title)
    prompt = f"{name[1] if name is not None else _UNNAMED} $"
    if title:
        yield Line(title, first)
    if said.command:
        yield Line(f"{prompt} {said.command}", first)
    start = next((n for n, line in enumerate(block) if f'"{said.key}"' in line.text), 0)
    one_each = len(said.texts) == 1 and block[start].text.rstrip().endswith("[")
    for number, line in enumerate("\n".join(said.texts).split("\n"), 1):
        at = start + number if one_each and start + number < len(block) else start
        yield Line(line.rstrip("\r"), replace(block[at].at, column=number))
    yield Line(f"{prompt} ", block[-1].at)
