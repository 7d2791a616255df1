"""Facts of one line each, at their edge: GPUs without rails, claims and devices beside workloads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from netplan.graph.kubernetes.asking import elsewhere, gpu_pods
from netplan.rules.kubernetes.claims import pod_claims
from netplan.rules.kubernetes.lacks import lack_of
from netplan.rules.kubernetes.rails import beside_others, perhaps_without
from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_foreign_rules import graph
from tests.unit.test_edges_lacks import RAIL, TWO, container, need
from tests.unit.test_edges_rules import nad, thing

NOTE = "k8s.v1.cni.cncf.io/networks"
GPUS = {"nvidia.com/gpu": 8}
DEVICES = (("rdma/rail", 2), ("rdma/store", 1))
BOTH = "rail-0,rail-1"
OPERATOR = thing("sriovnetwork.openshift.io/v1", "SriovOperatorConfig", "default", enableInjector=True)


def served(note: str | None, in_list: bool = False, **limits: int) -> dict[str, Any]:
    """GPUs in a custom resource; the annotation on it, or in a list of its parts."""
    meta = {"metadata": {"annotations": {} if note is None else {NOTE: note}}}
    parts = {"resources": {"limits": {**GPUS, **{f"rdma/{name}": n for name, n in limits.items()}}}}
    given = thing("serving.kserve.io/v1beta1", "InferenceService", predictor=parts)
    if in_list:
        given["spec"]["parts"] = [{"name": "first"}, meta]
    else:
        given["metadata"].update(meta["metadata"])
    return given


@pytest.mark.parametrize(
    ("given", "workload", "told"),
    [
        (served(None, rail=2, store=1), "apps", True),
        (served(BOTH, rail=2, store=1), "apps", False),
        (served(BOTH, in_list=True, rail=2, store=1), "apps", False),
        (served("rail-0", rail=2, store=1), "apps", True),
        (served(BOTH, rail=2), "apps", True),
        (served(BOTH), "apps", True),
        (served(""), "apps", False),
        (served("", in_list=True), "apps", False),
        (served(None), "other", False),
    ],
)
def test_gpus_outside_pods_have_all_networks_and_devices_of_a_workload(
    given: dict[str, Any], workload: str, told: bool
) -> None:
    cluster = replace(graph(given), needs=(need(namespace=workload, networks=TWO, devices=DEVICES),))
    (place,) = elsewhere(cluster)
    assert len(list(perhaps_without(cluster, place))) == told


@pytest.mark.parametrize(
    ("note", "beside", "told"),
    [(None, "", False), (None, "rdma", True), (None, "tuning", False), (BOTH, "rdma", False)],
)
def test_gpus_outside_pods_are_told_where_others_have_rails(
    note: str | None, beside: str, told: bool
) -> None:
    others = [nad({"type": "sriov"}, {"type": beside})] if beside else []
    cluster = graph(served(note), *others)
    (place,) = elsewhere(cluster)
    assert len(list(beside_others(cluster, place))) == told


@pytest.mark.parametrize(
    ("needs", "hint"),
    [
        ([], "there: none"),
        ([("t", "training")], "leave it in training, where workload train has its template"),
        ([("u", "training")], "there: none"),
        ([("u", "other"), ("t", "training")], "leave it in training, where workload train has its template"),
        ([("t", "training"), ("t", "apps")], "there: none"),
    ],
)
def test_a_claim_template_is_left_where_its_workload_has_it(needs: list[tuple[str, str]], hint: str) -> None:
    given = pod("", resourceClaims=[{"name": "rails", "resourceClaimTemplateName": "t"}])
    workloads = tuple(need(claim=claim, namespace=namespace) for claim, namespace in needs)
    cluster = replace(graph(given), needs=workloads)
    (finding,) = pod_claims(cluster, cluster.pods[0])
    assert finding.message == "ResourceClaimTemplate t is not in the directory"
    assert finding.hint == hint


@pytest.mark.parametrize(
    ("networks", "asked", "operator", "parts"),
    [
        (BOTH, 0, True, 0),
        (BOTH, 1, True, 1),
        (BOTH, 2, True, 0),
        (BOTH, 0, False, 1),
        ("rail-0", 0, True, 2),
        ("rail-0", 2, True, 1),
    ],
)
def test_the_injector_adds_devices_where_all_networks_are_named(
    networks: str, asked: int, operator: bool, parts: int
) -> None:
    given = pod(networks, containers=[container({"rdma/rail": asked} if asked else {})])
    cluster = graph(given, *([OPERATOR] if operator else []))
    (asking,) = gpu_pods(cluster)
    assert len(lack_of(cluster, asking, need(networks=TWO, devices=RAIL)).parts) == parts
