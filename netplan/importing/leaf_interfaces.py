"""Leaves without an address in the VLAN of their rail, where others have one: the range of the rails would
give them a subnet and a gateway."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Said, Site, first_faults, place
from netplan.importing.vlans import vlans_of
from netplan.model.values import parse_network


def without_interface(site: Site, cards: Iterable[Card]) -> Iterator[Contradiction]:
    """The first of them, of switches whose configuration was read, where no rail is stretched."""
    yield from first_faults(_without(site, [card for card in cards if card.rail is not None]))


Leaves = dict[tuple[str, object], tuple[int | None, Said]]
"""Leaf and VLAN -> its rail, and where the VLAN is on a port of it."""


def _without(site: Site, cards: list[Card]) -> Iterator[tuple[object, str]]:
    leaves = _leaves(site, cards)
    gateways = {at: said for at in leaves if (said := _address(site, *at)) is not None}
    times = Counter(vlan for _, vlan in leaves)
    shared = any(times[vlan] > 1 for _, vlan in gateways)
    if not gateways or (shared and not _own_subnets(gateways)):
        return  # one leaf may have the gateway for all
    for (leaf, number), (rail, vlan) in leaves.items():
        if (leaf, number) not in gateways and site.said("switch", (leaf,), "nos") is not None:
            alike = [at for at in gateways if at[1] == number] or [*gateways]
            (other, other_vlan), there = alike[0], gateways[alike[0]]
            here = f"rail {rail}: {leaf} has VLAN {number} ({place(vlan.at)}) and no address in it"
            yield "interface", f"{here}, {other} VLAN {other_vlan} has {there.value} ({place(there.at)})"


def _own_subnets(gateways: Mapping[tuple[str, object], Said]) -> bool:
    """Whether leaves with the same VLAN have it in networks of their own, so that no rail is stretched."""
    networks: dict[object, set[object]] = {}
    for (_, vlan), said in gateways.items():
        network = parse_network(str(said.value))
        networks.setdefault(vlan, set()).add(network.cidr if network is not None else None)
    return any(len(own) > 1 for own in networks.values())


def _leaves(site: Site, cards: list[Card]) -> Leaves:
    vlans, found = vlans_of(site, cards), Leaves()
    for card in cards:
        port, vlan = site.listed("card", card.of, "port"), vlans.get(card.of)
        if port and vlan is not None:
            found.setdefault((port[0], vlan.value), (card.rail, vlan))
    return found


def _address(site: Site, leaf: str, vlan: object) -> Said | None:
    return next((said for _, said in site.prefixed("svi", (leaf, str(vlan)), "address/")), None)
