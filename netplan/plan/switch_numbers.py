"""Every number of a switch's plan that was computed, with its arithmetic, for the README."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netplan.model.nos import NosProfile
from netplan.model.qos import QosPlan
from netplan.model.switching import Computed, SwitchPlan, SwitchPort
from netplan.plan.balance import SEED_STEP, TIERS
from netplan.plan.capacity import down_ports, rail_ports, up_ports
from netplan.plan.ecn import RULES
from netplan.plan.headroom import qbb_headroom
from netplan.plan.verdicts import (
    headroom_verdict,
    kmax_verdict,
    kmin_verdict,
    neighbours_verdict,
    qbb_verdict,
    reserved_verdict,
)

_ARP_SOURCE = "RFC 7342; Linux neighbour table: gc_thresh3 is a hard limit"
_LINKS = "inventory: links"
_XOFF_FORMULA = "pool x alpha / (1 + n x alpha), alpha = 2^dynamic_th"


def computed_numbers(plan: SwitchPlan, nos: NosProfile, qos: QosPlan | None) -> tuple[Computed, ...]:
    return (
        *_headroom(plan, nos),
        *_pool(plan, nos),
        *_marking(plan, qos),
        *_neighbours(plan),
        *_bandwidth(plan),
        *_budget(plan),
        *_seed(plan, nos),
    )


def _headroom(plan: SwitchPlan, nos: NosProfile) -> Iterator[Computed]:
    """One entry per speed, cable length and result."""
    mtu, asic = plan.type.port_mtu, nos.asics.get(plan.type.model.asic)
    seen = {
        (p.speed_gbps, p.cable_m): p.headroom
        for p in sorted(plan.lossless_ports, key=lambda p: (p.speed_gbps, p.cable_m))
        if p.headroom
    }
    for (speed, cable), headroom in seen.items():
        name = f"XOFF headroom at {speed} Gb/s over {cable} m"
        yield Computed(
            name=name,
            value=headroom.xoff,
            unit="bytes",
            formula=headroom.formula,
            inputs=headroom.inputs,
            source=headroom.source,
            verdict=headroom_verdict(headroom, nos, asic, speed, cable, mtu),
        )
        bound = qbb_headroom(speed, cable, mtu)
        if bound is not None:
            yield Computed(
                name=f"802.1Qbb worst case at {speed} Gb/s over {cable} m, for comparison",
                value=bound,
                unit="bytes",
                formula="2 frames + PAUSE + 2 interfaces + 2 cables + response, in bit times / 8",
                inputs=f"MTU {mtu}, 5 ns/m",
                source="IEEE 802.1Qbb delay budget",
                verdict=qbb_verdict(headroom, bound, speed),
            )


def _pool(plan: SwitchPlan, nos: NosProfile) -> Iterator[Computed]:
    buffers = plan.buffers
    if not buffers.shared:
        return
    source = nos.models[plan.type.model.name].source
    groups = sum(len(port.pfc) for port in plan.lossless_ports)
    if buffers.reserved:
        yield Computed(
            name="reserved for lossless priority groups",
            value=buffers.reserved,
            unit="bytes",
            formula="sum of size over ports and lossless priorities",
            inputs=f"{groups} priority groups; buffer {buffers.total}, ingress pool {buffers.shared} of it",
            source=source,
            verdict=reserved_verdict(buffers),
        )
    one, everyone = buffers.xoff_one, buffers.xoff_all
    for name, value, count, verdict in (
        ("XOFF threshold, one priority group congested", one, 1, kmax_verdict(plan.qos, one)),
        ("XOFF threshold, all priority groups congested", everyone, groups, kmin_verdict(plan.qos, everyone)),
    ):
        inputs = f"pool {buffers.shared}, n {count}"
        yield Computed(
            name=name,
            value=value,
            unit="bytes",
            formula=_XOFF_FORMULA,
            inputs=inputs,
            source=source,
            verdict=verdict,
        )


def _marking(plan: SwitchPlan, qos: QosPlan | None) -> Iterator[Computed]:
    """Thresholds that a rule derived."""
    named = {c.priority: c.ecn_rule for c in qos.classes if c.ecn_rule and not c.ecn} if qos else {}
    for queue in plan.qos.marking:
        if queue.number not in named:
            continue
        rule, ecn = RULES[str(named[queue.number])], queue.ecn[0]
        speed = min(port.speed_gbps for port in plan.rdma_ports)
        for name, value in (("Kmin", ecn.kmin_bytes), ("Kmax", ecn.kmax_bytes)):
            yield Computed(
                name=f"ECN {name} of queue {queue.number}, rule {named[queue.number]}",
                value=value,
                unit="bytes",
                formula=rule.formula,
                inputs=f"slowest RDMA port {speed} Gb/s",
                source=rule.source,
                verdict="",
            )


def _neighbours(plan: SwitchPlan) -> Iterator[Computed]:
    demand, arp = plan.demand, plan.arp
    table = demand.host_table or "unknown"
    yield Computed(
        name="neighbour entries at worst",
        value=demand.total,
        unit="entries",
        formula="each host link: PF + VFs or pods, twice for IPv6; + pod starts/s x ARP age; + uplinks",
        inputs=f"hosts {demand.hosts}, stale {demand.stale}, uplinks {demand.uplinks}; table {table}",
        source=_ARP_SOURCE,
        verdict=neighbours_verdict(plan),
    )
    if arp.enabled and arp.seconds and demand.total:
        yield Computed(
            name="ARP refreshes",
            value=-(-demand.total // arp.seconds),
            unit="packets/s",
            formula="entries / age, rounded up",
            inputs=f"entries {demand.total}, age {arp.seconds} s",
            source=_ARP_SOURCE,
            verdict="",
        )
    if arp.mac_wanted:
        yield Computed(
            name="MAC age, at least the ARP age",
            value=arp.mac_wanted,
            unit="s",
            formula="stated; a MAC entry that ages before its ARP entry makes lossless frames flood",
            inputs="fabric.arp.mac_timeout_seconds",
            source="inventory",
            verdict="",
        )
    for number, value in enumerate(arp.gc_thresh if arp.enabled else (), start=1):
        yield Computed(
            name=f"gc_thresh{number}",
            value=value,
            unit="entries",
            formula=f"max(shipped, entries x {(1 + number) / 2:g})",
            inputs=f"shipped {arp.gc_shipped[number - 1]}, entries {demand.total}",
            source=_ARP_SOURCE,
            verdict="",
        )


def _bandwidth(plan: SwitchPlan) -> Iterator[Computed]:
    rails = sorted({port.rail for port in plan.ports if port.rail is not None})
    yield from (
        row for rail in rails for row in _sum(f"bandwidth down, rail {rail}", rail_ports(plan.ports, rail))
    )
    yield from _sum("bandwidth down", down_ports(plan.ports))
    yield from _sum("bandwidth up", up_ports(plan.ports))
    down, up = (sum(p.speed_gbps for p in ports(plan.ports)) for ports in (down_ports, up_ports))
    if up:
        yield Computed(
            name="oversubscription",
            value=-(-100 * down // up),
            unit="%",
            formula="bandwidth down / bandwidth up, rounded up; up to 100 nothing has to wait for a link up",
            inputs=f"down {down} Gb/s, up {up} Gb/s",
            source=_LINKS,
            verdict="",
        )


def _sum(name: str, ports: Sequence[SwitchPort]) -> Iterator[Computed]:
    speeds = [port.speed_gbps for port in ports]
    if speeds:
        yield Computed(
            name=name,
            value=sum(speeds),
            unit="Gb/s",
            formula="sum of port speeds",
            inputs=f"{len(speeds)} ports",
            source=_LINKS,
            verdict="",
        )


def _budget(plan: SwitchPlan) -> Iterator[Computed]:
    used, has = len(plan.physical), plan.type.model.ports
    yield Computed(
        name="physical ports free",
        value=has - used,
        unit="ports",
        formula="ports of the model - ports in use, the parts of a split port as one",
        inputs=f"{has} ports, {used} in use, {len(plan.breakouts)} of them split",
        source="inventory: links; catalog: switches",
        verdict="",
    )


def _seed(plan: SwitchPlan, nos: NosProfile) -> Iterator[Computed]:
    """Not where the NOS has seeds of its own."""
    if plan.hash_seed and "hash_seed" not in nos.notes:
        yield Computed(
            name="ECMP hash seed",
            value=plan.hash_seed,
            unit="",
            formula=f"{SEED_STEP} x tier; tiers must differ, or a spine chooses as the leaf below it did",
            inputs=f"{plan.role}: tier {TIERS[plan.role]}",
            source="sonic-net/sonic-buildimage dockers/docker-orchagent/switch.json.j2 has such steps",
            verdict="",
        )
