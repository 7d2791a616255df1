"""Addresses in use outside the inventory: no IPAM assigns them, and capacity is counted without them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from netaddr import IPAddress, IPNetwork, IPRange, IPSet

from netplan.checks.pool_blocks import block_count, fullest_block
from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.model.kubernetes import Ipam, IpamRange, Pool
from netplan.model.spans import Spans
from netplan.pipeline import Result, compile_texts
from netplan.render import cni
from tests.factories import merged
from tests.inventories import outputs
from tests.overlay import base_data

FIRST, LAST = "172.16.0.100", "172.16.1.20"
"""A span in the rail's range that begins in leaf 1's subnet and ends after it."""


@cache
def site(*over: str) -> Result:
    data: Any = base_data("")
    for text in over:
        data = merged(data, load_texts({"over.yaml": text}).data or {})
    result = compile_texts({"site.yaml": json.dumps(data)})
    assert [d.message for d in result.diagnostics if d.severity is Severity.ERROR] == []
    return result


def objects(result: Result, kind: str) -> Iterator[dict[str, Any]]:
    for path, text in outputs(result).items():
        if path.startswith("kubernetes/") and path.endswith(".yaml"):
            yield from (o for o in yaml.safe_load_all(text) if isinstance(o, dict) and o.get("kind") == kind)


def numbers(first: str, last: str) -> set[int]:
    return set(range(int(ip_address(first)), int(ip_address(last)) + 1))


def ipam(result: Result) -> dict[str, Any]:
    """IPAM of rail 0's network attachment."""
    nads = objects(result, "NetworkAttachmentDefinition")
    configs = {n["metadata"]["name"]: json.loads(n["spec"]["config"]) for n in nads}
    found: dict[str, Any] = configs["rail-0-leaf-1"]["plugins"][0]["ipam"]
    return found


def whereabouts(result: Result) -> set[int]:
    stated = ipam(result)
    out = {int(a) for net in stated["exclude"] for a in ip_network(net)}
    return {int(a) for a in ip_network(stated["range"]).hosts()} - out


def host_local(result: Result) -> set[int]:
    (spans,) = ipam(result)["ranges"]
    return set().union(*(numbers(s["rangeStart"], s["rangeEnd"]) for s in spans))


def spiderpool(result: Result) -> set[int]:
    (pool,) = (o for o in objects(result, "SpiderIPPool") if o["metadata"]["name"] == "rail0-leaf-1")
    spans = (text.partition("-")[::2] for text in pool["spec"]["ips"])
    return set().union(*(numbers(first, last or first) for first, last in spans))


def nv_ipam(result: Result) -> set[int]:
    (pool,) = (o for o in objects(result, "IPPool") if o["metadata"]["name"] == "rail0-leaf-1")
    spec = pool["spec"]
    out = (numbers(e["startIP"], e["endIP"]) for e in spec["exclusions"])
    return (
        {int(a) for a in ip_network(spec["subnet"]).hosts()}
        - set().union(*out)
        - numbers(spec["gateway"], spec["gateway"])
    )


SPIDERPOOL = """
cluster: {spiderpool: {release: "1.0"}}
networks: {rail: {ipam: spiderpool, routing: spiderpool}}
"""
ONE_NODE = """
networks: {rail: {ipam: host-local}}
hosts: {"gpu-[1-2]": null, gpu-1: {type: gpu}}
links:
  - {hosts: gpu-1, hca: "roce[0-1]", switch: "leaf-[1-2]", ports: Ethernet0, cable_m: 5}
  - {switches: "leaf-[1-2]", ports: Ethernet64, to: spine-1, to_ports: "Ethernet[0-4/4]", cable_m: 40}
workloads: {train: {nodes: 1}}
"""


@pytest.mark.parametrize(
    ("over", "given_out"),
    [
        pytest.param("{}", nv_ipam, id="nv-ipam"),
        pytest.param("networks: {rail: {ipam: whereabouts}}", whereabouts, id="whereabouts"),
        pytest.param(ONE_NODE, host_local, id="host-local"),
        pytest.param(SPIDERPOOL, spiderpool, id="spiderpool"),
    ],
)
def test_no_ipam_hands_out_what_is_reserved(over: str, given_out: Any) -> None:
    reserved = numbers(FIRST, LAST)
    before = given_out(site(over, "rails: {reserved: [172.16.0.254]}"))
    after = given_out(site(over, f"rails: {{reserved: [172.16.0.254, {FIRST}-{LAST}]}}"))
    assert before & reserved
    assert after == before - reserved


def test_prefixes_of_nodes_and_what_a_cidr_pool_leaves_out() -> None:
    """Nodes not yet in the inventory would get the next prefixes."""
    over = (
        "rails: {segment: host, vlan_ids: null, rail_prefixes: [21], prefixes: [31], "
        "reserved: [172.16.1.0-172.16.1.255, 172.16.7.250-172.16.8.1]}\n"
        "networks: {rail: {mode: host-device, routing: script}}\n"
        "host_types: {gpu: {hcas: {roce0: {use: pf, vfs: null}, roce1: {use: pf, vfs: null}}}}\n"
        "switch_types: {sn2700: {frr_mode: frrcfgd}}\n"
    )
    found = compile_texts({"site.yaml": json.dumps(merged(base_data(""), load_texts({"o": over}).data))})
    assert [d.message for d in found.diagnostics if d.code == "NP226"] == [
        "172.16.7.250-172.16.8.1 is reserved, but 172.16.8.0/31 is the link of gpu-1 on rail 1"
    ]
    pools = {
        o["metadata"]["name"]: o["spec"].get("exclusions")
        for o in objects(site(over.replace("8.1]", "7.255]")), "CIDRPool")
    }
    assert pools == {
        "rail0": [
            {"startIP": "172.16.1.0", "endIP": "172.16.1.255"},
            {"startIP": "172.16.7.250", "endIP": "172.16.7.255"},
        ],
        "rail1": None,
    }


