"""Any mutated inventory gives findings with a place, a code and an action, or artifacts that verify."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from netplan.checks import REGISTRY
from netplan.diagnostics import Severity
from netplan.explain import entries
from netplan.load import load_texts
from netplan.model.acceptance import can_be_set_aside
from netplan.pipeline import Result, compile_texts
from netplan.verify import DERIVED
from tests.inventories import SHIPPED, text_of
from tests.mutations import KINDS, Mutation, mutated

WHOLE = tuple(name for name in SHIPPED if name not in ("kitchen-sink", "multi-vendor"))
"""Inventories of which the full tests make one mutation in ``EVERY``; --nightly makes all, also those of the
large inventories."""
EVERY = 5
MUTATIONS, RENDERED = 20_000, 1_000
"""Lower bounds: number of mutations, and number that end in artifacts."""
SAMPLE = 6
"""Sample size: mutations per kind and inventory."""


def chosen(data: Any, kind: str, everything: bool) -> list[Mutation]:
    """All mutations, or a sample spread evenly over the inventory."""
    every = list(KINDS[kind](data))
    return every if everything else every[:: max(1, len(every) // SAMPLE)]


def data_of(name: str) -> Any:
    return load_texts({f"{name}.yaml": text_of(name)}).data


@cache
def codes() -> frozenset[str]:
    return frozenset(entries())


def faults(text: str, result: Result) -> Iterator[str]:
    """Faults of a result that are wrong for any inventory."""
    lines, known = text.split("\n"), codes()
    for found in result.diagnostics:
        source = found.source
        if source is None or not 1 <= source.line <= len(lines):
            yield f"no place: {found}"
        elif not 1 <= source.column <= len(lines[source.line - 1]) + 1:
            yield f"column outside its line: {found}"
        if found.code not in known or not found.message or not found.hint:
            yield f"no code, message or hint: {found}"
        if found.code.startswith("NP9") or found.code in DERIVED:
            yield f"artifact that does not verify: {found}"
    failed = any(found.severity is Severity.ERROR for found in result.diagnostics)
    if failed == bool(result.artifacts):
        yield "neither errors nor artifacts, or both"


def outcome(text: str) -> tuple[list[str], bool]:
    """(faults, whether there were artifacts)."""
    try:
        result = compile_texts({"inventory.yaml": text})
        return list(faults(text, result)), bool(result.artifacts)
    except Exception as error:
        return [f"{type(error).__name__}: {error}"], False


def test_there_are_enough_of_them():
    assert sum(len(chosen(data_of(name), kind, True)) for name in WHOLE for kind in KINDS) >= MUTATIONS


@pytest.mark.full
@pytest.mark.parametrize("name", WHOLE)
def test_every_mutation_is_compiled_or_reported(name: str, request: pytest.FixtureRequest):
    data = data_of(name)
    step = 1 if request.config.getoption("--nightly") else EVERY
    mutations = [m for kind in KINDS for m in chosen(data, kind, True)][::step]
    wrong, rendered = {}, 0
    for mutation in mutations:
        found, made = outcome(mutated(data, mutation))
        rendered += made
        if found:
            wrong[mutation.id] = found
    assert wrong == {}
    assert rendered / len(mutations) >= RENDERED / MUTATIONS


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SHIPPED)
def test_a_mutation_is_compiled_or_reported(name: str, kind: str, request: pytest.FixtureRequest):
    data = data_of(name)
    everything = name not in WHOLE and request.config.getoption("--nightly")
    mutations = chosen(data, kind, everything)
    assert mutations
    wrong = {m.id: found for m in mutations if (found := outcome(mutated(data, m))[0])}
    assert wrong == {}


@pytest.mark.sample(10)
@pytest.mark.parametrize("kind", ["removed", "duplicated", "chosen"])
@pytest.mark.parametrize("name", SHIPPED)
def test_an_accepted_finding_is_no_crash(name: str, kind: str, request: pytest.FixtureRequest):
    """An accepted error reaches plan and render, and verify judges the result."""
    data = data_of(name)
    mutations = chosen(data, kind, request.config.getoption("--nightly"))[::2]
    acceptable = [code for code, check in REGISTRY.items() if can_be_set_aside(code, check.severity)]
    data["accept"] = [{"check": code, "at": ".", "reason": "all of it"} for code in acceptable]
    found = {m.id: outcome(mutated(data, m))[0] for m in mutations}
    assert {key: texts for key, texts in found.items() if any("Error: " in text for text in texts)} == {}
