"""Finds the line that states a fact; run only when a message has to name that line."""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from netplan import json_text
from netplan.model.document import Places, SourceMap
from netplan.reading.switches.columns import Value, columns_in
from netplan.reading.switches.facts import FACTS
from netplan.reading.switches.lines import Reader, Row, State, TooMuchError, readable
from netplan.reading.switches.patch import PATCHED, is_patch, pointer
from netplan.reading.switches.rules import Rules, lines_like
from netplan.reading.switches.settled_text import numbered
from netplan.records import dataclass
from netplan.yaml12 import parse

_OPERATION = re.compile(r"\{")
Lines = Mapping[str, tuple[tuple[Row, int], ...]]
"""Pattern -> its rows, each with its line number."""


def line_of(rules: Rules, text: str, fact: str, port: str, number: int | None = None) -> int | None:
    """The line of one file that states a fact of a port, or of the switch; None if no line does. Of the lines
    that state a VLAN together, the one that names it. ``number``: of the queue or priority group meant."""
    single = {part.pattern for each in rules.singles for part in each.parts}
    for source in rules.facts.get(fact, ()):
        for pattern in sorted(source.patterns, key=lambda p: ("<port" in p, "<vlan" in p), reverse=True):
            found = _by_port(rules, text, pattern, pattern in single, number)
            if (line := found.get(port if "<port" in pattern else None)) is not None:
                return line
    return None


@lru_cache(maxsize=256)
def _by_port(
    rules: Rules, text: str, pattern: str, last: bool, number: int | None = None
) -> Mapping[object, int]:
    """Port -> the first line of a pattern that states it, or the ``last``; None for the switch as a whole."""
    names = [name for name, _, _ in columns_in(pattern)]
    at = names.index("port") if "port" in names else None
    which = next((names.index(name) for name in ("queue", "pg") if name in names), None)
    rows = lines_in(rules, text).get(pattern, ())
    if number is not None and which is not None:
        rows = tuple((row, line) for row, line in rows if row[which] == number)
    first: dict[object, int] = {}
    for row, line in reversed(rows) if last else rows:
        first.setdefault(None if at is None else row[at], line)
    return first


def line_where(rules: Rules, text: str, fact: str, column: str, value: str) -> int | None:
    """The line that states a fact with a value in a column: of a VLAN, a code point, a neighbour."""
    lines = lines_in(rules, text)
    for source in rules.facts.get(fact, ()):
        for pattern in source.patterns:
            names = [name for name, _, _ in columns_in(pattern)]
            if column in names:
                at = names.index(column)
                found = (line for row, line in lines.get(pattern, ()) if str(row[at]) == value)
                if (line := next(found, None)) is not None:
                    return line
    return None


def places_of(rules: Rules, files: Mapping[str, str], fact: str, row: Row) -> str:
    """File and line of a row of a fact, as ``interfaces.txt:12``: of the line that states most of it. Empty
    if none states a part of exactly this row."""
    wanted = dict(zip(FACTS[fact], map(str, row), strict=True))
    patterns = {pattern for source in rules.facts.get(fact, ()) for pattern in source.patterns}
    named = {pattern: [name for name, _, _ in columns_in(pattern)] for pattern in patterns}
    for pattern in sorted(patterns, key=lambda p: (-len(wanted.keys() & {*named[p]}), p)):
        for name, text in files.items():
            for stated, line in lines_in(rules, text).get(pattern, ()):
                own = {k: str(v) for k, v in zip(named[pattern], stated, strict=False) if k in wanted}
                if own and own.items() <= wanted.items():
                    return f"{name}:{line}"
    return ""


def is_commands(rules: Rules, text: str) -> bool:
    """Whether a text is commands, on a NOS that accepts YAML too."""
    first = next((line for line in text.split("\n") if line and not line.startswith(rules.comment)), "")
    return first.startswith(f"{rules.command} ")


def cut_off(rules: Rules, text: str) -> int:
    """The first command of which nothing but its first words is there, 0 if there is none."""
    if not rules.command:
        return 0
    found = re.search(rf"(?m)^{re.escape(rules.command)}(?: set)?[ \t]*$", text)
    return text.count("\n", 0, found.start()) + 1 if found else 0


@lru_cache(maxsize=64)
def lines_in(rules: Rules, text: str) -> Lines:
    """Empty for a text that cannot be read."""
    return _read(Placing(rules.lines, rules.several), rules, text)


