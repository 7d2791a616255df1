"""When schema defaults are filled in: for ranged mappings after merging, elsewhere immediately."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RANGED = (("hosts",), ("switches",), ("host_types", "*", "hcas"))
"""Mappings whose entries merge over each other; ``resolve.expand`` fills their defaults after merging."""


def entry_schema(schema: Mapping[str, Any], at: tuple[str, ...]) -> Mapping[str, Any]:
    """The schema of one entry of the ranged mapping at ``at``."""
    for key in at:
        schema = schema["additionalProperties"] if key == "*" else schema["properties"][key]
    entry: Mapping[str, Any] = schema["additionalProperties"]
    return entry
