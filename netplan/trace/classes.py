"""Traffic classes: which of the site's a pod sends with, by the traffic class byte of its environment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from netplan.model.site import PATH, SiteClass
from netplan.trace.model import Fault, SentClass, Verdict

TRAFFIC_CLASS = ("NCCL_IB_TC", "UCX_IB_TRAFFIC_CLASS")
"""Environment of a pod: the traffic class byte of its RDMA packets, whose upper six bits are the DSCP."""


def sent(classes: Iterable[SiteClass], workload: str, file: str, env: Mapping[str, str]) -> SentClass:
    """What a pod sends with, and why that is no lossless class of the site, where it has any."""
    lossless = sorted(each.dscp for each in classes if each.lossless)
    stated = {name: int(env[name]) for name in TRAFFIC_CLASS if env.get(name, "").isdecimal()}
    dscps = {name: byte >> 2 for name, byte in stated.items()}
    first = next(iter(dscps.values()), None)
    if not lossless:
        return SentClass(first, False)
    if not stated:
        names = " or ".join(TRAFFIC_CLASS)
        text = f"the traffic class of {workload} is not stated; {names} would prove it ({file})"
        return SentClass(None, False, (), (text,))
    known = ", ".join(map(str, lossless))
    wrong = tuple(
        Fault(
            Verdict.LOSSY,
            f"{name} {stated[name]} of {workload} is DSCP {dscp} ({file}): the lossless classes of the "
            f"site have DSCP {known} ({PATH})",
        )
        for name, dscp in dscps.items()
        if dscp not in lossless
    )
    return SentClass(first, not wrong, wrong)
