"""Bonds of hosts: their ports are on no rail, and what is chosen by the name of a bond is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data

SLOTS = (("0000:3b:00.0", "ens1f0"), ("0000:3b:00.1", "ens1f1"), ("0000:5e:00.0", "ens2"))


def shared(*names: str) -> dict[str, Any]:
    config = {"configList": [{"resourceName": "rdma_a", "rdmaHcaMax": 8, "selectors": {"ifNames": [*names]}}]}
    spec = {"rdmaSharedDevicePlugin": {"config": json.dumps(config)}}
    name = {"name": "nic-cluster-policy"}
    return {"apiVersion": "mellanox.com/v1alpha1", "kind": "NicClusterPolicy", "metadata": name, "spec": spec}


def policy(*names: str, pool: str = "a") -> dict[str, Any]:
    spec = {
        "resourceName": "vf_a",
        "numVfs": 4,
        "nicSelector": {"pfNames": [*names]},
        "nodeSelector": {"example.com/pool": pool},
    }
    kind = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetworkNodePolicy"}
    return {**kind, "metadata": {"name": "p", "namespace": "x"}, "spec": spec}


def links(*ports: str, dashed: bool = True) -> str:
    """``ip -d -j link``, or without ``-d``: ports of bond0 and of a bridge."""
    rows: list[dict[str, Any]] = []
    for pci, name in SLOTS:
        row: dict[str, Any] = {"ifindex": len(rows) + 1, "ifname": name, "flags": ["UP"], "mtu": 9000}
        row["master"] = "bond0" if name in ports else "br0"
        row["flags"] += ["SLAVE"] if name in ports else []
        if dashed:
            row["linkinfo"] = {"info_slave_kind": "bond" if name in ports else "bridge"}
            row |= {"parentbus": "pci", "parentdev": pci}
        rows.append(row)
    return json.dumps(rows, indent=1)


def site(*objects: dict[str, Any], **files: str) -> Imported:
    names = ("gpu-1", "gpu-2")
    cards = [interface(pci, name, 100) for pci, name in SLOTS]
    nodes = [node(name, {"example.com/pool": "a"}, 8) for name in names]
    texts = {"x.yaml": listed([*nodes, *(node_state(name, cards) for name in names), *objects])}
    return import_texts(
        texts | {f"{name.replace('_', '-')}.ip-link.json": text for name, text in files.items()}
    )


def bonds(result: Imported) -> list[str]:
    return [str(remark) for remark in result.remarks if "interface 'bond" in str(remark)]


def hcas(result: Imported) -> list[str]:
    (kind,) = data(result)["host_types"].values()
    return [*kind["hcas"]]


@pytest.mark.parametrize("dashed", [True, False])
@pytest.mark.parametrize("taker", [shared("bond0"), policy("bond0")])
def test_the_ports_of_a_bond_are_on_no_rail(taker: dict[str, Any], dashed: bool) -> None:
    text = links("ens1f0", "ens1f1", dashed=dashed)
    result = site(taker, gpu_1=text, gpu_2=text)
    (told,) = bonds(result)
    name, line = next((r.text.split()[1], r.at.line) for r in result.remarks if "interface 'bond" in r.text)
    assert told.startswith(f"x.yaml:{line}: resource {name} interface 'bond0': a bond is no PCI function")
    (ports,) = [str(remark) for remark in result.remarks if "bond0 of" in str(remark)]
    assert ports.startswith("gpu-1.ip-link.json:")
    assert ports.endswith(
        "bond0 of ens1f[0-1] on gpu-[1-2]: an inventory has no bond, its ports are on no rail"
    )
    assert hcas(result) == ["roce0", "front-end1", "front-end2"]
    assert "netdev: ens2}" in result.text
    assert result.text.count("# port of bond0 (gpu-1.ip-link.json:") == 2


@pytest.mark.parametrize("taker", [shared("bond0"), policy("bond0")])
def test_without_the_ports_no_card_is_a_rail(taker: dict[str, Any]) -> None:
    result = site(taker)
    assert [told.rpartition("; ")[2] for told in bonds(result)] == ["no dump says which ports it has"]
    assert hcas(result) == ["front-end0", "front-end1", "front-end2"]
    assert "rails" not in data(result)
    assert data(result)["fabric"]["type"] == "roce"


def test_a_resource_that_takes_a_card_says_the_rails() -> None:
    """The name of the bond is told all the same."""
    result = site(shared("bond0", "ens2"))
    assert len(bonds(result)) == 1
    assert hcas(result) == ["roce0", "front-end1", "front-end2"]


def test_a_policy_of_other_nodes_changes_nothing() -> None:
    result = site(policy("bond0", pool="b"))
    assert len(bonds(result)) == 1
    assert hcas(result) == ["roce[0-2]", "roce0", "roce1", "roce2"]


@pytest.mark.parametrize("device", [True, False])
def test_a_bond_that_nothing_takes(device: bool) -> None:
    """By ``ip link``, or by the name of its RDMA device, which is of both ports and of none."""
    rdma = [
        {"ifindex": 1, "ifname": "mlx5_bond_0", "port": 1, "physical_state": "LINK_UP", "netdev": "ens1f0"}
    ]
    cluster = listed([node_state("gpu-1", [interface(pci, name, 100) for pci, name in SLOTS])])
    text = json.dumps(rdma) if device else links("ens1f0", "ens1f1")
    result = import_texts({"x.yaml": cluster, f"gpu-1.{'rdma' if device else 'ip'}-link.json": text})
    ports, bond = ("ens1f0", "mlx5_bond_0") if device else ("ens1f[0-1]", "bond0")
    (told,) = [str(remark) for remark in result.remarks if "no bond" in str(remark)]
    assert told.endswith(f"{bond} of {ports} on gpu-1: an inventory has no bond, its ports are on no rail")
    assert sum(name.startswith("front-end") for name in hcas(result)) == (1 if device else 2)
    assert "rdma_device" not in result.text


def test_the_addresses_of_a_bond_are_told() -> None:
    rows = json.loads(links("ens1f0", "ens1f1"))
    for number, (name, made) in enumerate((("bond0", "bond"), ("bond9", "bond"), ("br0", "bridge"))):
        own = {"scope": "global", "local": f"10.0.{number}.1", "prefixlen": 24}
        rows.append({"ifname": name, "linkinfo": {"info_kind": made}, "addr_info": [own]})
    result = site(gpu_1=json.dumps(rows, indent=1))
    told = [str(remark) for remark in result.remarks if "address of" in str(remark)]
    assert [each.partition(": ")[2] for each in told] == [
        "address of a bond '10.0.0.1/24': an inventory has no bond"
    ]


def test_ports_of_a_bond_whose_vfs_pods_get_are_rails() -> None:
    result = site(policy("ens1f0", "ens2"), gpu_1=links("ens1f0", "ens1f1"), gpu_2=links("ens1f0", "ens1f1"))
    assert hcas(result) == ["roce[0-1]", "roce0", "roce1", "front-end2"]
    (told,) = [str(remark) for remark in result.remarks if "bond0 of" in str(remark)]
    assert told.endswith("on gpu-[1-2]: an inventory has no bond")


def test_a_card_may_have_such_a_name() -> None:
    cards = [interface("0000:3b:00.0", "bond0", 100)]
    result = import_texts({"x.yaml": listed([node_state("gpu-1", cards), shared("bond0")])})
    assert bonds(result) == []
    assert hcas(result) == ["roce0"]


def test_a_network_on_a_bond_is_asked_about() -> None:
    """The HCAs of the hosts do not carry it."""
    spec = {
        "networkNamespace": "a",
        "master": "bond0",
        "ipam": '{"type": "whereabouts", "range": "10.3.0.0/24"}',
    }
    network = {"apiVersion": "mellanox.com/v1alpha1", "kind": "MacvlanNetwork", "metadata": {"name": "m"}}
    result = site(shared("bond0"), {**network, "spec": spec})
    (line,) = [line for line in result.text.splitlines() if "hcas: TODO" in line]
    assert "an inventory cannot express this: m is on bond0, which is no card" in line
