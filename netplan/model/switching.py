"""Everything one switch is told: all decisions made, nothing left for a template to compute."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from netaddr import IPAddress, IPNetwork

from netplan.diagnostics import Path
from netplan.model.bounds import SwitchBounds
from netplan.model.frr import SwitchFrr
from netplan.model.hardware import SwitchType
from netplan.model.nos import TITLES, NosLimits
from netplan.model.switch_buffers import BufferPatch
from netplan.model.switch_ports import PhysicalPort, SwitchPort, SwitchVlan
from netplan.model.switch_qos import BufferDemand, SwitchQos, SwitchWatchdog
from netplan.model.values import InterfaceAddress
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """A number with its arithmetic, for the switch README; ``verdict``: whether it is enough, if known."""

    name: str
    value: int
    unit: str
    formula: str
    inputs: str
    source: str
    verdict: str

    @property
    def quantity(self) -> str:
        """``1,204,224 bytes``; without a unit the value as a file has it."""
        return f"{self.value:,} {self.unit}" if self.unit else str(self.value)


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
class SwitchArp:
    """Neighbour ageing. ``age``: in the NOS's unit, rounded up; ``kernel``: Linux keeps the table.

    ``gc_thresh``: gc_thresh1..3, empty without ``kernel``. ``mac_seconds``: MAC age in force, 0 if unknown;
    ``mac_wanted``: stated by the inventory, 0 if nothing.
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
    """Neighbour entries a switch must hold at worst, and the ASIC's table size (0: unknown).

    ``hosts``: addresses in use. ``stale``: of ended pods, not aged out yet. ``routed``: the total if every
    NIC had a routed link.
    """

    hosts: int
    stale: int
    uplinks: int
    total: int
    routed: int
    host_table: int


