"""Addresses that two things have: loopbacks and router IDs of switches, addresses of VLAN interfaces, of pods
and of hosts on the cards of rails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from netaddr import IPAddress

from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Of, Said, Site, first_faults, place
from netplan.importing.host_addresses import rail_addresses
from netplan.importing.virtual_gateways import shared_addresses
from netplan.model.values import parse_address

Owned = tuple[str, Said]


def addresses_twice(site: Site, cards: Iterable[Card]) -> Iterator[Contradiction]:
    """The first pair of each kind, with the number of the others."""
    yield from first_faults((*_loopbacks(site), *_routers(site), *_interfaces(site), *_of_hosts(site, cards)))


def _loopbacks(site: Site) -> Iterator[tuple[object, str]]:
    first: dict[object, Owned] = {}
    for of in site.every("switch"):
        if (said := site.said("switch", of, "loopback")) is not None:
            yield from _pair("loopback", first, said.value, (of[0], said))


def _routers(site: Site) -> Iterator[tuple[object, str]]:
    for of in site.every("switch"):
        if (other := router_id_of_another(site, of)) is not None:
            said = site.fields("switch", of)["router_id"]
            yield from _pair("router ID", {said.value: other}, said.value, (of[0], said))


def router_id_of_another(site: Site, of: Of) -> Owned | None:
    """The switch whose loopback this one states as its router ID, or one before it that states it too; none
    where it is its own loopback."""
    own = site.said("switch", of, "router_id")
    if own is None or own.value == site.text("switch", of, "loopback"):
        return None
    for other in site.every("switch"):
        loopback, stated = (site.said("switch", other, name) for name in ("loopback", "router_id"))
        said = loopback if other > of or stated is None else stated
        if said is not None and other != of and said.value == own.value:
            return other[0], said
    return None


def _interfaces(site: Site) -> Iterator[tuple[object, str]]:
    """One address on the VLAN interfaces of two switches, unless many are so, as anycast gateways are. Those
    with one loopback are told by it."""
    loopbacks = Counter(site.text("switch", of, "loopback") for of in site.every("switch"))
    rows = [
        (of[1], text, (f"{of[0]} VLAN {of[1]}", said))
        for of in site.every("svi")
        if not (own := site.text("switch", of[:1], "loopback")) or loopbacks[own] == 1
        for text, said in site.prefixed("svi", of, "address/")
    ]
    first: dict[tuple[str, str], Owned] = {}
    pairs = ((text, own, first.setdefault((vlan, text), own)) for vlan, text, own in rows)
    found = [pair for text, own, other in pairs for pair in _pair("address", {text: other}, text, own)]
    yield from found if 3 * len(found) <= len(rows) else ()


def _of_hosts(site: Site, cards: Iterable[Card]) -> Iterator[tuple[object, str]]:
    """One address on two cards, or on a card and as a gateway, whatever prefix lengths they have."""
    first: dict[object, Owned] = {}
    for address, owner in _gateways(site):
        if address is not None:
            first.setdefault(address, owner)
    for of in site.every("address"):
        if (pod := site.said("address", of, "pod")) is not None:
            yield from _pair("address", first, parse_address(of[0]), (f"pod {pod.value}", pod))
    for each in rail_addresses(site, cards):
        if not each.network.is_link_local():
            yield from _pair("address", first, each.ip, (each.owner, each.said))


def _gateways(site: Site) -> Iterator[tuple[IPAddress | None, Owned]]:
    """Addresses of VLAN interfaces, then gateways of pools, which may be those of no switch in the dumps."""
    for of in site.every("svi"):
        for text, said in site.prefixed("svi", of, "address/"):
            yield parse_address(text.partition("/")[0]), (f"{of[0]} VLAN {of[1]}", said)
        for address, said in shared_addresses(site, of).items():
            yield address, (f"the gateway of VLAN {of[1]}", said)
    for of in site.every("pool"):
        if (gateway := site.said("pool", of, "gateway")) is not None:
            yield parse_address(str(gateway.value)), (f"the gateway of pool {of[0]}", gateway)


def _pair(what: str, first: dict[object, Owned], value: object, own: Owned) -> Iterator[tuple[object, str]]:
    other = first.setdefault(value, own)
    if other[0] != own[0]:
        here, there = f"{other[0]} ({place(other[1].at)})", f"{own[0]} ({place(own[1].at)})"
        yield what, f"{what} {value} is that of {here} and of {there}"
