"""Addresses that hosts have on the cards of rails: reserved, where a pool could give them out, else told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from netaddr import IPAddress, IPNetwork

from netplan.importing.cards import Card
from netplan.importing.facts import Remark, Said, Site, not_taken, place
from netplan.importing.text import TODO, listed
from netplan.model.values import parse_address, parse_network

ON_INTERFACE = "on_interface/"
"""Of fields of a card: addresses of its interface itself, not of a VLAN or a bridge over it."""
RECORDED = "recorded_address/"
"""The same by a record."""
SEEN = "addresses_seen"
"""Field of a card: the host's own output shows the addresses of its interface, if any."""
ADDRESS = "host_address"
"""Field of a card: the address that the inventory states."""
SEVERAL = "TODO: address, one of those that the interface has; take it out of rails.reserved"
_LINK = {4: 30, 6: 126}
"""Prefix lengths from which on a network is that of a link, not of the hosts of a rail."""


@dataclass(frozen=True, slots=True)
class HostAddress:
    card: Card
    ip: IPAddress
    network: IPNetwork
    said: Said
    written: str
    """``ip`` as the dumps have it."""

    @property
    def owner(self) -> str:
        return f"{self.card.node} {self.card.text('netdev') or self.card.pci}"

    @property
    def stated(self) -> bool:
        """Whether the inventory states it, so that it is not reserved for something else."""
        return self.card.text(ADDRESS) == f"{self.ip}/{self.network.prefixlen}"

    @property
    def of_link(self) -> bool:
        return bool(self.network.prefixlen >= _LINK[self.network.version])


def host_addresses(site: Site, cards: Iterable[Card]) -> Iterator[HostAddress]:
    for card in cards:
        for text, said in () if card.virtual else site.prefixed("card", card.of, "address/"):
            ip, network = parse_address(text), parse_network(f"{text}/{said.value}")
            if ip is not None and network is not None:
                yield HostAddress(card, ip, network.cidr, said, text)


def rail_addresses(site: Site, cards: Iterable[Card]) -> list[HostAddress]:
    return [*host_addresses(site, (card for card in cards if card.rail is not None))]


def networks_of_hosts(site: Site, cards: Iterable[Card]) -> str:
    """The networks that hosts have on each rail, for whoever states the subnets of the rails."""
    found: dict[tuple[int, str], HostAddress] = {}
    for each in rail_addresses(site, cards):
        found.setdefault((each.card.rail or 0, str(each.network)), each)
    return listed(
        f"rail {rail} {network} ({each.owner} {each.ip}, {place(each.said.at)})"
        for (rail, network), each in sorted(found.items(), key=lambda row: row[0])
    )


def stray_addresses(site: Site, cards: Iterable[Card], networks: Sequence[IPNetwork]) -> Iterator[Remark]:
    """Addresses in no subnet of the rails, where these are known, and second ones of an interface."""
    for each in rail_addresses(site, cards):
        why = "" if each.stated else _left(site, each, networks)
        if why:
            text = f"{each.ip}/{each.network.prefixlen}"
            yield not_taken(each.said.at, "address of a card", text, why)


def _left(site: Site, each: HostAddress, networks: Sequence[IPNetwork]) -> str:
    """``20-*.network`` of netplan has what is stated alone; of several the comment of the TODO tells."""
    stated, fields = each.card.text(ADDRESS), (f"{by}{each.written}" for by in (ON_INTERFACE, RECORDED))
    own = any(site.said("card", each.card.of, field) is not None for field in fields)
    lost = "the first host file, 20-*.network, takes it away" if stated and own else ""
    if networks and not any(each.ip in network for network in networks):
        return "; ".join(filter(None, ("it is in no subnet of the rails", lost)))
    return f"the interface has {stated} in the inventory; {lost}" if lost and stated != TODO else ""
