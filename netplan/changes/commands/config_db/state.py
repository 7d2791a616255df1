"""What a switch's files put into CONFIG_DB: rows, and changes to rows of the image by a patch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from netplan.changes.commands.model import Files

Row = dict[str, Any]
Tables = dict[str, dict[str, Row]]
Place = tuple[str, str]
"""Table and key of a row."""


@dataclass(slots=True)
class Patched:
    """A row that a patch changes. ``now``: the row afterwards, None if removed. ``made``: the patch creates
    it; otherwise the image has it. ``operations``: as in the file."""

    now: Row | None
    made: bool
    operations: list[Mapping[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class State:
    """``patched``: patched rows that are not in ``rows``."""

    rows: Tables
    patched: Mapping[Place, Patched]


def state_of(files: Files, tables: Sequence[str], patch: str) -> State:
    """``tables``: files with tables, in load order. ``patch``: name of the patch file."""
    rows: Tables = {}
    for name in tables:
        rows = merged(rows, tables_of(files.get(name, "")))
    return State(rows, _patched(operations_of(files.get(patch, "")), rows))


def tables_of(text: str) -> Tables:
    """Tables of a file; rows that are not mappings are left out, CONFIG_DB has none."""
    data = _json(text)
    if not isinstance(data, dict):
        return {}
    kept = {name: rows for name, rows in data.items() if isinstance(rows, dict)}
    return {
        name: {k: dict(row) for k, row in rows.items() if isinstance(row, dict)}
        for name, rows in kept.items()
    }


def operations_of(text: str) -> list[Mapping[str, Any]]:
    data = _json(text)
    return [op for op in data if isinstance(op, dict) and "path" in op] if isinstance(data, list) else []


def _json(text: str) -> Any:
    try:
        return json.loads(text) if text.strip() else None
    except (ValueError, RecursionError):
        return None


def merged(under: Tables, over: Tables) -> Tables:
    """Merges field by field as ``config load`` does; ``over`` wins."""
    found: Tables = {name: {key: dict(row) for key, row in rows.items()} for name, rows in under.items()}
    for name, rows in over.items():
        table = found.setdefault(name, {})
        for key, row in rows.items():
            table[key] = {**table.get(key, {}), **row}
    return found


def tokens(path: str) -> list[str]:
    """The parts of a JSON pointer (RFC 6901)."""
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def pointer(*parts: str) -> str:
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def _patched(operations: Sequence[Mapping[str, Any]], rows: Tables) -> dict[Place, Patched]:
    found: dict[Place, Patched] = {}
    for op in operations:
        parts, value = tokens(str(op["path"])), op.get("value")
        misfit = op.get("op") != "remove" and isinstance(value, dict) != (len(parts) == 2)
        if len(parts) not in (2, 3) or misfit or parts[1] in rows.get(parts[0], {}):
            continue
        place = (parts[0], parts[1])
        one = found.setdefault(place, Patched(None, op.get("op") == "add" and len(parts) == 2))
        one.operations.append(op)
        if op.get("op") == "remove":
            one.now = None if len(parts) == 2 else {k: v for k, v in (one.now or {}).items() if k != parts[2]}
        elif len(parts) == 2:
            one.now = dict(value or {})
        else:
            one.now = {**(one.now or {}), parts[2]: value}
    return found
