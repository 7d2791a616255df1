"""Turns the lines of a file into rows: the patterns form a tree, one level per line, and a line that was
seen before is a lookup.

``interface <port> / mtu <mtu>`` is two levels: the enclosing command, by indent, comes first. JSON works
the same way: ``TABLE / key / field = value``. YAML becomes whole lines: its path, joined by spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from itertools import product, takewhile
from typing import Any

from netplan.reading.switches.columns import Column, Value, compiled
from netplan.reading.switches.several import members
from netplan.records import dataclass

BELOW = " / "
Row = tuple[Value, ...]
State = list[tuple["Node", Row]]
MAX_STEPS = 20_000
"""Lines that a node caches."""
MAX_LISTED = 2_000_000
"""Values from lists in one file: all VLANs on 488 ports."""
_PLAIN_WORD = re.compile(r"[\w-]+", re.ASCII)
_YAML_LINE = re.compile(
    r"( *(?:- )?)'?([\w./:,-]+?)'?:(?: (\{\})| '?([\w./:-]+|[\w./-]+(?: [\w./-]+)+)'?)?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Edge:
    pattern: re.Pattern[str]
    columns: tuple[Column, ...]
    child: Node


@dataclass(slots=True, eq=False)
class Node:
    """``by_word``: first word of a line, "" for any -> edges, each with the fixed words its lines begin
    with.

    ``ends``: the patterns complete at this node; ``numbered``: whether line numbers of their rows are
    kept; ``steps``: cache of lines seen before. ``known``: whether a line that leads here counts as read;
    one that only keeps other lines from stating a fact does not.
    """

    edges: dict[str, Edge] = field(default_factory=dict)
    by_word: dict[str, list[tuple[str, Edge]]] = field(default_factory=dict)
    ends: list[str] = field(default_factory=list)
    numbered: bool = False
    known: bool = False
    steps: dict[str, tuple[tuple[Node, Row], ...]] = field(default_factory=dict)

    def below(self, pattern: str, port: str, words: Mapping[str, Mapping[str, Value]]) -> Node:
        """The child node that a line of ``pattern`` leads to; created if missing."""
        if pattern not in self.edges:
            expression, columns = compiled(pattern, port, words)
            edge = self.edges[pattern] = Edge(expression, columns, Node())
            start = list(takewhile(_PLAIN_WORD.fullmatch, pattern.split(" ")))
            self.by_word.setdefault((start or [""])[0], []).append((" ".join(start), edge))
        return self.edges[pattern].child

    def learn(self, line: str) -> tuple[tuple[Node, Row], ...]:
        """Where ``line`` leads, with the values it states; cached."""
        words = line.split()
        edges = [edge for word in (*words[:1], "") for edge in self.by_word.get(word, ())]
        plain = " ".join(words) if edges else ""
        hits = tuple(hit for start, edge in edges if plain.startswith(start) for hit in _hits(edge, plain))
        if len(self.steps) >= MAX_STEPS:
            self.steps.clear()
        self.steps[line] = hits
        return hits


WRONG = Node(ends=["!"], known=True)
"""Where a line of a known form with an invalid value leads: its row ends with what is wrong."""


def _hits(edge: Edge, line: str) -> tuple[tuple[Node, Row], ...]:
    found = edge.pattern.fullmatch(line)
    if found is None:
        return ()
    if any(found[column.name] is None for column in edge.columns):
        return ()
    try:
        values = [column.values(found[column.name]) for column in edge.columns]
    except ValueError as error:
        return ((WRONG, (f"{line[:80]!a}: {error}",)),)
    return tuple((edge.child, row) for row in product(*values))


def readable(text: str) -> str:
    """YAML without the lines that only a parser can read, such as those with quotes in a value; every other
    line keeps its number."""
    return "\n".join(line if _YAML_LINE.fullmatch(line) else "" for line in text.split("\n"))


def uncommented(line: str, comment: tuple[str, ...]) -> str:
    """The text of a comment line, without its comment sign."""
    return line.lstrip("".join(comment) + " ")


Level = tuple[int, tuple[State, ...]]
"""Indent of a line, and the blocks that a line nested below it is in, outermost first."""


def _left(above: list[Level], depth: int) -> list[Level]:
    """The levels after a word at ``depth`` that ends the open block: lines that are still indented as if
    in it belong to the enclosing block. The last line counts as having opened a block if lines may nest
    below it."""
    last = len(above) - 1
    open_ = [
        len(modes)
        for at, (indent, modes) in enumerate(above)
        if modes and (at < last or modes[-1] or indent < depth)
    ]
    outer = open_[-1] - 1 if open_ else 0
    return [(indent, modes[:outer]) for indent, modes in above]


_LIST = re.compile(r"(set [^\[\]]+) \[ ([^\[\]\"]+) \]")
"""``set vlans members [ a b ]`` is a line for each value (Juniper, Additional Details About Specifying
Junos Statements and Identifiers: brackets around a set of values)."""


class TooMuchError(Exception):
    """A file lists more than MAX_LISTED values."""


class Reader:
    """Collects the rows of one file: ``rows``, pattern -> rows; ``!`` holds invalid values. ``several``: what
    a line begins with whose next word may name several interfaces.

    ``line``: number of the current line; ``numbers``: pattern -> line of each row, if the node keeps them.
    ``unread``: lines that match no pattern, each with its number (0 if it has none) and the forms under
    which it may be known.
    """

    def __init__(self, root: Node, several: str = "") -> None:
        self._several = several
        self._flat = not any(edge.child.edges for edge in root.edges.values())
        self.rows: dict[str, list[Row]] = {}
        self.root: State = [(root, ())]
        self.listed = 0
        self.line = 0
        self.numbers: dict[str, list[int]] = {}
        self.unread: list[tuple[int, tuple[str, ...]]] = []
        self._met = False

    def step(self, state: State, line: str) -> State:
        """Records the facts of ``line`` and returns the state for lines below it. Raises TooMuchError."""
        below: State = []
        for node, bound in state:
            hits = node.steps.get(line)
            if hits is None:
                hits = node.learn(line)
            if len(hits) > 1:
                self.listed += len(hits)
                if self.listed > MAX_LISTED:
                    raise TooMuchError
            self._met = self._met or any(child.known for child, _ in hits)
            for child, values in hits:
                row = bound + values
                for pattern in child.ends:
                    if (rows := self.rows.get(pattern)) is None:
                        rows = self.rows[pattern] = []
                    rows.append(row)
                    if child.numbered:
                        self.numbers.setdefault(pattern, []).append(self.line)
                if child.edges:
                    below.append((child, row))
        return below

    def text(
        self,
        lines: Iterable[tuple[int, str]],
        comment: tuple[str, ...],
        comments: Node,
        leave: frozenset[str] = frozenset(),
    ) -> None:
        """Reads commands, each with the number of its line, nested by indent; comment lines go to the tree
        ``comments``. ``leave``: words that end a block, whatever the indent of the lines after them. Where
        every pattern is one line, an indent is none of a block: Onyx shows all lines below a heading so."""
        above: list[Level] = []
        heads: State = [(comments, ())]
        for number, raw in lines:
            line = raw.strip()
            if not line:
                continue
            self.line = number
            if line.startswith(comment):
                if line not in comment:
                    self.step(heads, uncommented(line, comment))
                continue
            depth = 0 if self._flat or raw[0] > " " else len(raw) - len(raw.lstrip())
            if line in leave:
                above = _left(above, depth)
                continue
            while above and above[-1][0] >= depth:
                above.pop()
            modes = above[-1][1] if above else ()
            state = modes[-1] if modes else self.root
            above.append((depth, (*modes, self.met(state, line, number, line))))

    def met(self, state: State, line: str, number: int, *known_by: str) -> State:
        """A ``step`` that records the line as unread if no pattern matches it."""
        self._met = False
        for each in self._singly(line):
            below = self.step(state, each) if state else state
        if not self._met:
            self.unread.append((number, known_by))
        return below

    def _singly(self, line: str) -> list[str]:
        """The line for each interface that it names, where one word names several, or for each value of a
        list of Junos."""
        if line[-1] == "]" and (listed := _LIST.fullmatch(line)):
            return [f"{listed[1]} {value}" for value in listed[2].split()]
        if not self._several or not line.startswith(self._several):
            return [line]
        word, _, rest = line.removeprefix(self._several).partition(" ")
        names = members(word)
        return [line] if len(names) < 2 else [f"{self._several}{name} {rest}".rstrip() for name in names]

    def tables(self, data: Mapping[str, Any], state: State | None = None, path: str = "") -> None:
        """Nested maps: a key is a line, a leaf with its value is a line ``key = value``."""
        state = self.root if state is None else state
        for key, value in data.items():
            place = f"{path}.{key}" if path else key
            if isinstance(value, dict) and value:
                self.tables(value, self.step(state, key), place)
            elif isinstance(value, dict):
                self.met(state, key, 0, place)
            else:
                for item in value if isinstance(value, list) else [value]:
                    self.met(state, f"{key} = {item}", 0, place)

    def block(self, text: str, command: str) -> bool:
        """Same as ``paths`` for YAML in block style, without a parser; false if only a parser can read it."""
        lines: list[tuple[int, str, str, bool]] = []
        above, paths, item = [(-1, command, False)], set[tuple[int, str]](), 0
        for number, raw in enumerate(text.split("\n"), start=1):
            if not raw or raw.startswith("#") or raw.isspace():
                continue
            found = _YAML_LINE.fullmatch(raw)
            if found is None:
                return False
            indent, key, empty, value = found.groups()
            depth, (last, _, leaf) = len(indent), above[-1]
            while above[-1][0] > depth:
                above.pop()
            if above[-1][0] == depth:
                above.pop()
            elif leaf or last > depth:
                return False
            path = f"{above[-1][1]} {key}"
            item += indent.endswith("- ")
            paths.add((item, path))
            above.append((depth, path, bool(empty or value)))
            lines.append((number, f"{path} {value}" if value else path, path, bool(empty or value)))
        if len(paths) < len(lines):
            return False
        for self.line, line, path, last in lines:
            self._keys(line, _dotted(path, command), last)
        return True

    def _keys(self, line: str, dotted: str, last: bool) -> None:
        """A path of YAML; it counts as unread only if it ends in a value."""
        if last:
            self.met(self.root, line, 0, line, dotted)
        else:
            self.step(self.root, line)

    def paths(self, data: Any, path: str, command: str = "") -> None:
        """Nested maps and lists of them: every path to a leaf is a line."""
        if isinstance(data, dict) and data:
            for key, value in data.items():
                self.paths(value, f"{path} {key}".lstrip(), command or path)
        elif isinstance(data, list):
            for item in data:
                self.paths(item, path, command or path)
        else:
            line = path if data in (None, {}) else f"{path} {data}"
            self.met(self.root, line, 0, line, _dotted(path, command))


def _dotted(path: str, command: str) -> str:
    """The keys of a path joined by dots, without the command word in front."""
    return path.removeprefix(command).lstrip().replace(" ", ".")
