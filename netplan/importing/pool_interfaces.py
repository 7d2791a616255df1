"""Pools whose subnet is not that of the VLAN interfaces behind the cards that their network is on: they are
of other cards, or their pods have no gateway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from netaddr import IPNetwork

from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Of, Said, Site, first_faults, place
from netplan.importing.networks import FoundNetwork, NetworkRow, subnet_of_pool
from netplan.importing.vlans import vlans_of
from netplan.model.values import parse_network

At = tuple[str, str]
"""Leaf and VLAN."""
Interfaces = Mapping[At, Sequence[tuple[IPNetwork, Said]]]


@dataclass(frozen=True, slots=True)
class _Used:
    """A pool of a network. ``own``: the interfaces behind its cards; ``whole``: these are all; ``there``:
    what has its subnet, own ones first; ``others``: rails of other cards in that place."""

    part: FoundNetwork
    pool: str
    subnet: IPNetwork
    said: Said
    own: Interfaces
    whole: bool
    there: At | None
    others: Set[int | None]

    @property
    def fits(self) -> bool:
        """Also where another leaf has the gateway of the same VLAN."""
        vlans = {vlan for _, vlan in self.own}
        same = self.there is not None and self.there[1] in vlans and not self.others
        return self.there in self.own or same

    def is_wrong(self, routed: bool) -> bool:
        """``routed``: by leaves, as other pools are. Else routers may have the gateways."""
        known = self.whole and (routed or self.there is not None)
        return not self.fits and (known or bool(self.others))

    def __str__(self) -> str:
        (leaf, vlan), found = next(iter(self.own.items()))
        here = f"pool {self.pool} of network {self.part.of[1]} has {self.subnet} ({place(self.said.at)})"
        behind = f"{found[0][1].value} ({place(found[0][1].at)})"
        also = f"; {self.there[0]} VLAN {self.there[1]} has that network" if self.there is not None else ""
        return f"{here}, its cards are on {leaf}, whose VLAN {vlan} has {behind}{also}"


def pool_faults(site: Site, rows: Iterable[NetworkRow], cards: Sequence[Card]) -> Iterator[Contradiction]:
    """The first of them. ``cards``: without those whose cables contradict others."""
    used = [*_used(site, rows, cards)]
    routed = any(each.fits for each in used)
    yield from first_faults(("pool", str(each)) for each in used if each.is_wrong(routed))


def _used(site: Site, rows: Iterable[NetworkRow], cards: Sequence[Card]) -> Iterator[_Used]:
    interfaces, vlans = _interfaces(site), vlans_of(site, cards)
    rails, exact = _rails(site, cards, vlans), dict[IPNetwork, list[At]]()
    for at, found in interfaces.items():
        for network, _ in found:
            exact.setdefault(network, []).append(at)
    behind: dict[object, tuple[Interfaces, bool]] = {}
    for part in (part for row in rows for part in row.parts if part.rail is not None):
        key = (part.rail, part.text("resource"), part.number("vlan"))
        if key not in behind:
            behind[key] = _behind(site, _cards(part, cards), vlans, part.number("vlan"), interfaces)
        own, whole = behind[key]
        for pool, subnet, said in _pools(site, part) if own else ():
            there = _at(subnet, own, exact) or _at(subnet, interfaces, exact)
            others = rails.get(there, frozenset()) - {part.rail} if there is not None else frozenset[int]()
            yield _Used(part, pool, subnet, said, own, whole, there, others)


def _behind(
    site: Site, mine: Sequence[Card], vlans: Mapping[Of, Said], tag: int | None, interfaces: Interfaces
) -> tuple[Interfaces, bool]:
    """The interfaces behind the cards, and whether each card has one."""
    places = _places(site, mine, vlans, tag)
    own = {at: interfaces[at] for at in places if at in interfaces}
    return own, len(places) == len(mine) and own.keys() == {*places}


def _pools(site: Site, part: FoundNetwork) -> Iterator[tuple[str, IPNetwork, Said]]:
    for pool in part.pools:
        if (seen := subnet_of_pool(site, pool)) is not None:
            yield pool, seen[0], seen[2]


def _rails(site: Site, cards: Iterable[Card], vlans: Mapping[Of, Said]) -> Mapping[At, Set[int | None]]:
    found: dict[At, set[int | None]] = {}
    for card in cards:
        for at in _places(site, [card], vlans):
            found.setdefault(at, set()).add(card.rail)
    return found


def _cards(part: FoundNetwork, cards: Iterable[Card]) -> list[Card]:
    name = part.text("resource")
    return [card for card in cards if card.rail == part.rail and (not name or name in card.resources)]


def _places(site: Site, cards: Iterable[Card], vlans: Mapping[Of, Said], tag: int | None = None) -> list[At]:
    """Of the cards that have one. ``tag``: VLAN that their network sends; else the one of the port counts."""
    found = []
    for card in cards:
        port, access = site.listed("card", card.of, "port"), vlans.get(card.of)
        vlan = str(tag or (access.value if access is not None else ""))
        found += [(port[0], vlan)] if port and vlan else []
    return found


def _interfaces(site: Site) -> Interfaces:
    found: dict[At, list[tuple[IPNetwork, Said]]] = {}
    for leaf, vlan in site.every("svi"):
        for text, said in site.prefixed("svi", (leaf, vlan), "address/"):
            if (network := parse_network(text)) is not None:
                found.setdefault((leaf, vlan), []).append((network.cidr, said))
    return found


def _at(network: IPNetwork, interfaces: Interfaces, exact: Mapping[IPNetwork, Iterable[At]]) -> At | None:
    """The first with an interface in it, or in a network around it."""
    if (found := next((at for at in exact.get(network, ()) if at in interfaces), None)) is not None:
        return found
    around = (at for at, own in interfaces.items() if any(_touch(network, other) for other, _ in own))
    return next(around, None)


def _touch(one: IPNetwork, other: IPNetwork) -> bool:
    return one in other or other in one
