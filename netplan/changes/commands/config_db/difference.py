"""The difference of two states of a CONFIG_DB: rows removed, added and changed, and what stays."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from netplan.changes.commands.config_db.beside import Span, crowding, network_span
from netplan.changes.commands.config_db.state import Place, Row, State, Tables

_NONE: Mapping[str, Any] = {}


@dataclass(slots=True)
class DbDifference:
    """``gone``, ``added``: rows. ``fields``: changed row -> (field, new value or None). ``again``: rows
    that are removed and recreated. ``first``: removed rows that go before anything is added. ``crowded``:
    those of them whose numbers an added row takes. ``stays``: (rule, table, key, field) of what is left on
    the switch."""

    gone: dict[Place, Row] = field(default_factory=dict)
    added: dict[Place, Row] = field(default_factory=dict)
    fields: dict[Place, dict[str, Any]] = field(default_factory=dict)
    again: set[Place] = field(default_factory=set)
    first: set[Place] = field(default_factory=set)
    crowded: set[Place] = field(default_factory=set)
    stays: list[tuple[str, str, str, str]] = field(default_factory=list)


def difference(old: State, new: State, rows: Mapping[str, Any]) -> DbDifference:
    """``rows``: the section config_db of change.yaml."""
    found = DbDifference()
    for place in _places(old.rows, new.rows):
        rule = rows["tables"].get(place[0], _NONE)
        before, after = (state.rows.get(place[0], {}).get(place[1]) for state in (old, new))
        if rule.get("fields"):
            _of_fields(found, place, rule, before or {}, after or {})
        elif before is None:
            found.added[place] = after or {}
        elif after is None:
            _of_gone(found, place, rule, before)
        elif before != after:
            _of_changed(found, place, rule, before, after)
    _with_them(found, old.rows, new.rows, rows["tables"])
    beside = crowding(rows)
    found.first |= found.again | set(_clashing(found, beside.addresses))
    pairs = beside.pairs(found.gone, found.added)
    found.crowded = {gone for gone, _ in pairs if gone[0] in beside.ranges}
    found.first |= found.crowded
    return found


def _places(old: Tables, new: Tables) -> list[Place]:
    return list(
        dict.fromkeys((name, key) for tables in (old, new) for name in tables for key in tables[name])
    )


def _of_fields(found: DbDifference, place: Place, rule: Mapping[str, Any], before: Row, after: Row) -> None:
    """The switch owns such a row: only the fields that netplan states are changed."""
    changed = {name: value for name, value in after.items() if before.get(name) != value}
    for name in before:
        if name in after:
            continue
        if name in rule.get("default", _NONE):
            changed[name] = rule["default"][name]
        elif name in rule.get("stay", _NONE):
            found.stays.append((rule["stay"][name], *place, name))
        else:
            changed[name] = None
    if changed:
        found.fields[place] = changed


def _of_gone(found: DbDifference, place: Place, rule: Mapping[str, Any], before: Row) -> None:
    if place[1] in rule.get("keep", _NONE):
        found.stays.append((rule["keep"][place[1]], *place, ""))
    else:
        found.gone[place] = before


def _of_changed(found: DbDifference, place: Place, rule: Mapping[str, Any], before: Row, after: Row) -> None:
    changed = {name: after.get(name) for name in (*before, *after) if before.get(name) != after.get(name)}
    if any(name in changed for name in rule.get("again", ())):
        found.gone[place], found.added[place] = before, after
        found.again.add(place)
    else:
        found.fields[place] = changed


def _with_them(found: DbDifference, old: Tables, new: Tables, rules: Mapping[str, Any]) -> None:
    """Rows that refer to a recreated row are removed and added with it."""
    for table, key in sorted(found.again):
        for other in rules.get(table, _NONE).get("with", ()):
            for place in [(other, one) for one in old.get(other, {}) if one.startswith(f"{key}|")]:
                found.gone[place] = old[other][place[1]]
                found.fields.pop(place, None)
                found.again.add(place)
                if place[1] in new.get(other, {}):
                    found.added[place] = new[other][place[1]]


def _clashing(found: DbDifference, tables: frozenset[str]) -> Iterator[Place]:
    """Removed addresses that overlap with an added one: two interfaces never have both at once."""
    coming = sorted(span for _, span in _addresses(found.added, tables))
    reach: list[Span] = []  # overlapping spans are merged, so only the nearest one below has to be checked
    for version, first, last in coming:
        if reach and reach[-1][0] == version and first <= reach[-1][2]:
            reach[-1] = (version, reach[-1][1], max(last, reach[-1][2]))
        else:
            reach.append((version, first, last))
    for place, (version, first, last) in _addresses(found.gone, tables):
        below = bisect_right(reach, (version, last, sys.maxsize**3)) - 1
        if below >= 0 and reach[below][0] == version and reach[below][2] >= first:
            yield place


def _addresses(places: Mapping[Place, Row], tables: frozenset[str]) -> Iterator[tuple[Place, Span]]:
    for table, key in places:
        _, bar, address = key.partition("|")
        span = network_span(address) if table in tables and bar else None
        if span is not None:
            yield (table, key), span
