"""Edge cases, one fact per case: how many of the cables BGP uses, from ``top`` over two switches to
``end``, which announces 10.5.0.0/24. Cable number n has 10.0.n.0 at its upper and 10.0.n.1 at its lower end.
"""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from netaddr import IPAddress, IPNetwork

from netplan.model.readback import Stand
from netplan.model.values import InterfaceAddress
from netplan.trace.bgp import Bgp
from netplan.trace.capacity import Capacity
from netplan.trace.fabric import ReadFabric
from netplan.trace.link import Packet
from netplan.trace.model import Fault, Verdict
from netplan.trace.onward import Onward
from netplan.trace.path import Paths
from tests.unit.test_edges_bgp import OWNS, neighbour, port, switch
from tests.unit.test_edges_fabric import cable

CABLES = (
    (1, "top", "left"),
    (2, "top", "left"),
    (3, "top", "right"),
    (4, "left", "end"),
    (5, "right", "end"),
)
NUMBERS = {"top": 1, "left": 2, "right": 3, "end": 4}
PREFIX, HOST = ip_network("10.5.0.0/24"), ip_address("10.5.0.9")
STATES = frozenset({"paths", "seed"})


def fabric(without: tuple[int, ...] = (), **changes: dict[str, Any]) -> ReadFabric:
    """``without``: cables of which the upper end states no neighbour."""
    switches = {}
    for name, asn in NUMBERS.items():
        upper = [(n, low) for n, high, low in CABLES if high == name]
        lower = [(n, high) for n, high, low in CABLES if low == name]
        ports = [port(f"p{n}", f"10.0.{n}.0/31") for n, _ in upper]
        ports += [port(f"p{n}", f"10.0.{n}.1/31") for n, _ in lower]
        stated = [neighbour(f"10.0.{n}.1", NUMBERS[low]) for n, low in upper if n not in without]
        stated += [neighbour(f"10.0.{n}.0", NUMBERS[high]) for n, high in lower]
        if name == "end":
            ports.append(OWNS)
        made = switch(name, asn, ports, *stated)
        networks = frozenset({IPNetwork("10.5.0.0/24")} if name == "end" else ())
        switches[name] = replace(made, **{"networks": networks, **changes.get(name, {})})
    speeds = {1: 100, 2: 200, 3: 400}
    ends = [(high, low, n) for n, high, low in CABLES] + [(low, high, n) for n, high, low in CABLES]
    cables = [cable(a, f"p{n}", b, f"p{n}", speed_gbps=speeds.get(n, 800)) for a, b, n in ends]
    return ReadFabric(switches, cables)


def judged(name: str = "top", **given: Any) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    made = fabric(**given)
    bgp = Bgp(made)
    route = bgp.route(name, HOST)
    assert route is not None
    return Capacity(made, bgp).of(name, PREFIX, HOST, route[1])


def test_every_cable_carries_a_session() -> None:
    assert judged() == ((), ())
    assert len(Bgp(fabric()).route("top", HOST)[1]) == 3  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "without", "said"),
    [
        (
            "top",
            (1,),
            "over 2 of 3 cables, 600 of 700 Gb/s: p1 to left is not used: top has no BGP neighbour 10.0.1.1",
        ),
        (
            "top",
            (2,),
            "over 2 of 3 cables, 500 of 700 Gb/s: p2 to left is not used: top has no BGP neighbour 10.0.2.1",
        ),
        (
            "top",
            (3,),
            "over 2 of 3 cables, 300 of 700 Gb/s: p3 to right is not used: top has no BGP neighbour",
        ),
        (
            "top",
            (1, 3),
            "over 1 of 3 cables, 200 of 700 Gb/s: p1 to left is not used: top has no BGP neighbour",
        ),
        (
            "top",
            (5,),
            "over 2 of 3 cables, 300 of 700 Gb/s: p3 to right is not used: right has no BGP neighbour",
        ),
        ("left", (1,), None),
        ("left", (2,), None),
    ],
)
def test_a_cable_that_is_not_used_takes_its_part(
    name: str, without: tuple[int, ...], said: str | None
) -> None:
    faults, notes = judged(name, without=without)
    assert [each.verdict for each in faults] == [Verdict.NARROW] * (said is not None)
    assert all(f"{name} reaches 10.5.0.0/24 {said}" in each.text for each in faults), faults
    assert notes == ()


def test_a_cable_to_a_switch_that_announces_another_prefix_is_not_missed() -> None:
    """Packets to 10.5.0.9 take the longer prefix."""
    networks = frozenset({IPNetwork("10.5.0.0/16")})
    owner = [*fabric().switches["left"].ports.values(), port("own", "10.5.128.1/16")]
    left = {"networks": networks, "ports": {each.name: each for each in owner}}
    assert judged(left=left) == ((), ())
    (fault,), _ = judged(left=left, without=(3,))
    assert "top reaches 10.5.0.0/24 over 2 of 3 cables, 300 of 700 Gb/s" in fault.text


