"""One run: texts to facts, facts to a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from netplan.diagnostics import Diagnostic
from netplan.importing.cabling import (
    Cable,
    Ends,
    cable_facts,
    cables_of,
    record_facts,
    seen_switches,
    vlan_of,
)
from netplan.importing.cards import Card, cards_of
from netplan.importing.cluster_page import cluster_lines
from netplan.importing.fabric_page import fabric_lines, network_lines, subnet_lines
from netplan.importing.facts import Conflict, Fact, Remark, Site
from netplan.importing.hosts import HostKind, host_kinds
from netplan.importing.hosts_page import host_lines, host_type_lines
from netplan.importing.kubernetes.objects import objects_of
from netplan.importing.kubernetes.read import object_facts, operated_network
from netplan.importing.launch_kit import read_launch_kit
from netplan.importing.lldp import Heard, read_json, read_table
from netplan.importing.networks import NetworkRow, attachments_of, network_rows
from netplan.importing.rail_page import rail_lines
from netplan.importing.rails import with_rails
from netplan.importing.recognise import recognised
from netplan.importing.sonic.read import diagnostics, read_config_db
from netplan.importing.switch_page import link_lines, switch_lines, switch_type_lines, underlay_lines
from netplan.importing.switches import SwitchRow, switch_rows_of
from netplan.importing.text import TODO, Entry, comment, line, todo
from netplan.model.document import Places, SourceMap

SCHEMA = "# yaml-language-server: $schema=inventory.schema.json"
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Imported:
    """``text``: the inventory. ``unread``: files in which nothing was found that is of use here."""

    text: str
    conflicts: tuple[Conflict, ...]
    remarks: tuple[Remark, ...]
    problems: tuple[Diagnostic, ...]
    unread: tuple[str, ...]
    hosts: int
    host_types: int
    empty: bool
    sources: SourceMap

    @property
    def todos(self) -> int:
        return sum(f"{TODO}:" in text for text in self.text.splitlines() if not text.startswith("#"))


@dataclass(frozen=True, slots=True)
class Folded:
    """What the sections are printed from."""

    cards: list[Card]
    strange: list[Card]
    rows: list[NetworkRow]
    kinds: list[HostKind]
    cables: list[Cable]
    switches: list[SwitchRow]


@dataclass(slots=True)
class _Gathered:
    """What reading gave. ``useful``: files that say anything."""

    site: Site = field(default_factory=Site)
    remarks: list[Remark] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    useful: list[str] = field(default_factory=list)

    def take(self, *files: str, found: Iterable[Fact | Remark], problems: Iterable[Diagnostic]) -> None:
        said: list[Fact] = []
        for fact in found:
            if isinstance(fact, Remark):
                self.remarks.append(fact)
            else:
                said.append(fact)
        self.site.add(said)
        self.problems += problems
        if said:
            self.useful += files


def import_texts(texts: Mapping[str, str], name: str = "") -> Imported:
    """``name``: of the site. Never raises for what a text holds."""
    places = Places(SourceMap())
    kinds = {file: recognised(text) for file, text in texts.items()}
    gathered = _Gathered()
    _read_objects(gathered, {f: texts[f] for f, kind in kinds.items() if kind == "kubernetes"}, places)
    _read_config_db(gathered, {f: texts[f] for f, kind in kinds.items() if kind == "config_db"}, places)
    for file in (f for f, kind in kinds.items() if kind == "launch_kit"):
        config = read_launch_kit(file, texts[file], places)
        gathered.take(file, found=config.found, problems=config.problems)
    heard = {
        f: (read_json if kind == "lldp" else read_table)(f, texts[f], places)
        for f, kind in kinds.items()
        if kind in ("lldp", "lldp_table")
    }
    cards, strange = _joined(gathered, heard, places)
    folded = _folded(gathered.site, cards, strange)
    return Imported(
        text=_page(gathered.site, folded, name, _head(folded, gathered)),
        conflicts=gathered.site.conflicts,
        remarks=tuple(gathered.remarks),
        problems=tuple(gathered.problems),
        unread=tuple(file for file in texts if file not in gathered.useful),
        hosts=sum(len(kind.nodes) for kind in folded.kinds),
        host_types=len(folded.kinds),
        empty=gathered.site.empty,
        sources=places.sources,
    )


def _read_objects(gathered: _Gathered, texts: Mapping[str, str], places: Places) -> None:
    dumps = {file: objects_of(file, text, places) for file, text in texts.items()}
    operated = {operated_network(thing) for dump in dumps.values() for thing in dump.things}
    for file, dump in dumps.items():
        found = (fact for thing in dump.things for fact in object_facts(thing, operated))
        gathered.take(file, found=found, problems=dump.problems)


def _read_config_db(gathered: _Gathered, texts: Mapping[str, str], places: Places) -> None:
    if texts:
        found = read_config_db(texts, places)
        gathered.take(*sorted(found.used), found=found.facts, problems=found.problems)


def _joined(gathered: _Gathered, heard: Mapping[str, Heard], places: Places) -> tuple[list[Card], list[Card]]:
    """The cards, once the neighbours are cables between them and the switches."""
    site = gathered.site
    site.add(seen_switches(heard.values(), site))
    known, strange = cards_of(site)
    ends = Ends(site, known)
    for file, one in heard.items():
        gathered.take(file, found=cable_facts([one], ends), problems=diagnostics(one.problems, places))
    gathered.take(found=record_facts(site, ends), problems=())
    vlans = {card.of: said for card in known if (said := vlan_of(site, card)) is not None}
    return with_rails(known, vlans), strange


def _folded(site: Site, cards: list[Card], strange: list[Card]) -> Folded:
    rows = network_rows(attachments_of(site, cards), site)
    cables = cables_of(site)
    return Folded(cards, strange, rows, host_kinds(site, cards), cables, switch_rows_of(site, cables))


def _page(site: Site, folded: Folded, name: str, head: list[str]) -> str:
    cards, rows, kinds = folded.cards, folded.rows, folded.kinds
    named = Entry(name) if name else todo("name of the site", "small letters, digits and hyphens")
    sections = [
        ["version: 1", line(0, "site", named)],
        cluster_lines(site, cards, rows),
        fabric_lines(site, cards, rows),
        underlay_lines(site, folded.switches, folded.cables),
        rail_lines(site, cards, rows, folded.switches, folded.cables),
        subnet_lines(site, rows),
        host_type_lines(site, kinds, folded.strange),
        host_lines(kinds),
        switch_type_lines(site, folded.switches),
        switch_lines(site, folded.switches),
        link_lines(site, folded.cables, kinds, folded.switches),
        network_lines(site, rows, kinds),
    ]
    body = "\n\n".join("\n".join(lines) for lines in sections if lines)
    return "\n".join(head) + "\n" + body + "\n"


def _head(folded: Folded, gathered: _Gathered) -> list[str]:
    site = gathered.site
    lines = [
        "Made by netplan import. Behind each value stands the file and line that says it. What no file says",
        f"is {TODO}, and netplan validate names each one: fill it in, or remove an optional key.",
        f"Read: {_some(gathered.useful)}.",
    ]
    used = {card.node for card in folded.cards}
    left = [of[0] for of in site.every("node") if of[0] not in used]
    if left:
        lines.append(f"Nodes without an HCA of the catalog, left out: {_some(left)}.")
    told = [f"Sources disagree: {conflict}" for conflict in site.conflicts]
    told += [f"Not taken: {remark}" for remark in gathered.remarks]
    if len(told) > _SHOWN:
        told = [*told[:_SHOWN], f"And {len(told) - _SHOWN} more; netplan import prints them all."]
    return [SCHEMA, "#", *(comment(text).strip() for text in (*lines, *told))]


def _some(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