@dataclass(frozen=True, slots=True)
class MissingFeature:
    """A feature that the plan asks for and the NOS lacks, or has only as a comment.

    ``needed``: an error unless accepted. ``asked_by``: the key that asks for it, "" if any switch of this
    plan must have it.
    """

    feature: str
    needed: bool
    asked_by: str
    reason: str

    @property
    def title(self) -> str:
        return TITLES[self.feature]


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchRelease:
    """``name``: release the files are written for. ``stated``: the inventory's nos_version, "" without.

    ``known``: whether ``stated`` is within the NOS's data, from ``oldest`` to ``newest``. ``forms``: values
    of ``name`` for what differs between releases. ``text``: the same in words.
    """

    name: str
    stated: str
    known: bool
    oldest: str
    newest: str
    forms: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchPlan:
    """One switch. ``asn``: 0 without BGP. ``networks``: prefixes it announces, host links included.

    ``physical``: ports of the switch itself. ``hash_seed``: for ECMP, 0 without. ``adaptive``: ports with
    adaptive routing. ``computed``: numbers independent of the number of ports, ``totals``: those that grow
    with it. ``small_packet_shipped``: the NOS's default share, 0 without a dynamic model. ``notes``: features
    the NOS has without a line from netplan, and what to confirm about them.
    """

    name: str
    id: int
    role: str
    nos: str
    release: SwitchRelease
    type: SwitchType
    at: Path = field(compare=False, repr=False)
    port_pattern: str
    limits: NosLimits
    bounds: SwitchBounds
    asic_known: bool
    asic_flags: tuple[str, ...]
    sku: str
    loopbacks: tuple[InterfaceAddress, ...]
    asn: int
    router_id: str
    ports: tuple[SwitchPort, ...]
    physical: tuple[PhysicalPort, ...]
    vlans: tuple[SwitchVlan, ...]
    hash_seed: int
    adaptive: tuple[str, ...]
    neighbours: tuple[BgpNeighbour, ...]
    frr: SwitchFrr
    networks: tuple[IPNetwork, ...]
    host_networks: tuple[IPNetwork, ...]
    qos: SwitchQos
    watchdog: SwitchWatchdog
    arp: SwitchArp
    demand: NeighbourDemand
    buffers: BufferDemand
    small_packet_percent: int
    small_packet_shipped: int
    patch: BufferPatch
    computed: tuple[Computed, ...]
    totals: tuple[Computed, ...]
    missing: tuple[MissingFeature, ...]
    unconfirmed: tuple[MissingFeature, ...]
    notes: tuple[tuple[str, str], ...]

    @property
    def gaps(self) -> tuple[MissingFeature, ...]:
        return (*self.missing, *self.unconfirmed)

    @property
    def lacking(self) -> frozenset[str]:
        """Features that lines do not set, or only in part."""
        return frozenset(gap.feature for gap in self.gaps)

    @property
    def breakouts(self) -> tuple[PhysicalPort, ...]:
        """Physical ports to split; a port that is also used whole stays whole."""
        return tuple(port for port in self.divided if not port.whole)

    @property
    def ports_and_splits(self) -> tuple[tuple[SwitchPort, tuple[PhysicalPort, ...]], ...]:
        """Each port with the physical port to split that it is a part of: none or one."""
        splits = {member: split for split in self.breakouts for member in split.members}
        return tuple((port, (splits[port.name],) if port.name in splits else ()) for port in self.ports)

    @property
    def divided(self) -> tuple[PhysicalPort, ...]:
        """Physical ports with parts in use."""
        return tuple(port for port in self.physical if port.parts > 1)

    @property
    def families(self) -> tuple[AddressFamily, ...]:
        """IP versions it announces or has BGP sessions over, IPv4 first."""
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
    def bridged_jumbo(self) -> int:
        """MTU of its bridged ports if it is above the standard one, else 0; all ports have the same."""
        return max((port.mtu for port in self.ports if not port.routed and port.mtu > 1500), default=0)

    @property
    def lossless_ports(self) -> tuple[SwitchPort, ...]:
        return tuple([port for port in self.ports if port.pfc])

    @property
    def rdma_ports(self) -> tuple[SwitchPort, ...]:
        """Ports whose frames are classified: to HCAs that pods use, and to other switches."""
        return tuple(port for port in self.ports if port.rdma)

    @property
    def set_ports(self) -> tuple[SwitchPort, ...]:
        """Ports whose speed, FEC, auto-negotiation or admin status the inventory states."""
        return tuple(port for port in self.ports if port.settings.stated)

    @property
    def stated_fec(self) -> tuple[str, ...]:
        return tuple(sorted({port.settings.fec for port in self.ports} - {""}))

    @property
    def lossless_rows(self) -> tuple[tuple[int, int], ...]:
        """(Mb/s, configured cable length) of the lossless ports, each once."""
        return tuple(sorted({(port.speed_mbps, port.buffer_cable_m) for port in self.lossless_ports}))

    @property
    def longest_lossless_m(self) -> int:
        """Longest cable with a lossless priority in m, for NOSes with one length for all ports."""
        return max((port.cable_m for port in self.lossless_ports), default=0)

    @property
    def computes_headroom(self) -> bool:
        """Whether the dynamic buffer model applies here, so that ``small_packet_percent`` has an effect."""
        return self.dynamic_buffers and any(port.headroom for port in self.ports)

    @property
    def dynamic_buffers(self) -> bool:
        return self.type.buffer_model == "dynamic"


def first_of_each(
    switches: Iterable[SwitchPlan], kind: Callable[[SwitchPlan], object]
) -> tuple[SwitchPlan, ...]:
    """The first switch of every kind, in order, to represent the others."""
    found: dict[object, SwitchPlan] = {}
    for switch in switches:
        found.setdefault(kind(switch), switch)
    return tuple(found.values())


def first_of_each_type(switches: Iterable[SwitchPlan]) -> tuple[SwitchPlan, ...]:
    return first_of_each(switches, lambda switch: switch.type.name)


def first_of_each_nos(switches: Iterable[SwitchPlan]) -> tuple[SwitchPlan, ...]:
    return first_of_each(switches, lambda switch: switch.nos)
