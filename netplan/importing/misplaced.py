"""Addresses of hosts that their switch ports contradict: in the subnet of another rail than the VLAN of the
port, by which netplan would move it; of an interface that sends untagged, in a VLAN that the port tags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netaddr import IPAddress

from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Of, Said, Site, first_faults, place
from netplan.importing.host_addresses import HostAddress
from netplan.importing.networks import NetworkRow
from netplan.importing.vlans import membership_of, vlans_of
from netplan.model.values import parse_network

MISPLACED = "host_address_misplaced"
"""Field of a card: what its address and its port say, both with their places."""
TAGGED_ALONE = "host_address_tagged"
"""Field of a card: that its port only tags the VLAN of its address, with its place."""
_Key = tuple[int, int, int]
"""(IP version, prefix length, bits of the prefix)."""
_SHOWN = 4


class Placed:
    """Subnets of the VLANs of ports and of the rails' pools."""

    def __init__(self, site: Site, cards: Iterable[Card], rows: Iterable[NetworkRow]) -> None:
        self._site = site
        self._vlans: Mapping[Of, Said] = vlans_of(site, cards)
        self._by: dict[_Key, dict[str, Said]] = {}
        taken = {str(said.value) for said in self._vlans.values()}
        for label, text, said in (*_of_interfaces(site, taken), *_of_pools(site, rows)):
            if (network := parse_network(text)) is not None:
                key = _key(network.cidr.ip, network.prefixlen)
                self._by.setdefault(key, {}).setdefault(label, said)
        self._lengths = {(version, length) for version, length, _ in self._by}

    def misplaced(self, card: Card, own: Sequence[HostAddress]) -> str:
        """Of the first address; empty if none is."""
        vlan = self._vlans.get(card.of)
        for each in own if vlan is not None else ():
            found = self._subnets(each.ip)
            if vlan is not None and found and not {f"VLAN {vlan.value}", f"rail {card.rail}"} & found.keys():
                label, said = next(iter(found.items()))
                port = " ".join(self._site.listed("card", card.of, "port"))
                where = f"in the subnet of {label} ({place(said.at)})"
                has = f"{each.owner} has {each.ip} ({place(each.said.at)}), {where}"
                return f"{has}, but its port {port} is in VLAN {vlan.value} ({place(vlan.at)})"
        return ""

    def tagged_alone(self, card: Card, own: HostAddress) -> str:
        """Empty if the port may send the VLAN of the address untagged."""
        port, vlan = membership_of(self._site, card), self._vlans.get(card.of)
        if port is None or port.tagged is None or (vlan is not None and vlan.value not in port.tags):
            return ""
        here = {f"VLAN {vlan.value}", f"rail {card.rail}"} if vlan is not None else set()
        if port.access is not None and (vlan == port.access or not here & self._subnets(own.ip).keys()):
            return ""
        tags = ", ".join(map(str, port.tags[:_SHOWN]))
        says = f"{' '.join(port.port)} has VLAN {tags} tagged ({place(port.tagged.at)})"
        return f"{own.ip} may go, which the interface sends untagged: {says}"

    def _subnets(self, ip: IPAddress) -> dict[str, Said]:
        found: dict[str, Said] = {}
        for version, length in self._lengths:
            if version == ip.version:
                found |= self._by.get(_key(ip, length), {})
        return found


def misplaced_addresses(cards: Iterable[Card]) -> Iterator[Contradiction]:
    """The first one, with the number of the others."""
    yield from first_faults((MISPLACED, text) for card in cards if (text := card.text(MISPLACED)))


def _key(ip: IPAddress, length: int) -> _Key:
    return ip.version, length, int(ip) >> ((32 if ip.version == 4 else 128) - length)


def _of_interfaces(site: Site, vlans: Iterable[str]) -> Iterator[tuple[str, str, Said]]:
    for of in site.every("svi"):
        for text, said in site.prefixed("svi", of, "address/") if of[1] in vlans else ():
            yield f"VLAN {of[1]}", text, said


def _of_pools(site: Site, rows: Iterable[NetworkRow]) -> Iterator[tuple[str, str, Said]]:
    for part in (part for row in rows for part in row.parts if part.rail is not None):
        for pool in part.pools:
            if (said := site.said("pool", (pool,), "subnet")) is not None:
                yield f"rail {part.rail}", str(said.value), said
