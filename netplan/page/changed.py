"""What a change does, for the page: effects and waves, and what is marked in its parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from netplan.changes.compare import difference, ends_of
from netplan.changes.model import WORDS
from netplan.changes.show import data
from netplan.changes.sides import Side
from netplan.changes.wave import HAND, INTERRUPTS
from netplan.changes.waves import course
from netplan.nos import NosLibrary

_FILES = 300
"""Of each kind; `netplan diff --format json` has all."""


def change_data(old: Side, new: Side, library: NosLibrary) -> dict[str, Any]:
    """``marks``: part -> names whose files are new or differ, and names that are gone."""
    ends = ends_of(old, new, library)
    found = difference(ends)
    whole = data(found, course(ends))
    files = {name: whole.pop(name) for name in ("added", "removed", "changed")}
    return {
        **whole,
        "effects": [_effect(row) for row in whole["effects"]],
        "files": {name: [len(paths), list(paths[:_FILES])] for name, paths in files.items()},
        "marks": {
            "changed": _names([*files["added"], *files["changed"]], new),
            "gone": _names(files["removed"], old, gone_from=new),
        },
    }


def _effect(row: dict[str, Any]) -> dict[str, Any]:
    word = row["effect"]["word"]
    weight = 2 if word in INTERRUPTS else 1 if word in HAND else 0
    return {**row, "title": WORDS[word], "weight": weight}


def _names(paths: Iterable[str], side: Side, gone_from: Side | None = None) -> dict[str, list[str]]:
    """Directories below each part; of those that are gone none that the new side still has."""
    found: dict[str, dict[str, None]] = {}
    for path in paths:
        part, _, rest = path.partition("/")
        name, below, _ = rest.partition("/")
        if below and name in side.part(part):
            found.setdefault(part, {})[name] = None
    kept = {part: set(gone_from.part(part)) if gone_from else set() for part in found}
    return {part: [name for name in names if name not in kept[part]] for part, names in found.items()}
