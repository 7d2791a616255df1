"""The Kubernetes side of an inventory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from netaddr import IPNetwork

from netplan.diagnostics import Path
from netplan.model.modes import RdmaMode
from netplan.model.operator_releases import OperatorReleases, StatedImage
from netplan.model.owners import Owners
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PrimaryNetwork:
    cni: str
    interface: str
    pod_cidr: IPNetwork | None
    service_cidr: IPNetwork | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOperator:
    """``release`` as (year, month): (26, 4). ``images``: of single components, by dotted name. ``releases``:
    what is known about this and other releases."""

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
class HostDelivery:
    """How ``hosts/`` gets to the hosts. ``butane``: fcos or openshift; ``image``: of the DaemonSet."""

    ansible: bool
    butane: str | None
    image: str | None
    namespace: str

    @property
    def ways(self) -> bool:
        """Whether the inventory states any way."""
        return self.ansible or self.butane is not None or self.image is not None


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
    multus: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgoCd:
    """``cluster``: Argo CD's name for the cluster of this inventory."""

    namespace: str
    project: str
    cluster: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flux:
    """``secret``: name of the Secret with the credentials for the repository."""

    namespace: str
    secret: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GitOps:
    """``path``: folder of the output tree in the repository. ``chart_versions``: chart -> version, where the
    inventory states one."""

    repository: str
    path: str
    branch: str
    prune: bool
    charts: bool
    chart_versions: Mapping[str, str]
    argo_cd: ArgoCd | None
    flux: Flux | None
    at: Path = field(default=("cluster", "gitops"), compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance:
    """How nodes are taken out of service. ``max_unavailable``: a number of nodes of a host type, or a
    percentage such as 25%. ``driver_upgrade``: manual or automatic."""

    max_unavailable: int | str
    drain: bool
    driver_upgrade: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """``kubernetes_version`` as (major, minor). ``present``: programs that the site says it has."""

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
    rdma_mode: RdmaMode
    memlock: str
    gitops: GitOps | None
    host_delivery: HostDelivery | None
    maintenance: Maintenance
    present: tuple[str, ...]
    at: Path = field(default=("cluster",), compare=False, repr=False)
