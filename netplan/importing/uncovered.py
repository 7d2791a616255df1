"""Leaves of a rail on which a network of the rails has no subnet: an inventory has it on all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.importing.cabling import CARD, Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site, place
from netplan.importing.networks import NetworkRow, subnet_of_pool
from netplan.importing.rail_page import interface_subnets
from netplan.importing.text import listed
from netplan.importing.vlans import rail_vlans

At = tuple[int, str]
"""Rail and leaf."""
Subnets = Mapping[At, Mapping[str, Said]]


def uncovered_notes(
    site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow], cables: Iterable[Cable]
) -> Iterator[str]:
    """One for each network of which some leaves have a pool and others have none."""
    ends = _ends(cards, cables)
    subnets = _subnets(site, cards, rows, {at for own in ends.values() for at in own})
    for row in rows:
        wanted = {at for name in row.resources for at in ends.get(name, ()) if at[0] in row.rails}
        own = {at: subnets[at] for at in sorted(wanted) if at in subnets}
        pools = {*_of_pools(site, row)}
        bare = {at: found for at, found in own.items() if pools.isdisjoint(found)}
        if 0 < len(bare) < len(own):
            what = f"network {row.name} has no pool for {_listed(bare)}"
            yield f"{what}; for_each: rails adds pool and network there"


def _ends(cards: Iterable[Card], cables: Iterable[Cable]) -> dict[str, set[At]]:
    """Resource -> where the cables of its cards end."""
    known = {card.of: card for card in cards}
    found: dict[str, set[At]] = {}
    for cable in cables:
        card = known.get(cable.far) if cable.kind == CARD and cable.doubt is None else None
        if card is not None and card.rail is not None:
            for name in card.resources:
                found.setdefault(name, set()).add((card.rail, cable.switch))
    return found


def _subnets(site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow], ends: Iterable[At]) -> Subnets:
    leaves: dict[int, list[str]] = {}
    for rail, leaf in sorted(ends):
        leaves.setdefault(rail, []).append(leaf)
    found: dict[At, dict[str, Said]] = {}
    for subnet in interface_subnets(site, rail_vlans(site, cards, rows), leaves):
        found.setdefault((subnet.rail, subnet.leaf), {})[str(subnet.network)] = subnet.said
    return found


def _of_pools(site: Site, row: NetworkRow) -> Iterator[str]:
    for pool in (pool for part in row.parts for pool in part.pools):
        found = subnet_of_pool(site, pool)
        if found is not None:
            yield str(found[0])


def _listed(bare: Subnets) -> str:
    first = {at: next(iter(found.items())) for at, found in bare.items()}
    return listed(
        f"rail {rail} on {leaf} ({network}, {place(said.at)})"
        for (rail, leaf), (network, said) in first.items()
    )
