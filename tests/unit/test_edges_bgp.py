"""Edge cases, one fact per case: BGP sessions and routes of three switches, by direct calls.

``one`` and ``far`` have a cable, 10.0.0.0 and 10.0.0.1, ``far`` and ``end`` another, 10.0.0.2 and 10.0.0.3.
"""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address
from typing import Any

import pytest
from netaddr import IPAddress, IPNetwork

from netplan.model.readback import ReadNeighbour, ReadPort, ReadSwitch
from netplan.model.site import SiteCable
from netplan.model.values import InterfaceAddress
from netplan.trace.bgp import Bgp
from netplan.trace.fabric import ReadFabric
from netplan.trace.sessions import TracedSession
from tests.unit.test_edges_fabric import LEAF, cable


def own_address(text: str) -> InterfaceAddress:
    ip, _, length = text.partition("/")
    return InterfaceAddress(IPAddress(ip), int(length))


def port(name: str, *addresses: str, **more: Any) -> ReadPort:
    own = tuple(map(own_address, addresses))
    plain = ReadPort(name=name, tagged=frozenset(), untagged=None, addresses=own, ip_mtu=9000, pfc=None)
    return replace(plain, **more)


def neighbour(address: str, asn: int | None, local: str | None = None) -> ReadNeighbour:
    return ReadNeighbour(IPAddress(address), asn, IPAddress(local) if local else None)


def switch(name: str, asn: int | None, ports: list[ReadPort], *neighbours: ReadNeighbour) -> ReadSwitch:
    return replace(
        LEAF.switches["leaf"],
        name=name,
        asn=asn,
        ports={each.name: each for each in ports},
        vlan_interfaces={},
        loopbacks=(),
        neighbours=neighbours,
        networks=frozenset(),
        router_id=None,
    )


def plain() -> dict[str, ReadSwitch]:
    return {
        "one": switch("one", 1, [port("a", "10.0.0.0/31")], neighbour("10.0.0.1", 2)),
        "far": switch(
            "far",
            2,
            [port("b", "10.0.0.1/31"), port("c", "10.0.0.2/31")],
            neighbour("10.0.0.0", 1),
            neighbour("10.0.0.3", None),
        ),
        "end": switch("end", 3, [port("d", "10.0.0.3/31")], neighbour("10.0.0.2", 2)),
    }


def cables() -> list[SiteCable]:
    ends = [("one", "a", "far", "b"), ("far", "c", "end", "d")]
    return [cable(*each) for x in ends for each in (x, (*x[2:], *x[:2]))]


def bgp(*changed: ReadSwitch, without: str = "") -> Bgp:
    switches = {**plain(), **{each.name: each for each in changed}}
    return Bgp(ReadFabric(switches, [each for each in cables() if without not in (each.switch, each.peer)]))


def of(name: str, **change: Any) -> ReadSwitch:
    return replace(plain()[name], **change)


def with_port(name: str, which: str, **change: Any) -> ReadSwitch:
    own = plain()[name]
    return replace(own, ports={**own.ports, which: replace(own.ports[which], **change)})


def test_sessions_are_those_that_both_ends_state() -> None:
    found = bgp().sessions
    assert found.of("one") == (TracedSession("far", "a", "b"),)
    assert found.of("far") == (TracedSession("one", "b", "a"), TracedSession("end", "c", "d"))
    assert (found.of("none"), found.refused("one"), found.refused("none")) == ((), (), ())
    assert found.silent == {}


