"""Names that lines use but none defines: the switch refuses such a line, or it has no effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from netplan.reading.switches.columns import columns_in
from netplan.reading.switches.lines import BELOW, Row
from netplan.records import dataclass

Rows = Mapping[str, Sequence[Row]]
"""Pattern -> rows, of one file."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names of one kind: ``used`` and ``made``, pattern -> index of the name in its rows. ``factory``:
    predefined by the NOS."""

    used: Mapping[str, int]
    made: Mapping[str, int]
    factory: frozenset[str]

    def undefined(self, files: Mapping[str, Rows]) -> Iterator[str]:
        """Messages about undefined names; each begins with the file's name."""
        known = {name for rows in files.values() for _, name in _names(rows, self.made)} | self.factory
        for file, rows in files.items():
            for pattern, name in dict.fromkeys(_names(rows, self.used)):
                if name not in known:
                    line = pattern.rpartition(BELOW)[2]
                    yield f"{file}: {name} is used but nothing defines it: {line}"


def _names(rows: Rows, places: Mapping[str, int]) -> Iterator[tuple[str, Any]]:
    for pattern, place in places.items():
        yield from ((pattern, row[place]) for row in rows.get(pattern, ()))


def names_of(data: Mapping[str, Any]) -> Names:
    """``data``: one item of ``names``. Raises ValueError for a pattern without the column."""
    used, made = (_places(data[key], data["column"]) for key in ("used", "made"))
    return Names(used, made, frozenset(data["factory"]))


def _places(patterns: Sequence[str], column: str) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for pattern in patterns:
        names = [name for name, _, _ in columns_in(pattern)]
        if column not in names:
            raise ValueError(f"no {column} in {pattern}")
        found[pattern] = names.index(column)
    return found
