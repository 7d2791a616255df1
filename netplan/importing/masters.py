"""Interfaces of hosts that networks are put on (``master``), and the resources that their pods ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site

WHOLE_HCA = "whole_hca"
"""Field of a card whose VFs no network asks for, while a network is on the card itself."""
Behind = tuple[set[int | None], dict[str, Said]]
"""Rails and resources of an interface."""


def masters_of(site: Site) -> frozenset[str]:
    """Interfaces that networks without a resource of their own are on."""
    found = (site.text("network", of, "master") for of in site.every("network"))
    return frozenset(filter(None, found))


def interfaces_of(
    site: Site, cards: Iterable[Card], shares: Mapping[str, Mapping[str, Said]]
) -> dict[str, Behind]:
    """Interface -> its rails, and its resources with the places that state them. Hosts of another type may
    have a front end of that name. Of a card with VFs only the shared resources count, which are of the
    whole card: those of ``shares`` with ``share_max``."""
    stated = {
        of[0]: said
        for of in site.every("resource")
        for said in list(site.fields("resource", of).values())[:1]
    }
    found: dict[str, tuple[set[int | None], dict[str, Said]]] = {}
    for card in cards:
        rails, names = found.setdefault(card.text("netdev"), (set(), {}))
        rails.add(card.rail)
        of_vfs = WHOLE_HCA in card.fields or card.number("vfs")
        for name in card.resources:
            if of_vfs and "share_max" not in shares.get(name, {}):
                continue
            names[name] = Said(name, stated.get(name, next(iter(card.fields.values()))).at)
    return {name: (rails - {None} or rails, names) for name, (rails, names) in found.items()}
