"""Fast schema validation of numbers and of NOS-folder data; `test_verify_schemas.py` tests the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from netplan import resources
from netplan.model.document import Places, SourceMap
from netplan.model.inventory_schema import packaged_schema
from netplan.nos import shipped
from netplan.strict import compiled, validator
from netplan.yaml12 import parse

NUMBERS = [0, 1, 0.0, 0.5, 1.0, -1, -0.5, 1.5, 2, float("nan"), float("inf"), True, "0", None, [0]]
FILES = {"nos.yaml": "nos", "readback.yaml": "readback", "change.yaml": "change", "commands.yaml": "commands"}


@pytest.mark.parametrize("kind", ["number", "integer"])
def test_bounds_of_a_number(kind):
    schema = {"type": kind, "minimum": 0, "maximum": 1}
    accepts, strict = compiled(schema), validator(schema)
    assert [n for n in NUMBERS if accepts(n) and not strict.is_valid(n)] == []
    good: list[Any] = [0, 1] if kind == "integer" else [0, 1, 0.0, 0.5, 1.0]
    assert [n for n in NUMBERS if accepts(n) and n is not True] == good


@pytest.mark.parametrize("file", FILES)
def test_what_ships_is_accepted_without_jsonschema(file):
    accepts = compiled(packaged_schema(f"{FILES[file]}.schema.json"))
    texts = [(folder.path / file).read_text() for folder in shipped().folders.values()]
    assert all(accepts(parse(file, text, Places(SourceMap())).data) for text in texts)


def test_every_keyword_of_a_schema_that_ships_is_known():
    """Subschemas that no file reaches are never compiled, so an unknown keyword there would go unnoticed."""
    used: set[str] = set()
    for path in resources.schemas().rglob("*.json"):
        if path.parent.name != "foreign" and path.name not in _NOT_HERE:
            used |= set(_keywords(json.loads(path.read_text(encoding="utf-8"))))
    assert {"properties", "oneOf", "pattern"} <= used
    for keyword in used - {"$ref", "$defs", "definitions"}:
        compiled({keyword: {}})
    with pytest.raises(KeyError):
        compiled({"if": {}})


_NOT_HERE = {
    "report.schema.json",
    "effects.schema.json",
    "operator-releases.schema.json",
    "waves.schema.json",
}
"""Schemas that only jsonschema uses."""
_BELOW = {
    "items": False,
    "additionalProperties": False,
    "propertyNames": False,
    "properties": True,
    "$defs": True,
}
"""Keyword -> True if it holds schemas by name, False if it holds one schema."""


def _keywords(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for keyword, operand in schema.items():
            yield keyword
            if keyword in ("anyOf", "oneOf"):
                for one in operand:
                    yield from _keywords(one)
            elif keyword in _BELOW:
                for one in operand.values() if _BELOW[keyword] else [operand]:
                    yield from _keywords(one)
