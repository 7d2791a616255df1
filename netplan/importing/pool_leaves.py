"""The leaf of a pool whose gateway no VLAN interface of the dumps has, by the nodes that have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from netplan.importing.cards import Card
from netplan.importing.facts import Site, texts_in
from netplan.importing.networks import SeenSubnet
from netplan.importing.pool_nodes import selected_nodes


def with_pool_leaves(
    site: Site, seen: Iterable[SeenSubnet], cards: Sequence[Card], leaves: Mapping[int, Sequence[str]]
) -> Iterator[SeenSubnet]:
    """Subnets, those of pools with the one leaf on which all nodes of the pool have the card of the rail."""
    ends: dict[int, dict[str, str]] = {}
    for card in cards:
        if card.rail is not None and (port := texts_in(_port(site, card))):
            ends.setdefault(card.rail, {})[card.node] = port[0]
    for subnet in seen:
        found = () if subnet.leaf else _leaves(site, subnet, ends.get(subnet.rail, {}))
        mine = [leaf for leaf in dict.fromkeys(found) if leaf in leaves.get(subnet.rail, ())]
        yield replace(subnet, leaf=mine[0]) if len(mine) == 1 else subnet


def _port(site: Site, card: Card) -> tuple[str, ...]:
    said = site.said("card", card.of, "port")
    return texts_in(said.value if said is not None else None)


def _leaves(site: Site, subnet: SeenSubnet, ends: Mapping[str, str]) -> list[str]:
    """Of the nodes that it selects, else of those with a block of it; nodes without a cable tell nothing."""
    nodes = selected_nodes(site, subnet.pool, ends)
    if nodes is None:
        nodes = [node for node, _ in site.prefixed("pool", (subnet.pool,), "on/")]
    return [ends[node] for node in nodes if node in ends]
