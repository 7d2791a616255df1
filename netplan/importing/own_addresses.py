"""Addresses that hosts have on cards for pods, by their own output, else by a record: ``address`` of the
host's HCA. The ``20-*.network`` of netplan for such an interface takes away what it does not state.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from netaddr import IPAddress

from netplan.importing.beside_rails import Beside, beside
from netplan.importing.bystanders import OTHER_VLAN
from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site
from netplan.importing.host_addresses import (
    ADDRESS,
    ON_INTERFACE,
    RECORDED,
    SEEN,
    SEVERAL,
    HostAddress,
    host_addresses,
)
from netplan.importing.misplaced import MISPLACED, TAGGED_ALONE, Placed
from netplan.importing.networks import NetworkRow
from netplan.importing.text import TODO
from netplan.importing.whole_hcas import carries
from netplan.model.modes import mode_of
from netplan.model.values import parse_address

_BY_ADDRESS = f"{TODO}: address; by it the port of a card on no rail is in its VLAN"


def with_addresses(site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow]) -> list[Card]:
    """Without those that move into pods with their HCA, and those that a switch has too; two of one card
    are asked, and those that contradict the VLAN of the port."""
    moving = [row for row in rows if (mode := mode_of(row.first.text("mode"))) and mode.moves]
    others, placed, rest = frozenset(_gateways(site)), Placed(site, cards, rows), beside(site, cards)
    return [_with_address(site, card, moving, others, placed, rest) for card in cards]


def address_asked(card: Card) -> str:
    """The comment, where it is TODO."""
    if why := card.text(MISPLACED):
        return f"{TODO}: address; decide, and take it out of rails.reserved; sources disagree: {why}"
    if why := card.text(TAGGED_ALONE):
        return f"{TODO}: address, or none ({{}}) if {why}"
    return _BY_ADDRESS if card.rail_from == OTHER_VLAN else SEVERAL


def _with_address(
    site: Site,
    card: Card,
    moving: Iterable[NetworkRow],
    others: Container[IPAddress],
    placed: Placed,
    rest: Beside,
) -> Card:
    vlan = rest.vlans.get(card.of)
    own = _of_pods(site, card, moving, others) if vlan is None else _beside(site, card, rest)
    if own:
        return replace(card, fields={**card.fields, **_fields(card, own, placed)})
    if vlan is not None:
        return replace(card, fields={**card.fields, ADDRESS: Said(TODO, vlan.at)})
    return card


def _fields(card: Card, own: Sequence[HostAddress], placed: Placed) -> dict[str, Said]:
    said = _stated(own)
    doubts = ((MISPLACED, placed.misplaced(card, own)), (TAGGED_ALONE, placed.tagged_alone(card, own[0])))
    for field, why in doubts:
        if why:
            return {ADDRESS: Said(TODO, said.at), field: Said(why, said.at)}
    return {ADDRESS: said}


def _of_pods(
    site: Site, card: Card, moving: Iterable[NetworkRow], others: Container[IPAddress]
) -> list[HostAddress]:
    if (card.rail is None and not card.for_pods) or any(carries(row, card) for row in moving):
        return []
    own = [each for each in _direct(site, card) if each.ip not in others]
    return [each for each in own if each.ip.version == 4] or own


def _beside(site: Site, card: Card, rest: Beside) -> list[HostAddress]:
    """By it the port of a card on no rail has its VLAN."""
    networks, own = rest.networks(card), [*_direct(site, card)]
    return [each for each in own if any(each.ip in network for network in networks)] or own


def _direct(site: Site, card: Card) -> Iterator[HostAddress]:
    """A record counts where the host's own output does not show what the interface has."""
    by = RECORDED if site.said("card", card.of, SEEN) is None else ON_INTERFACE
    for each in host_addresses(site, [card]):
        if not each.of_link and site.said("card", card.of, f"{by}{each.written}") is not None:
            yield each


def _stated(own: Sequence[HostAddress]) -> Said:
    first = own[0]
    one = f"{first.ip}/{first.network.prefixlen}"
    return Said(one if len({each.ip for each in own}) == 1 else TODO, first.said.at)


def _gateways(site: Site) -> Iterator[IPAddress]:
    texts = [site.text("pool", of, "gateway") for of in site.every("pool")]
    svis = (site.prefixed("svi", of, "address/") for of in site.every("svi"))
    texts += [text.partition("/")[0] for every in svis for text, _ in every]
    yield from filter(None, map(parse_address, texts))
