"""Switches on rails: those of cards on rails or for pods, and those between them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations

from netplan.importing.cabling import CARD, SWITCH, Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Site
from netplan.importing.front_ends import is_known, used_cards
from netplan.importing.hostless_leaves import Seen, vlans_of_port
from netplan.importing.switches import SwitchRow

Links = Mapping[str, Set[str]]
"""Switch -> those that it has cables to."""


def rail_switches(
    site: Site,
    cards: Iterable[Card],
    cables: Sequence[Cable],
    rows: Sequence[SwitchRow],
    hostless: Mapping[str, Seen],
) -> frozenset[str]:
    """Where no cable of such a card is known, those with cables to switches; without any, all."""
    used, links = used_cards(cards), _links(cables)
    ports = {(cable.switch, cable.port) for cable in cables if cable.kind == CARD and cable.far in used}
    if not ports:
        return frozenset(links or (row.name for row in rows))
    vlans = {vlan for of in ports for vlan, _ in vlans_of_port(site, of)}
    leaves = {of[0] for of in ports} | {name for name, (_, vlan) in hostless.items() if vlan.value in vlans}
    spines = {
        row.name for row in rows if row.role == "spine" and not leaves.isdisjoint(links.get(row.name, ()))
    }
    return frozenset(leaves | spines | {*_above(spines, leaves, links)})


def _links(cables: Iterable[Cable]) -> Links:
    found: dict[str, set[str]] = {}
    for cable in cables:
        if cable.kind == SWITCH:
            found.setdefault(cable.switch, set()).add(cable.far[0])
            found.setdefault(cable.far[0], set()).add(cable.switch)
    return found


def _above(spines: Set[str], leaves: Set[str], links: Links) -> Iterator[str]:
    """A third tier: those with cables to spines that have no leaf in common, and no hosts."""
    below = {name: links[name] & leaves for name in spines}
    for name in links.keys() - spines - leaves:
        own = [below[spine] for spine in links[name] & spines]
        if any(one.isdisjoint(other) for one, other in combinations(own, 2)):
            yield name


def has_part(site: Site, row: SwitchRow, cables: Iterable[Cable], carriers: Container[str]) -> bool:
    """Whether it is of the underlay. One without AS number, loopback and cable to another switch is so only
    if it is known and on rails; an OOB switch or a ToR of front-end cards is not."""
    linked = any(cable.kind == SWITCH and row.name in (cable.switch, cable.far[0]) for cable in cables)
    own = linked or not {"asn", "loopback"}.isdisjoint(row.fields)
    return own or (row.name in carriers and is_known(site, (row.name,)))
