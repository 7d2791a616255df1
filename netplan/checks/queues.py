"""NP425, NP833, NP834: classes whose queue the switch cannot schedule or mark as stated."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.plan import Plan
from netplan.model.qos_classes import QosClass
from netplan.model.switching import SwitchPlan, first_of_each


def _classified(plan: Plan) -> Iterator[SwitchPlan]:
    """One switch per NOS and ASIC, of those with queues."""
    return iter(first_of_each((s for s in plan.switches if s.qos.queues), _kind))


def _kind(switch: SwitchPlan) -> tuple[str, str]:
    return switch.nos, switch.type.model.asic


def _classes(plan: Plan) -> tuple[QosClass, ...]:
    return plan.fabric.qos.classes if plan.fabric.qos is not None else ()


def _strict_count(plan: Plan) -> int:
    return sum(s.bounds.strict_queues is not None for s in _classified(plan))


def _lossy_count(plan: Plan) -> int:
    return sum(s.bounds.lossy_priorities is not None for s in _classified(plan))


def _names(switches: list[SwitchPlan]) -> str:
    return ", ".join(f"{switch.name} ({switch.nos})" for switch in switches)


@check("NP425", "ECN on a strict queue that does not mark", on=Plan, counts=_strict_count, about="switches")
def strict_without_ecn(plan: Plan) -> Iterator[Finding]:
    """Some switches mark in weighted queues only.

    **Why.** The thresholds cannot be configured, so senders are never told to slow down and PFC pauses
    instead.
    **Fix.** Give the class `scheduling: dwrr` with a bandwidth_percent, or remove its ECN.
    **Source.** cisco.com, Nexus 9000 NX-OS 10.5 QoS guide, Configuring Queuing and Scheduling: random-detect
    stands below bandwidth, never below priority level.
    """
    rules = [(s, s.bounds.strict_queues) for s in _classified(plan)]
    unable = [switch for switch, rule in rules if rule is not None and not rule.marks]
    for c in _classes(plan) if unable else ():
        if c.scheduling == "strict" and c.marked:
            key = "ecn" if c.ecn is not None else "ecn_rule"
            what = (
                f"class {c.name} is strict and has {key}, but strict queues do not mark on {_names(unable)}"
            )
            yield Finding((*c.at, key), what, f"set scheduling: dwrr, or remove {key}")


@check("NP833", "strict queue below a weighted one", on=Plan, counts=_strict_count, about="switches")
def strict_below_weighted(plan: Plan) -> Iterator[Finding]:
    """The priority of a class is its queue, and on some switches strict queues must be the highest ones.

    **Why.** The queue is rejected or served by weight: CNPs wait behind the data they are meant to slow down.
    **Fix.** Give strict classes the highest priorities.
    **Source.** arista.com/en/um-eos/eos-quality-of-service, priority (transmit queues); cisco.com, Nexus 9000
    NX-OS 10.5 QoS guide, Configuring Queuing and Scheduling (priority on the higher numbered QoS groups).
    """
    rules = [(s, s.bounds.strict_queues) for s in _classified(plan)]
    unable = [switch for switch, rule in rules if rule is not None and rule.highest]
    weighted = sorted((c.priority, c.name) for c in _classes(plan) if c.scheduling != "strict")
    for c in _classes(plan) if unable and weighted else ():
        above, other = weighted[-1]
        if c.scheduling == "strict" and c.priority < above:
            what = f"strict class {c.name} has priority {c.priority}, weighted class {other} has {above}"
            what += f"; strict queues must be the highest on {_names(unable)}"
            hint = f"give {c.name} a priority above {above}, or {other} one below {c.priority}"
            yield Finding((*c.at, "priority"), what, hint)


@check("NP834", "priority that cannot be lossless", on=Plan, counts=_lossy_count, about="switches")
def lossy_priority(plan: Plan) -> Iterator[Finding]:
    """Some queues are used by the switch's own protocols or do not support PFC.

    **Why.** The switch rejects PFC there, or BGP and LLDP are paused with the data and sessions time out.
    **Fix.** Use another priority; 3 is lossless in every vendor's RoCE profile.
    **Source.** arista.com/en/support/toi/tag/voq (queue 7 is for control traffic); juniper.net, Understanding
    Default CoS Settings (QFX: network-control is queue 7); Huawei EDOC1100345000, priority (DCB PFC view: 0
    to 5).
    """
    rules = [(s, s.bounds.lossy_priorities) for s in _classified(plan)]
    for c in _classes(plan):
        reasons = [
            f"{switch.name} ({switch.nos}): {rule.why}"
            for switch, rule in rules
            if rule is not None and c.lossless and c.priority in rule.numbers
        ]
        if reasons:
            what = f"lossless class {c.name} has priority {c.priority}, which cannot be lossless on "
            yield Finding((*c.at, "priority"), what + "; ".join(reasons), "use another priority, such as 3")
