"""Everything one switch is told: every decision made, nothing left for a template to work out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from netaddr import IPAddress, IPNetwork

from netplan.diagnostics import Path
from netplan.model.hardware import SwitchType
from netplan.model.nos import NosLimits
from netplan.model.ranges import compressed
from netplan.model.values import InterfaceAddress


@dataclass(frozen=True, slots=True)
class PortVlans:
    """VLANs a host port carries, from what the PF and VFs behind it use."""

    tagged: tuple[int, ...]
    untagged: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """A number with its arithmetic, for the switch README."""

    name: str
    value: int
    unit: str
    formula: str
    inputs: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Headroom:
    """Lossless buffer of one priority group of one port, in bytes; alpha = 2**dynamic_th.

    ``cable_m``: the length the numbers are for, never shorter than the cable. ``reserved``: what each
    priority group takes from the ingress pool, 0 where XOFF is a pool of its own.
    """

    cable_m: int
    xoff: int
    xon: int
    size: int
    dynamic_th: int
    reserved: int
    formula: str
    inputs: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchPort:
    """One cabled port. ``kind``: host, uplink (to an upper switch) or downlink (to a lower one).

    ``mtu``: as the NOS counts it; ``ip_mtu``: what an IP packet may be. ``untagged`` has one id or none.
    ``rdma``: frames are classified here. ``buffer_cable_m``: length to configure, that of the headroom's row.
    ``headroom`` is None when the port has no lossless priority, the NOS sizes it, or ``missing`` says why
    there is no number. ``lengths``: what the SKU's table has at this speed.
    """

    name: str
    kind: str
    peer: str
    at: Path = field(compare=False, repr=False)
    speed_gbps: int
    cable_m: int
    mtu: int
    ip_mtu: int
    tagged: tuple[int, ...]
    untagged: tuple[int, ...]
    addresses: tuple[InterfaceAddress, ...]
    rdma: bool
    pfc: tuple[int, ...]
    buffer_cable_m: int
    headroom: Headroom | None
    missing: str
    lengths: tuple[int, ...]

    @property
    def speed_mbps(self) -> int:
        return self.speed_gbps * 1000

    @property
    def routed(self) -> bool:
        return bool(self.addresses)

    @property
    def vlans(self) -> tuple[int, ...]:
        return tuple(sorted({*self.tagged, *self.untagged}))


@dataclass(frozen=True, slots=True)
class VlanMember:
    port: str
    tagged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchVlan:
    """One VLAN on one switch; ``addresses`` of its VLAN interface, empty when it is not routed here."""

    id: int
    name: str
    addresses: tuple[InterfaceAddress, ...]
    members: tuple[VlanMember, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BgpNeighbour:
    name: str
    port: str
    address: IPAddress
    local: IPAddress
    remote_as: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressFamily:
    """What a switch routes of one IP version. ``others``: BGP neighbours with a session of the other one."""

    ipv6: bool
    networks: tuple[IPNetwork, ...]
    neighbours: tuple[BgpNeighbour, ...]
    others: tuple[BgpNeighbour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueEcn:
    """Marking of one queue. ``kmin`` and ``kmax`` in the NOS's unit, probability in percent."""

    kmin: int
    kmax: int
    kmin_bytes: int
    kmax_bytes: int
    probability: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchQueue:
    """One queue in use; ``weight`` in percent, 0 for a strict one; ``ecn`` has one entry or none.

    ``dscps`` and ``pcps``: code points and 802.1p values classified into it.
    """

    number: int
    classes: str
    strict: bool
    lossless: bool
    weight: int
    dscps: tuple[int, ...]
    pcps: tuple[int, ...]
    ecn: tuple[QueueEcn, ...]

    @property
    def dscp_list(self) -> str:
        return compressed(self.dscps)

    @property
    def pcp_list(self) -> str:
        return compressed(self.pcps)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchQos:
    """QoS of a switch; with ``enabled`` false everything is empty.

    Maps are positional: ``dscp_to_tc`` has 64 entries, the others 8. ``pfc_to_pg``: the lossless pairs only.
    ``ecn_known``: false where the NOS's unit needs a size of the ASIC that nobody states; thresholds are then
    in bytes.
    """

    enabled: bool
    dscp_trust: bool
    ecn_known: bool
    dscp_to_tc: tuple[int, ...]
    pcp_to_tc: tuple[int, ...]
    tc_to_queue: tuple[int, ...]
    tc_to_pg: tuple[int, ...]
    pfc_to_queue: tuple[int, ...]
    pfc: tuple[int, ...]
    queues: tuple[SwitchQueue, ...]
    class_dscps: tuple[tuple[str, int, int], ...]

    @property
    def weighted(self) -> tuple[SwitchQueue, ...]:
        return tuple(queue for queue in self.queues if not queue.strict)

    @property
    def marking(self) -> tuple[SwitchQueue, ...]:
        """Queues with ECN."""
        return tuple(queue for queue in self.queues if queue.ecn)

    @property
    def strict_on_top(self) -> bool:
        """Whether every strict queue is above every weighted one."""
        highest = max((queue.number for queue in self.weighted), default=-1)
        return all(queue.number > highest for queue in self.queues if queue.strict)

    @property
    def strict_levels(self) -> tuple[tuple[int, int], ...]:
        """(queue, level) from queue 7 down to the lowest strict one, level 1 served first.

        For a NOS whose strict queues must be one run from the top: those that no class uses fill the gaps.
        """
        lowest = min((queue.number for queue in self.queues if queue.strict), default=8)
        weighted = {queue.number for queue in self.weighted}
        run = (number for number in range(7, lowest - 1, -1) if number not in weighted)
        return tuple((number, level) for level, number in enumerate(run, start=1))

    @property
    def idle(self) -> tuple[int, ...]:
        """Queues that no class uses, those of ``strict_levels`` left out."""
        taken = {queue.number for queue in self.weighted} | {number for number, _ in self.strict_levels}
        return tuple(number for number in range(8) if number not in taken)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchWatchdog:
    """Times in the NOS's unit; ``detection_polls``: the same as a number of polls."""

    enabled: bool
    poll: str
    detection: str
    restoration: str
    detection_polls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchArp:
    """Neighbour ageing. ``age``: in the NOS's unit, rounded up; ``kernel``: Linux keeps the table.

    ``gc_thresh``: gc_thresh1..3, empty without ``kernel``. ``mac_seconds``: MAC age in force, 0 if unknown;
    ``mac_wanted``: what the inventory states, 0 if nothing.
    """

    enabled: bool
    age: int
    unit: str
    seconds: int
    kernel: bool
    reachable_ms: int
    gc_thresh: tuple[int, ...]
    gc_shipped: tuple[int, ...]
    from_garp: bool
    ipv6: bool
    mac_seconds: int
    mac_wanted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourDemand:
    """Entries a switch must hold at worst, and the ASIC's table (0: unknown)."""

    hosts: int
    uplinks: int
    total: int
    host_table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferDemand:
    """Bytes. ``pool``: ingress lossless pool, 0 where unknown; ``reserved``: sum over ports and priorities.

    ``xoff_one`` and ``xoff_all``: queue length at which a priority group sends XOFF when it alone, or every
    lossless one, is congested; 0 where unknown.
    """

    pool: int
    reserved: int
    xoff_one: int
    xoff_all: int