ADDRESS = tuple(map(own_address, ("10.9.0.0/31", "10.0.0.0/31")))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (of("one", neighbours=()), "one has no BGP neighbour 10.0.0.1, far"),
        (of("one", neighbours=(neighbour("10.0.0.1", 3),)), "one expects AS 3 of far, which is AS 2"),
        (of("one", neighbours=(neighbour("10.0.0.1", None),)), ""),
        (of("far", asn=None), "one expects AS 2 of far, which states no AS number"),
        (of("one", asn=4), "far expects AS 1 of one, which is AS 4"),
        (with_port("one", "a", up=False), "one a is shut down"),
        (with_port("far", "b", up=False), "far b is shut down"),
        (with_port("one", "a", up=None), ""),
        (with_port("one", "a", addresses=()), "one a has no address"),
        (of("one", ports={}), "one a has no address"),
        (with_port("far", "b", addresses=ADDRESS[:1]), "far b does not have one's BGP neighbour 10.0.0.1"),
        (with_port("one", "a", addresses=ADDRESS), ""),
        (
            of("one", neighbours=(neighbour("10.0.0.1", 2, "10.0.0.9"),)),
            "one has no interface with 10.0.0.9, its own address towards 10.0.0.1",
        ),
        (of("one", neighbours=(neighbour("10.0.0.1", 2, "10.0.0.0"),)), ""),
    ],
)
def test_a_cable_without_a_session_says_why(changed: ReadSwitch, said: str) -> None:
    silent = bgp(changed).sessions.silent
    assert {("one", "a"), ("far", "b")} & set(silent) == ({("one", "a"), ("far", "b")} if said else set())
    assert all(text.startswith(said) for place, text in silent.items() if place == ("one", "a")), said


@pytest.mark.parametrize("name", ["one", "far"])
@pytest.mark.parametrize("tag", [{"tagged": frozenset({7})}, {"untagged": 7}])
def test_a_cable_of_vlans_needs_no_session(name: str, tag: dict[str, Any]) -> None:
    which = {"one": "a", "far": "b"}[name]
    lone = {**plain(), name: with_port(name, which, addresses=(), **tag)}
    assert set(bgp(*lone.values()).sessions.silent) == set()


def test_switches_without_bgp_are_not_silent() -> None:
    mute = {"asn": None, "neighbours": ()}
    two = bgp(of("one", **mute), of("far", **mute))
    assert set(two.sessions.silent) == {("far", "c"), ("end", "d")}
    assert set(bgp(of("one", **mute)).sessions.silent) == {("one", "a"), ("far", "b")}
    asked = bgp(of("one", **mute), of("far", asn=None), of("end", **mute))
    assert set(asked.sessions.silent) == {("one", "a"), ("far", "b"), ("far", "c"), ("end", "d")}


@pytest.mark.parametrize(
    ("changed", "whose", "said"),
    [
        (of("one", neighbours=(neighbour("10.7.0.1", 2),)), "one", "one has no routed port towards its BGP"),
        (of("one", neighbours=(neighbour("10.0.0.0", 2),)), "one", "one has no routed port towards its BGP"),
        (
            with_port("end", "d", addresses=(*ADDRESS[:1], own_address("10.0.0.1/31"))),
            "one",
            "10.0.0.1, one's BGP neighbour, is on far b and on end d",
        ),
        (of("far", neighbours=(neighbour("10.0.0.3", 3),)), "one", "far has no BGP neighbour 10.0.0.0, one"),
        (
            of("far", neighbours=(), unread_neighbours=(IPAddress("10.0.0.0"),)),
            "one",
            "far has BGP neighbour 10.0.0.0, one, in a form that the daemon",
        ),
        (of("one", asn=2), "one", "far expects AS 1 of one, which is AS 2"),
        (
            of("end", asn=2),
            "end",
            "end and far are both AS 2",
        ),
    ],
)
def test_a_neighbour_that_is_no_session_is_refused(changed: ReadSwitch, whose: str, said: str) -> None:
    (text,) = bgp(changed).sessions.refused(whose)
    assert text.startswith(said)
    assert "switches/leaf/" in text or "(no file in switches/" in text, text


def test_a_port_without_a_cable_has_no_session() -> None:
    (text,) = bgp(without="one").sessions.refused("one")
    assert text.startswith("one a has no cable, and one a BGP neighbour 10.0.0.1 on it (")


@pytest.mark.parametrize(
    ("ids", "twins"),
    [
        ((None, None, None), []),
        (("1.1.1.1", "2.2.2.2", None), []),
        (("1.1.1.1", "2.2.2.2", "1.1.1.1"), [("one", "end"), ("end", "one")]),
        (("1.1.1.1", "1.1.1.1", "1.1.1.1"), [("one", "far"), ("far", "end"), ("end", "one")]),
    ],
)
def test_no_two_switches_have_one_router_id(
    ids: tuple[str | None, ...], twins: list[tuple[str, str]]
) -> None:
    named = [
        of(name, router_id=IPAddress(each) if each else None)
        for name, each in zip(("one", "far", "end"), ids, strict=True)
    ]
    found = bgp(*named).sessions.twins
    assert {
        (name, text.partition("also that of ")[2].partition(" ")[0]) for name, text in found.items()
    } == set(twins)


