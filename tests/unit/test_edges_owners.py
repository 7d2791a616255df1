"""Edge cases, one fact per case: who offers a device, who requests it, and on which nodes both are."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.graph.kubernetes.asking import _claimed as claimed
from netplan.graph.kubernetes.gather import cluster_of
from netplan.graph.kubernetes.node_selection import surely_meet
from netplan.graph.kubernetes.trainer import train_jobs
from netplan.reading.kubernetes.load import load_texts
from netplan.reading.kubernetes.objects import read_texts
from netplan.rules.kubernetes.owners import _labels as labels
from netplan.rules.kubernetes.policy_pairs import may_meet
from netplan.rules.kubernetes.routers import one_router
from tests.unit.test_edges_gather import SPIDER, of, things

A, B = {"a": "1"}, {"a": "1", "b": "2"}


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [(A, A, True), (A, B, True), (B, A, True), ({}, A, True), (A, {"a": "2"}, False), (A, {"b": "1"}, False)],
)
def test_nodes_that_two_selectors_surely_share(one: Any, other: Any, meet: bool) -> None:
    assert surely_meet(one, other) is meet


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("vendor: 15b3", "vendor: 15B3", True),
        ("vendor: 15b3", "vendor: '8086'", False),
        ("vendor: 15b3", "deviceID: '1021'", True),
        ("deviceID: 101b", "deviceID: 101d", False),
        ("pfNames: [a]", "pfNames: [b]", True),
    ],
)
def test_nics_that_two_policies_may_share(one: str, other: str, meet: bool) -> None:
    def policy(selector: str) -> str:
        spec = f"{{nodeSelector: {{gpu: h100}}, nicSelector: {{{selector}}}}}"
        return of("SriovNetworkNodePolicy", "sriovnetwork.openshift.io/v1", spec)

    first, second = things({"a.yaml": policy(one), "b.yaml": policy(other)}).tree.things
    assert may_meet(first, second) is meet


def term(*expressions: Any, **more: Any) -> dict[str, Any]:
    return {"matchExpressions": list(expressions), **more}


def is_in(key: str, *values: str, operator: str = "In") -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


@pytest.mark.parametrize(
    ("terms", "found"),
    [
        (None, {}),
        ([], {}),
        ([term()], {}),
        ([term(is_in("a", "1"))], {"a": "1"}),
        ([term(is_in("a", "1"), is_in("b", "2"))], {"a": "1", "b": "2"}),
        ([term(is_in("a", "1", "2"))], None),
        ([term(is_in("a"))], None),
        ([term(is_in("a", "1", operator="NotIn"))], None),
        ([term(is_in("a", "1"), is_in("b", operator="Exists"))], None),
        ([term(is_in("a", "1")), term()], None),
        ([term(is_in("a", "1"), matchFields=[is_in("metadata.name", "x")])], None),
        ([term(7)], None),
    ],
)
def test_labels_of_a_node_selector_of_one_term(terms: Any, found: dict[str, str] | None) -> None:
    assert labels(None if terms is None else {"nodeSelectorTerms": terms}) == found


GATED = "subnet: 10.0.0.0/24, gateway: 10.0.0.1, ips: [10.0.0.2-10.0.0.9]"


@pytest.mark.parametrize(
    ("chain", "pool", "whole", "said"),
    [
        ("", GATED, True, []),
        ("enableCoordinator: false, ", GATED, True, ["it has no coordinator, so the pool's gateway"]),
        ("enableCoordinator: false, ", GATED, False, []),
        ("enableCoordinator: false, ", GATED.replace("gateway: 10.0.0.1, ", ""), True, []),
        ('chainCNIJsonData: [\'{"type": "sbr"}\'], ', GATED, True, ["it chains both sbr and coordinator"]),
        ('enableCoordinator: false, chainCNIJsonData: [\'{"type": "sbr"}\'], ', GATED, True, []),
    ],
)
def test_one_plugin_moves_the_routes_of_spiderpool(
    chain: str, pool: str, whole: bool, said: list[str]
) -> None:
    spec = f"{{{chain}cniType: macvlan, macvlan: {{master: [ens1], ippools: {{ipv4: [p]}}}}}}"
    own = of("SpiderIPPool", SPIDER, f"{{{pool}}}").replace("name: n,", "name: p,")
    tree = load_texts({"a.yaml": f"{of('SpiderMultusConfig', SPIDER, spec)}---\n{own}"})
    for thing in tree.things:
        read_texts(thing)
    cluster = cluster_of(tree, {}, whole=whole)
    found = [each.message for each in one_router(cluster, cluster.networks[0])]
    assert [message.startswith(start) for message, start in zip(found, said, strict=True)] == [True] * len(
        said
    )


ASKED = "trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 8}}}"
RUNTIME = of(
    "TrainingRuntime",
    "trainer.kubeflow.org/v1alpha1",
    "{template: {spec: {replicatedJobs: [{template: {spec: {template: {metadata: {annotations: "
    "{a: own, b: own}}, spec: {nodeSelector: {k: own}, volumes: [{name: own}], containers: [{name: node}]}}}}"
    "}]}}}",
).replace("name: n,", "name: r,")
PATCH = "metadata: {annotations: {a: mine}}, spec: {nodeSelector: {k: mine}, volumes: [{name: mine}], x: 1}"
JOBS = f"replicatedJobs: [{{template: {{spec: {{template: {{{PATCH}}}}}}}}}]"
DEEP = f"{{trainingRuntimeSpec: {{template: {{spec: {{{JOBS}}}}}}}}}"


def trained(patches: str, namespace: str = "own", kind: str = "TrainingRuntime") -> Any:
    spec = f"{{runtimeRef: {{kind: {kind}, name: r}}, {ASKED}{patches}}}"
    job = of("TrainJob", "trainer.kubeflow.org/v1alpha1", spec).replace("own", namespace)
    return train_jobs(things({"a.yaml": f"{job}---\n{RUNTIME}"}))


MINE = ({"a": "mine", "b": "own"}, {"k": "mine"}, ["own", "mine"])
OWN = ({"a": "own", "b": "own"}, {"k": "own"}, ["own"])


@pytest.mark.parametrize(
    ("patches", "result"),
    [
        ("", OWN),
        (f", podTemplateOverrides: [7, {{{PATCH}}}]", MINE),
        (f", runtimePatches: [7, {DEEP}]", MINE),
        (", podSpecOverrides: [{nodeSelector: {k: mine}, volumes: [{name: mine}]}]", (OWN[0], *MINE[1:])),
    ],
)
def test_patches_of_a_train_job(patches: str, result: Any) -> None:
    (job,) = trained(patches)
    pod = job.pod.template
    volumes = [each["name"] for each in pod["spec"]["volumes"]]
    assert (pod["metadata"]["annotations"], pod["spec"]["nodeSelector"], volumes) == result
    assert [container["name"] for container in pod["spec"]["containers"]] == ["node", "node"]
    assert (job.at, job.unseen) == (("spec", "trainer", "resourcesPerNode"), "")
    assert "x" not in pod["spec"]
    assert job.alone.template["spec"]["containers"] == [
        {"name": "node", "resources": {"limits": {"nvidia.com/gpu": 8}}}
    ]


@pytest.mark.parametrize(
    ("namespace", "kind", "unseen"),
    [
        ("own", "TrainingRuntime", ""),
        ("other", "TrainingRuntime", "TrainingRuntime r"),
        ("own", "ClusterTrainingRuntime", "ClusterTrainingRuntime r"),
        ("own", "", "ClusterTrainingRuntime r"),
    ],
)
def test_the_runtime_of_a_train_job(namespace: str, kind: str, unseen: str) -> None:
    (job,) = trained("", namespace, kind)
    assert job.unseen == unseen


GPUS = "requests: [{name: a, exactly: {deviceClassName: CLASS}}]"


@pytest.mark.parametrize(
    ("kind", "devices", "field", "found"),
    [
        ("ResourceClaimTemplate", GPUS, "resourceClaimTemplateName", ["gpu.nvidia.com"]),
        ("ResourceClaim", GPUS, "resourceClaimName", ["gpu.nvidia.com"]),
        ("ResourceClaim", GPUS, "resourceClaimTemplateName", []),
        ("ResourceClaimTemplate", GPUS, "resourceClaimName", []),
        ("ResourceClaim", "requests: [7, {deviceClassName: CLASS}]", "resourceClaimName", ["gpu.nvidia.com"]),
        (
            "ResourceClaim",
            "requests: [{firstAvailable: [{deviceClassName: x}, {deviceClassName: CLASS}]}]",
            "resourceClaimName",
            ["gpu.nvidia.com"],
        ),
        ("ResourceClaim", GPUS.replace("CLASS", "dra.net"), "resourceClaimName", []),
        ("ResourceClaim", GPUS.replace("CLASS", "7"), "resourceClaimName", []),
    ],
)
def test_claims_of_gpus(kind: str, devices: str, field: str, found: list[str]) -> None:
    devices = f"devices: {{{devices.replace('CLASS', 'gpu.nvidia.com')}}}"
    spec = f"{{spec: {{{devices}}}}}" if kind.endswith("Template") else f"{{{devices}}}"
    claim = of(kind, "resource.k8s.io/v1", spec).replace("name: n,", "name: t,")
    pod = of("Pod", "v1", f"{{containers: [{{name: c}}], resourceClaims: [7, {{name: c, {field}: t}}]}}")
    cluster = things({"a.yaml": f"{pod}---\n{claim}"})
    assert list(claimed(cluster, cluster.pods[0])) == [
        (("spec", "resourceClaims", 1), each) for each in found
    ]
