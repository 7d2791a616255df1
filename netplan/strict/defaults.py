"""Fills in defaults from a schema, the only place that has them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def fill(
    value: Any,
    schema: Mapping[str, Any],
    leave: Collection[tuple[str, ...]] = (),
    at: tuple[str, ...] = (),
) -> Any:
    """A copy of ``value`` with the schema's defaults in every mapping. The schema must have no references.

    ``leave``: mappings to leave as they are, as keys from the top, ``*`` for any key.
    """
    if at in leave:
        return value
    if isinstance(value, dict):
        known = schema.get("properties", {})
        out = {}
        others = schema.get("additionalProperties")
        for key, item in value.items():
            sub = known.get(key, others)
            below = isinstance(item, dict | list) and isinstance(sub, dict)  # nothing else has defaults
            out[key] = fill(item, sub, leave, (*at, key if key in known else "*")) if below else item
        for key, sub in known.items():
            if key not in out and "default" in sub:
                out[key] = fill(sub["default"], sub, leave, (*at, key))
        return out
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [fill(item, schema["items"], leave, (*at, "*")) for item in value]
    return value
