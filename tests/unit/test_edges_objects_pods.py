"""Edge cases, one fact per case: findings about pods, their containers and the names that they use."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.rules.kubernetes.registry import run_rules
from tests.unit.edges import things
from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import MAP, said
from tests.unit.test_edges_objects_networks import MACVLAN, rail
from tests.unit.test_edges_rules import job, named, vf_policy

Objects = list[dict[str, Any]]


def of_own(code: str, given: Objects) -> list[str]:
    """``message; hint`` of each finding where the objects are a tree of netplan, which is complete."""
    cluster = things({"kubernetes/a.yaml": yaml.safe_dump_all(given, sort_keys=False)})
    found, _ = run_rules(cluster, [code])
    return [f"{each.message.partition(': ')[2]}; {each.hint}" for each in found]


def container(**more: Any) -> dict[str, Any]:
    return pod("", containers=[{"name": "a", "image": "b", **more}])


def asking(limits: dict[str, Any], requests: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    both = {"limits": limits} | ({} if requests is None else {"requests": requests})
    return container(resources=both, **more)


def env(name: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"env": [{"name": name, "value": value}], **more}


def plugin(resource: str, selectors: Any) -> dict[str, Any]:
    config = {"resourceList": [{"resourceName": resource, "selectors": selectors}]}
    return {**named(MAP, "sriovdp-config"), "data": {"config.json": json.dumps(config)}}


LIMITS = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "l"}, "spec": {"limits": []}}
GID = {"name": "NCCL_IB_GID_INDEX", "value": "3"}
FIXED = pod("rail", containers=[{"name": "a", "env": [GID]}])
SECOND: Objects = [{"name": "a"}, {"name": "c", "env": [{"name": "X", "value": "1"}, GID]}]


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP764", [asking({"a.com/x": 1})], []),
        ("NP764", [asking({"a.com/x": "1"}, {"a.com/x": "1"})], []),
        (
            "NP764",
            [asking({"a.com/x": 1.5})],
            ["spec.containers.0.resources.limits.a.com/x: 1.5 of a.com/x is not a whole number"],
        ),
        ("NP764", [asking({"a.com/x": "1k"})], []),
        (
            "NP764",
            [asking({"a.com/x": "0.5"})],
            ["spec.containers.0.resources.limits.a.com/x: 0.5 of a.com/x is not a whole number"],
        ),
        (
            "NP764",
            [asking({"a.com/x": True})],
            ["spec.containers.0.resources.limits.a.com/x: True of a.com/x is not a whole number"],
        ),
        ("NP764", [asking({"a.com/x": "${N}"})], []),
        ("NP764", [asking({"a.com/${X}": "y.5"})], []),
        (
            "NP764",
            [asking({"a.com/x": 2}, {"a.com/x": 1})],
            ["spec.containers.0.resources.requests.a.com/x: requests have 1 of a.com/x, limits 2"],
        ),
        (
            "NP764",
            [asking({}, {"a.com/x": 1})],
            [
                (
                    "spec.containers.0.resources.requests.a.com/x: a.com/x is in the requests but not in "
                    "the limits"
                )
            ],
        ),
        ("NP764", [asking({"cpu": 2}, {"cpu": 1, "a.com/x": "${N}"})], []),
        ("NP764", [asking({"hugepages-2Mi": "4Gi"}, {"hugepages-2Mi": "4Gi"})], []),
        (
            "NP764",
            [asking({"hugepages-2Mi": "4Gi"}, {"hugepages-2Mi": "2Gi"})],
            [
                (
                    "spec.containers.0.resources.requests.hugepages-2Mi: requests have 2Gi of "
                    "hugepages-2Mi, limits 4Gi"
                )
            ],
        ),
        ("NP764", [asking({"hugepages-2Mi": "4Gi"}, {"hugepages-2Mi": "4096Mi"})], []),
        ("NP764", [asking({"cpu": 1.5, "memory": "1Gi"})], []),
        (
            "NP427",
            [asking({"hugepages-2Mi": "4Gi"})],
            [
                (
                    "spec.containers.0.resources.limits.hugepages-2Mi: container a requests "
                    "hugepages-2Mi, but neither cpu nor memory"
                )
            ],
        ),
        ("NP427", [asking({"hugepages-2Mi": "4Gi", "memory": "1Gi"})], []),
        ("NP427", [asking({"hugepages-2Mi": "4Gi"}, {"cpu": 1})], []),
        (
            "NP427",
            [asking({}, {"hugepages-2Mi": "4Gi"})],
            [
                (
                    "spec.containers.0.resources.requests.hugepages-2Mi: container a requests "
                    "hugepages-2Mi, but neither cpu nor memory"
                )
            ],
        ),
        ("NP427", [asking({"hugepages-2Mi": "4Gi"}), LIMITS], []),
        ("NP427", [asking({"a.com/x": 1})], []),
    ],
)
def test_amounts_of_a_container(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP765",
            [vf_policy(isRdma=True), asking({"openshift.io/rail": 1})],
            [
                (
                    "spec.containers.0.resources.limits.openshift.io/rail: container a requests "
                    "openshift.io/rail, but has no IPC_LOCK"
                )
            ],
        ),
        (
            "NP765",
            [
                vf_policy(isRdma=True),
                asking({"openshift.io/rail": 1}, securityContext={"capabilities": {"add": ["CAP_IPC_LOCK"]}}),
            ],
            [],
        ),
        ("NP765", [vf_policy(isRdma=True), asking({"openshift.io/other": 1})], []),
        (
            "NP765",
            [plugin("rail", {"isRdma": True}), asking({"intel.com/rail": 1})],
            [
                (
                    "spec.containers.0.resources.limits.intel.com/rail: container a requests "
                    "intel.com/rail, but has no IPC_LOCK"
                )
            ],
        ),
        (
            "NP765",
            [plugin("rail", [{"vendors": ["15b3"]}, {"IsRdma": True}]), asking({"intel.com/rail": 1})],
            [
                (
                    "spec.containers.0.resources.limits.intel.com/rail: container a requests "
                    "intel.com/rail, but has no IPC_LOCK"
                )
            ],
        ),
        ("NP765", [plugin("rail", {"isRdma": False}), asking({"intel.com/rail": 1})], []),
        ("NP765", [plugin("rail", {"isRdma": "true"}), asking({"intel.com/rail": 1})], []),
        (
            "NP766",
            [rail(MACVLAN), FIXED],
            ["spec.containers.0.env.0: NCCL_IB_GID_INDEX is fixed, but apps/rail is macvlan"],
        ),
        (
            "NP766",
            [rail(MACVLAN), pod("rail", containers=SECOND)],
            ["spec.containers.1.env.1: NCCL_IB_GID_INDEX is fixed, but apps/rail is macvlan"],
        ),
        (
            "NP766",
            [rail({"type": "ipvlan"}), FIXED],
            ["spec.containers.0.env.0: NCCL_IB_GID_INDEX is fixed, but apps/rail is ipvlan"],
        ),
        ("NP766", [rail(), FIXED], []),
        (
            "NP766",
            [
                rail(MACVLAN),
                pod(
                    "rail",
                    containers=[{"name": "a", "env": [{"name": "NCCL_IB_GID_INDEX", "valueFrom": {}}]}],
                ),
            ],
            [],
        ),
        (
            "NP766",
            [rail(MACVLAN), pod("rail,gone", containers=[{"name": "a", **env("NCCL_IB_GID_INDEX", "3")}])],
            [],
        ),
        (
            "NP767",
            [asking({"vpc.amazonaws.com/efa": 4})],
            [
                (
                    "spec.containers.0.resources.limits.vpc.amazonaws.com/efa: container a requests "
                    "vpc.amazonaws.com/efa, but no hugepages-2Mi"
                )
            ],
        ),
        ("NP767", [asking({"vpc.amazonaws.com/efa": 4, "hugepages-2Mi": "5Gi"})], []),
        ("NP767", [asking({"vpc.amazonaws.com/efa": 4}, **env("FI_EFA_USE_HUGE_PAGE", "0"))], []),
        (
            "NP767",
            [asking({"vpc.amazonaws.com/efa": 4}, **env("FI_EFA_USE_HUGE_PAGE", "1"))],
            [
                (
                    "spec.containers.0.resources.limits.vpc.amazonaws.com/efa: container a requests "
                    "vpc.amazonaws.com/efa, but no hugepages-2Mi"
                )
            ],
        ),
        ("NP767", [asking({"a.com/efa": 4})], []),
        (
            "NP765",
            [plugin("rail", {"isRdma": True, "vendors": ["15b3"]}), asking({"intel.com/rail": 1})],
            [
                (
                    "spec.containers.0.resources.limits.intel.com/rail: container a requests "
                    "intel.com/rail, but has no IPC_LOCK"
                )
            ],
        ),
        ("NP765", [vf_policy(isRdma=True), asking({"rail": 1, "a.com/x": 1})], []),
    ],
)
def test_what_rdma_needs_of_a_container(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP797",
            [container(**env("A", 7))],
            ["spec.containers.0.env.0.value: spec.containers[0].env[0].value is 7, not text"],
        ),
        (
            "NP797",
            [container(**env("A", True))],
            ["spec.containers.0.env.0.value: spec.containers[0].env[0].value is true, not text"],
        ),
        ("NP797", [container(**env("A", "7"))], []),
        ("NP797", [container(**env("A", None))], []),
        (
            "NP797",
            [pod("", nodeSelector={"a": 1.5, "b": "x"})],
            ["spec.nodeSelector.a: spec.nodeSelector.a is 1.5, not text"],
        ),
        (
            "NP797",
            [pod("", initContainers=[{"name": "i", "image": "b", **env("A", 7)}])],
            ["spec.initContainers.0.env.0.value: spec.initContainers[0].env[0].value is 7, not text"],
        ),
        ("NP762", [pod("rail@a23456789012345")], []),
        (
            "NP762",
            [pod("rail@a234567890123456")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 'a234567890123456' is not an "
                    "interface name: 1 to 15 characters without /, : and spaces"
                )
            ],
        ),
        (
            "NP762",
            [pod("rail@net1,two@net1")],
            ["metadata.annotations.k8s.v1.cni.cncf.io/networks: interface net1 is of two and of rail"],
        ),
        (
            "NP762",
            [pod("Rail")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 'Rail' is not "
                    "namespace/name@interface in lower case"
                )
            ],
        ),
        ("NP768", [{**job(), "spec": {"mpiReplicaSpecs": {}}}], ["spec.mpiReplicaSpecs: it has no Launcher"]),
        ("NP768", [{**job(workers=0), "apiVersion": "kubeflow.org/v1"}], []),
    ],
)
def test_texts_of_a_pod_and_its_job(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told