def test_what_is_reserved_elsewhere_changes_no_file() -> None:
    """The span is in a part of the rail's range where no leaf has a subnet."""
    assert outputs(site("rails: {reserved: [172.16.3.0-172.16.3.255]}")) == outputs(site())


@pytest.mark.parametrize(
    ("over", "codes"),
    [
        ("subnets: {a: {cidr: 172.24.0.0.0/24, reserved: [172.24.0.9]}}", ["NP201"]),
        ("subnets: {a: {cidr: 172.24.0.0/24, reserved: [172.24.0.9.9]}}", ["NP201"]),
        ("subnets: {a: {cidr: 172.24.0.0/24, reserved: [172.24.0.9-172.24.0.8]}}", ["NP201"]),
        ("rails: {supernets: [172.16.0.0.0/20], reserved: [172.16.0.1]}", ["NP201"]),
        (
            "rails: {reserved: [172.17.0.1]}\nsubnets: {a: {cidr: 172.17.0.0/24, gateway: 172.17.0.1}}",
            ["NP227"],
        ),
    ],
)
def test_one_cause_is_one_finding(over: str, codes: list[str]) -> None:
    found = compile_texts({"site.yaml": json.dumps(merged(base_data(""), load_texts({"o": over}).data))})
    errors = [d.code for d in found.diagnostics if d.severity is Severity.ERROR and d.code != "NP306"]
    assert errors == codes


NET = IPNetwork("10.0.0.64/26")
ADDRESSES = st.integers(int(NET.first) - 20, int(NET.last) + 20)
SPANS = st.lists(st.tuples(ADDRESSES, ADDRESSES).map(lambda pair: tuple(sorted(pair))), max_size=4)


def addresses(spans: Iterable[tuple[int, int]]) -> tuple[tuple[IPAddress, IPAddress], ...]:
    return tuple(sorted((IPAddress(a), IPAddress(b)) for a, b in spans))


@settings(max_examples=100, deadline=None)
@given(SPANS)
def test_spans_are_cut_to_the_network(spans: list[tuple[int, int]]) -> None:
    found = {a for low, high in Spans(addresses(spans)).within(NET) for a in range(int(low), int(high) + 1)}
    assert found == {a for low, high in spans for a in range(low, high + 1)} & {
        *range(NET.first, NET.last + 1)
    }
    assert Spans(addresses(spans)).within(IPNetwork("fd00::/64")) == ()


@settings(max_examples=100, deadline=None)
@given(SPANS)
def test_prefixes_of_spans_that_overlap_stand_once(spans: list[tuple[int, int]]) -> None:
    """A host or a gateway inside an excluded span: whereabouts takes prefixes, without duplicates."""
    single = [(last, last) for _, last in spans]
    cut = Spans(addresses([*spans, *single])).within(NET)
    assert len(set(cut)) == len(cut)
    part = IpamRange(network=NET, gateway=None, exclude=cut)
    planned = Ipam(type="whereabouts", pools=(), pool_kind=None, ranges=(part,), routes=(), data_dir=None)
    excluded = cni.ipam(planned).get("exclude", [])
    assert len(set(excluded)) == len(excluded)
    assert IPSet(excluded) == IPSet([IPRange(*span) for span in cut])


@cache
def a_pool() -> Pool:
    plan = site("rails: {reserved: [172.16.0.254]}").plan
    assert plan is not None
    return plan.kubernetes.pools[0]


def blocks(pool: Pool, skipping: bool) -> Iterator[range]:
    """Blocks in the order in which nodes get them (Mellanox/nvidia-k8s-ipam 3ce4a34
    pkg/ipam-controller/allocator/allocator.go, AllocateFromPool)."""
    out = {a for low, high in pool.exclusions for a in range(int(low), int(high) + 1)}
    at = int(pool.network.first) + 1
    while at + pool.block_size - 1 < int(pool.network.last):
        block = range(at, at + pool.block_size)
        if not (skipping and out.issuperset(block)):
            yield block
        at += pool.block_size


@settings(max_examples=150, deadline=None)
@given(SPANS, st.integers(2, 9), st.integers(1, 12), st.integers(0, 61), st.booleans())
def test_blocks_are_those_that_nv_ipam_gives(
    spans: list[tuple[int, int]], size: int, nodes: int, gateway: int, skipping: bool
) -> None:
    pool = replace(
        a_pool(),
        network=NET,
        gateway=IPAddress(int(NET.first) + 1 + gateway),
        block_size=size,
        exclusions=Spans(addresses(spans)).within(NET),
        nodes=nodes,
    )
    given_out = [*blocks(pool, skipping)]
    assert block_count(pool, skipping) == len(given_out)
    out = {a for low, high in pool.exclusions for a in range(int(low), int(high) + 1)} | {
        int(pool.gateway or 0)
    }
    if len(given_out) >= nodes:
        fewest = min(sum(a not in out for a in block) for block in given_out[:nodes])
        assert fullest_block(pool, skipping)[1] == fewest
