"""The inventory's JSON Schema as data; defaults and descriptions are read from here."""

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


@cache
def inventory_schema() -> dict[str, Any]:
    loaded: dict[str, Any] = inlined(_read(FILE), FILE, _read)
    return loaded


def _read(name: str) -> Any:
    return json.loads((resources.schemas() / name).read_text(encoding="utf-8"))
