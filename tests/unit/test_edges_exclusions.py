"""Edge cases, one fact per case: addresses that exclusions leave in a pool."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.trace.exclusions import pool_blocks, prefix_room, range_left
from netplan.trace.model import Verdict
from tests.unit.edges import things
from tests.unit.test_trace_addresses import POOL, network


def pool(kind: str, **spec: Any) -> Any:
    text = POOL.format(kind=kind, spec=yaml.safe_dump(spec, default_flow_style=True).strip())
    return things({"kubernetes/0.yaml": text}).of("nv-ipam.nvidia.com", kind)[0]


def spans(*pairs: tuple[int, int]) -> list[dict[str, str]]:
    return [{"startIP": f"10.0.0.{one}", "endIP": f"10.0.0.{two}"} for one, two in pairs]


@pytest.mark.parametrize(
    ("excluded", "nodes", "pods", "said"),
    [
        ([], 31, 8, None),
        (spans((1, 8)), 31, 8, (Verdict.LOST, "leave blocks for 30 nodes, 31 have its labels")),
        (spans((1, 8)), 30, 8, None),
        (spans((1, 1)), 2, 8, (Verdict.UNPROVED, "leave 7 addresses of some block, a node has 8 pods")),
        (spans((1, 1)), 2, 7, None),
        (
            spans((1, 1), (9, 9)),
            2,
            8,
            (Verdict.UNPROVED, "leave 7 addresses of a block, a node may have 8 pods"),
        ),
        (
            spans((1, 1), (9, 10)),
            2,
            7,
            (Verdict.UNPROVED, "leave 6 addresses of some block, a node has 7 pods"),
        ),
    ],
)
def test_exclusions_leave_blocks_of_a_pool(
    excluded: list[Any], nodes: int, pods: int, said: tuple[Verdict, str] | None
) -> None:
    given = pool(
        "IPPool", subnet="10.0.0.0/24", perNodeBlockSize=8, gateway="10.0.0.254", exclusions=excluded
    )
    found = [(each.verdict, each.text.partition(") ")[2]) for each in pool_blocks(given, nodes, pods)]
    assert found == ([] if said is None else [said])


@pytest.mark.parametrize(("pods", "found"), [(6, 0), (7, 1)])
def test_exclusions_of_each_block_count_from_its_first_address(pods: int, found: int) -> None:
    own = [{"startIndex": 0, "endIndex": 1}]
    given = pool("IPPool", subnet="10.0.0.0/24", perNodeBlockSize=8, perNodeExclusions=own)
    assert len(list(pool_blocks(given, 2, pods))) == found


@pytest.mark.parametrize(
    ("spec", "nodes", "pods", "wanted"),
    [
        ({}, 4, 6, None),
        ({}, 4, 7, (Verdict.LOST, "leaves 6 addresses of the /29 of a node, node-0 has 7 pods")),
        ({"gatewayIndex": 1}, 4, 5, None),
        (
            {"gatewayIndex": 1},
            4,
            6,
            (Verdict.LOST, "leaves 5 addresses of the /29 of a node, node-0 has 6 pods"),
        ),
        ({"gatewayIndex": 0}, 4, 6, None),
        ({"perNodeExclusions": [{"startIndex": 1, "endIndex": 2}]}, 4, 4, None),
        (
            {"perNodeExclusions": [{"startIndex": 1, "endIndex": 2}]},
            4,
            5,
            (Verdict.LOST, "leaves 4 addresses of the /29 of a node, node-0 has 5 pods"),
        ),
        ({"exclusions": spans((9, 10))}, 4, 4, None),
        (
            {"exclusions": spans((9, 10))},
            4,
            5,
            (
                Verdict.UNPROVED,
                "leaves 4 addresses of 10.0.0.8/29; a node may have it, and node-0 has 5 pods",
            ),
        ),
        ({"exclusions": spans((8, 15))}, 4, 6, None),
        ({"exclusions": spans((33, 33))}, 3, 6, None),
        (
            {"exclusions": spans((33, 33))},
            4,
            6,
            (
                Verdict.UNPROVED,
                "leaves 5 addresses of 10.0.0.32/29; a node may have it, and node-0 has 6 pods",
            ),
        ),
    ],
)
def test_exclusions_leave_addresses_of_a_prefix(
    spec: dict[str, Any], nodes: int, pods: int, wanted: tuple[Verdict, str] | None
) -> None:
    given = pool("CIDRPool", cidr="10.0.0.0/24", perNodeNetworkPrefix=29, **spec)
    found = [(f.verdict, f.text.partition(") ")[2]) for f in prefix_room(given, "node-0", nodes, pods)]
    assert found == ([] if wanted is None else [wanted])


@pytest.mark.parametrize(
    ("gateway", "pods", "found"), [("10.0.0.9", 5, 0), ("10.0.0.9", 6, 1), ("", 6, 0), ("", 7, 1)]
)
def test_a_prefix_that_is_stated_for_a_node_has_its_own_gateway(gateway: str, pods: int, found: int) -> None:
    row = {"nodeName": "node-0", "prefix": "10.0.0.8/29"} | ({"gateway": gateway} if gateway else {})
    given = pool("CIDRPool", cidr="10.0.0.0/24", perNodeNetworkPrefix=29, staticAllocations=[row])
    faults = list(prefix_room(given, "node-0", 2, pods))
    assert len(faults) == found
    assert all(f"addresses of 10.0.0.8/29, node-0 has {pods} pods" in each.text for each in faults)


@pytest.mark.parametrize(("pods", "found"), [(252, 0), (253, 1)])
def test_what_whereabouts_excludes_is_not_given(pods: int, found: int) -> None:
    ipam = {"type": "whereabouts", "range": "10.0.0.0/24", "exclude": ["10.0.0.2/31", "fd00::/64"]}
    (given,) = things({"kubernetes/0.yaml": network(ipam)}).networks
    faults = list(range_left(given, pods))
    assert len(faults) == found
    assert all(each.text.endswith(f"leaves 252 addresses of 10.0.0.0/24 for {pods} pods") for each in faults)
    (other,) = things({"kubernetes/0.yaml": network(ipam | {"type": "host-local"})}).networks
    assert list(range_left(other, 300)) == []


@pytest.mark.parametrize(("space", "told"), [("10.9.0.0/16", 1), ("10.0.0.0/24", 0)])
def test_an_exclusion_outside_of_a_pool_touches_no_prefix(space: str, told: int) -> None:
    given = pool("CIDRPool", cidr=space, perNodeNetworkPrefix=29, exclusions=spans((9, 9)))
    assert len(list(prefix_room(given, "node-0", 4, 6))) == 1 - told


def test_a_subnet_of_two_addresses_has_both() -> None:
    """RFC 3021."""
    given = pool("IPPool", subnet="10.0.0.0/31", perNodeBlockSize=1, exclusions=spans((1, 1)))
    assert list(pool_blocks(given, 1, 1)) == []
    assert len(list(pool_blocks(given, 2, 1))) == 1
    last = pool("IPPool", subnet="10.0.0.0/29", perNodeBlockSize=2, exclusions=spans((9, 9)))
    assert list(pool_blocks(last, 3, 2)) == []
    assert len(list(pool_blocks(last, 4, 2))) == 1
    six = pool(
        "IPPool",
        subnet="fd00::/125",
        perNodeBlockSize=7,
        exclusions=[{"startIP": "fd01::", "endIP": "fd01::"}],
    )
    assert list(pool_blocks(six, 1, 7)) == []


@pytest.mark.parametrize(("last", "found"), [("fd00::fe", 1), ("fd00::ff", 1), ("fd00::100", 0)])
def test_the_last_address_of_a_pool_is_in_it(last: str, found: int) -> None:
    """IPv6 has no broadcast address."""
    rows = [{"startIP": last, "endIP": last}]
    given = pool("CIDRPool", cidr="fd00::/120", perNodeNetworkPrefix=125, exclusions=rows)
    assert len(list(prefix_room(given, "node-0", 32, 7))) == found


def blocks(nodes: int, pods: int, **spec: Any) -> list[tuple[Verdict, str]]:
    plain = {"subnet": "10.0.0.0/29", "exclusions": spans((30, 30)), **spec}
    return [(f.verdict, f.text.partition(") ")[2]) for f in pool_blocks(pool("IPPool", **plain), nodes, pods)]


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ({}, 6),
        ({"perNodeBlockSize": 1}, 6),
        ({"perNodeBlockSize": 2}, 3),
        ({"perNodeBlockSize": 4}, 1),
        ({"perNodeBlockSize": 6}, 1),
        ({"perNodeBlockSize": 7}, 0),
        ({"subnet": "10.0.0.3/29", "perNodeBlockSize": 2}, 3),
        ({"subnet": "10.0.0.0/30"}, 2),
        ({"subnet": "10.0.0.0/31"}, 2),
        ({"subnet": "10.0.0.0/32"}, 1),
        ({"subnet": "fd00::/125"}, 7),
        ({"subnet": "fd00::/127"}, 2),
    ],
)
def test_a_pool_has_blocks_for_so_many_nodes(spec: dict[str, Any], count: int) -> None:
    size = spec.get("perNodeBlockSize", 1)
    assert blocks(count, size if count else 0, **spec) == []
    short = f"leave blocks for {count} nodes, {count + 1} have its labels"
    assert blocks(count + 1, size, **spec) == [(Verdict.LOST, short)]


@pytest.mark.parametrize(
    ("left_out", "left"), [((0, 2), 5), ((6, 7), 6), ((1, 1), 7), ((7, 9), 7), ((0, 0), 7)]
)
def test_what_is_left_out_of_each_block_is_counted_from_its_first(
    left_out: tuple[int, int], left: int
) -> None:
    """AddressIndex of a block, or of a node's prefix, from 0."""
    rows = [{"startIndex": left_out[0], "endIndex": left_out[1]}]
    given = {"subnet": "10.0.0.0/24", "perNodeBlockSize": 8, "exclusions": [], "perNodeExclusions": rows}
    assert blocks(2, left, **given) == []
    said = f"leave {left} addresses of a block, a node may have {left + 1} pods"
    assert blocks(2, left + 1, **given) == [(Verdict.UNPROVED, said)]


