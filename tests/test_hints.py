"""Hints do not lead in a circle: following one does not produce a hint to undo it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path as FilePath
from typing import Any, NamedTuple

import pytest

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.load import load_texts
from netplan.model.inventory_schema import inventory_schema
from netplan.pipeline import compile_texts
from tests.overlay import FILE, case_texts, compiled, inventory_cases

CASES = inventory_cases("NP*/bad-*.yaml")


class Step(NamedTuple):
    """A value that a hint proposes for a key."""

    at: Path
    value: Any


@cache
def words() -> dict[str, tuple[Any, ...]]:
    """Key -> enum values and booleans that it accepts anywhere in an inventory."""
    found: dict[str, tuple[Any, ...]] = {}

    def walk(schema: Any) -> None:
        for key, below in schema.get("properties", {}).items():
            values = below.get("enum", (True, False) if below.get("type") == "boolean" else ())
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), *values)))
            walk(below)
        for part in ("additionalProperties", "items"):
            if isinstance(schema.get(part), dict):
                walk(schema[part])

    walk(inventory_schema())
    return {key: values for key, values in found.items() if values}


def proposed(found: Diagnostic) -> Iterator[tuple[Step, ...]]:
    """The alternatives that a hint offers, each with all values it sets: ``rails.segment: leaf``, ``segment
    to leaf`` or ``segment leaf``; several values for one key are separate alternatives."""
    for way in re.split(r",? or (?=set |use |state )|, or |; ", found.hint):
        steps: dict[Path, list[Step]] = {}
        for step in _steps(found.path, way):
            steps.setdefault(step.at, []).append(step)
        yield from product(*steps.values()) if steps else ()


def _steps(path: Path, way: str) -> Iterator[Step]:
    for key, values in words().items():
        for value in values:
            text = re.escape(json.dumps(value).strip('"'))
            form = rf"(?<![\w.-])((?:\w+\.)*){key}(?:: | to | )(?:[\w-]+ or )*{text}(?![\w-])"
            for match in re.finditer(form, way):
                at = place(path, tuple(filter(None, match[1].split("."))), key)
                if at is not None:
                    yield Step(at, value)


def place(path: Path, stated: tuple[str, ...], key: str) -> Path | None:
    """Place of a key named in a hint: in the sections it states, else closest to the finding."""
    if stated[:1] == ("owners",):
        stated = ("cluster", *stated)
    tries = [stated] if stated else [path[:n] for n in range(len(path), 0, -1)]
    return next(((*at, key) for at in tries if key in properties(at)), None)


def properties(at: Path) -> Any:
    """Schema of the keys that a mapping may have."""
    schema: Any = inventory_schema()
    for part in at:
        known = schema.get("properties", {})
        below = known.get(part, schema.get("items" if isinstance(part, int) else "additionalProperties"))
        schema = below if isinstance(below, dict) else {}
    return schema.get("properties", {})


def taken(data: Any, step: Step) -> tuple[Any, Any] | None:
    """(inventory with the proposed value, previous value); None if the hint is about another place."""
    out = copy.deepcopy(data)
    here = out
    for part in step.at[:-1]:
        if isinstance(here, dict):
            here = here.get(part) if part in here else None
        else:
            here = here[part] if isinstance(here, list) and isinstance(part, int) else None
    if not isinstance(here, dict):
        return None
    default = properties(step.at[:-1])[step.at[-1]].get("default")
    before = here.get(step.at[-1], default)
    here[step.at[-1]] = step.value
    return (out, before) if before != step.value else None


def circles(data: Any, found: tuple[Diagnostic, ...], depth: int, was: frozenset[Step]) -> Iterator[str]:
    """Chains of hints that end at a value left before. ``was``: the values left so far."""
    for d in found:
        for way in proposed(d) if d.severity > Severity.INFO else ():
            out, left = data, set(was)
            for step in way:
                if changed := taken(out, step):
                    out = changed[0]
                    left.add(Step(step.at, changed[1]))
            if was & set(way):
                yield f"{d.code} {d.hint!r}"
            elif depth and left != was:
                after = compile_texts({FILE: json.dumps(out, indent=1)}).diagnostics
                for rest in circles(out, after, depth - 1, frozenset(left)):
                    yield f"{d.code} {d.hint!r} -> {rest}"


def of_case(case: FilePath, depth: int) -> list[str]:
    texts = case_texts(case)
    return list(circles(load_texts(texts).data, compiled(texts, case).diagnostics, depth, frozenset()))


@pytest.mark.sample(20)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_a_hint_is_not_taken_back(case: FilePath):
    assert of_case(case, 1) == []


SEGMENTS = [case for case in CASES if case.parent.name in ("NP314", "NP601", "NP620", "NP621", "NP719")]
"""Cases in which rails per leaf, stretched or routed to the host are alternatives to each other."""


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", SEGMENTS, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_a_chain_of_hints_is_no_circle(case: FilePath):
    assert of_case(case, 4) == []


def test_hints_are_read():
    keys = {
        step.at[-1]
        for case in CASES
        for found in compiled(case_texts(case), case).diagnostics
        for way in proposed(found)
        for step in way
    }
    assert len(keys) >= 15
