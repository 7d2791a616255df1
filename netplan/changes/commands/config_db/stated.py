"""The fields of CONFIG_DB, setting by setting."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from netplan.changes.commands.config_db.state import (
    Tables,
    merged,
    operations_of,
    state_of,
    tables_of,
    tokens,
)
from netplan.changes.commands.in_place import MOST
from netplan.changes.commands.model import Files, InPlace, Stated

_EMPTY = "NULL"
"""The field of a row that has none."""


def stated(
    files: Files, names: Sequence[str], patch: str, rules: Mapping[str, Any]
) -> dict[Hashable, Stated]:
    """Rows and fields. ``names``, ``patch``: of the planned files; ``rules``: the tables of change.yaml."""
    rows: Tables = {}
    for text in files.values():
        rows = merged(rows, tables_of(text))
    for (table, key), one in state_of(files, names, patch).patched.items():
        if one.now is not None:
            rows = merged(rows, {table: {key: one.now}})
    found: dict[Hashable, Stated] = {}
    for table, keys in rows.items():
        rule = rules.get(table, {})
        for key, row in keys.items():
            block = f"{table}|{key}"
            found[table, key] = Stated((table, key), table, block, "", block, own=False)
            for name, value in row.items():
                text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
                levels, kind, at = (table, key, f"{name} = {text}"), f"{table} {name}", f"{block} {name}"
                own = not rule.get("fields") and not _as_without(rule, (key, name, text), rows)
                if name != _EMPTY:
                    found[table, key, name] = Stated(levels, kind, at, text, block, own)
    return found


def _as_without(rule: Mapping[str, Any], stated: tuple[str, str, str], rows: Tables) -> bool:
    """Whether a field sets the same as no such field. ``stated``: key, field and value."""
    key, name, text = stated
    if table := rule.get("named", {}).get(name):
        return all(f"{key}|{each}" in rows.get(table, {}) for each in text.split(",") if each)
    return re.fullmatch(rule.get("unset", {}).get(name, "(?!)"), text) is not None


def in_place(
    runs: Mapping[Hashable, Stated], planned: Mapping[Hashable, Stated], rules: Mapping[str, Any]
) -> Iterator[InPlace]:
    """Fields of rows that run under other names: of those that ports use where the plan uses a row of its
    own. The first has for each planned row the one that most ports use, and so on."""
    used: dict[tuple[str, str], Counter[str]] = {}
    for key, will in planned.items():
        table = rules.get(will.levels[0], {}).get("refers", {}).get(will.levels[-1].partition(" = ")[0])
        was = runs.get(key)
        if table and was is not None:
            used.setdefault((table, will.text), Counter())[was.text] += 1
    rows: dict[tuple[str, str], list[Hashable]] = {}
    for key, one in runs.items():
        rows.setdefault((one.levels[0], one.levels[1] if len(one.levels) > 1 else ""), []).append(key)
    for rank in range(min(MOST, max(map(len, used.values()), default=0))):
        found: dict[Hashable, tuple[Hashable, Stated]] = {}
        for (table, name), others in used.items():
            runs_as = others.most_common()[min(rank, len(others) - 1)][0]
            for key in rows.get((table, runs_as), ()) if runs_as != name else ():
                one = runs[key]
                new = replace(one, levels=(table, name, *one.levels[2:]), block=f"{table}|{name}")
                found[(table, name, *_field(one))] = key, new
        yield InPlace(found)


def _field(one: Stated) -> tuple[str, ...]:
    return tuple(level.partition(" = ")[0] for level in one.levels[2:])


def without(files: Files, patch: str, keys: Set[Hashable]) -> Files:
    """The files without these rows and fields."""
    texts = dict(files)
    for file in texts.keys() - {patch}:
        texts[file] = json.dumps(_left(tables_of(texts[file]), keys), indent=2)
    if patch in texts:
        operations = operations_of(texts[patch])
        texts[patch] = json.dumps([op for op in operations if keys.isdisjoint(_set_by(op))], indent=2)
    return texts


def _left(tables: Tables, keys: Set[Hashable]) -> Tables:
    return {
        table: {
            key: {name: value for name, value in row.items() if (table, key, name) not in keys}
            for key, row in rows.items()
            if (table, key) not in keys
        }
        for table, rows in tables.items()
    }


def _set_by(operation: Mapping[str, Any]) -> set[tuple[str, ...]]:
    place, value = tuple(tokens(str(operation["path"]))), operation.get("value")
    return {place, *((*place, name) for name in value)} if isinstance(value, dict) else {place}
