"""NP647: addresses that move to another MAC."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.plan import Plan

TOLERABLE_SECONDS = 600
"""Facts, pod-routing 1.6: an ARP age of at most 5 to 10 minutes, or a gratuitous ARP."""


@check(
    "NP647",
    "nobody tells the leaf that an address has moved",
    on=Plan,
    counts=lambda plan: sum(s.moves for w in plan.workloads for s in w.stability),
    severity=Severity.WARNING,
)
def unannounced(plan: Plan) -> Iterator[Finding]:
    """A pod on another VF or card may get an address that the leaf still has with the MAC of the last pod.

    **Why.** Until the ARP entry ages out, hours by default on most switches, the leaf sends the new pod's
    packets to nobody; RDMA connections fail with retry errors.
    **Fix.** Use `routing: script` for host-device networks, which announces, `rails.segment: host`, where
    addresses stay with the host, or `fabric.arp.timeout_seconds` of 600 or less.
    **Source.** Facts, pod-routing 1.6: 51 s measured on a Linux leaf; V44 and V45.
    """
    for w in plan.workloads:
        for s in w.stability:
            slow = s.arp_age is None or s.arp_age > TOLERABLE_SECONDS
            if s.moves and s.announced_by is None and slow:
                age = "the switch's own ARP age" if s.arp_age is None else f"an ARP age of {s.arp_age} s"
                what = f"addresses of network {s.network} of {w.name} are used again without a gratuitous ARP"
                yield Finding(
                    ("networks", s.network),
                    f"{what}, with {age}",
                    "set routing: script, rails.segment: host, or fabric.arp.timeout_seconds: 600",
                )
