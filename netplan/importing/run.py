"""One run: from texts to facts to the inventory's text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from netplan.diagnostics import Diagnostic, Source
from netplan.importing.beside import rows_of
from netplan.importing.bonds import bond_remarks, bonds_of, ports_of_bonds, strange_masters
from netplan.importing.bystanders import bystanders
from netplan.importing.cable_lengths import other_headroom, short_headroom
from netplan.importing.cabling import (
    Cable,
    Ends,
    cable_facts,
    cables_of,
    record_facts,
    seen_switches,
)
from netplan.importing.cards import Card, bare_nodes, cards_of, idle_resources
from netplan.importing.cluster_page import cluster_section
from netplan.importing.contradictions import folded_conflicts
from netplan.importing.crossed import Crossed, crossed_cards, without
from netplan.importing.fabric_page import cross_rail, fabric_section, network_lines
from netplan.importing.fabrics import two_fabrics
from netplan.importing.facts import Conflict, Contradiction, Of, Remark, Said, Site
from netplan.importing.facts import folded as folded_remarks
from netplan.importing.gather import Gathered, gather
from netplan.importing.host_addresses import stray_addresses
from netplan.importing.hosts import HostKind, host_kinds
from netplan.importing.hosts_page import host_lines, host_type_lines
from netplan.importing.images import other_releases
from netplan.importing.leaf_labels import leaf_labels
from netplan.importing.leaf_networks import NoVlan, without_vlan
from netplan.importing.left_components import left_components
from netplan.importing.links_page import hca_names, link_lines
from netplan.importing.lost_resources import lost_resources, unasked
from netplan.importing.machines_page import lost_shares
from netplan.importing.masters import masters_of
from netplan.importing.mtu_page import other_mtus
from netplan.importing.network_names import renamed_networks
from netplan.importing.networks import NetworkRow, attachments_of
from netplan.importing.old_dumps import other_policies, other_vfs, stale_states
from netplan.importing.other_names import other_names
from netplan.importing.other_switches import other_switch_names, strangers, with_names
from netplan.importing.other_vlans import other_port_mtus, other_vlans
from netplan.importing.overlaps import pool_overlaps
from netplan.importing.pools_page import pool_remarks
from netplan.importing.port_clashes import port_clashes
from netplan.importing.port_words import port_doubts, port_remarks
from netplan.importing.rail_links import LinkRows, links_of, lost_prefixes, other_ranges
from netplan.importing.rail_page import host_ids, lone_subnets, rail_networks, rail_section
from netplan.importing.rails import beside_rails, with_rails
from netplan.importing.rdma_mode import rdma_conflicts
from netplan.importing.resource_prefixes import other_prefixes
from netplan.importing.routed_links import lone_ends, routed_facts
from netplan.importing.shared_ports import shared_cables, shared_facts, shared_lines
from netplan.importing.slow_links import speeds_of_ports, usual_speeds
from netplan.importing.sonic.read import diagnostics
from netplan.importing.spelling import spelling_notes
from netplan.importing.splits import Splits, other_splits, split_clashes
from netplan.importing.subnets_page import subnet_lines
from netplan.importing.switch_page import switch_lines, switch_type_lines
from netplan.importing.switches import SwitchRow, model_conflicts, switch_rows_of
from netplan.importing.text import TODO, Entry, Section, block, comment, line, listed, todo
from netplan.importing.uncabled import uncabled, uncabled_lines
from netplan.importing.underlay_page import underlay_section, without_uplinks
from netplan.importing.vlans import VlanClash, vlan_clashes, vlans_of
from netplan.importing.whole_hcas import without_idle_vfs
from netplan.model.document import Places, SourceMap

Doubt = Conflict | Crossed | Contradiction | NoVlan | VlanClash
SCHEMA = "# yaml-language-server: $schema=inventory.schema.json"
_SHOWN = 12
_ALONE = "LLDP output without a neighbour"


@dataclass(frozen=True, slots=True)
class Folded:
    """The input of the sections. ``crossed``: cards whose cables contradict those of other hosts; ``links``:
    networks of the links without these. ``beyond``: why no inventory has it all."""

    cards: list[Card]
    strange: list[Card]
    rows: list[NetworkRow]
    kinds: list[HostKind]
    cables: list[Cable]
    switches: list[SwitchRow]
    crossed: list[Crossed]
    links: LinkRows | None
    beyond: str


@dataclass(frozen=True, slots=True)
class Imported:
    """``text``: the inventory, from ``site`` and ``folded``. ``notes``: how names were joined.

    ``clusters``: why the dumps are not of one cluster, so that the inventory is of none; empty if they are.
    ``broken``: why files were not read; ``unread``: files without anything of use. ``objects``: files of
    Kubernetes objects; ``configs``: switch -> files of its running configuration; ``texts``: of the files, as
    they were read."""

    text: str
    site: Site
    folded: Folded
    conflicts: tuple[Doubt, ...]
    notes: tuple[str, ...]
    remarks: tuple[Remark, ...]
    problems: tuple[Diagnostic, ...]
    clusters: str
    broken: tuple[str, ...]
    unread: tuple[str, ...]
    objects: tuple[str, ...]
    configs: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, str]
    hosts: int
    host_types: int
    empty: bool
    sources: SourceMap

    @property
    def todos(self) -> int:
        return sum(f"{TODO}:" in text for text in self.text.splitlines() if not text.startswith("#"))


def import_texts(
    texts: Mapping[str, str], name: str = "", broken: tuple[str, ...] = (), skipped: tuple[str, ...] = ()
) -> Imported:
    """``name``: of the site; ``broken``: why other files were not read; ``skipped``: files of no known kind.
    Never raises because of a text's content."""
    places = Places(SourceMap())
    gathered = gather(texts, places)
    gathered.notes += skipped
    broken = (*broken, *gathered.broken)
    gathered.site.note([*rdma_conflicts(gathered.site), *model_conflicts(gathered.site)])
    folded = _joined(gathered, places)
    gathered.remarks += pool_remarks(gathered.site, folded.rows)
    bonds = {of for of, *_ in bonds_of(gathered.site, folded.cards)}
    gathered.remarks += idle_resources(gathered.site, folded.cards, bonds)
    gathered.remarks += lost_resources(gathered.site, folded.rows, folded.cards, bonds)
    gathered.remarks += bond_remarks(gathered.site, folded.cards)
    gathered.remarks += strange_masters(gathered.site, folded.cards)
    gathered.remarks += bare_nodes(gathered.site, folded.cards, folded.strange)
    gathered.remarks += other_prefixes(gathered.site, folded.cards)
    gathered.remarks += lost_shares(gathered.site, folded.rows, folded.cards)
    gathered.remarks += other_vfs(gathered.site, folded.cards)
    gathered.remarks += left_components(gathered.site, folded.rows, folded.cards)
    gathered.remarks += other_ranges(folded.links, folded.cards)
    gathered.remarks += lost_prefixes(gathered.site, folded.links, folded.cables)
    seen = rail_networks(gathered.site, folded.cards, folded.rows, folded.cables, folded.links)
    gathered.remarks += stray_addresses(gathered.site, folded.cards, seen)
    gathered.remarks += without_uplinks(gathered.site, folded.switches, folded.cables)
    gathered.remarks += lone_ends(gathered.site, folded.cables)
    gathered.remarks += other_headroom(gathered.site)
    gathered.remarks += other_vlans(gathered.site, folded.cards)
    gathered.remarks += other_port_mtus(gathered.site, folded.switches, folded.cables)
    gathered.remarks += port_remarks(gathered.site, folded.rows, folded.kinds, folded.cards, folded.cables)
    gathered.remarks += lone_subnets(gathered.site, folded.cards, folded.rows, folded.cables)
    gathered.remarks += other_splits(Splits(gathered.site, folded.switches, folded.cables))
    if not folded.beyond:
        gathered.remarks += other_mtus(gathered.site, folded.cards, folded.rows)
    single = sections(gathered.site, folded)
    if not folded.beyond:
        gathered.remarks += renamed_networks(folded.rows, folded.cards, folded.cables, single["rails"])
    missing = uncabled(folded.cards, folded.cables)
    gathered.notes += [str(missing)] if missing is not None else []
    gathered.notes += strangers(gathered.site, folded.cables)
    gathered.notes += spelling_notes(gathered.spelled, gathered.site)
    conflicts = tuple(_doubts(gathered.site, folded))
    return Imported(
        text=_page(gathered.site, folded, single, name, _head(folded, gathered, conflicts, broken)),
        site=gathered.site,
        folded=folded,
        conflicts=conflicts,
        notes=tuple(gathered.notes),
        remarks=folded_remarks(gathered.remarks),
        problems=tuple(gathered.problems),
        clusters=gathered.clusters,
        broken=broken,
        unread=gathered.unread(texts, broken),
        objects=tuple(gathered.objects),
        configs=gathered.configs,
        texts=gathered.texts,
        hosts=sum(len(kind.nodes) for kind in folded.kinds),
        host_types=len(folded.kinds),
        empty=gathered.site.empty,
        sources=places.sources,
    )


