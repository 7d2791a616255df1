"""The JSON Schemas of the inventory and of netplan's own YAML as data, with their defaults."""

from __future__ import annotations

import json
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
def packaged_schema(file: str) -> dict[str, Any]:
    """A file of ``schemas/`` with what its references lead to in their place."""
    loaded: dict[str, Any] = inlined(_read(file), file, _read)
    return loaded


def _read(name: str) -> Any:
    return json.loads((resources.schemas() / name).read_text(encoding="utf-8"))
