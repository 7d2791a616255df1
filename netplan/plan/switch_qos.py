"""QoS of one switch: the fabric's QoS in the maps and units of the switch's NOS."""

from __future__ import annotations

from math import ceil

from netplan.model.hardware import SwitchType
from netplan.model.nos import NosProfile
from netplan.model.qos import QosPlan
from netplan.model.qos_classes import Ecn
from netplan.model.switch_qos import QueueEcn, SwitchQos, SwitchQueue, ecn_divisor
from netplan.plan.ecn import thresholds

NO_QOS = SwitchQos(
    enabled=False,
    dscp_trust=False,
    ecn_known=True,
    queue_bytes=0,
    dscp_to_tc=(),
    pcp_to_tc=(),
    tc_to_queue=(),
    tc_to_pg=(),
    pfc_to_queue=(),
    pfc=(),
    queues=(),
    class_dscps=(),
)
BEST_EFFORT = "best effort"
_EVERY_PRIORITY = tuple(range(8))


def plan_switch_qos(qos: QosPlan | None, nos: NosProfile, kind: SwitchType, speed_gbps: int) -> SwitchQos:
    """Switch QoS in which traffic class, priority group and queue all have the priority's number.
    ``speed_gbps``: speed of the slowest RDMA port, 0 without any."""
    if qos is None:
        return NO_QOS
    divisor = ecn_divisor(nos.units.ecn, nos.asics.get(kind.model.asic), kind.queue_bytes)
    used = sorted({0, *(c.priority for c in qos.classes)})
    queue_bytes = round(divisor * 100) if nos.units.ecn == "percent" else 0
    return SwitchQos(
        enabled=True,
        dscp_trust=qos.trust == "dscp",
        ecn_known=bool(divisor),
        queue_bytes=queue_bytes,
        dscp_to_tc=_dscp_map(qos, nos),
        pcp_to_tc=_pcp_map(qos),
        tc_to_queue=_EVERY_PRIORITY,
        tc_to_pg=tuple(p if p in qos.pfc else 0 for p in _EVERY_PRIORITY),
        pfc_to_queue=_EVERY_PRIORITY,
        pfc=qos.pfc,
        queues=tuple(_queue(qos, nos, divisor, speed_gbps, number) for number in used),
        class_dscps=tuple((c.name, c.dscp, c.priority) for c in qos.classes),
    )


def _dscp_map(qos: QosPlan, nos: NosProfile) -> tuple[int, ...]:
    if nos.dscp_map == "any":
        return qos.dscp_to_priority
    used = {c.priority for c in qos.classes}
    return tuple(dscp >> 3 if dscp >> 3 in used else 0 for dscp in range(64))


def _pcp_map(qos: QosPlan) -> tuple[int, ...]:
    used = {c.priority for c in qos.classes}
    return tuple(p if p in used else 0 for p in _EVERY_PRIORITY)


def _into(classified: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Indices of a positional map that it sends to queue ``number``."""
    return tuple(value for value, queue in enumerate(classified) if queue == number)


def fits_roce_profile(qos: QosPlan) -> bool:
    """Whether a vendor's RoCE profile is equivalent: priority = DSCP / 8, 3 lossless, 6 strict, no other."""
    return (
        all(c.dscp >> 3 == c.priority for c in qos.classes)
        and qos.pfc in ((), (3,))
        and qos.strict in ((), (6,))
        and {c.priority for c in qos.classes} <= {3, 6}
    )


def _queue(qos: QosPlan, nos: NosProfile, divisor: float, speed_gbps: int, number: int) -> SwitchQueue:
    classes = [c for c in qos.classes if c.priority == number]
    names = [c.name for c in classes] + ([BEST_EFFORT] if number == 0 else [])
    marking = next((ecn for c in classes if (ecn := thresholds(c, speed_gbps))), None)
    strict, rule = number in qos.strict, nos.bounds.strict_queues
    unmarked = strict and rule is not None and not rule.marks  # NP425
    marks = (_ecn(marking, divisor or 1),) if marking and not unmarked else ()
    weight = 0 if strict else max(1, qos.weights[number])
    return SwitchQueue(
        number=number,
        classes=", ".join(names),
        strict=strict,
        lossless=number in qos.pfc,
        weight=weight,
        dscps=_into(_dscp_map(qos, nos), number),
        pcps=_into(_pcp_map(qos), number),
        ecn=marks,
    )


def _ecn(ecn: Ecn, divisor: float) -> QueueEcn:
    """Thresholds in the NOS's unit. Kmin is rounded down and Kmax up, so that Kmin stays below Kmax."""
    kmin, kmax = int(ecn.kmin_bytes // divisor), ceil(ecn.kmax_bytes / divisor)
    return QueueEcn(
        kmin=kmin,
        kmax=kmax,
        kmin_bytes=round(kmin * divisor),
        kmax_bytes=round(kmax * divisor),
        stated=(ecn.kmin_bytes, ecn.kmax_bytes),
        probability=ecn.probability_percent,
    )
