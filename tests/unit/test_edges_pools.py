"""Edge cases, one fact per case: pools of a network against the hosts and pods of a site."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from netplan.trace.addresses import Turn, addresses
from netplan.trace.model import Verdict
from netplan.trace.pools import pool_faults, site_faults
from tests.unit.edges import things
from tests.unit.test_trace_addresses import NV_IPAM, POOL, given, host, network, site

IP_POOL = {**NV_IPAM, "poolType": "ippool"}


def faults(pods: int, hosts: int, ipam: dict[str, Any], *pools: str) -> list[tuple[Verdict, str]]:
    cluster = things({f"kubernetes/{n}.yaml": text for n, text in enumerate((network(ipam), *pools))})
    here: Any = SimpleNamespace(cluster=cluster, hosts={f"node-{n}": host(n) for n in range(hosts)})
    (found,) = cluster.networks
    return [(each.verdict, each.text) for each in pool_faults(here, found, host(0), pods)]


@pytest.mark.parametrize(
    ("spec", "hosts", "pods", "said"),
    [
        ("subnet: 10.0.0.0/29, perNodeBlockSize: 2", 3, 2, []),
        ("subnet: 10.0.0.0/29, perNodeBlockSize: 2", 4, 2, ["has blocks for 3 nodes", "4 have its labels"]),
        ("subnet: 10.0.0.0/29, perNodeBlockSize: 2", 3, 3, ["has 2 addresses for a node", "3 pods run on"]),
        ("subnet: 10.0.0.0/29", 6, 1, []),
        ("subnet: 10.0.0.0/29", 7, 1, ["has blocks for 6 nodes", "7 have its labels"]),
        ("subnet: 10.0.0.3/29", 6, 1, []),
        ("subnet: 10.0.0.0/31", 2, 1, []),
        ("subnet: 10.0.0.0/31", 3, 1, ["has blocks for 2 nodes", "3 have its labels"]),
        ("subnet: 10.0.0.0/32", 1, 1, []),
        ("subnet: 'fd00::/125'", 7, 1, []),
        ("subnet: 'fd00::/125'", 8, 1, ["has blocks for 7 nodes", "8 have its labels"]),
        (
            "subnet: 10.0.0.0/29, exclusions: [{startIP: 10.0.0.1, endIP: 10.0.0.1}]",
            6,
            1,
            ["leave blocks for 5 nodes", "6 have its labels"],
        ),
        (
            "subnet: 10.0.0.0/29, nodeSelector: {nodeSelectorTerms: [{matchExpressions: "
            "[{key: a, operator: Exists}]}]}",
            9,
            1,
            [],
        ),
    ],
)
def test_an_ip_pool_has_a_block_for_each_node(spec: str, hosts: int, pods: int, said: list[str]) -> None:
    found = faults(pods, hosts, IP_POOL, POOL.format(kind="IPPool", spec=f"{{{spec}}}"))
    assert [verdict for verdict, _ in found] == [Verdict.LOST] * bool(said)
    assert all(part in text for _, text in found for part in said), found
    assert all("(kubernetes/1.yaml:4)" in text for _, text in found)


@pytest.mark.parametrize(("pods", "count"), [(6, 0), (7, 1)])
def test_a_cidr_pool_has_a_prefix_for_each_node(pods: int, count: int) -> None:
    pool = POOL.format(kind="CIDRPool", spec="{cidr: 10.0.0.0/24, perNodeNetworkPrefix: 29}")
    assert len(faults(pods, 2, NV_IPAM, pool)) == count
    assert faults(pods, 2, {**NV_IPAM, "poolName": "other"}, pool) == []


def test_nv_ipam_watches_one_namespace() -> None:
    pool = POOL.format(kind="CIDRPool", spec="{cidr: 10.0.0.0/24, perNodeNetworkPrefix: 29}")
    other = pool.replace("name: pool", "name: second")
    assert faults(1, 1, NV_IPAM, pool, other) == []
    assert faults(1, 1, NV_IPAM, pool, other.replace("apps", "storage")) == [
        (
            Verdict.UNPROVED,
            "CIDRPool pool is in namespace apps (kubernetes/1.yaml:3), second in storage "
            "(kubernetes/2.yaml:3): nv-ipam watches one namespace",
        )
    ]


@pytest.mark.parametrize(
    ("placed", "said"),
    [
        (None, []),
        (("gpu",), []),
        (("cpu", "big"), ["pods of job run on node-0 (at), which is gpu; site.json has big, cpu"]),
        ((), ["pods of job run on node-0 (at), which is gpu; site.json has none"]),
    ],
)
def test_pods_run_where_the_site_has_them(placed: tuple[str, ...] | None, said: list[str]) -> None:
    facts = SimpleNamespace(placed={} if placed is None else {"job": placed}, mtu=None)
    job: Any = SimpleNamespace(name="job", at=lambda *_: "at")
    here: Any = SimpleNamespace(facts=facts)
    assert [each.text for each in site_faults(here, job, host(0), [])] == said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, None),
        ({"mtu": 1500}, "the MTU of net1 is 1500 (f), that of the fabric is 9000 (site.json)"),
        ({"mtu": None}, "the MTU of net1 is not stated (f), that of the fabric is 9000 (site.json)"),
        ({"mtu": 1500, "rail": None}, None),
        ({"mtu": 1500, "hca": None}, None),
        ({"mtu": 1500, "beyond": "x"}, None),
    ],
)
def test_a_pod_has_the_mtu_of_the_fabric(change: dict[str, Any], said: str | None) -> None:
    plain = {"name": "net1", "mtu": 9000, "rail": 0, "hca": "roce0", "beyond": "", "file": "f"}
    wrong = SimpleNamespace(**{**plain, "name": "net9", "mtu": 4200})
    facts = SimpleNamespace(placed={}, mtu=9000)
    here: Any = SimpleNamespace(facts=facts)
    job: Any = SimpleNamespace(name="job")
    nics: Any = [SimpleNamespace(**{**plain, **change}), wrong]
    texts = [each.text for each in site_faults(here, job, host(0), nics)]
    assert texts[:-1] == ([] if said is None else [said])
    assert texts[-1].startswith("the MTU of net9 is 4200")
    facts.mtu = None
    assert list(site_faults(here, job, host(0), nics)) == []


SPANS = [{"range": "10.0.0.9-10.0.0.20/24"}, {"range": "10.9.0.3/24"}]


@pytest.mark.parametrize(
    ("ipam", "expected"),
    [
        ({"type": "whereabouts", "range": "10.0.0.3/24"}, [("10.0.0.1/24", "None")]),
        (
            {"type": "whereabouts", "range": "10.0.0.0/24", "gateway": "10.0.0.1"},
            [("10.0.0.2/24", "10.0.0.1")],
        ),
        ({"type": "whereabouts", "range": "10.0.0.0/24", "gateway": "10.1.0.1"}, [("10.0.0.1/24", "None")]),
        (
            {"type": "whereabouts", "gateway": "10.9.0.1", "ipRanges": SPANS},
            [("10.0.0.1/24", "None"), ("10.9.0.2/24", "10.9.0.1")],
        ),
        (
            {"type": "host-local", "ranges": [[{"subnet": "10.0.0.3/24"}, {"subnet": "10.2.0.0/24"}]]},
            [("10.0.0.2/24", "10.0.0.1")],
        ),
        (
            {"type": "host-local", "ranges": [[{"subnet": "10.0.0.0/24", "gateway": "10.0.0.9"}], []]},
            [("10.0.0.1/24", "10.0.0.9")],
        ),
        (
            {"type": "host-local", "ranges": [[{"subnet": "10.0.0.0/24"}], [{"subnet": "fd00::/64"}]]},
            [("10.0.0.2/24", "10.0.0.1"), ("fd00::2/64", "fd00::1")],
        ),
        (
            {"type": "static", "addresses": [{"address": "10.0.0.4/24", "gateway": "10.0.0.1"}]},
            [("10.0.0.4/24", "10.0.0.1")],
        ),
    ],
)
def test_an_ipam_gives_an_address_of_each_range(ipam: dict[str, Any], expected: list[Any]) -> None:
    assert given([network(ipam)], 0, 0) == expected


@pytest.mark.parametrize(
    ("kind", "spec", "number", "slot", "expected"),
    [
        ("IPPool", "subnet: 10.0.0.3/29", 0, 0, ("10.0.0.1/29", "None")),
        ("IPPool", "subnet: 10.0.0.0/29", 5, 0, ("10.0.0.6/29", "None")),
        ("IPPool", "subnet: 10.0.0.0/29", 6, 0, ("10.0.0.1/29", "None")),
        ("IPPool", "subnet: 10.0.0.0/29, gateway: 10.0.0.1", 0, 0, ("10.0.0.2/29", "10.0.0.1")),
        ("IPPool", "subnet: 10.0.0.0/29, gateway: 10.0.0.3", 1, 0, ("10.0.0.2/29", "10.0.0.3")),
        ("IPPool", "subnet: 10.0.0.0/29, gateway: 10.0.0.3", 2, 0, ("10.0.0.4/29", "10.0.0.3")),
        ("IPPool", "subnet: 10.0.0.0/29, gateway: 10.0.0.6", 4, 0, ("10.0.0.5/29", "10.0.0.6")),
        ("IPPool", "subnet: 10.0.0.0/29, gateway: 10.0.0.6", 5, 0, ("10.0.0.1/29", "10.0.0.6")),
        ("IPPool", "subnet: 10.0.0.0/31", 1, 0, ("10.0.0.1/31", "None")),
        ("IPPool", "subnet: 10.0.0.0/30", 1, 0, ("10.0.0.2/30", "None")),
        ("IPPool", "subnet: 10.0.0.0/32", 3, 0, ("10.0.0.0/32", "None")),
        ("IPPool", "subnet: 10.0.0.0/31, gateway: 10.0.0.0", 0, 0, ("10.0.0.1/31", "10.0.0.0")),
        ("IPPool", "subnet: 10.0.0.0/31, gateway: 10.0.0.1", 1, 0, ("10.0.0.0/31", "10.0.0.1")),
        ("IPPool", "subnet: 10.0.0.0/24, perNodeBlockSize: 4", 2, 1, ("10.0.0.10/24", "None")),
        ("CIDRPool", "cidr: 10.0.0.3/24, perNodeNetworkPrefix: 30", 2, 0, ("10.0.0.9/30", "None")),
        (
            "CIDRPool",
            "cidr: 10.0.0.0/24, perNodeNetworkPrefix: 30, staticAllocations: "
            "[{nodeName: node-1, prefix: 10.0.0.9/30, gateway: 10.0.0.9}]",
            1,
            0,
            ("10.0.0.10/30", "10.0.0.9"),
        ),
    ],
)
def test_a_pool_gives_the_next_address_beside_the_gateway(
    kind: str, spec: str, number: int, slot: int, expected: tuple[str, str]
) -> None:
    ipam = {**NV_IPAM, "poolType": kind.lower()}
    assert given([network(ipam), POOL.format(kind=kind, spec=f"{{{spec}}}")], number, slot) == [expected]


def test_the_subnet_of_a_spider_pool_may_be_written_by_an_address_of_it() -> None:
    pool = """\
