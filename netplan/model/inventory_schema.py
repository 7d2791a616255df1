"""The inventory's JSON Schema as data; defaults and descriptions are read from here."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from netplan import resources


def schema_text() -> str:
    return (resources.schemas() / "inventory.schema.json").read_text(encoding="utf-8")


@cache
def inventory_schema() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(schema_text())
    return loaded
