"""Edge cases, one fact per case: planned pools, and the prefixes that pods reach."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPAddress, IPNetwork

from netplan.model.routes import ROUTINGS
from netplan.model.spans import Spans
from netplan.plan import addresses, devices, pools
from tests.unit.some import but, some
from tests.unit.test_edges_attachments import FABRIC, NETWORK, SEGMENT, subnets


def test_names_of_pools_and_segments_near() -> None:
    texts = ("10.0.0.0/24", "fd00::/64")
    assert pools.pool_names(but(SEGMENT, subnets=subnets(*texts))) == ("rail0-leaf-1", "rail0-leaf-1-v6")
    here, there, stretched = but(SEGMENT), but(SEGMENT, name="rail1-leaf-2"), but(SEGMENT, leaf=None)
    by_key = {(0, "leaf-1"): here, (1, "leaf-2"): there, (0, None): stretched}
    groups = [some(leaves=[(0, "leaf-1"), (2, "leaf-9")]), some(leaves=[(1, "leaf-2")])]
    addresses = some(rail_segments=by_key, groups_of=lambda segment: groups)
    assert list(pools._near(addresses, stretched)) == [stretched]
    assert {each.name for each in pools._near(addresses, here)} == {"rail0-leaf-1", "rail1-leaf-2"}


RAILS = some(rail_networks=((IPNetwork("10.0.0.0/22"),), (IPNetwork("10.0.4.0/22"),)), reserved=())


@pytest.mark.parametrize(
    ("segment", "cross", "rails", "found"),
    [
        ({}, "any", RAILS, ["10.0.0.0/22", "10.0.4.0/22"]),
        ({}, "aligned", RAILS, ["10.0.0.0/22"]),
        ({"rail": None, "routes": ("x",)}, "any", RAILS, ["x"]),
        ({"rail": None, "routes": ("x",)}, "any", None, ["x"]),
        ({}, "any", None, []),
        ({"subnets": subnets("10.0.0.0/24")}, "any", RAILS, []),
        (
            {"subnets": subnets("10.0.0.0/24"), "host_prefixes": (31,)},
            "any",
            RAILS,
            ["10.0.0.0/22", "10.0.4.0/22"],
        ),
        ({"subnets": subnets("10.0.0.0/22", gateway=True)}, "any", RAILS, ["10.0.4.0/22"]),
        ({"subnets": subnets("10.0.0.0/22", gateway=True)}, "aligned", RAILS, []),
    ],
)
def test_prefixes_that_a_pod_reaches(segment: Any, cross: str, rails: Any, found: list[str]) -> None:
    plain = {"subnets": subnets("10.0.0.0/24", gateway=True), **segment}
    given = but(SEGMENT, **plain)
    addresses = some(rail_segments={(0, "leaf-1"): given}, groups_of=lambda s: [some(leaves=[(0, "leaf-1")])])
    got = pools.reachable(but(FABRIC, rails=rails, cross_rail=cross), addresses, given)
    assert [str(each) for each in got] == found


def span(first: str, last: str = "") -> tuple[IPAddress, IPAddress]:
    return IPAddress(first), IPAddress(last or first)


def test_addresses_that_no_pool_hands_out() -> None:
    beside = [some(reserved=(span("10.1.0.1"),), exclude=(span("10.1.0.9"),))]
    stated = some(address=some(ip=IPAddress("10.0.0.5")))
    hosts = [some(hcas={"a": stated, "b": some(address=None)})]
    fabric = but(FABRIC, subnets=beside, hosts=hosts, rails=but(RAILS, reserved=(span("10.0.0.1"),)))
    assert addresses.reserved(fabric) == {span("10.1.0.1"), span("10.0.0.1")}
    assert addresses.reserved(but(fabric, rails=None)) == {span("10.1.0.1")}
    assert addresses.taken(fabric) == {span("10.0.0.1"), span("10.0.0.5"), span("10.1.0.1"), span("10.1.0.9")}


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        ("10.0.0.1", "10.0.0.2", [("10.0.0.1", "10.0.0.2")]),
        ("9.0.0.1", "10.0.0.0", [("10.0.0.0", "10.0.0.0")]),
        ("9.0.0.1", "9.255.255.255", []),
        ("10.0.0.255", "10.0.1.9", [("10.0.0.255", "10.0.0.255")]),
        ("10.0.1.0", "10.0.1.9", []),
        ("9.0.0.1", "11.0.0.1", [("10.0.0.0", "10.0.0.255")]),
        ("::a00:1", "::a00:2", []),
    ],
)
def test_what_of_a_span_is_in_a_network(first: str, last: str, found: Any) -> None:
    twice = [span(first, last), span(first, last)]
    got = Spans(twice).within(IPNetwork("10.0.0.0/24"))
    assert [(str(a), str(b)) for a, b in got] == found


def test_a_long_span_reaches_beyond_shorter_ones_after_it() -> None:
    """What a search by first addresses alone would miss."""
    spans = Spans([span("10.0.0.0", "10.0.9.9"), span("10.0.0.3"), span("10.0.2.1"), span("fd00::1")])
    assert spans.within(IPNetwork("10.0.1.0/24")) == (span("10.0.1.0", "10.0.1.255"),)
    assert spans.within(IPNetwork("10.0.2.0/24")) == (span("10.0.2.0", "10.0.2.255"), span("10.0.2.1"))
    assert spans.within(IPNetwork("10.0.10.0/24")) == ()
    assert spans.within(IPNetwork("fd00::/64")) == (span("fd00::1"),)


@pytest.mark.parametrize(
    ("gateway", "stated", "size"),
    [(False, (None,), 6), (True, (None,), 7), (True, (4,), 6), (True, (4, None), 7), (False, (4, None), 6)],
)
def test_a_block_has_room_for_a_gateway(gateway: bool, stated: Any, size: int) -> None:
    segment = but(SEGMENT, subnets=(*subnets("fd00::/64"), *subnets("10.0.0.0/24", gateway=gateway)))
    networks = [some(block_size=each, by_routing=ROUTINGS["none"]) for each in stated]
    need = pools._Need(segment, some(values=lambda: [2, 6, 4]), networks)
    assert need.block_size == size
    assert not need.sbr
    assert pools._Need(segment, need.per_node, [*networks, some(by_routing=ROUTINGS["sbr"])]).sbr


def test_addresses_that_a_network_needs_on_a_node() -> None:
    ports = tuple(some(rail=rail, use="vf", virtual=False, vfs=4) for rail in (0, 1, 0))
    carrier = devices.Carrier(some(name="gpu"), ports)
    assert pools._addresses(FABRIC, NETWORK, SEGMENT, carrier) == 8
    assert pools._addresses(FABRIC, but(NETWORK, block_size=5), SEGMENT, carrier) == 5
    shared = but(NETWORK, shared=True)
    assert pools._addresses(FABRIC, shared, SEGMENT, carrier) == 3
    jobs = [some(pods_per_node=2, networks=[shared]), some(pods_per_node=9, networks=[])]
    assert pools._addresses(but(FABRIC, workloads=jobs), shared, SEGMENT, carrier) == 2


def test_hosts_of_a_segment() -> None:
    def host(name: str, kind: str) -> Any:
        return some(name=name, type=some(name=kind))

    fabric = but(FABRIC, hosts=[host("a", "gpu"), host("b", "cpu")])
    addresses = some(groups_of=lambda segment: [some(hosts=[host("c", "cpu"), host("d", "gpu")])])
    found = pools.segment_hosts(fabric, addresses, but(SEGMENT, leaf=None), {"gpu"})
    assert [each.name for each in found] == ["a"]
    assert [each.name for each in pools.segment_hosts(fabric, addresses, SEGMENT, {"gpu"})] == ["d"]


def test_the_prefix_of_a_node_is_that_of_its_link() -> None:
    def link(host: str, rail: int, *texts: str) -> Any:
        ends = [some(network=IPNetwork(text), ip=IPNetwork(text).ip) for text in texts]
        return some(rail=rail, switch_addresses=ends, link=some(host=some(name=host)))

    links = [
        link("b", 0, "10.0.0.2/31", "fd00::2/127"),
        link("a", 0, "10.0.0.0/31"),
        link("c", 1, "10.0.0.4/31"),
    ]
    addresses = some(host_links=links)
    assert [each.node for each in pools._static(addresses, SEGMENT, 0)] == ["a", "b"]
    assert [each.node for each in pools._static(addresses, SEGMENT, 1)] == ["b"]


def test_a_gateway_is_excluded_where_addresses_are_reserved() -> None:
    net, gateway = IPNetwork("10.0.0.0/24"), IPAddress("10.0.0.1")
    common = some(
        addresses=some(taken=Spans([span("10.0.0.9"), span("10.9.0.1")])), reserved=Spans([span("10.9.0.1")])
    )
    assert pools._exclusions(common, net, gateway) == (span("10.0.0.9"),)
    common.reserved = Spans([span("10.0.0.9")])
    assert pools._exclusions(common, net, gateway) == (span("10.0.0.1"), span("10.0.0.9"))
    assert pools._exclusions(common, net, None) == (span("10.0.0.9"),)
