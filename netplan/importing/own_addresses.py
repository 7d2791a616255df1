"""Addresses that hosts have on cards for pods: ``address`` of the host's HCA. The ``20-*.network`` of netplan
for such an interface takes an address away that it does not state.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from netaddr import IPAddress

from netplan.importing.beside_rails import networks_beside, vlans_beside
from netplan.importing.bystanders import OTHER_VLAN
from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site
from netplan.importing.host_addresses import ADDRESS, ON_INTERFACE, HostAddress, host_addresses
from netplan.importing.networks import NetworkRow
from netplan.importing.text import TODO
from netplan.importing.whole_hcas import carries
from netplan.model.modes import mode_of
from netplan.model.values import parse_address


def with_addresses(site: Site, cards: Iterable[Card], rows: Sequence[NetworkRow]) -> list[Card]:
    """Without those that move into pods with their HCA, and those that a switch has too; two of one card
    are asked."""
    moving = [row for row in rows if (mode := mode_of(row.first.text("mode"))) and mode.moves]
    others, found = frozenset(_gateways(site)), []
    for card in cards:
        said = _beside(site, card) if card.rail_from == OTHER_VLAN else _of_pods(site, card, moving, others)
        found.append(card if said is None else replace(card, fields={**card.fields, ADDRESS: said}))
    return found


def _of_pods(
    site: Site, card: Card, moving: Iterable[NetworkRow], others: Container[IPAddress]
) -> Said | None:
    if (card.rail is None and not card.for_pods) or any(carries(row, card) for row in moving):
        return None
    own = [each for each in _direct(site, card) if each.ip not in others]
    own = [each for each in own if each.ip.version == 4] or own
    return _stated(own) if own else None


def _beside(site: Site, card: Card) -> Said:
    """By it the port of a card on no rail has its VLAN."""
    networks, own = networks_beside(site, card), [*_direct(site, card)]
    inside = [each for each in own if any(each.ip in network for network in networks)] or own
    return _stated(inside) if inside else Said(TODO, next(iter(vlans_beside(site, [card]).values())).at)


def _direct(site: Site, card: Card) -> Iterator[HostAddress]:
    for each in host_addresses(site, [card]):
        if not each.of_link and site.said("card", card.of, f"{ON_INTERFACE}{each.ip}") is not None:
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
