"""Edge cases, one fact per case: ports of a switch model, and the size of its neighbour table."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPNetwork

from netplan.model import port_parts
from netplan.plan import neighbours, physical_ports
from tests.unit.some import but, some

LANE = some(name=r"(?P<parent>et-\d+):?(?P<part>\d+)?", parts="lane", first=0, splits=())
ORDINAL = but(LANE, parts="ordinal", first=1)
RUNNING = some(name=r"Ethernet(?P<part>\d+)", parts="running", first=0, splits=("100g-4x",))


@pytest.mark.parametrize(
    ("name", "rule", "lanes", "place"),
    [
        ("et-1:2", None, 4, ("et-1:2", None)),
        ("xe-1", LANE, 4, ("xe-1", None)),
        ("et-1", LANE, 4, ("et-1", None)),
        ("et-1:0", LANE, 4, ("et-1", 0)),
        ("et-1:3", LANE, 4, ("et-1", 3)),
        ("et-1:4", LANE, 4, ("et-1:4", None)),
        ("et-1:1", LANE, 0, ("et-1:1", None)),
        ("et-1:1", ORDINAL, 0, ("et-1", 0)),
        ("et-1:0", ORDINAL, 4, ("et-1:0", None)),
        ("et-1:9", ORDINAL, 4, ("et-1", 8)),
        ("Ethernet0", RUNNING, 4, ("Ethernet0", 0)),
        ("Ethernet7", RUNNING, 4, ("Ethernet4", 3)),
        ("Ethernet8", RUNNING, 4, ("Ethernet8", 0)),
        ("Ethernet8", RUNNING, 8, ("Ethernet8", 0)),
    ],
)
def test_the_place_of_a_port(name: str, rule: Any, lanes: int, place: Any) -> None:
    assert port_parts.place_of(name, None if rule is None else Hashed(rule), lanes) == place


class Hashed:
    """A rule that is hashable: a cache uses it as its key."""

    def __init__(self, rule: Any) -> None:
        self.__dict__.update(vars(rule))


@pytest.mark.parametrize(
    ("name", "rule", "lanes", "position"),
    [
        ("Ethernet8", some(name=r"Ethernet(?P<lane>\d+)", first=0), 4, 3),
        ("Ethernet11", some(name=r"Ethernet(?P<lane>\d+)", first=0), 4, 3),
        ("Ethernet8", some(name=r"Ethernet(?P<lane>\d+)", first=0), 0, 0),
        ("eth8", some(name=r"Ethernet(?P<lane>\d+)", first=0), 4, 0),
        ("swp8", some(name=r"swp(?P<port>\d+)", first=1), 4, 8),
        ("swp8", some(name=r"swp(?P<port>\d+)", first=0), 4, 9),
        ("swp1234567890", some(name=r"swp(?P<port>\d+)", first=0), 4, 0),
        ("swp123456789", some(name=r"swp(?P<port>\d+)", first=0), 4, 123456790),
    ],
)
def test_the_position_of_a_port(name: str, rule: Any, lanes: int, position: int) -> None:
    assert physical_ports._position(name, Hashed(rule), lanes) == position


@pytest.mark.parametrize(
    ("parts", "rule", "lanes", "count"),
    [
        ((), LANE, 4, 1),
        ((0,), None, 4, 1),
        ((0, 1), LANE, 4, 4),
        ((0, 2), LANE, 4, 2),
        ((0,), LANE, 4, 1),
        ((2,), LANE, 8, 4),
        ((4,), LANE, 8, 2),
        ((1,), LANE, 8, 8),
        ((0, 1), ORDINAL, 0, 2),
        ((2,), ORDINAL, 0, 4),
        ((15,), ORDINAL, 0, 16),
        ((16,), ORDINAL, 0, 17),
        ((0,), ORDINAL, 0, 2),
    ],
)
def test_parts_of_a_port(parts: Any, rule: Any, lanes: int, count: int) -> None:
    assert port_parts.count_of(dict.fromkeys(parts), rule, lanes) == count


def test_a_port_and_its_parts() -> None:
    kind = some(model=some(lanes=4))
    nos: Any = some(
        breakout=Hashed(RUNNING), port_numbers=Hashed(some(name=r"Ethernet(?P<lane>\d+)", first=0))
    )
    ports: Any = [
        some(name=name, speed_gbps=speed)
        for name, speed in (
            ("Ethernet0", 100),
            ("Ethernet6", 50),
            ("Ethernet4", 50),
            ("Ethernet5", 25),
            ("Ethernet4", 10),
        )
    ]
    whole, parted = physical_ports.physical_ports(kind, nos, ports)
    assert (whole.name, whole.position, whole.parts, whole.part_lanes) == ("Ethernet0", 1, 1, 4)
    assert (whole.members, whole.speeds, whole.last, whole.whole) == (
        ("Ethernet0",),
        (100,),
        "Ethernet0",
        False,
    )
    assert (parted.name, parted.position, parted.parts, parted.part_lanes) == ("Ethernet4", 2, 4, 1)
    assert parted.members == ("Ethernet4", "Ethernet5", "Ethernet6")
    assert (parted.speeds, parted.part_gbps, parted.last) == ((25, 50), 50, "Ethernet6")
    assert not parted.confirmed
    nos.breakout = Hashed(but(RUNNING, splits=()))
    assert physical_ports.physical_ports(kind, nos, ports)[1].confirmed


@pytest.mark.parametrize(("entries", "levels"), [(10, (10, 15, 20)), (5, (5, 8, 10)), (0, (0, 0, 0))])
def test_levels_of_the_kernel(entries: int, levels: Any) -> None:
    assert neighbours.gc_thresholds(entries) == levels


SHARING = some(
    pods_per_hca=6,
    by_mode=some(sharing="always", link="ethernet"),
    host_types=(some(name="gpu"),),
    hcas=("a",),
)


@pytest.mark.parametrize(
    ("use", "network", "pods"),
    [
        ("pf", {}, 6),
        ("pf", {"host_types": ()}, 6),
        ("pf", {"host_types": (some(name="cpu"),)}, 1),
        ("pf", {"hcas": ()}, 6),
        ("pf", {"hcas": ("b",)}, 1),
        ("pf", {"by_mode": some(sharing="never", link="ethernet")}, 1),
        ("pf", {"by_mode": some(sharing="always", link="infiniband")}, 1),
        ("none", {}, 0),
    ],
)
def test_pods_that_share_a_port_are_neighbours(use: str, network: Any, pods: int) -> None:
    networks = [but(SHARING, pods_per_hca=2), but(SHARING, **network)]
    wanted = max(pods, 2) if use == "pf" else pods
    hca = some(name="a", use=use, vfs=8)
    assert neighbours._pods(some(networks=networks), "gpu", hca) == wanted
    assert neighbours._pods(some(networks=networks[1:]), "gpu", hca) == pods
    link = some(host=some(type=some(name="gpu"), hcas={"a": some(address="x")}), hca=but(hca, use="vf"))
    assert neighbours.host_entries(some(networks=networks), link) == 9
    link.host.hcas = {"a": some(address=None)}
    assert neighbours.host_entries(some(networks=networks), link) == 8
    link.host.hcas, link.hca = {}, hca
    assert neighbours.host_entries(some(networks=networks), link) == wanted


@pytest.mark.parametrize(
    ("rail", "arp", "starts", "stale"),
    [(0, 3600, 7, 21), (0, 1800, 7, 12), (0, 1, 1, 3), (None, 3600, 7, 0), (0, None, 7, 0), (0, 3600, 0, 0)],
)
def test_neighbours_that_have_gone(rail: Any, arp: Any, starts: int, stale: int) -> None:
    nets = [
        some(network=IPNetwork(text), gateway=way)
        for text, way in (("10.0.0.0/24", "x"), ("fd00::/64", "x"), ("fd01::/64", None))
    ]
    fabric = some(arp=None if arp is None else some(timeout_seconds=arp))
    cables = some(rail_starts_per_hour=starts)
    assert neighbours._stale(fabric, cables, some(rail=rail, subnets=nets)) == stale


SWITCH = some(role="leaf", type=some(host_table=0))
ARP = some(timeout_seconds=90, mac_timeout_seconds=600)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, (True, 90, 90_000, 600, 600, True)),
        ({"unit": "min"}, (True, 2, 90_000, 600, 600, True)),
        ({"role": "spine"}, (False, 0, 0, 300, 0, False)),
        ({"arp": None}, (False, 0, 0, 300, 0, False)),
        ({"mac": None}, (True, 90, 90_000, 300, 0, True)),
        ({"writes": ()}, (True, 90, 90_000, 300, 600, True)),
        ({"garp": "no"}, (True, 90, 90_000, 600, 600, False)),
    ],
)
def test_ages_of_neighbours(change: Any, expected: Any) -> None:
    given = {
        "unit": "s",
        "role": "leaf",
        "arp": ARP,
        "mac": 600,
        "writes": ("mac_age",),
        "garp": "",
        **change,
    }
    nos = some(
        kernel_neighbours=(100, 500, 600),
        units=some(arp=given["unit"]),
        writes=lambda name: name in given["writes"],
        supports={"arp_from_garp": given["garp"]},
        mac_age_seconds=300,
    )
    arp = but(ARP, mac_timeout_seconds=given["mac"]) if given["arp"] else None
    found = neighbours.plan_arp(some(arp=arp), nos, but(SWITCH, role=given["role"]), some(total=350), True)
    got = (found.enabled, found.age, found.reachable_ms, found.mac_seconds, found.mac_wanted, found.from_garp)
    assert got == expected
    assert (found.kernel, found.gc_thresh) == (True, (350, 525, 700))
    nos.kernel_neighbours = ()
    bare = neighbours.plan_arp(some(arp=arp), nos, SWITCH, some(total=350), False)
    assert (bare.kernel, bare.gc_thresh, bare.ipv6) == (False, (), False)
