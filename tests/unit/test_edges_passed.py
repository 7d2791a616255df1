"""Edge cases, one fact per case: what passing a port or the interface of a VLAN says, on a minimal fabric."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.graph.qos import TO_CONFIRM, Doubt, Proof
from netplan.trace import link
from netplan.trace.draw import matrix_lines
from netplan.trace.fabric import ReadFabric
from netplan.trace.link import Packet, Passed, Point, Ports, _in_queue, _qos_values, _untold, point_of
from netplan.trace.model import Fault, Verdict
from tests.unit.some import but, some
from tests.unit.test_edges_walk_text import BIG, cell, matrix

PORTS: Any = Ports
PACKET = Packet(size=4096, dscp=26)
READ: Any = some(
    name="leaf", states=frozenset(), stands=(), comments=(), entries={}, collected={}, lacking=(), told=(),
    steps=some(arp_seconds=1), arp_seconds=None, arp6_seconds=None, ports={},
    vlan_interfaces={7: some(garp=True, aged=True)},
)  # fmt: skip
ROUTED: Any = some(switch="leaf", name="Vlan7", vlan=7, up=True, ip_mtu=9000, ip=some(version=4))


def ports(
    read: Any = READ, demand: int = 0, arp_seconds: int | None = None, shared: tuple[Any, ...] = ()
) -> Any:
    fabric = some(
        switches={"leaf": read},
        wanted=some(demand={"leaf": demand}, arp_seconds=arp_seconds),
        file=lambda switch, kind: f"{kind}.txt",
        unstated=lambda switch, fact, at="": f"unstated {fact} {at}".strip(),
        at=lambda switch, kind, fact, *more: f"{kind}.txt {fact}",
        shared=lambda switch: shared,
        at_interface=lambda switch, end: f"at {end}",
        at_vlan=lambda switch, vlan, *facts: f"vlans.txt {' '.join(facts)}",
    )
    return PORTS(fabric)


LOST = Fault(Verdict.LOST, "leaf Vlan7 is shut down (vlans.txt vlan-down)")
UNKNOWN = "unstated vlan-up 7"


@pytest.mark.parametrize(
    ("change", "faults", "notes"),
    [
        ({}, [], []),
        ({"up": False}, [LOST], []),
        ({"up": None}, [], [UNKNOWN]),
        ({"vlan": None, "up": False}, [], []),
        ({"vlan": None, "up": None}, [], []),
        (
            {"ip_mtu": 1500},
            [
                Fault(
                    Verdict.TOO_BIG,
                    "leaf Vlan7 takes IP packets of up to 1,500 bytes, the pod sends up to 4,096 "
                    "(vlans.txt vlan-mtu vlan-ip-mtu)",
                )
            ],
            [],
        ),
        ({"ip_mtu": None}, [], ["the MTU of leaf Vlan7 is not stated (vlans.txt)"]),
    ],
)
def test_the_interface_of_a_vlan_is_up_and_wide_enough(
    change: dict[str, Any], faults: list[Fault], notes: list[str]
) -> None:
    found = ports().interface(but(ROUTED, **change), PACKET)
    assert found == (tuple(faults), tuple(notes))


@pytest.mark.parametrize(
    ("vlan", "lacking", "told"),
    [
        (7, ("routing", "vlan-routing"), ["unstated routing", "unstated vlan-routing"]),
        (None, ("routing", "vlan-routing"), ["unstated routing"]),
        (7, ("vlan-routing",), ["unstated vlan-routing"]),
        (7, ("bgp",), []),
    ],
)
def test_lines_that_enable_routing(vlan: int | None, lacking: tuple[str, ...], told: list[str]) -> None:
    given = ports(but(READ, lacking=lacking))
    assert list(given.enabled(but(ROUTED, vlan=vlan))) == told
    assert given.interface(but(ROUTED, vlan=vlan), PACKET) == ((), tuple(told))


@pytest.mark.parametrize(("demand", "told"), [(9, False), (10, False), (11, True)])
@pytest.mark.parametrize(
    ("fact", "version", "verdict", "does"),
    [
        ("entries", 4, Verdict.LOST, "keeps at most 10 neighbours (arp.txt entries)"),
        ("entries", 6, Verdict.LOST, "keeps at most 10 neighbours (arp.txt entries6)"),
        ("collected", 4, Verdict.UNPROVED, "drops idle neighbours above 10 (arp.txt collected)"),
    ],
)
def test_a_switch_keeps_the_neighbours_it_may_have(
    demand: int, told: bool, fact: str, version: int, verdict: Verdict, does: str
) -> None:
    given = ports(but(READ, **{fact: {version: 10}}), demand)
    text = f"leaf {does}, VFs and switches on its cables are 11 (site.json)"
    found = list(given._crowded(but(ROUTED, ip=some(version=version))))
    assert found == ([Fault(verdict, text)] if told else [])
    assert list(given._crowded(but(ROUTED, ip=some(version=10 - version)))) == []
    faults, notes = given.interface(but(ROUTED, ip=some(version=version)), PACKET)
    assert len(faults) == (told and verdict is Verdict.LOST)
    assert len(notes) == (told and verdict is Verdict.UNPROVED)


def aged(wanted: int | None, version: int = 4, **read: Any) -> tuple[list[str], list[str]]:
    given = ports(but(READ, **{**read, "states": frozenset(read.get("states", ()))}), arp_seconds=wanted)
    faults, notes = given._neighbours(but(ROUTED, ip=some(version=version)))
    assert all(each.verdict is Verdict.UNLIKE for each in faults)
    assert given._neighbours(but(ROUTED, ip=some(version=version))) == (faults, notes)
    return [each.text for each in faults], list(notes)


KEEPS = "leaf keeps neighbours {} s, site.json has 600 s (arp.txt)"


@pytest.mark.parametrize(
    ("version", "read", "faults", "notes"),
    [
        (4, {}, [], []),
        (4, {"arp_seconds": 600}, [], []),
        (4, {"arp_seconds": 1800}, [KEEPS.format("1,800")], []),
        (4, {"arp_seconds": 599}, [KEEPS.format(599)], []),
        (4, {"arp_seconds": 659, "steps": some(arp_seconds=60)}, [], []),
        (4, {"arp_seconds": 541, "steps": some(arp_seconds=60)}, [], []),
        (4, {"arp_seconds": 660, "steps": some(arp_seconds=60)}, [KEEPS.format(660)], []),
        (4, {"states": ("arp-ms",)}, [], ["unstated arp"]),
        (4, {"states": ("arp-ms",), "stands": ("arp-ms",)}, [], ["unstated arp-ms"]),
        (4, {"states": ("arp-ms",), "comments": ("arp_age",)}, [], []),
        (4, {"states": ("arp6-ms",)}, [], []),
        (6, {"states": ("arp6-ms",)}, [], ["unstated arp"]),
        (6, {"states": ("arp6-ms",), "stands": ("arp6-ms",)}, [], ["unstated arp6-ms"]),
        (6, {"states": ("arp6-ms",), "arp_seconds": 9, "arp6_seconds": 600}, [], []),
        (6, {"states": ("arp6-ms",), "arp_seconds": 600, "arp6_seconds": 9}, [KEEPS.format(9)], []),
        (6, {"arp_seconds": 600, "arp6_seconds": 9}, [], []),
        (4, {"states": ("arp6-ms",), "arp_seconds": 600, "arp6_seconds": 9}, [], []),
        (
            4,
            {"states": ("garp",), "vlan_interfaces": {7: some(garp=False, aged=True)}},
            [],
            ["unstated garp 7"],
        ),
    ],
)
def test_a_switch_keeps_neighbours_as_long_as_the_site_asks(
    version: int, read: dict[str, Any], faults: list[str], notes: list[str]
) -> None:
    assert aged(600, version, **read) == (faults, notes)
    assert aged(None, version, **read) == ([], [])


@pytest.mark.parametrize(
    ("states", "stands", "version", "garp", "is_aged", "told"),
    [
        (("garp",), (), 4, False, True, ["garp"]),
        (("vlan-garp",), ("vlan-garp",), 4, False, True, ["vlan-garp"]),
        (("garp",), (), 4, True, True, []),
        (("garp",), (), 6, False, True, []),
        ((), (), 4, False, False, []),
        (("vlan-arp",), (), 4, True, False, ["arp"]),
        (("vlan-arp",), (), 4, True, True, []),
        (("garp", "vlan-arp"), (), 4, False, False, ["garp", "arp"]),
    ],
)
def test_neighbour_facts_that_no_line_of_an_interface_states(
    states: tuple[str, ...], stands: tuple[str, ...], version: int, garp: bool, is_aged: bool, told: list[str]
) -> None:
    given = but(
        READ, states=frozenset(states), stands=stands, vlan_interfaces={7: some(garp=garp, aged=is_aged)}
    )
    assert list(_untold(given, but(ROUTED, ip=some(version=version)))) == told


def test_two_interfaces_in_one_subnet_are_said_of_each() -> None:
    def has(vlan: int | None, port: str | None) -> bool:
        return vlan == 7 or port == "p"

    given = ports(shared=(some(has=has, first="Vlan7", second="p"),))
    text = "leaf p is in one subnet with Vlan7: which of the two answers is not stated (at p, at Vlan7)"
    assert list(given._shared("leaf", 7, None)) == list(given._shared("leaf", None, "p")) == [text]
    assert list(given._shared("leaf", 8, None)) == list(given._shared("leaf", None, "q")) == []
    assert given.interface(ROUTED, PACKET) == ((), (text,))


def test_what_is_not_read_of_a_switch_is_said_with_its_file() -> None:
    read = but(READ, problems=("qos.txt: twice",), unread=("ages at 5",), refused=("queue 9 of p",))
    assert list(ports()._unread(read)) == [
        "switches/leaf/qos.txt: twice",
        "leaf: ages at 5 (arp.txt)",
        "leaf: queue 9 of p (qos.txt)",
    ]


QOS = some(queues={26: (3,), 0: (0, 1)}, mtus={3: 4095, 0: 4096, 1: None})
TIGHT = "queue 3 of leaf p takes packets of up to 4,095 bytes, the pod sends up to 4,096 (qos.txt)"


@pytest.mark.parametrize(
    ("told", "packet", "said"),
    [
        (("queue-mtu",), PACKET, ["unstated queue-mtu queue 1", TIGHT]),
        (("queue-mtu",), Packet(size=4096, dscp=None), ["unstated queue-mtu queue 1"]),
        (("queue-mtu",), Packet(size=4095, dscp=26), ["unstated queue-mtu queue 1"]),
        (("queue-mtu",), Packet(size=None, dscp=26), []),
        ((), PACKET, []),
    ],
)
def test_queues_with_a_largest_packet_of_their_own(told: Any, packet: Packet, said: list[str]) -> None:
    read = but(READ, told=told, ports={"p": some(qos=QOS)})
    assert list(_in_queue(read, "p", packet, ports(read)._fabric)) == said


@pytest.mark.parametrize(
    ("queue", "doubts", "comments", "values"),
    [
        (3, (), (), {"DSCP": "26", "queue": "3", "PFC": "on", "ECN": "1,000 to 20,000 bytes"}),
        (4, (), (), {"DSCP": "26", "queue": "4", "PFC": "on", "ECN": "off"}),
        (4, (), ("ecn",), {"DSCP": "26", "queue": "4", "PFC": "on", "ECN": TO_CONFIRM}),
        (None, (), (), {"DSCP": "26", "queue": TO_CONFIRM, "PFC": "on"}),
        (None, ((Proof.REFUTED, "pfc"),), (), {"DSCP": "26", "queue": TO_CONFIRM, "PFC": "off"}),
        (None, ((Proof.OPEN, "trust"),), (), {"DSCP": "26", "queue": TO_CONFIRM, "PFC": "not stated"}),
        (
            None,
            ((Proof.OPEN, "trust"), (Proof.REFUTED, "group")),
            (),
            {"DSCP": "26", "queue": TO_CONFIRM, "PFC": "off"},
        ),
        (None, ((Proof.REFUTED, "ecn"),), (), {"DSCP": "26", "queue": TO_CONFIRM, "PFC": "on"}),
    ],
)
def test_values_that_a_port_shows(
    queue: int | None, doubts: tuple[tuple[Proof, str], ...], comments: Any, values: dict[str, str]
) -> None:
    read = but(READ, comments=comments, ports={"p": some(ecn={3: (1000, 20000)})})
    said = tuple(Doubt(proof, "x", fact) for proof, fact in doubts)
    point = Point("leaf p", True, 7, said, queue)
    assert _qos_values(read, "p", point, PACKET) == values
    assert _qos_values(read, "p", None, PACKET) == {}


@pytest.mark.parametrize(
    ("proof", "lossless"),
    [(Proof.PROVED, True), (Proof.OPEN, None), (Proof.UNLIKE, True), (Proof.REFUTED, False)],
)
def test_a_point_is_lossless_as_its_chain_answers(proof: Proof, lossless: bool | None) -> None:
    one, other = Doubt(proof, "one", "pfc"), Doubt(proof, "other", "ecn")
    answer: Any = some(proof=proof, priority=3, queue=4, doubts=(one,))
    point = point_of("leaf p", answer, (other,))
    assert (point.place, point.lossless, point.priority, point.queue) == ("leaf p", lossless, 3, 4)
    assert point.doubts == (one, other)


def test_ports_of_one_configuration_are_judged_against_the_site_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until one differs: what differs is said of each port."""
    calls: list[str] = []
    said: list[tuple[Doubt, ...]] = [(), (Doubt(Proof.UNLIKE, "x", "ecn"),)]

    def mapped(*_: Any) -> str:
        calls.append("mapped")
        return "made"

    def unlike(chain: Any, site: Any, given: Any) -> tuple[Doubt, ...]:
        calls.append(f"judged {given}")
        return said[chain.number]

    monkeypatch.setattr(link, "mapped", mapped)
    monkeypatch.setattr(link, "unlike_site", unlike)
    given, qos = ports(), object()
    given._fabric.wanted.qos = "site"
    same, other = some(qos=qos, ecn={3: (1, 2)}, number=0), some(qos=qos, ecn={3: (1, 3)}, number=1)
    assert [given._unlike("leaf", each) for each in (same, same, other, other)] == [(), (), said[1], said[1]]
    assert calls == ["mapped", "judged made", "judged made", "judged made"]


