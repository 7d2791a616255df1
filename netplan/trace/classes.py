"""Traffic classes: which code points the site's files make lossless, and which of them a pod sends with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.graph.qos import lossless_dscps
from netplan.model.nic_text import NIC_SCRIPT, read_nic_script
from netplan.trace.hosts import template_qos
from netplan.trace.model import Fault, SentClass, Verdict
from netplan.trace.site import Site

TRAFFIC_CLASS = ("NCCL_IB_TC", "UCX_IB_TRAFFIC_CLASS")
"""Environment of a pod: the traffic class byte of its RDMA packets, whose upper six bits are the DSCP."""


class Classes:
    """Of one site; worked out when a pod is built first."""

    def __init__(self, site: Site) -> None:
        self.lossless = frozenset(dscp for found in (_of_hosts(site), _of_switches(site)) for dscp in found)

    def sent(self, workload: str, file: str, env: Mapping[str, str]) -> SentClass:
        """What a pod sends with, and why that is no lossless class of the site."""
        stated = {name: int(env[name]) for name in TRAFFIC_CLASS if env.get(name, "").isdecimal()}
        dscps = {name: byte >> 2 for name, byte in stated.items()}
        first = next(iter(dscps.values()), None)
        if not self.lossless:
            return SentClass(first, False)
        if not stated:
            text = (
                f"the traffic class of {workload} is not stated: {' or '.join(TRAFFIC_CLASS)} in {file} would"
            )
            return SentClass(None, False, (), (text,))
        known = ", ".join(map(str, sorted(self.lossless)))
        wrong = tuple(
            Fault(
                Verdict.LOSSY,
                f"{name} {stated[name]} of {workload} is DSCP {dscp}: the lossless classes of the site have "
                f"DSCP {known} ({file})",
            )
            for name, dscp in dscps.items()
            if dscp not in self.lossless
        )
        return SentClass(first, not wrong, wrong)


def classes_of(site: Site) -> Classes:
    """Kept with the site."""
    if "classes" not in site.memo:
        site.memo["classes"] = Classes(site)
    found: Classes = site.memo["classes"]
    return found


def _of_hosts(site: Site) -> Iterator[int]:
    for path, text in site.texts.items():
        said = read_nic_script(text) if NIC_SCRIPT.fullmatch(path) else None
        if said is not None:
            yield from (dscp for dscp in range(64) if said.priorities.get(dscp, 0) in said.pfc)
    for thing in site.of_kind.get("NicConfigurationTemplate", ()):
        qos = template_qos(thing)
        if qos is not None:
            yield from (dscp for dscp, priority in qos.priorities.items() if priority in qos.pfc)


def _of_switches(site: Site) -> Iterator[int]:
    for switch in site.fabric.switches.values():
        yield from lossless_dscps(switch)
