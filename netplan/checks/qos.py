"""NP4xx: traffic classes, PFC, ECN, scheduling, PFC watchdog."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric
from netplan.model.qos_classes import Qos, QosClass


def _classes(fabric: Fabric) -> tuple[QosClass, ...]:
    return fabric.qos.classes if fabric.qos else ()


def _class_count(fabric: Fabric) -> int:
    return len(_classes(fabric))


def _qos(fabric: Fabric) -> tuple[Qos, ...]:
    return (fabric.qos,) if fabric.qos else ()


def _qos_count(fabric: Fabric) -> int:
    return len(_qos(fabric))


@check("NP401", "classes share a DSCP", on=Fabric, counts=_class_count)
def dscp_twice(fabric: Fabric) -> Iterator[Finding]:
    """A code point belongs to one class.

    **Why.** Every switch maps it to one traffic class, so the other class never receives a packet.
    **Fix.** Give each class its own DSCP.
    **Source.** RFC 2474
    """
    first: dict[int, QosClass] = {}
    for c in _classes(fabric):
        other = first.setdefault(c.dscp, c)
        if other is not c:
            what = f"classes {other.name} and {c.name} both have DSCP {c.dscp}"
            yield Finding((*c.at, "dscp"), what, "give one of them another DSCP")


@check("NP402", "classes share a priority", on=Fabric, counts=_class_count)
def priority_twice(fabric: Fabric) -> Iterator[Finding]:
    """Priority, traffic class, priority group and queue are one number.

    **Why.** Both classes would share a queue, its scheduling and its PFC: CNPs would wait behind the data
    they are meant to slow down.
    **Fix.** Give each class its own priority.
    **Source.** IEEE 802.1Qbb
    """
    first: dict[int, QosClass] = {}
    for c in _classes(fabric):
        other = first.setdefault(c.priority, c)
        if other is not c:
            what = f"classes {other.name} and {c.name} both have priority {c.priority}"
            yield Finding((*c.at, "priority"), what, "give one of them another priority")


@check("NP403", "more than two lossless classes", on=Fabric, counts=_qos_count)
def too_many_lossless(fabric: Fabric) -> Iterator[Finding]:
    """Each lossless priority takes a full set of headroom on every port.

    **Why.** A third set leaves no shared buffer, or the switch rejects it.
    **Fix.** Keep PFC to one or two classes.
    **Source.** sonic-net/sonic-buildimage 086b03bd files/build_templates/qos_config.j2 (two lossless
    priorities)
    """
    for qos in _qos(fabric):
        names = [c.name for c in qos.lossless]
        if len(names) > 2:
            what = f"{len(names)} classes are lossless ({', '.join(names)}), at most 2 are possible"
            yield Finding((*qos.at, "classes"), what, "set lossless: false on all but two")


@check("NP404", "class uses the best-effort priority", on=Fabric, counts=_class_count)
def priority_of_best_effort(fabric: Fabric) -> Iterator[Finding]:
    """Priority 0 carries all traffic that matches no class.

    **Why.** All unmarked traffic would be in this class too.
    **Fix.** Use a priority from 1 to 7.
    **Source.** NCCL's default traffic class is 0, see NVIDIA/nccl 5067397c src/transport/net_ib
    """
    for c in _classes(fabric):
        if c.priority == 0:
            what = f"class {c.name} has priority 0, which is best effort"
            yield Finding((*c.at, "priority"), what, "use a priority from 1 to 7")


@check("NP405", "ECN thresholds out of order", on=Fabric, counts=_class_count)
def ecn_order(fabric: Fabric) -> Iterator[Finding]:
    """Marking begins at kmin_bytes and is at its highest from kmax_bytes.

    **Why.** SONiC rejects a maximum below the minimum; with equal values marking jumps from none to the
    maximum.
    **Fix.** Make kmin_bytes smaller than kmax_bytes.
    **Source.** sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models/sonic-wred-profile.yang
    """
    for c in _classes(fabric):
        if c.ecn and c.ecn.kmin_bytes >= c.ecn.kmax_bytes:
            what = (
                f"class {c.name} has kmin_bytes {c.ecn.kmin_bytes}, not below kmax_bytes {c.ecn.kmax_bytes}"
            )
            yield Finding((*c.at, "ecn"), what, "lower kmin_bytes or raise kmax_bytes")


@check("NP418", "ECN thresholds both stated and derived", on=Fabric, counts=_class_count)
def ecn_twice(fabric: Fabric) -> Iterator[Finding]:
    """A class has ecn or ecn_rule.

    **Why.** One of the two would have no effect.
    **Fix.** Remove one of them.
    **Source.** netplan's own rule: thresholds are stated (`ecn`) or derived (`ecn_rule`).
    """
    for c in _classes(fabric):
        if c.ecn and c.ecn_rule:
            what = f"class {c.name} has ecn from {c.ecn.kmin_bytes:,} bytes and ecn_rule {c.ecn_rule}"
            yield Finding((*c.at, "ecn_rule"), what, "remove ecn_rule, or ecn")


@check("NP419", "no class is lossless", on=Fabric, counts=_qos_count, severity=Severity.WARNING)
def nothing_lossless(fabric: Fabric) -> Iterator[Finding]:
    """RoCE traffic is in a lossless class, which PFC keeps from being dropped.

    **Why.** Without one no switch sends PFC, pods get no traffic class, and each lost packet costs a
    retransmission of the whole window.
    **Fix.** Set `lossless: true` on the class of RDMA; accept this finding if RoCE is meant to be lossy,
    and name its class in `traffic_class` of the networks.
    **Source.** Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016
    """
    for qos in _qos(fabric):
        if fabric.type == "roce" and not qos.lossless:
            others = (
                ", ".join(c.name for c in qos.classes if c is not qos.cnp and c.scheduling != "strict")
                or "a class of its own"
            )
            what = f"none of the classes {', '.join(c.name for c in qos.classes)} is lossless"
            yield Finding((*qos.at, "classes"), what, f"set lossless: true on {others}")


@check("NP406", "no bandwidth left for best effort", on=Fabric, counts=_qos_count)
def bandwidth_exhausted(fabric: Fabric) -> Iterator[Finding]:
    """The shares of best effort and of all classes that are not strict add up to 100 %.

    **Why.** SSH, storage and ARP are best effort; a share of 0 cannot be configured.
    **Fix.** Lower bandwidth_percent so that every class without one, and best effort, get at least 1 %.
    **Source.** sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models/sonic-scheduler.yang
    """
    for qos in _qos(fabric):
        weighted = [c for c in qos.classes if c.scheduling != "strict"]
        stated = sum(c.bandwidth_percent or 0 for c in weighted)
        needed = 1 + sum(c.bandwidth_percent is None for c in weighted)
        if stated + needed > 100:
            what = f"classes take {stated} %, but {needed} % must be left for the rest"
            yield Finding((*qos.at, "classes"), what, f"lower bandwidth_percent to a sum of {100 - needed}")


@check("NP407", "CNP class can be held up", on=Fabric, counts=_qos_count, severity=Severity.WARNING)
def cnp_held_up(fabric: Fabric) -> Iterator[Finding]:
    """Congestion notification packets (CNPs) must get past full queues.

    **Why.** In a lossless or weighted queue they wait behind the data they are meant to slow down, so
    senders react late and PFC storms follow.
    **Fix.** Set `scheduling: strict` and `lossless: false` on the class cnp.
    **Source.** CumulusNetworks/docs 1ffba627 cumulus-linux-514, RDMA-over-Converged-Ethernet-RoCE.md (CNP:
    DSCP 48, priority 6, strict, in the lossy pool); NVIDIA Onyx user manual 3.10.4100, RoCE Commands, show
    roce (priority 6, strict)
    """
    for qos in _qos(fabric):
        cnp = qos.cnp
        if cnp and (cnp.lossless or cnp.scheduling != "strict"):
            state = "lossless" if cnp.lossless else f"scheduled {cnp.scheduling}"
            yield Finding(cnp.at, f"class cnp is {state}", "set scheduling: strict and lossless: false")


@check("NP408", "ECN without a class for CNPs", on=Fabric, counts=_qos_count, severity=Severity.WARNING)
def no_cnp_class(fabric: Fabric) -> Iterator[Finding]:
    """A receiver answers an ECN mark with a CNP.

    **Why.** Without a class of its own the CNP is best effort and is dropped exactly when there is
    congestion.
    **Fix.** Add a class named cnp, such as {dscp: 48, priority: 6, scheduling: strict}.
    **Source.** CumulusNetworks/docs 1ffba627 cumulus-linux-514, RDMA-over-Converged-Ethernet-RoCE.md (CNP:
    DSCP 48, priority 6, strict); NVIDIA Onyx user manual 3.10.4100, RoCE Commands, show roce (priority 6,
    strict)
    """
    for qos in _qos(fabric):
        marked = [c.name for c in qos.classes if c.marked]
        if marked and qos.cnp is None:
            what = f"class {marked[0]} has ecn, but there is no class cnp"
            yield Finding((*qos.at, "classes"), what, "add cnp: {dscp: 48, priority: 6, scheduling: strict}")


@check("NP409", "lossless class without ECN", on=Fabric, counts=_class_count, severity=Severity.WARNING)
def lossless_without_ecn(fabric: Fabric) -> Iterator[Finding]:
    """PFC alone stops whole links; ECN slows down the flows that cause the congestion.

    **Why.** Pauses spread from switch to switch and stop traffic unrelated to the congestion.
    **Fix.** Add ecn to the class; accept this finding if congestion is controlled by other means.
    **Source.** Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015
    """
    for c in _classes(fabric):
        if c.lossless and not c.marked:
            hint = "add ecn: {kmin_bytes: ..., kmax_bytes: ...}, or ecn_rule: hpcc"
            yield Finding(c.at, f"class {c.name} is lossless and has no ecn", hint)


@check("NP410", "watchdog time below its polling interval", on=Fabric, counts=_qos_count)
def watchdog_too_fast(fabric: Fabric) -> Iterator[Finding]:
    """The watchdog looks at a queue only when it polls.

    **Why.** SONiC rejects detection and restoration times below the polling interval.
    **Fix.** Lower poll_ms or raise the time named.
    **Source.** sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models/sonic-pfcwd.yang
    """
    for qos in _qos(fabric):
        dog = qos.watchdog
        times = {"detection_ms": dog.detection_ms, "restoration_ms": dog.restoration_ms} if dog else {}
        for key, value in times.items():
            if dog and value < dog.poll_ms:
                what = f"{key} {value} is below poll_ms {dog.poll_ms}"
                yield Finding((*qos.at, "pfc_watchdog", key), what, f"raise {key} to {dog.poll_ms} or more")


@check(
    "NP412",
    "RDMA network without QoS",
    on=Fabric,
    counts=lambda fabric: int(fabric.type in ("roce", "pvrdma")),
    severity=Severity.WARNING,
)
def no_qos(fabric: Fabric) -> Iterator[Finding]:
    """RoCE expects a lossless network.

    **Why.** Without classes all traffic is best effort: one incast drops packets, and each drop costs a
    retransmission of the whole window.
    **Fix.** State `fabric.qos`. If a cloud owns the fabric and the inventory has no switches, state the
    NCCL_IB_TC it prescribes, with the reason, in `env` of every workload.
    **Source.** Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016
    """
    hint, prescribed = "state fabric.qos.classes", False
    if not fabric.switches and fabric.type == "roce":
        hint = f"{hint}, or NCCL_IB_TC with its reason if a cloud prescribes it"
        reasons = [dict(w.env_reasons) for w in fabric.workloads]
        prescribed = bool(reasons) and all("NCCL_IB_TC" in names for names in reasons)
    if fabric.qos is None and not prescribed:
        yield Finding(("fabric",), f"fabric type {fabric.type} has no qos", hint)
