"""Edge cases, one fact per case: objects in several files, claims for GPUs, and pods below other objects."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.graph.kubernetes.asking import gpu_pods, vendor_of
from tests.unit.edges import things
from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import MULTUS, Objects, findings, said
from tests.unit.test_edges_objects_claims import by_claim, by_template, claim, request, template
from tests.unit.test_edges_objects_gpus import EIGHT, RDMA, custom, in_namespace, with_gpus
from tests.unit.test_edges_objects_networks import LOCAL, deployed
from tests.unit.test_edges_objects_rest import workflow
from tests.unit.test_edges_rules import named, pool, vf_policy

ONE, OTHER = named(vf_policy(), "one"), named(vf_policy(), "other")
JUMBO = named(vf_policy(mtu=9000), "jumbo")
SAME, UNLIKE = pool(), pool(gateway="10.0.0.2")


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"a.yaml": [ONE, OTHER]}, 1),
        ({"a.yaml": [ONE], "b.yaml": [OTHER]}, 1),
        ({"a.yaml": [ONE, SAME], "b.yaml": [OTHER, SAME]}, 1),
        ({"a.yaml": [ONE, SAME], "b.yaml": [OTHER, UNLIKE]}, 0),
        ({"a.yaml": [ONE, OTHER, SAME], "b.yaml": [UNLIKE]}, 1),
        ({"a.yaml": [ONE, SAME], "b.yaml": [UNLIKE], "c.yaml": [OTHER]}, 0),
        ({"a.yaml": [ONE], "b.yaml": [SAME], "c.yaml": [OTHER], "d.yaml": [UNLIKE]}, 1),
        ({"a.yaml": [ONE, SAME, UNLIKE], "b.yaml": [OTHER]}, 1),
        ({"a.yaml": [ONE], "b.yaml": [JUMBO]}, 0),
        ({"a.yaml": [ONE, JUMBO]}, 1),
        ({"a.yaml": [ONE], "b.yaml": [named(vf_policy(resourceName="x", mtu=9000), "jumbo")]}, 1),
    ],
)
def test_files_that_define_an_object_differently_are_alternatives(
    files: dict[str, Objects], told: int
) -> None:
    """Only one of them is applied, so that policies of both do not meet."""
    assert len(findings("NP786", files)) == told


def by_claims(*entries: dict[str, Any], name: str = "solo", **spec: Any) -> dict[str, Any]:
    """A pod without limits."""
    given = pod("", name, resourceClaims=[*entries], **spec)
    del given["metadata"]["annotations"]
    return given


def nested(given: dict[str, Any], kind: str = "Deployment", owned: bool = False) -> dict[str, Any]:
    """A pod as the template of another object."""
    inner = {"metadata": {"labels": {"a": "b"}}, "spec": given["spec"]}
    meta: dict[str, Any] = {"name": "d", "namespace": "apps"}
    meta |= {"ownerReferences": [{"kind": "X", "name": "x", "controller": True}]} if owned else {}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": meta, "spec": {"template": inner}}


def wrapping(given: dict[str, Any]) -> dict[str, Any]:
    """An object inside another one, which has another namespace."""
    meta = {"name": "w", "namespace": "outside"}
    spec = {"components": [{"template": given}]}
    return {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": meta,
        "spec": spec,
    }


GPU_TEMPLATE = template(request("a", "gpu.nvidia.com"))


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP693", [by_claims(by_template()), GPU_TEMPLATE, RDMA], []),
        (
            "NP693",
            [with_gpus(), GPU_TEMPLATE, RDMA],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, but "
                    "has no rails; network apps/fabric has devices for RDMA"
                )
            ],
        ),
        (
            "NP693",
            [with_gpus(resourceClaims=[by_template()]), GPU_TEMPLATE, RDMA],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, "
                    "gpu.nvidia.com, but has no rails; network apps/fabric has devices for RDMA"
                )
            ],
        ),
        ("NP693", [with_gpus(resourceClaims=[by_template("u")]), GPU_TEMPLATE, RDMA], []),
        ("NP693", [with_gpus(resourceClaims=[by_template(), by_template("u", "d")]), GPU_TEMPLATE, RDMA], []),
        ("NP693", [with_gpus(resourceClaims=[by_template()]), in_namespace(GPU_TEMPLATE, "other"), RDMA], []),
        (
            "NP693",
            [with_gpus(resourceClaims=[by_claim()]), claim(request("a", "mig.nvidia.com")), RDMA],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, "
                    "mig.nvidia.com, but has no rails; network apps/fabric has devices for RDMA"
                )
            ],
        ),
        ("NP693", [with_gpus(resourceClaims=[by_claim()]), claim(request("a", "nic.example.com")), RDMA], []),
        (
            "NP693",
            [nested(with_gpus()), RDMA],
            [
                (
                    "spec.template.spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 "
                    "nvidia.com/gpu, but has no rails; network apps/fabric has devices for RDMA"
                )
            ],
        ),
        (
            "NP693",
            [nested(with_gpus(), owned=True), RDMA],
            [
                (
                    "spec.template.spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 "
                    "nvidia.com/gpu, but has no rails; network apps/fabric has devices for RDMA"
                )
            ],
        ),
        ("NP693", [nested(with_gpus(), "ReplicaSet", owned=True), RDMA], []),
        (
            "NP693",
            [nested(with_gpus(), "ReplicaSet"), RDMA],
            [
                (
                    "spec.template.spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 "
                    "nvidia.com/gpu, but has no rails; network apps/fabric has devices for RDMA"
                )
            ],
        ),
        (
            "NP693",
            [wrapping(nested(with_gpus())), RDMA],
            [
                (
                    "spec.components.0.template.spec.template.spec.containers.0.resources."
                    "limits.nvidia.com/gpu: "
                    "requests 8 nvidia.com/gpu, but has no rails; network apps/fabric has devices for "
                    "RDMA"
                )
            ],
        ),
        ("NP693", [wrapping(nested(with_gpus())), in_namespace(RDMA, "outside")], []),
        (
            "NP693",
            [wrapping(in_namespace(nested(with_gpus()), None)), in_namespace(RDMA, "outside")],
            [
                (
                    "spec.components.0.template.spec.template.spec.containers.0.resources."
                    "limits.nvidia.com/gpu: "
                    "requests 8 nvidia.com/gpu, but has no rails; network outside/fabric has devices for "
                    "RDMA"
                )
            ],
        ),
        (
            "NP693",
            [custom(EIGHT), nested(with_gpus()), RDMA],
            [
                (
                    "spec.worker.resources: requests 8 nvidia.com/gpu where netplan knows no pod "
                    "template: its rails were not checked"
                ),
                (
                    "spec.template.spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 "
                    "nvidia.com/gpu, but has no rails; network apps/fabric has devices for RDMA"
                ),
            ],
        ),
        (
            "NP693",
            [custom(EIGHT, template={"spec": with_gpus()["spec"]}), RDMA],
            [
                (
                    "spec.worker.resources: requests 8 nvidia.com/gpu where netplan knows no pod "
                    "template: its rails were not checked"
                ),
                (
                    "spec.template.spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 "
                    "nvidia.com/gpu, but has no rails; network apps/fabric has devices for RDMA"
                ),
            ],
        ),
        ("NP693", [{**custom(EIGHT), "kind": "ConfigMap"}, RDMA], []),
        (
            "NP693",
            [
                {
                    **custom(EIGHT),
                    "metadata": {
                        "name": "c",
                        "namespace": "apps",
                        "ownerReferences": [{"kind": "X", "name": "x", "controller": True}],
                    },
                },
                RDMA,
            ],
            [],
        ),
        ("NP693", [{**custom({}), "status": {"resources": EIGHT}}, RDMA], []),
        (
            "NP693",
            [custom({}, pools=[{"resources": EIGHT}, {"resources": {"limits": {"amd.com/gpu": 2}}}]), RDMA],
            [
                (
                    "spec.pools.0.resources: requests 8 nvidia.com/gpu where netplan knows no pod "
                    "template: its rails were not checked"
                ),
                (
                    "spec.pools.1.resources: requests 2 amd.com/gpu where netplan knows no pod template: "
                    "its rails were not checked"
                ),
            ],
        ),
        (
            "NP693",
            [workflow({}), RDMA],
            [
                (
                    "spec.templates.0.spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 "
                    "nvidia.com/gpu, but has no rails; network apps/fabric has devices for RDMA"
                )
            ],
        ),
        ("NP693", [nested(with_gpus(0, more={"gpu": 8})), RDMA], []),
    ],
)
def test_what_asks_for_gpus(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


def many(networks: str, at: str = "", kind: str = "Cluster", **counts: Any) -> dict[str, Any]:
    """Pods of a custom resource, below a key or in a list; ``counts``: beside them."""
    inner = {"metadata": {"annotations": {MULTUS: networks}}, "spec": {"containers": [{"name": "a"}, "x"]}}
    level = {"workers": [{**counts, "template": inner}]} if at == "list" else {**counts, "template": inner}
    meta = {"name": "m", "namespace": "apps"}
    own = {"status": {"last": inner}} if at == "status" else {"spec": level}
    return {"apiVersion": "example.com/v1", "kind": kind, "metadata": meta, **own}


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP776",
            [LOCAL, {**deployed("rail", None), "kind": "DaemonSet"}],
            [
                (
                    "spec.config.plugins.0.ipam.type: host-local, and DaemonSet apps/d at a.yaml:11:1 "
                    "runs 2 or more pods on it"
                )
            ],
        ),
        ("NP776", [LOCAL, {**deployed("rail", None), "kind": "StatefulSet"}], []),
        ("NP776", [LOCAL, {**deployed("rail", None), "kind": "ReplicaSet"}], []),
        (
            "NP776",
            [LOCAL, many("rail", replicas=3)],
            [
                (
                    "spec.config.plugins.0.ipam.type: host-local, and Cluster apps/m at a.yaml:11:1 runs "
                    "3 or more pods on it"
                )
            ],
        ),
        (
            "NP776",
            [LOCAL, many("rail", parallelism=3)],
            [
                (
                    "spec.config.plugins.0.ipam.type: host-local, and Cluster apps/m at a.yaml:11:1 runs "
                    "3 or more pods on it"
                )
            ],
        ),
        ("NP776", [LOCAL, many("rail", replicas=1, parallelism=3)], []),
        ("NP776", [LOCAL, many("rail", replicas="3")], []),
        (
            "NP776",
            [LOCAL, many("rail", "list", replicas=3)],
            [
                (
                    "spec.config.plugins.0.ipam.type: host-local, and Cluster apps/m at a.yaml:11:1 runs "
                    "3 or more pods on it"
                )
            ],
        ),
        ("NP776", [LOCAL, many("rail", "status", replicas=3)], []),
        ("NP776", [LOCAL, many("rail", kind="ConfigMap", replicas=3)], []),
        (
            "NP776",
            [LOCAL, {**many("rail", "list"), "replicas": 3}],
            [
                (
                    "spec.config.plugins.0.ipam.type: host-local, and Cluster apps/m at a.yaml:11:1 runs "
                    "3 or more pods on it"
                )
            ],
        ),
    ],
)
def test_how_many_pods_an_object_runs(code: str, given: Any, told: list[str]) -> None:
    """A DaemonSet runs one on each node; the innermost number counts."""
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("name", "vendor"),
    [
        ("nvidia.com/gpu", "nvidia.com"),
        ("nvidia.com/mig-1g.5gb", "nvidia.com"),
        ("amd.com/gpu", "amd.com"),
        ("gpu.nvidia.com", "nvidia.com"),
        ("mig.nvidia.com", "nvidia.com"),
        ("gpu.intel.com", "gpu.intel.com"),
        ("nvidia.com/rail", None),
        ("gpu.example.com", None),
    ],
)
def test_the_vendor_of_a_gpu_resource_or_of_a_device_class(name: str, vendor: str | None) -> None:
    assert vendor_of(name) == vendor


def test_gpus_of_two_vendors_are_added_and_slices_are_none() -> None:
    amounts = {"nvidia.com/gpu": 4, "amd.com/gpu": "2", "nvidia.com/mig-1g.5gb": 3}
    cluster = things({"kubernetes/a.yaml": yaml.safe_dump(with_gpus(0, more=amounts), sort_keys=False)})
    (asking,) = gpu_pods(cluster)
    assert (asking.vendors, asking.whole) == ({"nvidia.com", "amd.com"}, 6)
    assert str(asking) == "4 nvidia.com/gpu, 2 amd.com/gpu, 3 nvidia.com/mig-1g.5gb"
