"""From facts to cards, cables, switches and networks: the input of the sections of an inventory."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from netplan.diagnostics import Source
from netplan.importing.beside import rows_of
from netplan.importing.bonds import ports_of_bonds
from netplan.importing.bystanders import (
    NO_CABLE,
    OTHER_VLAN,
    bystanders,
    in_other_vlans,
    slower_cards,
    uncabled_alike,
)
from netplan.importing.cabling import (
    Cable,
    Ends,
    cable_facts,
    cables_of,
    record_facts,
)
from netplan.importing.cards import Card, cards_of
from netplan.importing.crossed import Crossed, crossed_cards
from netplan.importing.fabrics import two_fabrics
from netplan.importing.facts import Of, Remark, Said, Site
from netplan.importing.front_ends import front_ends
from netplan.importing.gather import Gathered
from netplan.importing.hostless_leaves import Seen, hostless_leaves
from netplan.importing.hosts import HostKind, host_kinds
from netplan.importing.kubernetes.interface_names import template_names
from netplan.importing.lost_resources import unasked
from netplan.importing.masters import masters_of
from netplan.importing.networks import NetworkRow, attachments_of
from netplan.importing.other_names import other_names
from netplan.importing.other_switches import other_switch_names, with_names
from netplan.importing.outsiders import outsiders
from netplan.importing.own_addresses import with_addresses
from netplan.importing.rail_links import LinkRows, links_of
from netplan.importing.rail_switches import rail_switches
from netplan.importing.rails import beside_rails, with_rails
from netplan.importing.routed_links import routed_facts
from netplan.importing.seen_switches import seen_switches
from netplan.importing.shared_ports import shared_cables, shared_facts
from netplan.importing.sideways import sideways
from netplan.importing.slow_links import speeds_of_ports, usual_speeds
from netplan.importing.sonic.read import diagnostics
from netplan.importing.switches import SwitchRow, switch_rows_of
from netplan.importing.unlike_records import heard_otherwise
from netplan.importing.vlans import vlans_of
from netplan.importing.whole_hcas import without_idle_vfs
from netplan.importing.workloads import WorkloadRow, workload_rows
from netplan.model.document import Places

_ALONE = "LLDP output without a neighbour"


@dataclass(frozen=True, slots=True)
class Folded:
    """The input of the sections. ``sideways``: cables that are left out, of one tier; ``front_end``: those of
    switches of no fabric; ``crossed``: cards whose cables contradict those of other hosts; ``links``:
    networks of the links without these. ``beyond``: why no inventory has it all; ``outside``: devices beyond
    the fabric, and why, ``outward``: cables to them. ``hostless``: leaves without a host in the dumps;
    ``on_rails``: switches whose settings are those of the fabric."""

    cards: list[Card]
    strange: list[Card]
    rows: list[NetworkRow]
    kinds: list[HostKind]
    cables: list[Cable]
    sideways: list[Cable]
    front_end: list[Cable]
    switches: list[SwitchRow]
    crossed: list[Crossed]
    links: LinkRows | None
    beyond: str
    outside: Mapping[str, str]
    outward: list[Cable]
    workloads: list[WorkloadRow]
    hostless: Mapping[str, Seen]
    on_rails: frozenset[str]


@dataclass(frozen=True, slots=True)
class Seated:
    """Cards, with their rails, and those that are not in the catalog. ``vlans``: card -> VLAN of its switch
    port."""

    cards: list[Card]
    strange: list[Card]
    vlans: Mapping[Of, Said]


def cabled(gathered: Gathered, places: Places) -> tuple[list[Card], list[Card]]:
    """The cards, and those that are not in the catalog, after neighbours became cables between them and the
    switches."""
    site = gathered.site
    gathered.take(found=template_names(site), problems=())
    renamed = other_switch_names([*chain.from_iterable(gathered.heard.values())], site)
    gathered.notes += renamed.notes
    heard = {file: with_names(parts, renamed.nodes) for file, parts in gathered.heard.items()}
    known, strange = cards_of(site)
    names = other_names([*chain.from_iterable(heard.values())], site, known)
    gathered.notes += names.notes
    site.add(seen_switches(chain.from_iterable(heard.values()), site, names.nodes))
    ends = Ends(site, known, names.nodes, chain.from_iterable(heard.values()))
    for file, parts in heard.items():
        problems = (problem for one in parts for problem in one.problems)
        gathered.take(file, found=cable_facts(parts, ends), problems=diagnostics(problems, places))
        if not any(one.neighbours or one.problems for one in parts):
            gathered.remarks.append(Remark(Source(file, 1, 1), _ALONE, alike=_ALONE))
            gathered.idle.append(file)
    gathered.take(found=record_facts(site, ends), problems=())
    gathered.take(found=heard_otherwise(site), problems=())
    gathered.take(found=shared_facts(site, ends), problems=())
    gathered.take(found=routed_facts(site), problems=())
    return known, strange


def seated(site: Site, known: list[Card], strange: list[Card]) -> Seated:
    vlans = vlans_of(site, known)
    known = without_idle_vfs(site, speeds_of_ports(site, usual_speeds(site, known)))
    masters = masters_of(site)
    beside = beside_rails(known, masters)
    idle = beside & unasked(site, known, masters)
    beyond, other = bystanders(site, known) | slower_cards(site, known), in_other_vlans(site, known, vlans)
    apart, beside = ports_of_bonds(site, known) | beyond | idle | other, beside - idle
    if site.said("cluster", (), "one_network"):  # of all cards, whatever numbers of rails they have
        apart = frozenset(card.of for card in known)
        beside = frozenset(card.of for card in known if card.resources)
    cards = with_rails(known, vlans, apart, beside)
    if alike := uncabled_alike(site, cards):
        cards = _left_out(with_rails(known, vlans, apart | alike, beside), alike, NO_CABLE)
    return Seated(_left_out(cards, other, OTHER_VLAN), strange, vlans)


def _left_out(cards: Iterable[Card], which: Container[Of], why: str) -> list[Card]:
    """Those of ``which`` that are on no rail, with the reason."""
    return [
        replace(card, rail_from=why) if card.of in which and card.rail is None and not card.for_pods else card
        for card in cards
    ]


def folded_site(site: Site, seats: Seated) -> Folded:
    cards = seats.cards
    every, crossed = [*cables_of(site), *shared_cables(site)], crossed_cards(site, cards)
    across = sideways(site, every)
    outside, bare = outsiders(site, every), front_ends(site, cards, every)
    outward = [cable for cable in every if cable.switch in outside or cable.far[0] in outside]
    left = {(cable.switch, cable.port) for cable in (*across, *outward)}
    left |= {(cable.switch, cable.port) for cable in every if cable.switch in bare}
    cables = [cable for cable in every if (cable.switch, cable.port) not in left]
    rows = rows_of(attachments_of(site, cards, seats.vlans), site, cards)
    odd = {each.of for each in crossed}
    links = links_of(site, cards, rows, [cable for cable in cables if cable.far not in odd])
    cards = with_addresses(site, cards, rows) if links is None else cards
    kinds = host_kinds(site, cards)
    hostless = hostless_leaves(site, cables)
    switches = switch_rows_of(site, cables, bare | outside.keys(), hostless)
    return Folded(
        cards=cards,
        strange=seats.strange,
        rows=rows,
        kinds=kinds,
        cables=cables,
        sideways=across,
        front_end=[cable for cable in every if cable.switch in bare],
        switches=switches,
        crossed=crossed,
        links=links,
        beyond=two_fabrics(cards),
        outside=outside,
        outward=outward,
        workloads=workload_rows(site, rows, kinds, cards),
        hostless=hostless,
        on_rails=rail_switches(site, cards, cables, switches, hostless),
    )
