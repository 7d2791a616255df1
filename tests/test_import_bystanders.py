"""Nodes that take no part in the fabric, such as those of the control plane, are on no rail."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data

WORKER = [interface("0000:18:00.0", "ens1", 100), interface("0000:29:00.0", "ens2", 100)]
OTHER = [interface(f"0000:3b:00.{n}", f"eno{n + 1}", 25, device="101f") for n in range(2)]
TABLE = """LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    {}            eno1            O             eno1
--------------------------------------------------
Total entries displayed:  1
"""
PORTS = '{"PORT": {"Ethernet0": {}}}'


def policy(*names: str) -> dict[str, Any]:
    spec = {"resourceName": "r", "numVfs": 4, "nicSelector": {"pfNames": [*names]}}
    kind = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetworkNodePolicy"}
    return {**kind, "metadata": {"name": "p"}, "spec": spec}


def control_plane(*names: str, gpus: int = 0, states: bool = False, cable: str = "none") -> dict[str, Any]:
    """The type of two nodes beside a worker. ``names``: the cards that a policy takes, ``states``: no dump
    has the nodes themselves, ``cable``: the node on a leaf."""
    objects: list[Any] = [policy(*names), node_state("gpu-1", WORKER)]
    for name in ("cp-1", "cp-2"):
        own = node(name, {"node-role.kubernetes.io/control-plane": ""}, gpus)
        objects += [node_state(name, OTHER), *([] if states else [own])]
    objects.append(node("gpu-1", {"node-role.kubernetes.io/worker": ""}, 8))
    leaf = {"leaf-1.txt": TABLE.format(cable), "leaf-1.json": PORTS}
    result = import_texts({"x.yaml": listed(objects), **leaf}, "site")
    found: dict[str, dict[str, Any]] = data(result)["host_types"]
    return next(row for row in found.values() if "eno1" in str(row["hcas"]))


def test_nodes_without_gpu_resource_and_cable_are_on_no_rail() -> None:
    """Their role is the only label that tells them, and nothing is deployed by it."""
    kind = control_plane("ens1", "ens2")
    assert [*kind["hcas"]] == ["front-end0", "front-end1"]
    assert kind["node_selector"] == {"node-role.kubernetes.io/control-plane": ""}


CASES: dict[str, dict[str, Any]] = {
    "GPUs": {"gpus": 8},
    "nodes that no dump has": {"states": True},
    "a cable": {"cable": "cp-2"},
}


@pytest.mark.parametrize("case", CASES)
def test_nodes_that_may_be_of_the_fabric_have_proposed_rails(case: str) -> None:
    kind = control_plane("ens1", "ens2", **CASES[case])
    assert next(iter(kind["hcas"])) == "roce[0-1]"
    assert kind["node_selector"] == "TODO"


def test_where_nothing_takes_a_card_all_have_proposed_rails() -> None:
    assert next(iter(control_plane("ens9")["hcas"])) == "roce[0-1]"


NIC = [interface("0000:31:00.0", "ens1", 200)]
VLANS = {"gpu-1 ens1": 101, "gpu-1 ens2": 102, "stor-1 ens1": 300, "stor-2 ens1": 300}


def storage(vlans: Mapping[str, int], svis: Mapping[int, str], gpus: int = 8) -> Imported:
    """Two storage servers on the leaf of a worker. ``vlans``: of the ports, by neighbour."""
    objects: list[Any] = [policy("ens2"), node_state("gpu-1", WORKER), node("gpu-1", {"role": "gpu"}, gpus)]
    for name in ("stor-1", "stor-2"):
        objects += [node_state(name, NIC), node(name, {"role": "storage"}, 0)]
    ends = [own.split() for own in vlans]
    row = "Ethernet{}    {:<14}  {}            O             {}"
    rows = [row.format(at, name, net, net) for at, (name, net) in enumerate(ends)]
    head, rule, _, *rest = TABLE.splitlines()
    rest[-1] = f"Total entries displayed:  {len(ends)}"
    table = "\n".join([head, rule, *rows, *rest, ""])
    leaf = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", "hwsku": "ACS-MSN4700"}},
        "PORT": {
            f"Ethernet{at}": {"lanes": str(at), "speed": "100000" if own < 103 else "200000"}
            for at, own in enumerate(vlans.values())
        },
        "VLAN": {f"Vlan{number}": {"vlanid": str(number)} for number in vlans.values()},
        "VLAN_MEMBER": {
            f"Vlan{number}|Ethernet{at}": {"tagging_mode": "untagged"}
            for at, number in enumerate(vlans.values())
        },
        "VLAN_INTERFACE": {f"Vlan{number}|{address}": {} for number, address in svis.items()},
    }
    texts = {"leaf-1.json": json.dumps(leaf, indent=1), "leaf-1.txt": table}
    return import_texts({"x.yaml": listed(objects), **texts}, "site")


def test_storage_servers_in_a_vlan_of_no_rail_are_on_none() -> None:
    found = storage(VLANS, {300: "10.201.0.1/24"})
    written = data(found)
    (hcas,) = [kind["hcas"] for kind in written["host_types"].values() if len(kind["hcas"]) == 1]
    ((name, hca),) = hcas.items()
    assert hca["use"] == "TODO"
    assert "rail" not in hca
    assert written["vlans"] == {"vlan300": {"id": 300}}
    subnet = {"cidr": "10.201.0.0/24", "vlan": "vlan300", "gateway": "10.201.0.1", "gateway_owner": "leaf"}
    assert written["subnets"] == {"vlan300": subnet}
    assert written["hosts"]["stor-1"]["hcas"] == {name: {"address": "TODO"}}
    assert found.conflicts == ()


def test_a_range_that_no_vlan_interface_has_is_asked() -> None:
    assert data(storage(VLANS, {}))["subnets"] == {"vlan300": {"cidr": "TODO", "vlan": "vlan300"}}


@pytest.mark.parametrize("vlans", [{**VLANS, "stor-1 ens1": 102, "stor-2 ens1": 102}, {"stor-1 ens1": 300}])
def test_those_in_a_vlan_of_the_workers_and_beside_unknown_ones_keep_a_proposal(
    vlans: dict[str, int],
) -> None:
    assert "vlans" not in data(storage(vlans, {}))
