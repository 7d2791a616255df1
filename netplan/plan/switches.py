"""Combines fabric, addresses and QoS into one complete plan per switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from netaddr import IPAddress

from netplan.model.addresses import AddressPlan
from netplan.model.alike import Shapes, own_values, shape_of
from netplan.model.bounds import SwitchBounds
from netplan.model.fabric import Fabric
from netplan.model.hardware import Switch, SwitchType
from netplan.model.nos import FEATURES, NosAsic, NosProfile
from netplan.model.qos import QosPlan
from netplan.model.switch_ports import PhysicalPort, PortVlans
from netplan.model.switch_qos import SwitchQos, SwitchWatchdog
from netplan.model.switching import (
    Computed,
    MissingFeature,
    NeighbourDemand,
    SwitchPlan,
    SwitchRelease,
)
from netplan.model.values import InterfaceAddress
from netplan.plan.balance import adaptive_ports, hash_seed
from netplan.plan.buffer_patch import plan_buffer_patch
from netplan.plan.buffers import buffer_demand, small_packet_percent
from netplan.plan.frr import plan_frr
from netplan.plan.neighbours import plan_arp, plan_demand
from netplan.plan.physical_ports import physical_ports
from netplan.plan.releases import plan_release
from netplan.plan.switch_features import asked_features, missing_features, unconfirmed_features
from netplan.plan.switch_numbers import computed_numbers, computed_totals
from netplan.plan.switch_ports import Cabling, PortKey, Ports, cabling
from netplan.plan.switch_qos import plan_switch_qos
from netplan.plan.switch_vlans import Segments, announced, host_networks, plan_vlans, segment_index
from netplan.plan.switch_watchdog import plan_watchdog
from netplan.records import dataclass

Demand = Callable[[Switch], NeighbourDemand]


@dataclass(frozen=True, slots=True)
class _Inputs:
    """Inputs common to all switches."""

    fabric: Fabric
    addresses: AddressPlan
    qos: QosPlan | None
    cables: Cabling
    segments: Segments
    demand: Demand


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """Values common to all switches of a type, planned once. ``qos``: switch QoS by the speed in Gb/s of the
    slowest RDMA port."""

    nos: NosProfile
    ports: Ports
    release: SwitchRelease
    bounds: SwitchBounds
    watchdog: SwitchWatchdog
    qos: Callable[[int], SwitchQos]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Concluded:
    """Results derived from the rest of a plan, independent of the switch's own values: computed once per
    shape."""

    physical: tuple[PhysicalPort, ...]
    missing: tuple[MissingFeature, ...]
    unconfirmed: tuple[MissingFeature, ...]
    computed: tuple[Computed, ...]
    totals: tuple[Computed, ...]
    notes: tuple[tuple[str, str], ...]


def plan_switches(
    fabric: Fabric,
    addresses: AddressPlan,
    qos: QosPlan | None,
    nos: Mapping[str, NosProfile],
    port_vlans: Mapping[PortKey, PortVlans],
    demand: Demand | None = None,
) -> tuple[SwitchPlan, ...]:
    """One plan per switch whose NOS is in ``nos``, in the fabric's order.

    ``demand``: neighbour demand of a switch, where hosts beyond this fabric's count too. Never fails: what
    cannot be decided is marked in the plan (``SwitchPort.missing``, ``SwitchPlan.missing``) for the checks to
    report.
    """
    cables = cabling(fabric, addresses, qos.pfc if qos else (), port_vlans)
    segments = segment_index(fabric, addresses)
    counted = demand or own_demand(fabric, addresses, cables, segments)
    inputs = _Inputs(fabric, addresses, qos, cables, segments, counted)
    types = {s.type.name: s.type for s in fabric.switches if s.type.nos in nos}
    kinds = {name: _kind(inputs, of, nos[of.nos]) for name, of in types.items()}
    concluded: Shapes[_Concluded] = Shapes()
    return tuple(
        _with_conclusions(_plan(inputs, s, kinds[s.type.name]), inputs, nos[s.type.nos], concluded)
        for s in fabric.switches
        if s.type.name in kinds
    )


def own_demand(fabric: Fabric, addresses: AddressPlan, cables: Cabling, segments: Segments) -> Demand:
    """Neighbour demand from the hosts and pods of this inventory alone."""

    def demand(switch: Switch) -> NeighbourDemand:
        gateways = segments.gateways.get(switch.name, ())
        return plan_demand(fabric, addresses, cables, switch, gateways)

    return demand


def _kind(inputs: _Inputs, kind: SwitchType, nos: NosProfile) -> _Kind:
    asic = nos.asics.get(kind.model.asic)
    return _Kind(
        nos=nos,
        ports=Ports(kind, nos, inputs.cables),
        release=plan_release(kind, nos),
        bounds=_bounds(nos, asic),
        watchdog=plan_watchdog(inputs.qos, nos, asic),
        qos=cache(lambda speed_gbps: plan_switch_qos(inputs.qos, nos, kind, speed_gbps)),
    )


def _plan(inputs: _Inputs, switch: Switch, kind: _Kind) -> SwitchPlan:
    """The switch's plan, with the fields of ``_Concluded`` still empty."""
    nos = kind.nos
    asic = nos.asics.get(switch.type.model.asic)
    model = nos.models.get(switch.type.model.name)
    ports = kind.ports.of(switch)
    vlans = plan_vlans(switch, ports, inputs.segments)
    loopback = inputs.addresses.loopbacks.get(switch.name)
    loopbacks = (
        () if loopback is None else (InterfaceAddress(loopback, 32 if loopback.version == 4 else 128),)
    )
    hosts = host_networks(ports)
    networks = announced(loopbacks, vlans, hosts)
    demand = inputs.demand(switch)
    neighbours = inputs.segments.neighbours.get(switch.name, ())
    ipv6 = any(network.version == 6 for network in networks)
    asic_flags = asic.flags if asic else ()
    sku = model.sku if model else ""
    asn = inputs.addresses.asns.get(switch.name, 0) if neighbours else 0
    seed = hash_seed(switch) if neighbours else 0
    small_packet_shipped = nos.dynamic_buffers.small_packet_percent if nos.dynamic_buffers else 0
    return SwitchPlan(
        name=switch.name,
        id=switch.id,
        role=switch.role,
        nos=nos.name,
        release=kind.release,
        type=switch.type,
        at=switch.at,
        port_pattern=nos.port_name,
        limits=nos.limits,
        bounds=kind.bounds,
        asic_known=asic is not None,
        asic_flags=asic_flags,
        sku=sku,
        loopbacks=loopbacks,
        asn=asn,
        router_id=_router_id(switch, loopback),
        ports=ports,
        physical=(),
        vlans=vlans,
        hash_seed=seed,
        adaptive=adaptive_ports(inputs.fabric, nos, switch.type, ports),
        neighbours=neighbours,
        frr=plan_frr(switch.type, nos, bool(neighbours), hosts),
        networks=networks,
        host_networks=hosts,
        qos=kind.qos(min((port.speed_gbps for port in ports if port.rdma), default=0)),
        watchdog=kind.watchdog,
        arp=plan_arp(inputs.fabric, nos, switch, demand, ipv6),
        demand=demand,
        buffers=buffer_demand(switch.type, nos, ports),
        small_packet_percent=small_packet_percent(switch.type, nos),
        small_packet_shipped=small_packet_shipped,
        patch=plan_buffer_patch(switch.type, nos, inputs.cables.pfc, ports),
        computed=(),
        totals=(),
        missing=(),
        unconfirmed=(),
        notes=(),
    )


