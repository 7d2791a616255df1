"""NP8xx, first part: buffers and timers of a switch."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import SwitchPlan, first_of_each

PERCENT = 100


def _switch_count(plan: Plan) -> int:
    return len(plan.switches)


def _lossless_count(plan: Plan) -> int:
    return sum(len(switch.lossless_ports) for switch in plan.switches)


def _type(switch: SwitchPlan) -> str:
    return switch.type.name


def _once_per_link(plan: Plan) -> Iterator[tuple[SwitchPlan, SwitchPort]]:
    """One lossless port per link of the inventory and switch type: the members of a range are alike."""
    seen: set[tuple[Path, str]] = set()
    for switch in plan.switches:
        for port in switch.lossless_ports:
            if (port.at, switch.type.name) not in seen:
                seen.add((port.at, switch.type.name))
                yield switch, port


@check("NP805", "no headroom is known for a lossless port", on=Plan, counts=_lossless_count)
def headroom_missing(plan: Plan) -> Iterator[Finding]:
    """PFC needs room for what is on the way when it pauses the sender; it depends on speed and cable.

    **Why.** SONiC gives a port whose speed and length are not in the table no lossless buffer at all, and
    says so only in its log: packets drop under load.
    **Fix.** Correct cable_m or speed_gbps, or use the other buffer model.
    **Source.** sonic-net/sonic-swss cfgmgr/buffermgr.cpp; sonic-net/sonic-mgmt issue 20422
    """
    for switch, port in _once_per_link(plan):
        if port.missing:
            listed = f"lengths that exist: {', '.join(map(str, port.lengths))} m" if port.lengths else ""
            hint = listed or "use another buffer_model, model or speed, or a shorter cable"
            yield Finding(port.at, f"{switch.name} {port.name}: {port.missing}", hint)


@check(
    "NP806",
    "a cable length between two rows of the table",
    on=Plan,
    counts=_lossless_count,
    severity=Severity.INFO,
)
def cable_between_rows(plan: Plan) -> Iterator[Finding]:
    """The next longer row is configured.

    **Why.** SONiC looks the length up exactly; the longer row only costs buffer.
    **Fix.** Nothing.
    **Source.** sonic-net/sonic-swss cfgmgr/buffermgr.cpp
    """
    for switch, port in _once_per_link(plan):
        if port.headroom and port.headroom.cable_m != port.cable_m:
            below = max((n for n in port.lengths if n < port.cable_m), default=0)
            rows = (
                f"between {below} and {port.headroom.cable_m} m"
                if below
                else f"below {port.headroom.cable_m} m"
            )
            what = f"{switch.name} {port.name}: cable of {port.cable_m} m is {rows}"
            yield Finding(port.at, what, f"nothing to do: {port.headroom.cable_m} m is configured")


@check(
    "NP807",
    "lossless headroom does not fit the buffer",
    on=Plan,
    counts=lambda plan: sum(bool(s.buffers.total) for s in plan.switches),
)
def pool_too_small(plan: Plan) -> Iterator[Finding]:
    """Every lossless priority of every port reserves its headroom beside the ingress pool of the SKU.

    **Why.** Pool and headroom are the same memory. What does not fit is refused, and the last ports have PFC
    without headroom; in the dynamic model nothing is left to share.
    **Fix.** Shorten cables, use one lossless class, or a model with more buffer.
    **Source.** sonic-net/SONiC doc/qos/dynamically-headroom-calculation.md (headroom is no part of the
    ingress pool); buffers_defaults_t0.j2 and _t1.j2 of the SKU in sonic-net/sonic-buildimage
    """
    for switch in plan.switches:
        buffers = switch.buffers
        if buffers.total and buffers.reserved > buffers.room:
            beside = f" beside its ingress pool of {buffers.pool}" if buffers.pool else ""
            has = f"{switch.sku} has {buffers.room}{beside}"
            what = f"{switch.name} reserves {buffers.reserved} bytes for lossless priorities, {has}"
            yield Finding(switch.at, what, "use fewer lossless classes or shorter cables")


@check("NP808", "the NOS does not run on the switch's ASIC", on=Plan, counts=_switch_count)
def asic_unknown(plan: Plan) -> Iterator[Finding]:
    """Buffers, maps and units depend on the ASIC.

    **Why.** What is emitted would be for another chip.
    **Fix.** Correct the model, its asic in catalog.switches, or the nos.
    **Source.** sonic-net/sonic-swss e6b0c5b cfgmgr/buffer_headroom_mellanox.lua and pg_profile_lookup.ini of
    the SKUs (SONiC); arista.com/en/um-eos/eos-quality-of-service; CumulusNetworks/docs,
    Forwarding-Table-Size-and-Profiles.md; H3C RDMA technical reference 6W100; Huawei EDOC1100345000;
    juniper.net, QFX5200 configuration essentials.
    """
    for switch in first_of_each((s for s in plan.switches if not s.asic_known), _type):
        kind = switch.type
        what = f"{kind.nos} has no data for {kind.model.asic}, the ASIC of {kind.model.name}"
        yield Finding((*kind.at, "model"), what, "correct model or nos of the switch type")


def _stated_queues(plan: Plan) -> int:
    return sum(bool(switch.type.queue_bytes) for switch in plan.switches)


@check("NP843", "a queue size that ECN thresholds do not fit", on=Plan, counts=_stated_queues)
def queue_bytes_unfit(plan: Plan) -> Iterator[Finding]:
    """ECN in percent needs the size of the queue, and both thresholds lie below it.

    **Why.** A level of 100 percent or more is refused or never marks; on a NOS that takes bytes or cells the
    key changes nothing.
    **Fix.** State the size as the switch has it, lower the threshold, or remove queue_bytes.
    **Source.** Juniper statement fill-level: percent of the memory of the queue, the last level not 100
    """
    for switch in first_of_each((s for s in plan.switches if s.type.queue_bytes), _type):
        at, size = (*switch.type.at, "queue_bytes"), switch.type.queue_bytes
        if not switch.qos.queue_bytes or not switch.qos.marking:
            why = "has no queue with ECN" if switch.qos.queue_bytes else "takes no ECN threshold in percent"
            what = f"queue_bytes of switch type {switch.type.name} is {size}, but "
            yield Finding(at, f"{what}{switch.name} ({switch.nos}) {why}", "remove queue_bytes")
        for queue in switch.qos.marking if switch.qos.queue_bytes else ():
            if queue.ecn[0].kmax >= PERCENT:
                what = f"ECN of queue {queue.number} ends at {queue.ecn[0].kmax_bytes} bytes, "
                what += f"queue_bytes of switch type {switch.type.name} is {size}"
                yield Finding(at, what, "correct queue_bytes, or lower kmax_bytes of the class")


@check(
    "NP844",
    "PFC watchdog times the switch cannot have",
    on=Plan,
    counts=lambda plan: sum(bool(s.watchdog.step_ms or s.watchdog.unfit) for s in plan.switches),
)
def watchdog_unfit(plan: Plan) -> Iterator[Finding]:
    """Some ASICs count watchdog times in steps, and only so many of them.

    **Why.** The command is refused, and the switch keeps the times it was shipped with.
    **Fix.** Take times that the steps of every switch lead to, or another switch model.
    **Source.** Huawei EDOC1100345000, deadlock-detect and deadlock-recovery: steps of 10, 100, 500 or 1000 ms
    by model.
    """
    for switch in first_of_each((s for s in plan.switches if s.watchdog.unfit), _type):
        what = f"PFC watchdog of {switch.name} ({switch.type.model.asic}): {switch.watchdog.unfit}"
        yield Finding(("fabric", "qos", "pfc_watchdog"), what, "take times within these bounds")
