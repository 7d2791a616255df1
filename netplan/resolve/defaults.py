"""Fill defaults from the schema, the only place where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RANGED = (("hosts",), ("switches",), ("host_types", "*", "hcas"))
"""Mappings whose entries merge over each other: their defaults are filled after merging, by
``resolve.expand``."""


def fill(value: Any, schema: Mapping[str, Any], at: tuple[str, ...] = ()) -> Any:
    """A copy of ``value`` with the schema's defaults in every mapping below it, ranged mappings left as they
    are."""
    if at in RANGED:
        return value
    if isinstance(value, dict):
        known = schema.get("properties", {})
        out = {}
        for key, item in value.items():
            sub = known.get(key, schema.get("additionalProperties"))
            out[key] = fill(item, sub, (*at, key if key in known else "*")) if isinstance(sub, dict) else item
        for key, sub in known.items():
            if key not in out and "default" in sub:
                out[key] = fill(sub["default"], sub, (*at, key))
        return out
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [fill(item, schema["items"], (*at, "*")) for item in value]
    return value


def entry_schema(schema: Mapping[str, Any], at: tuple[str, ...]) -> Mapping[str, Any]:
    """Schema of one entry of a ranged mapping."""
    for key in at:
        schema = schema["additionalProperties"] if key == "*" else schema["properties"][key]
    entry: Mapping[str, Any] = schema["additionalProperties"]
    return entry
