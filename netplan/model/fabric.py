"""What the user declared, with names resolved to objects and texts to types: the result of ``resolve``.

``at`` is the path of an entity in the inventory, so that a check can point at it; it plays no part in
comparisons. Under a ranged key all members carry the path of that key.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from netaddr import IPAddress, IPNetwork

from netplan.diagnostics import Path
from netplan.model.cluster import Cluster
from netplan.model.hardware import Host, HostLink, HostType, Labels, Switch, SwitchLink


@dataclass(frozen=True, slots=True, kw_only=True)
class Ecn:
    """Thresholds in bytes, probability in percent."""

    kmin_bytes: int
    kmax_bytes: int
    probability_percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QosClass:
    """``ecn``: stated thresholds; ``ecn_rule``: what derives them instead, see ``plan/ecn.py``."""

    name: str
    dscp: int
    priority: int
    lossless: bool
    bandwidth_percent: int | None
    scheduling: str
    ecn: Ecn | None
    ecn_rule: str | None
    at: Path = field(compare=False, repr=False)

    @property
    def marked(self) -> bool:
        """Whether switches mark its packets."""
        return self.ecn is not None or self.ecn_rule is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watchdog:
    """Times in milliseconds."""

    poll_ms: int
    detection_ms: int
    restoration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Qos:
    """``classes`` in order of priority; ``cnp`` is one of them. ``nic_pfc_stall_ms``: in milliseconds."""

    trust: str
    classes: tuple[QosClass, ...]
    watchdog: Watchdog | None
    nic_pfc_stall_ms: int | None
    at: Path = field(compare=False, repr=False)

    @property
    def lossless(self) -> tuple[QosClass, ...]:
        return tuple(c for c in self.classes if c.lossless)

    @property
    def cnp(self) -> QosClass | None:
        return next((c for c in self.classes if c.name == "cnp"), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arp:
    """Ages in seconds."""

    timeout_seconds: int
    mac_timeout_seconds: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Underlay:
    """``leaf_asn_counts``, ``spine_asn_counts``: the AS number is written with a +, to count up with the id.

    ``max_oversubscription``: bandwidth down / up of a leaf in percent, None without a limit.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Rails:
    """``vlan_ids`` has one id per rail or is empty; ``rail_networks[r]`` is rail r's part of each
    supernet."""

    count: int
    segment: str
    vlan_ids: tuple[int, ...]
    supernets: tuple[IPNetwork, ...]
    prefixes: tuple[int, ...]
    rail_prefixes_stated: bool
    rail_networks: tuple[tuple[IPNetwork, ...], ...]
    gateway: str
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vlan:
    name: str
    id: int
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subnet:
    """``exclude`` as (first, last) pairs. ``external``: a router outside of the inventory has the gateway.

    ``routes``: prefixes behind the gateway that pods get routes to.
    """

    name: str
    cidr: IPNetwork
    vlan: Vlan | None
    gateway: IPAddress | None
    external: bool
    routes: tuple[IPNetwork, ...]
    exclude: tuple[tuple[IPAddress, IPAddress], ...]
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """``host_types`` and ``hcas``: what the inventory names, empty for "all fitting ones"."""

    name: str
    per_rail: bool
    mode: str
    host_types: tuple[HostType, ...]
    hcas: tuple[str, ...]
    subnet: Subnet | None
    ipam: str
    namespaces: tuple[str, ...]
    resource: str
    resource_name: str | None
    resource_prefix: str | None
    share_max: int
    vf_range: tuple[int, int] | None
    block_size: int | None
    routing: str
    traffic_class: QosClass | None
    tagging: str
    vlan_qos: int | None
    trust: str | None
    spoofchk: str | None
    link_state: str | None
    min_tx_rate_mbps: int | None
    max_tx_rate_mbps: int | None
    pkey: int | None
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveTest:
    program: str
    args: tuple[str, ...]
    mpirun_args: tuple[str, ...]
    tcp_fallback: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Nccl:
    """What a workload states for NCCL; None leaves NCCL's own. ``fifo_class``: of clear-to-send messages."""

    qps_per_connection: int | None
    split_data_on_qps: bool | None
    fifo_class: QosClass | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """``hosts``: the hosts its pods may run on, from the types, hosts and ranges it names. Sizes in MiB.

    ``unbound_traffic``: its processes open sockets on the rails that are bound to no address. ``roles``:
    replicated jobs, worker groups or tasks of the owner's jobs that take part; empty: all that can.
    """

    name: str
    namespace: str
    hosts: tuple[Host, ...]
    networks: tuple[Network, ...]
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
    annotations: Labels
    env: tuple[tuple[str, str], ...]
    test: CollectiveTest
    at: Path = field(compare=False, repr=False)

    @property
    def host_types(self) -> tuple[HostType, ...]:
        return tuple(sorted({h.type.name: h.type for h in self.hosts}.values(), key=lambda t: t.name))


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
    """The whole inventory. Hosts and switches in natural order of their names, other maps by name."""

    site: str
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
