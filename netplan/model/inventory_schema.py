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
    """With the files that it refers to, as one."""
    return json.dumps(inventory_schema(), indent=2) + "\n"


def inventory_schema() -> dict[str, Any]:
    return packaged_schema(FILE)


@cache
def item_keys() -> Mapping[str, tuple[str, ...]]:
    """List at the top level of an inventory -> the keys that tell its items apart, where the schema names
    them."""
    rows = inventory_schema()["properties"].items()
    return {name: tuple(row["x-netplan-key"]) for name, row in rows if "x-netplan-key" in row}


@cache
def packaged_schema(file: str) -> dict[str, Any]:
    """A file of ``schemas/`` with what its references lead to in their place."""
    loaded: dict[str, Any] = inlined(_read(file), file, _read)
    return loaded


def _read(name: str) -> Any:
    return json.loads((resources.schemas() / name).read_text(encoding="utf-8"))
