"""Fabrics beside that of the rails, such as leaves and spines of the front end: an inventory has one
underlay, whose AS numbers, loopbacks and uplinks are not theirs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from netaddr import IPAddress, IPNetwork

from netplan.importing.cabling import CARD, SWITCH, Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Fact, Kind, Of, Remark, Site, texts_in
from netplan.importing.folded import Folded
from netplan.importing.front_ends import cards_at, used_cards
from netplan.importing.gather import Gathered
from netplan.importing.hostless_leaves import vlans_of_port
from netplan.importing.rail_switches import has_part, rail_switches
from netplan.importing.routed_links import has_neighbour
from netplan.model.ranges import gathered as ranges_of
from netplan.model.values import natural, parse_address, parse_network

Links = Mapping[str, Set[str]]
_OF_SWITCHES = frozenset[Kind]({"switch", "port", "svi"})
_WHY = (
    "no card on a rail has a cable there, and no cable leads to the switches of the rails, so they are left "
    "out as a fabric of their own; if they are of the rails' fabric, add LLDP or a record of a cable between "
    "them and it, else write an inventory of their own"
)


_LINK = 4
"""Addresses of a /30, which is between two switches: a VLAN of management has more."""
Address = tuple[IPAddress, IPNetwork]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Interface:
    """Of a VLAN, which is 0 if its name has no number."""

    vlan: int
    ip: IPAddress
    network: IPNetwork


@dataclass(frozen=True, slots=True)
class _Stated:
    """``between``: cables between switches. By switch: cards that its cables may end on, VLANs of its ports
    and interfaces, its interfaces, all of its addresses, and its neighbours of BGP."""

    between: Sequence[Cable]
    cards: Mapping[str, Set[Of]]
    vlans: Mapping[str, Set[int]]
    interfaces: Mapping[str, Sequence[_Interface]]
    addresses: Mapping[str, Set[IPAddress]]
    neighbours: Mapping[str, Set[IPAddress]]


@dataclass(frozen=True, slots=True)
class _Rails:
    """The fabric of the rails. ``cards``: on rails, ``beside``: others for pods; ``switches``: with all that
    cables connect with them; ``vlans``: of their ports to cards; ``networks``: of pools, of VLAN interfaces
    in these VLANs (all where no port states one), and of links; ``addresses``: of its switches, ``sought``:
    neighbours of BGP that are none of these; ``whole``: whether each card has a cable, and cables connect all
    its switches."""

    cards: Set[Of]
    beside: Set[Of]
    switches: Set[str]
    vlans: Set[int]
    networks: Sequence[IPNetwork]
    addresses: Set[IPAddress]
    sought: Set[IPAddress]
    whole: bool


def fabrics_beside(site: Site, folded: Folded, kept: Collection[str] = ()) -> frozenset[str]:
    """Their switches. ``kept``: those that an inventory has."""
    cables = [*folded.cables, *folded.sideways]
    links = _links(cables)
    own, start = _start(site, folded)
    switches = _reached(start, links)
    others = [row.name for row in folded.switches if row.name not in switches]
    if not others or not own or _has_open_session(site, switches, cables):
        return frozenset()
    stated = _stated(site, folded.cables)
    rails = _rails(site, folded, own, start, links, stated)
    found: set[str] = set()
    for name in others:
        names = _reached({name}, links) if name not in found else set()
        if names and names.isdisjoint(kept) and _is_beside(site, folded, names, rails, stated):
            found |= names
    return frozenset(found)


def beside_remarks(site: Site, names: Collection[str]) -> Iterator[Remark]:
    """One for all."""
    if names:
        every = sorted(names, key=natural)
        first = next(iter(site.fields("switch", (every[0],)).values()))
        yield Remark(first.at, f"{ranges_of(every)}: {_WHY}")


def files_of(gathered: Gathered, names: Set[str]) -> set[str]:
    """Configurations and neighbours of these switches alone."""
    nodes = {of[0] for of in gathered.site.every("node")}
    of_others = {file for name, files in gathered.configs.items() if name not in names for file in files}
    found = {file for name in names for file in gathered.configs.get(name, ())} - of_others
    for file, parts in gathered.heard.items():
        speakers = [{name.partition(".")[0] for name in one.speaker} | {*one.speaker} for one in parts]
        if speakers and all(own & names and not own & nodes for own in speakers):
            found.add(file)
    return found


def without_switches(site: Site, names: Set[str]) -> Site:
    """What files of others say of them is left out too."""

    def kept(fact: Fact) -> Fact | None:
        own = fact.kind in _OF_SWITCHES and fact.of[0] in names
        behind = fact.kind == "card" and fact.field == "port" and not names.isdisjoint(texts_in(fact.value))
        return None if own or behind else fact

    return site.rewritten(kept)


def cards_on_rails(cards: Sequence[Card]) -> Iterator[Card]:
    """And those for pods of nodes without any, which may be on rails that no dump shows. Where a node has
    rails, its other cards for pods, such as those of storage, may be on a fabric of their own."""
    nodes = {card.node for card in cards if card.rail is not None}
    return (card for card in cards if card.rail is not None or (card.for_pods and card.node not in nodes))


def _start(site: Site, folded: Folded) -> tuple[list[Cable], frozenset[str]]:
    """Cables of the cards on rails, and their switches."""
    cards = [*cards_on_rails(folded.cards)]
    used = used_cards(cards)
    own = [cable for cable in folded.cables if cable.kind == CARD and cable.far in used]
    return own, rail_switches(site, cards, folded.cables, folded.switches, folded.hostless)


def _rails(
    site: Site, folded: Folded, own: Sequence[Cable], start: Set[str], links: Links, stated: _Stated
) -> _Rails:
    """``own``: cables of its cards, ``start``: their switches."""
    switches, cards = _reached(start, links), used_cards(cards_on_rails(folded.cards))
    one, used = _reached({min(start)}, links), used_cards(folded.cards)
    ports = {
        (cable.switch, cable.port)
        for cable in folded.cables
        if cable.kind == CARD and cable.far in used and cable.switch in switches
    }
    vlans = {vlan for of in ports for vlan, _ in vlans_of_port(site, of)}
    interfaces = chain.from_iterable(stated.interfaces.get(name, ()) for name in switches)
    known = {0, *vlans}
    joining = (
        each.network for each in interfaces if not vlans or each.vlan in known or each.network.size <= _LINK
    )
    addresses = _all(stated.addresses, switches)
    return _Rails(
        cards=cards,
        beside=used - cards,
        switches=switches,
        vlans=vlans,
        networks=[*_pools(site, folded), *joining],
        addresses=addresses,
        sought=_all(stated.neighbours, switches) - addresses,
        whole=cards == {cable.far for cable in own} and len(one) > 1 and one >= start,
    )


def _is_beside(site: Site, folded: Folded, names: Set[str], rails: _Rails, stated: _Stated) -> bool:
    """Whether they are of an underlay, and no rail depends on them. Without cables to cards, or with some to
    cards for pods, they may be spines or leaves of the rails whose cables no dump has."""
    rows = [row for row in folded.switches if row.name in names]
    if not any(has_part(site, row, stated.between, ()) for row in rows):
        return False
    own = _all(stated.cards, names)
    if not own.isdisjoint(rails.cards):
        return False
    open_end = not own or not own.isdisjoint(rails.beside)
    if open_end and not (rails.whole and rails.vlans.isdisjoint(_all(stated.vlans, names))):
        return False
    interfaces = [each.ip for name in names for each in stated.interfaces.get(name, ())]
    inside = any(ip in network for ip in interfaces for network in rails.networks)
    return not inside and not _are_neighbours(names, rails, stated)


def _are_neighbours(names: Set[str], rails: _Rails, stated: _Stated) -> bool:
    """Of BGP, by either side."""
    addresses = _all(stated.addresses, names)
    sought = _all(stated.neighbours, names) - addresses
    return not (rails.sought.isdisjoint(addresses) and rails.addresses.isdisjoint(sought))


def _links(cables: Iterable[Cable]) -> Links:
    """Between switches, also those of which sources disagree."""
    found: dict[str, set[str]] = {}
    for cable in cables:
        ends = {cable.switch, *_switches_at(cable)} if cable.kind == SWITCH or cable.doubt else set()
        for name in ends:
            found.setdefault(name, set()).update(ends)
    return found


def _switches_at(cable: Cable) -> Iterator[str]:
    """Those that it may end on."""
    if cable.kind == SWITCH:
        yield cable.far[0]
    doubt = cable.doubt
    if doubt is not None and doubt.kind == "port":
        yield doubt.of[0]
    for said in (doubt.one, doubt.other) if doubt is not None else ():
        kind, *far = texts_in(said.value) or ("",)
        if doubt is not None and doubt.kind == "card":
            yield kind  # the switch and its port
        elif kind == SWITCH:
            yield far[0]


def _reached(names: Set[str], links: Links) -> Set[str]:
    found, new = set(names), [*names]
    while new:
        more = links.get(new.pop(), set()) - found
        found |= more
        new += more
    return found


def _has_open_session(site: Site, names: Iterable[str], cables: Iterable[Cable]) -> bool:
    """A session without an address over a port of which no dump has the other end: any may be there."""
    ends = {end for cable in cables for end in ((cable.switch, cable.port), cable.far)}
    ports = [(name, port) for name in names for port, _ in site.prefixed("switch", (name,), "unnumbered/")]
    return any(of not in ends and not has_neighbour(site, of) for of in ports)


def _stated(site: Site, cables: Sequence[Cable]) -> _Stated:
    cards: dict[str, set[Of]] = {}
    for cable in (cable for cable in cables if cable.kind == CARD):
        cards.setdefault(cable.switch, set()).update(cards_at(cable))
    vlans: dict[str, set[int]] = {}
    interfaces: dict[str, list[_Interface]] = {}
    addresses = {of[0]: {*_loopback(site, of)} for of in site.every("switch")}
    for of in site.every("port"):
        vlans.setdefault(of[0], set()).update(vlan for vlan, _ in vlans_of_port(site, of))
        addresses.setdefault(of[0], set()).update(ip for ip, _ in _addresses(site, "port", of))
    for of in site.every("svi"):
        own, vlan = [*_addresses(site, "svi", of)], int(of[1]) if of[1].isdecimal() else 0
        vlans.setdefault(of[0], set()).update({vlan} - {0})
        interfaces.setdefault(of[0], []).extend(_Interface(vlan, ip, network) for ip, network in own)
        addresses.setdefault(of[0], set()).update(ip for ip, _ in own)
    return _Stated(
        between=[cable for cable in cables if cable.kind == SWITCH],
        cards=cards,
        vlans=vlans,
        interfaces=interfaces,
        addresses=addresses,
        neighbours={of[0]: {*_neighbours(site, of)} for of in site.every("switch")},
    )


def _loopback(site: Site, of: Of) -> Iterator[IPAddress]:
    if (ip := parse_address(site.text("switch", of, "loopback"))) is not None:
        yield ip


def _neighbours(site: Site, of: Of) -> Iterator[IPAddress]:
    """Of BGP."""
    for text, _ in site.prefixed("switch", of, "neighbour/"):
        if (ip := parse_address(text)) is not None:
            yield ip


def _addresses(site: Site, kind: Kind, of: Of) -> Iterator[Address]:
    """Without link-local ones, which are the same everywhere."""
    for _, said in site.prefixed(kind, of, "address/"):
        own = parse_network(str(said.value))
        if own is not None and not own.is_link_local():
            yield own.ip, own.cidr


def _all(of: Mapping[str, Set[_T]], names: Iterable[str]) -> Set[_T]:
    return set[_T]().union(*(of.get(name, ()) for name in names))


def _pools(site: Site, folded: Folded) -> Iterator[IPNetwork]:
    """Of the rails, and those of no network. Networks on no rail may have a fabric of their own."""
    on_rails = {pool for row in folded.rows for part in row.parts if row.rails for pool in part.pools}
    others = {pool for row in folded.rows for part in row.parts for pool in part.pools} - on_rails
    names = (of for of in site.every("pool") if of[0] not in others)
    found = (parse_network(site.text("pool", of, "subnet")) for of in names)
    return (network.cidr for network in found if network is not None)