@pytest.mark.parametrize(
    ("change", "faults", "notes"),
    [
        ({}, [], []),
        ({"states": STATES, "paths": 3, "seed": 7}, [], []),
        (
            {"states": STATES, "paths": 2, "seed": 7},
            ["top uses at most 2 of 3 equal paths to 10.5.0.0/24 ("],
            [],
        ),
        ({"states": STATES, "paths": None, "seed": 7}, [], ["top is not stated"]),
        ({"states": STATES, "paths": 3, "seed": None}, [], ["top is not stated"]),
        (
            {"states": STATES, "paths": 3, "seed": 1},
            [],
            ["top and left hash flows to equal paths with the same seed, 1 ("],
        ),
        ({"lacking": frozenset({"bgp"})}, [], ["top is not stated"]),
        ({"lacking": frozenset({"routing"})}, [], ["top is not stated"]),
        ({"lacking": frozenset({"bgp", "routing"})}, [], ["top is not stated"] * 2),
        ({"rejects": (("out", "t1"),)}, [], ["top announces nothing that it learned: term t1 of out"]),
        ({"router_id": IPAddress("1.1.1.1")}, [], ["router ID 1.1.1.1 of top is also that of right"]),
    ],
)
def test_what_a_switch_states_of_equal_paths(
    change: dict[str, Any], faults: list[str], notes: list[str]
) -> None:
    others: Any = {"left": {"seed": 1}, "right": {"seed": 2, "router_id": IPAddress("1.1.1.1")}}
    found = judged(top=change, **others)
    assert [part in each.text for part, each in zip(faults, found[0], strict=True)] == [True] * len(faults)
    assert [part in text for part, text in zip(notes, found[1], strict=True)] == [True] * len(notes), found[1]


def test_one_path_needs_no_line_about_several() -> None:
    change = {"states": STATES, "paths": None, "seed": None}
    assert judged("left", left=change) == ((), ())
    two = {"states": STATES, "paths": 2, "seed": 9}
    assert judged(without=(3,), top=two)[0][0].verdict is Verdict.NARROW
    assert len(judged(without=(3,), top={**two, "paths": 1})[0]) == 2
    (note,) = judged(left={"lacking": frozenset({"bgp", "routing"})})[1]
    assert "left is not stated" in note


def onward(made: ReadFabric, name: str = "top") -> Onward:
    request: Any = type("R", (), {})()
    request.dst, request.src, request.arrive = HOST, None, "net1"
    request.receiver = type("P", (), {})()
    request.receiver.workload, request.receiver.host = "job", type("H", (), {"name": "node-0"})()
    paths = Paths(made, Bgp(made))
    arrived = Onward(arrives="net1")
    paths._last = lambda *_: arrived  # type: ignore[method-assign]  # what the last switch does is not asked
    return paths._forward(request, name, Packet(size=None, dscp=None))


def test_all_equal_paths_are_walked() -> None:
    found = onward(fabric())
    assert (found.arrives, found.count, [hop.node for hop in found.hops]) == ("net1", 3, ["top", "left"])
    assert found.faults == ()


@pytest.mark.parametrize("name", ["left", "right"])
def test_of_equal_paths_one_that_arrives_is_drawn_and_all_are_judged(name: str) -> None:
    """A switch on one of them keeps the packets: its loopback has the address."""
    own: Any = {"loopbacks": (InterfaceAddress(IPAddress("10.5.0.9"), 32),)}
    changes: Any = {name: own}
    found = onward(fabric(**changes))
    assert found.arrives == "net1"
    assert [hop.node for hop in found.hops] == ["top", "right" if name == "left" else "left"]
    (fault,) = found.faults
    assert fault.text.startswith(f"{name} keeps packets for 10.5.0.9: its loopback has 10.5.0.9/32 (")


@pytest.mark.parametrize(("length", "kept"), [(32, True), (24, True), (23, False)])
def test_a_loopback_keeps_packets_where_its_prefix_is_no_shorter(length: int, kept: bool) -> None:
    own = {"loopbacks": (InterfaceAddress(IPAddress("10.5.0.9"), length),)}
    found = onward(fabric(top=own))
    assert (found.arrives is None) is kept
    at_end = onward(fabric(end=own), "end")
    assert (at_end.arrives is None) is kept


@pytest.mark.parametrize(
    ("own", "hops"), [("10.5.0.1/24", []), ("10.5.0.1/25", []), ("10.5.0.1/23", ["top"])]
)
def test_an_interface_takes_packets_unless_bgp_has_a_longer_prefix(own: str, hops: list[str]) -> None:
    ports = {**fabric().switches["top"].ports, "own": port("own", own)}
    assert [hop.node for hop in onward(fabric(top={"ports": ports})).hops[:1]] == hops


def test_what_nobody_announces_has_no_route() -> None:
    quiet = fabric(end={"networks": frozenset()})
    (fault,) = onward(quiet).faults
    assert fault.text.startswith("top has no route to 10.5.0.9: no switch announces it (")
    unowned = fabric(end={"ports": {n: p for n, p in fabric().switches["end"].ports.items() if n != "x"}})
    (fault,) = onward(unowned).faults
    assert fault.text.startswith(
        "top has no route to 10.5.0.9: end should announce 10.5.0.0/24, which none of its interfaces has ("
    )
    apart = fabric(without=(1, 2, 3))
    (fault,) = onward(apart).faults
    assert fault.text.startswith("top has no route to 10.5.0.0/24: top has no BGP neighbour 10.0.1.1, left (")


STAND = Stand("bgp.txt", "paths <n>")


def test_a_switch_without_a_route_is_told_what_is_wrong_with_its_own_sessions() -> None:
    """Not what else is wrong with its neighbour."""
    stated = fabric().switches["left"].neighbours
    other = tuple(
        replace(each, remote_as=99) if each.remote_as == NUMBERS["end"] else each for each in stated
    )
    (fault,) = onward(fabric(without=(1, 2, 3), left={"neighbours": other})).faults
    assert fault.text.startswith("top has no route to 10.5.0.0/24: top has no BGP neighbour 10.0.1.1, left (")


def test_what_is_not_stated_is_told_with_its_line() -> None:
    change = {"states": STATES, "paths": None, "seed": 7, "stands": {"paths": STAND}}
    (note,) = judged(top=change)[1]
    assert note.endswith("top is not stated; paths <n> would prove it (switches/top/bgp.txt)")
