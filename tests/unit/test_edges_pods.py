"""Edge cases, one fact per case: pods, their networks and nodes, by direct calls."""

from __future__ import annotations

import json
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.graph.qos import Proof
from netplan.pipeline import compile_texts
from netplan.rules.kubernetes.rails import _for_rdma as for_rdma
from netplan.rules.kubernetes.sites import _open as open_hosts
from netplan.trace.chains.draw import _alike as alike
from netplan.trace.chains.model import Doubt
from netplan.trace.copies import _container as container_of
from netplan.trace.exclusions import pool_blocks
from netplan.trace.linux import KernelRoute, Namespace
from tests.factories import merged
from tests.overlay import base_data
from tests.unit.edges import things
from tests.unit.test_trace_addresses import POOL, host, network


def test_rules_of_one_priority_and_version_are_deleted_and_no_others() -> None:
    space = Namespace()
    for priority in (10, 20):
        space.add_rule(None, 100 + priority, priority)
    space.add_rule(ip_network("fd00::/64"), 110, 10)
    space.del_rules(10, 4)
    assert [(rule.priority, rule.table) for rule in space.rules] == [(20, 120), (10, 110)]


def test_a_table_loses_the_routes_of_one_version() -> None:
    space = Namespace()
    for text in ("10.0.0.0/8", "fd00::/64"):
        space.add_route(KernelRoute(dst=ip_network(text), dev="net1"), 700)
    space.flush(700, 4)
    assert [str(route.dst) for route in space.table(700)] == ["fd00::/64"]


def test_a_route_of_another_metric_is_not_replaced() -> None:
    space = Namespace()
    routes = [KernelRoute(dst=ip_network("10.0.0.0/8"), dev="net1", metric=metric) for metric in (0, 100)]
    for route in routes:
        space.replace_route(route)
    assert sorted(route.metric for route in space.table(254)) == [0, 100]


def test_the_container_with_devices_is_compared_whatever_it_asks_for_beside() -> None:
    asks = {"resources": {"limits": {"cpu": 8, "nvidia.com/rail": 1}}}
    spec = {"containers": [{"name": "proxy"}, {"name": "job", **asks}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "b"}, "spec": spec}
    (found,) = things({"kubernetes/pod.yaml": yaml.safe_dump(pod)}).pods
    assert container_of(found)[1]["name"] == "job"


def test_containers_that_are_none_are_left_out_and_keep_the_place_of_others() -> None:
    spec = {"containers": [3, {"name": "job"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "b"}, "spec": spec}
    (found,) = things({"kubernetes/pod.yaml": yaml.safe_dump(pod)}).pods
    assert [(path[-1], container) for path, container in found.containers()] == [(1, {"name": "job"})]


@pytest.mark.parametrize(
    ("resource", "chain", "moves"),
    [
        ("nvidia.com/rail", "host-device", False),
        ("nvidia.com/RDMA_rail", "host-device", True),
        ("", "host-device", False),
        ("nvidia.com/rail", "ib-sriov", True),
    ],
)
def test_a_network_is_for_rdma_by_its_plugins_or_the_name_of_its_resource(
    resource: str, chain: str, moves: bool
) -> None:
    text = network({"type": "static"}).replace('"host-device"', f'"{chain}"')
    named = "annotations: {k8s.v1.cni.cncf.io/resourceName: nvidia.com/rail}"
    changed = text.replace(
        named, f"annotations: {{k8s.v1.cni.cncf.io/resourceName: {resource}}}" if resource else ""
    )
    assert for_rdma(things({"kubernetes/0.yaml": changed}).networks[0]) is moves


@pytest.mark.parametrize(
    ("namespace", "found"), [("apps", "apps"), ("", "default"), ("{{ x }}", None), (7, "default")]
)
def test_the_namespace_of_a_generated_network(namespace: Any, found: str | None) -> None:
    """Of the Network Operator's kinds: networkNamespace, else default; unknown where a template has it."""
    spec = {"networkNamespace": namespace, "master": "ens1f0", "ipam": "{}"}
    made = {"apiVersion": "mellanox.com/v1alpha1", "kind": "MacvlanNetwork", "metadata": {"name": "a"}}
    cluster = things({"kubernetes/0.yaml": yaml.safe_dump(made | {"spec": spec})})
    assert [each.namespace for each in cluster.networks] == [found]


@pytest.mark.parametrize(
    ("labels", "names"), [({"gpu": "h100"}, "a"), ({"gpu": "{{ x }}"}, "ab"), ({"gpu": 7}, "ab")]
)
def test_hosts_are_ruled_out_by_labels_that_are_stated(labels: dict[str, Any], names: str) -> None:
    hosts = tuple(
        replace(host(0), name=name, labels={"gpu": gpu}) for name, gpu in (("a", "h100"), ("b", "b200"))
    )
    assert "".join(each.name for each in open_hosts(hosts, labels)) == names


def test_a_block_that_an_exclusion_just_covers_is_passed_over() -> None:
    """nv-ipam, getNextNonExcludedCandidates: the next node gets the next block, which begins at a multiple of
    the size though the exclusion ends in it."""
    spec = {"subnet": "10.0.0.0/24", "perNodeBlockSize": 8, "gateway": "10.0.0.254"}
    for last, lost in (("10.0.0.8", 0), ("10.0.0.7", 1), ("10.0.0.10", 1), ("10.0.0.16", 0)):
        excluded = [{"startIP": "10.0.0.1", "endIP": last}]
        text = POOL.format(kind="IPPool", spec=json.dumps(spec | {"exclusions": excluded}))
        (pool,) = things({"kubernetes/0.yaml": text}).of("nv-ipam.nvidia.com", "IPPool")
        assert len(list(pool_blocks(pool, 2, 8))) == lost


def test_several_like_it_are_counted_and_one_alone_is_not() -> None:
    doubts = [Doubt(proof=Proof.OPEN, text=f"VF {number} has no rail") for number in range(3)]
    assert [text.endswith(" (and 2 like it)") for text, _ in alike(doubts)] == [True]
    assert ["like it" in text for text, _ in alike(doubts[:1])] == [False]


def test_what_a_network_says_of_its_host_types_is_not_said_again_of_the_workload() -> None:
    """NP663 or NP710 name the network whose hosts have no HCA for it; NP607 covers the others."""
    front = "{model: connectx-5, netdev: eno1, speed_gbps: 25, use: front-end}"
    text = f"""
host_types:
  cpu: {{gpus: 8, node_selector: {{example.com/host-type: cpu}}, hcas: {{front: {front}}}}}
hosts: {{cpu-1: {{type: cpu}}}}
workloads: {{train: {{hosts: [gpu, cpu]}}}}
"""
    assert codes(text) & {"NP607", "NP663", "NP710"} == {"NP607"}
    named = codes(f"{text}networks: {{rail: {{hosts: [gpu, cpu]}}}}\n") & {"NP607", "NP663", "NP710"}
    assert named
    assert "NP607" not in named


def codes(text: str) -> set[str]:
    data = merged(base_data(""), yaml.safe_load(text))
    result = compile_texts({"case.yaml": yaml.safe_dump(data)})
    return {each.code for each in result.diagnostics if each.severity is Severity.ERROR}