def _bounds(nos: NosProfile, asic: NosAsic | None) -> SwitchBounds:
    """The NOS's bounds, with the ASIC family's own lossy priorities where it has them."""
    own = asic.lossy_priorities if asic is not None else None
    return nos.bounds if own is None else replace(nos.bounds, lossy_priorities=own)


def _with_conclusions(
    plan: SwitchPlan, inputs: _Inputs, nos: NosProfile, concluded: Shapes[_Concluded]
) -> SwitchPlan:
    kind = (plan.nos, plan.type.name, len(plan.ports))
    found = concluded.find(kind, shape_of(plan, own_values(plan)), lambda: _concluded(plan, inputs, nos))
    return replace(
        plan,
        physical=found.physical,
        missing=found.missing,
        unconfirmed=found.unconfirmed,
        computed=found.computed,
        totals=found.totals,
        notes=found.notes,
    )


def _concluded(plan: SwitchPlan, inputs: _Inputs, nos: NosProfile) -> _Concluded:
    whole = replace(plan, physical=physical_ports(plan.type, nos, plan.ports))
    asked = asked_features(whole, inputs.fabric, inputs.qos)
    known = replace(
        whole,
        missing=missing_features(whole, asked, nos),
        unconfirmed=unconfirmed_features(whole, asked, nos),
    )
    return _Concluded(
        physical=known.physical,
        missing=known.missing,
        unconfirmed=known.unconfirmed,
        computed=computed_numbers(known, nos, inputs.qos),
        totals=computed_totals(known, nos, inputs.fabric),
        notes=tuple((name, nos.notes[name]) for name in FEATURES if name in asked and name in nos.notes),
    )


def _router_id(switch: Switch, loopback: IPAddress | None) -> str:
    """32-bit BGP router ID: as stated, else the IPv4 loopback, else the switch's id as a dotted quad."""
    if switch.router_id is not None:
        return str(switch.router_id)
    return str(loopback if loopback is not None and loopback.version == 4 else IPAddress(switch.id))
