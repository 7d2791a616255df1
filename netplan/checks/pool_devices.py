"""HCAs and cables that determine how many addresses a pool needs: the entities its findings rest on."""

from __future__ import annotations

from netplan.checks.sriov import takes
from netplan.diagnostics import Path
from netplan.model.addresses import Segment
from netplan.model.kubernetes import Pool
from netplan.model.plan import Plan
from netplan.model.values import usable


def devices(plan: Plan, segment: Segment) -> frozenset[Path]:
    """HCAs whose device count determines how many addresses of a segment are used (a stated `vf_range` fixes
    it regardless), plus ``cables``."""
    attached = [a.network for a in plan.kubernetes.attachments if a.segment == segment]
    networks = [network for network in attached if network.vf_range is None]
    return cables(plan, segment) | {
        ("host_types", host_type.name, "hcas", hca.name)
        for network in networks
        for host_type in plan.fabric.host_types
        for hca in host_type.hcas
        if takes(network, host_type, hca) and segment.rail in (None, hca.rail)
    }


def cables(plan: Plan, segment: Segment) -> frozenset[Path]:
    """Sections that determine the hosts of a segment: links and switches for a rail with a segment per leaf,
    else none."""
    rails = plan.fabric.rails
    by_cable = rails is not None and rails.segment == "leaf" and segment.rail is not None
    return frozenset({("links",), ("switches",)} if by_cable else ())


def block_devices(plan: Plan, pool: Pool) -> frozenset[Path]:
    """The same for a pool's number of blocks; only ``cables`` if smaller blocks would not help."""
    first, last = usable(pool.network)
    stated = any(
        a.network.block_size is not None for a in plan.kubernetes.attachments if a.segment == pool.segment
    )
    fixed = pool.node_prefix is not None or stated or last - first + 1 < pool.nodes
    return cables(plan, pool.segment) if fixed else devices(plan, pool.segment)
