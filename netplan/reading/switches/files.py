"""The files of a switch as tables of rows; a file that another switch has too is read once."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from netplan.model.document import Places, SourceMap
from netplan.reading.switches.facts import PORTWISE, QOS, Source, Table, by_port
from netplan.reading.switches.lines import MAX_LISTED, Reader, Row, TooMuchError, uncommented
from netplan.reading.switches.rules import COMMENT, Rules
from netplan.reading.switches.settled import Key
from netplan.yaml12 import parse

README = "README.md"
PATCHED = "patched "
"""Before a table of a JSON patch (RFC 6902): the rows that it leaves, of what it adds itself."""
Tables = Mapping[str, Table]
"""Pattern of a line, or COMMENT and a feature -> its rows."""
Facts = Mapping[str, Sequence[Row]]
ByPort = Mapping[str, Mapping[Any, frozenset[Any]]]
"""Fact of QOS -> port -> rows."""
MAX_PROBLEMS = 100
"""Wrong lines of one file that are told."""


NO_JSON, NO_YAML = "no JSON", "no YAML"
UNREAD = "?"
"""Table of the lines that nothing takes."""


@dataclass(slots=True)
class Stated:
    """What the files of one switch say. ``comments``: features of their comments. ``unparsed``: those of the
    problems that no reader of such a file gets past. ``unread``: lines that nothing takes and netplan does
    not write."""

    facts: Facts
    ports: ByPort
    comments: frozenset[str]
    problems: list[str]
    unparsed: tuple[str, ...]
    unread: tuple[str, ...]


def read_files(rules: Rules, files: Mapping[str, str]) -> Stated:
    """Of the files that the NOS has; others are not looked at."""
    read: dict[str, Tables] = {}
    problems: list[str] = []
    unparsed: list[str] = []
    unread: list[str] = []
    for output in rules.nos.outputs:
        if output.file == README:
            continue
        if output.file in files:
            tables, wrong = tables_of(rules, output.file, files[output.file])
            read[output.file] = {name: table for name, table in tables.items() if name != UNREAD}
            unread += [f"{output.file}: {what}" for (what,) in tables[UNREAD].rows]
            problems += [f"{output.file}: {what}" for what in wrong]
            broken = [what for what in wrong if what.startswith((NO_JSON, NO_YAML))]
            unparsed += [f"{output.file}: {what}" for what in broken]
        elif output.needs == "always":
            problems.append(f"{output.file}: the file is missing")
    problems += _twins(rules, read)
    problems += _in_two_files(rules, read)
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
    """Where two files that should say the same do not; the second one is taken out."""
    found: list[str] = []
    for twin, file in rules.twins.items():
        if twin in read and file in read:
            found += _differences(rules, (file, read[file]), (twin, read.pop(twin)))
    return found


def _in_two_files(rules: Rules, read: Mapping[str, Tables]) -> Iterator[str]:
    """A statement of one value that two files make otherwise: which one holds depends on their order."""
    for single in rules.singles:
        before: dict[Key, tuple[str, frozenset[tuple[str, Row]]]] = {}
        for file, tables in read.items():
            for key, stated in single.stated({name: table.rows for name, table in tables.items()}).items():
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
    """Where two files that should say the same do not; the first one is believed."""
    left, right = facts_of(rules, one[1]), facts_of(rules, other[1])
    unlike = [fact for fact in rules.facts if set(left[fact]) != set(right[fact])]
    if not unlike:
        return []
    return [f"{one[0]} and {other[0]} do not say the same: {', '.join(unlike)}; {one[0]} is taken"]


def tables_of(rules: Rules, file: str, text: str) -> tuple[Tables, tuple[str, ...]]:
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    header, _, rest = text.partition("\n")
    if header.startswith(rules.comment) and not rules.comments.learn(uncommented(header, rules.comment)):
        text = f"\n{rest}"  # the header names the switch; what follows may be the same on others
    return _of_text(rules, file.rpartition(".")[2], text)


@lru_cache(maxsize=128)
def _of_text(rules: Rules, form: str, text: str) -> tuple[Tables, tuple[str, ...]]:
    reader = Reader(rules.lines)
    try:
        problem = _FORMS.get(form, _text)(rules, reader, text)
    except TooMuchError:
        problem = f"lists of more than {MAX_LISTED} numbers together; the rest is not read"
    for single in rules.singles:
        single.settle(reader.rows, reader.numbers)
    wrong = [str(row[-1]) for row in reader.rows.pop("!", ())[:MAX_PROBLEMS]]
    tables = {pattern: Table(rows) for pattern, rows in reader.rows.items()}
    tables[UNREAD] = Table([(text,) for text in _not_read(rules, reader)])
    return tables, tuple(dict.fromkeys([problem, *wrong] if problem else wrong))


def _not_read(rules: Rules, reader: Reader) -> list[str]:
    """Lines that nothing takes and netplan does not write: they may undo what the others state."""
    if rules.written is None:
        return []
    strange = ((n, forms[0]) for n, forms in reader.unread if not any(map(rules.written, forms)))
    found = (f"line {n} is not read: {line[:80]}" if n else f"{line[:80]} is not read" for n, line in strange)
    return list(islice(found, MAX_PROBLEMS))


def _text(rules: Rules, reader: Reader, text: str) -> str:
    reader.text(text, rules.comment, rules.comments)
    return ""


def _json(rules: Rules, reader: Reader, text: str) -> str:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"{NO_JSON}: {str(error)[:100]}"
    if isinstance(data, list) and data and all(isinstance(each, dict) and "op" in each for each in data):
        reader.tables({f"{PATCHED}{table}": rows for table, rows in _patched(data).items()})
        reader.unread = [(0, (_operation(each),)) for each in data]
        return ""
    if not isinstance(data, dict):
        return f"{NO_JSON} object"
    reader.tables(data)
    return ""


def _operation(each: dict[str, Any]) -> str:
    """``remove BUFFER_PG.Ethernet0|3``"""
    parts = (part.replace("~1", "/").replace("~0", "~") for part in str(each.get("path")).split("/")[1:])
    return f"{each['op']} {'.'.join(parts)}"


def _patched(operations: list[dict[str, Any]]) -> Mapping[str, Any]:
    """What a JSON patch makes of nothing: TABLE -> key -> fields; what it takes away the image has made."""
    root: dict[str, Any] = {}
    for operation in operations:
        parts = str(operation.get("path", "")).split("/")[1:]
        *above, last = (part.replace("~1", "/").replace("~0", "~") for part in parts or [""])
        at = root
        for part in above:
            below = at.setdefault(part, {})
            at = below if isinstance(below, dict) else {}
        if operation.get("op") in ("add", "replace"):
            at[last] = operation.get("value")
        else:
            at.pop(last, None)
    return root


def _yaml(rules: Rules, reader: Reader, text: str) -> str:
    if reader.block(text, rules.command):
        return ""
    parsed = parse("", text, Places(SourceMap()))
    reader.paths(parsed.data, rules.command)
    return f"{NO_YAML}: {parsed.problems[0].message[:100]}" if parsed.problems else ""


_FORMS = {"json": _json, "yaml": _yaml}
