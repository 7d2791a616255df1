"""Facts of one line each, at their edge: pods that use a device without an interface."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.graph.kubernetes.gather import cluster_of
from netplan.model.artifact import Artifact
from netplan.rules.kubernetes.counts import _in_user_space
from netplan.verify.read import read

HUGE = {"hugepages-2Mi": "1Gi"}
RAIL = "openshift.io/rail"


def pod(*limits: dict[str, Any], init: bool = False) -> dict[str, Any]:
    containers = [
        {"name": f"c{n}", "image": "a", "resources": {"limits": {RAIL: 1, **each}}}
        for n, each in enumerate(limits)
    ]
    spec = {"containers": containers[init:], **({"initContainers": containers[:1]} if init else {})}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "apps"}, "spec": spec}


def policy(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkNodePolicy",
        "metadata": {"name": "a", "namespace": "sriov"},
        "spec": {"resourceName": "rail", "numVfs": 8, **spec},
    }


def plugin(**selectors: Any) -> dict[str, Any]:
    entry = {"resourceName": "rail", "resourcePrefix": "openshift.io", "selectors": selectors}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "sriovdp-config", "namespace": "kube-system"},
        "data": {"config.json": json.dumps({"resourceList": [entry]})},
    }


@pytest.mark.parametrize(
    ("given", "beside", "found"),
    [
        (pod({}), [], False),
        (pod(HUGE), [], True),
        (pod({}, HUGE), [], True),
        (pod(HUGE, {}, init=True), [], True),
        (pod({**HUGE, "nvidia.com/gpu": 1}), [], False),
        (pod(HUGE, {"nvidia.com/gpu": 1}), [], False),
        (pod(HUGE), [policy(isRdma=True)], False),
        (pod(HUGE), [policy(isRdma=False)], True),
        (pod(HUGE), [policy(isRdma=True, resourceName="other")], True),
        (pod(HUGE), [plugin(isRdma=True)], False),
        (pod(HUGE), [plugin(isRdma="true")], True),
        (pod({}), [policy(deviceType="vfio-pci")], True),
        (pod({}), [policy(deviceType="netdevice")], False),
        (pod({}), [policy(deviceType="vfio-pci", resourceName="other")], False),
        (pod({}), [plugin(drivers=["vfio-pci"])], True),
        (pod({}), [plugin(drivers=["mlx5_core"])], False),
    ],
)
def test_a_pod_that_drives_its_device_itself(given: Any, beside: list[Any], found: bool) -> None:
    """By a driver of user space, or by DPDK: huge pages and no GPU. RDMA needs an interface."""
    files = [Artifact("kubernetes/a.yaml", yaml.safe_dump_all([given, *beside]), "kubernetes")]
    cluster = cluster_of(read(files).tree, {}, whole=False)
    assert _in_user_space(cluster, cluster.pods[0], RAIL) is found
    whole = cluster_of(read(files).tree, {}, whole=True)
    assert not _in_user_space(whole, whole.pods[0], RAIL), "netplan's own tree has none"
