"""Address pools, neighbour tables of hosts, VLANs and subnets: capacity and use."""

from __future__ import annotations

from typing import Any

from netplan.checks.pool_blocks import block_count, fullest_block, passes_over
from netplan.model.folding import folded
from netplan.model.kubernetes import Pool
from netplan.model.plan import Plan
from netplan.model.values import natural, usable
from netplan.page.places import Lines


def pools(plan: Plan) -> list[list[Any]]:
    """Name, kind, network, unit, number of units, nodes, addresses of the node that gets the fewest."""
    skipping = passes_over(plan)
    found = []
    for pool in plan.kubernetes.pools:
        parts, unit, room = _parts(pool, skipping)
        found.append([pool.name, pool.kind, str(pool.network), unit, parts, pool.nodes, room])
    return found


def _parts(pool: Pool, skipping: bool) -> tuple[int, str, int]:
    if pool.node_prefix is None:
        room = fullest_block(pool, skipping)[1]
        return block_count(pool, skipping), f"blocks of {pool.block_size}", room
    count = 1 << (pool.node_prefix - pool.network.prefixlen)
    first, last = usable(pool.network)
    return count, f"prefixes of /{pool.node_prefix}", max(1, (last - first + 1) // count)


def ranges(plan: Plan) -> list[list[Any]]:
    """Ranges of other IPAMs: attachment, IPAM, network, addresses."""
    found: dict[tuple[str, str], list[Any]] = {}
    for attachment in plan.kubernetes.attachments:
        for part in attachment.ipam.ranges if attachment.ipam else ():
            first, last = usable(part.network)
            row = [attachment.name, attachment.network.ipam, str(part.network), last - first + 1]
            found.setdefault((attachment.name, str(part.network)), row)
    return list(found.values())


def host_tables(plan: Plan) -> list[list[Any]]:
    """Neighbour table of a host's kernel: host type or host, IP version, entries at worst, gc_thresh1 to
    3."""
    return [
        [host.name, each.family, sum(term.total for term in each.terms) + each.reserve, *each.thresholds]
        for host in plan.hosts
        if host.sysctl is not None
        for each in host.sysctl.neighbours
    ]


def segments(plan: Plan, lines: Lines) -> list[list[Any]]:
    """Segments that count up together are one row; ``hosts``: number of hosts with a port in it."""
    hosts = {
        segment.name: sum(h.count for group in plan.addresses.groups_of(segment) for h in group.hosts)
        for segment in plan.addresses.segments
    }
    rows = []
    for each in plan.addresses.segments:
        outside = "a router outside" if each.external else ""
        gateways = " ".join(str(s.gateway) for s in each.subnets if s.gateway is not None)
        cut = "".join(f", cut into /{length}" for length in each.host_prefixes)
        texts = (
            each.name,
            "" if each.rail is None else str(each.rail),
            each.leaf or "",
            "" if each.vlan is None else str(each.vlan),
            " ".join(str(s.network) for s in each.subnets) + cut,
            f"{gateways} {outside}".strip(),
        )
        where = ("rails",) if each.rail is not None else ("subnets", each.name)
        rows.append(((hosts[each.name], lines.of_path(where)), texts))
    return [[*run.texts, *run.key] for run in folded(rows)]


def address_space(plan: Plan) -> list[list[Any]]:
    """Ranges of the rails and what each rail takes of them: name, number of subnets, begin and end as
    fractions of the range from 0 to 1."""
    found: list[list[Any]] = []
    rails = plan.fabric.rails
    for supernet in (stated.network for stated in rails.ranges) if rails else ():
        size = int(supernet.last - supernet.first) + 1
        inside = [
            (each.rail, subnet.network)
            for each in plan.addresses.segments
            if each.rail is not None
            for subnet in each.subnets
            if subnet.network in supernet
        ]
        by_rail: dict[int, list[Any]] = {}
        for rail, network in inside:
            low, high = (
                int(network.first - supernet.first) / size,
                int(network.last - supernet.first + 1) / size,
            )
            known = by_rail.setdefault(rail or 0, [f"rail {rail}", 0, low, high])
            known[1] += 1
            known[2], known[3] = min(known[2], low), max(known[3], high)
        parts = [[n, c, round(a, 6), round(b, 6)] for n, c, a, b in by_rail.values()]
        found.append([str(supernet), parts])
    return found


def vlans(plan: Plan) -> list[list[Any]]:
    """VLAN IDs, their names and the switches that have them."""
    found: dict[int, tuple[dict[str, None], list[str]]] = {}
    for switch in plan.switches:
        for vlan in switch.vlans:
            names, switches = found.setdefault(vlan.id, ({}, []))
            names[vlan.name] = None
            switches.append(switch.name)
    return [[vlan, *_gathered(list(found[vlan][0]), found[vlan][1])] for vlan in sorted(found)]


def _gathered(names: list[str], switches: list[str]) -> tuple[str, str, int]:
    runs = [run.texts[0] for run in folded(("", (n,)) for n in sorted(switches, key=natural))]
    shown = [run.texts[0] for run in folded(("", (n,)) for n in names)]
    return ", ".join(shown[:4]), ", ".join(runs[:6]), len(switches)
