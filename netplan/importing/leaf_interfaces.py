"""Leaves without an address in the VLAN of their rail, where others have one: the range of the rails would
give them a subnet and a gateway."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Said, Site, first_faults, place
from netplan.importing.vlans import vlans_of


def without_interface(site: Site, cards: Iterable[Card]) -> Iterator[Contradiction]:
    """The first of them, of switches whose configuration was read, where no rail is stretched."""
    yield from first_faults(_without(site, [card for card in cards if card.rail is not None]))


Leaves = dict[tuple[str, object], tuple[int | None, Said]]
"""Leaf and VLAN -> its rail, and where the VLAN is on a port of it."""


def _without(site: Site, cards: list[Card]) -> Iterator[tuple[object, str]]:
    leaves = _leaves(site, cards)
    gateways = {at: said for at in leaves if (said := _address(site, *at)) is not None}
    times = Counter(vlan for _, vlan in leaves)
    if not gateways or any(times[vlan] > 1 for _, vlan in gateways):
        return  # one leaf may have the gateway for all
    (other, other_vlan), there = next(iter(gateways.items()))
    for (leaf, number), (rail, vlan) in leaves.items():
        if (leaf, number) not in gateways and site.said("switch", (leaf,), "nos") is not None:
            here = f"rail {rail}: {leaf} has VLAN {number} ({place(vlan.at)}) and no address in it"
            yield "interface", f"{here}, {other} VLAN {other_vlan} has {there.value} ({place(there.at)})"


def _leaves(site: Site, cards: list[Card]) -> Leaves:
    vlans, found = vlans_of(site, cards), Leaves()
    for card in cards:
        port, vlan = site.listed("card", card.of, "port"), vlans.get(card.of)
        if port and vlan is not None:
            found.setdefault((port[0], vlan.value), (card.rail, vlan))
    return found


def _address(site: Site, leaf: str, vlan: object) -> Said | None:
    return next((said for _, said in site.prefixed("svi", (leaf, str(vlan)), "address/")), None)
