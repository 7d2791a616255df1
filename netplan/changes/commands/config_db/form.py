"""The form of SONiC: CONFIG_DB tables, kernel settings, and FRR's own configuration."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from copy import copy
from dataclasses import replace
from itertools import chain

from netplan.changes.commands import frr, sysctl
from netplan.changes.commands.config_db.beside import crowding
from netplan.changes.commands.config_db.buffers import Buffers, Operation, Unknown
from netplan.changes.commands.config_db.difference import DbDifference, difference
from netplan.changes.commands.config_db.running import Running as RunningDb
from netplan.changes.commands.config_db.state import (
    Place,
    Row,
    State,
    Tables,
    merged,
    operations_of,
    state_of,
    tables_of,
    tokens,
)
from netplan.changes.commands.config_db.stated import in_place, stated, without
from netplan.changes.commands.config_db.steps import Steps, steps
from netplan.changes.commands.data import Rules, together
from netplan.changes.commands.exclusive import beaten, statements_of
from netplan.changes.commands.lookup import line_of
from netplan.changes.commands.model import Change, Files, InPlace, Part, Running, Stated
from netplan.model.folding import folded
from netplan.model.switch_buffers import StockBuffers
from netplan.model.values import natural, parse_network


class ConfigDbForm:
    hides = False
    negate = ""

    def __init__(self, rules: Rules) -> None:
        self._rules, self._rows = rules, rules.rows
        files = self._rows["files"]
        self._tables: Sequence[str] = files["tables"]
        self._patch: str = files["patch"]
        self._crowding = crowding(self._rows)
        models = rules.profile.models.values() if rules.profile else ()
        self._stock: tuple[StockBuffers, ...] = tuple(m.stock_buffers for m in models if m.stock_buffers)

    def change(self, old: Files, new: Files) -> Change:
        before, after = (state_of(files, self._tables, self._patch) for files in (old, new))
        found = difference(before, after, self._rows)
        buffers = list(Buffers(before, after, self._stock).operations(found))
        done = steps(before.rows, after.rows, found, self._rows)
        # before the rows that switch PFC on, where these are loaded
        patch = done.first if done.load else done.patch
        patch += [each for each in buffers if not isinstance(each, Unknown)]
        kernel = sysctl.change(old, new, self._rules)
        moved = self._moved(old, new, (before, after))
        names = () if moved else self._lines(old, new)
        lines = [frr.change(old.get(name, ""), new.get(name, "")) for name in names]
        parts = [
            *self._database(done),
            *kernel.parts,
            *(self._rules.part("frr", text) for text in lines if text),
        ]
        by_hand = [
            *self._stays(found),
            *_unknown(buffers),
            *moved,
            *self._after(sorted(_paths(found)), (before.rows, after.rows), new),
            *kernel.by_hand,
        ]
        return Change(tuple(parts), tuple(by_hand), tuple(self._confirm(done, parts)))

    def both(self, old: Files, new: Files, held: Collection[int] = ()) -> Files:
        texts = {**old, **new}
        before, after = ([tables_of(files.get(name, "")) for name in self._tables] for files in (old, new))
        gone = beaten(statements_of(before), statements_of(after), self._rows["exclusive"])
        for name, under, over in zip(self._tables, before, after, strict=True):
            if name in old and name in new:
                mapped = self._mapped(under, over, held)
                older, newer = self._crowding.apart(_without(under, gone), over)
                texts[name] = json.dumps(merged(merged(older, newer), mapped), indent=2) + "\n"
        if self._patch in old:
            ports = {port for name in self._tables for port in tables_of(new.get(name, "{}")).get("PORT", ())}
            left = _of_both(old[self._patch], new.get(self._patch, "[]"), ports)
            texts[self._patch] = _listed(left)
            if not left:
                del texts[self._patch]
        for name in self._rows["files"]["frr"]:
            if name in old and name in new:
                texts[name] = frr.both(old[name], new[name])
        return texts | sysctl.both(old, new, self._rules)

    def stated(self, files: Files) -> Mapping[Hashable, Stated]:
        return stated(files, self._tables, self._patch, self._rows["tables"])

    def in_place(
        self, runs: Mapping[Hashable, Stated], planned: Mapping[Hashable, Stated], text: str
    ) -> Sequence[InPlace]:
        return [
            InPlace(
                {
                    new: (old, replace(was, number=self.line(text, runs[old])))
                    for new, (old, was) in one.found.items()
                }
            )
            for one in in_place(runs, planned, self._rows["tables"])
        ]

    def without(self, files: Files, keys: Set[Hashable]) -> Files:
        return without(files, self._patch, keys)

    def line(self, text: str, one: Stated) -> int:
        *keys, field = one.levels
        return one.number or line_of(text, [*keys, field.partition(" = ")[0]])

    def running(self, text: str, planned: Files) -> Running:
        one = RunningDb(text, planned, self._tables, self._patch)
        exclusive = self._rows["exclusive"]
        also = one.in_the_way(exclusive)
        new = {name: planned[name] for name in (*self._tables, self._patch) if name in planned}
        keys: dict[tuple[str, int], list[tuple[str, ...]]] = {}
        for table, key in also:
            columns = tuple(key.split("|"))
            keys.setdefault((table, len(columns)), []).append(columns)
        said = tuple(
            (f"{table}|{'|'.join(run.texts)}", self._why(table))
            for (table, _), rows in keys.items()
            for run in folded((table, columns) for columns in sorted(rows, key=lambda row: natural(row[0])))
        )
        orphans = list(one.orphans(also))
        neighbours = f"BGP_NEIGHBOR|{together(orphans)}: their own address goes"
        old, by_hand = dict(one.files(also)), []
        if orphans:
            by_hand.append(f"{neighbours}; `sudo config bgp remove neighbor` each; the way back adds none")
        if lacking := one.lacking():
            del new[self._patch], old[self._patch]
            by_hand.append(
                f"buffers were never loaded ({', '.join(lacking)} not in the dump) and are not changed: "
                "`sudo config qos reload`, then compare a new dump"
            )
        form = self._alone_in(one.bare())
        cleared = one.without(also) if also else ""
        notes = tuple(f"{said} ({self._rules.cited(row)})" for said, row in one.noted(self._rows["notes"]))
        return Running(old, new, form, said, tuple(by_hand), cleared, notes)

    def _alone_in(self, tables: Collection[str]) -> ConfigDbForm:
        """For a switch with only the planned rows in these tables, whatever its image writes."""
        form, rules = copy(self), self._rows["tables"]
        known = {name: {**rules[name], "stock": False} for name in tables if "stock" in rules.get(name, {})}
        form._rows = {**self._rows, "tables": {**rules, **known}}
        return form

    def _why(self, table: str) -> str:
        """The source that its rows cannot coexist."""
        rows = self._rows["exclusive"]
        named = (row for row in rows if row["one"].startswith(table) or row["other"].startswith(table))
        return next(map(self._rules.cited, named), "")

    def _mapped(self, under: Tables, over: Tables, held: Collection[int]) -> Tables:
        """Fields of DSCPs in rows that both have."""
        return {
            table: {
                key: {name: value for name, value in row.items() if name.isdecimal() and int(name) in held}
                for key, row in under.get(table, {}).items()
                if key in over.get(table, {})
            }
            for table in self._rows["code_points"]
            if table in under and table in over
        }

    def _moved(self, old: Files, new: Files, states: tuple[State, State]) -> tuple[str, ...]:
        """What no file does: FRR's configuration gets another owner."""
        owner = self._rows["owner"]
        whole = [name for name, kind in self._rows["files"]["frr"].items() if kind == "whole"]
        has = [any(name in files for name in whole) for files in (old, new)]
        stated = set(_paths(DbDifference(added=_all(states[has[0]].rows))))
        other = any(re.fullmatch(owner["rows"], path) for path in stated)
        return (f"{owner['text']} ({self._rules.cited(owner)})",) if has[0] != has[1] and other else ()

    def _lines(self, old: Files, new: Files) -> Iterator[str]:
        """FRR files to apply. If something else owns the rest of BGP, a new AS number takes a restart, which
        drops the lines; ``after`` says to apply them again."""
        for name, owner in self._rows["files"]["frr"].items():
            routers = {frr.asn(files.get(name, "")) for files in (old, new)} - {""}
            if owner == "whole" or len(routers) < 2:
                yield name

    def _database(self, done: Steps) -> Iterator[Part]:
        """Only the first part has a checkpoint before it."""
        texts = (
            ("patch", _listed(done.first)),
            ("commands", "".join(f"{line}\n" for line in done.commands)),
            ("load", _written(done.load)),
            ("patch", _listed(done.patch)),
            ("load", _written(done.load_last)),
        )
        parts = [self._rules.part(step, text) for step, text in texts if text]
        yield from parts[:1]
        yield from (replace(part, before=()) for part in parts[1:])

    def _stays(self, found: DbDifference) -> Iterator[str]:
        groups: dict[tuple[str, str, str], list[str]] = {}
        for why, table, key, field in found.stays:
            groups.setdefault((table, field, why), []).append(key)
        for (table, field, why), keys in groups.items():
            said = f"{field} of " if field else ""
            yield f"{said}{table}|{together(keys)} stays as it is: {why}"

    def _after(self, changed: Iterable[str], ends: tuple[Tables, Tables], new: Files) -> Iterator[str]:
        """What takes effect only after a restart. ``ends``: rows before and after."""
        for row in self._rows["after"]:
            table, key, field = row["where"].split(".") if "where" in row else ("", "", "")
            if field and field not in ends[1].get(table, {}).get(key, {}):
                continue
            if _concerns(re.compile(row["changed"]), changed, ends):
                again = f"; then apply {row['again']} again" if row.get("again") in new else ""
                yield f"{row['text']}{again} ({self._rules.cited(row)})"

    def _confirm(self, done: Steps, parts: Sequence[Part]) -> Iterator[str]:
        for table in dict.fromkeys(done.guarded):
            yield (
                f"confirm on the switch: {table} has only the rows of the patch; if it has others, the "
                f'switch rejects the patch: replace "test" and "remove" of /{table} by one "remove" per row'
            )
        yield from self._rules.doubts_of(parts)


