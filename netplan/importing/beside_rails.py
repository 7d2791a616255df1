"""VLANs and subnets of cards that are on no rail because their ports are in VLANs of none, such as those of
storage servers on the leaves of the rails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netaddr import IPAddress, IPNetwork

from netplan.importing.bystanders import OTHER_VLAN
from netplan.importing.cards import Card
from netplan.importing.facts import Of, Said, Site, place
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


@dataclass(frozen=True, slots=True)
class Beside:
    """``vlans``: of the ports of such cards. ``interfaces``: VLAN interfaces by VLAN and network."""

    vlans: Mapping[Of, Said]
    interfaces: Mapping[str, Mapping[IPNetwork, Sequence[_Interface]]]

    def networks(self, card: Card) -> Iterable[IPNetwork]:
        """Those of the VLAN interfaces of its VLAN."""
        return self.interfaces.get(str(self.vlans[card.of].value), {})


def beside(site: Site, cards: Iterable[Card]) -> Beside:
    return Beside(_vlans(site, cards), _interfaces(site))


def vlans_beside(site: Site, cards: Iterable[Card]) -> dict[int, Said]:
    """Each with the place of its first port."""
    found = _vlans(site, cards).values()
    return {said.value: said for said in reversed([*found]) if isinstance(said.value, int)}


def _vlans(site: Site, cards: Iterable[Card]) -> Mapping[Of, Said]:
    return vlans_of(site, [card for card in cards if card.rail_from == OTHER_VLAN])


def lines_beside(site: Site, cards: Iterable[Card]) -> tuple[list[str], list[str]]:
    """Of ``vlans`` and ``subnets``."""
    vlans: list[str] = []
    subnets: list[str] = []
    interfaces = _interfaces(site)
    for number, said in sorted(vlans_beside(site, cards).items()):
        name = f"vlan{number}"
        vlans.append(line(1, name, Entry(flow({"id": number}), place(said.at))))
        networks = interfaces.get(str(number), {})
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


def _interfaces(site: Site) -> dict[str, dict[IPNetwork, list[_Interface]]]:
    found: dict[str, dict[IPNetwork, list[_Interface]]] = {}
    for switch, vlan in site.every("svi"):
        for text, said in site.prefixed("svi", (switch, vlan), "address/"):
            ip, network = parse_address(text.partition("/")[0]), parse_network(text)
            if ip is not None and network is not None:
                own = found.setdefault(vlan, {}).setdefault(network.cidr, [])
                own.append(_Interface(switch, ip, said))
    return found
