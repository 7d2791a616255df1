"""NP836 to NP839, NP863: the image's default buffers versus what the inventory requires of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.plan import Plan
from netplan.model.qos_classes import QosClass
from netplan.model.switch_buffers import BufferPatch
from netplan.model.switching import SwitchPlan, first_of_each_type

CLEARLY_BELOW = 0.75
"""Share of the static table's headroom below which the computed one is reported; smaller differences may be
rounding. A rule of thumb, no source."""


def _lossless_count(plan: Plan) -> int:
    return sum(bool(switch.patch.groups) for switch in plan.switches)


def _class(plan: Plan, priority: int) -> QosClass | None:
    classes = plan.fabric.qos.classes if plan.fabric.qos else ()
    return next((c for c in classes if c.priority == priority), None)


def _unknown(plan: Plan) -> tuple[SwitchPlan, ...]:
    return first_of_each_type(s for s in plan.switches if s.patch.unknown)


def _misplaced(
    plan: Plan, priorities: Callable[[BufferPatch], tuple[int, ...]]
) -> Iterator[tuple[SwitchPlan, QosClass]]:
    """QoS classes with these priorities, for each switch type whose image's default rows are unknown."""
    for switch in _unknown(plan):
        for priority in priorities(switch.patch):
            found = _class(plan, priority)
            if found is not None:
                yield switch, found


def _box(switch: SwitchPlan) -> str:
    return f"switch type {switch.type.name} ({switch.nos}, {switch.type.model.name})"


@check(
    "NP836",
    "lossless priority that is lossy in the switch image",
    on=Plan,
    counts=_lossless_count,
    about="switches",
)
def lossy_by_image(plan: Plan) -> Iterator[Finding]:
    """SONiC images make the queues of priorities 3 and 4 lossless and all others lossy, with rows and
    profiles that differ by SKU; netplan can replace them only if it knows them.

    **Why.** The queue of any other priority keeps its lossy profile: the switch sends and obeys PFC, but
    drops.
    **Fix.** Give the class priority 3 or 4, or use a model with `stock` in nos.yaml.
    **Source.** sonic-net/sonic-buildimage 086b03bd files/build_templates/buffers_config.j2
    """
    for switch, c in _misplaced(plan, lambda patch: patch.required):
        what = (
            f"class {c.name} is lossless with priority {c.priority}; queue {c.priority} of "
            f"{_box(switch)} is lossy, and the rows that its image writes are not known"
        )
        free = [p for p in switch.patch.surplus if _class(plan, p) is None]
        wanted = " or ".join(map(str, free)) or "that is lossless in the image"
        yield Finding(
            (*c.at, "priority"), what, f"use priority {wanted}, or a switch model whose rows are known"
        )


@check(
    "NP863",
    "lossy class in a queue that is lossless in the switch image",
    on=Plan,
    counts=_lossless_count,
    severity=Severity.WARNING,
    about="switches",
)
def lossless_by_image(plan: Plan) -> Iterator[Finding]:
    """SONiC images make the queues of priorities 3 and 4 lossless; netplan can undo that only if it knows
    the rows of the SKU.

    **Why.** The class may use up the pool that lossless traffic needs, and nothing pauses its senders.
    **Fix.** Give the class a priority other than 3 and 4.
    **Source.** sonic-net/sonic-buildimage 086b03bd files/build_templates/buffers_config.j2
    """
    for switch, c in _misplaced(plan, lambda patch: patch.surplus):
        what = (
            f"class {c.name} is lossy with priority {c.priority}; queue {c.priority} of "
            f"{_box(switch)} is lossless, and the rows that its image writes are not known"
        )
        yield Finding((*c.at, "priority"), what, "give the class another priority")


def _stated(plan: Plan) -> int:
    return sum(switch.type.small_packet_percentage is not None for switch in plan.switches)


@check(
    "NP837",
    "small_packet_percentage has no effect",
    on=Plan,
    counts=_stated,
    severity=Severity.WARNING,
    about="switches",
)
def small_packets_unused(plan: Plan) -> Iterator[Finding]:
    """Only SONiC's dynamic buffer model computes headroom from it.

    **Why.** The headroom stays at the value of the static table or the NOS default.
    **Fix.** Remove the key, or set buffer_model to dynamic.
    **Source.** sonic-net/sonic-swss e6b0c5b5 cfgmgr/buffer_headroom_mellanox.lua
    """
    for switch in first_of_each_type(plan.switches):
        kind = switch.type
        if kind.small_packet_percentage is not None and not switch.computes_headroom:
            model = f"{kind.nos} with buffer_model {kind.buffer_model} on {kind.model.asic}"
            what = f"{model} does not use small_packet_percentage {kind.small_packet_percentage}"
            hint = "remove the key, or set buffer_model to dynamic where the NOS has it"
            yield Finding((*kind.at, "small_packet_percentage"), what, hint)


