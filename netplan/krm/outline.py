"""Positions of the parts of a YAML text, without building their values.

Items that the function does not touch are copied as text: comments, quotes and numbers stay as written, which
a loader and dumper could not guarantee.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Literal

import yaml

from netplan.printable import clipped
from netplan.reading.kubernetes.kubeyaml import MAX_DEPTH
from netplan.records import dataclass
from netplan.yaml12 import MAX_NODES, PARSER

Shape = Literal["map", "list", "scalar", "alias"]
Follow = Mapping[str, Any]
"""Which parts have relevant parts: key -> the same for its value; ``*``: every other key or list entry."""


class OutlineError(Exception):
    """Not one YAML document, or beyond the limits; the message has the place."""


@dataclass(slots=True)
class Node:
    """``start``, ``end``: character offsets; ``line``, ``column``: from 0. ``key_line``: of its key, in a
    map. ``entries`` of a map and ``items`` of a list: only if they were followed."""

    shape: Shape
    start: int
    end: int
    line: int
    column: int
    key_line: int
    flow: bool = False
    text: str = ""
    entries: dict[str, Node] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)

    def word(self, *path: str) -> str:
        """The text of a scalar below this map; empty if there is none."""
        here: Node | None = self
        for key in path:
            here = here.entries.get(key) if here is not None else None
        return here.text if here is not None and here.shape == "scalar" else ""

    def words(self, *path: str) -> dict[str, str]:
        """Key -> text, for scalars in a map below this one."""
        here = self
        for key in path:
            if key not in here.entries:
                return {}
            here = here.entries[key]
        return {key: node.text for key, node in here.entries.items() if node.shape == "scalar"}


_SHAPES: Mapping[type, Shape] = {
    yaml.MappingStartEvent: "map",
    yaml.SequenceStartEvent: "list",
    yaml.ScalarEvent: "scalar",
    yaml.AliasEvent: "alias",
}


@dataclass(frozen=True, slots=True)
class Outline:
    """``last``: the line after the document. ``anchors``, ``aliases``: name -> positions."""

    root: Node
    last: int
    anchors: tuple[tuple[int, str], ...]
    aliases: tuple[tuple[int, str], ...]


@dataclass(slots=True)
class _Open:
    """A map or list being read. ``node``: gets its end. ``follow``: None keeps nothing of it."""

    node: Node | None
    follow: Follow | None
    is_map: bool
    key: str = ""
    key_line: int = 0
    at_key: bool = True


def outline(text: str, follow: Follow) -> Outline:
    """For a text with one document. Raises OutlineError."""
    return _Scanner(follow).run(text)


def as_block(text: str) -> str:
    """The text in block style, one entry per line. For a text that has an outline."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    emitted: str = yaml.emit(_in_block_style(text), Dumper=dumper, width=1 << 20, allow_unicode=True)
    return emitted


def _in_block_style(text: str) -> Iterator[Any]:
    for event in yaml.parse(text, Loader=PARSER):
        if isinstance(event, yaml.CollectionStartEvent):
            event.flow_style = False
        yield event


def _place(event: Any) -> str:
    return _mark_text(event.start_mark)


def _mark_text(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"


class _Scanner:
    def __init__(self, follow: Follow) -> None:
        self._follow = follow
        self._stack: list[_Open] = []
        self._root: Node | None = None
        self._last = 0
        self._nodes = 0
        self._anchors: list[tuple[int, str]] = []
        self._aliases: list[tuple[int, str]] = []
        self._named: set[str] = set()

    def run(self, text: str) -> Outline:
        try:
            parser: Any = PARSER(text)
            for event in iter(parser.get_event, None):
                self._take(event)
        except yaml.MarkedYAMLError as error:
            mark: Any = error.problem_mark or error.context_mark
            at = "" if mark is None else f"{_mark_text(mark)}: "
            raise OutlineError(f"{at}not YAML: {error.problem or error.context}") from error
        except (yaml.YAMLError, ValueError, OverflowError) as error:  # an escape that is not a character
            raise OutlineError(f"not YAML: {error}") from error
        if self._root is None:
            raise OutlineError("empty")
        return Outline(self._root, self._last, tuple(self._anchors), tuple(self._aliases))

    def _take(self, event: Any) -> None:
        if isinstance(event, yaml.DocumentStartEvent) and self._root is not None:
            raise OutlineError(f"{_place(event)}: a second document starts here")
        if isinstance(event, yaml.DocumentEndEvent):
            end: Any = event.start_mark
            self._last = end.line + (end.column > 0)
        if isinstance(event, yaml.NodeEvent):
            self._node(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close(event)

    def _close(self, event: Any) -> None:
        node = self._stack.pop().node
        if node is not None:
            node.end = event.end_mark.index

    def _node(self, event: Any) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES or len(self._stack) >= MAX_DEPTH:
            what = f"more than {MAX_NODES:,} values" if self._nodes > MAX_NODES else "nested too deeply"
            raise OutlineError(f"{_place(event)}: {what}")
        if event.anchor:
            self._note(event, event.anchor)
        parent = self._stack[-1] if self._stack else None
        is_key = parent is not None and parent.is_map and parent.at_key
        if parent is not None and parent.is_map:
            parent.at_key = not parent.at_key
        if is_key and parent is not None:
            self._key(parent, event)
        else:
            self._value(parent, event)

    def _note(self, event: Any, name: str) -> None:
        at = event.start_mark.index
        if not isinstance(event, yaml.AliasEvent):
            self._named.add(name)
            self._anchors.append((at, name))
        elif name in self._named:
            self._aliases.append((at, name))
        else:
            raise OutlineError(f"{_place(event)}: not YAML: alias {clipped(repr(name))} has no anchor")

    def _key(self, parent: _Open, event: Any) -> None:
        parent.key, parent.key_line = getattr(event, "value", ""), event.start_mark.line
        kept = parent.node is not None and parent.follow is not None
        if kept and not isinstance(event, yaml.ScalarEvent):
            raise OutlineError(f"{_place(event)}: a key that is not text")
        if kept and parent.node is not None and parent.key in parent.node.entries:
            raise OutlineError(f"{_place(event)}: key {clipped(repr(parent.key))} appears twice")
        if isinstance(event, yaml.CollectionStartEvent):
            self._stack.append(_Open(None, None, isinstance(event, yaml.MappingStartEvent)))

    def _value(self, parent: _Open | None, event: Any) -> None:
        follow: Follow | None = self._follow
        node = None
        if parent is None or parent.follow is not None:
            node = self._kept(parent, event)
        if parent is not None:
            within = parent.follow or {}
            follow = within.get(parent.key if parent.is_map else "*", within.get("*"))
        if isinstance(event, yaml.CollectionStartEvent):
            self._stack.append(_Open(node, follow, isinstance(event, yaml.MappingStartEvent)))

    def _kept(self, parent: _Open | None, event: Any) -> Node:
        start, end = event.start_mark, event.end_mark
        node = Node(
            shape=_SHAPES[type(event)],
            start=start.index,
            end=end.index,
            line=start.line,
            column=start.column,
            key_line=start.line,
            flow=bool(getattr(event, "flow_style", False)),
            text=getattr(event, "value", ""),
        )
        if parent is None or parent.node is None:
            self._root = node
        elif parent.is_map:
            node.key_line = parent.key_line
            parent.node.entries[parent.key] = node
        else:
            parent.node.items.append(node)
        return node
