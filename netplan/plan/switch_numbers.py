"""Computed numbers of a switch's plan, each with its arithmetic, for the README."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.fabric import Fabric
from netplan.model.nos import NosProfile
from netplan.model.qos import QosPlan
from netplan.model.ranges import compressed
from netplan.model.switch_ports import oversubscription
from netplan.model.switching import Computed, SwitchPlan
from netplan.plan.balance import SEED_STEP, TIERS
from netplan.plan.capacity import down_ports, rail_ports, up_ports
from netplan.plan.ecn import RULES
from netplan.plan.headroom import qbb_headroom
from netplan.plan.verdicts import (
    SEED_VERDICT,
    headroom_verdict,
    kernel_verdict,
    kmax_verdict,
    kmin_verdict,
    mac_age_verdict,
    neighbours_verdict,
    oversubscription_verdict,
    qbb_verdict,
    reserved_verdict,
)

_ARP_SOURCE = "RFC 7342; Linux neighbour table: gc_thresh3 is a hard limit"
_LINKS = "inventory: links"
_XOFF_FORMULA = "pool x alpha / (1 + n x alpha), alpha = 2^dynamic_th"


def computed_numbers(plan: SwitchPlan, nos: NosProfile, qos: QosPlan | None) -> tuple[Computed, ...]:
    """Numbers that stay the same when a cable of an existing kind is added."""
    return (
        *_headroom(plan, nos),
        *(_xoff(plan, nos) if plan.buffers.pool else ()),
        *_marking(plan, qos),
        *_mac_age(plan, nos),
        *_seed(plan, nos),
    )


def computed_totals(plan: SwitchPlan, nos: NosProfile, fabric: Fabric) -> tuple[Computed, ...]:
    """Numbers that change with every cable."""
    limit = fabric.underlay.max_oversubscription if fabric.underlay else None
    return (*_pool(plan, nos), *_neighbours(plan), *_bandwidth(plan, limit), *_budget(plan))


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


def _xoff(plan: SwitchPlan, nos: NosProfile) -> Iterator[Computed]:
    """XOFF threshold for the whole pool; in the dynamic model an upper bound, for the buffer that headroom
    leaves."""
    buffers = plan.buffers
    pool = f"pool {buffers.pool:,} bytes" if buffers.pool else "pool at most the buffer without headroom"
    yield Computed(
        name="XOFF threshold, one priority group congested",
        value=buffers.xoff_one,
        unit="bytes",
        formula=_XOFF_FORMULA,
        inputs=f"{pool}, n 1",
        source=nos.models[plan.type.model.name].source,
        verdict=kmax_verdict(plan.qos, buffers.xoff_one),
    )


def _pool(plan: SwitchPlan, nos: NosProfile) -> Iterator[Computed]:
    buffers = plan.buffers
    if not buffers.shared:
        return
    source = nos.models[plan.type.model.name].source
    groups = sum(len(port.pfc) for port in plan.lossless_ports)
    yield Computed(
        name="lossless priority groups",
        value=groups,
        unit="",
        formula="sum over ports of their lossless priorities",
        inputs="",
        source=_LINKS,
        verdict="",
    )
    if buffers.total and buffers.reserved:
        beside = f", ingress pool {buffers.pool:,} of it" if buffers.pool else ""
        yield Computed(
            name="headroom reserved",
            value=buffers.reserved,
            unit="bytes",
            formula="sum of size over these groups",
            inputs=f"buffer {buffers.total:,} bytes{beside}",
            source=source,
            verdict=reserved_verdict(buffers),
        )
    if not buffers.pool:
        yield from _xoff(plan, nos)
    yield Computed(
        name="XOFF threshold, all of them congested",
        value=buffers.xoff_all,
        unit="bytes",
        formula=_XOFF_FORMULA,
        inputs=f"pool {f'{buffers.pool:,} bytes' if buffers.pool else 'as above'}, n of these groups",
        source=source,
        verdict=kmin_verdict(plan.qos, buffers.xoff_all),
    )


def _marking(plan: SwitchPlan, qos: QosPlan | None) -> Iterator[Computed]:
    """ECN thresholds that a rule derived."""
    verdict = "see the XOFF threshold" if plan.buffers.shared else "not judged: the buffer pool is unknown"
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
                verdict=verdict,
            )


def _mac_age(plan: SwitchPlan, nos: NosProfile) -> Iterator[Computed]:
    """The MAC age, only where the NOS has a line that sets it."""
    if plan.arp.mac_wanted and nos.writes("mac_age"):
        yield Computed(
            name="MAC ageing time",
            value=plan.arp.mac_wanted,
            unit="s",
            formula="stated; a MAC entry that ages before its ARP entry makes lossless frames flood",
            inputs="fabric.arp.mac_timeout_seconds",
            source="inventory",
            verdict=mac_age_verdict(plan.arp),
        )


def _neighbours(plan: SwitchPlan) -> Iterator[Computed]:
    demand, arp = plan.demand, plan.arp
    for name, value, formula in (
        ("addresses of hosts", demand.hosts, "each host link: PF + VFs or pods, twice for IPv6"),
        ("addresses of ended pods", demand.stale, "pod starts/s x ARP age"),
    ):
        yield Computed(name=name, value=value, unit="", formula=formula, inputs="", source=_LINKS, verdict="")
    yield Computed(
        name="neighbour entries at worst",
        value=demand.total,
        unit="",
        formula="sum of the two above plus one per link to a switch",
        inputs=f"host_table {demand.host_table or 'unknown'}",
        source=_ARP_SOURCE,
        verdict=neighbours_verdict(demand),
    )
    if arp.enabled and arp.seconds and demand.total:
        yield Computed(
            name="ARP refreshes",
            value=-(-demand.total // arp.seconds),
            unit="packets/s",
            formula="entries / age, rounded up",
            inputs=f"age {arp.seconds:,} s",
            source=_ARP_SOURCE,
            verdict="",
        )
    for number, value in enumerate(arp.gc_thresh if arp.enabled else (), start=1):
        yield Computed(
            name=f"gc_thresh{number}",
            value=value,
            unit="",
            formula=f"max(shipped, entries x {(1 + number) / 2:g})",
            inputs=f"shipped {arp.gc_shipped[number - 1]}",
            source=_ARP_SOURCE,
            verdict=kernel_verdict(number),
        )


def _bandwidth(plan: SwitchPlan, limit: int | None) -> Iterator[Computed]:
    yield from _rails(plan)
    down, up = (sum(p.speed_gbps for p in ports(plan.ports)) for ports in (down_ports, up_ports))
    for name, value in (("bandwidth down", down), ("bandwidth up", up)):
        if value:
            yield _sum(name, value)
    if up:
        percent = oversubscription(down, up)
        yield Computed(
            name="oversubscription",
            value=percent,
            unit="%",
            formula="bandwidth down / bandwidth up, rounded up",
            inputs="" if limit is None else f"max_oversubscription_percent {limit}",
            source=_LINKS,
            verdict=oversubscription_verdict(percent, limit),
        )


def _rails(plan: SwitchPlan) -> Iterator[Computed]:
    """Bandwidth per rail, rails with the same bandwidth in one entry. Nothing for a single rail: its
    bandwidth is the total."""
    rails = sorted({port.rail for port in plan.ports if port.rail is not None})
    of = {rail: sum(port.speed_gbps for port in rail_ports(plan.ports, rail)) for rail in rails}
    for value in sorted(set(of.values())) if len(of) > 1 else ():
        same = compressed(rail for rail in rails if of[rail] == value)
        yield _sum(f"bandwidth down, rail {same}", value)


def _sum(name: str, value: int) -> Computed:
    formula = "sum of port speeds"
    return Computed(
        name=name, value=value, unit="Gb/s", formula=formula, inputs="", source=_LINKS, verdict=""
    )


def _budget(plan: SwitchPlan) -> Iterator[Computed]:
    yield Computed(
        name="physical ports free",
        value=plan.type.model.ports - len(plan.physical),
        unit="",
        formula="ports of the model - ports in use, the parts of a split port as one",
        inputs=f"{plan.type.model.ports} ports",
        source="inventory: links; catalog: switches",
        verdict="",
    )


def _seed(plan: SwitchPlan, nos: NosProfile) -> Iterator[Computed]:
    """The ECMP hash seed, except where the NOS picks its own."""
    by_hand = any(gap.feature == "hash_seed" for gap in plan.unconfirmed)
    name = "ECMP hash seed, to enter by hand" if by_hand else "ECMP hash seed"
    if plan.hash_seed and "hash_seed" not in nos.notes:
        yield Computed(
            name=name,
            value=plan.hash_seed,
            unit="",
            formula=f"{SEED_STEP} x tier, netplan's own choice",
            inputs=f"{plan.role}: tier {TIERS[plan.role]}",
            source="sonic-net/sonic-buildimage dockers/docker-orchagent/switch.json.j2 has such steps",
            verdict=SEED_VERDICT,
        )