@pytest.mark.parametrize(
    ("more", "line"), [("", 6), ("\n  exclusions: [{startIP: 10.0.0.1, endIP: 10.0.0.1}]", 7)]
)
def test_the_exclusions_that_are_stated_are_named(more: str, line: int) -> None:
    spec = f"\n  subnet: 10.0.0.0/29\n  perNodeExclusions: [{{startIndex: 0, endIndex: 0}}]{more}"
    made = things({"kubernetes/0.yaml": POOL.format(kind="IPPool", spec=spec)})
    (fault,) = pool_blocks(made.of("nv-ipam.nvidia.com", "IPPool")[0], 2, 1)
    assert fault.text.startswith(
        f"exclusions of IPPool pool (kubernetes/0.yaml:{line}) leave 0 addresses of a"
    )


def room(nodes: int, pods: int, **spec: Any) -> list[tuple[Verdict, str]]:
    plain = {"cidr": "10.0.0.0/24", "perNodeNetworkPrefix": 29, **spec}
    found = prefix_room(pool("CIDRPool", **plain), "node-0", nodes, pods)
    return [(f.verdict, f.text.partition(" leaves ")[2]) for f in found]


@pytest.mark.parametrize(
    ("spec", "left", "prefix"),
    [
        ({"exclusions": spans((1, 5))}, 1, "10.0.0.0/29"),
        ({"exclusions": spans((9, 13))}, 1, "10.0.0.8/29"),
        ({"perNodeNetworkPrefix": 31, "exclusions": spans((0, 0))}, 1, "10.0.0.0/31"),
        ({"perNodeNetworkPrefix": 31, "exclusions": spans((2, 2))}, 1, "10.0.0.2/31"),
        ({"perNodeNetworkPrefix": 31, "exclusions": spans((5, 5))}, 1, "10.0.0.4/31"),
        ({"perNodeNetworkPrefix": 31, "exclusions": spans((255, 255))}, 1, "10.0.0.254/31"),
        ({"perNodeNetworkPrefix": 30, "exclusions": spans((6, 6))}, 1, "10.0.0.4/30"),
    ],
)
def test_an_exclusion_is_of_the_prefix_it_touches(spec: dict[str, Any], left: int, prefix: str) -> None:
    assert room(128, left, **spec) == []
    said = f"{left} addresses of {prefix}; a node may have it, and node-0 has {left + 1} pods"
    assert room(128, left + 1, **spec) == [(Verdict.UNPROVED, said)]