def _read(reader: Placing, rules: Rules, text: str) -> Lines:
    try:
        if text.lstrip().startswith("{"):
            reader.keys(json.loads(text), text)
        elif text.lstrip().startswith("[") and is_patch(json_text.loads(text)):
            reader.operations(text)
        elif rules.command and not is_commands(rules, text):
            _ = reader.block(text, rules.command) or reader.block(readable(text), rules.command)
        else:
            reader.text(numbered(rules, text), rules.comment, rules.comments, rules.leave)
    except (ValueError, RecursionError, TooMuchError):
        return {}
    return {pattern: tuple(rows) for pattern, rows in reader.found.items()}


@dataclass(frozen=True, slots=True)
class Matched:
    """A line of ``pattern``: the values of its columns, and its number, 0 if it has none."""

    pattern: str
    values: Mapping[str, Value]
    line: int


def matched(rules: Rules, text: str, patterns: Collection[str]) -> Iterator[Matched]:
    """Lines of other patterns than the rules have, in the language of the rules."""
    tree = lines_like(rules, patterns)
    found = _read(Placing(tree, rules.several), rules, text)
    if not found and rules.command and not is_commands(rules, text):  # JSON, and YAML in flow style
        reader = Placing(tree, rules.several)
        with suppress(TooMuchError, RecursionError):
            reader.paths(_data(text), rules.command)
        found = {pattern: tuple(rows) for pattern, rows in reader.found.items()}
    for pattern in patterns:
        yield from matches_of(pattern, found.get(pattern, ()))


def _data(text: str) -> Any:
    try:
        return json_text.loads(text)
    except (ValueError, RecursionError):
        return parse("", text, Places(SourceMap())).data


def matches_of(pattern: str, rows: Iterable[tuple[Row, int]]) -> Iterator[Matched]:
    names = [name for name, _, _ in columns_in(pattern)]
    for row, line in rows:
        yield Matched(pattern, dict(zip(names, row, strict=True)), line)


class Placing(Reader):
    """Keeps the line of each row in ``found``."""

    def __init__(self, root: Any, several: str) -> None:
        super().__init__(root, several)
        self.found: dict[str, list[tuple[Row, int]]] = {}

    def step(self, state: State, line: str) -> State:
        before = {pattern: len(rows) for pattern, rows in self.rows.items()}
        below = super().step(state, line)
        for pattern, rows in self.rows.items():
            for row in rows[before.get(pattern, 0) :]:
                self.found.setdefault(pattern, []).append((row, self.line))
        return below

    def keys(self, data: Any, text: str) -> None:
        """JSON: a key follows the keys of its parents in the text."""
        ends = [at for at, letter in enumerate(text) if letter == "\n"]
        todo: list[tuple[State, Any, int]] = [(self.root, data, 0)]
        while todo:
            state, table, at = todo.pop()
            for key, value in table.items() if state else ():
                at = max(at, text.find(json.dumps(key), at))
                self.line = bisect(ends, at) + 1
                if isinstance(value, dict):
                    todo.append((self.step(state, key), value, at))
                    at = self._past(value, text, at)
                    continue
                for item in value if isinstance(value, list) else [value]:
                    self.step(state, f"{key} = {item}")

    def operations(self, text: str) -> None:
        """A JSON patch: the rows that it adds, in the lines of the operations that add them."""
        ends = [at for at, letter in enumerate(text) if letter == "\n"]
        decoder, at = json.JSONDecoder(), text.index("[") + 1
        while found := _OPERATION.search(text, at):
            operation, at = decoder.raw_decode(text, found.start())
            self.line = bisect(ends, found.start()) + 1
            *above, last = pointer(operation.get("path")) or [""]
            value = operation.get("value")
            state = self.root
            for key in (f"{PATCHED}{above[0]}", *above[1:]) if above else ():
                state = self.step(state, key)
            if isinstance(value, dict):
                state = self.step(state, last)
            for key, item in value.items() if isinstance(value, dict) else [(last, value)]:
                self.step(state, f"{key} = {item}")

    def _past(self, table: Mapping[str, Any], text: str, at: int) -> int:
        """Offset of the last key nested in ``table``."""
        for key, value in table.items():
            at = max(at, text.find(json.dumps(key), at))
            if isinstance(value, dict):
                at = self._past(value, text, at)
        return at
