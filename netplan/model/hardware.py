"""The hardware: models, host types, hosts, switches and the cables between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from netaddr import IPAddress

from netplan.diagnostics import Path
from netplan.model.values import InterfaceAddress
from netplan.records import dataclass

Labels = tuple[tuple[str, str], ...]
"""Sorted (key, value) pairs."""

ZONE_LABEL = "topology.kubernetes.io/zone"
"""Label that a cloud's controller puts on nodes (kubernetes.io, well-known labels)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NicDriver:
    """How the QoS of a NIC is set at boot; the fields are explained in ``netplan/catalog/nics.yaml``.

    ``script`` None: nothing is written for it; ``unwritten`` says why. ``stall_ms``: (least, most) or None.
    ``modules``: of the kernel.
    """

    name: str
    title: str
    vendor: str
    pf_ids: tuple[str, ...]
    script: str | None
    unwritten: str | None
    operator: bool
    mlxconfig: bool
    trust: tuple[str, ...]
    lossless: int
    shared_only: bool
    whole_host: bool
    adaptive_routing: bool
    stall_ms: tuple[int, int] | None
    modules: tuple[str, ...]
    sources: tuple[str, ...]

    def drives(self, vendor: str, pf_id: str) -> bool:
        return vendor == self.vendor and (not self.pf_ids or pf_id in self.pf_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class HcaModel:
    """A row of the HCA catalog; ids are PCI IDs in lower-case hex.

    ``driver``: None if it is not known how its QoS is set. ``out_of_order``: it accepts RoCE packets out of
    order, as adaptive routing requires.
    """

    name: str
    vendor: str
    driver: NicDriver | None
    pf_id: str
    vf_id: str | None
    max_vfs: int
    speeds_gbps: tuple[int, ...]
    links: tuple[str, ...]
    out_of_order: bool
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuVendor:
    """A row of the GPU catalog; ``library``: for its collectives.

    ``nccl_variables``: the library reads NCCL_*. ``env``: (name, value, reason). ``omitted``: (name, reason).
    ``over_tcp``: variables that keep it off RDMA if it does not read NCCL_*.
    """

    name: str
    library: str
    resources: str
    nccl_variables: bool
    env: tuple[tuple[str, str, str], ...]
    omitted: tuple[tuple[str, str], ...]
    over_tcp: tuple[tuple[str, str], ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchModel:
    """A row of the switch catalog; ``lanes`` per port, which decide how it can be split, 0 if unknown."""

    name: str
    asic: str
    ports: int
    lanes: int
    speeds_gbps: tuple[int, ...]
    host_table: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hca:
    """One HCA port of a host type."""

    name: str
    model: HcaModel
    pci: str | None
    netdev: str | None
    rdma_device: str | None
    vf_rdma_prefix: str | None
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

    @property
    def has_fabric_mtu(self) -> bool:
        """Whether it is set to ``fabric.mtu``: netplan sets no MTU on front-end and storage ports."""
        return self.link == "ethernet" and self.for_pods and not self.virtual

    @property
    def own_vfs(self) -> int | None:
        """VFs that are made of it; None where that is not for the plan to say."""
        return self.vfs if self.for_pods and not self.virtual else None

    @property
    def own_id(self) -> str | None:
        """PCI device ID that the host itself sees; None if not known, as of a storage port of a virtual
        machine."""
        if self.virtual and self.use == "vf":
            return self.model.vf_id
        return None if self.virtual and not self.for_pods else self.model.pf_id


@dataclass(frozen=True, slots=True, kw_only=True)
class HostType:
    """``hcas`` in natural order of their names. ``gpu_resource``: resource by which pods request GPUs."""

    name: str
    node: bool
    gpus: int
    gpu_resource: str
    gpu_vendor: GpuVendor
    instance_type: str | None
    node_selector: Labels
    hcas: tuple[Hca, ...]
    at: Path = field(compare=False, repr=False)

    def hca(self, name: str) -> Hca | None:
        for hca in self.hcas:
            if hca.name == name:
                return hca
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostHca:
    """What one host states about an HCA beyond its type."""

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

    @property
    def zone(self) -> str | None:
        """Availability zone, None where no label states it."""
        return ({**dict(self.type.node_selector), **dict(self.labels)}).get(ZONE_LABEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchType:
    """``host_table``: from the inventory, else the catalog. MTU in bytes.

    ``nos_version``: "" if not stated. ``frr_mode``: owner of FRR's configuration, None if not stated.
    ``small_packet_percentage``: as stated, None for the NOS's default. ``queue_bytes``: queue size for ECN
    thresholds in percent, 0 if not stated.
    """

    name: str
    nos: str
    nos_version: str
    model: SwitchModel
    buffer_model: str
    small_packet_percentage: int | None
    frr_mode: str | None
    host_table: int
    host_table_stated: bool
    port_mtu: int
    queue_bytes: int
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """``router_id``: stated by the inventory, else None."""

    name: str
    type: SwitchType
    id: int
    role: str
    router_id: IPAddress | None
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PortSettings:
    """What the inventory states about the ports at both ends of a cable, "" if nothing; ``autoneg``: on or
    off."""

    admin_status: str = ""
    fec: str = ""
    autoneg: str = ""

    @property
    def rate(self) -> bool:
        """Whether the ports' speed is stated too: FEC and auto-negotiation need one."""
        return bool(self.fec or self.autoneg)

    @property
    def stated(self) -> bool:
        return self.rate or bool(self.admin_status)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLink:
    """A cable from one HCA of one host to one switch port; ``cable_m`` in metres, ``optic`` if stated."""

    host: Host
    hca: Hca
    switch: Switch
    port: str
    cable_m: int
    settings: PortSettings
    optic: str | None
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
    settings: PortSettings
    optic: str | None
    at: Path = field(compare=False, repr=False)
