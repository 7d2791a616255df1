"""Defaults of netplan's own YAML are in its schemas; each is a value that its schema accepts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import netplan
from netplan.model.inventory_schema import packaged_schema
from netplan.strict import fill

FILES = ("nos", "readback", "commands", "operator-releases")
FILE_NAMES = ("README.md",)
"""Keys that name rendered files, not data."""
READERS = ("nos/profile.py", "reading/switches/rules.py", "catalog/__init__.py", "release_data.py")


def parts(schema: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        yield path, schema
        for key, below in schema.items():
            yield from parts(below, f"{path}.{key}")


@pytest.mark.parametrize("name", FILES)
def test_a_default_is_a_value_of_its_schema(name: str) -> None:
    found = [
        (path, part)
        for path, part in parts(packaged_schema(f"{name}.schema.json"))
        if "default" in part and not path.endswith(".properties")
    ]
    assert found
    assert [
        path
        for path, part in found
        if not jsonschema.Draft202012Validator(part).is_valid(fill(part["default"], part))
    ] == []


@pytest.mark.parametrize("file", READERS)
def test_a_reader_has_no_default_of_its_own(file: str) -> None:
    """No ``.get(key, value)`` on data that the schema has completed."""
    tree = ast.parse((Path(netplan.__file__).parent / file).read_text(encoding="utf-8"))
    gets = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "get"
        and len(node.args) > 1
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value not in FILE_NAMES
    ]
    assert gets == []


def test_filling_leaves_the_data_as_it_was() -> None:
    schema = {
        "properties": {
            "a": {"default": {}, "properties": {"b": {"default": [1]}}},
            "c": {"items": {"properties": {"d": {"default": 0}}}},
            "e": {"additionalProperties": {"properties": {"d": {"default": 0}}}},
        }
    }
    data = {"c": [{}, {"d": 1}, "text"], "e": {"x": {}}}
    wanted = {"c": [{"d": 0}, {"d": 1}, "text"], "e": {"x": {"d": 0}}, "a": {"b": [1]}}
    assert fill(data, schema) == wanted
    assert data == {"c": [{}, {"d": 1}, "text"], "e": {"x": {}}}
    assert fill(data, schema, [("e",)])["e"] == {"x": {}}
