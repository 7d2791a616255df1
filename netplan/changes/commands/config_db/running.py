"""Which planned rows a running CONFIG_DB has, and which rows are in their way.

A first rollout goes on top of the factory rows. Unplanned rows stay, except those that cannot coexist with
planned ones: a port in a VLAN has no address (``exclusive`` of change.yaml).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from netplan.changes.commands.config_db.state import (
    Patched,
    Place,
    Tables,
    operations_of,
    state_of,
    tables_of,
    tokens,
)
from netplan.changes.commands.exclusive import beaten, statements_of
from netplan.changes.commands.model import Files
from netplan.report import few

_BUFFERS = "BUFFER_"
_NEIGHBOURS = "BGP_NEIGHBOR"


class Running:
    """``text``: the dump. ``planned``: the planned files; ``tables`` and ``patch`` are names of some of
    them."""

    def __init__(self, text: str, planned: Files, tables: Sequence[str], patch: str) -> None:
        self._rows = tables_of(text)
        self._planned = {name: tables_of(planned.get(name, "")) for name in tables}
        self._state = state_of(planned, tables, patch)
        self._patch, self._patch_text = patch, planned.get(patch, "")

    def in_the_way(self, exclusive: Sequence[Mapping[str, Any]]) -> dict[Place, frozenset[str]]:
        """Row -> its fields in the way; all fields if it is the row itself."""
        found = beaten(statements_of([self._rows]), statements_of(self._planned.values()), exclusive)
        places: dict[Place, frozenset[str]] = {}
        for table, rows in self._rows.items():
            for key, row in rows.items():
                whole = f"{table}|{key}" in found
                fields = {name for name, value in row.items() if f"{table}|{key} {name} {value}" in found}
                if whole or (row and fields == row.keys()):
                    places[table, key] = frozenset(row)
                elif fields:
                    places[table, key] = frozenset(fields)
        return places

    def orphans(self, also: Mapping[Place, frozenset[str]]) -> Iterator[str]:
        """Unplanned BGP neighbours whose local address is removed."""
        gone = {key.partition("|")[2].partition("/")[0] for _, key in also if "|" in key}
        planned = self._state.rows.get(_NEIGHBOURS, {})
        for address, row in self._rows.get(_NEIGHBOURS, {}).items():
            if address not in planned and row.get("local_addr") in gone:
                yield address

    def noted(self, notes: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Sentences on what runs, each with its row of ``notes``."""
        planned = list(statements_of(self._planned.values()))
        for row in notes:
            about = row.get("planned")
            if about is None or any(map(re.compile(about).fullmatch, planned)):
                found = [each for each in statements_of([self._rows]) if re.fullmatch(row["runs"], each)]
                if found:
                    yield f"{few(found, 1)}: {row['text']}", row

    def bare(self) -> frozenset[str]:
        """Planned tables without other rows: they are empty once the planned rows are out."""
        planned = self._state.rows
        return frozenset(name for name in planned if self._rows.get(name, {}).keys() <= planned[name].keys())

    def lacking(self) -> tuple[str, ...]:
        """Buffer tables that the planned patch changes and the dump does not have."""
        paths = (tokens(str(op["path"])) for op in operations_of(self._patch_text))
        tables = dict.fromkeys(path[0] for path in paths if path)
        return tuple(name for name in tables if name.startswith(_BUFFERS) and name not in self._rows)

    def without(self, also: Mapping[Place, frozenset[str]]) -> str:
        """The dump without these rows and fields."""
        left = {
            table: {
                key: {name: value for name, value in row.items() if name not in also.get((table, key), ())}
                for key, row in rows.items()
                if also.get((table, key)) != frozenset(row)
            }
            for table, rows in self._rows.items()
        }
        return json.dumps(left)

    def files(self, also: Mapping[Place, frozenset[str]]) -> Files:
        """The planned rows as they run, plus ``also``, in the form of the planned files."""
        found = {name: self._owned(tables) for name, tables in self._planned.items()}
        first = next(iter(found.values()), {})
        for (table, key), fields in also.items():
            row = first.setdefault(table, {}).setdefault(key, {})
            row |= {name: value for name, value in self._rows[table][key].items() if name in fields}
        texts = {name: json.dumps(tables) for name, tables in found.items()}
        texts[self._patch] = json.dumps(self._patched())
        return texts

    def _owned(self, planned: Tables) -> Tables:
        """The running rows, without fields that the plan does not have."""
        return {
            table: {
                key: {name: value for name, value in self._rows[table][key].items() if name in row}
                for key, row in rows.items()
                if key in self._rows[table]
            }
            for table, rows in planned.items()
            if table in self._rows
        }

    def _patched(self) -> list[Mapping[str, Any]]:
        """Operations of the patch whose rows already are as the patch leaves them."""
        return [op for one in self._done(self._state.patched.items()) for op in one.operations]

    def _done(self, places: Iterable[tuple[Place, Patched]]) -> Iterable[Patched]:
        for (table, key), one in places:
            if self._rows.get(table, {}).get(key) == one.now:
                yield one
