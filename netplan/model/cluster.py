"""The Kubernetes side of an inventory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from netaddr import IPNetwork

from netplan.diagnostics import Path
from netplan.model.operator_releases import OperatorReleases, StatedImage


@dataclass(frozen=True, slots=True, kw_only=True)
class PrimaryNetwork:
    cni: str
    interface: str
    pod_cidr: IPNetwork | None
    service_cidr: IPNetwork | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Owners:
    vfs: str
    device_plugin: str
    nads: str
    nic_qos: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOperator:
    """``release`` as (year, month): (26, 4). ``images``: of single components, by dotted name.
    ``releases``: what is known of this release and of others."""

    release: tuple[int, int]
    namespace: str
    repository: str | None
    version: str | None
    images: Mapping[str, StatedImage]
    ofed_version: str | None
    multus: bool
    admission_webhooks: bool
    releases: OperatorReleases = field(metadata={"index": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class SriovOperator:
    namespace: str
    resource_prefix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuOperator:
    namespace: str
    driver_rdma: bool
    gdrcopy: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spiderpool:
    """``release`` as (major, minor): (1, 0)."""

    release: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kueue:
    """``release`` as (major, minor), None where not stated. ``rails``: cover or exclude, for the quota."""

    release: tuple[int, int] | None
    rails: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CniPlugins:
    """Versions as numbers: (1, 9, 1); None where not stated."""

    plugins: tuple[int, ...] | None
    sriov_cni: tuple[int, ...] | None
    whereabouts: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """``kubernetes_version`` as (major, minor)."""

    distribution: str
    kubernetes_version: tuple[int, int] | None
    primary_network: PrimaryNetwork
    owners: Owners
    network_operator: NetworkOperator | None
    sriov_operator: SriovOperator | None
    gpu_operator: GpuOperator | None
    gang_scheduler: str | None
    kueue: Kueue | None
    spiderpool: Spiderpool | None
    cni_plugins: CniPlugins
    nfd: str
    rdma_mode: str
    memlock: str
    at: Path = field(default=("cluster",), compare=False, repr=False)
