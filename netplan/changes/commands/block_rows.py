"""Rows of ``blocks`` in change.yaml, compiled: what a line of a block CLI sets and how it is removed.

``interface <port> / mtu <mtu>`` is two levels, the header first. ``<mtu>`` is one word, ``<vlan*>`` a list of
numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

BELOW = " / "
_TOKEN = re.compile(r"<([a-z_]+)(\*?)(?::[a-z0-9_]+)?>")
_WORD, _NUMBERS = r"\S+", r"[0-9]+(?:[-, ]+[0-9]+)*"
_PLAIN: Mapping[str, Any] = {
    **dict.fromkeys(("each", "code_point", "block", "clear", "add", "budget", "keep", "then", "swap"), ""),
    **dict.fromkeys(("mode", "moves", "address", "announces"), False),
    "when": "last",
    "takes": (),
    "bars": (),
    "again": (),
    "shipped": (),
}
"""Row of a line that no other row matches."""
State = list[tuple["_Node", Mapping[str, str]]]


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """``slot`` and ``by``: lines with the same slot and the same values of these tokens are one setting;
    without ``by`` each line is a setting of its own. ``each``: the token whose numbers are a setting each.
    ``block``, of a header: ``shared`` with others, ``whole`` netplan's, ``only`` one of its kind. The other
    fields are those of change.schema.json."""

    slot: str
    by: tuple[str, ...] | None
    each: str
    code_point: str
    block: str
    level: str
    remove: tuple[str, ...]
    clear: str
    add: str
    when: str
    mode: bool
    swap: str
    moves: bool
    shipped: frozenset[int]
    address: bool
    announces: bool
    budget: str
    keep: str
    takes: tuple[str, ...]
    bars: tuple[str, ...]
    again: tuple[str, ...]
    then: str
    data: Mapping[str, Any]

    @property
    def kept(self) -> bool:
        return bool(self.keep) and not self.block


@dataclass(slots=True, eq=False)
class _Node:
    edges: dict[str, tuple[re.Pattern[str], _Node]] = field(default_factory=dict)
    row: Row | None = None
    index: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """What a line is: its row, the values of its tokens, where lines below it belong, and its list."""

    row: Row
    bound: Mapping[str, str]
    below: State
    list_at: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """``skip``: lines that set nothing. ``order``: levels, in the order they are added. ``ends``: lines that
    end a change. ``flat``: each line repeats its header. ``several``: what a header begins with whose next
    word may name several interfaces. ``over``: lines, level by level, that keep others of their block from
    taking effect."""

    root: _Node
    comment: tuple[str, ...]
    leave: str
    indent: int
    flat: bool
    several: str
    negate: str
    skip: re.Pattern[str]
    order: tuple[str, ...]
    ends: tuple[str, ...]
    headers: tuple[re.Pattern[str], ...]
    unknown: Mapping[str, Any]
    over: tuple[tuple[re.Pattern[str], ...], ...]

    @property
    def start(self) -> State:
        return [(self.root, {})]

    def overrides(self, levels: Sequence[str]) -> bool:
        """Whether the last of these lines is one of ``over``."""
        return any(
            len(form) == len(levels) and all(map(re.Pattern.fullmatch, form, levels)) for form in self.over
        )

    def find(self, state: State, line: str) -> Found:
        """The first row that matches ``line``; a row of its own if none does."""
        below: State = []
        best: tuple[int, Row, Mapping[str, str], re.Match[str]] | None = None
        for node, bound in state:
            for pattern, child in node.edges.values():
                if (match := pattern.fullmatch(line)) is None:
                    continue
                values = {**bound, **match.groupdict()}
                below.append((child, values))
                if child.row is not None and (best is None or child.index < best[0]):
                    best = (child.index, child.row, values, match)
        if best is None:
            return Found(self._stranger(line), {}, below, (0, 0))
        _, row, named, match = best
        return Found(row, named, below, match.span(row.each) if row.each else (0, 0))

    def _stranger(self, line: str) -> Row:
        opposite = line.removeprefix(f"{self.negate} ") if line.startswith(f"{self.negate} ") else ""
        remove = (opposite or f"{self.negate} {line}",)
        return _row({**_PLAIN, **self.unknown, "level": self.order[-1]}, "?", remove, None)

    def split(self, line: str) -> tuple[str, str]:
        """(header, rest) of a line that repeats its header; no rest if the line is a header."""
        for header in self.headers:
            if match := header.match(line):
                return match[0].rstrip(), line[match.end() :].strip()
        return "", line


def blocks_of(
    section: Mapping[str, Any], comment: Sequence[str], singles: Mapping[str, list[str]], several: str = ""
) -> Blocks:
    """``section``: ``blocks`` of change.yaml, filled in. ``singles``: lines that readback.yaml says have one
    value -> the columns they set. Raises ValueError for rows that cannot be used."""
    root = _Node()
    rows = section["lines"]
    levels = {_plain(row["line"]): row["level"] for row in rows if row["block"]}
    for index, data in enumerate(rows):
        node = root
        for level in data["line"].split(BELOW):
            if level not in node.edges:
                node.edges[level] = (_compiled(level), _Node())
            node = node.edges[level][1]
        last = data["line"].rpartition(BELOW)[2]
        one = data.get("one", singles.get(data["line"], () if data["each"] else None))
        one = None if one is None else tuple(one)
        remove = tuple(data.get("remove", [f"{section['negate']} <line>"]))
        row = {**data, "level": data["level"] or _level(levels, data)}
        node.row, node.index = _row(row, data["slot"] or last, remove, one), index
    headers = tuple(_headers(rows)) if section["flat"] else ()
    skip = re.compile("|".join(section["skip"]) or "(?!)")
    return Blocks(
        root=root,
        comment=tuple(comment),
        leave=section["leave"],
        indent=section["indent"],
        flat=section["flat"],
        several=several,
        negate=section["negate"],
        skip=skip,
        order=tuple(section["order"]),
        ends=tuple(section["ends"]),
        headers=headers,
        unknown=section["unknown"],
        over=tuple(tuple(map(_compiled, row["line"].split(BELOW))) for row in section["overrides"]),
    )


def _level(levels: Mapping[str, str], row: Mapping[str, Any]) -> str:
    """Level of the header a line stands under. Raises ValueError for a line without a level."""
    above = row["line"].rpartition(BELOW)[0]
    while above:
        if level := levels.get(_plain(above)):
            return level
        above = above.rpartition(BELOW)[0]
    if row["keep"]:
        return ""
    raise ValueError(f"{row['line']}: neither it nor its header says at which level it is")


def _plain(pattern: str) -> str:
    """Header rows name what rows below them may leave open."""
    return _TOKEN.sub("#", pattern).replace("[0-9]+", "#")


def _headers(rows: Sequence[Mapping[str, Any]]) -> Iterator[re.Pattern[str]]:
    for row in rows:
        if row["block"]:
            yield re.compile(rf"{_compiled(row['line']).pattern}(?= |$)")


def _compiled(pattern: str) -> re.Pattern[str]:
    def group(found: re.Match[str]) -> str:
        return f"(?P<{found[1]}>{_NUMBERS if found[2] else _WORD})"

    return re.compile(_TOKEN.sub(group, pattern))


def _row(data: Mapping[str, Any], slot: str, remove: tuple[str, ...], one: tuple[str, ...] | None) -> Row:
    return Row(
        slot=slot,
        by=one,
        each=data["each"],
        code_point=data["code_point"],
        block=data["block"],
        level=data["level"],
        remove=remove,
        clear=data["clear"],
        add=data["add"],
        when=data["when"],
        mode=data["mode"],
        swap=data["swap"],
        moves=data["moves"],
        shipped=frozenset(data["shipped"]),
        address=data["address"],
        announces=data["announces"],
        budget=data["budget"],
        keep=data["keep"],
        takes=tuple(data["takes"]),
        bars=tuple(data["bars"]),
        again=tuple(data["again"]),
        then=data["then"],
        data=data,
    )


def said(template: str, bound: Mapping[str, str], line: str) -> str:
    """A form with the values of a line filled in."""
    values = {**bound, "line": line}
    return _TOKEN.sub(lambda found: values.get(found[1], found[0]), template)
