"""The fields of CONFIG_DB, setting by setting."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping, Sequence, Set
from typing import Any

from netplan.changes.commands.config_db.state import (
    Tables,
    merged,
    operations_of,
    state_of,
    tables_of,
    tokens,
)
from netplan.changes.commands.model import Files, Stated

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
