"""Edge cases, one fact per case: rules about pods, their jobs and the HCAs they share."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from netplan.plan.charts import GPU_OPERATOR
from netplan.plan.gitops import plan_gitops
from tests.unit.some import some
from tests.unit.test_edges_rules import found


def job(name: str = "j", **roles: Any) -> dict[str, Any]:
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": {"name": name, "namespace": "apps"},
        "spec": {"mpiReplicaSpecs": roles},
    }


def role(**more: Any) -> dict[str, Any]:
    return {"template": {"spec": {"containers": [{"name": "a", "image": "b"}]}}, **more}


ONE = role(replicas=1)
NO_WORKERS = "Worker has no replicas"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (job(Launcher=ONE), []),
        (job(Launcher=role()), []),
        (job(Launcher=ONE, Worker=role(replicas=2)), []),
        (job(Launcher=ONE, Worker=role(replicas=1)), []),
        (job(Worker=role(replicas=2)), ["it has no Launcher"]),
        (job(Launcher=role(replicas=2)), ["it has 2 launchers"]),
        (job(Launcher=role(replicas=0)), ["it has 0 launchers"]),
        (job(Launcher=ONE, Worker=role(replicas=0)), [NO_WORKERS]),
        (job(Launcher=ONE, Worker=role()), [NO_WORKERS]),
        (job(Launcher=ONE, Worker=role(replicas="$N")), []),
        (job("a" * 54, Launcher=ONE, Worker=role(replicas=10)), []),
        (job("a" * 54, Launcher=ONE, Worker=role(replicas=11)), ["has 64 characters, the limit is 63"]),
        (job("a" * 55, Launcher=ONE, Worker=role(replicas=10)), ["has 64 characters, the limit is 63"]),
        (job("a" * 60, Launcher=ONE), ["has 69 characters, the limit is 63"]),
        (job("a" * 55 + "{{ x }}", Launcher=ONE, Worker=role(replicas=10)), []),
        ({**job(Worker=role()), "apiVersion": "kubeflow.org/v1"}, []),
        ({**job(), "spec": {}}, []),
    ],
)
def test_the_launcher_and_the_workers_of_an_mpijob(given: dict[str, Any], said: list[str]) -> None:
    """kubeflow/mpi-operator pkg/apis/kubeflow/validation/validation.go: JOB-worker-N has 63 characters."""
    texts = found("NP768", given)
    assert len(texts) == len(said), texts
    assert all(words in text for words, text in zip(said, texts, strict=True))


def deployment(env: list[Any], **template: Any) -> dict[str, Any]:
    """Annotations and labels are those of its pods."""
    meta = {key: template.pop(key) for key in ("annotations", "labels") if key in template}
    spec = {"containers": [{"name": "a", "image": "b", "env": env}], **template}
    whole = {"selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": meta, "spec": spec}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d", "namespace": "apps"},
        "spec": whole,
    }


POD = "spec.template"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (deployment([{"name": "A", "value": "1"}]), []),
        (
            deployment([{"name": "A", "value": 1}]),
            [f"{POD}.spec.containers[0].env[0].value is 1, not text"],
        ),
        (
            deployment([{"name": "A", "value": True}]),
            [f"{POD}.spec.containers[0].env[0].value is true, not text"],
        ),
        (
            deployment([{"name": "A", "value": "1"}, {"name": "B", "value": 1.5}]),
            [f"{POD}.spec.containers[0].env[1].value is 1.5, not text"],
        ),
        (
            deployment([], initContainers=[{"name": "i", "env": [{"name": "A", "value": 0}]}]),
            [f"{POD}.spec.initContainers[0].env[0].value is 0, not text"],
        ),
        (deployment([], labels={"a": 1}), [f"{POD}.metadata.labels.a is 1, not text"]),
        (deployment([], annotations={"a": False}), [f"{POD}.metadata.annotations.a is false, not text"]),
        (deployment([], nodeSelector={"a": True}), [f"{POD}.spec.nodeSelector.a is true, not text"]),
        (deployment([], nodeSelector={"a": "true"}, labels={"a": "1"}), []),
    ],
)
def test_values_of_a_pod_are_text(given: dict[str, Any], said: list[str]) -> None:
    texts = [text for text in found("NP797", given) if "not text" in text]
    assert texts == [f"Deployment apps/d: {text}" for text in said]


@pytest.mark.parametrize("code", ["NP797", "NP752"])
def test_what_is_no_text_beside_a_pod_itself_is_that_of_any_object(code: str) -> None:
    texts = found(code, pod("nvidia.com/gpu", notes={"a": 1}))
    assert len(texts) == (code == "NP752")


def plugin(*entries: dict[str, Any]) -> dict[str, Any]:
    """The configuration of the RDMA shared device plugin."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "rdma-devices", "namespace": "kube-system"},
        "data": {"config.json": json.dumps({"periodicUpdateInterval": 300, "configList": list(entries)})},
    }


def hca(name: str, *interfaces: str, **selectors: Any) -> dict[str, Any]:
    own = {"ifNames": list(interfaces), **selectors} if interfaces else selectors
    return {"resourceName": name, "rdmaHcaMax": 32, "selectors": own}


