"""Who creates virtual functions and who advertises devices: one row for each value of ``cluster.owners.vfs``
and ``cluster.owners.device_plugin``.

A row says what follows from the owner; code that depends on an owner asks its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from netplan.records import dataclass

VfOwner = Literal["sriov-network-operator", "host", "hypervisor", "none"]
DeviceOwner = Literal["sriov-network-operator", "nic-cluster-policy", "manual", "dranet", "dra-driver-sriov"]
NadOwner = Literal["netplan", "operator"]
NicQosOwner = Literal["nic-configuration-operator", "host"]

Operator = Literal["sriov", "nvidia", ""]
"""The operator an owner is part of; the NVIDIA Network Operator brings the SR-IOV operator too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VfKind:
    """How VFs come to be. ``policies``: SriovNetworkNodePolicies create them and set their MTU, and
    SriovNetworkPoolConfigs drain nodes and set the RDMA mode. ``files``: files of the host create them at
    boot. Neither: nothing on the node does."""

    operator: Operator = ""
    policies: bool = False
    files: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceKind:
    """How devices become resources. ``advertises``: what lists them: SriovNetworkNodePolicies, the
    NicClusterPolicy, a ConfigMap that is applied, or the claims of a DRA driver. ``prefix``: of resources
    where the inventory states none. ``moves_interface``: it moves the whole interface into the pod with its
    host addresses, and no CNI plugin runs."""

    advertises: Literal["node-policies", "cluster-policy", "config-map", "claims"]
    operator: Operator = ""
    prefix: str = "intel.com"
    moves_interface: bool = False

    @property
    def node_policies(self) -> bool:
        return self.advertises == "node-policies"

    @property
    def cluster_policy(self) -> bool:
        return self.advertises == "cluster-policy"

    @property
    def claims(self) -> bool:
        return self.advertises == "claims"


VF_OWNERS: Mapping[VfOwner, VfKind] = {
    "sriov-network-operator": VfKind(operator="sriov", policies=True),
    "host": VfKind(files=True),
    "hypervisor": VfKind(),
    "none": VfKind(),
}
DEVICE_OWNERS: Mapping[DeviceOwner, DeviceKind] = {
    "sriov-network-operator": DeviceKind(advertises="node-policies", operator="sriov", prefix="nvidia.com"),
    "nic-cluster-policy": DeviceKind(advertises="cluster-policy", operator="nvidia", prefix="nvidia.com"),
    "manual": DeviceKind(advertises="config-map"),
    "dranet": DeviceKind(advertises="claims", moves_interface=True),
    "dra-driver-sriov": DeviceKind(advertises="claims"),
}
NIC_QOS_OWNERS: Mapping[NicQosOwner, Operator] = {"nic-configuration-operator": "nvidia", "host": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Owners:
    vfs: VfOwner
    device_plugin: DeviceOwner
    nads: NadOwner
    nic_qos: NicQosOwner

    @property
    def of_vfs(self) -> VfKind:
        return VF_OWNERS[self.vfs]

    @property
    def of_devices(self) -> DeviceKind:
        return DEVICE_OWNERS[self.device_plugin]
