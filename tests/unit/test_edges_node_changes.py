"""Edge cases, one fact per case: what changes to the objects do to nodes, as the overview lists it."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.overview import NodeChange
from netplan.plan.node_changes import plan_node_changes
from tests.unit.some import but, some

SRIOV = some(plugin="sriov", prefix="nvidia.com")
SHARED = some(plugin="shared", prefix="rdma")
POOL = some(max_unavailable=1, host_types=("gpu",), rdma_mode=None)
POLICY = some(externally_managed=False, vendor="15b3")
PLAN = some(
    pool_configs=(POOL,),
    resources=(SHARED, SRIOV),
    policies=(POLICY,),
    nic_templates=(),
    network_operator=None,
)
DRAINED = "pods that ask for resources of nvidia.com are evicted"
VFS = "SriovNetworkNodePolicy: number of VFs, MTU"
REMOVED = f"{VFS}, policy removed"
MADE = "then the VFs are made again; the first VFs of a port need no drain"
FIRMWARE = "SriovNetworkNodePolicy: more VFs than the firmware has, another link type"
MODE = "SriovNetworkPoolConfig: rdmaMode"
REBOOT = "the node is drained, then rebooted"


def changes(drain: bool = True, **facts: Any) -> list[tuple[str, str, str]]:
    found: tuple[NodeChange, ...] = plan_node_changes(some(maintenance=some(drain=drain)), but(PLAN, **facts))
    return [(each.what, each.effect, each.at_once) for each in found]


def test_policies_of_nvidia_change_firmware_which_takes_a_reboot() -> None:
    at_once = "1 node of gpu"
    assert changes() == [(REMOVED, f"{DRAINED}, {MADE}", at_once), (FIRMWARE, REBOOT, at_once)]


@pytest.mark.parametrize(
    ("facts", "whats"),
    [
        ({}, [REMOVED, FIRMWARE]),
        ({"pool_configs": ()}, []),
        ({"resources": (SHARED,)}, []),
        ({"policies": ()}, [VFS]),
        ({"policies": (but(POLICY, externally_managed=True),)}, [VFS]),
        ({"policies": (but(POLICY, externally_managed=True), POLICY)}, [REMOVED, FIRMWARE]),
        ({"policies": (but(POLICY, vendor="8086"),)}, [REMOVED]),
        ({"policies": (but(POLICY, vendor="8086"), POLICY)}, [REMOVED, FIRMWARE]),
        (
            {"policies": (but(POLICY, vendor="8086"), but(POLICY, externally_managed=True))},
            [REMOVED],
        ),
        ({"pool_configs": (POOL, but(POOL, rdma_mode="exclusive"))}, [REMOVED, FIRMWARE, MODE]),
    ],
)
def test_what_of_the_sriov_operator_changes_nodes(facts: dict[str, Any], whats: list[str]) -> None:
    assert [what for what, _, _ in changes(**facts)] == whats


def test_vfs_that_hosts_make_are_configured_again() -> None:
    external = but(POLICY, externally_managed=True)
    ((_, effect, _),) = changes(policies=(external,))
    assert effect == f"{DRAINED}, then the VFs, which hosts/ makes, are configured again"


def test_without_draining_pods_lose_their_vfs_and_nodes_reboot_under_them() -> None:
    all_ = "all: draining is switched off"
    exclusive = but(POOL, rdma_mode="exclusive")
    assert changes(drain=False, pool_configs=(exclusive,)) == [
        (REMOVED, f"running pods lose their VFs, {MADE}", all_),
        (FIRMWARE, "the node reboots under its pods", all_),
        (MODE, "the node reboots under its pods", all_),
    ]


@pytest.mark.parametrize(
    ("pools", "said"),
    [
        ([(1, ("gpu",))], "1 node of gpu"),
        ([(2, ("gpu",))], "2 nodes of gpu"),
        ([("10%", ("gpu",))], "10% of the nodes of gpu"),
        ([(1, ("a", "b"))], "1 node of a and b"),
        ([(1, ("a",)), ("50%", ("b",))], "1 node of a; 50% of the nodes of b"),
    ],
)
def test_how_many_nodes_change_at_once(pools: list[tuple[Any, tuple[str, ...]]], said: str) -> None:
    given = tuple(but(POOL, max_unavailable=most, host_types=types) for most, types in pools)
    assert {at_once for _, _, at_once in changes(pool_configs=given)} == {said}


def test_firmware_parameters_take_a_reboot() -> None:
    assert changes(pool_configs=(), nic_templates=(some(),)) == [
        (
            "NicConfigurationTemplate: firmware parameters",
            "the maintenance operator takes the node out of service, then it reboots",
            "1, unless your MaintenanceOperatorConfig has another maxParallelOperations",
        )
    ]


def operator(upgrade: Any, *components: str) -> Any:
    return some(components=components, driver_upgrade=upgrade)


@pytest.mark.parametrize(
    ("given", "effect", "at_once"),
    [
        (operator(None), None, None),
        (operator(some(drain=True, at_once=1), "sriovDevicePlugin"), None, None),
        (
            operator(None, "ofedDriver"),
            "none until you delete a node's driver pod; evict its pods with rails before",
            "as many as you delete",
        ),
        (
            operator(some(drain=True, at_once=1), "ofedDriver"),
            "the node is drained, then the driver is reloaded",
            "1 of all nodes",
        ),
        (
            operator(some(drain=False, at_once=2), "ofedDriver"),
            "the driver is reloaded without a drain",
            "2 of all nodes",
        ),
    ],
)
def test_another_version_of_the_driver(given: Any, effect: str | None, at_once: str | None) -> None:
    what = "NicClusterPolicy: version of the driver"
    wanted = [] if effect is None else [(what, effect, at_once)]
    assert changes(pool_configs=(), network_operator=given) == wanted
