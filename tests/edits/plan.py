"""Every edit of a tree: each value of its data and each line of its texts, left out and changed once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import yaml

Place = tuple[str | int, ...]
Texts = Mapping[str, str]


@dataclass(frozen=True)
class Edit:
    """``what``: leave out or change. ``where``: a path in the data, or the line. ``texts``: edited files."""

    file: str
    what: str
    where: str
    texts: Texts

    def __str__(self) -> str:
        return f"{self.file}: {self.what} {self.where}"


_WORDS = {
    "enable": "disable", "enabled": "disabled", "on": "off", "up": "down", "true": "false", "yes": "no",
    "dscp": "cos", "untagged": "tagged", "active": "inactive", "permit": "deny", "trunk": "access",
}  # fmt: skip
_SWAPPED = _WORDS | {value: key for key, value in _WORDS.items()}
_COMMENT = re.compile(r"\s*(?:[#!;]|/\*|--)")
_NUMBER = re.compile(r"\d+(?!.*\d)", re.DOTALL)


def changed_text(text: str) -> str:
    """The last number one higher; else a word that has an opposite; else another word."""
    if _NUMBER.search(text):
        return _NUMBER.sub(lambda m: str(int(m[0]) + 1 if int(m[0]) != 255 else 254), text, count=1)
    words = re.split(r"(\W+)", text)
    for index in reversed(range(len(words))):
        if words[index] in _SWAPPED:
            return "".join([*words[:index], _SWAPPED[words[index]], *words[index + 1 :]])
    return f"{text}x"


def changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return changed_text(value) if isinstance(value, str) else "x"


def leaves(value: Any, place: Place = ()) -> Iterator[Place]:
    """Paths of all scalars and of empty maps and lists; texts that are JSON are gone into."""
    inner = _opened(value)
    if isinstance(inner, dict) and inner:
        for key, each in inner.items():
            yield from leaves(each, (*place, key))
    elif isinstance(inner, list) and inner:
        for index, each in enumerate(inner):
            yield from leaves(each, (*place, index))
    else:
        yield place


def _opened(value: Any) -> Any:
    if isinstance(value, str) and value[:1] in "{[" and value:
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def with_edit(body: Any, place: Place, drop: bool) -> Any:
    """A copy of ``body`` without the value at ``place``, or with it changed."""
    inner = _opened(body)
    was_text = inner is not body
    key, *rest = place
    if rest:
        inner[key] = with_edit(inner[key], tuple(rest), drop)
    elif drop:
        del inner[key]
    else:
        inner[key] = changed(inner[key])
    return json.dumps(inner) if was_text else inner


def edits_of(file: str, text: str) -> Iterator[Edit]:
    if file.endswith(".json"):
        yield from _of_data(file, json.loads(text), json.dumps)
    elif file.endswith((".yaml", ".yml")):
        for number, body in enumerate(documents := list(yaml.safe_load_all(text))):
            for edit in _of_data(file, body, _yaml):
                rest = [*documents[:number], yaml.safe_load(edit.texts[file]), *documents[number + 1 :]]
                yield Edit(file, edit.what, edit.where, {file: yaml.safe_dump_all(rest, sort_keys=False)})
    else:
        yield from _of_lines(file, text)


def _yaml(body: Any) -> str:
    return str(yaml.safe_dump(body, sort_keys=False))


def _of_data(file: str, body: Any, dump: Any) -> Iterator[Edit]:
    for place in leaves(body):
        if place:
            where = " / ".join(map(str, place))
            for what, drop in (("leave out", True), ("change", False)):
                yield Edit(file, what, where, {file: dump(with_edit(deepcopy(body), place, drop))})


def _of_lines(file: str, text: str) -> Iterator[Edit]:
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if not line.strip() or _COMMENT.match(line):
            continue
        where = f"{number + 1}: {line.strip()}"
        yield Edit(file, "leave out", where, {file: "".join([*lines[:number], *lines[number + 1 :]])})
        other = [*lines[:number], f"{changed_text(line.rstrip())}\n", *lines[number + 1 :]]
        yield Edit(file, "change", where, {file: "".join(other)})
