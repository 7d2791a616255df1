"""Addresses that pools give out today, and that the planned ones would give out beyond them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from netaddr import IPAddress, IPNetwork

from netplan.importing.facts import Said, Site, place
from netplan.importing.joining.known import Change, Known
from netplan.importing.networks import NetworkRow, exclusions_of, subnet_of_pool
from netplan.model.kubernetes import KubernetesPlan
from netplan.model.plan import Plan
from netplan.model.spans import Span, free, merged
from netplan.model.values import AddressSpan


@dataclass(frozen=True, slots=True)
class _Planned:
    """``held``: addresses that it gives to nobody. ``block_size``: None where nodes have no blocks."""

    name: str
    network: IPNetwork
    gateway: IPAddress | None
    held: Sequence[Span]
    block_size: int | None = None


def pool_changes(known: Known, site: Site, rows: Sequence[NetworkRow], plan: Plan) -> Iterator[Change]:
    """Blocks and exclusions of pools that the planned ones replace."""
    planned = {str(pool.network): pool for pool in _planned(plan.kubernetes)}
    for name in dict.fromkeys(pool for row in rows for part in row.parts for pool in part.pools):
        seen = subnet_of_pool(site, name)
        pool = planned.get(str(seen[0])) if seen is not None else None
        if pool is None:
            continue
        size = site.said("pool", (name,), "block_size")
        if size is not None and pool.block_size is not None and size.value != pool.block_size:
            what = f"block_size: {pool.block_size} (planned {pool.name}) or {size.value} ({place(size.at)})"
            yield Change("differs", f"pool {name}", what)
        for (first, last), said in _handed_out(site, name, pool):
            at = known.at(("rails", "reserved"))
            what = f"excludes {first}-{last} ({place(said.at)}), which the inventory does not reserve ({at})"
            yield Change("differs", f"pool {name}", what)


def _planned(plan: KubernetesPlan) -> Iterator[_Planned]:
    """Of nv-ipam, Spiderpool, whereabouts and host-local."""
    for each in plan.attachments:
        for own in each.ipam.ranges if each.ipam is not None else ():
            yield _Planned(each.name, own.network, own.gateway, _numbers(own.exclude))
    for pool in plan.pools:
        if pool.node_prefix is None:
            held = _numbers(pool.exclusions)
            yield _Planned(pool.name, pool.network, pool.gateway, held, pool.block_size)
    for spider in plan.spider_pools:
        given, begin, held = merged(_numbers(spider.spans)), int(spider.network.first), list[Span]()
        for first, last in given:
            held.append((begin, first - 1))
            begin = last + 1
        held.append((begin, int(spider.network.last)))
        yield _Planned(spider.name, spider.network, spider.gateway, held)


def _numbers(spans: Sequence[AddressSpan]) -> list[Span]:
    return [(int(first), int(last)) for first, last in spans]


def _handed_out(site: Site, name: str, pool: _Planned) -> Iterator[tuple[AddressSpan, Said]]:
    """Exclusions of a pool that the planned one does not have."""
    spans = [*pool.held]
    spans += [(int(end), int(end)) for end in (pool.gateway, pool.network[0], pool.network[-1]) if end]
    taken = merged(spans)
    for (first, last), said in exclusions_of(site, name):
        if free((int(first), int(last)), taken):
            yield (first, last), said
