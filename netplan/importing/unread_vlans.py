"""Ports of rails whose VLAN no line states that is read, such as one of a configuration group of Junos: the
leaf has the network of the rail's pool on a VLAN interface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.importing.cards import Card
from netplan.importing.facts import Site, place
from netplan.importing.networks import NetworkRow, subnet_of_pool
from netplan.model.values import parse_network


def unread_vlans(site: Site, rows: Iterable[NetworkRow], cards: Iterable[Card]) -> dict[int, str]:
    """Rail -> the first such VLAN interface, with its place; of rails without a VLAN on any port."""
    ports: dict[int, set[tuple[str, ...]]] = {}
    for card in cards:
        if card.rail is not None and (port := site.listed("card", card.of, "port")):
            ports.setdefault(card.rail, set()).add(port)
    pools = [*_subnets(site, rows)]
    found: dict[int, str] = {}
    for rail, own in ports.items():
        if not any(site.said("port", of, field) for of in own for field in ("access", "tagged")):
            wanted, leaves = {net for on, net in pools if on == rail}, {of[0] for of in own}
            found.update((rail, text) for text in _interfaces(site, leaves, wanted)[:1])
    return found


def _subnets(site: Site, rows: Iterable[NetworkRow]) -> Iterator[tuple[int, str]]:
    for part in (part for row in rows for part in row.parts):
        for pool in part.pools if part.rail is not None else ():
            if (seen := subnet_of_pool(site, pool)) is not None and part.rail is not None:
                yield part.rail, str(seen[0])


def _interfaces(site: Site, leaves: set[str], wanted: set[str]) -> list[str]:
    found = []
    for of in (of for of in site.every("svi") if of[0] in leaves):
        for address, said in site.prefixed("svi", of, "address/"):
            network = parse_network(address)
            if network is not None and str(network.cidr) in wanted:
                where = f"{of[0]} has {address} on VLAN {of[1]} ({place(said.at)})"
                found.append(f"{where}, and no line that is read states a VLAN of its ports")
    return found