def test_a_packet_without_a_class_has_no_point_and_no_congestion_notifications() -> None:
    assert ports()._point(READ, "p", Packet(size=1, dscp=None)) is None
    chain = some(control=lambda dscp, first: (dscp, first))
    given = ports()
    given._fabric.served_first = lambda dscp: dscp == 48
    assert given._control(chain, None) == ()
    assert given._control(chain, 48) == (48, True)
    assert given._control(chain, 47) == (47, False)


def test_a_port_that_is_not_configured_loses_everything() -> None:
    fault = Fault(Verdict.LOST, "leaf does not configure p (ports.txt)")
    assert ports().at("leaf", "p", PACKET) == Passed((fault,), (), None, ())


def test_reasons_below_a_matrix_are_those_of_walks_that_fail() -> None:
    """A walk whose verdict is no failure has nothing to explain, and a full table no mark to explain."""
    open_ = cell("rail0", "rail0", Verdict.UNPROVED, faults=(BIG,))
    lines = list(matrix_lines(matrix(open_, interfaces=("rail0",)), color=False))
    assert lines[-1] == "  ~ as far as the files show"


@pytest.mark.parametrize(
    ("vlan", "facts", "place"),
    [
        (7, ("vlan-mtu",), "switches/leaf/interfaces.txt:vlan-mtu vlan 7"),
        (7, ("vlan-ip-mtu", "vlan-mtu"), "switches/leaf/interfaces.txt:vlan-mtu vlan 7"),
        (7, ("vlan-ip-mtu",), "switches/leaf/interfaces.txt"),
        (None, ("vlan-mtu",), "switches/leaf/interfaces.txt"),
    ],
)
def test_the_line_of_a_vlan_interface(vlan: int | None, facts: tuple[str, ...], place: str) -> None:
    """That of the first fact that a line states, else the file."""
    name = "switches/leaf/interfaces.txt"

    def where(text: str, fact: str, column: str, value: str) -> str | None:
        return f"{fact} {column} {value}" if fact == "vlan-mtu" else None

    leaf: Any = some(files={"vlans": name}, where=where, ports={}, vlan_interfaces={})
    fabric = ReadFabric({"leaf": leaf}, [], texts={name: "x"})
    assert fabric.at_vlan("leaf", vlan, *facts) == place
