"""Typical changes as pairs of renders, listed in ``pairs.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from netplan.changes.compare import ends_of
from netplan.changes.ends import Ends
from netplan.changes.sides import Side
from netplan.changes.wave import Course
from netplan.changes.waves import course
from netplan.pipeline import compile_texts
from tests.inventories import text_of

Edits = Mapping[str, str]
PAIRS: Mapping[str, Mapping[str, Mapping[str, Any]]] = yaml.safe_load(
    Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
)
CASES = [
    (name, change) for name, changes in PAIRS.items() for change in changes if "none" not in changes[change]
]


def pair(name: str, change: str) -> tuple[Side, Side]:
    edits = PAIRS[name][change]
    return edited(name, edits.get("old", {})), edited(name, edits.get("new", {}))


@cache
def ends(name: str, change: str) -> Ends:
    return ends_of(*pair(name, change))


@cache
def course_of(name: str, change: str) -> Course:
    return course(ends(name, change))


def edited(name: str, edits: Edits) -> Side:
    return _side(name, tuple(edits.items()))


@cache
def _side(name: str, edits: tuple[tuple[str, str], ...]) -> Side:
    text = text_of(name)
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    result = compile_texts({f"{name}.yaml": text})
    assert result.artifacts, [
        f"{d.code} {d.message}" for d in result.diagnostics if d.severity.name == "ERROR"
    ]
    return Side(name, {a.path: a.text for a in result.artifacts}, result.document)
