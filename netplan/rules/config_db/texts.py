"""Rules about the text of one file: is it JSON, and is it tables of rows of texts."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.model.document import Places
from netplan.reading.config_db.names import FIELDS, MANY, OF_BROADCOM, TABLES, meant
from netplan.reading.config_db.scan import Number, Scanned
from netplan.reading.config_db.switch import Spot, with_others
from netplan.report import and_more
from netplan.rules.config_db.registry import RowFinding, rule

_DEPTH = 2
"""Levels above a field: table and row."""


class File:
    """One file as a subject of rules, with the places of its contents."""

    def __init__(self, scanned: Scanned, places: Places) -> None:
        self.scanned, self.places = scanned, places

    @property
    def tables(self) -> dict[str, Any]:
        return self.scanned.data if isinstance(self.scanned.data, dict) else {}


def _one(file: File) -> int:
    return 1


@rule(
    "NP870",
    "config_db file that is not JSON",
    on=File,
    counts=_one,
    accepted="never",  # without JSON, no other rule can check the file
)
def not_json(file: File) -> Iterator[RowFinding]:
    """The file violates RFC 8259, or is larger or more deeply nested than any switch configuration; or it
    begins with a byte order mark, which the tools refuse.

    **Why.** `config load` and `config reload` use a strict JSON parser and stop at the first error; after
    `config reload` of such a file the switch comes up without a configuration.

    **Fix.** Correct the syntax at the place given.

    **Source.** RFC 8259; sonic-net/sonic-utilities 691b1bbc config/main.py (`json.load`).
    """
    for problem in file.scanned.problems:
        if not problem.repeated:
            yield RowFinding(Spot(problem.offset, problem.path), problem.message, problem.hint)


@rule("NP871", "duplicate key in config_db", on=File, counts=_one)
def repeated_keys(file: File) -> Iterator[RowFinding]:
    """An object has the same key twice, with different values.

    **Why.** The parser silently keeps the last one, so half of a table, often a second `PORT_QOS_MAP`
    pasted below the first, never reaches the switch.

    **Fix.** Merge the two, or remove one.

    **Source.** RFC 8259 section 4; Python `json.load`, which SONiC's tools use.
    """
    for problem in file.scanned.problems:
        if problem.repeated:
            yield RowFinding(Spot(problem.offset, problem.path), problem.message, problem.hint)


def _values(file: File) -> int:
    return int(file.scanned.readable)


@rule("NP872", "config_db is not tables of rows with text values", on=File, counts=_values)
def shape(file: File) -> Iterator[RowFinding]:
    """config_db consists of tables, rows, and fields that are texts or lists of texts. A configuration below
    another object, one level too deep, is reported once. Tables, and fields of ports, QoS, buffers, VLANs and
    BGP neighbours, have the names that SONiC knows: one that is almost such a name, which is absent, is
    misspelt. The other rules read it as the name that was meant.

    **Why.** Redis hashes hold text. A nested object is written as its Python representation, `true`
    becomes `True` (which no daemon accepts as `true`). A table that is a list aborts the load, and so does
    a list with a number in it: the load joins its values as texts. Nothing reads a misspelt name, and `config
    reload FILE` of 202505 and later refuses a file with a table or field that SONiC's models do not have.

    **Fix.** Write every value as a text, `"true"`; a row without fields is `{}`.

    **Source.** sonic-net/sonic-swss-common 85a39d80 common/configdb.h and swsssdk ConfigDBConnector
    (`typed_to_raw`); sonic-net/SONiC wiki Configuration; sonic-net/sonic-utilities 691b1bb config/main.py
    (config_file_yang_validation, tablesWithOutYang); models of sonic-net/sonic-buildimage 086b03bd.
    """
    data = file.scanned.data
    if not isinstance(data, dict):
        hint = 'write one object of tables: {"PORT": {...}}'
        yield RowFinding(
            Spot(file.scanned.base, ()), f"the file is {_kind(data)}, not an object of tables", hint
        )
        return
    if not any(name.strip()[:1].isupper() for name in data):
        if data or file.scanned.note:
            what, hint = _without_tables(data, file.scanned.note)
            yield RowFinding(Spot(file.scanned.base, ()), f"the file is {what}", hint)
        return
    yield from _misspelt(file)
    deep = [name for name, rows in data.items() if name.strip()[:1].isupper() and _too_deep(rows)]
    for table, rows, at, _ in file.places.entries(data):
        if not table.strip()[:1].isupper():  # it never reaches the database
            continue
        if table in deep:
            if table == deep[0]:
                more = with_others(len(deep) - 1, "object like it", "objects like it")
                message = f"{table} holds tables, not rows: they are one level too deep{more}"
                yield RowFinding(Spot(at, (table,)), message, f"write the tables in {table} at the top level")
            continue
        if not isinstance(rows, dict):
            hint = 'write {"ROW": {"FIELD": "TEXT"}}'
            yield RowFinding(
                Spot(at, (table,)), f"table {table} is {_kind(rows)}, not an object of rows", hint
            )
            continue
        yield from _rows(file, table, rows)


def _without_tables(data: dict[str, Any], note: str) -> tuple[str, str]:
    """What a file without a table is, and what to do."""
    within = [
        name for name, rows in data.items() if isinstance(rows, dict) and any(map(_TABLE.fullmatch, rows))
    ]
    if within and not note:
        names = ", ".join(within[:3]) + and_more(len(within[3:]), "object")
        what = f"without a table at the top level: the tables are in {names}"
        return what, "give each configuration a file of its own, with its tables at the top level"
    what = note or "without a table: no name in it begins with a capital letter"
    return what, "use the file that `config save` writes, or a dump of database 4"


def _misspelt(file: File) -> Iterator[RowFinding]:
    """Tables that SONiC does not have and almost has, and fields; once for each name of a table."""
    if not OF_BROADCOM.isdisjoint(file.tables):  # it has tables and fields of its own
        return
    strange = [name for name in file.tables if name.strip() not in TABLES][:MANY]
    for table in strange:
        entry = file.places.child(file.tables, table)
        right = meant(table.strip(), TABLES, file.tables) if entry and table.strip()[:1].isupper() else ""
        if entry and right:
            message = f"{table.strip()} is no table of SONiC, {right} is: nothing reads it"
            yield RowFinding(Spot(entry[1], (table,)), message, f"write {right}")
    for table in sorted(FIELDS.keys() & file.tables.keys()):
        yield from _misspelt_fields(file, table)


def _strange_fields(rows: Any, known: frozenset[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Row, name and fields of the row, for each name that its table does not have."""
    for key, fields in rows.items() if isinstance(rows, dict) else ():
        strange = [name for name in fields if name not in known] if isinstance(fields, dict) else ()
        yield from ((key, name, fields) for name in strange)


