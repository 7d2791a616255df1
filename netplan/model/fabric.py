"""What the user declared, with names resolved to objects and texts to types: the result of ``resolve``.

``at`` is the path of an entity in the inventory, so that a check can point at it; it plays no part in
comparisons. Under a ranged key all members carry the path of that key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from netaddr import IPAddress, IPNetwork

from netplan.diagnostics import Path
from netplan.model.values import InterfaceAddress

Labels = tuple[tuple[str, str], ...]
"""Sorted (key, value) pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HcaModel:
    """A row of the HCA catalog; ids are PCI ids in lower-case hex."""

    name: str
    vendor: str
    pf_id: str
    vf_id: str | None
    max_vfs: int
    speeds_gbps: tuple[int, ...]
    links: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchModel:
    """A row of the switch catalog; ``buffer_bytes`` is the whole packet buffer, ``pools`` what the SKU's
    table gives."""

    name: str
    asic: str
    ports: int
    speeds_gbps: tuple[int, ...]
    host_table: int
    source: str


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
    """``release`` as (year, month): (26, 4)."""

    release: tuple[int, int]
    namespace: str
    repository: str | None
    version: str | None
    ofed_version: str | None
    multus: bool
    admission_webhooks: bool


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
class Cluster:
    """``kubernetes_version`` as (major, minor)."""

    distribution: str
    kubernetes_version: tuple[int, int] | None
    primary_network: PrimaryNetwork
    owners: Owners
    network_operator: NetworkOperator | None
    sriov_operator: SriovOperator | None
    gpu_operator: GpuOperator | None
    nfd: str
    rdma_mode: str
    memlock: str
    at: Path = field(default=("cluster",), compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ecn:
    """Thresholds in bytes, probability in percent."""

    kmin_bytes: int
    kmax_bytes: int
    probability_percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QosClass:
    name: str
    dscp: int
    priority: int
    lossless: bool
    bandwidth_percent: int | None
    scheduling: str
    ecn: Ecn | None
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watchdog:
    """Times in milliseconds."""

    poll_ms: int
    detection_ms: int
    restoration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Qos:
    """``classes`` in order of priority; ``cnp`` is one of them."""

    trust: str
    classes: tuple[QosClass, ...]
    watchdog: Watchdog | None
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
    """``leaf_asn_counts``: the leaf's AS number counts up with its id."""

    leaf_asn: int
    leaf_asn_counts: bool
    spine_asn: int
    loopbacks: IPNetwork
    uplinks: IPNetwork
    uplinks_per_leaf: int
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
    """``exclude`` as (first, last) pairs."""

    name: str
    cidr: IPNetwork
    vlan: Vlan | None
    gateway: IPAddress | None
    exclude: tuple[tuple[IPAddress, IPAddress], ...]
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hca:
    """One HCA port of a host type."""

    name: str
    model: HcaModel
    pci: str | None
    netdev: str | None
    rdma_device: str | None
    rail: int | None
    speed_gbps: int
    link: str
    use: str
    vfs: int
    virtual: bool
    numa: int | None
    at: Path = field(compare=False, repr=False)

    @property
    def for_pods(self) -> bool:
        return self.use in ("vf", "pf")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostType:
    """``hcas`` in natural order of their names."""

    name: str
    node: bool
    gpus: int
    instance_type: str | None
    node_selector: Labels
    hcas: tuple[Hca, ...]
    at: Path = field(compare=False, repr=False)

    def hca(self, name: str) -> Hca | None:
        return next((h for h in self.hcas if h.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostHca:
    """What one host states about one HCA beyond its type."""

    mac: str | None
    pci: str | None
    netdev: str | None
    rdma_device: str | None
    address: InterfaceAddress | None
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One host, or ``count`` nodes without fixed names (then ``named`` is false and ``id`` is 0)."""

    name: str
    type: HostType
    id: int
    named: bool
    count: int
    runs_on: str | None
    labels: Labels
    hcas: Mapping[str, HostHca]
    at: Path = field(compare=False, repr=False)

    @property
    def all_labels(self) -> Labels:
        return tuple(sorted({*self.type.node_selector, *self.labels}))


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchType:
    """``host_table``: stated by the inventory, else the catalog's. MTU in bytes."""

    name: str
    nos: str
    model: SwitchModel
    buffer_model: str
    host_table: int
    host_table_stated: bool
    port_mtu: int
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    name: str
    type: SwitchType
    id: int
    role: str
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLink:
    """A cable from one HCA of one host to one switch port; ``cable_m`` in metres."""

    host: Host
    hca: Hca
    switch: Switch
    port: str
    cable_m: int
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchLink:
    """A cable from a lower switch (leaf) to an upper one (spine)."""

    lower: Switch
    lower_port: str
    upper: Switch
    upper_port: str
    speed_gbps: int | None
    cable_m: int
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
class Workload:
    """``hosts``: the hosts its pods may run on, from the types, hosts and ranges it names. Sizes in MiB."""

    name: str
    namespace: str
    hosts: tuple[Host, ...]
    networks: tuple[Network, ...]
    gpus: int
    nodes: int
    pods_per_node: int
    image: str | None
    container: str
    jobs: tuple[str, ...]
    nccl_version: tuple[int, ...] | None
    cpus: int | None
    memory_mib: int | None
    shm_mib: int | None
    hugepages_2mi_mib: int | None
    runtime_class: str | None
    privileged: bool
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
