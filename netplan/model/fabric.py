"""What the user declared, with names resolved to objects and texts to types: the result of ``resolve``.

``at`` is an entity's path in the inventory, so that a check can point to it; comparisons ignore it. All
members of a ranged key have the path of that key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from netaddr import IPAddress, IPNetwork

from netplan.diagnostics import Path
from netplan.model.cluster import Cluster
from netplan.model.hardware import Host, HostLink, HostType, Labels, Switch, SwitchLink
from netplan.model.ipams import IPAMS, IpamKind, IpamName
from netplan.model.modes import MODES, Mode, ModeName, Takes
from netplan.model.qos_classes import Qos, QosClass
from netplan.model.routes import ROUTINGS, Routing, RoutingName
from netplan.model.values import AddressSpan
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Arp:
    """Ages in seconds."""

    timeout_seconds: int
    mac_timeout_seconds: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Underlay:
    """``leaf_asn_counts``, ``spine_asn_counts``: the AS number is written with a +, so it counts up with the
    id.

    ``max_oversubscription``: highest bandwidth down / up of a leaf in percent, None without a limit.
    """

    leaf_asn: int
    leaf_asn_counts: bool
    spine_asn: int
    spine_asn_counts: bool
    loopbacks: IPNetwork
    uplinks: IPNetwork
    uplinks_per_leaf: int
    max_oversubscription: int | None
    at: Path = field(compare=False, repr=False)


Numbering = Literal["id", "position"]
"""What numbers the subnets of a rail: the leaf's id, or its position among the leaves of the rail."""


