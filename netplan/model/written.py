"""Where the files of an inventory state a value, ranges included."""

from __future__ import annotations

from itertools import islice
from typing import Any

from netplan.diagnostics import Path, Source
from netplan.model.document import Document
from netplan.model.ranges import MAX_NAMES, RangeError, expand, is_range


class Written:
    """Finds what is written under a range, by the name of one of its members."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._ranges: dict[int, dict[str, str]] = {}

    def find(self, path: Path) -> Path | None:
        """The path in the files that states a value; None if none does."""
        return self._find(self._document.data, path)

    def locate(self, path: Path) -> Source | None:
        """Place of a value: where it is stated, also by a range, else of its nearest parent."""
        return self._document.locate(self.find(path) or path)

    def _find(self, data: Any, path: Path) -> Path | None:
        if not path:
            return ()
        for key in self._keys(data, path[0]):
            below = self._find(data[key], path[1:])
            if below is not None:
                return (key, *below)
        return None

    def _keys(self, data: Any, part: str | int) -> list[Any]:
        """The part itself, then the ranged key that contains the name."""
        if isinstance(data, list):
            return [part] if isinstance(part, int) and part < len(data) else []
        if not isinstance(data, dict):
            return []
        own = [part] if part in data else []
        ranged = self._range_by_name(data).get(str(part))
        return [*own, ranged] if ranged else own

    def _range_by_name(self, data: dict[str, Any]) -> dict[str, str]:
        """Name -> the ranged key of this map that contains it."""
        if id(data) not in self._ranges:
            found = ((name, key) for key in data if is_range(key) for name in _members(key))
            self._ranges[id(data)] = dict(islice(found, MAX_NAMES))  # resolve has refused a map with more
        return self._ranges[id(data)]


def _members(key: str) -> tuple[str, ...]:
    try:
        return expand(key)
    except RangeError:
        return ()
