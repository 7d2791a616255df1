"""Text within an answer of Ansible, as the machine printed it.

Shapes: ansible-core lib/ansible/plugins/callback/default.py and minimal.py (``ok: [leaf-1] => {...}``, also
of one line with ``-v``, or YAML below it with ``callback_result_format = yaml``, of ansible-core 2.14) and
oneline.py (``ansible -o``: line breaks as a backslash and n); Return Values of ansible.builtin.shell
(``cmd``, ``stdout``, ``stdout_lines``) and of the modules ``*_command`` (one of both for each command);
ansible.builtin.debug (``"out.stdout"``, ``"out.stdout_lines"``, ``msg``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any

import yaml

from netplan.json_text import loads
from netplan.reading.tables import Line
from netplan.records import dataclass

_OF_ANSIBLE = re.compile(
    r"(\S{1,100} \| [A-Z]{1,20}\b.{0,40}=>|(?:ok|changed|failed): \[[^\s\]]{1,100})"
    r"(?:( -> (?:localhost|127\.0\.0\.1)(?:\([^\s\])]{1,60}\))?)?"
    r"(\] =>)(?: \(item=(.{0,200})\) =>)?)? *([{\[].*)"
)
"""Behind ``->`` and ``item`` another machine may stand, which answered."""
_ONE_LINE = re.compile(
    r"(?P<title>[\w.-]{1,100} \| [A-Z]{1,20} \| rc=[0-9]{1,3}) \| \(stdout\) (?P<text>.*?)(?: \(stderr\) .*)?"
)
_ABOVE_YAML = re.compile(r"((?:ok|changed|failed): \[[^\s\]]{1,100}\] =>) ?")
_INDENTED = re.compile(r"( {2,8})\S")
_OPENS = re.compile(r"(?:\[|:|\|[0-9]?[+-]?)\s*\Z")
"""Behind it each line of the texts is one of the file."""
_YAML: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Everything is text in it."""
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
    return _has_texts(text) and _said(text, loads, "") is not None


def as_printed(lines: Sequence[Line]) -> Iterator[Line]:
    """Below the title the command, behind a prompt, and what it printed; JSON of any other form as it is."""
    at = 0
    while at < len(lines):
        found = _of_one_line(lines[at]) or _of_yaml(lines, at) or _of_json(lines, at)
        if found is None:
            yield lines[at]
            at += 1
        else:
            yield from _session(found)
            at += len(found.block)


@dataclass(frozen=True, slots=True)
class _Said:
    """``mark``: in the line where the texts begin."""

    command: str
    mark: str
    texts: list[str]


@dataclass(frozen=True, slots=True)
class _Answered:
    title: str
    said: _Said
    block: Sequence[Line]


def _of_one_line(line: Line) -> _Answered | None:
    found = _ONE_LINE.fullmatch(line.text)
    if found is None:
        return None
    text = found["text"].replace("\\r", "").replace("\\n", "\n")
    return _Answered(found["title"], _Said("", found["title"], [text]), [line])


def _of_yaml(lines: Sequence[Line], at: int) -> _Answered | None:
    """YAML that is indented below its title, up to a line that is not."""
    title = _ABOVE_YAML.fullmatch(lines[at].text)
    first = _INDENTED.match(lines[at + 1].text) if title is not None and at + 1 < len(lines) else None
    if title is None or first is None:
        return None
    below = takewhile(lambda line: not line.text.strip() or line.text.startswith(first[1]), lines[at + 1 :])
    block = [lines[at], *below]
    text = "\n".join(line.text.removeprefix(first[1]) for line in block[1:])
    said = _said(text, partial(yaml.load, Loader=_YAML), "{}:") if _has_texts(text) else None
    return _Answered(title[1], said, block) if said is not None else None


def _of_json(lines: Sequence[Line], at: int) -> _Answered | None:
    found = answer(lines[at].text)
    begins = "" if found is None or found.item or found.elsewhere else found.text
    if lines[at].text.startswith("{"):
        begins = lines[at].text
    block = _block(lines, at, begins) if begins else []
    text = "\n".join([begins, *(line.text for line in block[1:])]) if block else ""
    said = _said(text, loads, '"{}"') if _has_texts(text) else None
    return _Answered(found.title if found is not None else "", said, block) if said is not None else None


def _block(lines: Sequence[Line], at: int, begins: str) -> Sequence[Line]:
    """The lines of the object: this one, or up to its bracket at the begin of a line."""
    if begins.rstrip().endswith("}"):
        return lines[at : at + 1]
    end = next((n for n in range(at + 1, len(lines)) if lines[n].text.rstrip() == "}"), -1)
    return lines[at : end + 1] if end > at else []


def _has_texts(text: str) -> bool:
    return "stdout" in text or "msg" in text


def _said(text: str, read: Callable[[str], Any], mark: str) -> _Said | None:
    try:
        data = read(text)
    except (json.JSONDecodeError, yaml.YAMLError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    inner = next((each for each in data.values() if _is_result(each)), data)
    keys = [key for key in inner if isinstance(key, str) and _TEXTS.fullmatch(key)]
    for key in sorted(keys, key=lambda key: key.endswith("_lines")):
        if _size(inner[key]) <= len(text) and (texts := _texts(inner[key], key)):
            return _Said(_command(inner.get("cmd")), mark.format(key), texts)
    return None


def _is_result(value: Any) -> bool:
    return isinstance(value, dict) and {"changed", "stdout"} <= value.keys()


def _size(value: Any) -> int:
    """Characters of a text, or of those in a list, which aliases of YAML may name many times."""
    if isinstance(value, list):
        return sum(map(_size, value))
    return len(value) if isinstance(value, str) else 0


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


def _session(found: _Answered) -> Iterator[Line]:
    title, said, block = found.title, found.said, found.block
    first = block[0].at
    name = _NAME.match(title)
    prompt = f"{name[1] if name is not None else _UNNAMED} $"
    if title:
        yield Line(title, first)
    if said.command:
        yield Line(f"{prompt} {said.command}", first)
    start = next((n for n, line in enumerate(block) if said.mark in line.text), 0)
    one_each = len(said.texts) == 1 and _OPENS.search(block[start].text) is not None
    for number, line in enumerate("\n".join(said.texts).split("\n"), 1):
        at = start + number if one_each and start + number < len(block) else start
        yield Line(line.rstrip("\r"), replace(block[at].at, column=number))
    yield Line(f"{prompt} ", block[-1].at)
