"""Charts that Flux installs, and the values of the GPU Operator."""

from __future__ import annotations

import pytest
import yaml

from tests.inventories import outputs
from tests.unit.test_prerequisites import built

GITOPS = {
    "repository": "https://git.example.com/a/b.git",
    "path": ".",
    "chart_versions": {"gpu-operator": "v25.3.4"},
    "flux": {},
}
GPU = {"namespace": "gpu-operator", "driver_rdma": True, "gdrcopy": False}


def test_flux_does_not_wait_for_what_a_later_stage_makes_ready() -> None:
    tree = outputs(built("operator", {"cluster": {"gitops": GITOPS, "gpu_operator": GPU}}))
    specs = {
        name: yaml.safe_load(tree[f"kubernetes/flux/charts/{name}.yaml"])["spec"]
        for name in ("gpu-operator", "network-operator")
    }
    waits = {n: [s[a].get("disableWait") for a in ("install", "upgrade")] for n, s in specs.items()}
    assert waits == {"gpu-operator": [True, True], "network-operator": [None, None]}


def test_the_gpu_operator_is_told_where_containerd_listens() -> None:
    found = {}
    for distribution in ("kubernetes", "k3s", "rke2"):
        over = {"cluster": {"distribution": distribution, "gpu_operator": GPU}}
        values = yaml.safe_load(outputs(built("operator", over))["kubernetes/gpu-operator/values.yaml"])
        found[distribution] = values.get("toolkit")
    socket = {"env": [{"name": "CONTAINERD_SOCKET", "value": "/run/k3s/containerd/containerd.sock"}]}
    assert found == {"kubernetes": None, "k3s": socket, "rke2": socket}


@pytest.mark.parametrize(
    ("release", "version", "chart"),
    [
        ("26.4", "network-operator-v26.4.0", "26.4.0"),
        ("26.4", "site-1", "26.4.1"),
        ("26.7", "network-operator-v26.7.0", "26.7.0"),
        ("26.7", "network-operator-v26.7.0-rc.2", "26.7.0-rc.2"),
    ],
)
def test_the_chart_is_that_of_the_images(release: str, version: str, chart: str) -> None:
    over = {"gitops": GITOPS, "network_operator": {"release": release, "version": version}}
    tree = outputs(built("operator", {"cluster": over}))
    body = yaml.safe_load(tree["kubernetes/flux/charts/network-operator.yaml"])
    assert body["spec"]["chart"]["spec"]["version"] == chart
