"""The HCAs whose devices decide how many addresses a pool must have: what a finding about it rests on."""

from __future__ import annotations

from netplan.checks.sriov import takes
from netplan.diagnostics import Path
from netplan.model.addresses import Segment
from netplan.model.kubernetes import Pool
from netplan.model.plan import Plan
from netplan.model.values import usable


def devices(plan: Plan, segment: Segment) -> frozenset[Path]:
    """HCAs whose devices take the addresses of a segment."""
    networks = [a.network for a in plan.kubernetes.attachments if a.segment == segment]
    return frozenset(
        ("host_types", host_type.name, "hcas", hca.name)
        for network in networks
        for host_type in plan.fabric.host_types
        for hca in host_type.hcas
        if takes(network, host_type, hca) and segment.rail in (None, hca.rail)
    )


def block_devices(plan: Plan, pool: Pool) -> frozenset[Path]:
    """HCAs that a pool's number of blocks rests on; none where smaller blocks would not help."""
    first, last = usable(pool.network)
    stated = any(
        a.network.block_size is not None for a in plan.kubernetes.attachments if a.segment == pool.segment
    )
    fixed = pool.node_prefix is not None or stated or last - first + 1 < pool.nodes
    return frozenset() if fixed else devices(plan, pool.segment)
