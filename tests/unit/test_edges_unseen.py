"""Edge cases, one fact per case: what a report says it did not see in a directory of objects."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from netplan.graph.kubernetes.needs import Nodes, may_land
from netplan.graph.kubernetes.producers import _words as words
from netplan.graph.kubernetes.unseen import unseen
from netplan.rules.kubernetes.launchers import _jobs as launched
from netplan.rules.kubernetes.launchers import forwarded
from tests.unit.some import some
from tests.unit.test_edges_gather import of, things

GPU = of("Pod", "v1", "{containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]}")
OPTED_OUT = GPU.replace("name: n,", "name: o, annotations: {k8s.v1.cni.cncf.io/networks: ''},")
TRAINED = "{runtimeRef: {name: r}, trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}}"
CLAIMING = "{containers: [{name: c}], resourceClaims: [{name: x, resourceClaimTemplateName: TEMPLATE}]}"


def claiming(template: str, name: str, namespace: str = "own") -> str:
    text = of("Pod", "v1", CLAIMING.replace("TEMPLATE", template)).replace("name: n,", f"name: {name},")
    return text.replace("namespace: own", f"namespace: {namespace}")


def custom(kind: str, name: str = "n", group: str = "example.com", more: str = "") -> str:
    return of(kind, f"{group}/v1", "{}", more).replace("name: n,", f"name: {name},")


def said(*objects: str, claim: str | None = "rails") -> list[str]:
    need: Any = some(namespace="own", claim=claim)
    return list(unseen(replace(things({"a.yaml": "---\n".join(objects)}), needs=(need,))))


SIX = ", ".join(f"1 K{number}" for number in range(6))


@pytest.mark.parametrize(
    ("objects", "found"),
    [
        ([GPU], []),
        ([of("Pod", "v1", "{containers: [{name: c}]}")], ["no pod template requests GPUs"]),
        ([GPU, claiming("rails", "a")], []),
        ([GPU, claiming("other", "a")], ["what the claims of 1 pod give is not known here"]),
        (
            [GPU, claiming("other", "a"), claiming("another", "b"), claiming("rails", "c")],
            ["what the claims of 2 pods give is not known here"],
        ),
        ([GPU, claiming("other", "a", "elsewhere")], []),
        ([GPU.replace("]}\n", "], resourceClaims: [{name: x, resourceClaimTemplateName: other}]}\n")], []),
        ([GPU, custom("Train")], ["no pod template found in 1 Train"]),
        ([GPU, custom("A"), custom("A", "m"), custom("B")], ["no pod template found in 2 A, 1 B"]),
        ([GPU, *(custom(f"K{n}") for n in range(6))], [f"no pod template found in {SIX}"]),
        (
            [GPU, *(custom(f"K{n}") for n in range(8))],
            [f"no pod template found in {SIX} and 2 more kinds"],
        ),
        ([GPU, custom("Train").replace("own", "elsewhere")], []),
        ([GPU, custom("Train", more=", ownerReferences: [{kind: Job, name: j}]")], []),
        ([GPU, custom("Queue", group="kueue.x-k8s.io")], []),
        ([GPU, custom("Certificate", group="cert-manager.io")], []),
        ([GPU, custom("Thing", group="apps")], []),
        ([GPU, custom("Thing", group="policy.networking.k8s.io")], []),
        ([GPU, of("Train", "example.com/v1", "{a: {spec: {containers: [{name: c}]}}}")], []),
        ([GPU, of("Train", "example.com/v1", "{worker: {resources: {limits: {nvidia.com/gpu: 1}}}}")], []),
        ([GPU, of("TrainJob", "trainer.kubeflow.org/v1alpha1", TRAINED)], []),
        ([OPTED_OUT], ["1 GPU pod marked as needing no rails"]),
        ([OPTED_OUT, OPTED_OUT.replace("name: o", "name: p")], ["2 GPU pods marked as needing no rails"]),
    ],
)  # fmt: skip
def test_what_may_be_elsewhere(objects: list[str], found: list[str]) -> None:
    assert said(*objects) == found


def test_without_workloads_only_what_installs_is_told() -> None:
    release = of("HelmRelease", "helm.toolkit.fluxcd.io/v2", "{}")
    told = "what 1 HelmRelease install was not seen"
    assert said(GPU, release) == [told, "no pod template found in 1 HelmRelease"]
    assert list(unseen(things({"a.yaml": f"{release}---\n{custom('Train')}"}))) == [told]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (7, "7"),
        (["a", "b", "c", "d"], "a b c d"),
        (["a", "b", "c", "d", "e"], "a b c d and 1 more"),
        ({"a": "x", "b": ["y", False]}, "a=x b=y false"),
    ],
)
def test_a_value_in_a_sentence(value: Any, text: str) -> None:
    assert words(value) == text


NODES = Nodes(
    labels=frozenset({(("type", "gpu"), ("rack", "r1")), (("type", "gpu"), ("rack", "r2"))}),
    others=frozenset({(("type", "cpu"), ("rack", "r1"), ("pool", "p"))}),
    names=frozenset({"gpu-1"}),
    other_names=frozenset({"cpu-1", "gpu-1"}),
)


def requires(*terms: list[tuple[str, str, list[str]]]) -> dict[str, Any]:
    found = [
        {"matchExpressions": [{"key": k, "operator": o, "values": v} for k, o, v in term]} for term in terms
    ]
    wanted = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": found}}
    return {"affinity": {"nodeAffinity": wanted}}


@pytest.mark.parametrize(
    ("spec", "lands"),
    [
        ({}, True),
        ({"nodeName": "gpu-1"}, True),
        ({"nodeName": "gpu-9"}, True),
        ({"nodeName": "cpu-1"}, False),
        ({"nodeName": {"x": 1}, "nodeSelector": {"kubernetes.io/hostname": ["cpu-1"]}}, True),
        ({"nodeSelector": {"kubernetes.io/hostname": "cpu-1"}}, False),
        ({"nodeSelector": {"type": "gpu"}}, True),
        ({"nodeSelector": {"type": "cpu"}}, False),
        ({"nodeSelector": {"type": "{{ x }}"}}, True),
        ({"nodeSelector": {"type": "$TYPE"}}, True),
        ({"nodeSelector": {"unknown": "x"}}, True),
        ({"nodeSelector": {"pool": "p"}}, False),
        ({"nodeSelector": {"pool": "q"}}, True),
        ({"nodeSelector": {"rack": "r2", "type": "gpu"}}, True),
        ({"nodeSelector": {"rack": "r3"}}, False),
        ({"nodeSelector": {"rack": 7}}, False),
        (requires([("type", "In", ["cpu", "gpu"])]), True),
        (requires([("type", "In", ["cpu"])]), False),
        (requires([("type", "In", ["cpu", "${TYPE}"])]), True),
        (requires([("type", "NotIn", ["gpu"])]), False),
        (requires([("type", "NotIn", ["cpu"])]), True),
        (requires([("type", "Exists", [])]), True),
        (requires([("type", "DoesNotExist", [])]), False),
        (requires([("unknown", "DoesNotExist", [])]), True),
        (requires([("unknown", "In", ["x"])]), True),
        (requires([("type", "In", ["cpu"])], [("rack", "In", ["r2"])]), True),
        (requires([("type", "In", ["gpu"]), ("rack", "In", ["r3"])]), False),
        ({"nodeSelector": {"rack": "r1"}, **requires([("rack", "In", ["r2"])])}, False),
    ],
)
def test_nodes_that_a_pod_may_run_on(spec: dict[str, Any], lands: bool) -> None:
    assert may_land(spec, NODES) is lands


def test_a_pod_may_run_on_nodes_of_which_no_label_is_known() -> None:
    nodes = replace(NODES, labels=frozenset(), others=frozenset())
    assert may_land({"nodeSelector": {"type": "cpu"}}, nodes)
    assert not may_land({"nodeName": "cpu-1"}, nodes)


@pytest.mark.parametrize(
    ("names", "command", "lost", "hint"),
    [
        (["NCCL_A"], "mpirun -x NCCL_A", None, ""),
        (["NCCL_A"], "mpirun -x NCCL_AB", "NCCL_A", "-x NCCL_A=VALUE"),
        (["NCCL_A", "UCX_B", "FI_C"], "mpirun", "NCCL_A, UCX_B, FI_C", None),
        (["PATH", "NCCL_A", "RCCL_B", "FI_C", "UCX_D"], "mpirun", "NCCL_A, RCCL_B, FI_C and 1 more", None),
        (["PATH", "nccl_a", "NCCL_"], "mpirun", None, ""),
        (["NCCL_A"], "python", None, ""),
    ],
)
def test_variables_that_mpirun_passes_on(names: list[str], command: str, lost: Any, hint: str | None) -> None:
    env = ", ".join(f"{{name: {name}, value: x}}" for name in names)
    launcher = f"Launcher: {{template: {{spec: {{containers: [{{name: l, command: [{command}]}}]}}}}}}"
    worker = f"Worker: {{template: {{spec: {{containers: [7, {{name: w, env: [7, {env}]}}]}}}}}}"
    text = of("MPIJob", "kubeflow.org/v2beta1", f"{{mpiReplicaSpecs: {{{launcher}, {worker}}}}}")
    cluster = things({"a.yaml": text})
    found = [each for job in launched(cluster) for each in forwarded(cluster, job)]
    said = f"mpirun does not pass on {lost}, which Worker sets"
    assert [each.message for each in found] == ([] if lost is None else [said])
    wanted = "-x NCCL_A=VALUE -x {}=VALUE -x FI_C=VALUE".format("UCX_B" if "UCX_B" in names else "RCCL_B")
    assert all(each.hint == f"pass them to mpirun: {hint or wanted}" for each in found)
