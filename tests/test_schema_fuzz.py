"""Inventories generated from the schema: most are valid by the schema but wrong in meaning."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from netplan import catalog, nos
from netplan.load import load_texts
from netplan.model.inventory_schema import inventory_schema
from netplan.pipeline import compile_texts
from netplan.strict import end_anchored
from tests.inventories import SHIPPED, text_of
from tests.leaves import schema_at
from tests.mutations import Mutation, mutated, nodes
from tests.test_mutations import faults

TEXTS = (
    "25%",
    "a", "b", "c-[1-2]", "c-1", "d0", "cnp", "rails", "x[0-3/1]", "Ethernet[0-4/4]", "1.32", "26.4", "2.26.2",
    "0-1", "100-101", "0000:18:00.0", "b8:59:9f:00:00:02", "10.0.0.0/8", "10.1.0.0/24", "10.1.0.1/24",
    "10.1.0.1", "fd00::/48", "fd00::1", "10.1.0.9-10.1.0.12", "0x0012", "NP301", "2030-01-01", "1017",
    "https://example.com/x", "example.com/t:1", "nvidia.com/gpu", "amd.com/gpu",
    *catalog.hca_rows(), *catalog.switch_rows(), *nos.available(),
)  # fmt: skip
"""Texts to choose from: few, so that references often match names."""
MISTAKES = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 10**18), st.sampled_from(["", "a", "a]", "c-[2-1]"])
)


def texts(schema: Mapping[str, Any]) -> st.SearchStrategy[str]:
    fits = end_anchored(schema.get("pattern", "")).search
    longest = schema.get("maxLength", 255)
    return st.sampled_from([text for text in TEXTS if fits(text) and len(text) <= longest])


def numbers(schema: Mapping[str, Any]) -> st.SearchStrategy[int]:
    low, high = schema.get("minimum", 0), schema.get("maximum", 100)
    return st.one_of(st.integers(low, min(high, low + 3)), st.sampled_from([low, high]))


def lists(schema: Mapping[str, Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(
        values(schema["items"]),
        min_size=schema.get("minItems", 0),
        max_size=3 if schema.get("maxItems", 3) > 2 else schema["maxItems"],
        unique_by=json.dumps,
    )


def mappings(schema: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    if "properties" not in schema:
        names = texts(schema["propertyNames"])
        return st.dictionaries(names, values(schema["additionalProperties"]), min_size=1, max_size=3)
    needed = schema.get("required", ())
    fields = {key: values(below) for key, below in schema["properties"].items()}
    return st.fixed_dictionaries(
        {key: field for key, field in fields.items() if key in needed},
        optional={key: field for key, field in fields.items() if key not in needed},
    )


KINDS = {
    "object": mappings,
    "array": lists,
    "string": texts,
    "integer": numbers,
    "boolean": lambda _: st.booleans(),
}


def values(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values the schema accepts."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of([KINDS[kind](schema) for kind in types])


@st.composite
def inventories(draw: st.DrawFn) -> str:
    """An inventory that is valid by the schema, or invalid in one value."""
    data = draw(values(inventory_schema()))
    every = list(nodes(data))
    if draw(st.integers(0, 3)):
        return json.dumps(data, indent=1)
    path, _ = every[draw(st.integers(0, len(every) - 1))]
    mistake = draw(MISTAKES)
    return mutated(data, Mutation("", path, lambda container, key: container.__setitem__(key, mistake)))


@st.composite
def grafts(draw: st.DrawFn) -> str:
    """A shipped inventory with one part, large or small, generated: most of it is meaningful."""
    data = load_texts({"shipped": text_of(draw(st.sampled_from(SHIPPED)))}).data
    path, _ = draw(st.sampled_from(list(nodes(data))))
    part = draw(values(schema_at(path)))
    return mutated(data, Mutation("", path, lambda container, key: container.__setitem__(key, part)))


bounded = settings(
    max_examples=200,
    derandomize=True,
    database=None,
    deadline=2000,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)


@bounded
@given(grafts())
def test_any_part_of_an_inventory_is_compiled_or_reported(text: str):
    assert list(faults(text, compile_texts({"inventory.yaml": text}))) == []


@bounded
@given(inventories())
def test_any_inventory_is_compiled_or_reported(text: str):
    assert list(faults(text, compile_texts({"inventory.yaml": text}))) == []


def test_every_text_of_the_schema_can_be_made():
    """A pattern that no text matches would make the strategy empty."""
    patterns = set(re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', json.dumps(inventory_schema())))
    wanting = [p for p in map(json.loads, patterns) if not any(end_anchored(p).search(t) for t in TEXTS)]
    assert wanting == []
