"""Whatever entry of ``links`` is missing, a finding names a line: one cable in a thousand is easy to miss."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Diagnostic, Severity
from netplan.load import load_texts
from netplan.pipeline import compile_texts
from tests.inventories import FOLDER, text_of

EXEMPT: dict[tuple[str, int], str] = {}
"""(inventory, entry of links) -> why its absence cannot be detected. None so far."""

CONSEQUENCES = {"NP118", "NP306", "NP601", "NP616", "NP620", "NP719"}
"""Codes of consequences of a missing cable, which would be noise beside the cause."""


@cache
def parsed(name: str) -> dict[str, Any]:
    data = load_texts({"inventory.yaml": text_of(name)}).data
    assert isinstance(data, dict)
    return data


def findings(data: dict[str, Any]) -> tuple[Diagnostic, ...]:
    return compile_texts({"inventory.yaml": yaml.safe_dump(data, sort_keys=False)}, upto="plan").diagnostics


@cache
def before(name: str) -> frozenset[tuple[str, str]]:
    return frozenset((d.code, d.message) for d in findings(parsed(name)))


def without(name: str, index: int) -> list[Diagnostic]:
    """New errors and warnings after an entry is removed."""
    data = deepcopy(parsed(name))
    del data["links"][index]
    return [
        d
        for d in findings(data)
        if d.severity >= Severity.WARNING and (d.code, d.message) not in before(name)
    ]


def entries() -> Iterator[tuple[str, int]]:
    for path in sorted(FOLDER.glob("*.yaml")):
        yield from ((path.stem, index) for index in range(len(parsed(path.stem).get("links", ()))))


ENTRIES = list(entries())


def test_there_are_entries_of_both_kinds():
    assert len({name for name, _ in ENTRIES}) >= 7
    every = [parsed(name)["links"][index] for name, index in ENTRIES]
    assert sum("hosts" in link for link in every) >= 20
    assert sum("switches" in link for link in every) >= 40


@pytest.mark.parametrize(("name", "index"), ENTRIES, ids=[f"{name}-{index}" for name, index in ENTRIES])
def test_a_missing_entry_is_noticed(name: str, index: int):
    found = without(name, index)
    if (name, index) in EXEMPT:
        assert found == [], "it is noticed: no exemption is needed"
        return
    assert found
    assert all(d.source is not None and d.path for d in found)
    assert not {d.code for d in found} & CONSEQUENCES


def test_the_known_gap():
    """Findings for a missing entry of the first shipped inventory, about hosts and about leaves."""
    hosts, uplinks = without("iei-rocev2", 0), without("iei-rocev2", 2)
    assert [(d.code, d.path) for d in hosts] == [("NP826", ("hosts", "gpu-[001-016]"))]
    assert hosts[0].message == (
        "roce[0-3] of gpu-[001-016] have no cable, links[0] cables roce0 of gpu-101 to leaf-1"
    )
    assert [(d.code, d.path) for d in uplinks] == [("NP830", ("links", 2))]
    assert uplinks[0].message == (
        "leaf-1 has 4 links to spine-2 and none to spine-1; leaf-[2-4] have 4 links each to spine-[1-2]"
    )


@pytest.mark.parametrize("name", sorted({name for name, _ in ENTRIES}))
def test_nothing_is_reported_without_a_fault(name: str):
    assert {code for code, _ in before(name)} & {
        "NP826",
        "NP827",
        "NP828",
        "NP829",
        "NP830",
        "NP831",
    } == set()
