"""The fast yes or no to numbers, and to the data of NOS folders; `test_verify_schemas.py` has the rest."""

from __future__ import annotations

from typing import Any

import pytest

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
