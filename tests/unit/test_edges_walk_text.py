"""Edge cases, one fact per case: walks and matrices as text, and what several walks or ports amount to."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address
from typing import Any

import pytest

from netplan.graph.qos import Doubt, PriorityAnswer, Proof
from netplan.trace.draw import matrix_lines, trace_lines
from netplan.trace.link import Point, distinct, judge_lossless, point_of
from netplan.trace.matrix import OTHER_LEAVES, OTHER_NODE, SAME_NODE, Cell, Matrix, versions
from netplan.trace.matrix import _ends as ends
from netplan.trace.matrix import _worse as worse
from netplan.trace.model import (
    DEVICE_BOUND,
    FLOWS,
    SOURCE_BOUND,
    UNBOUND,
    Fault,
    Flow,
    Hop,
    Leg,
    Verdict,
    Walk,
    Walks,
)
from tests.unit.some import some

HOPS = (
    Hop(
        node="pod", enter="", leave="net1", does="sends", values={"MTU": "9000", "queue": "3"}, file="a.yaml"
    ),
    Hop(node="leaf-10", enter="p1", leave="p2", does="", values={}, file="b.txt:3"),
    Hop(node="end", enter="net1", leave="", does="takes", values={"MTU": "9000"}, file=""),
)
THERE = Leg(hops=HOPS, source=ip_address("10.0.0.1"), leaves="net1", arrives="net1")
LOST = Fault(Verdict.LOST, "leaf-10 has no route")
BIG = Fault(Verdict.TOO_BIG, "MTU 1500")


def walks(*each: Walk, **more: Any) -> list[str]:
    families = more.pop("families", {"IPv4": each})
    given = Walks("a/net1", "b/net1", more.pop("meant", True), families, more.pop("unbound", False))
    return list(trace_lines(given, more.pop("color", False)))


def test_a_walk_is_drawn_hop_by_hop() -> None:
    back = Leg(hops=HOPS[2:])
    assert walks(Walk(DEVICE_BOUND, THERE, back)) == [
        "a/net1 -> b/net1: proved: delivered on the right rail, both ways",
        "",
        "there, from 10.0.0.1",
        "  pod      net1  sends",
        "  |        MTU 9000, queue 3",
        "  |        a.yaml",
        "  leaf-10  p1 -> p2",
        "  |        b.txt:3",
        "  end      net1  takes",
        "           MTU 9000",
        "",
        "back",
        "  end  net1  takes",
        "       MTU 9000",
        "",
    ]


def test_what_is_wrong_and_not_known_of_a_leg_is_behind_its_hops() -> None:
    leg = Leg(
        hops=HOPS[:1],
        others=1,
        neighbours=("10.0.0.2 is answered by b",),
        faults=(BIG, LOST),
        notes=("port 1 is unknown", "port 2 is unknown", "the rest"),
    )
    lines = walks(Walk(DEVICE_BOUND, leg, None))
    assert lines[0] == "a/net1 -> b/net1: refuted: not delivered"
    assert lines[2:] == [
        "there",
        "  pod  net1  sends",
        "       MTU 9000, queue 3",
        "       a.yaml",
        "  and 1 other equal path, each checked",
        "  neighbour 10.0.0.2 is answered by b",
        "  too big: MTU 1500",
        "  not delivered: leaf-10 has no route",
        "  not proved: port 1 is unknown (and 1 like it)",
        "  not proved: the rest",
        "",
    ]


@pytest.mark.parametrize(
    ("others", "said"),
    [
        (0, None),
        (1, "  and 1 other equal path, each checked"),
        (2, "  and 2 other equal paths, each checked"),
    ],
)
def test_equal_paths_that_are_not_drawn_are_counted(others: int, said: str | None) -> None:
    lines = walks(Walk(DEVICE_BOUND, replace(THERE, others=others), None))
    assert [line for line in lines if "equal path" in line] == ([said] if said else [])


@pytest.mark.parametrize(("number", "more"), [(12, []), (13, ["and 1 more (--format json lists all)"])])
def test_twelve_notes_are_listed(number: int, more: list[str]) -> None:
    notes = tuple(f"{letter} is unknown" for letter in "abcdefghijklm"[:number])
    lines = walks(Walk(DEVICE_BOUND, Leg(notes=notes), None))
    assert [line.strip() for line in lines if "not proved: " in line][1:] == [
        *(f"not proved: {note}" for note in notes[:12]),
        *(f"not proved: {text}" for text in more),
    ]


def test_other_flows_have_a_line_each() -> None:
    good, bad = Walk(DEVICE_BOUND, THERE, THERE), Leg(faults=(LOST, BIG))
    every = (good, Walk(SOURCE_BOUND, THERE, THERE), Walk(UNBOUND, bad, None))
    lines = walks(*every)
    assert lines[-3:] == [
        "",
        "source-bound: proved: delivered on the right rail, both ways",
        "unbound: refuted: not delivered, shown only: leaf-10 has no route",
    ]
    assert walks(*every, unbound=True)[-1] == "unbound: refuted: not delivered: leaf-10 has no route"
    assert walks(*reversed(every))[0] == lines[0]


def test_two_families_are_named_and_routes_that_are_not_meant() -> None:
    walk = Walk(DEVICE_BOUND, Leg(notes=("n",)), None)
    heads = [line for line in walks(families={"IPv4": (walk,), "IPv6": (walk,)}) if line.startswith("a/")]
    said = "not proved: as far as the files show"
    assert heads == [f"a/net1 -> b/net1 (IPv4): {said}", f"a/net1 -> b/net1 (IPv6): {said}"]
    assert walks(walk, meant=False)[0] == (
        f"a/net1 -> b/net1: {said} (the routes are not meant to connect them)"
    )


def test_colours_of_a_walk() -> None:
    lines = walks(Walk(DEVICE_BOUND, Leg(faults=(BIG,), notes=("n",)), None), color=True)
    assert lines[0] == "a/net1 -> b/net1: \x1b[35mrefuted: too big\x1b[m"
    assert lines[3:5] == ["  \x1b[35mtoo big: MTU 1500\x1b[m", "  \x1b[36mnot proved: n\x1b[m"]


def cell(start: str, end: str, verdict: Verdict = Verdict.DELIVERED, **more: Any) -> Cell:
    plain: dict[str, Any] = {
        "relation": OTHER_NODE, "flow": DEVICE_BOUND, "start": start, "end": end, "meant": True,
        "decides": True, "verdict": verdict, "example": ("a", "b"), "faults": (), "notes": (),
    }  # fmt: skip
    return Cell(**{**plain, **more})


def matrix(*cells: Cell, interfaces: tuple[str, ...] = ("rail0", "rail1"), **more: Any) -> Matrix:
    plain: dict[str, Any] = {"hosts": 2, "classes": (2,), "pairs": 1, "walks": 4}
    return Matrix(workload="job", interfaces=interfaces, cells=cells, **{**plain, **more})


def table(*cells: Cell, **more: Any) -> list[str]:
    return list(matrix_lines(matrix(*cells, **more), color=False))


def test_a_matrix_has_a_table_for_each_place_of_the_other_pod() -> None:
    cells = [
        cell("rail0", "rail0"),
        cell("rail0", "rail1", Verdict.LOST, meant=False),
        cell("rail1", "rail1", Verdict.UNPROVED, notes=("n 1", "n 2")),
        cell("rail0", "rail0", relation=SAME_NODE),
    ]
    assert table(*cells) == [
        "job: not proved: as far as the files show",
        "  2 hosts in 1 class, 1 pair of them, 4 walks there and back",
        "",
        "  same node  device-bound",
        "  from / to  0 1",
        "  rail0      + .",
        "  rail1      . .",
        "",
        "  other node  device-bound",
        "  from / to   0 1",
        "  rail0       + .",
        "  rail1       . ~",
        "",
        "  + delivered, ~ as far as the files show, . not meant to reach each other",
        "  not proved: n 1 (and 1 like it)",
    ]


def test_flows_stand_beside_each_other_and_an_unbound_socket_has_one_row() -> None:
    cells = [
        cell(start, end, flow=flow, decides=flow is not UNBOUND)
        for flow in FLOWS
        for start in ("rail0", "rail1")
        for end in ("rail0", "rail1")
    ]
    cells = [each for each in cells if each.flow is not UNBOUND or each.start == each.end]
    assert table(*cells)[3:7] == [
        "  other node  device-bound  source-bound  unbound",
        "  from / to   0 1           0 1           0 1",
        "  rail0       + +           + +           + +",
        "  rail1       + +           + +",
    ]


def test_columns_are_as_wide_as_the_longest_number() -> None:
    names = ("net9", "net10", "odd")
    lines = table(*(cell(name, name) for name in names), interfaces=names)
    assert lines[3:8] == [
        "  other node  device-bound",
        "  from / to    9 10  2",
        "  net9         +  .  .",
        "  net10        .  +  .",
        "  odd          .  .  +",
    ]


def test_a_block_is_as_wide_as_its_rails() -> None:
    names = tuple(f"rail{n}" for n in range(8))
    cells = [cell("rail0", "rail0", flow=flow) for flow in (DEVICE_BOUND, SOURCE_BOUND)]
    lines = table(*cells, interfaces=names)
    assert lines[3] == "  other node  device-bound     source-bound"
    assert lines[4] == "  from / to   0 1 2 3 4 5 6 7  0 1 2 3 4 5 6 7"
    assert lines[5] == "  rail0       + . . . . . . .  + . . . . . . ."


@pytest.mark.parametrize(
    ("facts", "head", "second"),
    [
        (
            {},
            "job: proved: every pair is delivered on the right rail, both ways",
            "2 hosts in 1 class, 1 pair",
        ),
        ({"classes": (1, 1)}, "job: proved: every pair", "2 hosts in 2 classes, 1 pair"),
        (
            {"hosts": 1, "pairs": 2, "walks": 1},
            "job: proved:",
            "1 host in 1 class, 2 pairs of them, 1 walk th",
        ),
        ({"hosts": 1000}, "job: proved:", "1,000 hosts in 1 class"),
        ({"missing": "no host"}, "job: refuted: not delivered", "2 hosts in 1 class"),
    ],
)
def test_the_head_of_a_matrix(facts: dict[str, Any], head: str, second: str) -> None:
    lines = table(cell("rail0", "rail0"), **facts)
    assert lines[0].startswith(head)
    assert lines[1].startswith(f"  {second}")
    assert ("  no host" in lines) is ("missing" in facts)


def test_walks_that_fail_are_told_with_an_example() -> None:
    bad = cell("rail0", "rail1", Verdict.LOST, faults=(LOST, BIG))
    assert table(bad, cell("rail0", "rail0", notes=("n",), meant=False))[7:] == [
        "",
        "  X not delivered, . not meant to reach each other",
        "  device-bound a/rail0 -> b/rail1, other node: leaf-10 has no route",
        "  device-bound a/rail0 -> b/rail1, other node: MTU 1500",
    ]
    again = cell("rail1", "rail0", Verdict.LOST, faults=(LOST,), notes=(LOST.text, "n"))
    assert table(bad, again, replace(again, start="rail1", end="rail1"))[9:] == [
        "  device-bound a/rail0 -> b/rail1, other node, and 2 more walks: leaf-10 has no route",
        "  device-bound a/rail0 -> b/rail1, other node: MTU 1500",
        "  not proved: n",
    ]
    apart = replace(bad, relation=OTHER_LEAVES, flow=UNBOUND, decides=False)
    assert table(apart, cell("rail0", "rail0"))[-1] == (
        "  unbound sockets are shown and decide nothing: leaf-10 has no route"
    )
    assert not any("unbound sockets" in line for line in table(replace(apart, meant=False)))
    assert not any("unbound sockets" in line for line in table(replace(apart, verdict=Verdict.UNPROVED)))
    assert matrix(apart, cell("rail0", "rail0")).verdict is Verdict.DELIVERED
    assert matrix(bad, cell("rail0", "rail0")).verdict is Verdict.LOST
    assert matrix(replace(bad, meant=False)).verdict is Verdict.UNPROVED


def test_of_two_cells_the_worse_one_counts_with_what_both_say() -> None:
    one = cell("rail0", "rail0", Verdict.UNPROVED, meant=False, notes=("a", "b"), example=("a", "b"))
    other = cell("rail0", "rail0", Verdict.LOST, faults=(LOST,), notes=("b", "c"), example=("c", "d"))
    both = worse(one, other)
    assert (both.verdict, both.example, both.meant) == (Verdict.LOST, ("c", "d"), True)
    assert (both.faults, both.notes) == ((LOST,), ("a", "b", "c"))
    assert worse(other, one).example == ("c", "d")
    assert worse(one, replace(one, example=("x", "y"))).example == ("a", "b")
    assert worse(one, one).meant is False


def pod(**addresses: tuple[str, ...]) -> Any:
    held = {name: tuple(some(ip=ip_address(ip)) for ip in each) for name, each in addresses.items()}
    return some(nics=dict.fromkeys(addresses), space=some(addresses=held))


THREE = pod(a=("10.0.0.1",), b=("10.0.1.1",), c=("10.0.2.1",))
PLAIN = pod(a=(), b=())
ALL = [(one, other) for one in "abc" for other in "abc"]


@pytest.mark.parametrize(
    ("given", "flow", "sampled", "found"),
    [
        (THREE, DEVICE_BOUND, False, ALL),
        (THREE, SOURCE_BOUND, False, ALL),
        (THREE, UNBOUND, False, [("a", "a"), ("b", "b"), ("c", "c")]),
        (THREE, DEVICE_BOUND, True, [("a", "a"), ("a", "b"), ("b", "b"), ("b", "c"), ("c", "a"), ("c", "c")]),
        (THREE, UNBOUND, True, [("a", "a"), ("b", "b"), ("c", "c")]),
        (PLAIN, DEVICE_BOUND, False, [("a", "a"), ("b", "b")]),
        (PLAIN, SOURCE_BOUND, False, []),
        (PLAIN, UNBOUND, False, []),
    ],
)
def test_interfaces_that_a_flow_can_have(
    given: Any, flow: Flow, sampled: bool, found: list[tuple[str, str]]
) -> None:
    """A device without addresses reaches its counterpart alone."""
    pair: Any = some(a=given, b=given, sampled=sampled)
    assert list(ends(pair, flow)) == found


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (("10.0.0.1",), ("10.0.0.2",), [4]),
        (("fd00::1",), ("fd00::2",), [6]),
        (("10.0.0.1", "fd00::1"), ("fd00::2", "10.0.0.2"), [4, 6]),
        (("10.0.0.1", "fd00::1"), ("fd00::2",), [6]),
        (("10.0.0.1",), ("fd00::2",), [4]),
        ((), (), [4]),
    ],
)
def test_ip_versions_of_two_interfaces(
    one: tuple[str, ...], other: tuple[str, ...], found: list[int]
) -> None:
    assert versions(pod(a=one), "a", pod(b=other), "b") == found
    assert versions(pod(a=one), "x", pod(b=other), "b") == [4]


def point(place: str, priority: int | None, lossless: bool | None = True, *doubts: Doubt) -> Point:
    return Point(place, lossless, priority, doubts)


OPEN, OFF = Doubt(Proof.OPEN, "not stated", "pfc"), Doubt(Proof.REFUTED, "off", "pfc")
UNLIKE = Doubt(Proof.UNLIKE, "unlike", "pfc")


@pytest.mark.parametrize(
    ("points", "faults", "notes"),
    [
        ([], [], ()),
        ([point("a", 3), point("b", 3)], [], ()),
        (
            [point("b", 4), point("a", 3)],
            [(Verdict.LOSSY, "a pauses priority 3, b priority 4")],
            (),
        ),
        (
            [point("a", 3), point("b", 4), point("c", 3), point("d", 5)],
            [
                (Verdict.LOSSY, "a pauses priority 3, b priority 4"),
                (Verdict.LOSSY, "a pauses priority 3, d priority 5"),
            ],
            (),
        ),
        ([point("a", 3), point("b", None)], [], ()),
        ([point("a", None), point("b", 4)], [], ()),
        ([point("a", 3), point("b", 4, False)], [], ()),
        ([point("a", 3), point("b", 4, None)], [(Verdict.LOSSY, "a pauses priority 3, b priority 4")], ()),
        ([point("a", 3, None, OPEN)], [], ("not stated",)),
        ([point("a", 3, False, OFF, OPEN)], [(Verdict.LOSSY, "off")], ("not stated",)),
        ([point("a", 3, True, UNLIKE)], [(Verdict.UNLIKE, "unlike")], ()),
        ([point("a", 3, False, OFF), point("b", 3, False, OFF)], [(Verdict.LOSSY, "off")], ()),
    ],
)
def test_every_port_of_a_path_is_lossless_in_one_priority(
    points: list[Point], faults: list[tuple[Verdict, str]], notes: tuple[str, ...]
) -> None:
    found = judge_lossless(points)
    assert found == (tuple(Fault(*each) for each in faults), notes)
    assert judge_lossless([*points, *points]) == found


def test_a_queue_is_not_held_against_the_priority_of_another_port() -> None:
    """Of a port whose PFC is a comment to confirm, the queue is known and the priority is not."""
    open_ = point_of("b", PriorityAnswer(None, (OPEN,), queue=4), ())
    assert judge_lossless([point("a", 3), open_]) == ((), ("not stated",))


def test_of_proved_points_one_of_each_priority_is_kept() -> None:
    one, same, other = point("a", 3), point("b", 3), point("c", 4)
    first, second = point("d", 3, None, OPEN), point("e", 3, None, OPEN)
    assert distinct([one, None, same, other, first, second, first]) == (one, other, first, second)
