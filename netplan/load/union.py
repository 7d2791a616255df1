"""Unite the files of one inventory; no file overrides another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.model.document import Places


class Entry(NamedTuple):
    value: Any
    key_at: int
    value_at: int


class Union:
    """Unites the top-level maps of several files. On a conflict the first file wins and NP002 is reported."""

    def __init__(self, places: Places) -> None:
        self.problems: list[Diagnostic] = []
        self._places = places

    def of(self, maps: Sequence[dict[str, Any]]) -> dict[str, Any]:
        found: dict[str, list[Entry]] = {}
        for one in maps:
            for key, *entry in self._places.entries(one):
                found.setdefault(key, []).append(Entry(*entry))
        data = {key: self._merged(key, entries) for key, entries in found.items()}
        self._places.put(data, (at for first, *_ in found.values() for at in (first.key_at, first.value_at)))
        return data

    def _merged(self, key: str, entries: list[Entry]) -> Any:
        first, *others = entries
        if others and all(isinstance(entry.value, dict) for entry in entries):
            return self._united(key, entries)
        if others and all(isinstance(entry.value, list) for entry in entries):
            return self._concatenated(entries)
        for other in others:
            if not _same_scalar(first.value, other.value):
                self._clash((key,), first, other)
        return first.value

    def _united(self, key: str, entries: list[Entry]) -> dict[str, Any]:
        found: dict[str, Entry] = {}
        for entry in entries:
            for name, *inner in self._places.entries(entry.value):
                other = Entry(*inner)
                first = found.setdefault(name, other)
                if first is not other:
                    self._clash((key, name), first, other)
        data = {name: entry.value for name, entry in found.items()}
        self._places.put(data, (at for entry in found.values() for at in (entry.key_at, entry.value_at)))
        return data

    def _concatenated(self, entries: list[Entry]) -> list[Any]:
        data = [item for entry in entries for item in entry.value]
        self._places.put(data, (at for entry in entries for at in self._places.items(entry.value)))
        return data

    def _clash(self, path: Path, first: Entry, other: Entry) -> None:
        source = self._places.sources.source
        message = f"key {shown(path[-1])} appears twice, first at {source(first.key_at)}"
        if not isinstance(first.value, dict | list) and not isinstance(other.value, dict | list):
            message += f": {shown(first.value)} there, {shown(other.value)} here"
        hint = "keep it in one file only"
        self.problems.append(Diagnostic("NP002", Severity.ERROR, path, message, hint, source(other.key_at)))


def _same_scalar(one: Any, other: Any) -> bool:
    return type(one) is type(other) and not isinstance(one, dict | list) and bool(one == other)


def shown(value: Any) -> str:
    """A scalar as YAML would show it, cut to 60 characters."""
    words = {None: "null", True: "true", False: "false"}
    text = words[value] if value is None or isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
