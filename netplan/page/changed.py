"""What a change does, for the page: effects and waves, and the marks in its other parts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from netplan.changes.compare import difference, ends_of
from netplan.changes.model import WORDS
from netplan.changes.show import data
from netplan.changes.show_waves import against, why
from netplan.changes.sides import Side
from netplan.changes.wave import HAND, INTERRUPTS
from netplan.changes.waves import course
from netplan.model.values import natural
from netplan.nos import NosLibrary

_PARTS = ("switches", "hosts", "pods")
_FILES = 300
"""Files listed of each kind; `netplan diff --format json` has all."""


def change_data(old: Side, new: Side, library: NosLibrary) -> dict[str, Any]:
    """``marks``: part -> what is new or has changed files, and what is gone."""
    ends = ends_of(old, new, library)
    found = difference(ends)
    way = course(ends)
    whole = data(found, way)
    files = {name: whole.pop(name) for name in ("added", "removed", "changed")}
    before, after = ends.facts
    added = {"hosts": after.named - before.named, "switches": after.switches.keys() - before.switches.keys()}
    removed = {
        "hosts": before.named - after.named,
        "switches": before.switches.keys() - after.switches.keys(),
    }
    return {
        **whole,
        "order": {"why": why(way), "against": list(against(way))},
        "effects": [_effect(row) for row in whole["effects"]],
        "files": {name: [len(paths), list(paths[:_FILES])] for name, paths in files.items()},
        "marks": {
            "changed": _with(_names([*files["added"], *files["changed"]]), added),
            "gone": _with({}, removed),
        },
    }


def _effect(row: dict[str, Any]) -> dict[str, Any]:
    word = row["effect"]["word"]
    weight = 2 if word in INTERRUPTS else 1 if word in HAND else 0
    return {**row, "title": WORDS[word], "weight": weight}


def _names(paths: Iterable[str]) -> dict[str, list[str]]:
    """Part -> directories below it; for hosts these include types."""
    found: dict[str, dict[str, None]] = {}
    for path in paths:
        part, _, rest = path.partition("/")
        name, below, _ = rest.partition("/")
        if below and part in _PARTS:
            found.setdefault(part, {})[name] = None
    return {part: list(names) for part, names in found.items()}


def _with(found: dict[str, list[str]], more: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    both = {part: {*found.get(part, ()), *more.get(part, ())} for part in _PARTS}
    return {part: sorted(names, key=natural) for part, names in both.items() if names}
