"""NP8xx, first part: buffers and timers of a switch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from netplan.checks.once import once
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import SwitchPlan, first_of_each_type

PERCENT = 100


def _switch_count(plan: Plan) -> int:
    return len(plan.switches)


@once
def _lossless_count(plan: Plan) -> int:
    return sum(len(switch.lossless_ports) for switch in plan.switches)


@once
def _once_per_link(plan: Plan) -> list[tuple[SwitchPlan, SwitchPort]]:
    """One lossless port per link of the inventory and switch type: the members of a range are alike."""
    seen: dict[str, set[Path]] = defaultdict(set)
    found = []
    for switch in plan.switches:
        links = seen[switch.type.name]
        for port in switch.lossless_ports:
            if port.at not in links:
                links.add(port.at)
                found.append((switch, port))
    return found


@check("NP805", "no headroom known for a lossless port", on=Plan, counts=_lossless_count, about="switches")
def headroom_missing(plan: Plan) -> Iterator[Finding]:
    """PFC needs buffer for what is in flight when it pauses the sender; the amount depends on speed and
    cable length.

    **Why.** If its speed and length are not in the table, SONiC gives a port no lossless buffer at all
    and only logs it: packets drop under load.
    **Fix.** Correct cable_m or speed_gbps, or use the other buffer model.
    **Source.** sonic-net/sonic-swss e6b0c5b5 cfgmgr/buffermgr.cpp; sonic-net/sonic-mgmt issue 20422
    """
    for switch, port in _once_per_link(plan):
        if port.missing:
            listed = f"lengths that exist: {', '.join(map(str, port.lengths))} m" if port.lengths else ""
            hint = listed or "use another buffer_model, model or speed, or a shorter cable"
            yield Finding(port.at, f"{switch.name} {port.name}: {port.missing}", hint)


@check(
    "NP806",
    "cable length between two rows of the table",
    on=Plan,
    counts=_lossless_count,
    severity=Severity.INFO,
    about="switches",
)
def cable_between_rows(plan: Plan) -> Iterator[Finding]:
    """The next longer row is configured.

    **Why.** SONiC looks up the exact length; the longer row costs buffer but is safe.
    **Fix.** Correct `cable_m` if the cable has another length, else accept the finding.
    **Source.** sonic-net/sonic-swss e6b0c5b5 cfgmgr/buffermgr.cpp
    """
    for switch, port in _once_per_link(plan):
        if port.headroom and port.headroom.cable_m != port.cable_m:
            below = max((n for n in port.lengths if n < port.cable_m), default=0)
            used = port.headroom.cable_m
            rows = f"between {below} and {used} m" if below else f"below {used} m"
            what = f"{switch.name} {port.name}: cable of {port.cable_m} m is {rows}"
            hint = f"check cable_m; accept NP806 if {port.cable_m} m is right"
            yield Finding(port.at, f"{what}, headroom is configured for {used} m", hint)


@check(
    "NP807",
    "lossless headroom does not fit the buffer",
    on=Plan,
    counts=lambda plan: sum(bool(s.buffers.total) for s in plan.switches),
    about="switches",
)
def pool_too_small(plan: Plan) -> Iterator[Finding]:
    """Every lossless priority of every port reserves headroom in addition to the ingress pool of the SKU.

    **Why.** Pool and headroom share the same memory. What does not fit is rejected, and the last ports
    have PFC without headroom; in the dynamic model nothing is left to share.
    **Fix.** Shorten cables, use one lossless class, or a model with more buffer.
    **Source.** sonic-net/SONiC 98de38fd doc/qos/dynamically-headroom-calculation.md (headroom is not part of
    the ingress pool); buffers_defaults_t0.j2 and _t1.j2 of the SKU in sonic-net/sonic-buildimage
    """
    for switch in plan.switches:
        buffers = switch.buffers
        if buffers.total and buffers.reserved > buffers.room:
            beside = f" beside its ingress pool of {buffers.pool:,}" if buffers.pool else ""
            has = f"{switch.sku} has {buffers.room:,}{beside}"
            what = f"{switch.name} reserves {buffers.reserved:,} bytes for lossless priorities, {has}"
            yield Finding(switch.at, what, "use fewer lossless classes or shorter cables")


@check("NP808", "NOS does not support the switch's ASIC", on=Plan, counts=_switch_count, about="switches")
def asic_unknown(plan: Plan) -> Iterator[Finding]:
    """Buffers, maps and units depend on the ASIC.

    **Why.** The configuration would be for another chip.
    **Fix.** Correct the model, its asic in catalog.switches, or the nos.
    **Source.** sonic-net/sonic-swss e6b0c5b cfgmgr/buffer_headroom_mellanox.lua and pg_profile_lookup.ini of
    the SKUs (SONiC); arista.com/en/um-eos/eos-quality-of-service; CumulusNetworks/docs 1ffba627
    cumulus-linux-514, Forwarding-Table-Size-and-Profiles.md; H3C RDMA technical reference 6W100; Huawei
    EDOC1100345000; juniper.net, QFX5200 configuration essentials.
    """
    for switch in first_of_each_type(s for s in plan.switches if not s.asic_known):
        kind = switch.type
        what = f"netplan has no data of {kind.nos} for {kind.model.asic}, the ASIC of {kind.model.name}"
        yield Finding((*kind.at, "model"), what, "correct model or nos of the switch type")


def _stated_queues(plan: Plan) -> int:
    return sum(bool(switch.type.queue_bytes) for switch in plan.switches)


@check(
    "NP843", "queue size does not fit the ECN thresholds", on=Plan, counts=_stated_queues, about="switches"
)
def queue_bytes_unfit(plan: Plan) -> Iterator[Finding]:
    """ECN in percent needs the size of the queue, and both thresholds must be below it.

    **Why.** A threshold of 100 % or more is rejected or never marks; on a NOS that takes bytes or
    cells the key has no effect.
    **Fix.** State the actual queue size of the switch, lower the threshold, or remove queue_bytes.
    **Source.** Juniper statement fill-level: percent of the memory of the queue, the last level not 100
    """
    for switch in first_of_each_type(s for s in plan.switches if s.type.queue_bytes):
        at, size = (*switch.type.at, "queue_bytes"), switch.type.queue_bytes
        if not switch.qos.queue_bytes or not switch.qos.marking:
            why = "has no queue with ECN" if switch.qos.queue_bytes else "takes no ECN threshold in percent"
            what = f"queue_bytes of switch type {switch.type.name} is {size}, but "
            yield Finding(at, f"{what}{switch.name} ({switch.nos}) {why}", "remove queue_bytes")
        for queue in switch.qos.marking if switch.qos.queue_bytes else ():
            if queue.ecn[0].kmax >= PERCENT:
                what = f"Kmax of queue {queue.number} is {queue.ecn[0].kmax_bytes:,} bytes, "
                what += f"queue_bytes of switch type {switch.type.name} is {size}"
                yield Finding(at, what, "correct queue_bytes, or lower kmax_bytes of the class")


@check(
    "NP844",
    "PFC watchdog times not supported by the switch",
    on=Plan,
    counts=lambda plan: sum(bool(s.watchdog.step_ms or s.watchdog.unfit) for s in plan.switches),
    about="switches",
)
def watchdog_unfit(plan: Plan) -> Iterator[Finding]:
    """Some ASICs count watchdog times in a limited number of steps.

    **Why.** The command is rejected, and the switch keeps its default times.
    **Fix.** Use times that the steps of every switch can express, or another switch model.
    **Source.** Huawei EDOC1100345000, deadlock-detect and deadlock-recovery: steps of 10, 100, 500 or 1000 ms
    by model.
    """
    for switch in first_of_each_type(s for s in plan.switches if s.watchdog.unfit):
        what = f"PFC watchdog of {switch.name} ({switch.type.model.asic}): {switch.watchdog.unfit}"
        yield Finding(("fabric", "qos", "pfc_watchdog"), what, "use times within these bounds")
