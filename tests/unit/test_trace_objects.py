"""Edits of a rendered site's files after which a path is no longer proved: ``tests/edits/more``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.pipeline import compile_texts
from tests.edits.decided import FOLDER as EDITS
from tests.edits.judges import trace
from tests.edits.site import BOXES
from tests.edits.site import rendered as box
from tests.inventories import FOLDER, outputs

_LOST = ("UNLIKE", "NARROW", "LOSSY", "TOO_BIG", "WRONG_RAIL", "LOST")


@cache
def rendered(tree: str) -> Mapping[str, str]:
    if tree in BOXES:
        return box(tree)
    path = FOLDER / f"{tree}.yaml"
    return outputs(compile_texts({path.name: path.read_text(encoding="utf-8")}))


def verdict(said: frozenset[str]) -> str:
    """The worst verdict of all workloads."""
    words = {word for each in said for word in [each.partition(": ")[2].partition(" ")[0]]}
    if words & {*_LOST}:
        return "refuted"
    return "not proved" if "UNPROVED" in words else "proved"


def cases(name: str) -> Iterator[Any]:
    rows = yaml.safe_load((EDITS / "more" / f"{name}.yaml").read_text(encoding="utf-8"))
    for row in rows:
        yield pytest.param(row, id=f"{row['tree']} {row['file'].rpartition('/')[2]}: {row['id']}")


@pytest.mark.parametrize("case", [*cases("objects")])
def test_an_edit_is_seen(case: Mapping[str, str]) -> None:
    tree = rendered(case["tree"])
    text = tree[case["file"]]
    assert case["old"] in text
    said = trace({**tree, case["file"]: text.replace(case["old"], case["new"], 1)})
    assert verdict(said) == case["verdict"], sorted(said)
    more = said - trace(tree)
    assert "says" not in case or any(case["says"] in each for each in more), sorted(more)
