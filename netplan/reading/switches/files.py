"""The files of a switch as tables of rows; a file that several switches share is read once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from netplan import json_text
from netplan.model.document import Places, SourceMap
from netplan.model.switch_buffers import StockBuffers
from netplan.printable import printable
from netplan.reading.switches.facts import PORTWISE, QOS, Source, Table, by_port
from netplan.reading.switches.lines import MAX_LISTED, Reader, Row, TooMuchError, uncommented
from netplan.reading.switches.patch import is_patch, patched, said
from netplan.reading.switches.rules import COMMENT, Rules
from netplan.reading.switches.settled import Key
from netplan.reading.switches.settled_text import numbered
from netplan.records import dataclass
from netplan.yaml12 import parse

README = "README.md"
Tables = Mapping[str, Table]
"""Pattern of a line, or COMMENT and a feature -> its rows."""
Facts = Mapping[str, Sequence[Row]]
ByPort = Mapping[str, Mapping[Any, frozenset[Any]]]
"""Fact of QOS -> port -> rows."""
MAX_PROBLEMS = 100
"""Limit on invalid lines reported per file."""


NO_JSON, NO_OBJECT, NO_YAML = "not JSON", "not a JSON object", "not YAML"


@dataclass(frozen=True, slots=True)
class ReadFile:
    """``wrong``: what cannot be read; ``unread``: lines that match no pattern and that netplan does not
    write."""

    tables: Tables
    wrong: tuple[str, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """How to read a file. ``stock``: rows of the switch's image, which a patch builds on."""

    rules: Rules
    stock: StockBuffers | None


@dataclass(slots=True)
class Stated:
    """What the files of one switch say. ``comments``: features of their comments. ``unparsed``: those of
    the problems that stop any parser of such a file. ``unread``: lines that match no pattern and that
    netplan does not write."""

    facts: Facts
    ports: ByPort
    comments: frozenset[str]
    problems: list[str]
    unparsed: tuple[str, ...]
    unread: tuple[str, ...]


def read_files(rules: Rules, files: Mapping[str, str], stock: StockBuffers | None = None) -> Stated:
    """Reads the files that the NOS has and ignores others. ``stock``: rows of the switch's image."""
    read: dict[str, Tables] = {}
    problems: list[str] = []
    unparsed: list[str] = []
    unread: list[str] = []
    for output in rules.nos.outputs:
        if output.file == README:
            continue
        if output.file in files:
            found = tables_of(rules, output.file, files[output.file], stock)
            read[output.file] = found.tables
            unread += [f"{output.file}: {what}" for what in found.unread]
            problems += [f"{output.file}: {what}" for what in found.wrong]
            broken = [what for what in found.wrong if what.startswith((NO_JSON, NO_OBJECT, NO_YAML))]
            unparsed += [f"{output.file}: {what}" for what in broken]
        elif output.needs == "always":
            problems.append(f"{output.file}: the file is missing")
    problems += _twins(rules, read)
    problems += _across(rules, read)
    tables = _merged(read.values())
    features = (name.removeprefix(COMMENT) for name in tables if name.startswith(COMMENT))
    return Stated(
        facts=facts_of(rules, tables, PORTWISE),
        ports={fact: by_port(rules.facts[fact], tables) for fact in rules.facts.keys() & set(QOS)},
        comments=frozenset(features),
        problems=problems,
        unparsed=tuple(unparsed),
        unread=tuple(unread),
    )


def _twins(rules: Rules, read: dict[str, Tables]) -> list[str]:
    """Differences between two files that must say the same; the second one is removed from ``read``."""
    found: list[str] = []
    for twin, file in rules.twins.items():
        if twin in read and file in read:
            found += _differences(rules, (file, read[file]), (twin, read.pop(twin)))
    return found


def _across(rules: Rules, read: Mapping[str, Tables]) -> Iterator[str]:
    """Problems that show only across several files."""
    rows = {file: {name: table.rows for name, table in tables.items()} for file, tables in read.items()}
    yield from _in_two_files(rules, rows)
    for names in rules.names:
        yield from names.undefined(rows)


def _in_two_files(rules: Rules, read: Mapping[str, Mapping[str, Sequence[Row]]]) -> Iterator[str]:
    """A single-valued statement for which two files differ: which one wins depends on the order they are
    loaded."""
    for single in rules.singles:
        before: dict[Key, tuple[str, frozenset[tuple[str, Row]]]] = {}
        patterns = [part.pattern for part in single.parts]
        files = [file for file, rows in read.items() if any(map(rows.__contains__, patterns))]
        for file in files if len(files) > 1 else ():
            for key, stated in single.stated(read[file]).items():
                other, first = before.setdefault(key, (file, stated))
                if stated != first:
                    of = f" of {' '.join(map(str, key))}" if key else ""
                    yield f"{file}: {single.name}{of} is stated in {other} too, otherwise"


