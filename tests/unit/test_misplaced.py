"""Which object is at fault where pods miss a network or resource: one that nothing uses, or each pod."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.graph.qos import Proof
from netplan.others import rendered_texts
from netplan.trace.chains.tree import chains_of
from tests.unit.edges import things

RAIL, OTHER = "openshift.io/rail0", "openshift.io/rail1"


def pod(name: str, networks: str = "rail0", namespace: str = "training", resource: str = RAIL) -> Any:
    metadata = {
        "name": name,
        "namespace": namespace,
        "annotations": {"k8s.v1.cni.cncf.io/networks": networks},
    }
    container = {"name": "main", "image": "x", "resources": {"limits": {resource: "1"}}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container]}}


def nad(name: str, namespace: str = "training", resource: str = RAIL) -> Any:
    annotations = {"k8s.v1.cni.cncf.io/resourceName": resource}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": name, "namespace": namespace, "annotations": annotations},
        "spec": {"config": '{"cniVersion": "1.0.0", "name": "x", "type": "sriov"}'},
    }


def policy(resource: str) -> Any:
    spec = {"resourceName": resource, "numVfs": 8, "nicSelector": {"pfNames": ["ens1f0np0"]}}
    return {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkNodePolicy",
        "metadata": {"name": resource.replace("_", "-"), "namespace": "operators"},
        "spec": {**spec, "nodeSelector": {"gpu": "yes"}},
    }


def space(name: str) -> Any:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def told(code: str, *objects: Any) -> list[str]:
    """The objects at which the rule has a finding."""
    found = rendered_texts({"a.yaml": yaml.safe_dump_all(objects)}).diagnostics
    return [d.message.partition(":")[0] for d in found if d.code == code]


NAD = "NetworkAttachmentDefinition"
A, B = pod("a"), pod("b")
PODS = ["Pod training/a", "Pod training/b"]


@pytest.mark.parametrize(
    ("objects", "at"),
    [
        ([nad("rail0", "other"), A, B], [f"{NAD} other/rail0"]),
        ([nad("rail0", "other"), A], ["Pod training/a"]),
        ([nad("rail0", "other"), A, space("training")], [f"{NAD} other/rail0"]),
        ([nad("rail0", "other"), A, space("training"), space("other")], ["Pod training/a"]),
        ([nad("rail0", "other"), A, B, pod("c", namespace="other")], PODS),
        ([nad("rail0", "other"), A, B, pod("c", "other/rail0", "else")], PODS),
        ([nad("rail0", "other"), nad("rail0", "another"), A, B], PODS),
        ([nad("raill0"), A, B], [f"{NAD} training/raill0"]),
        ([nad("raill0"), A], ["Pod training/a"]),
        ([nad("raill0"), A, B, pod("c", "raill0")], PODS),
        ([nad("rail1"), A, B], PODS),
    ],
)
def test_a_network_that_no_pod_uses_is_at_fault_for_all_pods_that_miss_it(
    objects: list[Any], at: list[str]
) -> None:
    assert told("NP758", policy("rail0"), *objects) == at


P = "SriovNetworkNodePolicy operators/rail-0"


@pytest.mark.parametrize(
    ("objects", "at"),
    [
        ([policy("rail_0"), nad("rail0"), A], [P]),
        ([policy("rail_0"), nad("rail0")], [f"{NAD} training/rail0"]),
        ([policy("rail_0"), nad("rail0"), A, nad("y", resource="openshift.io/rail_0")],
         [f"{NAD} training/rail0", "Pod training/a"]),
        ([policy("rail0"), nad("rail0"), A, B], []),
        ([policy("rail_0"), nad("rail0"), A, nad("y", resource="openshift.io/rail00")],
         [f"{NAD} training/rail0", "Pod training/a", f"{NAD} training/y"]),
    ],
)  # fmt: skip
def test_a_resource_that_nothing_names_is_at_fault_for_all_that_miss_it(
    objects: list[Any], at: list[str]
) -> None:
    assert sorted(told("NP757", *objects)) == sorted(at)


@pytest.mark.parametrize(
    ("objects", "code", "step"),
    [
        ([policy("rail0"), nad("rail0", "other"), A, B], "NP758", "attachment"),
        ([policy("rail_0"), nad("rail0"), A, B], "NP757", "resource"),
        (
            [policy("rail_0"), nad("plain", resource=OTHER), pod("a", "plain"), pod("b", "plain")],
            "NP757",
            "pod",
        ),
    ],
)
def test_trace_refutes_every_pod_that_misses_it(objects: list[Any], code: str, step: str) -> None:
    found = chains_of(things({"kubernetes/a.yaml": yaml.safe_dump_all(objects)})).pods
    assert found
    for each in found:
        steps = [*each.steps, *(s for chain in each.chains for s in chain.steps)]
        doubts = {(s.name, d.code, d.proof) for s in steps for d in s.doubts}
        assert (step, code, Proof.REFUTED) in doubts
