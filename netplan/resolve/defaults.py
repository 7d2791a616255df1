"""Where the defaults of an inventory are filled: in ranged mappings after merging, elsewhere at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RANGED = (("hosts",), ("switches",), ("host_types", "*", "hcas"))
"""Mappings whose entries merge over each other: their defaults are filled after merging, by
``resolve.expand``."""


def entry_schema(schema: Mapping[str, Any], at: tuple[str, ...]) -> Mapping[str, Any]:
    """Schema of one entry of a ranged mapping."""
    for key in at:
        schema = schema["additionalProperties"] if key == "*" else schema["properties"][key]
    entry: Mapping[str, Any] = schema["additionalProperties"]
    return entry
