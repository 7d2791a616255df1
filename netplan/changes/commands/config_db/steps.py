"""The steps of a CONFIG_DB change: early removals, commands, rows to load, the patch, the last rows.

A patch may neither leave a table empty nor add to a table that does not exist. Which other rows a switch has
in a table is not known here, so netplan's last rows of a table are removed by the switch's own commands if
there are any, and first rows are added by ``config load``, which merges into what exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from netplan.changes.commands.config_db.buffers import Operation, operation
from netplan.changes.commands.config_db.difference import DbDifference
from netplan.changes.commands.config_db.state import Place, Row, Tables, merged

_NONE: Mapping[str, Any] = {}


@dataclass(slots=True)
class Steps:
    """Steps in the order of the fields. ``guarded``: tables that a patch removes as a whole."""

    first: list[Operation] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    load: Tables = field(default_factory=dict)
    patch: list[Operation] = field(default_factory=list)
    load_last: Tables = field(default_factory=dict)
    guarded: list[str] = field(default_factory=list)


class _Maker:
    def __init__(self, old: Tables, new: Tables, found: DbDifference, rows: Mapping[str, Any]) -> None:
        self._tables = list(new)
        self._rules: Mapping[str, Mapping[str, Any]] = rows["tables"]
        self._early = frozenset(rows["early"])
        self._now, self._found = merged({}, old), found
        self.steps = Steps()

    def make(self) -> Steps:
        found = self._found
        self._last_tables()
        loading = self._loading()
        if loading:
            self._swap()
            found.first |= {place for place in found.gone if place[0] in self._early}
        self._all_at_once()
        self._remove([place for place in found.gone if place in found.first], self.steps.first)
        later = [place for place in found.gone if place not in found.first]
        emptied = [place for place in later if self._left(place[0], later) == 0]
        self._remove(emptied, self.steps.patch)
        self._add(loading)
        self._remove([place for place in reversed(later) if place not in emptied], self.steps.patch)
        self.steps.commands.sort(key=self._order)
        return self.steps

    def _add(self, loading: bool) -> None:
        found = self._found
        if loading:
            for (table, key), row in found.added.items():
                self.steps.load.setdefault(table, {})[key] = row
            self._load_fields()
        else:
            self.steps.patch += [operation("add", place, row) for place, row in found.added.items()]
        for (table, key), row in found.added.items():
            self._now.setdefault(table, {})[key] = row
        for place, changed in found.fields.items():
            sooner = self._rule(place).get("sooner") and None not in changed.values()
            patch = self.steps.first if sooner else self.steps.patch
            patch += _of_fields(place, changed, self._now.get(place[0], {}).get(place[1], {}))

    def _last_tables(self) -> None:
        """Rows of tables that patches may not touch: loaded last, removed by a command."""
        found = self._found
        for place, changed in list(found.fields.items()):
            if self._rule(place).get("load"):
                row = {**self._now[place[0]].get(place[1], {}), **changed}
                del found.fields[place]
                if None in changed.values():
                    found.gone[place] = self._now[place[0]][place[1]]
                found.added[place] = {name: value for name, value in row.items() if value is not None}
        for place in [place for place in found.added if self._rule(place).get("load")]:
            self.steps.load_last.setdefault(place[0], {})[place[1]] = found.added.pop(place)
        for place in [place for place in found.gone if self._rule(place).get("load")]:
            del found.gone[place], self._now[place[0]][place[1]]
            command = _command(self._rule(place)["command"], place[1])
            if command:
                self.steps.commands.append(command)
            else:
                found.stays.append(("no command removes a row of this name", *place, ""))

    def _rule(self, place: Place) -> Mapping[str, Any]:
        return self._rules.get(place[0], _NONE)

    def _left(self, table: str, gone: list[Place]) -> int:
        """Number of netplan's rows left in a table at the end."""
        added = sum(place[0] == table for place in self._found.added)
        return len(self._now.get(table, {})) - sum(place[0] == table for place in gone) + added

    def _loading(self) -> bool:
        """Whether a row goes into a table that may not exist, or that the image has under that name."""
        gone = self._found.first
        for place in (*self._found.added, *self._absent()):
            kept = [key for key in self._now.get(place[0], {}) if (place[0], key) not in gone]
            if not kept or self._rule(place).get("over"):
                return True
        return False

    def _absent(self) -> Iterator[Place]:
        """Rows of the switch itself that nothing was stated about."""
        return (place for place in self._found.fields if place[1] not in self._now.get(place[0], {}))

    def _load_fields(self) -> None:
        """In the order of the new files."""
        for place in list(self._absent()):
            changed = self._found.fields.pop(place)
            self.steps.load.setdefault(place[0], {})[place[1]] = changed
        order = [name for name in self._tables if name in self.steps.load]
        self.steps.load = {name: self.steps.load[name] for name in order}

    def _swap(self) -> None:
        """Remove and recreate rows whose old form may not coexist with new ones."""
        found = self._found
        for place in [p for p in found.fields if self._rule(p).get("swap")]:
            before = self._now[place[0]][place[1]]
            row = {**before, **found.fields.pop(place)}
            found.gone[place] = before
            found.added[place] = {name: value for name, value in row.items() if value is not None}
            found.again.add(place)

    def _all_at_once(self) -> None:
        """If a table loses all its rows, some of them early, all go early: by commands."""
        gone = self._found.gone
        for table in {table for table, _ in self._found.first}:
            if "emptied" in self._rules.get(table, _NONE) and self._left(table, list(gone)) == 0:
                self._found.first |= {place for place in gone if place[0] == table}

    def _remove(self, places: list[Place], patch: list[Operation]) -> None:
        """Remove rows that still exist; a table that would be left empty is handled another way."""
        tables: dict[str, list[str]] = {}
        for table, key in places:
            tables.setdefault(table, []).append(key)
        for table, keys in tables.items():
            rows = self._now[table]
            emptied = len(keys) == len(rows) and not self._rules.get(table, _NONE).get("stock")
            command = self._rules.get(table, _NONE).get("emptied", _NONE)
            if not emptied:
                patch += [operation("remove", (table, key)) for key in keys]
            elif command and all(re.fullmatch(command["key"], key) for key in keys if _asked(command, key)):
                asked = [key for key in keys if _asked(command, key)]
                self.steps.commands += [_command(command, key) for key in asked]
            else:
                patch += [operation("test", (table,), dict(rows)), operation("remove", (table,))]
                self.steps.guarded.append(table)
            for key in keys:
                del rows[key]

    def _order(self, command: str) -> int:
        """Position of the command among the rows of the data."""
        known = [row["emptied"]["command"] for row in self._rules.values() if "emptied" in row]
        starts = [text.partition("{")[0] for text in known]
        return next((n for n, start in enumerate(starts) if command.startswith(start)), -1)


def _asked(command: Mapping[str, Any], key: str) -> bool:
    """Whether a command is needed: not for rows that the switch removes together with others."""
    return not ("skip" in command and re.fullmatch(command["skip"], key))


def _command(command: Mapping[str, Any], key: str) -> str:
    match = re.fullmatch(command["key"], key)
    return str(command["command"]).format(**match.groupdict()) if match else ""


def _of_fields(place: Place, changed: Mapping[str, Any], before: Row) -> Iterator[Operation]:
    for name, value in changed.items():
        if value is None:
            yield operation("remove", (*place, name))
        else:
            yield operation("replace" if name in before else "add", (*place, name), value)


def steps(old: Tables, new: Tables, found: DbDifference, rows: Mapping[str, Any]) -> Steps:
    """``rows``: the section config_db of change.yaml. Consumes ``found``."""
    return _Maker(old, new, found, rows).make()
