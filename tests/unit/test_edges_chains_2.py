"""Edge cases, one fact per case: the step of a chain at which a finding stands, and two pods beside it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.trace.chains import chains_data, compared
from tests.unit.test_edges_chains import LIMITS, chains, nad, pod, steps

OTHER = {"resources": {"limits": {"nvidia.com/other": 1}}}


def plugin(*entries: dict[str, Any], **meta: Any) -> dict[str, Any]:
    made = [{"resourcePrefix": "nvidia.com", "selectors": {"vendors": ["15b3"]}, **e} for e in entries]
    data = {"config.json": json.dumps({"resourceList": made})}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "c", "namespace": "n", **meta},
        "data": data,
    }


def codes(found: Any) -> dict[str, list[str]]:
    """Name of a step -> codes of the findings at it."""
    steps = [*found.steps, *(step for chain in found.chains for step in chain.steps)]
    return {step.name: said for step in steps if (said := [d.code for d in step.doubts if d.code])}


def test_a_finding_about_a_whole_object_stands_at_the_step_that_rests_on_a_part_of_it() -> None:
    made = plugin({"resourceName": "rail"}, labels={"a": True})
    (alone,) = chains(pod([{"name": "m", **LIMITS}]), made).pods
    assert codes(alone) == {"pod": ["NP752"]}
    (attached,) = chains(pod([{"name": "m", **LIMITS}], "rail"), nad(resource="nvidia.com/rail"), made).pods
    assert codes(attached) == {"device": ["NP752"]}


@pytest.mark.parametrize(("asked", "found"), [(LIMITS, {}), (OTHER, {"pod": ["NP750", "NP788"]})])
def test_a_finding_about_another_resource_of_the_same_object_is_not_the_pods(
    asked: dict[str, Any], found: dict[str, Any]
) -> None:
    made = plugin({"resourceName": "rail"}, {"resourceName": "other", "excludeTopologi": True})
    (alone,) = chains(pod([{"name": "m", **asked}]), made).pods
    assert codes(alone) == found


def test_a_finding_about_one_template_of_an_object_is_not_told_of_its_other_template() -> None:
    def template(name: str, value: str) -> dict[str, Any]:
        container = {"name": "pytorch", "image": "x", "env": [{"name": name, "value": value}]}
        meta = {"annotations": {"k8s.v1.cni.cncf.io/networks": "rail"}}
        return {"replicas": 1, "template": {"metadata": meta, "spec": {"containers": [container]}}}

    specs = {"Master": template("NCCL_IB_GID_INDEX", "3"), "Worker": template("NCCL_IB_TC", "300")}
    job = {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": "j", "namespace": "a"},
        "spec": {"pytorchReplicaSpecs": specs},
    }
    pods = chains(job, nad()).pods
    assert {each.name.rpartition(" ")[2]: codes(each) for each in pods} == {
        "Master": {"environment": ["NP766"]},
        "Worker": {"environment": ["NP417"]},
    }


def test_a_finding_about_one_entry_of_the_networks_stands_at_that_attachment() -> None:
    entries = [{"name": "rail", "interface": "net1"}, {"name": "rail", "interface": "a/b"}]
    (found,) = chains(pod(networks=json.dumps(entries)), nad()).pods
    assert [
        (chain.interface, bool([d for s in chain.steps for d in s.doubts if d.code]))
        for chain in found.chains
    ] == [
        ("net1", False),
        ("a/b", True),
    ]


def pool(name: str, cidr: str, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
        "kind": "CIDRPool",
        "metadata": {"name": name, "namespace": "op"},
        "spec": {"cidr": cidr, "perNodeNetworkPrefix": 31, **spec},
    }


def test_pods_in_different_subnets_need_a_route_from_any_pool_of_each() -> None:
    """The pool of IPv4 has a route, the pool of IPv6 none."""
    routed = {"gatewayIndex": 0, "routes": [{"dst": "10.0.0.0/8"}]}
    ipam = {
        name: {"type": "nv-ipam", "poolName": f"{name}4,{name}6", "poolType": "cidrpool"} for name in "ab"
    }
    objects = [
        pool("a4", "10.1.0.0/24", **routed),
        pool("a6", "fd00:1::/64"),
        pool("b4", "10.2.0.0/24", **routed),
        pool("b6", "fd00:2::/64"),
        *(nad(name, ipam=ipam[name]) for name in "ab"),
        *(pod(networks=name) for name in "ab"),
    ]
    one, other = chains(*objects).pods
    assert one.chains[0].meets.routed
    (pair,) = compared(one, other).pairs
    said = {row.name: row.said for row in pair.rows}
    assert said["subnet"].endswith(": the gateways must have routes")


def test_the_verdict_on_files_is_that_of_their_worst_pod() -> None:
    bad = plugin({"resourceName": "rail"}, labels={"a": True})
    found = chains(pod([{"name": "m", **LIMITS}]), pod(networks="rail"), nad(), bad)
    data = chains_data(found, found.pods)
    assert (data["proof"], [each["proof"] for each in data["pods"]]) == ("refuted", ["refuted", "not proved"])


def operator(**spec: Any) -> dict[str, Any]:
    own = {"apiVersion": "mellanox.com/v1alpha1", "kind": "NicClusterPolicy", "metadata": {"name": "nic"}}
    return {**own, "spec": spec}


def test_a_finding_about_a_plugin_of_several_that_a_pod_uses_stands_with_the_pod() -> None:
    """NP791: the RDMA-shared plugin does not run where the RDMA mode is exclusive."""

    def component(key: str, **entry: Any) -> dict[str, Any]:
        made = {"selectors": {"vendors": ["15b3"]}, **entry}
        return {"image": "a", "repository": "b", "version": "c", "config": json.dumps({key: [made]})}

    shared = component("configList", resourcePrefix="rdma", resourceName="shared", rdmaHcaMax=8)
    sriov = component("resourceList", resourcePrefix="nvidia.com", resourceName="rail")
    mode = {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkPoolConfig",
        "metadata": {"name": "p", "namespace": "op"},
        "spec": {"rdmaMode": "exclusive"},
    }
    policy = operator(rdmaSharedDevicePlugin=shared, sriovDevicePlugin=sriov)
    for limits, told in (({"nvidia.com/rail": 1, "rdma/shared": 1}, True), ({"nvidia.com/rail": 1}, False)):
        (found,) = chains(pod([{"name": "m", "resources": {"limits": limits}}]), policy, mode).pods
        assert ("NP791" in codes(found)["pod"] if codes(found) else False) is told


def test_the_prefix_of_a_resource_is_a_value_of_the_chart_where_a_policy_makes_it() -> None:
    bare = plugin({"resourceName": "rail", "resourcePrefix": ""})
    policy = {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkNodePolicy",
        "metadata": {"name": "p", "namespace": "op"},
        "spec": {
            "resourceName": "rail",
            "numVfs": 4,
            "nicSelector": {"vendor": "15b3"},
            "nodeSelector": {"a": "b"},
        },
    }
    said = "no file says that the prefix is nvidia.com: "
    chart, flag = "chart value resourcePrefix of the operator", "--resource-prefix of the plugin"
    for made, where in (([bare], flag), ([policy], chart), ([bare, policy], chart), ([policy, bare], chart)):
        found = steps(pod([{"name": "m", **LIMITS}], "rail"), nad(resource="nvidia.com/rail"), *made)
        assert found["resource"][1] == [said + where]


@pytest.mark.parametrize(
    ("objects", "said"),
    [
        ([], "no container asks for it"),
        ([{"enableInjector": True}], "the operator's injector adds it if its webhook is on"),
        ([{"enableInjector": False}], "no container asks for it"),
    ],
)
def test_the_injector_of_the_operator_may_add_a_resource_that_nobody_asks_for(
    objects: list[dict[str, Any]], said: str
) -> None:
    config = {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovOperatorConfig",
        "metadata": {"name": "default", "namespace": "op"},
    }
    made = [{**config, "spec": spec} for spec in objects]
    found = steps(pod(networks="rail"), nad(resource="nvidia.com/rail"), *made)
    assert found["resource"][1][0] == said


def ipam(*subnets: str) -> dict[str, Any]:
    return {"type": "host-local", "ranges": [[{"subnet": subnet}] for subnet in subnets]}


def test_of_two_pods_every_interface_is_compared() -> None:
    one, other = chains(pod(networks="rail,rail,rail"), pod(networks="rail"), nad()).pods
    pairs = compared(one, other).pairs
    assert [(each.start, each.end) for each in pairs] == [("net1", "net1"), ("net2", None), ("net3", None)]


def test_the_subnet_that_two_interfaces_share_is_told() -> None:
    left, right = ("10.1.0.0/24", "10.2.0.0/24", "fd00::/64"), ("10.3.0.0/24", "10.2.0.0/24")
    objects = [nad("a", ipam=ipam(*left)), nad("b", ipam=ipam(*right))]
    one, other = chains(*(pod(networks=name) for name in "ab"), *objects).pods
    (pair,) = compared(one, other).pairs
    assert {row.name: row.said for row in pair.rows}["subnet"] == "the same, 10.2.0.0/24"
