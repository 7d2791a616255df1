"""Edge cases, one fact per case: GPUs of pods without rails, where no inventory says which pods have them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import MULTUS, said
from tests.unit.test_edges_objects_claims import by_claim, by_template, template
from tests.unit.test_edges_objects_networks import MACVLAN, deployed, rail


def with_gpus(
    many: Any = 8, networks: str = "", name: str = "solo", kind: str = "limits", **spec: Any
) -> dict[str, Any]:
    """A pod of these GPUs, and of other resources in ``more``."""
    amounts = {"nvidia.com/gpu": many, **spec.pop("more", {})}
    own = {"name": "a", "image": "b", "resources": {kind: amounts}}
    given = pod(networks, name, **{"containers": [own], **spec})
    if not networks:
        del given["metadata"]["annotations"]
    return given


def in_namespace(given: dict[str, Any], namespace: str | None) -> dict[str, Any]:
    meta = {key: value for key, value in given["metadata"].items() if key != "namespace"}
    return {**given, "metadata": {**meta, **({"namespace": namespace} if namespace else {})}}


def opted(given: dict[str, Any], text: str | None = "") -> dict[str, Any]:
    return {**given, "metadata": {**given["metadata"], "annotations": {MULTUS: text}}}


def custom(resources: dict[str, Any], **spec: Any) -> dict[str, Any]:
    """A custom resource with GPUs outside any pod template."""
    meta = {"name": "c", "namespace": "apps"}
    return {
        "apiVersion": "example.com/v1",
        "kind": "Server",
        "metadata": meta,
        "spec": {"worker": {"resources": resources}, **spec},
    }


def marked(given: dict[str, Any], rails: str = "none") -> dict[str, Any]:
    return {**given, "metadata": {**given["metadata"], "annotations": {"netplan/rails": rails}}}


RAILED = with_gpus(8, "rail", "railed")
RDMA = rail({"type": "sriov"}, {"type": "rdma"}, name="fabric")
EIGHT = {"limits": {"nvidia.com/gpu": 8}}
GPUS = [{"name": "a", "image": "b", "resources": EIGHT}]


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP693", [with_gpus()], []),
        (
            "NP693",
            [with_gpus(), RAILED],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, but "
                    "has no rails; Pod apps/railed has"
                )
            ],
        ),
        ("NP693", [with_gpus(7), RAILED], []),
        (
            "NP693",
            [with_gpus(9), RAILED],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 9 nvidia.com/gpu, but "
                    "has no rails; Pod apps/railed has"
                )
            ],
        ),
        (
            "NP693",
            [with_gpus(), with_gpus(4, "rail", "small"), RAILED],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, but "
                    "has no rails; Pod apps/small has"
                )
            ],
        ),
        (
            "NP693",
            [with_gpus(4), with_gpus(4, "rail", "small"), RAILED],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 4 nvidia.com/gpu, but "
                    "has no rails; Pod apps/small has"
                )
            ],
        ),
        ("NP693", [in_namespace(with_gpus(), "other"), RAILED], []),
        ("NP693", [in_namespace(with_gpus(), None), RAILED], []),
        ("NP693", [opted(with_gpus()), RAILED], []),
        ("NP693", [opted(with_gpus(), "[]"), RAILED], []),
        ("NP693", [with_gpus(hostNetwork=True), RAILED], []),
        ("NP693", [with_gpus("0"), RAILED], []),
        ("NP693", [with_gpus("$N"), RAILED], []),
        (
            "NP693",
            [with_gpus(kind="requests"), RAILED],
            [
                (
                    "spec.containers.0.resources.requests.nvidia.com/gpu: requests 8 nvidia.com/gpu, but "
                    "has no rails; Pod apps/railed has"
                )
            ],
        ),
        ("NP693", [with_gpus(more={"rdma/ib": 1}), RAILED], []),
        ("NP693", [with_gpus(more={"vpc.amazonaws.com/efa": 1}), RAILED], []),
        (
            "NP693",
            [with_gpus(more={"example.com/fpga": 1}), RAILED],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, but "
                    "has no rails; Pod apps/railed has"
                )
            ],
        ),
        (
            "NP693",
            [with_gpus(more={"amd.com/gpu": 2}), RAILED],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, 2 "
                    "amd.com/gpu, but has no rails; Pod apps/railed has"
                )
            ],
        ),
        (
            "NP693",
            [with_gpus(), with_gpus(8, name="railed", more={"rdma/ib": 1})],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, but "
                    "has no rails; Pod apps/railed has"
                )
            ],
        ),
        (
            "NP693",
            [with_gpus(), RDMA],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, but "
                    "has no rails; network apps/fabric has devices for RDMA"
                )
            ],
        ),
        (
            "NP693",
            [with_gpus(1), RDMA],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 1 nvidia.com/gpu, but "
                    "has no rails; network apps/fabric has devices for RDMA"
                )
            ],
        ),
        ("NP693", [with_gpus("$N"), RDMA], []),
        ("NP693", [with_gpus(), in_namespace(RDMA, "other")], []),
        ("NP693", [with_gpus(), rail(MACVLAN)], []),
        (
            "NP693",
            [with_gpus(), rail({"type": "ib-sriov"})],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, but "
                    "has no rails; network apps/rail has devices for RDMA"
                )
            ],
        ),
        (
            "NP693",
            [with_gpus(), rail({"type": "sriov"}, of="nvidia.com/RDMA_a")],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, but "
                    "has no rails; network apps/rail has devices for RDMA"
                )
            ],
        ),
        ("NP693", [with_gpus(), rail({"type": "sriov"}, of="nvidia.com/a")], []),
        ("NP693", [with_gpus(resourceClaims=[by_claim("x")]), RAILED], []),
        ("NP693", [pod("", "solo", resourceClaims=[by_template()]), template(), RAILED], []),
        ("NP693", [opted(pod("", "solo", resourceClaims=[by_template()]), "x"), template(), RAILED], []),
        ("NP693", [with_gpus(0, more={"nvidia.com/mig-1g.5gb": 8}), RAILED], []),
        ("NP693", [with_gpus(0, more={"nvidia.com/gpu.shared": 8}), RDMA], []),
        ("NP693", [with_gpus(" 0 "), RDMA], []),
        ("NP693", [with_gpus(0.0), RDMA], []),
        ("NP693", [with_gpus(True), RDMA], []),
        (
            "NP693",
            [
                with_gpus("8"),
                with_gpus(
                    8,
                    name="two",
                    initContainers=[{"name": "i", "image": "b", "resources": {"limits": {"rdma/ib": 1}}}],
                ),
            ],
            [
                (
                    "spec.containers.0.resources.limits.nvidia.com/gpu: requests 8 nvidia.com/gpu, but "
                    "has no rails; Pod apps/two has"
                )
            ],
        ),
        (
            "NP693",
            [
                pod(
                    "",
                    "solo",
                    containers=[{"name": "a", "image": "b"}],
                    initContainers=[
                        {"name": "i", "image": "b", "resources": {"limits": {"nvidia.com/gpu": 8}}}
                    ],
                ),
                RDMA,
            ],
            [],
        ),
    ],
)
def test_gpus_beside_pods_that_have_rails(code: str, given: Any, told: list[str]) -> None:
    """At least as many as the pod with the fewest has."""
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP693",
            [custom(EIGHT), RAILED],
            [
                (
                    "spec.worker.resources: requests 8 nvidia.com/gpu where netplan knows no pod "
                    "template: its rails were not checked"
                )
            ],
        ),
        ("NP693", [custom(EIGHT)], []),
        (
            "NP693",
            [custom({"limits": {"gpu": 8}}), RAILED],
            [
                (
                    "spec.worker.resources: requests 8 gpu where netplan knows no pod template: its "
                    "rails were not checked"
                )
            ],
        ),
        (
            "NP693",
            [custom({"requests": {"nvidia.com/gpu": 8}}), RAILED],
            [
                (
                    "spec.worker.resources: requests 8 nvidia.com/gpu where netplan knows no pod "
                    "template: its rails were not checked"
                )
            ],
        ),
        ("NP693", [custom({"limits": {"nvidia.com/gpu": 0}}), RAILED], []),
        ("NP693", [custom({"limits": {"cpu": 8}}), RAILED], []),
        ("NP693", [custom(EIGHT, pods=[{"annotations": {MULTUS: "rail"}}]), RAILED], []),
        (
            "NP693",
            [custom({"limits": {"nvidia.com/gpu": 8, "amd.com/gpu": 2}}), RAILED],
            [
                (
                    "spec.worker.resources: requests 8 nvidia.com/gpu, 2 amd.com/gpu where netplan knows "
                    "no pod template: its rails were not checked"
                )
            ],
        ),
    ],
)
def test_gpus_outside_any_pod_template(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP428",
            [marked(deployed("rail", 1, containers=GPUS))],
            ["metadata.annotations.netplan/rails: netplan/rails is none, but its pods have networks"],
        ),
        ("NP428", [marked(deployed("", 1, containers=GPUS))], []),
        ("NP428", [marked(deployed("rail", 1, containers=GPUS), "train")], []),
        ("NP428", [marked(deployed("rail", 1))], []),
    ],
)
def test_an_object_that_should_have_no_rails(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told
