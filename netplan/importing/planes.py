"""Ports of one card with one resource: planes of a rail. An inventory has one HCA of a host on each rail
(NP509)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from netplan.importing.cards import Card, slot_of
from netplan.importing.facts import Of, Said, Site, place
from netplan.importing.text import INEXPRESSIBLE, Entry, listed, todo
from netplan.importing.vlans import vlans_of
from netplan.model.values import natural

_WAY_OUT = (
    "a rail has one HCA of a host: keep one port of each card and set use: front-end for the others, or give "
    "each port a resource, VLAN and pool of its own; then count the rails"
)


def planes_entry(site: Site, cards: Sequence[Card]) -> Entry | None:
    """``rails.count`` where ports of one card are on one rail; None if there are no such ports."""
    behind: dict[tuple[str, int], list[Card]] = {}
    for card in cards:
        if card.rail is not None and not card.virtual and card.resources:
            behind.setdefault((card.node, card.rail), []).append(card)
    both = [own for own in behind.values() if len(own) > 1 and len({slot_of(card) for card in own}) == 1]
    if not both:
        return None
    vlans = vlans_of(site, cards)
    first = [own for own in both if own[0].node == both[0][0].node]
    return todo(f"{INEXPRESSIBLE}: ports of one card on one rail", f"{_seen(first, vlans)}; {_WAY_OUT}")


def _seen(rails: Sequence[Sequence[Card]], vlans: Mapping[Of, Said]) -> str:
    told = []
    for own in rails:
        names = ", ".join(card.text("netdev") or card.pci for card in own)
        ids = sorted({str(vlans[card.of].value) for card in own if card.of in vlans}, key=natural)
        vlan = f", VLAN {', '.join(ids)}" if ids else ""
        at = place((own[0].fields.get("netdev") or next(iter(own[0].fields.values()))).at)
        told.append(f"{names} have resource {', '.join(own[0].resources)}{vlan} ({at})")
    return f"on {rails[0][0].node} {listed(told)}"