def nad(name: str, kind: str, **config: Any) -> dict[str, Any]:
    text = {"cniVersion": "1.0.0", "name": name, "type": kind, **config}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": name, "namespace": "apps"},
        "spec": {"config": json.dumps(text)},
    }


def pod(resource: str, networks: str = "", **more: Any) -> dict[str, Any]:
    notes = {"k8s.v1.cni.cncf.io/networks": networks} if networks else {}
    container = {"name": "a", "image": "b", "resources": {"limits": {resource: 1}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "apps", "annotations": {**notes, **more.pop("notes", {})}},
        "spec": {"containers": [container], **more},
    }


BOTH = plugin(hca("a", "ens1"), hca("b", "ens2"))
ON = [nad("one", "macvlan", master="ens1"), nad("two", "macvlan", master="ens2")]
ALONE = "its containers request {}, but no network is attached"


@pytest.mark.parametrize(
    ("objects", "said"),
    [
        ([BOTH, pod("rdma/a")], [ALONE.format("rdma/a")]),
        ([BOTH, pod("rdma/b")], [ALONE.format("rdma/b")]),
        ([BOTH, pod("rdma/c")], []),
        ([BOTH, pod("nvidia.com/a")], []),
        ([pod("rdma/a")], []),
        ([BOTH, pod("rdma/a", hostNetwork=True)], []),
        ([BOTH, pod("rdma/a", notes={"v1.multus-cni.io/default-network": "x"})], []),
        ([BOTH, pod("rdma/a", "one"), *ON], []),
        ([BOTH, pod("rdma/b", "two"), *ON], []),
        ([BOTH, pod("rdma/b", "one,two"), *ON], []),
        ([BOTH, pod("rdma/a", "two"), *ON], ["rdma/a belongs to ens1, but its networks are on ens2"]),
        ([BOTH, pod("rdma/b", "one"), *ON], ["rdma/b belongs to ens2, but its networks are on ens1"]),
        (
            [BOTH, pod("rdma/a", "one"), nad("one", "macvlan", master="ens2.100")],
            ["rdma/a belongs to ens1, but its networks are on ens2.100"],
        ),
        ([BOTH, pod("rdma/a", "one"), nad("one", "macvlan", master="ens1.100")], []),
        ([BOTH, pod("rdma/a", "one"), nad("one", "macvlan")], []),
        ([BOTH, pod("rdma/a", "one"), nad("one", "sriov", master="ens2")], []),
        ([BOTH, pod("rdma/a", "one,other"), *ON], []),
        ([plugin(hca("a", vendors=["15b3"])), pod("rdma/a", "two"), *ON], []),
        ([plugin(hca("a", vendors=["15b3"])), pod("rdma/a")], [ALONE.format("rdma/a")]),
        ([plugin(hca("a", "ib0", linkTypes=["infiniband"])), pod("rdma/a")], []),
        ([plugin(hca("a", "ens1", linkTypes=["ether"])), pod("rdma/a")], [ALONE.format("rdma/a")]),
        (
            [plugin(hca("a", "ens1", linkTypes=["infiniband", "ether"])), pod("rdma/a")],
            [ALONE.format("rdma/a")],
        ),
    ],
)
def test_a_shared_hca_comes_with_an_interface_on_it(objects: list[dict[str, Any]], said: list[str]) -> None:
    assert found("NP799", *objects) == [f"Pod apps/p: {text}" for text in said]


STEP = SimpleNamespace(chart="nvidia/network-operator", namespace="n", version="", values="values.yaml")
STATED = {
    "repository": "https://example.com/site.git",
    "path": "sites/a",
    "branch": "main",
    "prune": True,
    "charts": True,
    "chart_versions": {"network-operator": "v1"},
    "argo_cd": None,
    "flux": None,
}


@pytest.mark.parametrize(
    ("stated", "charts", "unversioned"),
    [
        ({}, ["network-operator"], ()),
        ({"charts": False}, [], ()),
        ({"chart_versions": {}}, [], ("network-operator",)),
    ],
)
def test_charts_of_a_tree_in_git(stated: dict[str, Any], charts: list[str], unversioned: Any) -> None:
    cluster = some(gitops=some(**{**STATED, **stated}), network_operator=None)
    plan = plan_gitops(some(site="site-a", cluster=cluster), (STEP,))  # type: ignore[arg-type]
    assert plan is not None
    assert ([chart.name for chart in plan.charts], plan.unversioned) == (charts, unversioned)
    assert (plan.prefix, plan.root, plan.branch) == ("site-a", "sites/a/kubernetes", "main")
    assert plan_gitops(some(cluster=some(gitops=None)), (STEP,)) is None  # type: ignore[arg-type]


def test_a_chart_that_is_ready_later_is_not_waited_for() -> None:
    cluster = some(
        gitops=some(**{**STATED, "chart_versions": {"gpu-operator": "v1", "network-operator": "v2"}})
    )
    steps: Any = (STEP, SimpleNamespace(**{**vars(STEP), "chart": GPU_OPERATOR}))
    plan = plan_gitops(some(site="s", cluster=cluster), steps)
    assert plan is not None
    assert [(chart.name, chart.version, chart.waits) for chart in plan.charts] == [
        ("network-operator", "v2", True),
        ("gpu-operator", "v1", False),
    ]
