"""Where a value of the inventory comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from netplan.diagnostics import Path, Source
from netplan.model.document import Document
from netplan.model.inventory_schema import inventory_schema
from netplan.model.written import Written
from netplan.show.tree import PLAN, place_of

OriginOf = Callable[[Path, Any], str]
"""(path, value) -> ``file:line``, ``default``, ``computed``, ``not set``, or empty if there is nothing to
say."""

_INVENTORY_WORDS = {"watchdog": "pfc_watchdog"}
"""Fields of the model that have another name in the inventory."""


def origin_in(document: Document) -> OriginOf:
    """Origins for what was built from ``document``.

    A value of the inventory is written in a file, a schema default, computed from other values, or not set.
    In the plan, a branch for one entity has that entity's place; single values have none.
    """
    written = Written(document)

    def origin_of(path: Path, value: Any) -> str:
        if path[:1] == (PLAN,):
            entity = place_of(value)
            return _line(document.locate(entity)) if entity else ""
        words = tuple(_INVENTORY_WORDS.get(str(part), part) for part in path)
        found = written.find(words)
        if found:
            return _line(document.locate(found))
        if "default" in _described(words):
            return "default"
        return "not set" if value is None or value == () or value == {} else "computed"

    return origin_of


def _line(source: Source | None) -> str:
    return f"{source.file}:{source.line}" if source else ""


def _described(path: Path) -> Mapping[str, Any]:
    """The schema of the value at a path; empty if the inventory has no such key."""
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
