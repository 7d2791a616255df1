"""Edge cases, one fact per case: addresses that pools hand out, and labels that select a group of nodes."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest

from netplan.plan.groups import LabelSets, leaf_groups
from netplan.rules.kubernetes.pools import _ranges as ranges
from netplan.rules.kubernetes.pools import collapse, first_shared, span_of, span_without
from tests.unit.some import some
from tests.unit.test_edges_rules import found, named, pool

THING: Any = some(name="a", kind="IPPool")
Free = list[tuple[int, int]]


@pytest.mark.parametrize(
    ("excluded", "free"),
    [
        ([], [(10, 20)]),
        ([(12, 14)], [(10, 11), (15, 20)]),
        ([(10, 10)], [(11, 20)]),
        ([(20, 20)], [(10, 19)]),
        ([(10, 20)], []),
        ([(5, 25)], []),
        ([(5, 9)], [(10, 20)]),
        ([(5, 10)], [(11, 20)]),
        ([(21, 25)], [(10, 20)]),
        ([(20, 25)], [(10, 19)]),
        ([(12, 14), (21, 25)], [(10, 11), (15, 20)]),
        ([(14, 16), (12, 13)], [(10, 11), (17, 20)]),
        ([(12, 18), (14, 15)], [(10, 11), (19, 20)]),
    ],
)
def test_what_exclusions_leave_of_a_span(excluded: Free, free: Free) -> None:
    assert list(span_without(THING, 4, (10, 20), excluded).free) == free


def span(free: Free, version: int = 4) -> Any:
    return some(version=version, free=tuple(free))


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        ([(10, 20)], [(21, 30)], None),
        ([(21, 30)], [(10, 20)], None),
        ([(10, 20)], [(20, 30)], 20),
        ([(20, 30)], [(10, 20)], 20),
        ([(10, 20)], [(12, 14)], 12),
        ([(12, 14)], [(10, 20)], 12),
        ([(10, 11), (15, 20)], [(12, 14)], None),
        ([(10, 11), (15, 20)], [(12, 16)], 15),
        ([(10, 11)], [(1, 5), (11, 20)], 11),
        ([], [(10, 20)], None),
    ],
)
def test_the_first_address_of_two_pools(one: Free, other: Free, first: int | None) -> None:
    assert first_shared(span(one), span(other)) == first
    assert first_shared(span(one), span(other, 6)) is None


def ip_pool(name: str, subnet: str, *excluded: tuple[str, str]) -> dict[str, Any]:
    exclusions = [{"startIP": start, "endIP": end} for start, end in excluded]
    return named(pool(subnet=subnet, gateway=None, exclusions=exclusions), name)


@pytest.mark.parametrize(
    ("pools", "said"),
    [
        ([ip_pool("a", "10.0.0.0/24"), ip_pool("b", "10.0.1.0/24")], []),
        (
            [ip_pool("a", "10.0.0.0/24"), ip_pool("b", "10.0.0.0/25")],
            ["10.0.0.0 and more are also in IPPool"],
        ),
        (
            [ip_pool("a", "10.0.0.0/24", ("10.0.0.0", "10.0.0.127")), ip_pool("b", "10.0.0.0/25")],
            [],
        ),
        (
            [ip_pool("a", "10.0.0.0/24", ("10.0.0.0", "10.0.0.126")), ip_pool("b", "10.0.0.0/25")],
            ["10.0.0.127 and more are also in IPPool"],
        ),
        ([ip_pool("a", "10.0.0.0/24"), ip_pool("b", "fd00::/64")], []),
        ([ip_pool("a", "fd00::/64"), ip_pool("b", "fd00::/65")], ["fd00:: and more are also in IPPool"]),
    ],
)
def test_pools_of_two_names_share_no_address(pools: list[dict[str, Any]], said: list[str]) -> None:
    texts = found("NP779", *pools)
    assert len(texts) == len(said), texts
    assert all(words in text for words, text in zip(said, texts, strict=True))


@pytest.mark.parametrize("wrong", [{"subnet": "x"}, {"exclusions": [{"startIP": "10.0.0.1"}]}, {"subnet": 7}])
def test_a_pool_that_cannot_be_read_has_no_span(wrong: dict[str, Any]) -> None:
    assert span_of(some(spec={"subnet": "10.0.0.0/24", **wrong})) is None


@pytest.mark.parametrize(
    ("ipam", "usable"),
    [
        ({"range": "10.0.0.0/24"}, [254]),
        ({"range": "10.0.0.0/30"}, [2]),
        ({"range": "10.0.0.0/31"}, []),
        ({"range": "10.0.0.0/24", "range_start": "10.0.0.10"}, [245]),
        ({"range": "10.0.0.0/24", "range_end": "10.0.0.10"}, [10]),
        ({"range": "10.0.0.0/24", "range_start": "10.0.0.10", "range_end": "10.0.0.10"}, [1]),
        ({"range": "10.0.0.0/24", "exclude": ["10.0.0.0/25"]}, [127]),
        ({"range": "10.0.0.0/24", "exclude": ["10.0.0.0/25", "10.0.0.64/26"]}, [127]),
        ({"range": "10.0.0.0/24", "exclude": ["10.0.0.5/32", "10.0.0.7/32"]}, [252]),
        ({"range": "10.0.0.0/24", "exclude": ["10.0.1.0/24", "fd00::/64"]}, [254]),
        ({"range": "10.0.0.0/24", "exclude": ["10.0.0.0/8"]}, [0]),
        ({"range": "10.0.0.0/24", "exclude": ["x"]}, []),
        ({"range": "{{ range }}"}, []),
        ({"range": 7}, []),
        ({}, []),
        ({"ipRanges": [{"range": "10.0.0.0/29"}, {"range": "fd00::/125"}]}, [6, 6]),
        ({"range": "x", "ipRanges": [{"range": "10.0.0.0/29"}]}, [6]),
    ],
)
def test_addresses_of_a_range_of_whereabouts(ipam: dict[str, Any], usable: list[int]) -> None:
    """k8snetworkplumbingwg/whereabouts pkg/iphelpers/iphelpers.go: without the first and the last address."""
    assert [number for _, number in ranges(ipam)] == usable


@pytest.mark.parametrize(
    ("nets", "left"),
    [
        ([], []),
        (["10.0.0.0/24", "10.0.1.0/24"], ["10.0.0.0/24", "10.0.1.0/24"]),
        (["10.0.0.128/25", "10.0.0.0/24"], ["10.0.0.0/24"]),
        (["10.0.0.0/25", "10.0.0.0/24"], ["10.0.0.0/24"]),
        (["10.0.0.0/24", "10.0.0.0/24"], ["10.0.0.0/24"]),
        (["fd00::/64", "10.0.0.0/24"], ["10.0.0.0/24", "fd00::/64"]),
    ],
)
def test_a_network_inside_another_is_dropped(nets: list[str], left: list[str]) -> None:
    assert list(map(str, collapse(map(ip_network, nets)))) == left


def node(**labels: str) -> Any:
    return some(all_labels=tuple(sorted(labels.items())), type=some(name="gpu", node=True))


A, B = node(zone="a", gpu="h100"), node(zone="b", gpu="h100")
WIDE = node(zone="a", gpu="h100", extra="x")


@pytest.mark.parametrize(
    ("every", "wanted", "labels"),
    [
        ([A, B], [A], (("gpu", "h100"), ("zone", "a"))),
        ([A, B], [B], (("gpu", "h100"), ("zone", "b"))),
        ([A, B], [A, B], (("gpu", "h100"),)),
        ([A, A, B], [A, A], (("gpu", "h100"), ("zone", "a"))),
        ([A, A, B], [A], ()),
        ([A, WIDE], [A], ()),
        ([A, WIDE], [A, WIDE], (("gpu", "h100"), ("zone", "a"))),
        ([A, WIDE], [WIDE], (("extra", "x"), ("gpu", "h100"), ("zone", "a"))),
        ([node(zone="a", disk="x"), A], [A], (("gpu", "h100"), ("zone", "a"))),
        ([node(zone="a"), node(gpu="h100"), A], [A], (("gpu", "h100"), ("zone", "a"))),
        ([node(), A], [node()], ()),
        ([node(a="1"), node(b="2")], [node(a="1"), node(b="2")], ()),
    ],
)
def test_labels_that_these_nodes_carry_and_no_other(
    every: list[Any], wanted: list[Any], labels: tuple[tuple[str, str], ...]
) -> None:
    assert LabelSets(every).selector(wanted) == labels


def test_each_host_type_of_a_group_has_its_own_labels() -> None:
    cpu = some(all_labels=(("cpu", "x"),), type=some(name="cpu", node=True))
    away = some(all_labels=(("z", "x"),), type=some(name="away", node=False))
    found_ = LabelSets([A, B, cpu]).selectors([cpu, A, away])
    assert found_ == (("cpu", (("cpu", "x"),)), ("gpu", (("gpu", "h100"), ("zone", "a"))))


def host(name: str, kind: str = "gpu", node: bool = True, **labels: str) -> Any:
    return some(name=name, all_labels=tuple(sorted(labels.items())), type=some(name=kind, node=node))


def cabled(given: Any, leaf: str, rail: int | None = 0, for_pods: bool = True) -> Any:
    return some(host=given, switch=some(name=leaf), hca=some(rail=rail, for_pods=for_pods))


H1, H2, H3 = host("h1", zone="a"), host("h2", zone="a"), host("h3", zone="b", disk="x")


@pytest.mark.parametrize(
    ("links", "groups"),
    [
        ([], []),
        ([cabled(H1, "leaf-2", None), cabled(H2, "leaf-2", for_pods=False)], []),
        (
            [cabled(H1, "leaf-10"), cabled(H2, "leaf-10"), cabled(H3, "leaf-2")],
            [
                ("leaf-2", ((0, "leaf-2"),), ["h3"], (("disk", "x"), ("zone", "b"))),
                ("leaf-10", ((0, "leaf-10"),), ["h1", "h2"], (("zone", "a"),)),
            ],
        ),
        (
            [cabled(H1, "leaf-1", 1), cabled(H1, "leaf-2", 0), cabled(H1, "leaf-9", 0)],
            [("leaf-2", ((0, "leaf-2"), (0, "leaf-9"), (1, "leaf-1")), ["h1"], ())],
        ),
        ([cabled(H1, "leaf-1"), cabled(H2, "leaf-2")], [
            ("leaf-1", ((0, "leaf-1"),), ["h1"], ()), ("leaf-2", ((0, "leaf-2"),), ["h2"], ()),
        ]),
        (
            [cabled(H3, "leaf-1"), cabled(H2, "leaf-1"), cabled(H1, "leaf-1")],
            [("leaf-1", ((0, "leaf-1"),), ["h1", "h2", "h3"], ())],
        ),
    ],
)  # fmt: skip
def test_hosts_of_the_same_leaves_are_a_group(links: list[Any], groups: list[Any]) -> None:
    fabric: Any = some(host_links=links, hosts=(H1, H2, H3))
    shown = [
        (
            group.name,
            group.leaves,
            [each.name for each in group.hosts],
            *(labels for _, labels in group.selectors),
        )
        for group in leaf_groups(fabric)
    ]
    assert shown == groups


def test_labels_that_another_node_has_besides_others_select_no_group() -> None:
    bare, full = host("a", zone="a"), host("b", zone="a", disk="x")
    fabric: Any = some(host_links=[cabled(bare, "leaf-1"), cabled(full, "leaf-2")], hosts=(bare, full))
    assert [group.selectors for group in leaf_groups(fabric)] == [
        (("gpu", ()),),
        (("gpu", (("disk", "x"), ("zone", "a"))),),
    ]
    aside = host("b", node=False, zone="a", disk="x")
    fabric = some(host_links=[cabled(bare, "leaf-1"), cabled(aside, "leaf-2")], hosts=(bare, aside))
    assert [group.selectors for group in leaf_groups(fabric)] == [(("gpu", (("zone", "a"),)),), ()]
    other = host("b", disk="x", color="red")
    both = host("c", zone="a", color="red")
    fabric = some(host_links=[cabled(both, "leaf-1")], hosts=(both, bare, other))
    assert [group.selectors for group in leaf_groups(fabric)] == [
        (("gpu", (("color", "red"), ("zone", "a"))),)
    ]
