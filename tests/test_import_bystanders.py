"""Nodes that take no part in the fabric, such as those of the control plane, are on no rail."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import import_texts
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
