"""Settings for operators: Helm values, the NicClusterPolicy, NIC configuration templates."""

from __future__ import annotations

from collections.abc import Mapping

from netplan.model.hardware import Labels
from netplan.model.operator_releases import Gap, StatedImage
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NicTemplate:
    """A NicConfigurationTemplate: firmware and RoCE settings for cards of one model of one host type.

    ``nic_type``: PCI device ID of the PF. ``pfc``: eight 0/1. ``cnp_dscp`` and ``cnp_priority`` go into the
    firmware parameters CNP_DSCP_Px and CNP_802P_PRIO_Px, because the operator's defaults (4 and 6) differ
    from the plan's.
    """

    name: str
    namespace: str
    host_type: str
    node_selector: Labels
    nic_type: str
    pci_addresses: tuple[str, ...]
    num_vfs: int
    link_type: str
    trust: str | None = None
    pfc: tuple[int, ...] = ()
    tos: int | None = None
    ecn_priority: int | None = None
    cnp_dscp: int | None = None
    cnp_priority: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverUpgrade:
    """``upgradePolicy`` of the driver container. ``at_once``: nodes upgraded together in the cluster."""

    at_once: int
    drain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOperatorPlan:
    """Helm values and NicClusterPolicy of the NVIDIA Network Operator.

    ``release``: (year, month). ``components``: dotted NicClusterPolicy sections to write. ``global_image``:
    the release takes repository and version once for all components. CNI directories are None if the chart's
    default fits the distribution; ``maintenance_operator`` is None if the chart has no such value.
    ``images``: each component's own image settings, by dotted name. ``driver_upgrade``: None if nothing
    upgrades the driver. ``disable_drain``, ``disable_plugins`` (chart value), ``patch_plugins`` (the same for
    charts without that value) and ``waits_for_nics`` (its daemon starts once the NIC configuration is done)
    concern the SR-IOV operator that the chart brings. ``policy``: whether there is a NicClusterPolicy; it is
    empty if the operator only has to set its labels. ``gaps``: what was left out because the release lacks
    it.
    """

    release: tuple[int, int]
    namespace: str
    repository: str | None
    version: str | None
    ofed_version: str | None
    global_image: bool
    nfd: bool
    sriov_operator: bool
    resource_prefix: str | None
    maintenance_operator: bool | None
    admission_webhooks: bool
    cni_bin_directory: str | None
    cni_network_directory: str | None
    components: tuple[str, ...]
    images: Mapping[str, StatedImage]
    driver_upgrade: DriverUpgrade | None
    disable_drain: bool
    disable_plugins: tuple[str, ...]
    patch_plugins: tuple[str, ...]
    waits_for_nics: bool
    policy: bool
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuOperatorPlan:
    """``containerd_socket``: only if it differs from the chart's default."""

    namespace: str
    driver_rdma: bool
    use_host_mofed: bool
    gdrcopy: bool
    nfd: bool
    containerd_socket: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EfaPlan:
    """Values of the EFA device-plugin chart: instance types it must run on."""

    instance_types: tuple[str, ...]
