"""Networks on whole HCAs over ports that have VFs: an inventory has one or the other, and says so."""

from __future__ import annotations

import json
from typing import Any

from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, filled, refused, todo_lines
from tests.test_import_accepted import SRIOV, Object, made, policy

PCI = "0000:18:00.0"
ANSWERS = {
    "cni": "calico",
    "pod_cidr": "10.244.0.0/16",
    "service_cidr": "10.96.0.0/12",
    "qos": "{classes: {roce: {dscp: 26, priority: 3, lossless: true, bandwidth_percent: 50}}}",
    "rdma_mode": "shared",
    "nads": "netplan",
    "routing": "none",
    "share_max": "7",
    "supernets": "[172.16.0.0/24]\n  prefixes: [24]\n  gateway: none",
}
POOL = made("nv-ipam.nvidia.com/v1alpha1", "IPPool", "p", subnet="172.16.0.0/24", perNodeBlockSize=8)
IPAM = json.dumps({"type": "nv-ipam", "poolName": "p"})
OPERATOR = made(
    "mellanox.com/v1alpha1",
    "NicClusterPolicy",
    "nic-cluster-policy",
    nvIpam={
        "image": "nvidia-k8s-ipam",
        "repository": "nvcr.io/nvidia/mellanox",
        "version": "network-operator-v26.4.1",
    },
)


def macvlan(master: str = "ens1") -> Object:
    return made(
        "mellanox.com/v1alpha1", "MacvlanNetwork", "mv", networkNamespace="a", master=master, ipam=IPAM
    )


def imported(*objects: Object, mode: str = "shared") -> Imported:
    nodes: list[Object] = []
    for name in ("gpu-1", "gpu-2"):
        state = node_state(name, [interface(PCI, "ens1", 100, 8)])
        state["metadata"]["namespace"] = "nvidia-network-operator"
        state["status"]["system"] = {"rdmaMode": mode}
        nodes += [node(name, {"a": "b"}, 8), state]
    return import_texts({"x.yaml": listed([*nodes, policy(), POOL, OPERATOR, *objects])}, "site")


def line(result: Imported, key: str) -> str:
    (found,) = [line for line in result.text.splitlines() if line.strip().startswith(f"{key}:")]
    return found


def told(result: Imported, part: str) -> list[str]:
    return [str(each) for each in result.remarks if part in str(each)]


def test_vfs_that_no_network_asks_for_are_told_and_the_hca_is_whole() -> None:
    result = imported(macvlan())
    (hca,) = next(iter(data(result)["host_types"].values()))["hcas"].values()
    assert (hca["use"], "vfs" in hca) == ("pf", False)
    assert "no network asks for its 8 VFs (x.yaml:" in line(result, "roce0")
    (lost,) = told(result, "resource 'rail'")
    assert lost.endswith("so netplan would not advertise it; another network is on the whole HCA")
    assert "resource_name" not in data(result)["networks"]["mv"]


def test_such_an_inventory_has_no_error_once_it_is_finished() -> None:
    found = compile_texts({"site.yaml": filled(imported(macvlan()).text, ANSWERS)}).diagnostics
    assert [d for d in found if d.severity > 1] == []


def sriov() -> Object:
    return made(SRIOV, "SriovNetwork", "vf", networkNamespace="a", resourceName="rail", ipam=IPAM)


def test_a_network_over_the_vfs_of_another_one_is_asked_for() -> None:
    result = imported(macvlan(), sriov())
    (asked,) = [each for each in result.text.splitlines() if "hcas: TODO" in each]
    assert "an inventory cannot express this: mode macvlan takes whole HCAs, and ens1 has 8 VFs," in asked
    assert "which network vf has (x.yaml:" in asked
    assert asked.endswith("remove the network here, keep its object")
    assert {*todo_lines(result.text)} <= refused(result.text)


def test_host_device_over_vfs_is_asked_for() -> None:
    spec: dict[str, Any] = {"networkNamespace": "a", "resourceName": "rail", "ipam": IPAM}
    result = imported(made("mellanox.com/v1alpha1", "HostDeviceNetwork", "hd", **spec))
    (asked,) = [each for each in result.text.splitlines() if "hcas: TODO" in each]
    assert "mode host-device takes whole HCAs, and ens1 has 8 VFs, of resource rail (x.yaml:" in asked


def test_vfs_of_a_network_alone_are_not_asked_for() -> None:
    assert "hcas: TODO" not in imported(sriov()).text
    assert "takes whole HCAs" not in imported(macvlan("eth0"), sriov()).text


def test_pods_that_share_an_hca_of_exclusive_nodes_are_asked_about() -> None:
    result = imported(macvlan(), mode="exclusive")
    asked = line(result, "rdma_mode")
    assert "TODO: shared, or exclusive without network a/mv, whose macvlan pods share HCAs (x.yaml:" in asked
    assert "; the nodes are exclusive (x.yaml:" in asked
    assert result.conflicts == ()


def test_no_limit_of_pods_is_invented() -> None:
    result = imported(macvlan())
    assert "no dump limits them, and the default is 63" in line(result, "share_max")
