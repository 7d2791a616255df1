"""What the inventory lacks, as a second inventory file: ``validate site.yaml new.yaml`` reads both.

Files of an inventory are united entry by entry, so existing entries are neither repeated nor replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from netplan.importing.cabling import Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Of, Site, place
from netplan.importing.hosts import HostKind, host_kinds
from netplan.importing.hosts_page import host_lines, host_type_lines
from netplan.importing.joining.cables import end_names, is_new
from netplan.importing.joining.known import Change, Known, Word, named_cards, stated
from netplan.importing.joining.new_cards import as_stated, unlike_first, unlike_type
from netplan.importing.joining.renamed import loopback_id
from netplan.importing.links_page import hca_names, link_lines
from netplan.importing.switch_page import switch_type_lines
from netplan.importing.switches import SwitchRow
from netplan.importing.text import TODO, Entry, comment, line
from netplan.importing.workloads import WorkloadRow
from netplan.importing.workloads_page import workload_lines
from netplan.model.hardware import HostType, SwitchType
from netplan.model.inventory_text import flow
from netplan.model.ranges import gathered
from netplan.model.releases import is_release


@dataclass(frozen=True, slots=True)
class NewHosts:
    """Kinds of hosts that the inventory lacks. ``known``: names of its types; ``cards``: of the hosts."""

    kinds: tuple[HostKind, ...]
    known: frozenset[str]
    cards: tuple[Card, ...]

    def changes(self, known: Known, site: Site) -> Iterator[Change]:
        for kind in self.kinds:
            said = site.said("node", (kind.nodes[0],), "there")
            at = place(said.at if said else next(iter(kind.cards[0].fields.values())).at)
            word = "host type" if kind.name in self.known else "a host type that is new,"
            yield Change("new", f"host {gathered(kind.nodes)}", f"{word} {kind.name} ({at})")
        fitted = [kind for kind in self.kinds if kind.name in self.known]
        yield from unlike_type(known, fitted, self.cards)


def new_hosts(known: Known, site: Site, cards: Iterable[Card]) -> NewHosts:
    found = []
    types = {kind.name: kind for kind in known.fabric.host_types}
    fresh = [card for card in cards if card.node not in known.hosts]
    for kind in host_kinds(site, fresh):
        if any(carries(site, kind, each) for each in known.counted):
            continue
        fitting = _best(site, kind, types.values())
        free = kind.name if kind.name not in types else f"{kind.name}-new"
        found.append(fitting or replace(kind, name=free))
    return NewHosts(tuple(found), frozenset(types), tuple(fresh))


def _best(site: Site, kind: HostKind, types: Iterable[HostType]) -> HostKind | None:
    """Of the matching types, the one whose label the nodes have; else one with the same number of VFs."""
    found = [(each, fitting) for each in types if (fitting := _fitted(kind, each))]

    def unlike(entry: tuple[HostType, HostKind]) -> tuple[bool, bool]:
        wanted, fitting = entry
        vfs = {hca.name: hca.vfs for hca in wanted.hcas}
        made = all(
            (c.number("vfs") or 0) == vfs[n] for n, c in zip(fitting.names, fitting.cards, strict=True)
        )
        return not carries(site, kind, wanted), not made

    return min(found, key=unlike)[1] if found else None


def carries(site: Site, kind: HostKind, wanted: HostType) -> bool:
    """Whether the nodes have the labels of a host type."""
    return has_labels(site, kind.nodes[0], wanted)


def has_labels(site: Site, node: str, wanted: HostType) -> bool:
    labels = dict(site.prefixed("node", (node,), "label/"))
    pairs = wanted.node_selector
    return bool(pairs) and all(key in labels and labels[key].value == value for key, value in pairs)


def bare_changes(known: Known, site: Site, nodes: Iterable[str]) -> Iterator[Change]:
    """Nodes whose cards no dump shows: nothing of them is compared."""
    fresh = [name for name in nodes if name not in known.hosts]
    fresh = [name for name in fresh if not any(has_labels(site, name, kind) for kind in known.counted)]
    what = "its cards are not in the dumps, read the state of its NICs again"
    groups: tuple[tuple[Word, list[str]], ...] = (
        ("new", fresh),
        ("gone", [name for name in nodes if name not in fresh]),
    )
    for word, names in groups:
        if names:
            fields = site.fields("node", (names[0],))
            at = f" ({place(next(iter(fields.values())).at)})" if fields else ""
            yield Change(word, f"host {gathered(names)}", f"{what}{at}")


def _fitted(kind: HostKind, wanted: HostType) -> HostKind | None:
    """The kind, renamed to a host type with the same cards at the same addresses."""
    values = {hca.name: stated(None, hca) for hca in wanted.hcas}
    named = named_cards(wanted.hcas, kind.cards, values)
    same_gpus = not kind.gpus or wanted.gpus in (said.value for _, said in kind.gpus)
    if not (wanted.node and wanted.hcas and same_gpus and _same_cards(wanted, named, values)):
        return None
    places = {card.pci: name for name, card in named.items()}
    keep = [number for number, card in enumerate(kind.cards) if card.pci in places]
    own = {node: tuple(cards[number] for number in keep) for node, cards in kind.own.items()}
    names = tuple(places[kind.cards[number].pci] for number in keep)
    first = tuple(
        as_stated(kind.cards[number], values[name]) for number, name in zip(keep, names, strict=True)
    )
    others = unlike_first(own, first)
    return replace(kind, name=wanted.name, cards=first, names=names, own=own, others=others)


def _same_cards(wanted: HostType, named: Mapping[str, Card], values: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether each HCA has a card of its model at its address."""
    return all(
        hca.name in named
        and named[hca.name].model == hca.model.name
        and named[hca.name].pci == values[hca.name].get("pci", named[hca.name].pci)
        for hca in wanted.hcas
    )


