"""Apply an overlay to an inventory: its values are added or replace those there, null removes.

Maps are merged key by key at any depth. A list is replaced as a whole, unless the schema declares identifying
keys for its items (``x-netplan-key``): items with equal keys are merged, others are appended.
Every value keeps the source position of the file it comes from.

NP024  an overlay changes nothing at a place
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from netplan.diagnostics import Diagnostic, Path, Severity, dotted
from netplan.model.document import Places
from netplan.records import dataclass

_MISSING = object()
_NOT_THERE = "correct the key, or take it out of the overlay"


class Laid(NamedTuple):
    """A value with the offsets of its key and of itself. ``changed``: whether the overlay changed it."""

    value: Any
    key_at: int
    value_at: int
    changed: bool


@dataclass(frozen=True, slots=True)
class Overlaying:
    """``keys``: top-level list -> keys that identify its items. ``notes``: NP024 findings."""

    places: Places
    keys: Mapping[str, Sequence[str]]
    notes: list[Diagnostic] = field(default_factory=list)
    _known: dict[tuple[int, int], Laid] = field(default_factory=dict)

    def lay(self, under: Any, under_at: int, over: Any, over_at: int) -> Any:
        """Apply one overlay to the top level; adds a note for each part that changes nothing."""
        self._known.clear()  # keyed by id(): values of the previous overlay may be freed and their ids reused
        return self._value(
            (), Laid(under, under_at, under_at, False), Laid(over, over_at, over_at, True)
        ).value

    def _value(self, path: Path, under: Laid, over: Laid) -> Laid:
        """Merge two values at one place. A value shared by aliases is merged once per counterpart."""
        if isinstance(over.value, dict):
            both = (id(under.value), id(over.value))
            if both not in self._known:
                found = self._maps(path, under, over)
                self._known[both] = found
            return self._known[both]._replace(key_at=under.key_at)
        if isinstance(over.value, list) and isinstance(under.value, list):
            return self._lists(path, under, over)
        return self._replaced(path, under, over)

    def _maps(self, path: Path, under: Laid, over: Laid) -> Laid:
        """Merge two maps. If ``under`` is not a map, every key is new and a null removes nothing."""
        new = not isinstance(under.value, dict)
        noted = len(self.notes)
        entries = {} if new else self._entries(under.value)
        changed = new
        for key, value, key_at, value_at in self.places.entries(over.value):
            stated = Laid(value, key_at, value_at, True)
            changed |= self._entry(entries, (*path, key), stated)
        if not changed:
            self._fold(noted, path, over, under)
            return under
        return Laid(self._put(entries), under.key_at, over.value_at if new else under.value_at, True)

    def _entry(self, entries: dict[str, Laid], path: Path, over: Laid) -> bool:
        """Apply one key of the overlay to ``entries``; returns whether that changed them."""
        key = str(path[-1])
        under = entries.get(key)
        if over.value is None:
            if under is None:
                self._note(path, over, None)
                return False
            del entries[key]
            return True
        if under is None:
            nothing = Laid(_MISSING, over.key_at, over.value_at, False)
            entries[key] = self._value(path, nothing, over) if isinstance(over.value, dict) else over
            return True
        entries[key] = self._value(path, under, over)
        return entries[key].changed

    def _lists(self, path: Path, under: Laid, over: Laid) -> Laid:
        keys = self.keys.get(str(path[0]), ()) if len(path) == 1 else ()
        if not keys:
            return self._replaced(path, under, over)
        items = [Laid(value, at, at, False) for value, at in self._items(under.value)]
        known = {name: place for place, item in enumerate(items) if (name := _name(item.value, keys))}
        noted, changed = len(self.notes), False
        for value, at in self._items(over.value):
            stated = Laid(value, at, at, True)
            place = known.get(_name(value, keys) or ())
            if place is None:
                items.append(stated)
                changed = True
            else:
                items[place] = self._value((*path, place), items[place], stated)
                changed |= items[place].changed
        if not changed:
            self._fold(noted, path, over, under)
            return under
        data = [item.value for item in items]
        self.places.put(data, (item.value_at for item in items))
        return Laid(data, under.key_at, under.value_at, True)

    def _replaced(self, path: Path, under: Laid, over: Laid) -> Laid:
        if type(under.value) is type(over.value) and under.value == over.value:
            self._note(path, over, under)
            return under
        return over

    def _items(self, container: list[Any]) -> Iterable[tuple[Any, int]]:
        return zip(container, self.places.items(container), strict=True)

    def _entries(self, container: dict[str, Any]) -> dict[str, Laid]:
        rows = self.places.entries(container)
        return {key: Laid(value, key_at, at, False) for key, value, key_at, at in rows}

    def _put(self, entries: Mapping[str, Laid]) -> dict[str, Any]:
        data = {key: entry.value for key, entry in entries.items()}
        self.places.put(data, _offsets(entries.values()))
        return data

    def _fold(self, noted: int, path: Path, over: Laid, under: Laid) -> None:
        """Replace the notes of several parts by one for the whole map or list, if none of it is new."""
        own = self.notes[noted:]
        if len(own) != 1 and not any(note.hint == _NOT_THERE for note in own):
            del self.notes[noted:]
            self._note(path, over, under)

    def _note(self, path: Path, over: Laid, under: Laid | None) -> None:
        source = self.places.sources.source
        what, hint = f"null removes nothing: {dotted(path)} does not exist", _NOT_THERE
        if under is not None:
            what = f"{dotted(path)} changes nothing: {source(under.key_at)} has it already"
            hint = "take it out of the overlay"
        self.notes.append(Diagnostic("NP024", Severity.INFO, path, what, hint, source(over.key_at)))


def _name(value: Any, keys: Sequence[str]) -> tuple[str, ...] | None:
    """The item's values of the identifying keys; None if it lacks one."""
    if not isinstance(value, dict) or not all(isinstance(value.get(key), str) for key in keys):
        return None
    return tuple(value[key] for key in keys)


def _offsets(entries: Iterable[Laid]) -> Iterable[int]:
    return (at for entry in entries for at in (entry.key_at, entry.value_at))
