"""Edge cases, one fact per case: findings about foreign Kubernetes objects, with the place of each."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Diagnostic
from netplan.others import rendered_texts
from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_rules import nad, named

Objects = list[dict[str, Any]]
MULTUS = "k8s.v1.cni.cncf.io/networks"


def said(code: str, given: Objects | dict[str, Objects]) -> list[str]:
    """``place: message`` of each finding, for objects of one file or of several."""
    return [f"{'.'.join(map(str, d.path))}: {d.message.partition(': ')[2]}" for d in findings(code, given)]


def advised(code: str, given: Objects) -> list[str]:
    """``message; hint`` of each finding."""
    return [f"{each.message.partition(': ')[2]}; {each.hint}" for each in findings(code, given)]


def findings(code: str, given: Objects | dict[str, Objects]) -> list[Diagnostic]:
    files = given if isinstance(given, dict) else {"a.yaml": given}
    texts = {name: _text(name, own) for name, own in files.items()}
    return [each for each in rendered_texts(texts).diagnostics if each.code == code]


def _text(name: str, given: Objects) -> str:
    return json.dumps(given[0]) if name.endswith(".json") else yaml.safe_dump_all(given, sort_keys=False)


def index(*resources: Any, kind: str = "Kustomization", **lists: Any) -> dict[str, Any]:
    version = "v1alpha1" if kind == "Component" else "v1beta1"
    own = {"apiVersion": f"kustomize.config.k8s.io/{version}", "kind": kind}
    return {**own, **({"resources": [*resources]} if resources else {}), **lists}


MAP = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}


def tree(*resources: Any, at: str = "kustomization.yaml", **lists: Any) -> dict[str, Objects]:
    files: dict[str, Objects] = {
        "a.yaml": [MAP],
        "rails/b.yaml": [named({**MAP}, "b")],
        "pods/c.yaml": [named({**MAP}, "c")],
    }
    return {at: [index(*resources, **lists)], **files}


def jobset(annotations: dict[str, str], at: str = "", own: dict[str, str] | None = None) -> dict[str, Any]:
    """Annotations of the pods, or of the object at a level above them."""
    spec = {"containers": [{"name": "a", "image": "b"}]}
    template = {"metadata": {"annotations": {} if at else annotations}, "spec": spec}
    job = {"metadata": {"annotations": annotations if at == "job" else {}}, "spec": {"template": template}}
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "train", "namespace": "apps", "annotations": annotations if at == "set" else {}},
        "spec": {"replicatedJobs": [{"name": "w", "template": job}]},
    }


def shared(name: str = "hca", **selectors: Any) -> dict[str, Any]:
    """The RDMA shared device plugin offers rdma/NAME."""
    config = {"configList": [{"resourceName": name, "rdmaHcaMax": 9, "selectors": selectors}]}
    return {**named(MAP, "rdma-devices"), "data": {"config.json": json.dumps(config)}}


def on(master: str | None, kind: str = "macvlan", name: str = "rail") -> dict[str, Any]:
    plugin = {"type": kind, **({"master": master} if master else {})}
    return named(nad({**plugin, "ipam": {"type": "whereabouts", "range": "10.0.0.0/24"}}), name)


def taking(networks: str = "", resource: str = "rdma/hca", **spec: Any) -> dict[str, Any]:
    own = {"name": "a", "image": "b", "resources": {"limits": {resource: 1}}}
    return pod(networks, containers=[own], **spec)


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP796", tree("a.yaml", "./rails"), []),
        ("NP796", tree("./pods", "./rail"), ["resources.1: ./rail is not there"]),
        ("NP796", tree("./pods", "./far"), []),
        ("NP688", tree("./pods", "./far", "d.yaml"), ["resources.1: ./far is not there (and 1 more file)"]),
        ("NP688", tree("b.yaml"), ["resources.0: b.yaml is not there"]),
        ("NP796", tree("b.yaml", at="rails/kustomization.yaml"), []),
        (
            "NP688",
            tree("../a.yaml", "../c.yaml", at="rails/kustomization.yaml"),
            ["resources.1: ../c.yaml is not there"],
        ),
        ("NP688", tree("../../c.yaml", at="rails/kustomization.yaml"), []),
        ("NP688", tree("/etc/c.yaml"), []),
        ("NP688", tree("https://example.com/c.yaml", "c", "c-$N.yaml"), []),
        ("NP688", tree(7, {"a": 1}, "c.yaml"), ["resources.2: c.yaml is not there"]),
        (
            "NP688",
            tree(components=["./c"], patchesStrategicMerge=["c.yaml", "a.yaml"]),
            ["components.0: ./c is not there (and 1 more file)"],
        ),
    ],
)
def test_what_a_kustomization_lists_is_there(code: str, given: Any, told: list[str]) -> None:
    """As far as it is below the directory that was read; a URL is not looked for."""
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP747", [jobset({MULTUS: "rail"})], []),
        (
            "NP747",
            [jobset({MULTUS: "rail"}, at="set")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: k8s.v1.cni.cncf.io/networks is on "
                    "the JobSet, not on its pods"
                )
            ],
        ),
        (
            "NP747",
            [jobset({MULTUS: "rail"}, at="job")],
            [
                (
                    "spec.replicatedJobs.0.template.metadata.annotations.k8s.v1.cni.cncf.io/networks: "
                    "k8s.v1.cni.cncf.io/networks is on the JobSet, not on its pods"
                )
            ],
        ),
        ("NP747", [jobset({MULTUS: ""}, at="job")], []),
        (
            "NP747",
            [jobset({"k8s.v1.cni.cncf.io/network": "rail"})],
            [
                (
                    "spec.replicatedJobs.0.template.spec.template.metadata.annotations."
                    "k8s.v1.cni.cncf.io/network: Multus does not read k8s.v1.cni.cncf.io/network"
                )
            ],
        ),
        (
            "NP747",
            [jobset({"k8s.v1.cni.cncf.io/network": "rail"}, at="set")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/network: Multus does not read "
                    "k8s.v1.cni.cncf.io/network"
                )
            ],
        ),
        ("NP747", [named(pod("rail"), "x")], []),
        ("NP747", [shared(), taking(), taking()], []),
    ],
)
def test_multus_reads_the_annotation_of_the_pod(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP799",
            [shared(), taking()],
            [
                (
                    "spec.containers.0.resources.limits.rdma/hca: its containers request rdma/hca, but "
                    "no network is attached"
                )
            ],
        ),
        ("NP799", [shared(), taking(hostNetwork=True)], []),
        (
            "NP799",
            [shared(), taking(hostNetwork=False)],
            [
                (
                    "spec.containers.0.resources.limits.rdma/hca: its containers request rdma/hca, but "
                    "no network is attached"
                )
            ],
        ),
        ("NP799", [shared(linkTypes=["infiniband"]), taking()], []),
        (
            "NP799",
            [shared(linkTypes=["ETHER", "infiniband"]), taking()],
            [
                (
                    "spec.containers.0.resources.limits.rdma/hca: its containers request rdma/hca, but "
                    "no network is attached"
                )
            ],
        ),
        (
            "NP799",
            [shared(linkTypes=[]), taking()],
            [
                (
                    "spec.containers.0.resources.limits.rdma/hca: its containers request rdma/hca, but "
                    "no network is attached"
                )
            ],
        ),
        ("NP799", [shared(), taking(resource="rdma/other")], []),
        ("NP799", [shared(ifNames=["ens1"]), on("ens1"), taking("rail")], []),
        ("NP799", [shared(ifNames=["ens1"]), on("ens1.7"), taking("rail")], []),
        (
            "NP799",
            [shared(ifNames=["ens1"]), on("ens2"), taking("rail")],
            [
                (
                    "spec.containers.0.resources.limits.rdma/hca: rdma/hca belongs to ens1, but its "
                    "networks are on ens2"
                )
            ],
        ),
        (
            "NP799",
            [shared(ifNames=["ens1"]), on("ens2", "ipvlan"), taking("rail")],
            [
                (
                    "spec.containers.0.resources.limits.rdma/hca: rdma/hca belongs to ens1, but its "
                    "networks are on ens2"
                )
            ],
        ),
        (
            "NP799",
            [shared(ifNames=["ens1", "ens3"]), on("ens2"), on("ens1", name="two"), taking("rail,two")],
            [],
        ),
        (
            "NP799",
            [shared(ifNames=["ens1", "ens3"]), on("ens2"), on("ens4", name="two"), taking("rail,two")],
            [
                (
                    "spec.containers.0.resources.limits.rdma/hca: rdma/hca belongs to ens1, ens3, but "
                    "its networks are on ens2, ens4"
                )
            ],
        ),
        ("NP799", [shared(ifNames=["ens1"]), on("ens2", "sriov"), taking("rail")], []),
        ("NP799", [shared(ifNames=["ens1"]), on(None), taking("rail")], []),
        ("NP799", [shared(ifNames=["ens1"]), on("ens2"), on(None, name="two"), taking("rail,two")], []),
        ("NP799", [shared(), on("ens2"), taking("rail")], []),
        (
            "NP799",
            [
                shared(ifNames=["ens1"]),
                named(nad({"type": "macvlan", "master": "ens2"}, {"type": "sriov"}), "rail"),
                taking("rail"),
            ],
            [
                (
                    "spec.containers.0.resources.limits.rdma/hca: rdma/hca belongs to ens1, but its "
                    "networks are on ens2"
                )
            ],
        ),
        (
            "NP799",
            [
                shared(ifNames=["ens1"]),
                named(nad({"type": "sriov"}, {"type": "macvlan", "master": "ens2"}), "rail"),
                taking("rail"),
            ],
            [],
        ),
        (
            "NP799",
            [
                shared(ifNames=["ens1"]),
                named(
                    nad({"type": "macvlan", "master": "ens1"}, {"type": "tuning", "master": "ens2"}), "rail"
                ),
                taking("rail"),
            ],
            [],
        ),
        (
            "NP799",
            [
                shared(ifNames=["ens1"]),
                named(
                    nad({"type": "macvlan", "master": "ens2"}, {"type": "tuning", "master": "ens1"}), "rail"
                ),
                taking("rail"),
            ],
            [
                (
                    "spec.containers.0.resources.limits.rdma/hca: rdma/hca belongs to ens1, but its "
                    "networks are on ens2"
                )
            ],
        ),
    ],
)
def test_a_pod_with_a_shared_hca_has_an_interface_on_it(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told