@pytest.mark.parametrize(
    ("spec", "left"),
    [
        ({}, 6),
        ({"gatewayIndex": 1}, 5),
        ({"gatewayIndex": 6}, 5),
        ({"gatewayIndex": 7}, 6),
        ({"gatewayIndex": 0}, 6),
        ({"perNodeNetworkPrefix": 30}, 2),
        ({"perNodeNetworkPrefix": 31}, 2),
        ({"perNodeNetworkPrefix": 31, "gatewayIndex": 1}, 1),
        ({"perNodeExclusions": [{"startIndex": 0, "endIndex": 2}]}, 4),
        ({"perNodeExclusions": [{"startIndex": 6, "endIndex": 7}]}, 5),
        ({"cidr": "fd00::/120", "perNodeNetworkPrefix": 125}, 7),
        ({"cidr": "fd00::/120", "perNodeNetworkPrefix": 126, "gatewayIndex": 3}, 2),
    ],
)
def test_a_prefix_has_room_for_so_many_pods(spec: dict[str, Any], left: int) -> None:
    length = spec.get("perNodeNetworkPrefix", 29)
    assert room(4, left, **spec) == []
    said = f"{left} addresses of the /{length} of a node, node-0 has {left + 1} pods"
    assert room(4, left + 1, **spec) == [(Verdict.LOST, said)]


def test_a_node_that_is_named_second_has_its_prefix() -> None:
    rows = [{"nodeName": "node-1", "prefix": "10.0.0.0/30"}, {"nodeName": "node-0", "prefix": "10.0.0.8/29"}]
    assert room(2, 6, staticAllocations=rows) == []
    assert room(2, 7, staticAllocations=rows) == [
        (Verdict.LOST, "6 addresses of 10.0.0.8/29, node-0 has 7 pods")
    ]
