"""Which card is on which rail, by what says it best:

1. ``railIndex`` of the NicDevice, the operator's own number;
2. the resource that takes the card alone: resources of a node in natural order (rail_0, rail_1, ...), where
   each takes one card;
3. the PCI address, as k8s-launch-kit numbers rails where nothing else says them (NVIDIA/k8s-launch-kit
   docs/user/discovery.md 089ceea): a proposal, and the page says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from netplan.importing.cards import Card
from netplan.importing.facts import Of, place
from netplan.model.values import natural

PROPOSED = "proposed by PCI address; compare with the cabling"
FRONT_END = "front-end"


def with_rails(cards: Iterable[Card]) -> list[Card]:
    by_node: dict[str, list[Card]] = {}
    for card in cards:
        by_node.setdefault(card.node, []).append(card)
    return [card for mine in by_node.values() for card in _of_node(mine)]


def _of_node(cards: list[Card]) -> list[Card]:
    """Cards for pods get a rail; the others, where some are for pods, none."""
    cards = sorted(cards, key=lambda card: card.pci)
    if any(card.number("rail") is not None for card in cards):
        return [_stated(card) if card.number("rail") is not None else card for card in cards]
    numbers, reason = _numbered(cards)
    return [
        replace(card, rail=numbers[card.of], rail_from=reason) if card.of in numbers else card
        for card in cards
    ]


def _numbered(cards: list[Card]) -> tuple[dict[Of, int], str]:
    taken = [card for card in cards if card.resources]
    if taken and len({card.resources for card in taken}) == len(taken):
        taken.sort(key=lambda card: [natural(name) for name in card.resources])
        return {card.of: number for number, card in enumerate(taken)}, "by the order of the resources"
    return {card.of: number for number, card in enumerate(taken or cards)}, PROPOSED


def _stated(card: Card) -> Card:
    return replace(card, rail=card.number("rail"), rail_from=f"railIndex, {place(card.fields['rail'].at)}")
