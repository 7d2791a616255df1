"""Edge cases, one fact per case: what is resolved and planned, and the bounds of an inventory."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from netaddr import IPAddress, IPNetwork

from netplan.checks.addressing import _overlapping
from netplan.checks.cabling import too_many_ports
from netplan.checks.deadlock import cyclic_buffers
from netplan.checks.pod_network import _why_not_sbr as why_not_sbr
from netplan.checks.pod_tables import _why_not as why_no_tables
from netplan.model.values import InterfaceAddress
from netplan.pipeline import compile_texts
from netplan.plan.addresses import _link_pair, _uplinks
from netplan.plan.buffer_patch import _group_ranges, _key, _parts, _runs
from netplan.plan.headroom import cell_occupancy, xoff_threshold
from netplan.plan.pools import _gateway_index
from netplan.plan.verdicts import headroom_verdict, kmax_verdict, kmin_verdict, qbb_verdict, worst_occupancy
from netplan.resolve.expand import merge
from netplan.trace.fabric import ReadFabric
from tests.factories import fabric_from, merged, of_rails
from tests.overlay import CHECKS, base_data
from tests.unit.test_edges_fabric import ONE, OTHER, two


def problems(text: str) -> list[tuple[str, str]]:
    data = merged(base_data(""), yaml.safe_load(text))
    result = compile_texts({"case.yaml": yaml.safe_dump(data)})
    return [(each.code, ".".join(map(str, each.path))) for each in result.diagnostics]


def test_more_names_than_a_site_has_are_refused_where_they_are_written(monkeypatch: Any) -> None:
    monkeypatch.setattr("netplan.resolve.expand.MAX_NAMES", 4)
    assert ("NP102", "hosts.more-[1-3]") in problems("hosts: {'more-[1-3]': {type: gpu}}\nlinks: null\n")
    monkeypatch.setattr("netplan.resolve.expand.MAX_NAMES", 5)
    assert not any(
        code == "NP102" for code, _ in problems("hosts: {'more-[1-3]': {type: gpu}}\nlinks: null\n")
    )


def test_more_cables_than_a_site_has_are_refused(monkeypatch: Any) -> None:
    monkeypatch.setattr("netplan.resolve.links.MAX_CABLES", 3)
    assert ("NP102", "links.1") in problems("{}")
    monkeypatch.setattr("netplan.resolve.links.MAX_CABLES", 4)
    assert not any(code == "NP102" for code, _ in problems("{}"))


def test_more_hcas_than_a_host_has_are_refused(monkeypatch: Any) -> None:
    monkeypatch.setattr("netplan.resolve.hosts.HCAS_MAX", 1)
    assert ("NP016", "host_types.gpu.hcas") in problems("{}")
    monkeypatch.setattr("netplan.resolve.hosts.HCAS_MAX", 2)
    assert not any(code == "NP016" for code, _ in problems("{}"))


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("host_types: {gpu: {hcas: {roce0: {netdev: " + "x" * 15 + "}}}}", None, ""),
        (
            "host_types: {gpu: {hcas: {roce0: {netdev: " + "x" * 16 + "}}}}",
            "NP016",
            "host_types.gpu.hcas.roce0.netdev",
        ),
        ("switches: {leaf: {type: sn2700, role: leaf}}", "NP105", "switches.leaf"),
        ("switches: {leaf: {type: sn2700, role: leaf, id: 1}}", None, ""),
    ],
)
def test_names_and_numbers_of_an_inventory(text: str, code: str | None, path: str) -> None:
    found = [each for each in problems(text) if each[0] in ("NP016", "NP105")]
    assert found == ([(code, path)] if code else [])


def test_a_merge_replaces_what_is_no_mapping() -> None:
    assert merge({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": 3}, "d": [2]}) == {
        "a": {"b": 3, "c": 2},
        "d": [2],
    }
    assert merge({"a": 1}, {"a": {"b": 3}}) == {"a": {"b": 3}}
    assert merge({"a": {"b": 3}}, {"a": 1}) == {"a": 1}


@pytest.mark.parametrize(
    ("network", "gateway", "switch", "host"),
    [
        ("10.0.0.0/31", "first", "10.0.0.0", "10.0.0.1"),
        ("10.0.0.0/31", "last", "10.0.0.0", "10.0.0.1"),
        ("10.0.0.0/30", "first", "10.0.0.1", "10.0.0.2"),
        ("10.0.0.0/30", "last", "10.0.0.2", "10.0.0.1"),
        ("10.0.0.0/24", "last", "10.0.0.254", "10.0.0.253"),
    ],
)
def test_addresses_of_a_link(network: str, gateway: str, switch: str, host: str) -> None:
    one, other = _link_pair(IPNetwork(network), gateway)
    assert (str(one.ip), str(other.ip)) == (switch, host)


@pytest.mark.parametrize(
    ("prefix", "gateway", "index"), [(31, "first", 0), (31, "last", 0), (24, "first", 1), (24, "last", 254)]
)
def test_the_gateway_of_a_node_has_an_index(prefix: int, gateway: str, index: int) -> None:
    fabric: Any = SimpleNamespace(rails=SimpleNamespace(gateway=gateway))
    assert _gateway_index(fabric, prefix, IPNetwork("10.0.0.0/16")) == index
    fabric.rails = None
    assert _gateway_index(fabric, 24, IPNetwork("10.0.0.0/16")) == 1


@pytest.mark.parametrize(
    ("texts", "pairs"),
    [
        (["10.0.0.0/8", "10.1.0.0/16", "10.1.1.0/24"], [(0, 1), (0, 2), (1, 2)]),
        (["10.1.1.0/24", "10.2.0.0/16", "10.0.0.0/8"], [(0, 2), (1, 2)]),
        (["10.0.0.0/24", "10.0.0.0/24"], [(0, 1)]),
        (["10.0.0.0/24", "10.0.1.0/24", "::/0"], []),
    ],
)
def test_ranges_that_share_an_address(texts: list[str], pairs: list[tuple[int, int]]) -> None:
    ranges: Any = [(text, IPNetwork(text), ()) for text in texts]
    assert [(ranges.index(a), ranges.index(b)) for a, b in _overlapping(ranges) if a is not b] == pairs or [
        (texts[i], texts[j]) for i, j in pairs
    ] == [(a[0], b[0]) for a, b in _overlapping(ranges)]


def test_a_search_for_ranges_ends(monkeypatch: Any) -> None:
    monkeypatch.setattr("netplan.checks.addressing.MOST", 3)
    ranges: Any = [(str(n), IPNetwork("10.0.0.0/8"), ()) for n in range(9)]
    assert len(list(_overlapping(ranges))) == 6


@pytest.mark.parametrize(
    ("speeds", "physical", "found"),
    [([100, 100], 2, False), ([100, 101], 2, True), ([50, 50], 3, True), ([50, 50], 2, False)],
)
def test_a_switch_has_the_ports_and_the_capacity_of_its_model(
    speeds: list[int], physical: int, found: bool
) -> None:
    model = SimpleNamespace(ports=2, speeds_gbps=(50, 100), name="m")
    switch = SimpleNamespace(
        name="leaf-1",
        at=("switches", "leaf-1"),
        type=SimpleNamespace(model=model),
        ports=[SimpleNamespace(speed_gbps=speed) for speed in speeds],
        physical=[None] * physical,
    )
    plan: Any = SimpleNamespace(switches=[switch])
    assert len(list(too_many_ports(plan))) == found


def test_a_fabric_that_is_too_large_is_not_searched_for_circles(monkeypatch: Any) -> None:
    names = ("leaf-1", "leaf-2")
    ends = {name: SimpleNamespace(name=name, role="leaf", id=n + 1) for n, name in enumerate(names)}
    fabric: Any = SimpleNamespace(
        qos=SimpleNamespace(lossless=(1,)),
        switch_links=[SimpleNamespace(lower=ends["leaf-1"], upper=ends["leaf-2"])],
        host_links=[SimpleNamespace(switch=each) for each in ends.values()],
        switches=list(ends.values()),
        underlay=None,
    )
    monkeypatch.setattr("netplan.checks.deadlock.EFFORT_MAX", 4)
    assert list(cyclic_buffers(fabric)) == []
    monkeypatch.setattr("netplan.checks.deadlock.EFFORT_MAX", 3)
    (finding,) = cyclic_buffers(fabric)
    assert "1 pairs of switches" in finding.message


NETWORK: dict[str, Any] = {
    "ipam": "nv-ipam",
    "mode": "sriov",
    "subnet": None,
    "per_rail": True,
    "by_ipam": SimpleNamespace(one_gateway=False, table_programs="x"),
    "by_mode": SimpleNamespace(table_programs="x"),
}
RAILS: dict[str, Any] = {**of_rails(IPNetwork("10.0.0.0/8")), "gateway": "first", "segment": "leaf"}
BOTH = (IPNetwork("10.0.0.0/8"), IPNetwork("fd00::/32"))


@pytest.mark.parametrize(
    ("network", "rails", "why"),
    [
        ({}, {}, ""),
        ({"ipam": "static"}, {}, "ipam is static"),
        ({"by_ipam": SimpleNamespace(one_gateway=True)}, {}, ""),
        ({"by_ipam": SimpleNamespace(one_gateway=True)}, of_rails(*BOTH), "one address family"),
        ({"subnet": SimpleNamespace(name="s", gateway=None)}, {}, "subnet s has no gateway"),
        ({"subnet": SimpleNamespace(name="s", gateway=1)}, {"gateway": "none"}, ""),
        ({}, {"gateway": "none"}, "the rails have no gateway"),
        ({}, None, "the rails have no gateway"),
    ],
)
def test_why_sbr_has_no_gateway(network: dict[str, Any], rails: dict[str, Any] | None, why: str) -> None:
    given: Any = SimpleNamespace(**{**NETWORK, **network})
    fabric: Any = SimpleNamespace(rails=None if rails is None else SimpleNamespace(**{**RAILS, **rails}))
    found = why_not_sbr(fabric, given)
    assert why in found
    assert bool(found) is bool(why)


@pytest.mark.parametrize(
    ("network", "rails", "why"),
    [
        ({}, {}, ""),
        ({"by_ipam": SimpleNamespace(table_programs=None)}, {}, "ipam is nv-ipam"),
        ({"by_mode": SimpleNamespace(table_programs=None)}, {}, "mode is sriov"),
        ({"per_rail": False}, {}, "it is not for each rail"),
        ({}, None, "it is not for each rail"),
        ({}, {"segment": "host"}, "rails.segment is host"),
        ({}, {"gateway": "none"}, "the rails have no gateway"),
        ({}, of_rails(*BOTH), "fd00::/32 of the rails is IPv6"),
    ],
)
def test_why_a_network_has_no_tables(network: dict[str, Any], rails: dict[str, Any] | None, why: str) -> None:
    given: Any = SimpleNamespace(**{**NETWORK, **network})
    fabric: Any = SimpleNamespace(rails=None if rails is None else SimpleNamespace(**{**RAILS, **rails}))
    assert why_no_tables(fabric, given) == why


# Buffers


def test_ranges_of_priorities() -> None:
    assert _runs([4, 3, 7, 0]) == [(0, 0), (3, 4), (7, 7)]
    assert _parts((0, 7), (3, 4)) == [(0, 2), (3, 4), (5, 7)]
    assert _parts((3, 4), (3, 4)) == [(3, 4)]
    assert _group_ranges(((3, 4),), (3,)) == ((3, 3),)
    assert _group_ranges(((3, 4),), (3, 4)) == ((3, 4),)
    assert _group_ranges(((3, 4),), (3, 4, 6)) == ((3, 4), (6, 6))
    assert (_key((3, 3)), _key((3, 4))) == ("3", "3-4")


@pytest.mark.parametrize(
    ("cell", "small", "expected"),
    [(64, 100, 2.0), (128, 100, 2.0), (144, 100, 3.0), (192, 100, 3.0), (144, 0, 1.125)],
)
def test_small_packets_fill_whole_cells(cell: int, small: int, expected: float) -> None:
    """sonic-net/sonic-swss cfgmgr/buffer_headroom_mellanox.lua: worst case factor of cells."""
    assert cell_occupancy(cell, 1024, small) == pytest.approx(expected)


def test_a_threshold_of_a_pool_that_is_shared() -> None:
    """pool x alpha / (1 + n x alpha), alpha 2 to the dynamic_th."""
    assert xoff_threshold(1000, 0, 1) == 500
    assert xoff_threshold(1000, 1, 1) == 666
    assert xoff_threshold(1000, -1, 2) == 250
    assert worst_occupancy(64) == pytest.approx(128 / 65)
    assert worst_occupancy(256) == 4


def test_headroom_against_the_standard() -> None:
    nos: Any = SimpleNamespace(dynamic_buffers=None)

    def said(xoff: int, speed: int = 100) -> str:
        headroom: Any = SimpleNamespace(xoff=xoff)
        return headroom_verdict(headroom, nos, None, speed, 40, 9000)

    bound = (2 * 8 * 9000 + 320 + 672 + 2 * 122880 + 2 * 5 * 40 * 100 + 201728) // 8
    assert said(bound).startswith("enough: 0 bytes above")
    assert said(bound + 7).startswith("enough: 7 bytes above")
    given = 2 * (122880 // 8) + 201728 // 8
    assert f"leaves {given - 1:,} bytes" in said(bound - 1)
    assert f"up to {given:,}" in said(bound - 1)
    assert "leaves 0 bytes" in said(0)
    assert said(0, 7) == "not judged: 802.1Qbb has no budget at 7 Gb/s"
    headroom: Any = SimpleNamespace(xoff=bound)
    assert qbb_verdict(headroom, bound, 100) == "the headroom holds it"
    assert qbb_verdict(headroom, bound + 1, 100).startswith("1 bytes above")


@pytest.mark.parametrize(
    ("limit", "low", "high"), [(101, True, False), (100, False, False), (401, True, True)]
)
def test_marks_come_before_pauses(limit: int, low: bool, high: bool) -> None:
    ecn = SimpleNamespace(kmin_bytes=100, kmax_bytes=400)
    qos: Any = SimpleNamespace(marking=[SimpleNamespace(lossless=True, ecn=[ecn], number=3)])
    assert kmin_verdict(qos, limit).endswith("marks before PFC pauses") is low
    assert kmax_verdict(qos, limit).endswith("marks before PFC pauses") is high
    assert kmax_verdict(qos, limit).startswith("Kmax 400 of queue 3")
    qos.marking[0].lossless = False
    assert kmin_verdict(qos, limit) == "no lossless queue marks"


def test_a_vlan_reaches_over_every_trunk_that_carries_it() -> None:
    fabric = two(ONE, OTHER)
    far = fabric.switches["far"]
    third = replace(far, name="third", ports={"up": far.ports["up"]})
    middle = replace(far, ports={**far.ports, "up2": replace(far.ports["up"], name="up2")})
    switches = {**fabric.switches, "far": middle, "third": third}
    more = replace(ONE, switch="far", port="up2", peer="third")
    cables = [ONE, OTHER, more, replace(OTHER, switch="third", peer="far", peer_port="up2")]
    found = ReadFabric(switches, cables).domain("leaf", 101)
    assert {name for name, _ in found.members} == {"leaf", "far", "third"}


def test_routers_of_a_domain_are_interfaces_of_its_vlan_or_of_its_port() -> None:
    fabric = two(ONE, OTHER)
    leaf = fabric.switches["leaf"]
    own = InterfaceAddress(IPAddress("10.9.0.0"), 31)
    ports = {**leaf.ports, "r1": replace(leaf.ports["up"], name="r1", tagged=frozenset(), addresses=(own,))}
    ports |= {"r2": replace(ports["r1"], name="r2", addresses=(replace(own, ip=IPAddress("10.9.0.2")),))}
    routed = ReadFabric({**fabric.switches, "leaf": replace(leaf, ports=ports)}, [ONE, OTHER])
    domain = routed.accept("leaf", "r1", None)
    assert not isinstance(domain, str)
    assert [(each.port, str(each.ip)) for each in routed.routers(domain)] == [("r1", "10.9.0.0")]
    assert [str(each.ip) for each in routed.routers(routed.domain("leaf", 101))] == ["10.1.0.1"]


def test_a_leaf_with_too_many_uplinks_leaves_the_others_numbered() -> None:
    """For leaf-1, which has two where one is stated; leaf-2 keeps its own."""
    text = """
underlay: {uplinks_per_leaf: 1}
links:
  - {switches: leaf-1, ports: "Ethernet[64-68/4]", to: spine-1, to_ports: "Ethernet[0-4/4]", cable_m: 40}
  - {switches: leaf-2, ports: Ethernet64, to: spine-1, to_ports: Ethernet8, cable_m: 40}
"""
    fabric = fabric_from((CHECKS / "base.yaml").read_text(encoding="utf-8"), text)
    found: list[tuple[str, str]] = []
    told: Any = SimpleNamespace(add=lambda code, path, *_: found.append((code, path[-1])))
    assert [each.link.lower.name for each in _uplinks(fabric, told)] == ["leaf-2"]
    assert found == [("NP203", "uplinks_per_leaf")]
