"""``netplan import --into``: the primary network of the cluster, and MTUs of cards and networks."""

from __future__ import annotations

import json
import re

import pytest

from tests.dumped_site import listed
from tests.test_import_into import SITE, dumps, into, line_of, said


def test_the_primary_network_of_another_cluster() -> None:
    """CNI by its DaemonSet, ranges by the ConfigMap of kubeadm."""
    labels = {"k8s-app": "flannel"}
    daemons = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "f", "namespace": "kube-system"},
        "spec": {"template": {"metadata": {"labels": labels}, "spec": {"containers": []}}},
    }
    ranges = "networking: {podSubnet: 10.99.0.0/16, serviceSubnet: 10.98.0.0/16}\n"
    kubeadm = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "kubeadm-config", "namespace": "kube-system"},
        "data": {"ClusterConfiguration": ranges},
    }
    rows = said(into(SITE, {**dumps(), "primary.yaml": listed([daemons, kubeadm])}), "differs")
    assert [re.sub(r"[^ (]+:[0-9]+", "AT", row) for row in rows] == [
        "cluster.primary_network.cni: calico (AT) or flannel (AT)",
        "cluster.primary_network.pod_cidr: 10.244.0.0/16 (AT) or 10.99.0.0/16 (AT)",
        "cluster.primary_network.service_cidr: 10.96.0.0/12 (AT) or 10.98.0.0/16 (AT)",
    ]


@pytest.mark.parametrize(
    ("hosts", "whom"),
    [(("gpu-003",), "gpu-003 roce[0-3]"), (("gpu-003", "gpu-004"), "gpu-[003-004] roce[0-3]")],
)
def test_cards_with_another_mtu_than_the_fabric(hosts: tuple[str, ...], whom: str) -> None:
    """The networks of the pods have the MTU of the inventory."""
    states = json.loads(dumps()["states.json"])
    for state in states["items"]:
        for card in state["status"]["interfaces"] if state["metadata"]["name"] in hosts else ():
            card["mtu"] = 4200
    (row,) = said(into(SITE, {**dumps(), "states.json": json.dumps(states, indent=1)}), "differs")
    at = line_of(SITE, "  mtu: ")
    assert row.startswith(f"fabric.mtu: 9000 (site.yaml:{at}) or 4200 on {whom} (states.json:")


def test_networks_with_another_mtu_than_the_fabric() -> None:
    """Their cards have that of the inventory, so that neither is the one of the dumps."""
    name = "kubernetes_30-networks_network-attachments_training_rail.yaml"
    text = re.sub(r'("?mtu"?: ?)9000', r"\g<1>4200", dumps()[name])
    (row,) = (row for row in said(into(SITE, {**dumps(), name: text}), "differs") if "mtu" in row)
    at = line_of(SITE, "  mtu: ")
    assert row.startswith(
        f"fabric.mtu: 9000 (site.yaml:{at}) or 4200 on networks rail-0-leaf-1, rail-1-leaf-2, "
    )
