"""Edge cases, one fact per case: objects in several files, claims for GPUs, and pods below other objects."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import Objects, findings, said
from tests.unit.test_edges_objects_claims import by_claim, by_template, claim, request, template
from tests.unit.test_edges_objects_gpus import EIGHT, RDMA, custom, in_namespace, with_gpus
from tests.unit.test_edges_rules import named, pool, vf_policy

ONE, OTHER = named(vf_policy(), "one"), named(vf_policy(), "other")
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
    ],
)
def test_what_asks_for_gpus(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told