def _misspelt_fields(file: File, table: str) -> Iterator[RowFinding]:
    known = FIELDS[table]
    found: dict[tuple[str, str], list[tuple[str, str, dict[str, Any]]]] = {}
    for key, name, fields in islice(_strange_fields(file.tables[table], known), MANY):
        if right := meant(name.strip(), known, fields):
            found.setdefault((name.strip(), right), []).append((key, name, fields))
    for (name, right), places in sorted(found.items(), key=lambda one: one[0]):
        key, written, fields = places[0]
        entry = file.places.child(fields, written)
        more = with_others(len(places) - 1, "row has it", "rows have it")
        message = f"{name} of {table} {key} is no field of SONiC, {right} is: nothing reads it{more}"
        if entry:
            yield RowFinding(Spot(entry[1], (table, key, written)), message, f"write {right}")


_TABLE = re.compile(r"[A-Z][A-Z0-9_]+|sonic-.*:.*")
"""Names of tables, and of their containers in the data of SONiC's models."""


def _too_deep(rows: Any) -> bool:
    """Whether most of what should be rows of fields are tables of rows."""
    filled = [(name, row) for name, row in rows.items() if row] if isinstance(rows, dict) else []
    tables = [row for name, row in filled if isinstance(row, dict) and _TABLE.fullmatch(name)]
    return 2 * sum(any(isinstance(value, dict) for value in row.values()) for row in tables) > len(filled)


def _rows(file: File, table: str, rows: dict[str, Any]) -> Iterator[RowFinding]:
    for key, fields, at, _ in file.places.entries(rows):
        if not isinstance(fields, dict):
            message = f"row {key} of {table} is {_kind(fields)}, not an object of fields"
            yield RowFinding(Spot(at, (table, key)), message, _instead(table, key))
            continue
        for name, value, field_at, _ in file.places.entries(fields):
            if value is None or isinstance(value, str):
                continue
            if isinstance(value, list) and all(type(item) is str for item in value):  # no Number either
                continue
            if _is_boolean(table, name, value):  # NP873
                continue
            what, hint = _kind(value), "put it in double quotes; remove it if it has no value"
            if isinstance(value, list):
                what, hint = f"{what} with values other than text", "put each of its values in double quotes"
            if isinstance(value, dict):
                hint = f'write fields of a row "{name}" of {table}: a table has rows, a row has fields'
            message = f"{name} of {table} {key} is {what}, not a text"
            yield RowFinding(Spot(field_at, (table, key, name)), message, hint)


