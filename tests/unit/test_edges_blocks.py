"""Edge cases, one fact per case: YAML read line by line equals what a parser reads."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.reading.switches.lines import Node, Reader
from netplan.report import few

Line = tuple[int, str, str, bool]


class Lines(Reader):
    """Keeps the lines it is given."""

    def __init__(self) -> None:
        super().__init__(Node())
        self.found: list[Line] = []

    def _keys(self, line: str, dotted: str, last: bool) -> None:
        self.found.append((self.line, line, dotted, last))
        super()._keys(line, dotted, last)


def block(text: str) -> tuple[bool, list[Line]]:
    reader = Lines()
    return reader.block(text, "set"), reader.found


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a: 1", [(1, "set a 1", "a", True)]),
        ("a: {}", [(1, "set a", "a", True)]),
        ("'a': '1'", [(1, "set a 1", "a", True)]),
        ("\n# x\na:\n\n  b: 1\n", [(3, "set a", "a", False), (5, "set a b 1", "a.b", True)]),
        (
            "a:\n  b:\n    c: 1\n  d: 2\ne: 3",
            [
                (1, "set a", "a", False),
                (2, "set a b", "a.b", False),
                (3, "set a b c 1", "a.b.c", True),
                (4, "set a d 2", "a.d", True),
                (5, "set e 3", "e", True),
            ],
        ),
        ("- a:\n    b: 1", [(1, "set a", "a", False), (2, "set a b 1", "a.b", True)]),
        (
            "a:\n    b:\n        c: 1\nd:\n  e: 2",
            [
                (1, "set a", "a", False),
                (2, "set a b", "a.b", False),
                (3, "set a b c 1", "a.b.c", True),
                (4, "set d", "d", False),
                (5, "set d e 2", "d.e", True),
            ],
        ),
    ],
)
def test_lines_of_a_block_are_paths(text: str, lines: list[Line]) -> None:
    assert block(text) == (True, lines)
    ends = [(line, dotted) for _, line, dotted, last in lines if last]
    data = yaml.safe_load(text)
    parsed = Reader(Node())
    for each in data if isinstance(data, list) else [data]:
        parsed.paths(each, "set")
    assert [known_by for _, known_by in parsed.unread] == ends


@pytest.mark.parametrize(
    "text",
    [
        "a: [1, 2]",  # a list in one line
        'a: "1"',
        "a: 1 # x",
        "a: &x 1",
        "- 1",
        "a: 1\n  b: 2",  # below a value
        "a: {}\n  b: 2",
        "a:\n    b: 1\n  c: 2",  # between two levels
        "a: 1\na: 2",  # twice
        "a:\n  b: 1\na:\n  b: 1",
    ],
)
def test_what_only_a_parser_can_read(text: str) -> None:
    assert block(text) == (False, [])


def test_a_line_of_blanks_is_an_empty_one() -> None:
    assert block(" ") == (True, [])
    assert block("a: 1\n  \nb: 2") == block("a: 1\n\nb: 2")


@pytest.mark.parametrize(
    ("data", "path", "unread"),
    [
        ({"a": {"b": 1, "c": None}}, "set", [("set a b 1", "a.b 1"), ("set a c", "a.c")]),
        ({"a": {}}, "set", [("set a", "a")]),
        ([{"a": 1}, {"a": 2}], "set", [("set a 1", "a"), ("set a 2", "a")]),
        ({"a": ["x", "y"]}, "", [("a x", "x"), ("a y", "y")]),
    ],
)
def test_paths_of_nested_maps(data: Any, path: str, unread: list[tuple[str, str]]) -> None:
    reader = Reader(Node())
    reader.paths(data, path)
    assert [line for _, (line, _) in reader.unread] == [line for line, _ in unread]


def test_tables_are_lines_with_their_values() -> None:
    reader = Reader(Node())
    reader.tables({"PORT": {"Ethernet0": {"mtu": "9100", "lanes": ["1", "2"]}, "Ethernet4": {}}, "x": {}})
    assert reader.unread == [
        (0, ("PORT.Ethernet0.mtu",)),
        (0, ("PORT.Ethernet0.lanes",)),
        (0, ("PORT.Ethernet0.lanes",)),
        (0, ("PORT.Ethernet4",)),
        (0, ("x",)),
    ]


@pytest.mark.parametrize(
    ("count", "most", "noun", "text"),
    [
        (0, 2, "more", ""),
        (1, 2, "more", "0"),
        (2, 2, "more", "0, 1"),
        (3, 2, "more", "0, 1 and 1 more"),
        (2001, 1, "more kinds", "0 and 2,000 more kinds"),
    ],
)
def test_of_many_names_a_few_are_listed(count: int, most: int, noun: str, text: str) -> None:
    assert few([str(number) for number in range(count)], most, noun) == text
