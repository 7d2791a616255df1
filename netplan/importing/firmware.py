"""Firmware of cards: the inventory has no key for it, so the comment of a card shows it, and what differs
between cards of one model is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.importing.cards import Card
from netplan.importing.facts import Remark, Said
from netplan.report import count


def shown_firmware(card: Card) -> str:
    """For the comment of a card; empty for a function that a machine was given."""
    said = None if card.virtual else card.fields.get("firmware")
    return f"firmware {said.value}" if said is not None else ""


def unlike_firmware(cards: Iterable[Card]) -> Iterator[Remark]:
    found: dict[str, dict[object, list[tuple[Card, Said]]]] = {}
    for card in cards:
        if (said := card.fields.get("firmware")) is not None and not card.virtual:
            found.setdefault(card.model, {}).setdefault(said.value, []).append((card, said))
    for model, versions in found.items():
        if len(versions) > 1:
            rows = sorted(versions.items(), key=lambda row: -len(row[1]))
            seen = ", ".join(f"{version} on {count(len(own), 'card')}" for version, own in rows)
            card, said = rows[-1][1][0]
            what = f"firmware of {model}: {seen}, such as {card.node} {card.pci}"
            yield Remark(said.at, f"{what}; the inventory has no key for it")