def facts_of(rules: Rules, tables: Tables, without: Collection[str] = ()) -> Facts:
    return {fact: _rows(sources, tables) for fact, sources in rules.facts.items() if fact not in without}


def _rows(sources: Sequence[Source], tables: Tables) -> Sequence[Row]:
    if len(sources) == 1:
        return sources[0].rows(tables)
    return [row for source in sources for row in source.rows(tables)]


def _merged(all_tables: Iterable[Tables]) -> Tables:
    merged: dict[str, Table] = {}
    for tables in all_tables:
        for pattern, table in tables.items():
            before = merged.get(pattern)
            merged[pattern] = Table([*before.rows, *table.rows]) if before else table
    return merged


def _differences(rules: Rules, one: tuple[str, Tables], other: tuple[str, Tables]) -> list[str]:
    """Differences between two files that must say the same; the first one is taken as correct."""
    left, right = facts_of(rules, one[1]), facts_of(rules, other[1])
    found = []
    for fact in (fact for fact in rules.facts if set(left[fact]) != set(right[fact])):
        rows = (_only(left[fact], right[fact], one[0]), _only(right[fact], left[fact], other[0]))
        found.append(f"{other[0]}: it disagrees with {one[0]}, which is used: {fact}, {' and '.join(rows)}")
    return found


_ROW = 60


def _only(rows: Sequence[Row], others: Sequence[Row], file: str) -> str:
    """``swp1 9000 in interfaces.yaml``: the first row that only one file has."""
    known = set(others)
    row = next((row for row in rows if row not in known), None)
    text = printable(" ".join(map(str, row))) if row is not None else "none"
    return f"{text if len(text) <= _ROW else f'{text[:_ROW]}...'} in {file}"


def tables_of(rules: Rules, file: str, text: str, stock: StockBuffers | None = None) -> ReadFile:
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    header, _, rest = text.partition("\n")
    if header.startswith(rules.comment) and not rules.comments.learn(uncommented(header, rules.comment)):
        text = f"\n{rest}"  # the header names the switch; the rest may equal that of other switches
    return _of_text(_Reading(rules, stock), file.rpartition(".")[2], text)


_ODD_SPACE = re.compile(r"[^\S \t\n]")
"""Characters that a web page substitutes for a space."""


@lru_cache(maxsize=128)
def _of_text(read: _Reading, form: str, text: str) -> ReadFile:
    rules = read.rules
    reader = Reader(rules.lines, rules.several)
    try:
        problem = _FORMS.get(form, _text)(read, reader, text)
    except TooMuchError:
        problem = f"lists of more than {MAX_LISTED} numbers together; the rest is not read"
    unsettled: list[str] = []
    for single in rules.singles:
        unsettled += islice(single.unsettled(reader.rows, reader.numbers), MAX_PROBLEMS)
        single.settle(reader.rows, reader.numbers)
    wrong = [str(row[-1]) for row in reader.rows.pop("!", ())[:MAX_PROBLEMS]]
    if odd := _ODD_SPACE.search(text):
        number = text.count("\n", 0, odd.start()) + 1
        wrong.append(
            f"line {number} has a blank that is not a space (U+{ord(odd[0]):04X}): no NOS accepts it"
        )
    tables = {pattern: Table(rows) for pattern, rows in reader.rows.items()}
    problems = tuple(dict.fromkeys([problem, *wrong] if problem else wrong))
    return ReadFile(tables, problems, (*unsettled, *_not_read(rules, reader)))


def _not_read(rules: Rules, reader: Reader) -> list[str]:
    """Lines that match no pattern and that netplan does not write: they may undo what others state."""
    if rules.written is None:
        return []
    strange = ((n, forms[0]) for n, forms in reader.unread if not any(map(rules.written, forms)))
    found = (f"line {n} is not read: {line[:80]}" if n else f"{line[:80]} is not read" for n, line in strange)
    return list(islice(found, MAX_PROBLEMS))


def _text(read: _Reading, reader: Reader, text: str) -> str:
    rules = read.rules
    reader.text(numbered(rules, text), rules.comment, rules.comments, rules.leave)
    return ""


def _json(read: _Reading, reader: Reader, text: str) -> str:
    try:
        data = json_text.loads(text)
    except (ValueError, RecursionError) as error:
        return f"{NO_JSON}: {str(error)[:100]}"
    if is_patch(data):
        result = patched(data, read.stock)
        reader.tables(result.tables)
        reader.unread = [(0, (said(each),)) for each in data]
        return f"the switch refuses all of it: {result.refused[0]}" if result.refused else ""
    if not isinstance(data, dict):
        return NO_OBJECT
    reader.tables(data)
    return ""


def _yaml(read: _Reading, reader: Reader, text: str) -> str:
    command = read.rules.command
    if reader.block(text, command):
        return ""
    parsed = parse("", text, Places(SourceMap()))
    reader.paths(parsed.data, command)
    return f"{NO_YAML}: {parsed.problems[0].message[:100]}" if parsed.problems else ""


_FORMS = {"json": _json, "yaml": _yaml}
