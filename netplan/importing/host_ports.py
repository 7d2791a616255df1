"""Routed ports of rails to hosts: networks that no inventory has, ports without one, sessions with hosts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netaddr import IPNetwork

from netplan.importing.cabling import CARD, Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Of, Remark, Said, Site, first_faults, place
from netplan.model.values import parse_address, parse_network

_SESSION = "a BGP session with a host, and netplan plans none"


def odd_host_ports(site: Site, cables: Iterable[Cable], rails: Mapping[Of, int]) -> Iterator[str]:
    """Addresses of ports to cards on rails that are not the one /31 or /127 of their family."""
    for cable in cables:
        own = _addresses(site, cable) if cable.kind == CARD and cable.far in rails else []
        versions = [network.version for network, _ in own]
        lengths = {network.prefixlen for network, _ in own}
        if own and (lengths - {31, 127} or len(set(versions)) < len(versions)):
            texts = ", ".join(f"{said.value} ({place(said.at)})" for _, said in own)
            yield f"{cable.switch} {cable.port} {texts}"


def _addresses(site: Site, cable: Cable) -> list[tuple[IPNetwork, Said]]:
    """Without link-local ones, which every port has."""
    found = (said for _, said in site.prefixed("port", (cable.switch, cable.port), "address/"))
    networks = ((parse_network(str(said.value)), said) for said in found)
    return [(network, said) for network, said in networks if network and not network.is_link_local()]


def without_address(site: Site, cards: Sequence[Card], cables: Iterable[Cable]) -> Iterator[Contradiction]:
    """Ports of a rail with neither address nor VLAN, where others of the rail have an address."""
    yield from first_faults(_without(site, {card.of: card.rail for card in cards}, [*cables]))


def _without(
    site: Site, rails: Mapping[Of, int | None], cables: Sequence[Cable]
) -> Iterator[tuple[object, str]]:
    behind = [c for c in cables if c.kind == CARD and rails.get(c.far) is not None and c.doubt is None]
    routed = {rails[cable.far]: cable for cable in reversed(behind) if _addresses(site, cable)}
    read = {cable.switch for cable in behind if _addresses(site, cable)}
    for cable in behind:
        other, of = routed.get(rails[cable.far]), (cable.switch, cable.port)
        stated = site.fields("port", of)
        if other is None or cable.switch not in read or stated.keys() & {"access", "tagged"}:
            continue
        if not _addresses(site, cable):
            at, said = next(iter(stated.values())).at, _addresses(site, other)[0][1]
            there = f"{other.switch} {other.port} has {said.value} ({place(said.at)})"
            yield "address", f"rail {rails[cable.far]}: {' '.join(of)} has no address ({place(at)}), {there}"


def host_sessions(site: Site, cables: Iterable[Cable]) -> Iterator[Remark]:
    """Neighbours in the network of a port to a host."""
    networks: dict[str, list[IPNetwork]] = {}
    for cable in cables:
        if cable.kind == CARD:
            own = networks.setdefault(cable.switch, [])
            own += [network for network, _ in _addresses(site, cable)]
    for switch, mine in networks.items():
        for far, said in site.prefixed("switch", (switch,), "neighbour/"):
            address = parse_address(far)
            if address is not None and any(address in network for network in mine):
                what = f"{switch} neighbour {far} with AS {said.value}: {_SESSION}"
                yield Remark(said.at, what, alike=_SESSION)
