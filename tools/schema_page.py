"""docs/schema.md: every key of an inventory with type, bounds, meaning and an example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from netplan.load import load_texts
from netplan.model.inventory_schema import inventory_schema
from tools.check_pages import MADE

INVENTORIES = Path(__file__).resolve().parent.parent / "inventories"
LONGEST = 60
"""Longest example, in characters; longer mappings are shown key by key."""
BOUNDS = (
    ("minimum", "from {}"),
    ("maximum", "to {}"),
    ("minItems", "at least {:,} entries"),
    ("maxItems", "at most {:,} entries"),
    ("minProperties", "at least {:,} entries"),
    ("maxLength", "at most {:,} characters"),
    ("pattern", "form `{}`"),
)


class _Key(NamedTuple):
    """A key with its full path, and the values that inventories have there."""

    path: str
    schema: Mapping[str, Any]
    needed: bool
    values: list[Any]


def schema_page() -> Iterator[str]:
    schema = inventory_schema()
    shipped = [_shipped(path) for path in sorted(INVENTORIES.glob("*.yaml"), key=_kitchen_sink_first)]
    yield "# Inventory"
    yield MADE
    yield f"{schema['description']} `netplan schema` prints the JSON Schema this page is made from."
    yield (
        "`NAME` stands for a name you choose, `[]` for an entry of a list. Examples come from the shipped "
        "inventories, most of them of [kitchen-sink](../inventories/kitchen-sink.yaml), which uses every key."
    )
    for key, sub in schema["properties"].items():
        examples = [data[key] for data in shipped if key in data]
        yield f"## `{key}`"
        yield f"{sub['description']} ({_facts(sub, key in schema['required'])})"
        rows = list(_rows(sub, key, examples))
        if rows:
            yield "\n".join(["| key | | meaning | example |", "|---|---|---|---|", *rows])


def _shipped(path: Path) -> dict[str, Any]:
    data = load_texts({path.name: path.read_text(encoding="utf-8")}).data
    return data if isinstance(data, dict) else {}


def _kitchen_sink_first(path: Path) -> tuple[bool, str]:
    return path.stem != "kitchen-sink", path.stem


def _rows(schema: Mapping[str, Any], path: str, examples: list[Any]) -> Iterator[str]:
    """A table row for everything below ``schema``, depth first; ``examples``: values at ``path``."""
    for name, sub, needed, values in _below(schema, path, examples):
        cells = [f"`{name}`", _facts(sub, needed), sub["description"], _example(values)]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
        if "x-netplan-own" not in sub:  # fields of another project
            yield from _rows(sub, name, values)


def _below(schema: Mapping[str, Any], path: str, examples: list[Any]) -> Iterator[_Key]:
    required, stated = schema.get("required", ()), schema.get("properties", {})
    maps = [value for value in examples if isinstance(value, Mapping)]
    for key, sub in stated.items():
        yield _Key(f"{path}.{key}", sub, key in required, [value[key] for value in maps if key in value])
    if isinstance(schema.get("additionalProperties"), dict):
        named = [value[key] for value in maps for key in value if key not in stated]
        yield _Key(f"{path}.NAME", schema["additionalProperties"], False, named)
    if "items" in schema:
        lists = [value for value in examples if isinstance(value, list)]
        yield _Key(f"{path}[]", schema["items"], False, [entry for entries in lists for entry in entries])


def _example(values: list[Any]) -> str:
    """The first value that fits into a cell, as in an inventory; empty if none does."""
    texts = (
        yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=1000).removesuffix("\n...\n")
        for value in values
    )
    return next((f"`{text.strip()}`" for text in texts if len(text) < LONGEST), "")


def _facts(schema: Mapping[str, Any], needed: bool) -> str:
    """Type, allowed values, bounds, default."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    parts = [" or ".join(kinds)]
    if "enum" in schema:
        parts.append("one of " + " ".join(f"`{value}`" for value in schema["enum"]))
    parts += [text.format(schema[key]) for key, text in BOUNDS if key in schema]
    if "default" in schema:
        parts.append(f"default `{_yaml_word(schema['default'])}`")
    if needed:
        parts.append("**required**")
    return ", ".join(parts)


def _yaml_word(value: Any) -> str:
    words = {True: "true", False: "false"}
    return words[value] if isinstance(value, bool) else str(value)
