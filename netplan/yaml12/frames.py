"""Parser state of a map or list that is still open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from netplan.diagnostics import Path


@dataclass(slots=True)
class Anchor:
    """An anchored value. ``nodes``: values in it, 0 while it is being read; ``height``: nesting depth."""

    at: int
    value: Any = None
    nodes: int = 0
    height: int = 0


class ListFrame:
    """An open list. ``add`` appends an item; ``key`` is never None, since a list expects no keys."""

    __slots__ = ("anchor", "at", "data", "height", "nodes_before", "offsets")
    key = ""

    def __init__(self, at: int, anchor: Anchor | None = None, nodes_before: int = 0) -> None:
        self.at = at
        self.anchor = anchor
        self.nodes_before = nodes_before
        self.height = 0
        self.data: list[Any] = []
        self.offsets: list[int] = []

    def add(self, value: Any, at: int) -> None:
        self.data.append(value)
        self.offsets.append(at)

    def part(self) -> str | int | None:
        """Index of the item being read."""
        return len(self.data)


class MapFrame:
    """An open map. ``key`` is None while a key is due; ``expect`` or ``ignore`` sets it, ``add`` stores the
    value."""

    __slots__ = ("_ignored", "anchor", "at", "data", "height", "key", "nodes_before", "offsets")

    def __init__(self, at: int, anchor: Anchor | None = None, nodes_before: int = 0) -> None:
        self.at = at
        self.anchor = anchor
        self.nodes_before = nodes_before
        self.height = 0
        self.data: dict[str, Any] = {}
        self.offsets: list[int] = []
        self.key: str | None = None
        self._ignored = 0

    def expect(self, key: str, at: int) -> None:
        self.key = key
        self.offsets.append(at)

    def ignore(self, key: str, nodes: int) -> None:
        """Discard the next ``nodes`` nodes: the value, or a complex key and its value."""
        self.key = key
        self._ignored = nodes

    def add(self, value: Any, at: int) -> None:
        if not self._ignored:
            self.data[self.key or ""] = value
            self.offsets.append(at)
            self.key = None
            return
        self._ignored -= 1
        if not self._ignored:
            self.key = None

    def part(self) -> str | int | None:
        """The key whose value is being read, if any; None for a complex key."""
        return self.key or None


Frame = ListFrame | MapFrame


@dataclass(frozen=True, slots=True)
class Repeat:
    """A key that its map has already. ``at``: offset of the later one."""

    frame: MapFrame
    key: str
    path: Path
    at: int
