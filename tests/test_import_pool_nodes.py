"""``netplan import``: networks beside the rails whose pools select some of the hosts, and a VLAN that is
another network on each leaf."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data

PCI = {"ens0": "0000:18:00.0", "ens1": "0000:3b:00.0", "ens2": "0000:5e:00.0"}


def nad(name: str, resource: str, **config: Any) -> dict[str, Any]:
    ipam = {"type": "nv-ipam", "poolName": name}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {
            "name": name,
            "namespace": "t",
            "annotations": {"k8s.v1.cni.cncf.io/resourceName": f"nvidia.com/{resource}"},
        },
        "spec": {"config": json.dumps({**config, "ipam": ipam})},
    }


def pool(name: str, subnet: str, *terms: dict[str, Any]) -> dict[str, Any]:
    spec: dict[str, Any] = {"subnet": f"{subnet}.0/24", "gateway": f"{subnet}.254", "perNodeBlockSize": 4}
    selector = {"nodeSelectorTerms": [{"matchExpressions": [term]} for term in terms]} if terms else None
    return {
        "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
        "kind": "IPPool",
        "metadata": {"name": name, "namespace": "kube-system"},
        "spec": {**spec, **({"nodeSelector": selector} if selector else {})},
    }


def chosen(*values: str, operator: str = "In") -> dict[str, Any]:
    return {"key": "su", "operator": operator, "values": [*values]}


def site(storage: list[dict[str, Any]], leaves: tuple[str, ...] = (), gpus: int = 8) -> Imported:
    """Four hosts with two rails and a card for storage, over which each pool of ``storage`` has a network in
    VLAN 200. ``leaves``: the addresses of VLAN 200 on leaf-1 and so on; ``gpus``: of the last two hosts."""
    rows = [{"resourceName": name, "selectors": {"pfNames": [card]}} for name, card in RESOURCES.items()]
    plugin = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}
    objects = [plugin | {"data": {"c": json.dumps({"resourceList": rows})}}]
    for number in range(1, 5):
        cards = [interface(pci, card, 100, 4) for card, pci in PCI.items()]
        objects += [
            node(f"gpu-{number}", {"k": "a", "su": f"su{1 + (number > 2)}"}, gpus if number > 2 else 8)
        ]
        objects += [node_state(f"gpu-{number}", cards)]
    for rail in range(2):
        objects += [nad(f"rail-{rail}", f"rail_{rail}", type="sriov"), pool(f"rail-{rail}", f"10.1.{rail}")]
    objects += storage
    objects += [nad(each["metadata"]["name"], "storage", type="sriov", vlan=200) for each in storage]
    texts = {
        f"leaf-{n}.json": json.dumps(
            {
                "DEVICE_METADATA": {"localhost": {"hostname": f"leaf-{n}", "hwsku": "ACS-MSN2700"}},
                "VLAN": {"Vlan200": {"vlanid": "200"}},
                "VLAN_INTERFACE": {f"Vlan200|{address}": {}},
            },
            indent=1,
        )
        for n, address in enumerate(leaves, 1)
    }
    return import_texts({"k.yaml": listed(objects), **texts}, "site")


RESOURCES = {"rail_0": "ens0", "rail_1": "ens1", "storage": "ens2"}
SECOND = "10.80.1"


def lines(result: Imported, key: str) -> list[str]:
    return [line.strip() for line in result.text.splitlines() if line.strip().startswith(f"{key}: TODO")]


@pytest.mark.parametrize(
    ("terms", "asked"),
    [
        ((chosen("su1"),), True),
        ((chosen("su1", "su2"),), False),
        ((chosen("su1"), chosen("su2")), False),
        ((chosen("su2", operator="NotIn"),), False),
        ((), False),
    ],
)
def test_a_pool_that_selects_some_hosts_of_a_type_is_asked_about(
    terms: tuple[dict[str, Any], ...], asked: bool
) -> None:
    found = lines(site([pool("storage", "10.80.0", *terms)]), "hosts")
    assert bool(found) == asked
    for line in found:
        assert (
            "an inventory cannot express this: a network of some hosts of a: the pool selects su: su1" in line
        )
        assert "gpu-[1-2]; give them a host type of their own" in line


def test_a_pool_that_selects_all_hosts_of_a_type_is_for_that_type() -> None:
    result = site([pool("storage", "10.80.0", chosen("su2"))], gpus=4)
    (name,) = data(result)["networks"]["storage"]["hosts"]
    assert data(result)["host_types"][name]["gpus"] == 4


def test_a_vlan_with_a_network_of_its_own_on_each_leaf_is_asked_about() -> None:
    pools = [pool("storage-1", "10.80.0", chosen("su1")), pool("storage-2", SECOND, chosen("su2"))]
    found = lines(site(pools, ("10.80.0.254/24", f"{SECOND}.254/24")), "vlan")
    why = (
        "an inventory cannot express this: VLAN 200 is another network on each leaf: leaf-1 10.80.0.254/24 ("
    )
    assert [why in line for line in found] == [True, True]
    assert f" and leaf-2 {SECOND}.254/24 (leaf-2.json:" in found[0]


def test_a_vlan_whose_networks_are_on_one_leaf_is_one() -> None:
    result = site([pool("storage", "10.80.0")], ("10.80.0.254/24",))
    assert data(result)["subnets"]["storage"]["vlan"] == "storage"
    assert data(result)["vlans"] == {"storage": {"id": 200}}