def _instead(table: str, key: str) -> str:
    """What to write for a row that is no object; a table with a bar in its name is a key of redis."""
    name, bar, row = table.partition("|")
    written = f'{{"{name}": {{"{row}": {{"{key}": "TEXT"}}}}}}'
    return f"write {written}" if bar else "write {} for a row without fields"


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Number):
        return f"the number {str(value)[:24]}"
    if isinstance(value, str):
        return "a text"
    return "an object" if isinstance(value, dict) else "a list"


@rule("NP873", "number or null in a text field of config_db", on=File, counts=_values, severity=Severity.INFO)
def bare_numbers(file: File) -> Iterator[RowFinding]:
    """Fields are JSON numbers or null, or true and false where SONiC has them. Reported once a file, because
    it is usually the style of a generator.

    **Why.** `config load` writes the number as decimal text, so `9100` works, but `1e3` or `9100.0` is
    not what the daemon expects; null becomes the text None. Tools that compare the file with the running
    configuration always see a difference.

    **Fix.** Put the number in double quotes; remove null fields.

    **Source.** sonic-net/sonic-py-swsssdk 2107e8a src/swsssdk/configdb.py (`typed_to_raw` uses `str`);
    sonic-net/sonic-utilities 691b1bb config/main.py, `config save`: what the database has, which is texts.
    """
    found = list(_no_texts(file))
    for table, key, name, at, value in found[:1]:
        more = with_others(len(found) - 1, "field is not a text", "fields are not texts")
        message = f"{name} of {table} {key} is {_kind(value)}, config_db has text{more}"
        hint = "leave it out" if value is None else f'write "{str(value)[:24]}"'
        yield RowFinding(Spot(at, (table, key, name)), message, hint)


def _no_texts(file: File) -> Iterator[tuple[str, str, str, int, Any]]:
    for table, rows in file.tables.items():
        for key, fields in rows.items() if isinstance(rows, dict) and table[:1].isupper() else ():
            if not isinstance(fields, dict) or all(_is_text(table, n, v) for n, v in fields.items()):
                continue
            for name, value, at, _ in file.places.entries(fields):
                if not _is_text(table, name, value):
                    yield table, key, name, at, value


def _is_text(table: str, name: str, value: Any) -> bool:
    """Whether a value passes for text here; NP872 covers the rest."""
    return value is not None and type(value) is not Number and not _is_boolean(table, name, value)


def _is_boolean(table: str, name: str, value: Any) -> bool:
    return isinstance(value, bool) and name in _BOOLEANS.get(table, ())


_BOOLEANS = {"FEATURE": frozenset({"delayed", "has_global_scope", "has_per_asic_scope", "has_timer"})}
"""Fields that are JSON booleans in SONiC's own file, and that its daemons read as True and False
(sonic-net/sonic-buildimage files/build_templates/init_cfg.json.j2: `has_timer` and both scopes at 45d17466,
`delayed` at c8439cdd)."""


def _blank(key: str) -> bool:
    return any(part != part.strip() for part in key.split("|"))


@rule("NP860", "key with surrounding white space", on=File, counts=_values)
def blanks(file: File) -> Iterator[RowFinding]:
    """The name of a table, the key of a row or a field begins or ends with white space. Reported once per
    file; all other rules use the key without it.

    **Why.** Nothing strips it: `"Ethernet0|10.0.0.0/31 "` is a different key from the one without the
    space, and `"mtu "` is a field that no daemon reads.

    **Fix.** Remove the spaces, in most editors by replacing ` "` followed by a colon.

    **Source.** sonic-net/sonic-buildimage 086b03bd src/sonic-config-engine/sonic-cfggen (`to_serialized` and
    `output_to_db` write keys as they stand); patterns and leafrefs of src/sonic-yang-models.
    """
    found = list(_blank_keys(file))
    for path, at in found[:1]:
        more = with_others(len(found) - 1, "key has", "keys have")
        message = f"the key {path[-1]!r} has surrounding white space{more}"
        yield RowFinding(Spot(at, path), message, "remove the spaces")


def _blank_keys(file: File) -> Iterator[tuple[Path, int]]:
    pending: deque[tuple[Path, dict[str, Any]]] = deque([((), file.tables)])
    while pending:
        path, entries = pending.popleft()
        if path and not any(_blank(key) for key in entries) and len(path) == _DEPTH:
            continue
        for key, value, at, _ in file.places.entries(entries) if entries else ():
            if not path and not key.strip()[:1].isupper():
                continue
            if _blank(key):
                yield (*path, key), at
            if isinstance(value, dict) and len(path) < _DEPTH:
                pending.append(((*path, key), value))
