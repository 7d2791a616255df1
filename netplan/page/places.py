"""Inventory lines that things come from, with their findings; each line is in the page once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Generic, TypeVar

from netplan.diagnostics import Diagnostic, Path, Source
from netplan.model.document import Document
from netplan.model.ranges import RangeError, expand, is_range
from netplan.model.written import Written
from netplan.printable import printable

T = TypeVar("T")
_LONGEST = 160
"""Longest line shown, in characters."""


class Once(Generic[T]):
    """Numbers rows that many things share, so that each is in the page once."""

    def __init__(self) -> None:
        self.rows: list[T] = []
        self._numbers: dict[Hashable, int] = {}

    def number(self, key: Hashable, row: T) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.rows)
            self.rows.append(row)
        return self._numbers[key]


class Lines:
    """``rows``: file, line and text."""

    def __init__(self, document: Document) -> None:
        self._document, self._written = document, Written(document)
        self._once: Once[list[Any]] = Once()
        self._paths: dict[Path, int] = {}

    @property
    def rows(self) -> list[list[Any]]:
        return self._once.rows

    def of_path(self, path: Path) -> int:
        """Number of the line that states a path, -1 without a file."""
        if path not in self._paths:
            self._paths[path] = self.of_source(self._written.locate(path))
        return self._paths[path]

    def of_source(self, source: Source | None) -> int:
        if source is None:
            return -1
        text = printable(self._document.places.sources.line(source).strip())
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
        return self._once.number((source.file, source.line), [printable(source.file), source.line, shown])


class Marks:
    """Worst finding of each entity: 0 none, 1 note, 2 warning. ``links`` are entities by index."""

    def __init__(self, found: Iterable[Diagnostic]) -> None:
        self._worst: dict[Path, int] = {}
        for each in found:
            for path in _entities(each.path):
                self._worst[path] = max(self._worst.get(path, 0), int(each.severity) + 1)

    def at(self, *paths: Path) -> int:
        """The worst of these entities."""
        return max((self._worst.get(path[:2], 0) for path in paths), default=0)


def _entities(path: Path) -> tuple[Path, ...]:
    """The entity that contains a path; for a ranged key every member too."""
    if len(path) < 2:
        return ()
    first, key = path[:2]
    if isinstance(key, str) and is_range(key):
        try:
            return ((first, key), *((first, name) for name in expand(key)))
        except RangeError:
            return ((first, key),)
    return ((first, key),)
