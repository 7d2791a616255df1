"""Leaves without an address in the VLAN of their rail, where others have one: the range of the rails would
give them a subnet and a gateway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Said, Site, first_faults, place
from netplan.importing.vlans import vlans_of


def without_interface(site: Site, cards: Iterable[Card]) -> Iterator[Contradiction]:
    """The first of them, of switches whose configuration was read, where no rail is stretched."""
    yield from first_faults(_without(site, [card for card in cards if card.rail is not None]))


def _without(site: Site, cards: list[Card]) -> Iterator[tuple[object, str]]:
    vlans, leaves = vlans_of(site, cards), dict[tuple[str, object], tuple[int | None, Said]]()
    for card in cards:
        port, vlan = site.listed("card", card.of, "port"), vlans.get(card.of)
        if port and vlan is not None:
            leaves.setdefault((port[0], vlan.value), (card.rail, vlan))
    gateways = {at: said for at in leaves if (said := _address(site, *at)) is not None}
    shared = {vlan for vlan in (vlan for _, vlan in leaves) if sum(at[1] == vlan for at in leaves) > 1}
    if not gateways or shared & {vlan for _, vlan in gateways}:
        return  # one leaf may have the gateway for all
    (other, other_vlan), there = next(iter(gateways.items()))
    for (leaf, number), (rail, vlan) in leaves.items():
        if (leaf, number) not in gateways and site.said("switch", (leaf,), "nos") is not None:
            here = f"rail {rail}: {leaf} has VLAN {number} ({place(vlan.at)}) and no address in it"
            yield "interface", f"{here}, {other} VLAN {other_vlan} has {there.value} ({place(there.at)})"


def _address(site: Site, leaf: str, vlan: object) -> Said | None:
    return next((said for _, said in site.prefixed("svi", (leaf, str(vlan)), "address/")), None)
