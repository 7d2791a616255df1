"""Networks that the dumps call otherwise than the inventory: known by their resource, else by their mode with
subnets or rails."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from netplan.importing.facts import Site
from netplan.importing.networks import NetworkRow, name_of, subnet_of_pool
from netplan.model.fabric import Network
from netplan.model.plan import Plan

Marks = tuple[frozenset[object], ...]
"""Resources, subnets, rails: the first that one network alone has tells which it is."""


def stated_names(
    site: Site, rows: Sequence[NetworkRow], stated: Mapping[str, Network], plan: Plan
) -> Iterator[tuple[str, NetworkRow]]:
    """Name in the inventory, or the one of the dumps where it has no such network."""
    names = [_stated_name(row, rows, stated) for row in rows]
    planned = {name: _planned(network, plan) for name, network in stated.items() if name not in names}
    for name, row in zip(names, rows, strict=True):
        yield (name if name in stated else _alike(_seen(site, row), planned) or name), row


def _stated_name(row: NetworkRow, rows: Iterable[NetworkRow], stated: Container[str]) -> str:
    """Of the network of the inventory whose rails it is on: rails with settings of their own are a network
    apart in the dumps."""
    name = name_of(row.first)
    beside = (other for other in rows if other is not row and name_of(other.first) == name)
    apart = all(row.rails.isdisjoint(other.rails) for other in beside if other.namespaces == row.namespaces)
    return name if row.rails and apart and name in stated and row.name not in stated else row.name


def _alike(seen: Marks, planned: Mapping[str, Marks]) -> str:
    """Empty if no network has any of the marks, or several have the same."""
    left, found = [*planned], False
    for number, own in enumerate(seen):
        alike = [name for name in left if own & planned[name][number]]
        left, found = alike or left, found or bool(alike)
    return left[0] if found and len(left) == 1 else ""


def _seen(site: Site, row: NetworkRow) -> Marks:
    mode = row.first.text("mode")
    pools = (subnet_of_pool(site, pool) for part in row.parts for pool in part.pools)
    return (
        frozenset(row.resources),
        frozenset((mode, str(pool[0])) for pool in pools if pool is not None),
        frozenset((mode, rail) for rail in row.rails),
    )


def _planned(network: Network, plan: Plan) -> Marks:
    own = [each for each in plan.kubernetes.attachments if each.network.name == network.name]
    segments = (each.segment for each in own if each.segment is not None)
    return (
        frozenset(each.name for each in plan.kubernetes.resources if each.network == network.name),
        frozenset((network.mode, str(subnet.network)) for each in segments for subnet in each.subnets),
        frozenset((network.mode, each.rail) for each in own if each.rail is not None),
    )