RangeKey = Literal["supernets", "rail_networks"]
"""The key of ``rails`` that states its addresses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RailRange:
    """A range as the inventory states it: a supernet, or the network of one rail."""

    network: IPNetwork
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rails:
    """``vlan_ids``: one per rail, or empty. ``supernets``: empty where ``rail_networks`` is stated;
    ``rail_networks[r]``: networks of rail r, one for each of ``prefixes``. ``first_subnet``: how many subnets
    at the start of a rail's part stay free. ``external``: a router outside the
    inventory has the gateways. ``reserved``: as for a subnet."""

    count: int
    segment: str
    numbering: Numbering
    first_subnet: int
    vlan_ids: tuple[int, ...]
    supernets: tuple[IPNetwork, ...]
    prefixes: tuple[int, ...]
    rail_prefixes_stated: bool
    rail_networks: tuple[tuple[IPNetwork, ...], ...]
    gateway: str
    external: bool
    reserved: tuple[AddressSpan, ...]
    at: Path = field(compare=False, repr=False)

    @property
    def ranges_key(self) -> RangeKey:
        return "rail_networks" if self.rail_networks and not self.supernets else "supernets"

    @property
    def ranges(self) -> tuple[RailRange, ...]:
        """All addresses of the rails, as stated."""
        key = self.ranges_key
        rows = [(n,) for n in self.supernets] if key == "supernets" else self.rail_networks
        return tuple(RailRange(network=n, at=(*self.at, key, i)) for i, row in enumerate(rows) for n in row)

    @property
    def families(self) -> tuple[int, ...]:
        """IP versions, in the order of ``prefixes``."""
        return tuple(dict.fromkeys(stated.network.version for stated in self.ranges))

    def range_of(self, version: int) -> RailRange | None:
        """The first range of a family."""
        return next((stated for stated in self.ranges if stated.network.version == version), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vlan:
    name: str
    id: int
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subnet:
    """``external``: a router outside the inventory has the gateway. ``exclude``: addresses that no pool
    assigns; ``reserved``: addresses that something outside the inventory has.

    ``routes``: prefixes behind the gateway that pods get routes to.
    """

    name: str
    cidr: IPNetwork
    vlan: Vlan | None
    gateway: IPAddress | None
    external: bool
    routes: tuple[IPNetwork, ...]
    exclude: tuple[AddressSpan, ...]
    reserved: tuple[AddressSpan, ...]
    at: Path = field(compare=False, repr=False)


SHARE_MAX = 63
"""Default number of pods that share an HCA: rdmaHcaMax in the samples of Mellanox/network-operator and
Azure/aks-rdma-infiniband."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """``host_types``, ``hcas``: named by the inventory, empty for "all that fit".

    ``pkey``: number of the InfiniBand partition, without the membership bit. ``membership``: full, limited or
    None. ``hca_keys``: for each of ``hcas`` the index of the entry that names it. ``share_max``: None if
    neither stated nor needed.
    """

    name: str
    per_rail: bool
    mode: ModeName
    host_types: tuple[HostType, ...]
    hcas: tuple[str, ...]
    hca_keys: tuple[int, ...] = field(compare=False, repr=False, metadata={"index": True})
    subnet: Subnet | None
    ipam: IpamName
    namespaces: tuple[str, ...]
    resource: str
    resource_name: str | None
    resource_prefix: str | None
    share_max: int | None
    vf_range: tuple[int, int] | None
    block_size: int | None
    routing: RoutingName
    traffic_class: QosClass | None
    tagging: str
    vlan_qos: int | None
    trust: str | None
    spoofchk: str | None
    link_state: str | None
    min_tx_rate_mbps: int | None
    max_tx_rate_mbps: int | None
    pkey: int | None
    membership: str | None
    at: Path = field(compare=False, repr=False)

    @property
    def by_mode(self) -> Mode:
        return MODES[self.mode]

    @property
    def by_ipam(self) -> IpamKind:
        return IPAMS[self.ipam]

    @property
    def by_routing(self) -> Routing:
        return ROUTINGS[self.routing]

    @property
    def shared(self) -> bool:
        """Whether the RDMA-shared plugin advertises its HCAs: device-only with share_max stated."""
        sharing = self.by_mode.sharing
        return sharing == "always" or (sharing == "stated" and self.share_max is not None)

    @property
    def takes(self) -> Takes:
        """What pods get of an HCA; sharing means sharing the whole HCA."""
        return "function" if self.shared and self.by_mode.takes == "any" else self.by_mode.takes

    @property
    def pods_per_hca(self) -> int:
        """Number of pods that an HCA serves."""
        return self.share_max if self.shared and self.share_max is not None else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveTest:
    program: str
    args: tuple[str, ...]
    mpirun_args: tuple[str, ...]
    tcp_fallback: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Nccl:
    """NCCL settings of a workload; None leaves NCCL's default. ``fifo_class``: for clear-to-send messages."""

    qps_per_connection: int | None
    split_data_on_qps: bool | None
    fifo_class: QosClass | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """``hosts``: hosts its pods may run on, from the types, hosts and ranges it names. Sizes in MiB.

    ``unbound_traffic``: its processes open sockets on the rails without binding them to an address.
    ``roles``: replicated jobs, worker groups or tasks of the owner's jobs that take part; empty: all that
    can. ``env_reasons``: variable -> reason; such a value replaces a derived one. ``devices``: network ->
    stated number of devices per pod. ``extra``: fields of the pod spec, lists as tuples.
    ``admission_policy``: the API server adds the rails to labelled pods.
    """

    name: str
    namespace: str
    hosts: tuple[Host, ...]
    networks: tuple[Network, ...]
    devices: Mapping[str, int]
    gpus: int
    nodes: int
    pods_per_node: int
    pod_starts_per_hour: int
    image: str | None
    container: str
    roles: tuple[str, ...]
    jobs: tuple[str, ...]
    queue: str | None
    nccl_version: tuple[int, ...] | None
    nccl: Nccl
    cpus: int | None
    memory_mib: int | None
    shm_mib: int | None
    hugepages_2mi_mib: int | None
    runtime_class: str | None
    privileged: bool
    unbound_traffic: bool
    admission_policy: bool
    annotations: Labels
    env: tuple[tuple[str, str], ...]
    env_reasons: Labels
    test: CollectiveTest
    extra: Mapping[str, Any] = field(hash=False)
    at: Path = field(compare=False, repr=False)

    @property
    def host_types(self) -> tuple[HostType, ...]:
        return tuple(sorted({h.type.name: h.type for h in self.hosts}.values(), key=lambda t: t.name))

    @property
    def gpu_type(self) -> HostType | None:
        """The host type whose GPUs its pods request; all of them have the same resource (NP638). None if they
        request none."""
        types = self.host_types if self.gpus else ()
        return next((t for t in types if t.gpus), types[0] if types else None)

    @property
    def reads_nccl(self) -> bool:
        """Whether the library for its collectives reads NCCL's variables; assumed without GPUs."""
        return self.gpu_type is None or self.gpu_type.gpu_vendor.nccl_variables

    @property
    def library(self) -> str:
        """The library for its collectives."""
        return "NCCL" if self.gpu_type is None else self.gpu_type.gpu_vendor.library


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """An accepted finding; ``until`` is an ISO date or None."""

    check: str
    at: str
    reason: str
    until: str | None
    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fabric:
    """The whole inventory. Hosts and switches in natural order of their names, other maps by name.

    ``name``: of the fabric if several clusters share it, else None.
    """

    site: str
    name: str | None
    cluster: Cluster
    type: str
    mtu: int
    cross_rail: str
    adaptive_routing: bool
    qos: Qos | None
    arp: Arp | None
    partition: str | None
    underlay: Underlay | None
    rails: Rails | None
    vlans: tuple[Vlan, ...]
    subnets: tuple[Subnet, ...]
    host_types: tuple[HostType, ...]
    hosts: tuple[Host, ...]
    switches: tuple[Switch, ...]
    host_links: tuple[HostLink, ...]
    switch_links: tuple[SwitchLink, ...]
    networks: tuple[Network, ...]
    workloads: tuple[Workload, ...]
    accept: tuple[Acceptance, ...]
