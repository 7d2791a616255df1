"""Every edit of a tree: each value of its data and each line of its texts, removed once and changed once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import yaml

Place = tuple[str | int, ...]
Texts = Mapping[str, str]


_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


@dataclass(frozen=True)
class Edit:
    """``what``: leave out or change. ``where``: path in the data, or line. ``text``: the edited file's text,
    created on demand."""

    file: str
    what: str
    where: str
    text: Callable[[], str] = field(repr=False)

    @cached_property
    def texts(self) -> Texts:
        return {self.file: self.text()}

    @property
    def name(self) -> str:
        """The edit without its file."""
        return f"{self.what} {self.where}"

    def __str__(self) -> str:
        return f"{self.file}: {self.name}"


_WORDS = {
    "enable": "disable", "enabled": "disabled", "on": "off", "up": "down", "true": "false", "yes": "no",
    "dscp": "cos", "untagged": "tagged", "active": "inactive", "permit": "deny", "trunk": "access",
}  # fmt: skip
_SWAPPED = _WORDS | {value: key for key, value in _WORDS.items()}
_COMMENT = re.compile(r"\s*(?:[#!;]|/\*|--)")
_NUMBER = re.compile(r"\d+(?!.*\d)", re.DOTALL)


def changed_text(text: str) -> str:
    """The text with its last number one higher; else a word replaced by its opposite; else another word."""
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
    """Paths of all scalars and of empty maps and lists, also inside texts that are JSON."""
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
    """A copy of ``body`` with the value at ``place`` removed or changed."""
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
        yield from _of_data(file, [json.loads(text)], _json)
    elif file.endswith((".yaml", ".yml")):
        yield from _of_data(file, list(yaml.load_all(text, Loader=_Loader)), _yaml)
    else:
        yield from _of_lines(file, text)


def _json(documents: list[Any]) -> str:
    return json.dumps(documents[0], indent=2)


def _yaml(documents: list[Any]) -> str:
    return str(yaml.dump_all(documents, Dumper=_Dumper, sort_keys=False))


def _of_data(file: str, documents: list[Any], dump: Callable[[list[Any]], str]) -> Iterator[Edit]:
    for number, body in enumerate(documents):
        first = f"{number + 1}: " if len(documents) > 1 else ""
        for place in leaves(body):
            if place:
                where = first + " / ".join(map(str, place))
                for what, drop in (("leave out", True), ("change", False)):
                    yield Edit(file, what, where, partial(_with, documents, number, place, drop, dump))


def _with(
    documents: list[Any], number: int, place: Place, drop: bool, dump: Callable[[list[Any]], str]
) -> str:
    edited = deepcopy(documents)
    edited[number] = with_edit(edited[number], place, drop)
    return dump(edited)


def _of_lines(file: str, text: str) -> Iterator[Edit]:
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if not line.strip() or _COMMENT.match(line):
            continue
        where = f"{number + 1}: {line.strip()}"
        yield Edit(file, "leave out", where, partial(_joined, lines, number, ""))
        yield Edit(file, "change", where, partial(_joined, lines, number, f"{changed_text(line.rstrip())}\n"))


def _joined(lines: list[str], number: int, instead: str) -> str:
    return "".join([*lines[:number], instead, *lines[number + 1 :]])
