"""Changes that people make, as pairs of renders; ``pairs.yaml`` has them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

from netplan.changes.sides import Side
from netplan.pipeline import compile_texts
from tests.inventories import text_of

Edits = Mapping[str, str]
PAIRS: Mapping[str, Mapping[str, Mapping[str, Edits]]] = yaml.safe_load(
    Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
)


def pair(name: str, change: str) -> tuple[Side, Side]:
    edits = PAIRS[name][change]
    return edited(name, edits.get("old", {})), edited(name, edits.get("new", {}))


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