@dataclass(frozen=True, slots=True)
class MissingFeature:
    """A feature the plan asks for and the NOS has not, or whose command is only a comment."""

    feature: str
    required: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchPlan:
    """One switch. ``asn`` is 0 without BGP. ``networks``: prefixes it announces, host links among them."""

    name: str
    id: int
    role: str
    nos: str
    type: SwitchType
    at: Path = field(compare=False, repr=False)
    port_pattern: str
    limits: NosLimits
    asic_known: bool
    asic_flags: tuple[str, ...]
    sku: str
    loopbacks: tuple[InterfaceAddress, ...]
    asn: int
    router_id: str
    ports: tuple[SwitchPort, ...]
    vlans: tuple[SwitchVlan, ...]
    neighbours: tuple[BgpNeighbour, ...]
    networks: tuple[IPNetwork, ...]
    host_networks: tuple[IPNetwork, ...]
    qos: SwitchQos
    watchdog: SwitchWatchdog
    arp: SwitchArp
    demand: NeighbourDemand
    buffers: BufferDemand
    computed: tuple[Computed, ...]
    missing: tuple[MissingFeature, ...]
    unconfirmed: tuple[MissingFeature, ...]

    @property
    def families(self) -> tuple[AddressFamily, ...]:
        """The IP versions it announces or has BGP sessions of, IPv4 first."""
        used = {n.version for n in self.networks} | {n.address.version for n in self.neighbours}
        return tuple(
            AddressFamily(
                ipv6=version == 6,
                networks=tuple(n for n in self.networks if n.version == version),
                neighbours=tuple(n for n in self.neighbours if n.address.version == version),
                others=tuple(n for n in self.neighbours if n.address.version != version),
            )
            for version in sorted(used)
        )

    @property
    def lossless_ports(self) -> tuple[SwitchPort, ...]:
        return tuple(port for port in self.ports if port.pfc)

    @property
    def rdma_ports(self) -> tuple[SwitchPort, ...]:
        """Ports whose frames are classified: those to HCAs that pods use, and those to other switches."""
        return tuple(port for port in self.ports if port.rdma)

    @property
    def lossless_rows(self) -> tuple[tuple[int, int], ...]:
        """(Mb/s, configured cable length) of the lossless ports, each once."""
        return tuple(sorted({(port.speed_mbps, port.buffer_cable_m) for port in self.lossless_ports}))

    @property
    def longest_lossless_m(self) -> int:
        """Longest cable with a lossless priority in metres, for a NOS with one length for all ports."""
        return max((port.cable_m for port in self.lossless_ports), default=0)

    @property
    def dynamic_buffers(self) -> bool:
        return self.type.buffer_model == "dynamic"


def first_of_each(
    switches: Iterable[SwitchPlan], kind: Callable[[SwitchPlan], object]
) -> tuple[SwitchPlan, ...]:
    """The first switch of every kind, in order: what holds for it holds for the others."""
    found: dict[object, SwitchPlan] = {}
    for switch in switches:
        found.setdefault(kind(switch), switch)
    return tuple(found.values())
