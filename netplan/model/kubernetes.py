"""What goes into the Kubernetes API: resources, policies, pools, attachments, operator settings."""

from __future__ import annotations

from collections.abc import Mapping

from netaddr import IPAddress, IPNetwork

from netplan.model.addresses import Segment
from netplan.model.claims import DraPlan
from netplan.model.fabric import Network
from netplan.model.hardware import Labels
from netplan.model.ipams import IpamName
from netplan.model.modes import RdmaMode
from netplan.model.operators import EfaPlan, GpuOperatorPlan, NetworkOperatorPlan, NicTemplate
from netplan.model.routes import IpamRoute
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSelector:
    """One entry of a device plugin's selectors, for the HCAs of one host type.

    Ids are PCI IDs in lower-case hex; ``devices`` are ids of VFs, or of PFs if pods take PFs. Empty tuples
    are not written. ``pf_names`` and ``root_devices`` may have the suffix ``#first-last``.
    """

    host_type: str
    vendors: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    drivers: tuple[str, ...] = ()
    pf_names: tuple[str, ...] = ()
    root_devices: tuple[str, ...] = ()
    pci_addresses: tuple[str, ...] = ()
    if_names: tuple[str, ...] = ()
    link_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """An extended resource, or devices of a DRA driver, whose names have no prefix.

    ``plugin``: sriov, rdma-shared, efa, dranet or dra-driver-sriov.

    ``per_node``: devices on a node of each host type (for rdma-shared: pods that may share); ``hcas``: the
    HCAs they belong to. ``rails``: rails of its devices, empty without rails.
    """

    name: str
    prefix: str
    plugin: str
    network: str
    rails: tuple[int, ...]
    selectors: tuple[DeviceSelector, ...]
    per_node: Mapping[str, int]
    hcas: Mapping[str, int]
    share_max: int | None

    @property
    def full_name(self) -> str:
        return f"{self.prefix}/{self.name}" if self.prefix else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class VfPolicy:
    """A SriovNetworkNodePolicy. ``link_type``: eth or ib; ``mtu`` in bytes, None for InfiniBand."""

    name: str
    namespace: str
    host_type: str
    node_selector: Labels
    resource_name: str
    num_vfs: int
    mtu: int | None
    link_type: str
    vendor: str
    device_id: str
    pf_names: tuple[str, ...]
    root_devices: tuple[str, ...]
    externally_managed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolConfig:
    """A SriovNetworkPoolConfig: how many of its nodes are drained at once, and their RDMA network namespace
    mode (None: hosts/ sets it).

    ``host_types``: all that its labels select, with ``nodes`` in total. ``max_unavailable``: a number, or a
    percentage such as 25%.
    """

    name: str
    namespace: str
    host_types: tuple[str, ...]
    node_selector: Labels
    nodes: int
    max_unavailable: int | str
    rdma_mode: RdmaMode | None

    @property
    def at_once(self) -> int:
        """Nodes that may be drained at once; a percentage is rounded down (MaxUnavailable in
        sriov-network-operator api/v1/helper.go)."""
        if isinstance(self.max_unavailable, int):
            return self.max_unavailable
        return self.nodes * int(self.max_unavailable.rstrip("%")) // 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePrefix:
    """A node's part of a CIDRPool."""

    node: str
    prefix: IPNetwork
    gateway: IPAddress


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """An nv-ipam pool: an IPPool (``block_size`` addresses per node), or with ``node_prefix`` a CIDRPool.

    ``routes``: prefixes through the gateway, for a network whose routes the sbr plugin moves. ``selectors``:
    label sets, any of which selects a node; empty: all nodes. ``nodes``: how many it must serve.
    """

    name: str
    namespace: str
    segment: Segment
    network: IPNetwork
    gateway: IPAddress | None
    block_size: int
    node_prefix: int | None = None
    gateway_index: int | None = None
    exclusions: tuple[tuple[IPAddress, IPAddress], ...]
    static: tuple[NodePrefix, ...] = ()
    routes: tuple[IPNetwork, ...]
    selectors: tuple[Labels, ...]
    nodes: int

    @property
    def kind(self) -> str:
        return "IPPool" if self.node_prefix is None else "CIDRPool"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpiderPool:
    """A SpiderIPPool. ``spans``: (first, last) of the addresses it assigns; ``selector``: labels of all its
    nodes, None for all nodes or if no single label set selects them.
    """

    name: str
    segment: Segment
    network: IPNetwork
    gateway: IPAddress | None
    spans: tuple[tuple[IPAddress, IPAddress], ...]
    selector: Labels | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IpamRange:
    """One range of whereabouts, host-local or spiderpool; ``exclude`` as (first, last) pairs."""

    network: IPNetwork
    gateway: IPAddress | None
    exclude: tuple[tuple[IPAddress, IPAddress], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ipam:
    """``pools``: names of pools; for nv-ipam all are of ``pool_kind``.

    ``routes``: through the segment's gateway, or into a table; an nv-ipam pool has its routes itself.
    """

    type: IpamName
    pools: tuple[str, ...]
    pool_kind: str | None
    ranges: tuple[IpamRange, ...]
    routes: tuple[IpamRoute, ...]
    data_dir: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """One network attachment: a NetworkAttachmentDefinition in each of ``namespaces``.

    ``owner_kind``: NetworkAttachmentDefinition if netplan writes it, else the operator's kind that generates
    it (SriovNetwork, SriovIBNetwork, HostDeviceNetwork, MacvlanNetwork, IPoIBNetwork, SpiderMultusConfig), or
    ResourceClaimTemplate if DRANET makes the interface and there is none. ``rdma``: chain (the rdma plugin),
    isolation (ib-sriov's rdmaIsolation) or none. ``tuning_mtu``: MTU that the tuning plugin sets, ``mtu``:
    the main plugin's own key; None if not written. ``sysctls``: set by the tuning plugin; ``sbr``:
    source-based routing at the end of the chain; ``sbr_table``: the table of its rules, None if it makes
    tables itself. ``pkey``: partition for its VFs in ib-kubernetes, None for none.
    """

    name: str
    network: Network
    namespaces: tuple[str, ...]
    rail: int | None
    segment: Segment | None
    resource: Resource | None
    owner_kind: str
    object_namespace: str
    master: str | None
    vlan: int | None
    mtu: int | None
    tuning_mtu: int | None
    rdma: str
    sysctls: tuple[tuple[str, str], ...]
    sbr: bool
    sbr_table: int | None
    pkey: int | None
    ipam: Ipam | None

    @property
    def addressed(self) -> bool:
        """Whether pods get addresses on it: from an IPAM, or with a claimed interface."""
        return self.ipam is not None or self.owner_kind == "ResourceClaimTemplate"


@dataclass(frozen=True, slots=True, kw_only=True)
class KubernetesPlan:
    """Everything below ``kubernetes/``; all tuples in the order they are written.

    ``sriov_plugin_config``, ``shared_plugin_config``: the device plugins' resources if netplan's own
    ConfigMap (manual) or the NicClusterPolicy owns them. ``namespaces``: all that artifacts name.
    """

    resources: tuple[Resource, ...]
    policies: tuple[VfPolicy, ...]
    pool_configs: tuple[PoolConfig, ...]
    pools: tuple[Pool, ...]
    spider_pools: tuple[SpiderPool, ...]
    attachments: tuple[Attachment, ...]
    nic_templates: tuple[NicTemplate, ...]
    network_operator: NetworkOperatorPlan | None
    gpu_operator: GpuOperatorPlan | None
    efa: EfaPlan | None
    sriov_plugin_owner: str | None
    shared_plugin_owner: str | None
    dra: DraPlan | None
