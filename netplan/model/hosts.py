"""What a host's operating system needs: a HostPlan per host type, and per host that differs from its type."""

from __future__ import annotations

from netplan.model.delivery import HostFile
from netplan.model.hardware import Hca
from netplan.model.modes import RdmaMode
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFile:
    """A systemd.link file: ``match`` is its whole [Match] line; MTU in bytes; None omits a setting."""

    hca: str
    match: str
    netdev: str
    mtu: int | None
    vfs: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """``gateway`` None: on-link; ``table`` None: the main table."""

    destination: str
    gateway: str | None
    source: str
    table: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRule:
    """Packets from ``source`` (a single address) look up ``table``, whose number is also the priority."""

    source: str
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkFile:
    """A systemd.network file. ``link_local``: ``no`` or ``ipv6``. ``lldp``: Ethernet links only.

    ``mtu``: in bytes, None if a link file or an operator sets it.
    """

    hca: str
    netdev: str
    link_local: str
    lldp: bool
    mtu: int | None
    addresses: tuple[str, ...]
    routes: tuple[Route, ...]
    rules: tuple[SourceRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourTerm:
    """Neighbours of one workload's pods: pods x attachments x min(others, remote) x entries of each."""

    workload: str
    pods: int
    attachments: int
    others: int
    remote: int
    entries: int

    @property
    def total(self) -> int:
        return self.pods * self.attachments * min(self.others, self.remote) * self.entries


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """Neighbour table of one family, one for all network namespaces; ``thresholds``: gc_thresh1, 2, 3."""

    family: str
    terms: tuple[NeighbourTerm, ...]
    reserve: int
    thresholds: tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class HugePages:
    """2 MiB pages of one workload: ``pods`` x ``pages_per_pod``."""

    workload: str
    pods: int
    pages_per_pod: int

    @property
    def pages(self) -> int:
        return self.pods * self.pages_per_pod


@dataclass(frozen=True, slots=True, kw_only=True)
class Sysctl:
    """``addressed``: interfaces with an address in a rail; each must answer ARP for its own address only.

    ``addressed6``: those with an IPv6 address.
    """

    neighbours: tuple[Neighbours, ...]
    addressed: tuple[str, ...]
    addressed6: tuple[str, ...]
    hugepages: tuple[HugePages, ...]

    @property
    def pages(self) -> int:
        return sum(h.pages for h in self.hugepages)


@dataclass(frozen=True, slots=True, kw_only=True)
class NicQosDevice:
    """One port, by ``netdev``, else found by ``pci``; ``arguments``: of the script's ``apply``.

    ``tos`` None: left to the application.
    """

    hca: str
    netdev: str | None
    pci: str | None
    tos: int | None
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NicScript:
    """The script for one driver, ``templates/host/nic/<driver>.sh.j2``, with the ports it configures."""

    driver: str
    file: str
    devices: tuple[NicQosDevice, ...]

    @property
    def forces_tos(self) -> bool:
        return any(d.tos is not None for d in self.devices)


@dataclass(frozen=True, slots=True, kw_only=True)
class NicClass:
    """A traffic class on a NIC; ``weight``: its share in percent, 0 if strict."""

    dscp: int
    priority: int
    lossless: bool
    weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledPriority:
    """``limit_gbps``: rate limit in Gb/s, 0 for none."""

    priority: int
    weight: int
    limit_gbps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NicQos:
    """What the NIC QoS scripts set. Lists of eight: ``pfc`` by priority, ``tsa`` and ``weights`` by class.

    ``dscp_to_priority``: all 64 pairs, empty with trust pcp. ``ecn_classes``: priorities with DCQCN, and the
    switches' marking in words. ``scheduled``: priorities in use. ``stall_ms``: None leaves the driver's
    default; ``adaptive_routing``: NICs accept packets in any order. ``wants``: systemd device units of
    interfaces with known names. ``before``: units that start pods.
    """

    trust: str
    classes: tuple[NicClass, ...]
    pfc: tuple[int, ...]
    dscp_to_priority: tuple[tuple[int, int], ...]
    tsa: tuple[str, ...]
    weights: tuple[int, ...]
    scheduled: tuple[ScheduledPriority, ...]
    ecn_classes: tuple[tuple[int, str], ...]
    cnp_dscp: int | None
    cnp_priority: int | None
    stall_ms: int | None
    adaptive_routing: bool
    scripts: tuple[NicScript, ...]
    wants: tuple[str, ...]
    before: tuple[str, ...]

    @property
    def ecn_priorities(self) -> tuple[int, ...]:
        return tuple(priority for priority, _ in self.ecn_classes)

    @property
    def roce(self) -> NicClass:
        """The lossless class, for NICs that have only one."""
        return next(c for c in self.classes if c.lossless)

    @property
    def rest_percent(self) -> int:
        return 100 - self.roce.weight

    @property
    def two_classes(self) -> tuple[str, ...]:
        """``priority:class`` with RoCE in class 1 and everything else in class 0."""
        return tuple(f"{p}:{int(p == self.roce.priority)}" for p in range(8))

    @property
    def three_classes(self) -> tuple[str, ...]:
        """The same with CNPs in class 2."""
        numbers = {self.cnp_priority: 2, self.roce.priority: 1}
        return tuple(f"{p}:{numbers.get(p, 0)}" for p in range(8))


@dataclass(frozen=True, slots=True, kw_only=True)
class FirmwareCard:
    """Firmware settings of one card, set through its function ``pci``; ``hcas``: ports they are for."""

    pci: str
    hcas: tuple[str, ...]
    settings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Firmware:
    """``unplaced``: HCAs without a PCI address in the inventory."""

    cards: tuple[FirmwareCard, ...]
    unplaced: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memlock:
    """Unit that gets an unlimited memlock, None if a drop-in cannot do it; ``reason`` for the README."""

    unit: str | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedHca:
    """Values a single host states about an HCA, as (word, value) pairs for a person to apply."""

    hca: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeReadme:
    """What the README of a type says beyond its files. ``kind``: node, hypervisor or pvrdma-hypervisor.

    ``nic_qos_owner``: None if the fabric has no NIC QoS. ``without_qos``: HCAs whose QoS nothing sets, with
    the reason. ``without_files``: HCAs without a ``.link`` or ``.network`` file in the type's directory.
    """

    kind: str
    distribution: str
    hcas: tuple[Hca, ...]
    vf_owner: str
    rdma_mode: RdmaMode
    nic_qos_owner: str | None
    without_qos: tuple[tuple[str, str], ...]
    without_files: tuple[str, ...]
    gpus: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPlan:
    """Files below ``hosts/<name>/``; ``entity``: inventory path of the host type or host.

    A host's file replaces its type's file of the same name. ``files``: all except the READMEs.
    """

    name: str
    entity: str
    links: tuple[LinkFile, ...] = ()
    networks: tuple[NetworkFile, ...] = ()
    keep_foreign_routes: bool = False
    sysctl: Sysctl | None = None
    netns_mode: int | None = None
    modules: tuple[str, ...] = ()
    qos: NicQos | None = None
    firmware: Firmware | None = None
    memlock: Memlock | None = None
    readme: TypeReadme | None = None
    stated: tuple[StatedHca, ...] = ()
    files: tuple[HostFile, ...] = ()

    @property
    def shown_files(self) -> tuple[HostFile, ...]:
        """One file for each name in a table."""
        return tuple({f.shown: f for f in reversed(self.files)}.values())[::-1]