def _doubts(site: Site, folded: Folded) -> Iterator[Doubt]:
    cards = without(folded.cards, folded.crossed)
    yield from folded_conflicts(site)
    yield from folded.crossed
    yield from without_vlan(site, cards)
    yield from vlan_clashes(site, folded.rows, cards)
    yield from other_policies(site, folded.cards)
    yield from stale_states(site, folded.cards)
    yield from port_clashes(site, folded.cards, folded.cables)
    yield from split_clashes(site, Splits(site, folded.switches, folded.cables), folded.cards)
    yield from short_headroom(site)
    yield from port_doubts(site, folded.rows, folded.kinds, cards, folded.cables)
    yield from pool_overlaps(site, folded.rows)
    yield from other_releases(site)


def _joined(gathered: Gathered, places: Places) -> Folded:
    """After neighbours became cables between the cards and the switches."""
    site = gathered.site
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
    gathered.take(found=shared_facts(site, ends), problems=())
    gathered.take(found=routed_facts(site), problems=())
    vlans = vlans_of(site, known)
    known = without_idle_vfs(site, speeds_of_ports(site, usual_speeds(site, known)))
    masters = masters_of(site)
    beside = beside_rails(known, masters)
    idle = beside & unasked(site, known, masters)
    apart, beside = ports_of_bonds(site, known) | bystanders(site, known) | idle, beside - idle
    if site.said("cluster", (), "one_network"):  # of all cards, whatever numbers of rails they have
        apart = frozenset(card.of for card in known)
        beside = frozenset(card.of for card in known if card.resources)
    cards = with_rails(known, vlans, apart, beside)
    return _folded(site, cards, strange, vlans)


