"""Every single value of an inventory, with other values that it could have."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.model.inventory_schema import inventory_schema

Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """(path, value) of everything that is neither a mapping nor a list."""
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in entries:
        if isinstance(item, dict | list):
            yield from leaves(item, (*path, key))
        else:
            yield (*path, key), item


def schema_at(path: Path) -> Mapping[str, Any]:
    """The schema of the value at a path."""
    schema: Mapping[str, Any] = inventory_schema()
    for part in path:
        if isinstance(part, int):
            schema = schema["items"]
        else:
            schema = schema.get("properties", {}).get(part) or schema["additionalProperties"]
    return schema


def others(path: Path, value: Any) -> Iterator[Any]:
    """Other values of the same kind: every other word of an enumeration, else one similar value."""
    schema = schema_at(path)
    if "enum" in schema:
        yield from (v for v in schema["enum"] if v != value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value - 1 if value == schema.get("maximum") else value + 1
    else:
        yield _other_text(str(value))


def _other_text(text: str) -> str:
    """The last digit incremented, or else the last letter doubled: still the same kind of text."""
    digits = list(re.finditer(r"\d", text.split("/")[0] if re.match(r"^[\d.:a-f]+/\d+$", text) else text))
    if digits:
        at = digits[-1].start()
        return text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
    return text + text[-1]


def changed(data: Any, path: Path, value: Any) -> Any:
    """A copy of the inventory with one value replaced."""
    out = copy.deepcopy(data)
    here = out
    for part in path[:-1]:
        here = here[part]
    here[path[-1]] = value
    return out
