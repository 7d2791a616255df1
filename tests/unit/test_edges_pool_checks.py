"""Edge cases, one fact per case: pools, ranges, and who takes addresses from them."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPAddress, IPNetwork

from netplan.checks import pool_blocks, pool_devices, pools
from tests.factories import of_rails
from tests.unit.some import but, said, some


def host(name: str, kind: str = "gpu", count: int = 1, **hcas: Any) -> Any:
    return some(name=name, type=some(name=kind), count=count, hcas=hcas)


SEGMENT = some(name="rail0", rail=0, leaf=None, host_prefixes=())
ON_LEAF = but(SEGMENT, leaf="leaf-1")
BY_RANGE = some(hands_out="range", addresses=True)


def network(name: str = "rail", **facts: Any) -> Any:
    plain = {"ipam": "whereabouts", "by_ipam": BY_RANGE, "pods_per_hca": 5, "at": ("networks", name)}
    return some(**{"name": name, **plain, "block_size": None, "vf_range": None, "per_rail": True, **facts})


def attachment(net: Any, per_node: Any = (("gpu", 4),), segment: Any = SEGMENT, **facts: Any) -> Any:
    resource = some(per_node=dict(per_node), plugin="sriov", rails=(0,))
    return some(network=net, segment=segment, resource=resource, ipam=some(ranges=()), **facts)


def plan_of(*attachments: Any, hosts: Any = (), on_leaf: Any = (), **facts: Any) -> Any:
    fabric = {"hosts": hosts, "workloads": (), "rails": some(segment="leaf"), "host_types": (), **facts}
    groups = some(groups_of=lambda segment: [some(hosts=on_leaf)])
    return some(fabric=some(**fabric), addresses=groups, kubernetes=some(attachments=attachments, pools=()))


@pytest.mark.parametrize(("segment", "names"), [(SEGMENT, ["a", "c"]), (ON_LEAF, ["b"])])
def test_nodes_of_an_attachment_are_of_its_types(segment: Any, names: list[str]) -> None:
    plan = plan_of(hosts=[host("a"), host("x", "cpu"), host("c")], on_leaf=[host("y", "cpu"), host("b")])
    found = pools._nodes(plan, attachment(network(), segment=segment), segment)
    assert [each.name for each in found] == names
    assert pools._nodes(plan, some(resource=None), segment) == []


@pytest.mark.parametrize(
    ("change", "pods", "need"),
    [
        ({}, [], 8),
        ({"rails": ()}, [], 8),
        ({"rails": (0, 1)}, [], 4),
        ({"rails": (0, 1, 2)}, [], 2),
        ({"plugin": "rdma-shared"}, [], 5),
        ({"plugin": "rdma-shared"}, [(True, 2), (False, 9), (True, 1)], 3),
    ],
)
def test_addresses_that_a_node_needs(change: dict[str, Any], pods: list[tuple[bool, int]], need: int) -> None:
    net = network()
    jobs = [some(pods_per_node=count, networks=[net] if mine else []) for mine, count in pods]
    resource = some(per_node={"gpu": 8}, plugin="sriov", rails=(0,))
    asked = some(resource=but(resource, **change), network=net)
    assert pools._need(plan_of(workloads=jobs), asked, "gpu") == need
    assert pools._need(plan_of(), some(resource=None, network=net), "gpu") == 0


def test_attachments_are_told_by_what_their_ipam_hands_out() -> None:
    ranged, node = network(), network("local", by_ipam=some(hands_out="node"))
    every = [attachment(ranged), attachment(node), attachment(ranged, segment=None)]
    every.append(but(attachment(ranged), ipam=None))
    plan = plan_of(*every)
    assert [a.network.name for a, _ in pools._with_ipam(plan)] == ["rail", "local"]
    assert [a.network.name for a, _ in pools._with_ipam(plan, "node")] == ["local"]
    assert pools._with_ipam(plan, "block") == []


@pytest.mark.parametrize(
    ("text", "taken", "hands_out", "left"),
    [
        ("10.0.0.0/29", [], "range", 6),
        ("10.0.0.0/29", [], "node", 6),
        ("10.0.0.0/31", [], "node", 2),
        ("10.0.0.0/29", [(1, 1)], "range", 5),
        ("10.0.0.0/29", [(0, 0)], "range", 6),
        ("10.0.0.0/29", [(1, 3), (3, 4)], "range", 2),
        ("10.0.0.0/29", [(6, 9)], "range", 5),
    ],
)
def test_addresses_that_are_free(text: str, taken: Any, hands_out: Any, left: int) -> None:
    first = IPNetwork(text).first
    spans = [(IPAddress(first + low), IPAddress(first + high)) for low, high in taken]
    assert pools._free(IPNetwork(text), spans, hands_out) == left


def ranged(net: Any, text: str, per_node: int, hosts: Any, kind: str = "range") -> Any:
    net.by_ipam = some(hands_out=kind, addresses=True)
    part = some(network=IPNetwork(text), exclude=())
    return plan_of(but(attachment(net, [("gpu", per_node)]), ipam=some(ranges=(part,))), hosts=hosts)


@pytest.mark.parametrize(
    ("per_node", "counts", "kind", "found"),
    [
        (2, (3,), "range", ""),
        (2, (3, 1), "range", "pool rail0 10.0.0.0/29 has 6 free addresses, pods need up to 8"),
        (1, (7,), "range", "pool rail0 10.0.0.0/29 has 6 free addresses, pods need up to 7"),
        (6, (3, 1), "node", ""),
        (7, (3, 1), "node", "pool rail0 10.0.0.0/29 has 6 free addresses, pods need up to 7"),
        (7, (), "node", ""),
    ],
)
def test_a_range_is_for_all_nodes_or_for_each(per_node: int, counts: Any, kind: str, found: str) -> None:
    plan = ranged(network(), "10.0.0.0/29", per_node, [host(f"h{n}", count=n) for n in counts], kind)
    (*short,) = pools.too_few_addresses(plan)
    assert said(short) == ([found] if found else [])
    if short:
        assert short[0].at == ("rails", "prefixes")


@pytest.mark.parametrize(
    ("counts", "prefixes", "names", "found"),
    [
        ((1, 1), (), ("a",), 1),
        ((2,), (), ("a",), 1),
        ((1,), (), ("a",), 0),
        ((2,), (31,), ("a",), 0),
        ((2,), (), ("a", "a"), 1),
        ((2,), (), ("a", "b"), 2),
    ],
)
def test_host_local_is_for_one_node(counts: Any, prefixes: Any, names: Any, found: int) -> None:
    segment = but(SEGMENT, host_prefixes=prefixes)
    kind = some(hands_out="node")
    every = [attachment(network(name, by_ipam=kind), segment=segment) for name in names]
    plan = plan_of(*every, hosts=[host(f"h{n}", count=n) for n in counts])
    (*shared,) = pools.host_local_shared(plan)
    count = sum(counts)
    assert (
        said(shared)
        == [
            f"network {name} has ipam host-local on segment rail0 with {count} nodes"
            for name in dict.fromkeys(names)
        ][:found]
    )


def test_two_ipams_on_a_segment_are_told_once_for_each_pair() -> None:
    a, b, c = network("a"), network("b", ipam="nv-ipam"), network("c")
    other = but(SEGMENT, name="rail1")
    every = [attachment(net, segment=segment) for segment in (SEGMENT, other) for net in (a, b, c)]
    assert said(pools.two_ipams(plan_of(*every))) == ["b has ipam nv-ipam and a whereabouts on segment rail0"]
    assert not said(pools.two_ipams(plan_of(attachment(a), attachment(b, segment=other))))


@pytest.mark.parametrize(
    ("kind", "prefixes", "found"),
    [("range", (31,), 1), ("range", (), 0), ("block", (31,), 0), ("stated", (31,), 1)],
)
def test_a_routed_host_has_a_pool_that_knows_nodes(kind: str, prefixes: Any, found: int) -> None:
    segment = but(SEGMENT, host_prefixes=prefixes)
    net = network(by_ipam=some(hands_out=kind))
    plan = plan_of(attachment(net, segment=segment), attachment(net, segment=segment))
    assert len(said(pools.ipam_of_routed_hosts(plan))) == found


@pytest.mark.parametrize(
    ("prefixes", "segment", "places"),
    [((31, 127), "host", []), ((32, 128), "host", [0, 1]), ((31, 128), "host", [1]), ((32, 128), "leaf", [])],
)
def test_a_link_has_two_addresses(prefixes: Any, segment: str, places: list[int]) -> None:
    nets = (IPNetwork("10.0.0.0/16"), IPNetwork("fd00::/64"))
    given = some(rails=some(segment=segment, **of_rails(*nets), prefixes=prefixes, at=("rails",)))
    found = list(pools.link_subnet_too_small(given))
    assert [each.at for each in found] == [("rails", "prefixes", place) for place in places]
    assert [each.hint for each in found] == [f"use /{(31, 127)[place]} or shorter" for place in places]
    assert not list(pools.link_subnet_too_small(some(rails=None)))


@pytest.mark.parametrize(
    ("per_rail", "supernets", "subnet", "addresses", "why"),
    [
        (True, (1,), None, True, ""),
        (True, (), None, True, "the rails have no supernets"),
        (True, None, None, True, "the rails have no supernets"),
        (True, (), "blue", True, "the rails have no supernets"),
        (True, (), None, False, ""),
        (False, (1,), None, True, "it is on no rail or subnet"),
        (False, (), "blue", True, ""),
    ],
)
def test_an_ipam_has_addresses(
    per_rail: bool, supernets: Any, subnet: Any, addresses: bool, why: str
) -> None:
    net = network(per_rail=per_rail, subnet=subnet, by_ipam=some(addresses=addresses))
    given = some(networks=[net], rails=None if supernets is None else some(prefixes=supernets))
    wanted = [f"network rail has ipam whereabouts, but {why}"] if why else []
    assert said(pools.ipam_without_subnet(given)) == wanted


def pool(text: str, block: int, nodes: int, *exclusions: tuple[int, int], gateway: int | None = None) -> Any:
    net = IPNetwork(text)
    spans = tuple((IPAddress(net.first + a), IPAddress(net.first + b)) for a, b in exclusions)
    way = None if gateway is None else IPAddress(net.first + gateway)
    facts = {"network": net, "block_size": block, "nodes": nodes, "exclusions": spans, "gateway": way}
    return some(**facts, node_prefix=None, name="rail0", segment=SEGMENT)


@pytest.mark.parametrize(
    ("given", "skipping", "blocks", "fullest"),
    [
        (pool("10.0.0.0/24", 10, 3), True, 25, (0, 10)),
        (pool("10.0.0.0/24", 127, 2), True, 2, (0, 127)),
        (pool("10.0.0.0/24", 10, 3, gateway=1), True, 25, (0, 9)),
        (pool("10.0.0.0/24", 10, 3, (11, 14)), True, 25, (1, 6)),
        (pool("10.0.0.0/24", 10, 3, (11, 20)), True, 24, (0, 10)),
        (pool("10.0.0.0/24", 10, 3, (11, 20)), False, 25, (1, 0)),
        (pool("10.0.0.0/24", 10, 3, (10, 20)), True, 24, (0, 9)),
        (pool("10.0.0.0/24", 10, 3, (11, 21)), True, 24, (2, 9)),
        (pool("10.0.0.0/24", 10, 3, (12, 20)), True, 25, (1, 1)),
        (pool("10.0.0.0/24", 10, 3, (1, 30)), True, 22, (0, 10)),
        (pool("10.0.0.0/24", 10, 3, (1, 5), (21, 30)), True, 24, (0, 5)),
        (pool("10.0.0.0/24", 10, 3, (31, 35)), True, 25, (0, 10)),
        (pool("10.0.0.0/24", 10, 4, (31, 35)), True, 25, (3, 5)),
        (pool("10.0.0.0/24", 10, 2, (11, 20), (31, 35)), True, 24, (0, 10)),
        (pool("10.0.0.0/24", 10, 3, (1, 10), (31, 35)), True, 24, (3, 5)),
        (pool("10.0.0.0/24", 10, 3, (0, 255)), True, 0, (0, 10)),
        (pool("10.0.0.0/24", 100, 5, (201, 254)), True, 2, (0, 100)),
        (pool("10.0.0.0/24", 100, 5, (191, 254)), True, 2, (1, 90)),
        (pool("10.0.0.0/24", 10, 30, (1, 20), gateway=25), True, 23, (2, 9)),
        (pool("10.0.0.0/24", 10, 3, (5, 14)), True, 25, (0, 4)),
        (pool("10.0.0.0/24", 10, 3, (8, 17)), True, 25, (1, 3)),
        (pool("10.0.0.0/24", 10, 3, (2, 3), (12, 13)), True, 25, (0, 8)),
        (pool("10.0.0.0/24", 10, 3, (2, 3), (3, 5)), True, 25, (0, 6)),
    ],
)
def test_blocks_of_a_pool(given: Any, skipping: bool, blocks: int, fullest: tuple[int, int]) -> None:
    assert pool_blocks.block_count(given, skipping) == blocks
    assert pool_blocks.fullest_block(given, skipping) == fullest


@pytest.mark.parametrize(
    ("release", "passes"), [((26, 1), True), ((25, 10), False), ((26, 4), True), (None, False)]
)
def test_the_first_release_that_passes_over_blocks(release: Any, passes: bool) -> None:
    operator = None if release is None else some(release=release)
    plan = some(fabric=some(cluster=some(network_operator=operator)))
    assert pool_blocks.passes_over(plan) is passes


@pytest.mark.parametrize(
    ("segment", "kind", "by_cable"),
    [
        (SEGMENT, "leaf", True),
        (SEGMENT, "host", False),
        (but(SEGMENT, rail=None), "leaf", False),
        (SEGMENT, None, False),
    ],
)
def test_what_is_cabled_decides_where_rails_end_on_leaves(
    segment: Any, kind: str | None, by_cable: bool
) -> None:
    plan = plan_of(rails=None if kind is None else some(segment=kind))
    assert pool_devices.cables(plan, segment) == ({("links",), ("switches",)} if by_cable else frozenset())


def test_devices_behind_a_segment(monkeypatch: Any) -> None:
    monkeypatch.setattr(pool_devices, "takes", lambda net, kind, hca: hca.taken)
    hcas = [some(name="a", rail=0, taken=True), some(name="b", rail=1, taken=True)]
    hcas.append(some(name="c", rail=0, taken=False))
    kinds = [some(name="gpu", hcas=hcas)]
    stretched, beside = some(segment="stretched"), but(SEGMENT, rail=None)
    every = [attachment(network()), attachment(network(), segment=beside)]
    plan = plan_of(*every, host_types=kinds, rails=stretched)
    assert pool_devices.devices(plan, SEGMENT) == {("host_types", "gpu", "hcas", "a")}
    both = {("host_types", "gpu", "hcas", name) for name in "ab"}
    assert pool_devices.devices(plan, beside) == both
    ranged = plan_of(attachment(network(vf_range=(0, 1))), host_types=kinds, rails=stretched)
    assert pool_devices.devices(ranged, SEGMENT) == frozenset()
    for given, fixed in (
        (pool("10.0.0.0/29", 2, 6), False),
        (pool("10.0.0.0/29", 2, 7), True),
        (but(pool("10.0.0.0/29", 2, 6), node_prefix=30), True),
    ):
        found = pool_devices.block_devices(plan, given)
        assert found == (frozenset() if fixed else {("host_types", "gpu", "hcas", "a")})
    stated = plan_of(attachment(network(block_size=4)), host_types=kinds, rails=stretched)
    assert pool_devices.block_devices(stated, pool("10.0.0.0/29", 2, 6)) == frozenset()