def _folded(site: Site, cards: list[Card], strange: list[Card], vlans: Mapping[Of, Said]) -> Folded:
    """``vlans``: card -> VLAN of its switch port."""
    cables, crossed = [*cables_of(site), *shared_cables(site)], crossed_cards(site, cards)
    rows = rows_of(attachments_of(site, cards, vlans), site, cards)
    odd = {each.of for each in crossed}
    return Folded(
        cards=cards,
        strange=strange,
        rows=rows,
        kinds=host_kinds(site, cards),
        cables=cables,
        switches=switch_rows_of(site, cables),
        crossed=crossed,
        links=links_of(site, cards, rows, [cable for cable in cables if cable.far not in odd]),
        beyond=two_fabrics(cards),
    )


def sections(site: Site, folded: Folded) -> Mapping[str, Section]:
    """The single-instance sections of the inventory."""
    cards, rows, switches, cables = folded.cards, folded.rows, folded.switches, folded.cables
    rails = rail_section(site, cards, rows, switches, cables, folded.crossed, folded.links)
    if folded.beyond:  # the rails of one fabric are none of the other
        rails = {"count": rails["count"]}
    return {
        "cluster": cluster_section(site, cards, rows),
        "fabric": {**fabric_section(site, cards, rows, switches), **cross_rail(rails)},
        "underlay": underlay_section(site, switches, cables),
        "rails": rails,
    }


def _page(site: Site, folded: Folded, single: Mapping[str, Section], name: str, head: list[str]) -> str:
    rows, kinds = folded.rows, folded.kinds
    of_leaf = "segment" not in single["rails"]
    labels = leaf_labels(site, folded.cards, folded.cables, rows) if of_leaf else {}
    segment, ids = single["rails"].get("segment"), host_ids(folded.cards, folded.links)
    of_hosts = isinstance(segment, Entry) and segment.value == "host"
    named = Entry(name) if name else todo("name of the site", "lower-case letters, digits and hyphens")
    parts = [
        ["version: 1", line(0, "site", named)],
        *(block(0, key, section) for key, section in single.items()),
        [] if folded.beyond else subnet_lines(site, rows, folded.cards),
        host_type_lines(site, kinds, folded.strange),
        host_lines(kinds, labels, ids),
        switch_type_lines(site, folded.switches, of_hosts),
        switch_lines(site, folded.switches, folded.cables),
        _links(site, folded),
        [] if folded.beyond else network_lines(site, rows, kinds, folded.cards, folded.crossed),
    ]
    body = "\n\n".join("\n".join(lines) for lines in parts if lines)
    return "\n".join(head) + "\n" + body + "\n"


def _links(site: Site, folded: Folded) -> list[str]:
    names = hca_names(folded.kinds)
    lines = link_lines(site, folded.cables, names, folded.switches)
    lines += shared_lines(site, folded.cables, names)
    missing = uncabled(folded.cards, folded.cables)
    return [*lines, *uncabled_lines(missing, names)] if missing is not None else lines


def _head(folded: Folded, gathered: Gathered, conflicts: Iterable[Doubt], broken: Iterable[str]) -> list[str]:
    site = gathered.site
    lines = [
        "Written by netplan import. The comment behind a value names its source, file:line. A value that no",
        f"file states is {TODO}; netplan validate reports each: fill it in, or remove an optional key.",
        f"Read: {listed(gathered.useful)}.",
    ]
    used = {card.node for card in folded.cards}
    left = [of[0] for of in site.every("node") if of[0] not in used]
    if left:
        lines.append(f"Nodes without an HCA of the catalog, left out: {listed(left)}.")
    told = [f"Not read: {each}" for each in broken]
    told += [f"Two fabrics: {folded.beyond}"] if folded.beyond else []
    told += [f"Sources disagree: {conflict}" for conflict in conflicts]
    told += gathered.notes
    told += [f"Not taken: {remark}" for remark in folded_remarks(gathered.remarks)]
    if len(told) > _SHOWN:
        told = [*told[:_SHOWN], f"And {len(told) - _SHOWN} more; netplan import prints them all."]
    return [SCHEMA, "#", *(comment(text).strip() for text in (*lines, *told))]
