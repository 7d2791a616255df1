"""The steps of a change of CONFIG_DB: what goes first, commands, rows to load, the patch, the last rows.

A patch may not leave a table empty, and adds to none that is not there. What a switch has of its own in a
table is not known here, so the last rows that netplan has in one go by the switch's own commands where it has
any, and the first ones come by ``config load``, which adds to what is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from netplan.changes.commands.config_db.buffers import Operation, operation
from netplan.changes.commands.config_db.difference import Difference
from netplan.changes.commands.config_db.state import Place, Row, Tables, merged

_NONE: Mapping[str, Any] = {}


@dataclass(slots=True)
class Steps:
    """In the order of the fields. ``guarded``: tables that a patch removes whole."""

    first: list[Operation] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    load: Tables = field(default_factory=dict)
    patch: list[Operation] = field(default_factory=list)
    load_last: Tables = field(default_factory=dict)
    guarded: list[str] = field(default_factory=list)


class _Maker:
    def __init__(self, old: Tables, new: Tables, found: Difference, rows: Mapping[str, Any]) -> None:
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
        """Rows of ours in a table when all is done."""
        added = sum(place[0] == table for place in self._found.added)
        return len(self._now.get(table, {})) - sum(place[0] == table for place in gone) + added

    def _loading(self) -> bool:
        """Whether a row comes into a table that may not be there, or where the image has one of that name."""
        gone = self._found.first
        for place in (*self._found.added, *self._absent()):
            kept = [key for key in self._now.get(place[0], {}) if (place[0], key) not in gone]
            if not kept or self._rule(place).get("over"):
                return True
        return False

    def _absent(self) -> Iterator[Place]:
        """Rows of the switch's own of which nothing was stated."""
        return (place for place in self._found.fields if place[1] not in self._now.get(place[0], {}))

    def _load_fields(self) -> None:
        """In the order of the new files."""
        for place in list(self._absent()):
            changed = self._found.fields.pop(place)
            self.steps.load.setdefault(place[0], {})[place[1]] = changed
        order = [name for name in self._tables if name in self.steps.load]
        self.steps.load = {name: self.steps.load[name] for name in order}

    def _swap(self) -> None:
        """Rows that may not be beside new ones as they were are made anew."""
        found = self._found
        for place in [p for p in found.fields if self._rule(p).get("swap")]:
            before = self._now[place[0]][place[1]]
            row = {**before, **found.fields.pop(place)}
            found.gone[place] = before
            found.added[place] = {name: value for name, value in row.items() if value is not None}
            found.again.add(place)

    def _all_at_once(self) -> None:
        """Of a table that loses all its rows, and some of them first, all go first: commands take them."""
        gone = self._found.gone
        for table in {table for table, _ in self._found.first}:
            if "emptied" in self._rules.get(table, _NONE) and self._left(table, list(gone)) == 0:
                self._found.first |= {place for place in gone if place[0] == table}

    def _remove(self, places: list[Place], patch: list[Operation]) -> None:
        """From the rows that are there now; a table that would be left without any goes another way."""
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
        """As the rows of the data stand."""
        known = [row["emptied"]["command"] for row in self._rules.values() if "emptied" in row]
        starts = [text.partition("{")[0] for text in known]
        return next((n for n, start in enumerate(starts) if command.startswith(start)), -1)


def _asked(command: Mapping[str, Any], key: str) -> bool:
    """Rows that the switch removes by itself with others need no command."""
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


def steps(old: Tables, new: Tables, found: Difference, rows: Mapping[str, Any]) -> Steps:
    """``rows``: the section config_db of change.yaml. Uses ``found`` up."""
    return _Maker(old, new, found, rows).make()