def _computed(plan: Plan) -> int:
    return sum(switch.computes_headroom for switch in plan.switches)


@check(
    "NP838",
    "computed headroom well below the static or shipped one",
    on=Plan,
    counts=_computed,
    severity=Severity.INFO,
    about="switches",
)
def below_table(plan: Plan) -> Iterator[Finding]:
    """The dynamic buffer model sizes headroom for a share of 64-byte packets, 50 % by default; the SKU's
    static table assumes the worst case, 64-byte packets only. If a SKU has no table, a stated share below
    the default is reported.

    **Why.** A 64-byte packet fills a cell of 96 to 192 bytes. A burst of small lossless packets, such as
    read requests and acknowledgements, overflows the smaller headroom.
    **Fix.** Set `small_packet_percentage: 100` if the buffer has room; accept the finding if messages are
    large.
    **Source.** sonic-net/sonic-swss e6b0c5b5 cfgmgr/buffer_headroom_mellanox.lua; pg_profile_lookup.ini of
    the SKU; the SKUs' buffers_dynamic.json.j2 ships 50
    """
    for switch in first_of_each_type(s for s in plan.switches if s.computes_headroom):
        ports = [
            (port.headroom.xoff / port.headroom.table_xoff, port, port.headroom)
            for other in plan.switches
            if other.type.name == switch.type.name
            for port in other.lossless_ports
            if port.headroom and port.headroom.table_xoff
        ]
        stated = switch.type.small_packet_percentage
        at = (*switch.type.at, "buffer_model" if stated is None else "small_packet_percentage")
        if not ports:
            if stated is not None and stated < switch.small_packet_shipped:
                what = f"small_packet_percentage {stated} of switch type {switch.type.name} is below the "
                what += f"{switch.small_packet_shipped} of the image, and headroom with it"
                yield Finding(at, what, f"set it to {switch.small_packet_shipped} or more")
            continue
        share, port, headroom = min(ports, key=lambda entry: entry[0])
        if share < CLEARLY_BELOW:
            percent = switch.small_packet_percent
            what = (
                f"with small_packet_percentage {percent} headroom at {port.speed_gbps} Gb/s and "
                f"{port.cable_m} m is {headroom.xoff:,} bytes, the static table of {switch.sku} has "
                f"{headroom.table_xoff:,}"
            )
            hint = "set small_packet_percentage to 100 if lossless traffic consists of many small packets"
            yield Finding(at, what, hint)


def _marking(switch: SwitchPlan) -> bool:
    """Whether a lossless queue marks ECN on a switch whose ports have headroom in bytes."""
    sized = any(port.headroom for port in switch.lossless_ports)
    return sized and any(queue.lossless for queue in switch.qos.marking)


@check(
    "NP839",
    "XOFF threshold unknown",
    on=Plan,
    counts=lambda plan: sum(map(_marking, plan.switches)),
    severity=Severity.INFO,
    about="switches",
)
def pause_level_unknown(plan: Plan) -> Iterator[Finding]:
    """Kmin and Kmax have to be below the queue length at which a priority group sends XOFF, which depends
    on the buffer pool. NP413 and NP414 compare them if the pool of the model is known.

    **Why.** If PFC pauses first, congestion spreads and senders are never told to slow down.
    **Fix.** Compare the thresholds with `mmuconfig -l` on the switch.
    **Source.** pool x alpha / (1 + n x alpha): sonic-net/sonic-buildimage issue 27606
    """
    unknown = (s for s in plan.switches if _marking(s) and not (s.buffers.pool or s.buffers.total))
    for switch in first_of_each_type(unknown):
        queue = next(queue for queue in switch.qos.marking if queue.lossless)
        what = (
            f"Kmax {queue.ecn[0].kmax_bytes:,} of queue {queue.number} was not compared with the level at "
            f"which PFC pauses: the buffer pool of {switch.type.model.name} is not known"
        )
        yield Finding((*switch.type.at, "model"), what, "compare it with `mmuconfig -l` on the switch")
