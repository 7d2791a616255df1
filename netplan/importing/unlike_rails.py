"""Rails that sources state of the cards of one resource and that are not the same on all hosts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Said, first_faults, place


def unlike_rails(cards: Iterable[Card]) -> Iterator[Contradiction]:
    """The first pair, with the number of the other cards; of resources that take one card of each host."""
    yield from first_faults(_unlike(_alone(cards)))


def _alone(cards: Iterable[Card]) -> dict[str, list[Card]]:
    found: dict[str, dict[str, list[Card]]] = {}
    for card in cards:
        for name in card.resources:
            found.setdefault(name, {}).setdefault(card.node, []).append(card)
    return {
        name: [own[0] for own in by_node.values()]
        for name, by_node in found.items()
        if all(len(own) == 1 for own in by_node.values())
    }


def _unlike(found: dict[str, list[Card]]) -> Iterator[tuple[object, str]]:
    for name, cards in found.items():
        first: tuple[Card, Said] | None = None
        for card in cards:
            said = card.fields.get("rail")
            if said is None:
                continue
            first = first or (card, said)
            if first[1].value != said.value:
                here = f"rail {first[1].value} on {first[0].node} ({place(first[1].at)})"
                there = f"rail {said.value} on {card.node} ({place(said.at)})"
                yield "rail", f"resource {name} is of {here} and of {there}"
