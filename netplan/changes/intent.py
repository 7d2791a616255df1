"""What changed in the inventory, by object; equal changes are grouped by name, with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from netplan.changes.model import Intent
from netplan.diagnostics import Path, dotted
from netplan.model.document import Document
from netplan.model.ranges import RangeError, expand, gathered, is_range
from netplan.model.values import natural

_NAMED = ("hosts", "switches")
"""Sections whose keys may be ranges of names."""
_MISSING: Any = object()
_MOST = 60
"""Longest value shown, in characters."""
Stated = tuple[Path, str, str]
"""(path below an entry, old value, new value)"""


def intent_of(old: Document, new: Document) -> tuple[Intent, ...]:
    """Changes of every section; ``links`` have no names and are compared as entries."""
    before, after = _data(old), _data(new)
    found: list[Intent] = []
    for section in sorted({*before, *after}, key=lambda key: _order(key, before, after)):
        a, b = before.get(section, _MISSING), after.get(section, _MISSING)
        if a == b:
            continue
        if section in _NAMED and isinstance(a, dict | None) and isinstance(b, dict | None):
            found += _of_names(section, a or {}, b or {}, old, new)
        else:
            found += (_intent(change, old, new) for change in _changes((section,), a, b))
    return tuple(found)


def _data(document: Document) -> Mapping[str, Any]:
    return document.data if isinstance(document.data, dict) else {}


def _order(key: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> int:
    """Position in the new inventory; removed keys last."""
    keys = [*after, *(k for k in before if k not in after)]
    return keys.index(key)


def _changes(at: Path, old: Any, new: Any) -> Iterator[Stated]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*new, *old]):
            yield from _changes((*at, key), old.get(key, _MISSING), new.get(key, _MISSING))
    elif _listed(old) and _listed(new):
        yield from _of_list(at, old, new)
    else:
        yield at, _said(old), _said(new)


def _listed(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _of_list(at: Path, old: list[Any], new: list[Any]) -> Iterator[Stated]:
    """Entries of an unnamed list that only one side has."""
    for index, entry in enumerate(new):
        if entry not in old:
            yield (*at, index), "", _said(entry)
    for index, entry in enumerate(old):
        if entry not in new:
            yield (*at, index), _said(entry), ""


def _of_names(
    section: str, old: Mapping[str, Any], new: Mapping[str, Any], before: Document, after: Document
) -> Iterator[Intent]:
    """Names with the same change, as ranges."""
    a, b = dict(_members(old)), dict(_members(new))
    groups: dict[tuple[Stated, ...], list[str]] = {}
    for name in sorted({*a, *b}, key=natural):
        if a.get(name) != b.get(name):
            groups.setdefault(tuple(_of_member(a.get(name), b.get(name))), []).append(name)
    for changes, names in groups.items():
        of_old, of_new = (_key(side, names[0]) for side in (old, new))
        for below, was, now in changes:
            place = _place((section, of_new, *below), after) if of_new else _place((section, of_old), before)
            path = dotted((section, gathered(names), *below))
            yield Intent(path, was, now, place)


def _members(entries: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every name, with what its range and its own entry state."""
    found: dict[str, dict[str, Any]] = {}
    for key in sorted(entries, key=lambda key: not is_range(key)):  # entries of single names override ranges
        stated = entries[key] if isinstance(entries[key], dict) else {}
        for name in _names(key):
            found[name] = _laid(found.get(name, {}), stated)
    for name, values in found.items():
        if not values.get("absent"):
            yield name, values


def _laid(below: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    laid = dict(below)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(laid.get(key), dict)
        laid[key] = _laid(laid[key], value) if both else value
    return laid


def _names(key: str) -> tuple[str, ...]:
    try:
        return expand(key)
    except RangeError:
        return (key,)


def _key(entries: Mapping[str, Any], name: str) -> str:
    """The key that states a name: its own entry, else a range."""
    if name in entries:
        return name
    return next((key for key in entries if is_range(key) and name in _names(key)), "")


def _of_member(old: Any, new: Any) -> Iterator[Stated]:
    if old is None:
        yield (), "", _said(new)
    elif new is None:
        yield (), _said(old), ""
    else:
        yield from _changes((), old, new)


def _said(value: Any) -> str:
    """YAML on one line; empty if there is no value."""
    if value is _MISSING:
        return ""
    text = _flow(value)
    return text if len(text) <= _MOST else f"{text[: _MOST - 3]}..."


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return (
        {True: "true", False: "false", None: "null"}.get(value, str(value)) if _plain(value) else str(value)
    )


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def _intent(change: Stated, old: Document, new: Document) -> Intent:
    path, was, now = change
    document = new if now or not was else old
    return Intent(dotted(path), was, now, _place(path, document))


def _place(path: Path, document: Document) -> str:
    source = document.locate(path)
    return f"{source.file}:{source.line}" if source else ""
