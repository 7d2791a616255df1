"""VLANs and subnets of cards that are on no rail because their ports are in VLANs of none, such as those of
storage servers on the leaves of the rails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from netaddr import IPAddress, IPNetwork

from netplan.importing.bystanders import OTHER_VLAN
from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site, place
from netplan.importing.text import Entry, block, line, todo
from netplan.importing.vlans import vlans_of
from netplan.model.inventory_text import flow
from netplan.model.ranges import gathered
from netplan.model.values import parse_address, parse_network


@dataclass(frozen=True, slots=True)
class _Interface:
    switch: str
    ip: IPAddress
    said: Said


def vlans_beside(site: Site, cards: Iterable[Card]) -> dict[int, Said]:
    """Each with the place of its first port."""
    own = [card for card in cards if card.rail_from == OTHER_VLAN]
    found = vlans_of(site, own).values()
    return {said.value: said for said in reversed([*found]) if isinstance(said.value, int)}


def networks_beside(site: Site, card: Card) -> list[IPNetwork]:
    """Those of the VLAN interfaces of its VLAN."""
    numbers = vlans_beside(site, [card])
    return [network for number in numbers for network in _interfaces(site, number)]


def lines_beside(site: Site, cards: Iterable[Card]) -> tuple[list[str], list[str]]:
    """Of ``vlans`` and ``subnets``."""
    vlans: list[str] = []
    subnets: list[str] = []
    for number, said in sorted(vlans_beside(site, cards).items()):
        name = f"vlan{number}"
        vlans.append(line(1, name, Entry(flow({"id": number}), place(said.at))))
        networks = _interfaces(site, number)
        if not networks:
            cidr = todo(f"range of VLAN {number}", "no VLAN interface of it is in the dumps")
            subnets += block(1, name, {"cidr": cidr, "vlan": Entry(name)})
        for at, (network, own) in enumerate(networks.items()):
            cidr = Entry(str(network), place(own[0].said.at))
            entries = {"cidr": cidr, "vlan": Entry(name), **dict(_gateway(own))}
            subnets += block(1, name if len(networks) == 1 else f"{name}-{at}", entries)
    return vlans, subnets


def _gateway(own: Sequence[_Interface]) -> Iterator[tuple[str, Entry]]:
    first = own[0]
    if len(own) == 1:
        yield "gateway", Entry(str(first.ip))
        yield "gateway_owner", Entry("leaf", f"{first.switch}, {place(first.said.at)}")
    else:
        seen = f"{gathered(each.switch for each in own)} have addresses in it ({place(first.said.at)})"
        yield "gateway", todo("address, or none; one leaf, or a router outside, has it", seen)


def _interfaces(site: Site, number: int) -> dict[IPNetwork, list[_Interface]]:
    found: dict[IPNetwork, list[_Interface]] = {}
    for of in (of for of in site.every("svi") if of[1] == str(number)):
        for text, said in site.prefixed("svi", of, "address/"):
            ip, network = parse_address(text.partition("/")[0]), parse_network(text)
            if ip is not None and network is not None:
                found.setdefault(network.cidr, []).append(_Interface(of[0], ip, said))
    return found
