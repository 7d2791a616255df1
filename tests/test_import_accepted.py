"""What validate would refuse of an imported inventory, or what runs otherwise, is TODO or told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, refused, todo_lines
from tests.test_import_fabric import neighbour

Object = dict[str, Any]
OPERATORS = {"namespace": "nvidia-network-operator"}
SRIOV = "sriovnetwork.openshift.io/v1"


def made(api: str, kind: str, name: str, **spec: Any) -> Object:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, **OPERATORS}, "spec": spec}


def policy(**spec: Any) -> Object:
    usual = {"resourceName": "rail", "numVfs": 8, "isRdma": True, "nicSelector": {"vendor": "15b3"}}
    return made(SRIOV, "SriovNetworkNodePolicy", "rail", **usual | spec)


def network(name: str, pool: str) -> Object:
    ipam = json.dumps({"type": "nv-ipam", "poolName": pool})
    return made(SRIOV, "SriovNetwork", name, networkNamespace="a", resourceName="rail", ipam=ipam)


def ip_pool(leaf: int, key: str) -> Object:
    term = {"matchExpressions": [{"key": key, "operator": "In", "values": [f"r{leaf}"]}]}
    spec = {"subnet": f"10.0.{leaf}.0/24", "gateway": f"10.0.{leaf}.1", "perNodeBlockSize": 8}
    selector = {"nodeSelectorTerms": [term]}
    return made("nv-ipam.nvidia.com/v1alpha1", "IPPool", f"leaf-{leaf}", nodeSelector=selector, **spec)


def heard(switch: str, port: str) -> str:
    """lldpctl -f json on a host with one card."""
    return json.dumps({"lldp": {"interface": {"ens1": neighbour(switch, port)}}})


def two_leaves(
    labels: dict[int, dict[str, str]], key: str = "example.com/rack", ipam: str = "nv-ipam"
) -> Imported:
    """Four nodes of one rail, two on each leaf. ``labels``: of the nodes, by leaf."""
    nodes = [(number, 1 + (number > 2)) for number in (1, 2, 3, 4)]
    objects = [policy(), *(network(f"rail-{leaf}", f"leaf-{leaf}") for leaf in (1, 2))]
    objects += [ip_pool(leaf, key) for leaf in (1, 2)]
    for number, leaf in nodes:
        name = f"gpu-{number}"
        objects.append(node(name, {"example.com/kind": "gpu", **labels[leaf]}, 8))
        objects.append(node_state(name, [interface("0000:18:00.0", "ens1", 100, 8)]))
    files = {f"gpu-{n}.lldp.json": heard(f"leaf-{leaf}", f"Ethernet{n}") for n, leaf in nodes}
    return import_texts({"cluster.yaml": listed(objects).replace("nv-ipam", ipam), **files}, "site")


def hosts(result: Imported) -> Any:
    return {name: row.get("labels") for name, row in data(result)["hosts"].items()}


RACKS = {leaf: {"example.com/rack": f"r{leaf}", "example.com/half": f"h{leaf}"} for leaf in (1, 2)}


@pytest.mark.parametrize("key", ["example.com/rack", "example.com/half"])
def test_nodes_of_each_leaf_get_the_label_that_their_pool_selects_by(key: str) -> None:
    result = two_leaves(RACKS, key)
    assert hosts(result) == {f"gpu-[{2 * n - 1}-{2 * n}]": {key: RACKS[n][key]} for n in (1, 2)}


def test_a_label_that_tells_the_leaves_apart_is_found() -> None:
    found = hosts(two_leaves(RACKS, "example.com/none"))
    assert found == {f"gpu-[{2 * n - 1}-{2 * n}]": {"example.com/rack": f"r{n}"} for n in (1, 2)}


def test_leaves_that_no_label_tells_apart_are_asked_about() -> None:
    result = two_leaves({1: {"example.com/rack": "r1"}, 2: {"example.com/rack": "r1"}})
    assert hosts(result) == {"gpu-[1-4]": "TODO"}
    assert set(todo_lines(result.text)) <= refused(result.text)


def test_pools_of_another_ipam_need_no_label() -> None:
    assert hosts(two_leaves(RACKS, ipam="whereabouts")) == {"gpu-[1-4]": None}


def owner(result: Imported, key: str) -> str:
    (line,) = [text.strip() for text in result.text.splitlines() if text.startswith(f"    {key}:")]
    return line


def driver(link: str) -> Imported:
    image = {"image": "doca-driver", "repository": "reg.example/a", "version": "25.07-0.9.7.0-0"}
    state = node_state("gpu-1", [{**interface("0000:18:00.0", "ens1", 100, 8), "linkType": link}])
    nic_policy = made("mellanox.com/v1alpha1", "NicClusterPolicy", "nic-cluster-policy", ofedDriver=image)
    return import_texts({"x.yaml": listed([node("gpu-1", {"a": "b"}, 8), state, nic_policy])}, "site")


def test_a_driver_container_discards_what_hosts_set() -> None:
    """NP543; on InfiniBand there is nothing to set."""
    found = owner(driver("ETH"), "nic_qos")
    assert found.startswith("nic_qos: TODO # TODO: nic-configuration-operator")
    assert "the driver container (x.yaml:" in found
    assert owner(driver("IB"), "nic_qos") == "nic_qos: host # no NicConfigurationTemplate in the dumps"


def operated(kind: str, *spaces: str, running: str = "shared", **spec: Any) -> str:
    """``nads`` of two rails with a network each in every one of its ``spaces``."""
    pair = list(enumerate(("0000:18:00.0", "0000:3b:00.0")))
    cards = [interface(pci, f"ens{number}", 100, 8) for number, pci in pair]
    state = node_state("gpu-1", cards)
    state["status"]["system"] = {"rdmaMode": running}
    objects = [node("gpu-1", {"a": "b"}, 8), state]
    for (number, pci), space in zip(pair, spaces, strict=True):
        selector = {"rootDevices": [pci]}
        objects.append(policy(resourceName=f"rail_{number}", nicSelector=selector))
        objects[-1]["metadata"]["name"] += f"-{number}"
        api = SRIOV if kind.startswith("Sriov") else "mellanox.com/v1alpha1"
        for own in space.split():
            given = {"networkNamespace": own, "resourceName": f"rail_{number}", **spec}
            objects.append(made(api, kind, f"rail-{number}-{own}", **given))
    return owner(import_texts({"x.yaml": listed(objects)}, "site"), "nads")


@pytest.mark.parametrize(
    ("kind", "running", "needs"),
    [
        ("SriovNetwork", "exclusive", ""),
        ("SriovIBNetwork", "shared", ""),
        ("SriovIBNetwork", "exclusive", "rdmaIsolation in exclusive mode"),
        ("HostDeviceNetwork", "shared", "sysctls"),
        ("HostDeviceNetwork", "exclusive", "the rdma plugin in exclusive mode and sysctls"),
    ],
)
def test_what_an_object_of_an_operator_cannot_express(kind: str, running: str, needs: str) -> None:
    """NP717."""
    found = operated(kind, "a", "a", running=running)
    if needs:
        assert found.startswith("nads: TODO # TODO: netplan; today an operator writes them; network rail (")
        assert found.endswith(f"needs {needs}, which a {kind} cannot express")
    else:
        assert found.startswith("nads: operator # a/rail-")


def test_an_object_of_an_operator_is_for_one_namespace() -> None:
    """NP720."""
    assert "needs a second namespace, which a SriovNetwork" in operated("SriovNetwork", "a b", "a b")


def shared(vfs: int) -> Imported:
    """A card that the RDMA-shared device plugin shares, beside one that it does not."""
    rows = [{"resourceName": "hca_a", "rdmaHcaMax": 7, "selectors": {"ifNames": ["ens1"]}}]
    plugin = {"image": "k8s-rdma-shared-dev-plugin", "config": json.dumps({"configList": rows})}
    nic_policy = made("mellanox.com/v1alpha1", "NicClusterPolicy", "nic", rdmaSharedDevicePlugin=plugin)
    cards = [interface("0000:18:00.0", "ens1", 100, vfs), interface("0000:3b:00.0", "ens2", 100)]
    objects = [node("gpu-1", {"a": "b"}, 8), node_state("gpu-1", cards), nic_policy]
    return import_texts({"x.yaml": listed(objects)}, "site")


def test_a_shared_resource_that_no_network_asks_for() -> None:
    found = shared(0)
    (hca,) = [n for n, row in data(found)["host_types"]["b"]["hcas"].items() if row.get("netdev") == "ens1"]
    row = {"mode": "device-only", "resource_name": "hca_a", "share_max": 7, "hcas": [hca]}
    assert data(found)["networks"] == {"hca-a": row}
    assert found.remarks == ()


def test_the_configmap_of_the_policys_device_plugin_names_no_second_owner() -> None:
    """The Network Operator makes it of the NicClusterPolicy, and kubectl dumps both."""
    rows = [{"resourceName": "hca_a", "rdmaHcaMax": 7, "selectors": {"ifNames": ["ens1"]}}]
    config = json.dumps({"configList": rows})
    plugin = {"image": "k8s-rdma-shared-dev-plugin", "config": config}
    nic_policy = made("mellanox.com/v1alpha1", "NicClusterPolicy", "nic", rdmaSharedDevicePlugin=plugin)
    own = {"name": "rdma-devices", "ownerReferences": [{"kind": "NicClusterPolicy", "name": "nic"}]}
    copied = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": own, "data": {"config.json": config}}
    state = node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)])
    result = import_texts(
        {"x.yaml": listed([node("gpu-1", {"a": "b"}, 8), state, nic_policy, copied])}, "site"
    )
    assert owner(result, "device_plugin").startswith("device_plugin: nic-cluster-policy #")
    assert result.conflicts == ()


def test_a_shared_resource_of_a_card_with_vfs_is_told() -> None:
    """NP663: netplan shares whole HCAs."""
    found = shared(8)
    assert "networks" not in data(found)
    (remark,) = [each for each in found.remarks if "hca_a" in str(each)]
    assert str(remark).startswith("x.yaml:")
    assert "resource 'hca_a': it shares an HCA that has VFs" in str(remark)


def running(planned: int | None = None, mtu: int = 9000, **spec: Any) -> Imported:
    """Two nodes with a policy of 8 VFs; the second has 4. ``planned``: what the spec of its state says."""
    objects = [policy(mtu=mtu, **spec)]
    for name, vfs in (("gpu-1", 8), ("gpu-2", 4)):
        objects += [
            node(name, {"a": "b"}, 8),
            node_state(name, [interface("0000:18:00.0", "ens1", 100, vfs)]),
        ]
    if planned:
        objects[-1]["spec"] = {"interfaces": [{"pciAddress": "0000:18:00.0", "numVfs": planned}]}
    return import_texts({"x.yaml": listed(objects)}, "site")


def vfs_of(result: Imported) -> list[int]:
    return [row["hcas"]["roce0"]["vfs"] for row in data(result)["host_types"].values()]


@pytest.mark.parametrize("planned", [None, 8])
def test_vfs_that_the_operator_will_create(planned: int | None) -> None:
    """A node that has others is told with both places: what runs, and what its state or a policy says."""
    result = running(planned)
    assert vfs_of(result) == [8]
    (remark,) = [each for each in result.remarks if "vfs" in str(each)]
    line = [text.strip() for text in listed_lines(result)][remark.at.line - 1]
    assert line == "numVfs: 4"
    assert "card gpu-2 0000:18:00.0 vfs '4': " in str(remark)
    assert "8 is configured (x.yaml:" in str(remark)


def listed_lines(result: Imported) -> list[str]:
    return result.texts["x.yaml"].splitlines()


def test_vfs_that_something_else_makes_are_those_that_run() -> None:
    result = running(externallyManaged=True)
    assert vfs_of(result) == [8, 4]
    assert [each for each in result.remarks if "vfs" in str(each)] == []


def test_another_mtu_of_a_policy_is_told() -> None:
    result = running(mtu=1500, numVfs=8)
    assert data(result)["fabric"]["mtu"] == 9000
    (told,) = [str(remark) for remark in result.remarks if "MTU" in str(remark)]
    number = listed_lines(result).index("    mtu: 1500") + 1
    assert told.startswith(f"x.yaml:{number}: MTU '1500': fabric.mtu is 9000 (x.yaml:")


def test_a_resource_of_one_card_beside_those_of_the_rails_renumbers_none() -> None:
    rows = [{"resourceName": "hca_a", "rdmaHcaMax": 7, "selectors": {"ifNames": ["ens2"]}}]
    plugin = {"image": "k8s-rdma-shared-dev-plugin", "config": json.dumps({"configList": rows})}
    objects = [made("mellanox.com/v1alpha1", "NicClusterPolicy", "nic", rdmaSharedDevicePlugin=plugin)]
    ports = (("0000:18:00.0", "ens1"), ("0000:3b:00.0", "ens2"))
    for number, (pci, _) in enumerate(ports):
        objects.append(policy(resourceName=f"rail_{number}", nicSelector={"rootDevices": [pci]}))
        objects[-1]["metadata"]["name"] += f"-{number}"
    cards = [interface(pci, name, 100, 8) for pci, name in ports]
    result = import_texts({"x.yaml": listed([*objects, node("a", {"b": "c"}, 8), node_state("a", cards)])})
    hcas = data(result)["host_types"]["c"]["hcas"]
    assert [hcas[f"roce{number}"]["netdev"] for number in (0, 1)] == ["ens1", "ens2"]
