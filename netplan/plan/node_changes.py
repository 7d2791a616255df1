"""Effects on nodes of changes to the Kubernetes objects."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.cluster import Cluster
from netplan.model.kubernetes import KubernetesPlan, PoolConfig
from netplan.model.overview import NodeChange

_NVIDIA = "15b3"


def plan_node_changes(cluster: Cluster, kubernetes: KubernetesPlan) -> tuple[NodeChange, ...]:
    return (*_sriov(cluster, kubernetes), *_firmware(kubernetes), *_driver(cluster, kubernetes))


def _sriov(cluster: Cluster, kubernetes: KubernetesPlan) -> Iterator[NodeChange]:
    """k8snetworkplumbingwg/sriov-network-operator v1.6.0: NeedToUpdateSriov in api/v1/helper.go,
    needToUpdateVFs and configRdmaKernelArg in pkg/plugins/generic/generic_plugin.go,
    pkg/plugins/mellanox/mellanox_plugin.go, handleDrain in pkg/daemon/daemon.go, createDrainHelper in
    pkg/drain/drainer.go (only a reboot drains the whole node)."""
    pools = kubernetes.pool_configs
    prefix = next((r.prefix for r in kubernetes.resources if r.plugin == "sriov"), None)
    if not pools or prefix is None:
        return
    evicted = f"pods that ask for resources of {prefix} are evicted"
    reboot = "the node is drained, then rebooted"
    at_once = "; ".join(_at_once(pool) for pool in pools)
    if not cluster.maintenance.drain:
        evicted, reboot = "running pods lose their VFs", "the node reboots under its pods"
        at_once = "all: draining is switched off"
    managed = [p for p in kubernetes.policies if not p.externally_managed]
    what = "SriovNetworkNodePolicy: number of VFs, MTU"
    effect = f"{evicted}, then the VFs, which hosts/ makes, are configured again"
    if managed:
        what += ", policy removed"
        effect = f"{evicted}, then the VFs are made again; the first VFs of a port need no drain"
    yield NodeChange(what=what, effect=effect, at_once=at_once)
    if any(p.vendor == _NVIDIA for p in managed):
        what = "SriovNetworkNodePolicy: more VFs than the firmware has, another link type"
        yield NodeChange(what=what, effect=reboot, at_once=at_once)
    if any(pool.rdma_mode for pool in pools):
        yield NodeChange(what="SriovNetworkPoolConfig: rdmaMode", effect=reboot, at_once=at_once)


def _at_once(pool: PoolConfig) -> str:
    stated = pool.max_unavailable
    nodes = "node" if stated == 1 else "nodes"
    many = f"{stated} {nodes}" if isinstance(stated, int) else f"{stated} of the nodes"
    return f"{many} of {' and '.join(pool.host_types)}"


def _firmware(kubernetes: KubernetesPlan) -> Iterator[NodeChange]:
    """Mellanox/nic-configuration-operator README.md; maintenance-operator
    api/v1alpha1/maintenanceoperatorconfig_types.go (maxParallelOperations is 1 by default)."""
    if kubernetes.nic_templates:
        yield NodeChange(
            what="NicConfigurationTemplate: firmware parameters",
            effect="the maintenance operator takes the node out of service, then it reboots",
            at_once="1, unless your MaintenanceOperatorConfig has another maxParallelOperations",
        )


def _driver(cluster: Cluster, kubernetes: KubernetesPlan) -> Iterator[NodeChange]:
    """Mellanox/network-operator docs/automatic-ofed-upgrade.md."""
    operator = kubernetes.network_operator
    if operator is None or "ofedDriver" not in operator.components:
        return
    what, upgrade = "NicClusterPolicy: version of the driver", operator.driver_upgrade
    if upgrade is None:
        effect = "none until you delete a node's driver pod; evict its pods with rails before"
        yield NodeChange(what=what, effect=effect, at_once="as many as you delete")
        return
    drained = "the node is drained, then the driver is reloaded"
    effect = drained if upgrade.drain else "the driver is reloaded without a drain"
    yield NodeChange(what=what, effect=effect, at_once=f"{upgrade.at_once} of all nodes")
