"""NP411 and NP413 to NP415: how switches implement the classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.plan import Plan
from netplan.model.switch_qos import BufferDemand, QueueEcn
from netplan.model.switching import first_of_each


@check(
    "NP411",
    "classification by VLAN priority on untagged frames",
    on=Plan,
    counts=lambda plan: len(plan.switches) if plan.qos and plan.qos.trust == "pcp" else 0,
    about="switches",
)
def pcp_without_tag(plan: Plan) -> Iterator[Finding]:
    """The priority is in the VLAN tag.

    **Why.** Untagged frames and routed links carry no tag, so everything becomes best effort at that hop.
    **Fix.** Set fabric.qos.trust to dscp.
    **Source.** Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016
    """
    seen = set()
    for switch in plan.switches:
        for port in switch.rdma_ports:
            if (port.routed or port.untagged) and port.at not in seen:
                seen.add(port.at)
                kind = "is routed" if port.routed else f"has VLAN {port.untagged[0]} untagged"
                what = f"trust is pcp, {switch.name} {port.name} {kind}"
                yield Finding(port.at, what, "set fabric.qos.trust to dscp")


def _sized(plan: Plan) -> int:
    return sum(bool(switch.buffers.xoff_one) for switch in plan.switches)


class _Threshold(NamedTuple):
    """An ECN key and the XOFF threshold it must stay below while ``groups`` (for a message) are congested."""

    key: str
    value: Callable[[QueueEcn], int]
    groups: str
    xoff: Callable[[BufferDemand], int]


_FULL_MARKING = _Threshold("kmax_bytes", lambda e: e.kmax_bytes, "one priority group", lambda b: b.xoff_one)
_FIRST_MARK = _Threshold("kmin_bytes", lambda e: e.kmin_bytes, "every priority group", lambda b: b.xoff_all)


def _late_marking(plan: Plan, threshold: _Threshold) -> Iterator[Finding]:
    """Findings for thresholds at or above XOFF: one per class and switch type."""
    seen = set()
    lossless = plan.fabric.qos.lossless if plan.fabric.qos is not None else ()
    for switch, c in product(plan.switches, lossless):
        limit, key = threshold.xoff(switch.buffers), threshold.key
        marks = [ecn for queue in switch.qos.queues if queue.number == c.priority for ecn in queue.ecn]
        value = max(map(threshold.value, marks), default=0)
        if not limit or value < limit or (c.name, switch.type.name) in seen:
            continue
        seen.add((c.name, switch.type.name))
        where = f"at which {switch.name} sends XOFF when {threshold.groups} is congested"
        what = f"{key} {value} of class {c.name} is not below {limit}, {where}"
        if c.ecn is None:
            yield Finding((*c.at, "ecn_rule"), what, f"state ecn with a {key} below {limit} instead")
        else:
            yield Finding((*c.at, "ecn", key), what, f"lower {key} below {limit}")


@check(
    "NP413",
    "PFC pauses before ECN marks fully",
    on=Plan,
    counts=_sized,
    severity=Severity.WARNING,
    about="switches",
)
def ecn_after_pfc(plan: Plan) -> Iterator[Finding]:
    """The queue must reach kmax_bytes before a priority group sends XOFF.

    **Why.** Otherwise pauses come first, ECN marks are rare, and senders are never told to slow down.
    **Fix.** Lower kmax_bytes.
    **Source.** sonic-net/sonic-buildimage issue 27606; SONiC wiki, ECN on lossless queues
    """
    yield from _late_marking(plan, _FULL_MARKING)


@check(
    "NP414",
    "PFC can pause before ECN marks at all",
    on=Plan,
    counts=_sized,
    severity=Severity.INFO,
    about="switches",
)
def ecn_after_pfc_under_load(plan: Plan) -> Iterator[Finding]:
    """When all lossless priority groups are congested, each has only a small part of the pool.

    **Why.** Under such load XOFF comes before the first ECN mark, so PFC takes over from ECN.
    **Fix.** Lower kmin_bytes below the value named if wide incast is expected.
    **Source.** pool x alpha / (1 + n x alpha): sonic-net/sonic-buildimage issue 27606
    """
    yield from _late_marking(plan, _FIRST_MARK)


@check(
    "NP415",
    "switches map one DSCP to different classes",
    on=Plan,
    counts=lambda plan: sum(s.qos.dscp_trust for s in plan.switches),
    severity=Severity.WARNING,
    about="switches",
)
def dscp_maps_differ(plan: Plan) -> Iterator[Finding]:
    """Every hop must put a packet into the same class.

    **Why.** A packet that is lossless on one switch and best effort on the next is dropped there.
    **Fix.** Keep applications off the code points named, or use one NOS.
    **Source.** NVIDIA Onyx user manual 3.10, chapter RoCE (its profile maps DSCP / 8);
    sonic-net/sonic-buildimage 086b03bd files/build_templates/qos_config.j2 (a map of single code points).
    """
    trusting = (switch for switch in plan.switches if switch.qos.dscp_trust)
    first, *others = first_of_each(trusting, lambda switch: switch.qos.dscp_to_tc)
    for other in others:
        pairs = zip(first.qos.dscp_to_tc, other.qos.dscp_to_tc, strict=True)
        differ = [dscp for dscp, (left, right) in enumerate(pairs) if left != right]
        if differ and plan.fabric.qos:
            shown = ", ".join(map(str, differ))
            what = (
                f"{first.name} ({first.nos}) and {other.name} ({other.nos}) classify DSCP {shown} differently"
            )
            yield Finding(plan.fabric.qos.at, what, "keep applications off these code points")
