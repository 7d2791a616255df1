"""Hosts and their cards: what is new, what differs, what no dump shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site, place, shown
from netplan.importing.joining.known import OWN, Change, Known, stated
from netplan.model.hardware import Hca, Host
from netplan.model.ranges import gathered
from netplan.model.values import natural

_SHARED = ("speed_gbps", "link", "numa", "rail", "vfs")


@dataclass(frozen=True, slots=True)
class HcaDifference:
    """One value of an HCA: the inventory's, with its place, and the dumps'."""

    hca: str
    field: str
    known: str
    known_at: str
    dumped: str


@dataclass(slots=True)
class _Rows:
    """One change for hosts with the same difference. ``first``: place of the first host in the dumps."""

    hosts: dict[HcaDifference, list[str]] = field(default_factory=dict)
    first: dict[HcaDifference, str] = field(default_factory=dict)

    def add(self, host: str, row: HcaDifference, at: str) -> None:
        self.hosts.setdefault(row, []).append(host)
        self.first.setdefault(row, at)

    def changes(self) -> Iterator[Change]:
        for row, hosts in self.hosts.items():
            whom = f"{gathered(hosts)} {row.hca}"
            known = f"{row.known} ({row.known_at})"
            yield Change("differs", whom, f"{row.field}: {known} or {row.dumped} ({self.first[row]})")


def host_changes(known: Known, site: Site, cards: Iterable[Card]) -> list[Change]:
    by_node = cards_by_node(cards)
    return [
        *_differing(known, site, by_node),
        *_cards(known, site, by_node),
        *_gone_hosts(known, site),
    ]


def cards_by_node(cards: Iterable[Card]) -> dict[str, list[Card]]:
    found: dict[str, list[Card]] = {}
    for card in cards:
        found.setdefault(card.node, []).append(card)
    return dict(sorted(found.items(), key=lambda entry: natural(entry[0])))


def _differing(known: Known, site: Site, by_node: Mapping[str, list[Card]]) -> Iterator[Change]:
    rows = _Rows()
    for name, cards in by_node.items():
        host = known.hosts.get(name)
        for hca_name, card in (known.names(host, cards) if host else {}).items():
            hca = host.type.hca(hca_name) if host else None
            if host is None or hca is None:
                continue
            for key, said, value in _unlike(host, hca, card, site):
                at = known.hca_at(host, hca, "use" if key == "vfs" and hca.use != "vf" else key)
                rows.add(name, HcaDifference(hca_name, key, value, at, shown(said.value)), place(said.at))
    yield from rows.changes()


def _unlike(host: Host, hca: Hca, card: Card, site: Site) -> Iterator[tuple[str, Said, str]]:
    """(field, what dumps say, what the inventory has), for fields that both state."""
    values = stated(host, hca)
    first = next(iter(card.fields.values()), None)
    if values.get("pci", card.pci) != card.pci and first is not None:
        yield "pci", Said(card.pci, first.at), values["pci"]
    for name in OWN[1:]:
        said = card.fields.get(name)
        if said is not None and name in values and str(said.value).lower() != values[name].lower():
            yield name, said, values[name]
    device = site.said("card", card.of, "device")
    if card.model != hca.model.name and device is not None:
        yield "model", Said(card.model, device.at), hca.model.name
    for name in _SHARED:
        said, mine = card.fields.get(name), getattr(hca, name)
        if said is not None and mine is not None and said.value != mine and _told(name, hca, card, said):
            yield name, said, shown(mine)


def _told(name: str, hca: Hca, card: Card, said: Said) -> bool:
    """Neither VFs that have not been created yet are a difference, nor those of an HCA that pods never get
    and no resource takes, such as VFs of the host's own network."""
    if name != "vfs":
        return True
    return bool(said.value) and (hca.use not in ("front-end", "storage") or bool(card.resources))


def _cards(known: Known, site: Site, by_node: Mapping[str, list[Card]]) -> Iterator[Change]:
    """HCAs that a host does not show, or shows as another card, and cards of it that are not HCAs."""
    missing: dict[tuple[str, str], list[str]] = {}
    extra: dict[tuple[str, str], list[Card]] = {}
    for name, cards in by_node.items():
        host = known.hosts.get(name)
        if host is None:
            continue
        named = known.names(host, cards)
        for hca in host.type.hcas:
            if hca.name in named or hca.virtual or not stated(host, hca):
                continue
            other = site.said("card", (name, stated(host, hca).get("pci", "")), "device")
            if other is None:
                missing.setdefault((host.type.name, hca.name), []).append(name)
            else:
                there = f"{hca.model.name} ({known.hca_at(host, hca, 'model')}) or {other.value}"
                what = f"model: {there}, which is not in the catalog ({place(other.at)})"
                yield Change("differs", f"{name} {hca.name}", what)
        used = {card.pci for card in named.values()}
        for card in cards:
            if card.pci not in used:
                extra.setdefault((host.type.name, card.pci), []).append(card)
    for (kind, pci), found in extra.items():
        first = found[0]
        at = place(next(iter(first.fields.values())).at)
        whom = f"{gathered(card.node for card in found)} {pci}"
        yield Change("new", whom, f"{first.model} {first.text('netdev')} is not an HCA of {kind} ({at})")
    for (kind, hca_name), names in missing.items():
        at = known.at(("host_types", kind, "hcas", hca_name))
        yield Change("gone", f"{gathered(names)} {hca_name}", f"no card of the dumps matches it ({at})")


def dumped_nodes(site: Site) -> frozenset[str]:
    """Nodes that the dumps have more of than a record of their cables."""
    return frozenset(of[0] for of in site.every("node") if site.fields("node", of).keys() - {"recorded"})


def _gone_hosts(known: Known, site: Site) -> Iterator[Change]:
    """Missing hosts, only if a list of all nodes was read."""
    nodes = dumped_nodes(site)
    if not any(site.said("node", (name,), "there") for name in nodes):
        return
    groups: dict[str, list[str]] = {}
    for name, host in known.hosts.items():
        if name not in nodes:
            groups.setdefault(known.written_at(host.at), []).append(name)
    for at, names in groups.items():
        yield Change("gone", f"host {gathered(names)}", f"no such node in the dumps ({at})")