def additions(
    known: Known,
    site: Site,
    cards: Sequence[Card],
    cables: Sequence[Cable],
    rows: Sequence[SwitchRow],
    workloads: Sequence[WorkloadRow],
) -> str:
    """Empty if nothing is new. ``rows``: without switches that the dumps call otherwise; ``workloads``: new
    ones."""
    hosts = new_hosts(known, site, cards)
    names = end_names(known, cards) | hca_names(hosts.kinds)
    placed = [_placed(known, row) for row in rows]
    fresh = [row for row in rows if row.name not in known.switches]
    new = [cable for cable in cables if is_new(known, cable, names)]
    types = [kind for kind in hosts.kinds if kind.name not in hosts.known]
    sections = [
        host_type_lines(site, types, ()) if types else [],
        host_lines(site, hosts.kinds, _labels(known, site, hosts)) if hosts.kinds else [],
        switch_type_lines(site, [row for row in fresh if _type_of(known, row) is None]),
        _switches(known, site, fresh),
        link_lines(site, new, names, placed),
        workload_lines(workloads),
    ]
    body = "\n\n".join("\n".join(lines) for lines in sections if lines)
    return _page(known, body) if body else ""


def _labels(known: Known, site: Site, hosts: NewHosts) -> Mapping[str, Entry]:
    """Of new hosts, by the keys of labels that the inventory states for its hosts."""
    keys = dict.fromkeys(key for host in known.fabric.hosts for key, _ in host.labels)
    found: dict[str, Entry] = {}
    for node in (node for kind in hosts.kinds for node in kind.nodes):
        own = {key: said for key in keys if (said := site.said("node", (node,), f"label/{key}")) is not None}
        if own:
            at = place(next(iter(own.values())).at)
            found[node] = Entry(flow({key: said.value for key, said in own.items()}), at)
    return found


def _placed(known: Known, row: SwitchRow) -> SwitchRow:
    """The row with the role that the inventory states."""
    switch = known.switches.get(row.name)
    return replace(row, role=switch.role) if switch else row


def _page(known: Known, body: str) -> str:
    head = [
        f"What the dumps have and {known.fabric.site} lacks, by netplan import: an inventory file beside the",
        f"others. {TODO} is what no dump says; netplan validate, with both files, names each one.",
    ]
    site_line = line(0, "site", Entry(known.fabric.site))
    return "\n".join([*(comment(text).strip() for text in head), "version: 1", site_line, "", body, ""])


def _type_of(known: Known, row: SwitchRow) -> SwitchType | None:
    nos = row.fields.get("nos")
    kinds = {switch.type.name: switch.type for switch in known.fabric.switches}
    fitting = [k for k in kinds.values() if nos and k.nos == nos.value and k.model.name == row.model]
    return next((k for k in fitting if not _other_release(k, row)), next(iter(fitting), None))


def _other_release(kind: SwitchType, row: SwitchRow) -> str:
    """The release that the switch runs and its type does not have; empty if neither states one."""
    said = row.fields.get("nos_version")
    if said is None or not kind.nos_version or is_release(str(said.value), kind.nos_version):
        return ""
    return f"runs {said.value} ({place(said.at)}), its type has nos_version {kind.nos_version}"


def _switches(known: Known, site: Site, rows: Iterable[SwitchRow]) -> list[str]:
    """New switches; their ids come from the inventory's loopbacks."""
    lines = []
    for row in rows:
        kind = _type_of(known, row)
        number, at = loopback_id(known, site, row.name)
        asked = [f"{TODO}: leaf or spine; no cable in the dumps shows which"] if not row.role else []
        asked += (
            [] if number else [f"{TODO}: id; its loopback is in no dump, or outside the inventory's range"]
        )
        asked += [runs] if kind and (runs := _other_release(kind, row)) else []
        name = kind.name if kind else row.model or "unknown"
        values = {"type": name, "id": number or TODO, "role": row.role or TODO}
        lines.append(line(1, row.name, Entry(flow(values), "; ".join(filter(None, (*asked, at))))))
    return ["switches:", *lines] if lines else []


def new_names(known: Known, hosts: NewHosts, cards: Sequence[Card]) -> dict[Of, str]:
    """Card -> name of its HCA, for known and new hosts."""
    return end_names(known, cards) | hca_names(hosts.kinds)