def _without(tables: Tables, gone: Container[str]) -> Tables:
    """A row that loses all its fields is gone too."""
    found: Tables = {}
    for (table, key), row in _all(tables).items():
        left = {name: value for name, value in row.items() if f"{table}|{key} {name} {value}" not in gone}
        if f"{table}|{key}" not in gone and (left or not row):
            found.setdefault(table, {})[key] = left
    return found


def _all(rows: Tables) -> dict[Place, Row]:
    return {(table, key): row for table, inner in rows.items() for key, row in inner.items()}


def _concerns(pattern: re.Pattern[str], changed: Iterable[str], ends: tuple[Tables, Tables]) -> bool:
    """Whether a changed path matches; with a group ``prefix``: whether the set of networks changes, on any
    interface."""
    if not any(map(pattern.fullmatch, changed)):
        return False
    if "prefix" not in pattern.groupindex:
        return True
    before, after = ({str(network) for network in _networks(pattern, rows)} for rows in ends)
    return before != after


def _networks(pattern: re.Pattern[str], rows: Tables) -> Iterator[object]:
    for table, key in _all(rows):
        match = pattern.fullmatch(f"{table}.{key}.")
        network = parse_network(match["prefix"]) if match else None
        if network is not None:
            yield network.cidr


def _paths(found: DbDifference) -> Iterator[str]:
    """TABLE.KEY.FIELD of everything that changes; the field is empty for a row that is added or removed."""
    for place, row in chain(found.gone.items(), found.added.items()):
        yield from (f"{place[0]}.{place[1]}.{name}" for name in ("", *row))
    for place, changed in found.fields.items():
        yield from (f"{place[0]}.{place[1]}.{name}" for name in changed)


