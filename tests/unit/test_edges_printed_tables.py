"""Edge cases, one fact per case: tables and grids as a switch prints them."""

from __future__ import annotations

import pytest

from netplan.model.document import Places, SourceMap
from netplan.reading.tables import Line, Row, Table, grids, lines_of, tables


def lines(*texts: str) -> list[Line]:
    places, text = Places(SourceMap()), "\n".join(texts)
    return lines_of(text, places.sources.add("leaf.txt", text), places)


def shown(table: Table) -> tuple[tuple[str, ...], list[dict[str, str]], int]:
    return table.head, [row.cells for row in table.rows], table.at.line


def test_lines_know_their_places_behind_other_texts() -> None:
    places = Places(SourceMap())
    places.sources.add("first.txt", "a\nb\nc")
    base = places.sources.add("second.txt", "one\n\nthree")
    found = lines_of("one\n\nthree", base, places)
    assert [(line.text, str(line.at)) for line in found] == [
        ("one", "second.txt:1:1"),
        ("", "second.txt:2:1"),
        ("three", "second.txt:3:1"),
    ]


PORTS = ["Interface    Admin", "-----------  -------", "Ethernet0    up", "Ethernet4    down"]
TWO = [{"interface": "Ethernet0", "admin": "up"}, {"interface": "Ethernet4", "admin": "down"}]
HEAD = ("interface", "admin")


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ([], []),
        (["Interface    Admin"], []),
        (["-----------  -------", "Ethernet0    up"], []),
        (["Interface", "---------", "Ethernet0"], []),
        (PORTS, [(HEAD, TWO, 1)]),
        (["admin@leaf:~$ show", *PORTS], [(HEAD, TWO, 2)]),
        (PORTS[:2], [(HEAD, [], 1)]),
        (PORTS[:3], [(HEAD, TWO[:1], 1)]),
        ([*PORTS, "", "Ethernet8    up"], [(HEAD, TWO, 1)]),
        ([*PORTS, "   ", "Ethernet8    up"], [(HEAD, TWO, 1)]),
        ([*PORTS, "------------------", "Total ports: 2"], [(HEAD, TWO, 1)]),
        ([*PORTS, "", *PORTS], [(HEAD, TWO, 1), (HEAD, TWO, 6)]),
        ([*PORTS, *PORTS], [(HEAD, TWO, 1), (HEAD, TWO, 5)]),
        ([*PORTS, *PORTS[:3], *PORTS[:3]], [(HEAD, TWO, 1), (HEAD, TWO[:1], 5), (HEAD, TWO[:1], 8)]),
        ([*PORTS[:2], *PORTS[:3]], [(HEAD, [], 1), (HEAD, TWO[:1], 3)]),
        (
            [
                "  LocalPort    RemoteDevice",
                " ----------- -------------- ",
                "  Ethernet0   leaf 2 of pod A  ",
            ],
            [
                (
                    ("localport", "remotedevice"),
                    [{"localport": "Ethernet0", "remotedevice": "leaf 2 of pod A"}],
                    1,
                )
            ],
        ),
        (
            ["Port   Remote   Port ID", "----  ------------------", "E0    swp1 "],
            [(("port", "remote port id"), [{"port": "E0", "remote port id": "swp1"}], 1)],
        ),
        (["A    B", "---  ---", "1"], [(("a", "b"), [{"a": "1", "b": ""}], 1)]),
        (["A    B", "---  ---", "1    2 and more"], [(("a", "b"), [{"a": "1", "b": "2 and more"}], 1)]),
    ],
)
def test_tables_of_a_session(
    texts: list[str], found: list[tuple[tuple[str, ...], list[dict[str, str]], int]]
) -> None:
    assert [shown(table) for table in tables(lines(*texts))] == found


def test_a_row_knows_its_line() -> None:
    (table,) = tables(lines("admin@leaf:~$ show", *PORTS))
    assert [str(row.at) for row in table.rows] == ["leaf.txt:4:1", "leaf.txt:5:1"]


RULE = "+---------+--------+"
GRID = [RULE, "| Port    | Name   |", RULE, "| E0      | a      |", "|         | b      |", RULE]
NAMES = {"port": "Port", "name": "Name"}
CELLS = [{"port": "E0", "name": "a"}, {"port": "", "name": "b"}]


@pytest.mark.parametrize(
    ("texts", "blocks"),
    [
        ([], []),
        (GRID[:2], []),
        (GRID[:3], [[NAMES]]),
        (GRID, [[NAMES], CELLS]),
        (GRID[:5], [[NAMES]]),
        ([f"  {line} " for line in GRID], [[NAMES], CELLS]),
        ([*GRID, GRID[3], RULE], [[NAMES], CELLS, CELLS[:1]]),
        ([*GRID[:4], "", *GRID[4:]], [[NAMES]]),
        ([*GRID, "Total: 1", GRID[3], RULE], [[NAMES], CELLS]),
        ([*GRID, "Total: 1", *GRID], [[NAMES], CELLS, [NAMES], CELLS]),
        ([*GRID[:3], "| E0 |", GRID[3], RULE], [[NAMES], CELLS[:1]]),
        ([*GRID[:3], "| E0 | a | b |", RULE], [[NAMES]]),
        ([RULE, "| Other   | Name   |", RULE, GRID[3], RULE], []),
        ([*GRID, RULE, RULE], [[NAMES], CELLS]),
        (["Total: 1", *GRID[1:]], [[NAMES], CELLS]),
        (["Total: 1", "", *GRID[1:]], [[NAMES], CELLS]),
    ],
)
def test_blocks_of_a_grid(texts: list[str], blocks: list[list[dict[str, str]]]) -> None:
    """The header is one; a block that no rule closes was cut off."""
    found: list[list[Row]] = [block for one in grids(lines(*texts), "port", True) for block in one.blocks]
    assert [[row.cells for row in block] for block in found] == blocks


def test_a_row_of_a_grid_knows_its_line() -> None:
    ((_, rows),) = (one.blocks for one in grids(lines("| x", *GRID), "port", True))
    assert [row.at.line for row in rows] == [5, 6]


@pytest.mark.parametrize(
    ("texts", "rest", "whole"),
    [
        (GRID, 0, True),
        ([RULE, GRID[1], RULE.replace("-", "="), RULE], 0, True),
        ([RULE, GRID[1], RULE.replace("-", "=")], 0, False),
        (GRID[:5], 2, False),
        ([*GRID[:4], GRID[4][:12], RULE], 0, False),
        ([*GRID[:4], "--More--", *GRID[4:]], 1, False),
    ],
)
def test_a_grid_is_whole_if_it_ends_with_a_rule_and_no_row_is_cut(
    texts: list[str], rest: int, whole: bool
) -> None:
    (found,) = grids(lines(*texts), "port", True)
    assert (len(found.rest), found.whole) == (rest, whole)


@pytest.mark.parametrize(
    ("texts", "ended"),
    [(PORTS, False), ([*PORTS, "", " "], False), ([*PORTS, "", "admin@x:~$"], True), (PORTS[:2], False)],
)
def test_a_table_has_ended_if_something_stands_below_it(texts: list[str], ended: bool) -> None:
    assert [table.ended for table in tables(lines(*texts))] == [ended]
