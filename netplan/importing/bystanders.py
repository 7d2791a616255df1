"""Nodes that take no part in the fabric, such as those of the control plane: their cards are on no rail."""

from __future__ import annotations

from collections.abc import Iterable

from netplan.importing.cards import Card
from netplan.importing.facts import Of, Site


def bystanders(site: Site, cards: Iterable[Card]) -> frozenset[Of]:
    """Cards of nodes without a GPU of which no resource takes a card and no dump has a cable, nor of any node
    with the same models, where resources take other cards."""
    by_node: dict[str, list[Card]] = {}
    for card in cards:
        by_node.setdefault(card.node, []).append(card)
    alike: dict[tuple[str, ...], list[Card]] = {}
    for mine in by_node.values():
        alike.setdefault(tuple(sorted(card.model for card in mine)), []).extend(mine)
    left = [mine for mine in alike.values() if not any(_takes_part(site, card) for card in mine)]
    taken = any(card.resources for mine in by_node.values() for card in mine)
    return frozenset(card.of for mine in left for card in mine if taken)


def _takes_part(site: Site, card: Card) -> bool:
    """A node that only the state of its NICs shows may have GPUs."""
    node = (card.node,)
    return bool(
        card.resources
        or card.virtual
        or site.said("node", node, "there") is None
        or any(site.prefixed("node", node, "gpus/"))
        or site.said("card", card.of, "port") is not None
        or site.conflict("card", card.of, "port") is not None
    )