def _unknown(buffers: Iterable[Operation | Unknown]) -> Iterator[str]:
    groups: dict[str, list[str]] = {}
    for each in buffers:
        if isinstance(each, Unknown):
            port, _, numbers = each.place[1].partition("|")
            groups.setdefault(f"{each.place[0]}, {numbers}", []).append(port)
    for row, ports in groups.items():
        names = together(ports)
        yield (
            f"{row} of {names}: put back the image's row, which an earlier buffers.patch.json changed; "
            "no file of netplan says what it was"
        )


def _listed(operations: Iterable[Operation]) -> str:
    lines = [f"  {json.dumps(each)}" for each in operations]
    return "[\n" + ",\n".join(lines) + "\n]\n" if lines else ""


def _written(tables: Tables) -> str:
    """JSON with one row per line."""
    shown = []
    for name, rows in tables.items():
        lines = [f"    {json.dumps(key)}: {json.dumps(row)}" for key, row in rows.items()]
        shown.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(shown) + "\n}\n" if shown else ""


def _of_both(old: str, new: str, ports: Collection[str]) -> list[Operation]:
    """Rows of ports that the new files lack stay as the old patch leaves them. Rows of ``ports`` have one
    value: from the new patch, or from the image if the patch has none."""
    after = operations_of(new)
    named = {_row(each) for each in after}
    kept = (
        each
        for each in operations_of(old)
        if _row(each) not in named and _row(each)[-1].split("|")[0] not in ports
    )
    return [*kept, *after]


def _row(each: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(tokens(str(each["path"]))[:2])
