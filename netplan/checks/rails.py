"""NP117, NP118: rails without HCAs or cables."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.checks.uncabled import wants_cable
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric


def _rails(fabric: Fabric) -> int:
    return fabric.rails.count if fabric.rails is not None else 0


@check("NP117", "rail without an HCA", on=Fabric, counts=_rails, severity=Severity.WARNING)
def empty_rail(fabric: Fabric) -> Iterator[Finding]:
    """A rail without HCAs takes up a VLAN and address space for nothing.

    **Why.** Most often `rails.count` and the `rail` of the HCAs were not changed together.
    **Fix.** Lower `rails.count`, or put an HCA on this rail.
    **Source.** docs.nvidia.com, InfiniBand Cluster Bring-up Procedure, Setting the InfiniBand Cluster
    Topology: a rail is one HCA of every node, on a leaf of its own.
    """
    if fabric.rails is None:
        return
    used = {hca.rail for kind in fabric.host_types for hca in kind.hcas if hca.for_pods}
    needed = 1 + max((rail for rail in used if rail is not None), default=0)
    for rail in range(fabric.rails.count):
        if rail not in used:
            hint = f"set rails.count to {needed}, or use rail {rail}"
            yield Finding(
                (*fabric.rails.at, "count"), f"no HCA is on rail {rail} of {fabric.rails.count}", hint
            )


@check(
    "NP118",
    "rails end on leaves, but no cable states which",
    on=Fabric,
    counts=_rails,
    severity=Severity.INFO,
)
def uncabled_rails(fabric: Fabric) -> Iterator[Finding]:
    """With `segment: leaf` a rail has a subnet per leaf; without cables every rail is planned as one segment.

    **Why.** Cables that are added later number the subnets by leaf and rename attachments and pools.
    **Fix.** Add `switches` and `links`, or set `rails.segment: stretched`.
    **Source.** netplan's own rule: a rail has a subnet, pool and attachment for each leaf that it ends on.
    """
    rails = fabric.rails
    if rails is None or rails.segment != "leaf":
        return
    wanted = {hca.rail for hcas in wants_cable(fabric).values() for hca in hcas}  # reported by NP826
    cabled = wanted | {link.hca.rail for link in fabric.host_links if link.hca.for_pods}
    used = {h.rail for kind in fabric.host_types for h in kind.hcas if h.for_pods and h.rail is not None}
    bare = sorted(used - cabled)
    if bare:
        names = ", ".join(str(rail) for rail in bare)
        instead = "" if fabric.underlay else ", or set rails.segment: stretched"  # NP621 on routed links
        yield Finding(
            (*rails.at, "segment"),
            f"rails end on leaves, but no cable is stated for rail {names}",
            f"add switches and links{instead}",
        )
