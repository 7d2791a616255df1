"""Which of the site's traffic classes a pod sends in, from the traffic class byte in its environment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from netplan.model.site import PATH, SiteClass
from netplan.records import dataclass
from netplan.trace.model import Fault, Nic, ReadNicQos, SentClass, Verdict, divided
from netplan.trace.site import TraceWorkload


@dataclass(frozen=True, slots=True)
class _Default:
    """What a library sends with by default, and the source of that."""

    byte: int
    source: str


_DEFAULTS = {
    "NCCL_IB_TC": _Default(0, "docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html"),
    "UCX_IB_TRAFFIC_CLASS": _Default(106, "openucx/ucx src/uct/ib/base/ib_iface.c"),
}
"""Variable -> default on RoCE: the traffic class byte of RDMA packets, DSCP in the upper six bits, ECN in the
lower two (RFC 3168 section 5)."""
_STATED = (*_DEFAULTS, "NVSHMEM_IB_TRAFFIC_CLASS")
"""Variables judged if they are set (docs.nvidia.com/nvshmem, environment variables)."""
_CONTROL = "NCCL_IB_FIFO_TC"
"""For NCCL's clear-to-send messages, which may use another class than the data
(docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html)."""
TRAFFIC_CLASSES = (*_STATED, _CONTROL)
"""All variables that set a traffic class byte."""


def sent(classes: Collection[SiteClass], workload: TraceWorkload, nics: Collection[Nic]) -> SentClass:
    """What a pod sends with and, if the site has lossless classes, why it is in none of them."""
    lossless = {each.dscp: each for each in classes if each.lossless}
    env = workload.env
    stated = {name: int(env[name]) for name in _STATED if env.get(name, "").isdecimal()}
    judged = [nic.qos for nic in nics if nic.qos is not None and nic.qos.judged]
    if not lossless:
        return SentClass(next((b >> 2 for b in stated.values()), None), False, (), tuple(_pausing(judged)))
    if not {*stated} & {*_DEFAULTS}:
        text = f"the traffic class of {workload.name} is not stated; {' or '.join(_DEFAULTS)} would prove it"
        return SentClass(None, False, (), (f"{text} ({workload.file})",))
    first = next(iter(stated.values())) >> 2
    if wrong := tuple(_lossy(workload, stated, lossless)):
        return SentClass(first, False, wrong)
    found = (
        *_not_ect(workload, stated, lossless),
        *_unstated(workload, stated, lossless, nics),
        *_otherwise(classes, judged),
        *_control(classes, workload),
    )
    faults, notes = divided(found)
    return SentClass(first, True, faults, notes, lossless[first].priority)


def _pausing(nics: Iterable[ReadNicQos]) -> Iterator[str]:
    """NICs with PFC on a site without a lossless class."""
    for qos in nics:
        if qos.pfc:
            yield f"no class of the site is lossless ({PATH}), but NICs pause some ({qos.file})"
            return


def _lossy(
    workload: TraceWorkload, stated: dict[str, int], lossless: dict[int, SiteClass]
) -> Iterator[Fault]:
    known = ", ".join(map(str, sorted(lossless)))
    for name, byte in stated.items():
        if byte >> 2 not in lossless:
            said = f"{name} {byte} of {workload.name} is DSCP {byte >> 2} ({workload.env_at(name)})"
            text = f"{said}: the lossless classes of the site have DSCP {known} ({PATH})"
            yield Fault(Verdict.LOSSY, text)


def _otherwise(classes: Collection[SiteClass], nics: Iterable[ReadNicQos]) -> Iterator[Fault]:
    """NICs that map a class to another priority than the site does."""
    for qos in nics:
        for each in classes:
            priority = qos.priorities.get(each.dscp, 0)
            if qos.trust == "dscp" and priority != each.priority:
                text = f"DSCP {each.dscp} is priority {priority} on NICs ({qos.file}), class {each.name} has "
                yield Fault(Verdict.UNPROVED, f"{text}{each.priority} ({PATH})")


def _control(classes: Collection[SiteClass], workload: TraceWorkload) -> Iterator[Fault]:
    value = workload.env.get(_CONTROL)
    if value is None or (value.isdecimal() and int(value[:9]) >> 2 in {each.dscp for each in classes}):
        return
    text = f"{_CONTROL} {value} of {workload.name} matches no class of the site ({workload.env_at(_CONTROL)})"
    yield Fault(Verdict.UNPROVED, text)


def _not_ect(
    workload: TraceWorkload, stated: dict[str, int], lossless: dict[int, SiteClass]
) -> Iterator[Fault]:
    """Switches ECN-mark only packets that are declared ECN-capable."""
    for name, byte in stated.items():
        bits = byte & 3
        if not lossless[byte >> 2].ecn or bits in (1, 2):
            continue
        said = f"{name} {byte} of {workload.name} ({workload.env_at(name)})"
        if bits:
            yield Fault(
                Verdict.LOSSY,
                f"{said} marks every packet as having experienced congestion; {byte - 1} does not",
            )
        else:
            text = (
                f"{said} has no ECT bit: switches may drop what they should mark; {byte + 2} would prove it"
            )
            yield Fault(Verdict.UNPROVED, text)


def _unstated(
    workload: TraceWorkload, stated: dict[str, int], lossless: dict[int, SiteClass], nics: Iterable[Nic]
) -> Iterator[Fault]:
    """A library without a setting, on NICs that do not set the byte either."""
    forced = [nic.qos is not None and nic.qos.port.traffic_class is not None for nic in nics]
    if forced and all(forced):
        return
    for name, default in _DEFAULTS.items():
        if name not in stated and default.byte >> 2 not in lossless:
            text = f"{name} of {workload.name} is not stated; its default is DSCP {default.byte >> 2}"
            yield Fault(Verdict.UNPROVED, f"{text} by {default.source} ({workload.env_at(name)})")
