"""Networks and VLANs that only some leaves of a rail have. An inventory makes the network and the VLAN of a
rail for each of its leaves, so that it would add the others without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from netaddr import IPNetwork

from netplan.importing.cabling import is_listed
from netplan.importing.cards import Card
from netplan.importing.facts import Of, Said, Site, place
from netplan.importing.networks import FoundNetwork, NetworkRow, subnet_of_pool
from netplan.importing.pool_interfaces import pool_faults
from netplan.importing.text import INEXPRESSIBLE, Entry, listed, todo
from netplan.importing.vlans import membership_of, vlans_of
from netplan.model.folding import folded
from netplan.model.values import natural, parse_network
from netplan.report import few

_SHOWN = 6
Subnets = dict[str, dict[str, Said]]
"""Leaf -> subnets of its VLAN interfaces of a rail."""


def some_leaves(site: Site, row: NetworkRow, cards: Sequence[Card]) -> Entry | None:
    """What to ask instead of ``for_each: rails``; None if all leaves of its rails have the network, as far as
    their VLAN interfaces tell."""
    found = {rail: [*_by_leaf(site, row, cards, rail)] for rail in sorted(row.rails)}
    if not any(part is not None for rows in found.values() for _, _, part in rows):
        return None
    lacking = {rail: rows for rail, rows in found.items() if any(part is None for *_, part in rows)}
    if not lacking or any(pool_faults(site, [row], cards)):
        return None  # pools elsewhere are asked for at the range of the rails
    what = f"{INEXPRESSIBLE}: a network that some leaves of a rail lack; state rails if they are to get it"
    return todo(what, listed(_told(rail, rows) for rail, rows in lacking.items()))


Row = tuple[str, tuple[str, Said], FoundNetwork | None]
"""Leaf, its first subnet, and the network whose pool has one of its subnets."""


def _told(rail: int, rows: Iterable[Row]) -> str:
    words = []
    for leaf, (network, said), part in rows:
        if part is None:
            words.append(f"{leaf} none in {network} ({place(said.at)})")
        else:
            words.append(f"{leaf} has {part.of[1]} ({place(part.fields['mode'].at)})")
    return f"rail {rail}: {' and '.join(sorted(words, key=lambda text: ' none in ' in text))}"


def _by_leaf(site: Site, row: NetworkRow, cards: Sequence[Card], rail: int) -> Iterator[Row]:
    parts: dict[str, FoundNetwork] = {}
    for part in row.parts:
        for pool in part.pools if part.rail == rail else ():
            if (seen := subnet_of_pool(site, pool)) is not None:
                parts.setdefault(str(seen[0]), part)
    own = {part.number("vlan") for part in row.parts if part.rail == rail}
    found = _subnets(site, _of_rail(row, cards, rail), own)
    for leaf in sorted(found, key=natural):
        mine = (parts[network] for network in found[leaf] if network in parts)
        yield leaf, next(iter(found[leaf].items())), next(mine, None)


def _of_rail(row: NetworkRow, cards: Iterable[Card], rail: int) -> list[Card]:
    wanted = set(row.resources)
    return [card for card in cards if card.rail == rail and (not wanted or wanted & {*card.resources})]


def _subnets(site: Site, cards: Sequence[Card], own: set[int | None]) -> Subnets:
    """``own``: VLANs of the rail's networks."""
    vlans: Mapping[Of, Said] = vlans_of(site, cards)
    found: Subnets = {}
    for card in cards:
        leaf, *_ = site.listed("card", card.of, "port") or ("",)
        ids = {vlans[card.of].value} if card.of in vlans else own - {None, 0}
        for vlan in ids if leaf else ():
            for address, said in site.prefixed("svi", (leaf, str(vlan)), "address/"):
                network: IPNetwork | None = parse_network(address)
                if network is not None:
                    found.setdefault(leaf, {}).setdefault(str(network.cidr), said)
    return found


@dataclass(frozen=True, slots=True)
class NoVlan:
    """Ports of a rail without a VLAN, and one of the same rail that has one."""

    why: str

    def __str__(self) -> str:
        return self.why


def without_vlan(site: Site, cards: Sequence[Card]) -> Iterator[NoVlan]:
    """One for each rail and leaf. Only of switches whose VLANs are in the dumps, and of ports that do not
    route."""
    behind = [card for card in cards if card.rail is not None]
    vlans = vlans_of(site, behind)
    usual = {card.rail: (card, vlans[card.of]) for card in reversed(behind) if card.of in vlans}
    read = {
        of[0]
        for of in site.every("port")
        if site.said("port", of, "access") or site.said("port", of, "tagged")
    }
    bare: dict[tuple[int, str], list[str]] = {}
    for card in behind:
        port = site.listed("card", card.of, "port")
        if card.rail is not None and card.rail in usual and _is_bare(site, card, port, read):
            bare.setdefault((card.rail, port[0]), []).append(port[1])
    for (rail, leaf), ports in bare.items():
        yield NoVlan(_apart(site, usual[rail], (leaf, sorted(set(ports), key=natural)), rail))


def _is_bare(site: Site, card: Card, port: Of, read: Set[str]) -> bool:
    if not port or port[0] not in read or not is_listed(site, port):
        return False
    open_ = any(site.conflict("port", port, field) for field in ("access", "tagged"))
    routed = any(site.prefixed("port", port, "address/"))
    return not routed and not open_ and membership_of(site, card) is None


def _apart(site: Site, like: tuple[Card, Said], bare: tuple[str, list[str]], rail: int) -> str:
    card, vlan = like
    leaf, ports = bare
    runs = [run.texts[0] for run in folded(("", (name,)) for name in ports)]
    at = next(iter(site.fields("port", (leaf, ports[0])).values())).at
    there = " ".join(site.listed("card", card.of, "port"))
    what = f"rail {rail}: {leaf} {few(runs, _SHOWN)} in no VLAN ({place(at)})"
    return f"{what}; {there} in VLAN {vlan.value} ({place(vlan.at)})"
