"""The SR-IOV operator of NVIDIA's chart: who writes NIC firmware, and on which nodes its daemon runs."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.pipeline import Result
from tests.crd import validate_object
from tests.inventories import outputs
from tests.unit.test_prerequisites import built, cluster

VALUES = "kubernetes/network-operator/values.yaml"
POLICY = "kubernetes/20-operator/network-operator/nic-cluster-policy.yaml"
NIC_LABEL = "network.nvidia.com/operator.nic-configuration.wait"
OPERATORS_CNP = {"cnp": {"dscp": 4, "priority": 6, "scheduling": "strict"}}
BY_HOST = {"nic_qos": "host", "nads": "netplan"}


def chart(release: str, **over: Any) -> Result:
    """The base inventory with NVIDIA's operators of a release."""
    image = {"release": release, "version": f"network-operator-v{release}.0"}
    if release == "26.7":
        image["version"] = "network-operator-v26.7.0-rc.2"
    if release == "26.1":
        image["version"] = "network-operator-v26.1.2"
    fabric = {"qos": {"classes": OPERATORS_CNP}}
    return built("operator", {"cluster": {"network_operator": image, **over}, "fabric": fabric})


def settings(tree: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(tree[VALUES])["sriov-network-operator"]["sriovOperatorConfig"]
    return found


@pytest.mark.parametrize(
    ("release", "plugins", "label", "patched"),
    [
        ("25.7", None, None, True),
        ("25.10", None, "false", True),
        ("26.1", ["mellanox"], "false", False),
        ("26.4", ["mellanox"], "false", False),
        ("26.7", ["mellanox"], "false", False),
    ],
)
def test_one_operator_writes_firmware(
    release: str, plugins: list[str] | None, label: str | None, patched: bool
) -> None:
    """Set by a chart value if there is one, else by a command afterwards; 25.7 also has no node label."""
    result = chart(release)
    tree = outputs(result)
    found = settings(tree)
    assert found.get("disablePlugins") == plugins
    assert found["configDaemonNodeSelector"].get(NIC_LABEL) == label
    command = (
        "kubectl patch sriovoperatorconfigs.sriovnetwork.openshift.io default -n nvidia-network-operator "
        """--type=merge --patch '{"spec": {"disablePlugins": ["mellanox"]}}'"""
    )
    assert (command in tree["kubernetes/README.md"]) == patched
    told = [d for d in result.diagnostics if d.code == "NP734" and "disablePlugins" in d.message]
    assert [d.severity for d in told] == [Severity.INFO] * patched


def test_the_plugin_stays_where_the_host_does_the_qos() -> None:
    found = settings(outputs(chart("26.4", owners=BY_HOST)))
    assert "disablePlugins" not in found
    assert NIC_LABEL not in found["configDaemonNodeSelector"]


def test_an_operator_of_the_sites_own_is_told_both() -> None:
    own = {"sriov_operator": {"namespace": "sriov-network-operator", "resource_prefix": "nvidia.com"}}
    row = cluster("operator", **own)["sriov-network-operator"]
    assert "`sriovOperatorConfig.disablePlugins: [mellanox]`" in row.settings
    assert f'`sriovOperatorConfig.configDaemonNodeSelector: {{{NIC_LABEL}: "false"}}`' in row.settings
    row = cluster("operator", **own, owners=BY_HOST)["sriov-network-operator"]
    assert "mellanox" not in row.settings


BARE = {"networks": {"rail": {"ipam": "whereabouts"}}}
"""Overlay for a cluster where the NicClusterPolicy deploys nothing."""


@pytest.mark.crd
@pytest.mark.parametrize("release", ["24.10", "25.10", "26.1", "26.4", "26.7"])
def test_the_daemon_gets_its_nodes(release: str) -> None:
    """Before 26.4, its nodes get their label only with a NicClusterPolicy, even an empty one."""
    over = {
        "cluster": {
            "network_operator": {"release": release, "multus": False, "repository": None, "version": None},
            "owners": BY_HOST,
        },
        **BARE,
    }
    tree = outputs(built("operator", over))
    assert "network.nvidia.com/operator.mofed.wait" in settings(tree)["configDaemonNodeSelector"]
    assert (POLICY in tree) == (release < "26.4")
    if POLICY in tree:
        policy = yaml.safe_load(tree[POLICY])
        assert policy["spec"] == {}
        assert validate_object(policy, bundle=release) == []
