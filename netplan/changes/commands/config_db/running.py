"""What a CONFIG_DB that runs has of the planned rows, and what stands in their way.

A first rollout goes onto the rows of the factory. What nobody planned stays, but for rows that cannot be
beside planned ones: a port of a VLAN has no address (``exclusive`` of change.yaml).
"""

from __future__ import annotations

import json
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

_BUFFERS = "BUFFER_"
_NEIGHBOURS = "BGP_NEIGHBOR"


class Running:
    """``text``: the dump. ``planned``: the files, of which ``tables`` and ``patch`` are names."""

    def __init__(self, text: str, planned: Files, tables: Sequence[str], patch: str) -> None:
        self._rows = tables_of(text)
        self._planned = {name: tables_of(planned.get(name, "")) for name in tables}
        self._state = state_of(planned, tables, patch)
        self._patch, self._patch_text = patch, planned.get(patch, "")

    def in_the_way(self, exclusive: Sequence[Mapping[str, Any]]) -> dict[Place, frozenset[str]]:
        """Rows and which of their fields; all of them where the row itself is."""
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
        """BGP neighbours of nobody's plan whose own address goes."""
        gone = {key.partition("|")[2].partition("/")[0] for _, key in also if "|" in key}
        planned = self._state.rows.get(_NEIGHBOURS, {})
        for address, row in self._rows.get(_NEIGHBOURS, {}).items():
            if address not in planned and row.get("local_addr") in gone:
                yield address

    def bare(self) -> frozenset[str]:
        """Tables of the plan in which nobody has another row: without the planned ones they are empty."""
        planned = self._state.rows
        return frozenset(name for name in planned if self._rows.get(name, {}).keys() <= planned[name].keys())

    def lacking(self) -> tuple[str, ...]:
        """Tables of buffers that the planned patch changes and the dump does not have."""
        paths = (tokens(str(op["path"])) for op in operations_of(self._patch_text))
        tables = dict.fromkeys(path[0] for path in paths if path)
        return tuple(name for name in tables if name.startswith(_BUFFERS) and name not in self._rows)

    def without(self, also: Mapping[Place, frozenset[str]]) -> str:
        """The dump without these."""
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
        """The planned rows as they run, in the form of the planned files, and ``also``."""
        found = {name: self._owned(tables) for name, tables in self._planned.items()}
        first = next(iter(found.values()), {})
        for (table, key), fields in also.items():
            row = first.setdefault(table, {}).setdefault(key, {})
            row |= {name: value for name, value in self._rows[table][key].items() if name in fields}
        texts = {name: json.dumps(tables) for name, tables in found.items()}
        texts[self._patch] = json.dumps(self._patched())
        return texts

    def _owned(self, planned: Tables) -> Tables:
        """No fields that the plan does not have."""
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
        """Operations on rows that are what these make of them."""
        return [op for one in self._done(self._state.patched.items()) for op in one.operations]

    def _done(self, places: Iterable[tuple[Place, Patched]]) -> Iterable[Patched]:
        for (table, key), one in places:
            if self._rows.get(table, {}).get(key) == one.now:
                yield one
