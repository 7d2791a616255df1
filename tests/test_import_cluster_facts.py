"""Facts of a cluster beside its NICs: the primary network, objects that failed or are on their way out,
numbers and subnets as the clients of the API read them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data
from tests.test_import_accepted import SRIOV, made, policy

Object = dict[str, Any]
NV_IPAM = "nv-ipam.nvidia.com/v1alpha1"
MELLANOX = "mellanox.com/v1alpha1"


def imported(*objects: Object) -> Imported:
    return import_texts({"x.yaml": listed([node("gpu-1", {"a": "b"}, 8), *objects])}, "site")


def told(*objects: Object) -> list[str]:
    return [each.text for each in imported(*objects).remarks]


def primary(*objects: Object) -> dict[str, str]:
    found: dict[str, str] = data(imported(*objects))["cluster"]["primary_network"]
    return found


def kubeadm(**networking: str) -> Object:
    text = json.dumps({"kind": "ClusterConfiguration", "networking": networking})
    meta = {"name": "kubeadm-config", "namespace": "kube-system"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": {"ClusterConfiguration": text}}


def daemon(key: str, value: str, kind: str = "DaemonSet") -> Object:
    labels = {"metadata": {"labels": {key: value}}}
    meta: Object = {"name": "agent", "namespace": "kube-system"}
    if kind == "Pod":
        return {"apiVersion": "v1", "kind": kind, "metadata": meta | labels["metadata"], "spec": {}}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": meta, "spec": {"template": labels}}


def test_kubeadm_keeps_the_ranges() -> None:
    found = primary(kubeadm(podSubnet="10.244.0.0/16", serviceSubnet="10.96.0.0/12"))
    assert found == {"cni": "TODO", "pod_cidr": "10.244.0.0/16", "service_cidr": "10.96.0.0/12"}
    assert told(kubeadm(podSubnet="10.244.0.0/16", serviceSubnet="10.96.0.0/12")) == []


@pytest.mark.parametrize(
    ("stated", "taken", "why"),
    [
        (
            "10.244.0.0/16,fd00::/56",
            "10.244.0.0/16",
            "the inventory has one range of each; the first is taken",
        ),
        ("10.244", "TODO", "no range"),
    ],
)
def test_a_range_that_the_inventory_cannot_have_is_told(stated: str, taken: str, why: str) -> None:
    assert primary(kubeadm(podSubnet=stated))["pod_cidr"] == taken
    assert told(kubeadm(podSubnet=stated)) == [f"kubeadm-config networking.podSubnet {stated!r}: {why}"]


@pytest.mark.parametrize("kind", ["DaemonSet", "Pod"])
@pytest.mark.parametrize(
    ("key", "value", "cni"),
    [
        ("k8s-app", "calico-node", "calico"),
        ("k8s-app", "cilium", "cilium"),
        ("app", "flannel", "flannel"),
        ("k8s-app", "canal", "canal"),
        ("k8s-app", "aws-node", "aws-vpc-cni"),
        ("app", "kube-ovn-cni", "kube-ovn"),
        ("app", "ovnkube-node", "ovn-kubernetes"),
        ("k8s-app", "calico-typha", "TODO"),
    ],
)
def test_the_cni_plugin_by_the_labels_of_its_pods(kind: str, key: str, value: str, cni: str) -> None:
    assert primary(daemon(key, value, kind))["cni"] == cni


def test_two_cni_plugins_are_a_question() -> None:
    result = imported(daemon("k8s-app", "calico-node"), daemon("k8s-app", "cilium", "Pod"))
    assert data(result)["cluster"]["primary_network"]["cni"] == "TODO"
    assert "cni: TODO # TODO: decide, sources disagree: calico (x.yaml:" in result.text


def test_other_objects_of_the_group_of_daemonsets_are_none_of_netplans() -> None:
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {}}
    assert told(deployment) == []


@pytest.mark.parametrize(
    ("written", "vlan"), [("0145", 101), ("0o145", 101), ("0x65", 101), ("1_01", 101), ('"145"', 145)]
)
def test_a_number_is_what_kubectl_reads(written: str, vlan: int) -> None:
    network = (
        f"apiVersion: {SRIOV}\nkind: SriovNetwork\nmetadata: {{name: rail-0, namespace: n}}\n"
        f"spec: {{resourceName: rail, networkNamespace: a, vlan: {written}}}\n"
    )
    site = import_texts({"x.yaml": network}, "site").site
    assert site.number("network", ("a", "rail-0"), "vlan") == vlan


def test_an_address_in_a_subnet_is_the_subnet() -> None:
    pool = made(NV_IPAM, "IPPool", "rail-0", subnet="172.16.0.5/24", gateway="172.16.0.1")
    result = imported(pool)
    assert result.site.text("pool", ("rail-0",), "subnet") == "172.16.0.0/24"
    why = "it has host bits; 172.16.0.0/24 is taken"
    assert f"IPPool spec.subnet '172.16.0.5/24': {why}" in [each.text for each in result.remarks]


def test_a_node_that_the_operator_could_not_set_up_is_told() -> None:
    state = node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100, 8)])
    state["status"] |= {"syncStatus": "Failed", "lastSyncError": "no firmware"}
    why = "the node may not run what its spec states"
    assert (
        f"SriovNetworkNodeState sriov-network-operator/gpu-1: syncStatus Failed (no firmware); {why}"
        in told(state)
    )
    state["status"]["syncStatus"] = "Succeeded"
    assert not any("Failed" in each for each in told(state))


def test_an_object_that_is_being_deleted_is_told() -> None:
    going = policy()
    going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    (line,) = [each for each in told(going) if "deleted" in each]
    assert line.startswith("SriovNetworkNodePolicy ")
    assert line.endswith(": it is being deleted since 2026-01-01T00:00:00Z; taken as if it stayed")


def test_the_nodes_of_a_nic_node_policy() -> None:
    image = {"image": "doca-driver", "repository": "r", "version": "doca3.4.1-26.04-1.1.0.0-1"}
    found = told(made(MELLANOX, "NicNodePolicy", "gpu", nodeSelector={"a": "b"}, ofedDriver=image))
    why = "netplan has one NicClusterPolicy, whose components are on all nodes"
    assert [each for each in found if "nodeSelector" in each] == [
        f"""NicNodePolicy spec.nodeSelector '{{"a": "b"}}': {why}"""
    ]


def multus(version: str) -> list[str]:
    """Contradictions about images beside nv-ipam of release 26.4."""
    own = {"repository": "r", "version": "network-operator-v26.4.1"}
    images = {
        "nvIpam": own | {"image": "nvidia-k8s-ipam"},
        "secondaryNetwork": {
            "multus": {"image": "multus-cni", "repository": "r", "version": version},
            "cniPlugins": own | {"image": "plugins"},
        },
    }
    result = imported(made(MELLANOX, "NicClusterPolicy", "nic-cluster-policy", **images))
    return [str(each) for each in result.conflicts]


def test_an_image_of_no_release_beside_others_of_one() -> None:
    (clash,) = multus("v4.1.0")
    assert clash.startswith("image of NicClusterPolicy spec.secondaryNetwork.multus is v4.1.0 (x.yaml:")
    assert "others are of release 26.4 (x.yaml:" in clash
    assert multus("network-operator-v26.4.1") == []


def test_a_card_without_a_speed_has_that_of_its_port() -> None:
    card = interface("0000:18:00.0", "ens1", 100)
    card["linkSpeed"] = "-1 Mb/s"
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", "hwsku": "ACS-MSN2700"}},
        "PORT": {
            "Ethernet0": {"lanes": "0", "speed": "100000"},
            "Ethernet4": {"lanes": "4", "speed": "7000"},
        },
    }

    def speed(port: str) -> tuple[Any, bool]:
        texts = {
            "x.yaml": listed([node("gpu-1", {"a": "b"}, 8), node_state("gpu-1", [card])]),
            "leaf-1.json": json.dumps(tables, indent=1),
            "c.csv": f"switch,port,peer_kind,peer,peer_port\nleaf-1,{port},host,gpu-1,ens1\n",
        }
        result = import_texts(texts, "site")
        (kind,) = data(result)["host_types"].values()
        (hca,) = kind["hcas"].values()
        return hca["speed_gbps"], "speed_gbps of its switch port, leaf-1.json:" in result.text

    assert speed("Ethernet0") == (100, True)
    assert speed("Ethernet4") == ("TODO", False)  # no card has it


@pytest.mark.parametrize(
    ("env", "shown"),
    [("Baremetal", '"Baremetal"'), ([{"name": "PASSWORD", "value": "secret"}], '"..."')],
)
def test_an_environment_of_a_container_is_not_shown(env: Any, shown: str) -> None:
    optimized = {"enabled": True, "env": env}
    template = made(
        "configuration.net.nvidia.com/v1alpha1",
        "NicConfigurationTemplate",
        "t",
        template={"gpuDirectOptimized": optimized, "linkType": "Ethernet"},
    )
    lines = [each for each in told(template) if "gpuDirectOptimized" in each]
    assert [f'"env": {shown}' in each for each in lines] == [True]
    assert "secret" not in str(lines)
