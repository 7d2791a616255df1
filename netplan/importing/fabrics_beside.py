"""Fabrics beside that of the rails, such as leaves and spines of the front end: an inventory has one
underlay, whose AS numbers, loopbacks and uplinks are not theirs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from netaddr import IPAddress, IPNetwork

from netplan.importing.cabling import CARD, SWITCH, Cable
from netplan.importing.facts import Fact, Kind, Of, Remark, Site, texts_in
from netplan.importing.folded import Folded
from netplan.importing.front_ends import cards_at, used_cards
from netplan.importing.gather import Gathered
from netplan.importing.hostless_leaves import vlans_of_port
from netplan.importing.rail_switches import has_part
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


Address = tuple[IPAddress, IPNetwork]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Stated:
    """``between``: cables between switches. By switch: cards that its cables may end on, VLANs of its ports
    and interfaces, addresses of its interfaces, all of its addresses, and its neighbours of BGP."""

    between: Sequence[Cable]
    cards: Mapping[str, Set[Of]]
    vlans: Mapping[str, Set[int]]
    interfaces: Mapping[str, Sequence[Address]]
    addresses: Mapping[str, Set[IPAddress]]
    neighbours: Mapping[str, Set[IPAddress]]


@dataclass(frozen=True, slots=True)
class _Rails:
    """The fabric of the rails. ``switches``: with all that cables connect with them; ``networks``: of pools,
    and of VLAN interfaces there; ``addresses``: of its switches, ``sought``: neighbours of BGP that are none
    of these; ``whole``: whether each card has a cable, and cables connect all its switches."""

    cards: Set[Of]
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
    switches, own = _reached(folded.on_rails, links), _to_cards(folded)
    others = [row.name for row in folded.switches if row.name not in switches]
    if not others or not own or _has_open_session(site, switches, cables):
        return frozenset()
    stated = _stated(site, folded.cables)
    rails = _rails(site, folded, own, switches, links, stated)
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


def _to_cards(folded: Folded) -> list[Cable]:
    used = used_cards(folded.cards)
    return [cable for cable in folded.cables if cable.kind == CARD and cable.far in used]


def _rails(
    site: Site, folded: Folded, own: Sequence[Cable], switches: Set[str], links: Links, stated: _Stated
) -> _Rails:
    """``own``: cables of its cards."""
    used = used_cards(folded.cards)
    one = _reached({min(folded.on_rails)}, links)
    ports = {(cable.switch, cable.port) for cable in own}
    interfaces = chain.from_iterable(stated.interfaces.get(name, ()) for name in switches)
    addresses = _all(stated.addresses, switches)
    return _Rails(
        cards=used,
        switches=switches,
        vlans={vlan for of in ports for vlan, _ in vlans_of_port(site, of)},
        networks=[*_pools(site), *(network for _, network in interfaces)],
        addresses=addresses,
        sought=_all(stated.neighbours, switches) - addresses,
        whole=used == {cable.far for cable in own} and len(one) > 1 and one >= folded.on_rails,
    )


def _is_beside(site: Site, folded: Folded, names: Set[str], rails: _Rails, stated: _Stated) -> bool:
    """Whether they are of an underlay, and no rail depends on them. Without cables to cards they may be
    spines or leaves of the rails whose cables no dump has."""
    rows = [row for row in folded.switches if row.name in names]
    if not any(has_part(site, row, stated.between, ()) for row in rows):
        return False
    own = _all(stated.cards, names)
    if not own.isdisjoint(rails.cards):
        return False
    if not own and not (rails.whole and rails.vlans.isdisjoint(_all(stated.vlans, names))):
        return False
    addresses = _all(stated.addresses, names)
    interfaces = [ip for name in names for ip, _ in stated.interfaces.get(name, ())]
    inside = any(ip in network for ip in interfaces for network in rails.networks)
    sought = _all(stated.neighbours, names) - addresses
    return not inside and rails.sought.isdisjoint(addresses) and rails.addresses.isdisjoint(sought)


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
    interfaces: dict[str, list[Address]] = {}
    addresses = {of[0]: {*_loopback(site, of)} for of in site.every("switch")}
    for of in site.every("port"):
        vlans.setdefault(of[0], set()).update(vlan for vlan, _ in vlans_of_port(site, of))
        addresses.setdefault(of[0], set()).update(ip for ip, _ in _addresses(site, "port", of))
    for of in site.every("svi"):
        own = [*_addresses(site, "svi", of)]
        vlans.setdefault(of[0], set()).update(map(int, filter(str.isdecimal, of[1:])))
        interfaces.setdefault(of[0], []).extend(own)
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


def _pools(site: Site) -> Iterator[IPNetwork]:
    found = (parse_network(site.text("pool", of, "subnet")) for of in site.every("pool"))
    return (network.cidr for network in found if network is not None)
