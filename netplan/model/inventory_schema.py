"""The JSON Schemas of the inventory and of netplan's own YAML as data, with their defaults."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from netplan import resources
from netplan.model.references import inlined

FILE = "inventory.schema.json"


def schema_text() -> str:
    """The schema with the files it refers to, as one document."""
    return json.dumps(inventory_schema(), indent=2) + "\n"


def inventory_schema() -> dict[str, Any]:
    return packaged_schema(FILE)


def schema_at(*path: str) -> dict[str, Any]:
    """The schema of a key; ``*`` stands for any name of a map, ``[]`` for an item of a list."""
    found = inventory_schema()
    for part in path:
        if part == "*":
            found = found["additionalProperties"]
        else:
            found = found["items"] if part == "[]" else found["properties"][part]
    return found


@cache
def item_keys() -> Mapping[str, tuple[str, ...]]:
    """Top-level list of an inventory -> the keys that identify its items, if the schema names them."""
    rows = inventory_schema()["properties"].items()
    return {name: tuple(row["x-netplan-key"]) for name, row in rows if "x-netplan-key" in row}


@cache
def packaged_schema(file: str) -> dict[str, Any]:
    """A file of ``schemas/`` with all references replaced."""
    loaded: dict[str, Any] = inlined(_read(file), file, _read)
    return loaded


def _read(name: str) -> Any:
    return json.loads((resources.schemas() / name).read_text(encoding="utf-8"))