NETWORK = IPNetwork("10.5.0.0/24")
OWNS = port("x", "10.5.0.1/24")


def announcing(name: str, *networks: str, **more: Any) -> ReadSwitch:
    own = plain()[name]
    stated = frozenset(map(IPNetwork, networks or (str(NETWORK),)))
    return replace(own, ports={**own.ports, "x": OWNS}, networks=stated, **more)


def next_hops(found: Bgp, name: str, address: str = "10.5.0.9") -> Any:
    route = found.route(name, ip_address(address))
    return route and (str(route[0]), [session.neighbour for session in route[1]])


def test_a_network_is_learned_hop_by_hop() -> None:
    found = bgp(announcing("one"))
    assert next_hops(found, "end") == ("10.5.0.0/24", ["far"])
    assert next_hops(found, "far") == ("10.5.0.0/24", ["one"])
    assert next_hops(found, "one") is None
    assert next_hops(found, "end", "10.6.0.1") is None
    assert next_hops(found, "end", "fd00::1") is None
    assert [names for _, names in found.announced(ip_address("10.5.0.255"))] == [{"one"}]
    assert found.kept_back("one") == ""


def test_what_a_switch_has_no_route_to_it_does_not_announce() -> None:
    found = bgp(announcing("one", "10.5.0.0/24", "10.6.0.0/24", "10.5.0.0/25"))
    assert found.unowned("one") == {IPNetwork("10.6.0.0/24"), IPNetwork("10.5.0.0/25")}
    assert [str(prefix) for prefix, _ in found.announced(ip_address("10.5.0.9"))] == ["10.5.0.0/24"]
    assert list(bgp(announcing("one", asn=None)).announced(ip_address("10.5.0.9"))) == []


def test_a_network_of_a_single_address_is_announced() -> None:
    own = announcing("one", "10.255.0.1/32")
    own = replace(own, ports={**own.ports, "lo": port("lo", "10.255.0.1/32")})
    assert [str(prefix) for prefix, _ in bgp(own).announced(ip_address("10.255.0.1"))] == ["10.255.0.1/32"]


def test_the_longest_prefix_comes_first() -> None:
    wide = announcing("end", "10.4.0.0/14")
    wide = replace(wide, ports={**wide.ports, "x": port("x", "10.5.0.1/14")})
    found = bgp(announcing("one"), wide)
    assert [str(prefix) for prefix, _ in found.announced(ip_address("10.5.0.9"))] == [
        "10.5.0.0/24",
        "10.4.0.0/14",
    ]
    assert next_hops(found, "far") == ("10.5.0.0/24", ["one"])
    assert next_hops(found, "far", "10.6.0.9") == ("10.4.0.0/14", ["end"])
    assert next_hops(found, "one") == ("10.4.0.0/14", ["far"])


def test_a_switch_refuses_a_path_with_its_own_number() -> None:
    same = of("end", asn=1)
    found = bgp(
        announcing("one"), same, of("far", neighbours=(neighbour("10.0.0.0", 1), neighbour("10.0.0.3", 1)))
    )
    assert next_hops(found, "far") == ("10.5.0.0/24", ["one"])
    assert next_hops(found, "end") is None


def test_what_is_rejected_goes_no_further() -> None:
    found = bgp(announcing("one"), of("far", rejects=(("out", "t1"),)))
    assert next_hops(found, "far") == ("10.5.0.0/24", ["one"])
    assert next_hops(found, "end") is None
    assert found.kept_back("far").startswith(
        "far announces nothing that it learned: term t1 of out rejects it ("
    )
    own = bgp(announcing("far", rejects=(("out", "t1"),)))
    assert (next_hops(own, "one"), next_hops(own, "end")) == (
        ("10.5.0.0/24", ["far"]),
        ("10.5.0.0/24", ["far"]),
    )


def test_of_two_origins_the_nearer_is_used() -> None:
    found = bgp(announcing("one"), announcing("end"))
    assert next_hops(found, "far") == ("10.5.0.0/24", ["one", "end"])
    assert next_hops(found, "one") is None
