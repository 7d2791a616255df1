"""The inventory states how operators drain nodes to reconfigure their NICs."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.pipeline import Result, compile_texts
from tests.factories import merged
from tests.inventories import outputs
from tests.overlay import CHECKS

POOL = "kubernetes/40-device-plugins/sriov/pool-config-gpu.yaml"
VALUES = "kubernetes/network-operator/values.yaml"
POLICY = "kubernetes/20-operator/network-operator/nic-cluster-policy.yaml"
OFED = {"network_operator": {"ofed_version": "doca3.5.0-26.07-0.7.1.0-0"}}


def result_of(over: dict[str, Any]) -> Result:
    """The checks' base inventory for operators with an overlay; it must have no errors."""
    base = load_texts({"base.yaml": (CHECKS / "bases" / "operator.yaml").read_text()}).data
    result = compile_texts({"case.yaml": json.dumps(merged(base, over))})
    assert [d for d in result.diagnostics if d.severity is Severity.ERROR] == []
    return result


def read(over: dict[str, Any], path: str) -> Any:
    return yaml.safe_load(outputs(result_of(over))[path])


@pytest.mark.parametrize(
    ("maintenance", "expected"), [({}, 1), ({"max_unavailable": 2}, 2), ({"max_unavailable": "50%"}, "50%")]
)
def test_a_pool_says_how_many_nodes_are_drained(maintenance: dict[str, Any], expected: int | str) -> None:
    """Without maxUnavailable, the SR-IOV operator drains all nodes at the same time."""
    spec = read({"cluster": {"maintenance": maintenance}}, POOL)["spec"]
    assert spec["maxUnavailable"] == expected


def test_vfs_of_the_host_have_a_pool_too() -> None:
    """Their policies drain nodes as well; the RDMA mode is then set by hosts/."""
    spec = read({"cluster": {"owners": {"vfs": "host", "nic_qos": "host"}}}, POOL)["spec"]
    assert spec == {
        "maxUnavailable": 1,
        "nodeSelector": {"matchLabels": {"example.com/host-type": "gpu"}},
    }


def test_host_types_with_the_same_labels_share_a_pool() -> None:
    data = load_texts({"base.yaml": (CHECKS / "bases" / "operator.yaml").read_text()}).data
    gpu = data["host_types"]["gpu"]
    slots = {name: hca | {"pci": f"0001:{hca['pci'][5:]}"} for name, hca in gpu["hcas"].items()}
    twin = {"host_types": {"twin": gpu | {"hcas": slots}}, "hosts": {"twin-[1-2]": {"type": "twin"}}}
    result = result_of(twin)
    assert [p for p in outputs(result) if "pool-config" in p] == [POOL]
    assert result.plan is not None
    (pool,) = result.plan.kubernetes.pool_configs
    assert (pool.host_types, pool.nodes) == (("gpu", "twin"), 4)


@pytest.mark.parametrize("drain", [True, False])
def test_drains_can_be_switched_off(drain: bool) -> None:
    values = read({"cluster": {"maintenance": {"drain": drain}}}, VALUES)
    assert values["sriov-network-operator"]["sriovOperatorConfig"]["disableDrain"] is not drain


def test_the_driver_is_not_upgraded_unasked() -> None:
    assert "upgradePolicy" not in read({"cluster": OFED}, POLICY)["spec"]["ofedDriver"]


@pytest.mark.parametrize(("stated", "at_once"), [(1, 1), (2, 2), ("50%", 1)])
def test_the_driver_is_upgraded_node_by_node(stated: int | str, at_once: int) -> None:
    """maxParallelUpgrades takes no percentage, and 0 would be all nodes."""
    maintenance = {"driver_upgrade": "automatic", "max_unavailable": stated}
    policy = read({"cluster": {**OFED, "maintenance": maintenance}}, POLICY)
    assert policy["spec"]["ofedDriver"]["upgradePolicy"] == {
        "autoUpgrade": True,
        "maxParallelUpgrades": at_once,
        "drain": {"enable": True, "deleteEmptyDir": True},
    }


def changes(over: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Change -> (effect, nodes at once)."""
    plan = result_of(over).plan
    assert plan is not None
    return {c.what: (c.effect, c.at_once) for c in plan.overview.changes}


def test_the_page_says_what_a_policy_change_does() -> None:
    found = changes({"cluster": {"maintenance": {"max_unavailable": "50%"}}})
    effect, at_once = found["SriovNetworkNodePolicy: number of VFs, MTU, policy removed"]
    assert effect.startswith("pods that ask for resources of nvidia.com are evicted")
    assert at_once == "50% of the nodes of gpu"
    assert found["SriovNetworkPoolConfig: rdmaMode"][0] == "the node is drained, then rebooted"
    page = outputs(result_of({}))["kubernetes/README.md"]
    assert "| SriovNetworkPoolConfig: rdmaMode | the node is drained, then rebooted | 1 node of gpu |" in page


def test_the_page_says_that_draining_is_off() -> None:
    for effect, at_once in changes({"cluster": {"maintenance": {"drain": False}}}).values():
        assert "drained" not in effect
        assert at_once == "all: draining is switched off" or "MaintenanceOperatorConfig" in at_once


def test_the_operator_makes_no_vfs_of_the_host() -> None:
    found = changes({"cluster": {"owners": {"vfs": "host", "nic_qos": "host"}}})
    ((what, (effect, at_once)),) = found.items()
    assert what == "SriovNetworkNodePolicy: number of VFs, MTU"
    assert effect.endswith("then the VFs, which hosts/ makes, are configured again")
    assert at_once == "1 node of gpu"
