"""Derives the QoS values of every hop from the inventory's one QoS statement."""

from __future__ import annotations

from netplan.model.qos import QosPlan, TrafficClass
from netplan.model.qos_classes import Qos, QosClass

ECT0 = 2
"""ECN field ECT(0), part of the traffic class byte (106 for DSCP 26)."""


def plan_qos(qos: Qos) -> QosPlan:
    """Derive every hop's values from the classes."""
    shares = _shares(qos.classes)
    classes = tuple(
        TrafficClass(
            name=c.name,
            dscp=c.dscp,
            priority=c.priority,
            tos=c.dscp << 2 | ECT0,
            lossless=c.lossless,
            strict=c.scheduling == "strict",
            weight_percent=shares.get(c.name, 0),
            ecn=c.ecn,
            ecn_rule=c.ecn_rule,
        )
        for c in qos.classes
    )
    best_effort = 100 - sum(shares.values())
    to_priority = {c.dscp: c.priority for c in classes}
    weights = {0: best_effort} | {c.priority: c.weight_percent for c in classes}
    return QosPlan(
        trust=qos.trust,
        classes=classes,
        cnp=next((c for c in classes if c.name == "cnp"), None),
        best_effort_percent=best_effort,
        dscp_to_priority=tuple(to_priority.get(dscp, 0) for dscp in range(64)),
        weights=tuple(weights.get(p, 0) for p in range(8)),
        strict=tuple(sorted(c.priority for c in classes if c.strict)),
        pfc=tuple(sorted(c.priority for c in classes if c.lossless)),
        watchdog=qos.watchdog,
    )


def _shares(classes: tuple[QosClass, ...]) -> dict[str, int]:
    """Bandwidth percent of each non-strict class. Classes without a stated share and best effort split the
    rest evenly."""
    weighted = [c for c in classes if c.scheduling == "dwrr"]
    stated = {c.name: c.bandwidth_percent for c in weighted if c.bandwidth_percent is not None}
    unstated = [c.name for c in weighted if c.name not in stated]
    each = (100 - sum(stated.values())) // (len(unstated) + 1)
    return stated | dict.fromkeys(unstated, each)
