"""Edge cases, one fact per case: cyclic buffer dependencies, asymmetric fabrics, and keys without effect."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPNetwork

from netplan.checks import deadlock, effect, symmetry, vlan
from tests.unit.some import but, owned_by, said, some


def linked(*pairs: str) -> Any:
    return deadlock.neighbours(frozenset(pair.split("-")) for pair in pairs)


@pytest.mark.parametrize(
    ("pairs", "sources", "asns", "circle"),
    [
        (["a-b"], "ab", {}, ""),
        (["a-s", "b-s"], "ab", {}, ""),
        (["a-s", "b-s", "a-t", "b-t"], "ab", {}, ""),
        (["a-s", "b-s", "a-t", "b-t"], "abst", {}, "asbt"),
        (["a-b", "b-c", "c-a"], "abc", {}, ""),
        (["a-b", "b-c", "c-d", "d-a"], "abcd", {}, "abcd"),
        (["b-c", "c-d", "d-e", "e-a", "a-b"], "abcde", {}, "abcde"),
        (["a-b", "b-c", "c-d", "d-a"], "ac", {}, ""),
        (["a-b", "b-c", "c-d", "d-a"], "abcd", {"a": 1, "b": 2, "c": 1, "d": 2}, ""),
        (["a-b", "b-c", "c-d", "d-a"], "abcd", {"a": 1, "b": 2, "c": 3, "d": 4}, "abcd"),
        (["x-y", "a-b", "b-c", "c-d", "d-a", "x-a"], "abcdy", {}, "abcd"),
    ],
)
def test_buffers_that_wait_for_each_other_in_a_circle(
    pairs: list[str], sources: str, asns: Any, circle: str
) -> None:
    found = deadlock.find_circle(linked(*pairs), sources, asns)
    assert sorted(found) == sorted(circle)
    assert not circle or (found[0] == "a" and found[1] in (circle[1], circle[-1]))


def test_paths_towards_a_switch() -> None:
    hops = deadlock.next_hops(linked("a-s", "b-s", "a-t", "b-t", "x-y"), "a", {})
    assert hops == {"a": (), "s": ("a",), "t": ("a",), "b": ("s", "t")}
    numbered = {"a": 1, "s": 9, "t": 9, "b": 2}
    hops = deadlock.next_hops(linked("a-s", "s-b", "b-t"), "a", numbered)
    assert hops == {"a": (), "s": ("a",), "b": ("s",)}, "t sees its own number on the way"
    assert deadlock.next_hops(linked("a-s", "s-b", "b-t"), "a", {**numbered, "t": 8})["t"] == ("b",)
    assert deadlock._with(frozenset({1}), "a", {"a": 2}) == {1, 2}
    assert deadlock._with(frozenset({1}), "b", {"a": 2}) == {1}


def test_a_circle_begins_with_its_first_name() -> None:
    assert deadlock._smallest_first((("b10", "b2"), ("b2", "a"), ("a", "b10"))) == ("a", "b10", "b2")
    assert deadlock._smallest_first((("b10", "b2"), ("b2", "b10"))) == ("b2", "b10")
    assert deadlock._smallest_first(()) == ()
    one, two, three = ("a", "b"), ("b", "c"), ("c", "a")
    assert deadlock._cycle({one: [two], two: [three], three: []}) == ()
    assert deadlock._cycle({one: [two], two: [three], three: [two]}) == (two, three)
    assert deadlock._cycle({one: [three, two], two: [three], three: []}) == ()
    assert deadlock._cycle({three: [], one: [three], two: [one, two]}) == (two,)
    assert deadlock._cycle({one: [two], two: [], three: [three]}) == (three,)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [(True, {"l1": 100, "l2": 101, "s1": 65000}), (False, {"l1": 100, "l2": 100, "s1": 65000})],
)
def test_as_numbers_of_switches(counts: bool, expected: Any) -> None:
    switches = [
        some(name=f"{kind[0]}{n}", id=n, role=kind) for kind, n in (("leaf", 1), ("leaf", 2), ("spine", 1))
    ]
    underlay = some(leaf_asn=100, leaf_asn_counts=counts, spine_asn=65000)
    assert deadlock._asns(some(underlay=underlay, switches=switches)) == expected
    assert deadlock._asns(some(underlay=None, switches=switches)) == {}


def trunk(a: str, b: str, roles: tuple[str, str] = ("leaf", "leaf")) -> Any:
    return some(lower=some(name=a, role=roles[0]), upper=some(name=b, role=roles[1]))


RING = [trunk("a", "b"), trunk("b", "c"), trunk("c", "d"), trunk("d", "a")]
CHAIN = RING[:3]


@pytest.mark.parametrize(
    ("links", "lossless", "said_of"),
    [
        (RING, True, "cyclic buffer dependency: a -> "),
        (RING, False, ""),
        (CHAIN, True, ""),
        ([*CHAIN, trunk("d", "a", ("leaf", "spine"))], True, "cyclic buffer dependency: a -> "),
        ([trunk(x.lower.name, x.upper.name, ("leaf", "spine")) for x in RING], True, ""),
        ([*RING, trunk("a", "c")], True, "when the link a - c fails: a -> "),
        ([*RING, trunk("a", "c"), trunk("a", "c"), trunk("b", "d"), trunk("b", "d")], True, ""),
    ],
)
def test_circles_also_where_a_link_has_failed(links: Any, lossless: bool, said_of: str) -> None:
    names = "abcd"
    cables = [some(switch=some(name=name)) for name in names]
    qos = some(lossless=[1] if lossless else [])
    fabric = some(switch_links=links, host_links=cables, qos=qos, underlay=None, switches=[])
    found = said(deadlock.cyclic_buffers(fabric))
    assert [said_of in each for each in found] == ([True] if said_of else [])
    assert not list(deadlock.cyclic_buffers(but(fabric, qos=None)))


def cable(host: str, rail: int | None, leaf: str, for_pods: bool = True) -> Any:
    end = some(rail=rail, for_pods=for_pods)
    return some(host=some(name=host), hca=end, switch=some(name=leaf), at=("links", f"{host}{rail}"))


def hosted(*rows: str, more: Any = ()) -> Any:
    """``h1:ab``: rail 0 of h1 is on leaf a, rail 1 on leaf b."""
    cables, hosts = [*more], []
    for row in rows:
        host, leaves = row.split(":")
        hosts.append(some(name=host))
        cables += [cable(host, rail, leaf) for rail, leaf in enumerate(leaves)]
    return some(host_links=cables, hosts=hosts)


@pytest.mark.parametrize(
    ("fabric", "crossed", "shared"),
    [
        (hosted("h1:ab", "h2:ab", "h3:ab"), [], []),
        (
            hosted("h1:ab", "h2:ab", "h3:ba"),
            ["rail 0 of h3 ends on b, where h1-2 have rail 1; their rail 0 is on a"],
            [],
        ),
        (hosted("h1:ab", "h2:ab", "h3:cd"), [], []),
        (hosted("h1:ab", "h2:ab", "h3:ac"), [], ["rail 1 of h3 ends on c, that of h1-2 on b"]),
        (hosted("h1:ab", "h2:ab", "h3:cb"), [], ["rail 0 of h3 ends on c, that of h1-2 on a"]),
        (hosted("h1:ab", "h2:ab", "h3:a"), [], []),
        (hosted("h1:aab", "h2:aab", "h3:abb"), [], ["rail 1 of h3 ends on b, that of h1-2 on a"]),
        (hosted("h1:ab", "h2:ab", "h3:ac", more=[cable("h3", 1, "b")]), [], []),
        (hosted("h1:ab", "h2:ab", "h3:a", more=[cable("h3", 1, "c", False)]), [], []),
        (hosted("h1:ab", "h2:ab", "h3:a", more=[cable("h3", None, "c")]), [], []),
    ],
)
def test_hosts_beside_each_other_use_the_same_leaves(
    fabric: Any, crossed: list[str], shared: list[str]
) -> None:
    for check, wanted in ((symmetry.crossed_rails, crossed), (symmetry.partly_shared, shared)):
        found = said(check(fabric))
        assert [each.partition(" (")[0] for each in found] == [
            each.replace("h1-2", "h[1-2]") for each in wanted
        ]


def test_cables_of_hosts_are_those_of_rails_for_pods() -> None:
    more = [cable("h1", None, "x"), cable("h1", 3, "x", False)]
    assert symmetry._host_cables(hosted("h1:ab", more=more)) == 2


def up(leaf: str, *spines: str) -> list[Any]:
    lower = some(name=leaf, role="leaf")
    return [some(lower=lower, upper=some(name=spine, role="spine"), at=("links", leaf)) for spine in spines]


@pytest.mark.parametrize(
    ("links", "found"),
    [
        ([*up("a", "s", "t"), *up("b", "s", "t")], []),
        (
            [*up("a", "s", "t"), *up("b", "s", "t"), *up("c", "s")],
            ["c has 1 link to s and none to t; a, b have 1 link each to s, t"],
        ),
        (
            [*up("a", "s", "s", "t"), *up("b", "s", "t")],
            ["a has 2 links to s and 1 link to t; b has 1 link each to s, t"],
        ),
        ([*up("a", "s", "t"), *up("b", "u"), *up("c", "u")], []),
        (
            [*up("a", "s", "t"), *up("b", "u", "u"), *up("c", "u", "v")],
            ["b has 2 links to u and none to v; c has 1 link each to u, v"],
        ),
        ([*up("a", "s", "s", "t"), *up("b", "s", "s", "t")], ["a, b have 2 links to s and 1 link to t"]),
        ([some(lower=some(name="a", role="leaf"), upper=some(name="b", role="leaf"), at=())], []),
    ],
)
def test_leaves_have_as_many_links_to_each_spine(links: Any, found: list[str]) -> None:
    assert said(symmetry.unequal_uplinks(some(switch_links=links))) == found


MAINTAINED = some(max_unavailable=1, drain=True, driver_upgrade="manual")


@pytest.mark.parametrize(
    ("change", "plugin", "vfs", "ofed", "keys"),
    [
        ({}, "manual", "host", None, {}),
        ({"max_unavailable": 2}, "manual", "host", None, {"max_unavailable": False}),
        ({"max_unavailable": 0}, "manual", "host", None, {"max_unavailable": False}),
        ({"max_unavailable": 2}, "sriov-network-operator", "host", None, {"max_unavailable": True}),
        ({"max_unavailable": 2}, "manual", "sriov-network-operator", None, {"max_unavailable": False}),
        ({"max_unavailable": 2}, "manual", "host", "x", {"max_unavailable": False}),
        (
            {"max_unavailable": 2, "driver_upgrade": "automatic"},
            "manual",
            "host",
            "x",
            {"max_unavailable": True, "driver_upgrade": True},
        ),
        (
            {"max_unavailable": 2, "driver_upgrade": "automatic"},
            "manual",
            "host",
            None,
            {"max_unavailable": False, "driver_upgrade": False},
        ),
        ({"drain": False}, "manual", "host", None, {"drain": False}),
        ({"drain": False}, "manual", "sriov-network-operator", None, {"drain": True}),
        ({"drain": False}, "sriov-network-operator", "host", None, {"drain": True}),
        (
            {"drain": False, "driver_upgrade": "automatic"},
            "manual",
            "host",
            "x",
            {"drain": True, "driver_upgrade": True},
        ),
    ],
)
def test_keys_of_maintenance(change: Any, plugin: str, vfs: str, ofed: Any, keys: dict[str, bool]) -> None:
    operator = some(ofed_version=ofed) if ofed else some(ofed_version=None)
    owners = owned_by(device_plugin=plugin, vfs=vfs)
    cluster = some(
        maintenance=but(MAINTAINED, **change), network_operator=operator, owners=owners, at=("cluster",)
    )
    found = effect._maintenance(cluster)
    assert {key: not why for key, why in found.items()} == keys
    assert [each.at[-1] for each in effect._of_maintenance(cluster)] == [
        k for k, met in keys.items() if not met
    ]
    cluster.network_operator = None
    assert ofed or effect._maintenance(cluster) == found


def test_rails_with_fewer_lengths_than_supernets() -> None:
    nets = (IPNetwork("10.0.0.0/16"), IPNetwork("fd00::/64"))
    rails = some(external=False, numbering="id", segment="host", vlan_ids=(), gateway="last", at=("rails",))
    rails.families, rails.prefixes = tuple(net.version for net in nets), (31,)
    assert not list(effect._of_rails(rails))


@pytest.mark.parametrize(
    ("share_max", "shared", "takes", "stated", "said_of"),
    [
        (None, False, "vf", False, []),
        (4, False, "vf", False, ["share_max of network n has no effect"]),
        (4, True, "any", False, []),
        (None, False, "vf", True, ["mode m uses one device per attachment"]),
        (None, False, "mount", True, ["mode host-path uses no devices"]),
        (None, True, "vf", True, ["its HCAs are shared"]),
        (None, False, "any", True, []),
        (None, True, "any", True, []),
    ],
)
def test_keys_of_devices(share_max: Any, shared: bool, takes: str, stated: bool, said_of: list[str]) -> None:
    network = some(name="n", share_max=share_max, shared=shared, takes=takes, mode="m", at=("networks", "n"))
    job = some(name="job", networks=[but(network, name="x"), network], devices={"n": 1} if stated else {})
    job.at = ("workloads", "job")
    found = said(effect._of_devices(some(networks=[network], workloads=[job])))
    assert [wanted in each for wanted, each in zip(said_of, found, strict=True)] == [True] * len(said_of)


CHARTS = some(argo_cd="x", flux=None, charts=True, chart_versions={}, at=("cluster", "gitops"))
NAMES = ("network-operator", "gpu-operator", "aws-efa-k8s-device-plugin")


@pytest.mark.parametrize(
    ("change", "network", "gpu", "kind", "keys"),
    [
        ({}, None, None, "roce", []),
        ({"argo_cd": None}, None, None, "roce", ["gitops"]),
        ({"argo_cd": None, "flux": "x"}, None, None, "roce", []),
        ({"chart_versions": dict.fromkeys(NAMES)}, "x", "x", "efa", []),
        ({"chart_versions": dict.fromkeys(NAMES)}, None, "x", "efa", ["network-operator"]),
        ({"chart_versions": dict.fromkeys(NAMES)}, "x", None, "efa", ["gpu-operator"]),
        ({"chart_versions": dict.fromkeys(NAMES)}, "x", "x", "roce", ["aws-efa-k8s-device-plugin"]),
        ({"chart_versions": dict.fromkeys(NAMES), "charts": False}, "x", "x", "efa", sorted(NAMES)),
    ],
)
def test_keys_of_gitops(change: Any, network: Any, gpu: Any, kind: str, keys: list[str]) -> None:
    cluster = some(gitops=but(CHARTS, **change), network_operator=network, gpu_operator=gpu)
    assert [each.at[-1] for each in effect._of_gitops(some(cluster=cluster, type=kind))] == keys
    assert not list(effect._of_gitops(some(cluster=but(cluster, gitops=None), type=kind)))


@pytest.mark.parametrize(
    ("ids", "first", "last", "named"),
    [
        ((100, 101), 101, 110, "VLAN 101 of b"),
        ((100, 101), 90, 100, "VLAN 100 of b"),
        ((100, 101), 100, 101, "VLAN 100-101 of b"),
        ((100, 101), 102, 110, ""),
        ((100, 109), 101, 110, ""),
    ],
)
def test_vlan_ids_that_a_switch_keeps_for_itself(ids: Any, first: int, last: int, named: str) -> None:
    """109 is on no port; ``a`` and the second switch of a kind say nothing."""
    rule = some(first=first, last=last, move="vlan internal")
    carried = [some(id=100), some(id=101)]
    plain = some(name="a", nos="x", vlans=carried, bounds=some(reserved_vlans=None), ports=[])
    kept = but(plain, name="b", nos="y", bounds=some(reserved_vlans=rule))
    rails = some(vlan_ids=ids, at=("rails",))
    plan = some(switches=[plain, kept, but(kept, name="c")], fabric=some(rails=rails, vlans=()))
    found = said(vlan.vlan_id_of_the_switch(plan))
    wanted = f"{named} (y) is within {first}-{last}, which y reserves for internal use"
    assert found == ([wanted] if named else [])