apiVersion: spiderpool.spidernet.io/v2beta1
kind: SpiderIPPool
metadata: {name: pool}
spec: {subnet: 10.0.0.9/24, ips: ["10.0.0.10"]}
"""
    ipam = {"type": "spiderpool", "default_ipv4_ippool": ["pool"]}
    assert given([network(ipam), pool], 3, 1) == [("10.0.0.10/24", "None")]


SELECTED = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}"


@pytest.mark.parametrize(
    ("kind", "spec", "said"),
    [
        (
            "IPPool",
            f"subnet: 10.0.0.0/29, {SELECTED}",
            "IPPool pool has no addresses for node-0: its labels do not match (kubernetes/1.yaml)",
        ),
        (
            "CIDRPool",
            "cidr: 10.0.0.0/24, perNodeNetworkPrefix: 30, staticAllocations: "
            "[{nodeName: node-1, prefix: 10.0.0.8/30}]",
            "CIDRPool pool has no prefix for node-0 (kubernetes/1.yaml)",
        ),
    ],
)
def test_a_pool_that_is_not_for_a_node_says_so(kind: str, spec: str, said: str) -> None:
    ipam = {**NV_IPAM, "poolType": kind.lower()}
    here = site(network(ipam), POOL.format(kind=kind, spec=f"{{{spec}}}"))
    owned, routes, found = addresses(here, here.cluster.networks[0], host(0), Turn(0, 2))
    assert (owned, routes, [each.text for each in found]) == ([], [], [said])
    here = site(network({**ipam, "poolName": "other"}))
    (fault,) = addresses(here, here.cluster.networks[0], host(0), Turn(0, 2))[2]
    assert fault.text == "pool other does not exist (kubernetes/0.yaml)"


def test_routes_of_every_pool_are_the_pods() -> None:
    spec = "{{subnet: 10.{}.0.0/24, routes: [{{dst: 10.{}.0.0/16}}]}}"
    pools = [
        POOL.format(kind="IPPool", spec=spec.format(n, n)).replace("name: pool", f"name: p{n}")
        for n in (1, 2)
    ]
    here = site(network({"type": "nv-ipam", "poolName": "p1,p2"}), *pools)
    owned, routes, _ = addresses(here, here.cluster.networks[0], host(0), Turn(0, 2))
    assert [str(own.ip) for own in owned] == ["10.1.0.1", "10.2.0.1"]
    assert [route["dst"] for route in routes] == ["10.1.0.0/16", "10.2.0.0/16"]
