"""Where a value of the inventory comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from netplan.diagnostics import Path
from netplan.model.document import Document
from netplan.model.inventory_schema import inventory_schema
from netplan.model.ranges import expand, is_range
from netplan.show.tree import PLAN, place_of

OriginOf = Callable[[Path, Any], str]
"""Path and value -> ``file:line``, ``default``, ``computed``, ``not set``, or empty: nothing to say."""

_INVENTORY_WORDS = {"watchdog": "pfc_watchdog"}
"""Fields of the model that the inventory calls something else."""


def origin_in(document: Document) -> OriginOf:
    """Origins of what was made from ``document``.

    A value of the inventory is written in a file, a default of the schema, computed from other values, or not
    set. In the plan, a thing that is for one entity has the place of that entity, and values have nothing.
    """
    written = _Written(document)

    def origin_of(path: Path, value: Any) -> str:
        if path[:1] == (PLAN,):
            entity = place_of(value)
            return written.place(entity) if entity else ""
        words = tuple(_INVENTORY_WORDS.get(str(part), part) for part in path)
        found = written.find(document.data, words)
        if found:
            return written.place(found)
        if "default" in _described(words):
            return "default"
        return "not set" if value is None or value == () or value == {} else "computed"

    return origin_of


class _Written:
    """What the files of an inventory state, ranges included."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._ranges: dict[int, dict[str, str]] = {}

    def place(self, path: Path) -> str:
        source = self._document.locate(path)
        return f"{source.file}:{source.line}" if source else ""

    def find(self, data: Any, path: Path) -> Path | None:
        """The path that states a value: through its own keys, or through a range that gives such a name."""
        if not path:
            return ()
        for key in self._keys(data, path[0]):
            below = self.find(data[key], path[1:])
            if below is not None:
                return (key, *below)
        return None

    def _keys(self, data: Any, part: str | int) -> list[Any]:
        if isinstance(data, list):
            return [part] if isinstance(part, int) and part < len(data) else []
        if not isinstance(data, dict):
            return []
        own = [part] if part in data else []
        ranged = self._range_by_name(data).get(str(part))
        return [*own, ranged] if ranged else own

    def _range_by_name(self, data: dict[str, Any]) -> dict[str, str]:
        """Name -> the ranged key of this map that gives it."""
        if id(data) not in self._ranges:
            self._ranges[id(data)] = {name: key for key in data if is_range(key) for name in expand(key)}
        return self._ranges[id(data)]


def _described(path: Path) -> Mapping[str, Any]:
    """The schema of the value at a path; empty when the inventory has no such key."""
    schema: Any = inventory_schema()
    for part in path:
        if isinstance(part, int):
            schema = schema.get("items")
        else:
            schema = schema.get("properties", {}).get(part, schema.get("additionalProperties"))
        if not isinstance(schema, dict):
            return {}
    found: dict[str, Any] = schema
    return found
