"""The sections ``fabric`` and ``networks``."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from netplan.importing.beside import shared_resource
from netplan.importing.block_room import short_blocks
from netplan.importing.block_sizes import block_size_entry
from netplan.importing.bonds import on_strange_master
from netplan.importing.cards import Card
from netplan.importing.crossed import Crossed, without
from netplan.importing.fabrics import WORDS, two_fabrics
from netplan.importing.facts import Said, Site, place
from netplan.importing.fits import refusal
from netplan.importing.folded import Folded
from netplan.importing.hosts import HostKind
from netplan.importing.kubernetes.pools import OTHER_IPAM
from netplan.importing.leaf_networks import some_leaves
from netplan.importing.lost_resources import without_cards
from netplan.importing.machines_page import machine_networks, shares_of
from netplan.importing.mtu_page import in_use, mtu_entry
from netplan.importing.networks import (
    POOLS,
    SETTINGS,
    NetworkRow,
    hosts_of,
    kinds_of,
    owners_of,
    renamed,
    subnet_of_pool,
)
from netplan.importing.pkeys import FIELD, pkey_entry
from netplan.importing.pool_nodes import hosts_of_pool
from netplan.importing.qos_page import qos_entry
from netplan.importing.range_room import short_ranges
from netplan.importing.switch_ages import arp_entry
from netplan.importing.text import INEXPRESSIBLE, TODO, Entry, Section, block, clash, listed, todo, told
from netplan.importing.vlans import tagging_entry
from netplan.importing.whole_hcas import over_vfs
from netplan.model.inventory_text import flow_list
from netplan.model.ipams import IPAMS
from netplan.model.modes import mode_of
from netplan.model.ranges import ranged
from netplan.report import count

_ASKED = {name: name for name in ("mode", "ipam", "routing", *SETTINGS)} | {
    "resource": "resource_name",
    "prefix": "resource_prefix",
    "master": "hcas",
    "namespace": "namespaces",
    "plugin mode": "mode",
}
"""Field of a network's object -> key of the inventory under which sources that disagree are asked about."""


def fabric_section(site: Site, folded: Folded) -> Section:
    every, rows, switches = folded.cards, folded.rows, folded.switches
    used = in_use(every)
    given = next((card.fabric for card in used if card.fabric), "")
    entries: dict[str, Entry | Sequence[str] | Section] = {"type": _type(used or every, rows)}
    mtu = mtu_entry(site, used, rows)
    if mtu.value != TODO or any(card.rail is not None for card in used):  # pods have no address on it
        entries["mtu"] = mtu
    kind = entries["type"]
    if isinstance(kind, Entry) and kind.value != "infiniband" and given != "efa":
        entries["qos"] = qos_entry(site, switches, folded.on_rails)
        if ages := arp_entry(site, switches) if site.every("switch") else {}:
            entries["arp"] = ages
    return entries


def cross_rail(rails: Section) -> Mapping[str, Entry]:
    """Rails without gateways cannot reach other rails; the default is ``any``."""
    gateway = rails.get("gateway")
    alone = isinstance(gateway, Entry) and gateway.value == "none"
    return {"cross_rail": Entry("aligned", "no rail has a gateway", assumed=True)} if alone else {}


def _type(cards: Sequence[Card], rows: Sequence[NetworkRow]) -> Entry:
    given = next((card for card in cards if card.fabric), None)
    if given is not None:
        return Entry(given.fabric, f"of {given.node}, {place(next(iter(given.fields.values())).at)}")
    links = {card.text("link"): card for card in cards if card.text("link")}
    if len(links) == 1:
        for link, card in links.items():
            return Entry(WORDS[link], f"link type of the cards, {place(card.fields['link'].at)}")
    if not links and (entry := _type_of_modes(rows)) is not None:
        return entry
    if both := two_fabrics(cards):
        return Entry(TODO, f"{TODO}: {INEXPRESSIBLE}: {both}")
    return todo(
        "roce or infiniband", "show_gids, or ibstat, on a node" if not links else "the cards are of both"
    )


def _type_of_modes(rows: Sequence[NetworkRow]) -> Entry | None:
    """Where no card states its link: the one that the modes of all networks need."""
    modes = [(mode_of(row.first.text("mode")), row.first.fields["mode"]) for row in rows]
    links = {mode.link if mode is not None else None for mode, _ in modes}
    link = next(iter(links), None)
    if link is None or len(links) > 1:
        return None
    said = modes[0][1]
    return Entry(WORDS[link], f"mode {said.value} needs {link}, {place(said.at)}")


def network_lines(
    site: Site,
    rows: Sequence[NetworkRow],
    kinds: Sequence[HostKind],
    cards: Sequence[Card],
    crossed: Sequence[Crossed],
    at_work: Container[str],
) -> list[str]:
    """``at_work``: networks of workloads."""
    prefixes, sure = _prefixes(site), without(cards, crossed)
    owners, lines = owners_of(rows), []
    for row in rows:
        rails = some_leaves(site, row, sure)
        asked = {**shared_resource(row, rows), **without_cards(row, cards), **on_strange_master(site, row)}
        asked |= {**over_vfs(site, row, rows, cards), **({"for_each": rails} if rails else {})}
        asked |= hosts_of_pool(site, row, kinds)
        asked |= {} if row.name in at_work else short_ranges(site, row, cards)
        sizes = block_size_entry(site, row, rows, kinds)
        lines += _network(site, row, kinds, cards, prefixes, owners, sizes, asked)
    lines += machine_networks(rows, kinds, cards, prefixes, shares_of(site))
    return ["networks:", *lines] if lines else []


def _network(
    site: Site,
    row: NetworkRow,
    kinds: Sequence[HostKind],
    cards: Sequence[Card],
    prefixes: Mapping[str, str],
    owners: Mapping[str, str],
    sizes: Mapping[str, Entry],
    asked: Mapping[str, Entry],
) -> list[str]:
    """``asked``: what no dump can tell, in place of what they say."""
    first = row.first
    at = place(first.fields["mode"].at)
    entries: dict[str, Entry | Sequence[str]] = {}
    if row.rails:
        entries["for_each"] = Entry("rails", f"of {count(len(row.parts), 'network')}: {_names(row)}")
    entries["mode"] = Entry(first.text("mode"), at)
    entries.update(_carriers(row, kinds))
    if not row.rails and subnet_of_pool(site, first.text("pool")) is not None:
        entries["subnet"] = Entry(owners[first.text("pool")], "section subnets")
    if "ipam" in first.fields:
        entries["ipam"] = Entry(first.text("ipam"), place(first.fields["ipam"].at))
    elif (other := first.fields.get(OTHER_IPAM)) is not None:
        what = f"{INEXPRESSIBLE}: IPAM {other.value}; state one of {', '.join(IPAMS)}"
        entries["ipam"] = todo(what, place(other.at))
    entries.update(sizes)
    entries["namespaces"] = Entry(flow_list(row.namespaces), _renamed(row) or at)
    entries.update(_resource(site, row, prefixes, _names_of_rails(row, kinds)))
    entries["routing"] = _routing(row)
    entries.update({**_settings(site, row, cards), **asked})
    entries.update(short_blocks(site, row, cards, sizes.get("block_size")))
    return block(1, row.name, entries)


def _settings(site: Site, row: NetworkRow, cards: Sequence[Card]) -> Mapping[str, Entry]:
    """Who tags, the settings of the VF, and whatever sources disagree about."""
    entries: dict[str, Entry] = {}
    if (tagging := tagging_entry(site, row, cards)) is not None:
        entries["tagging"] = tagging
    for part in row.parts:
        for conflict in site.about("network", part.of):
            name = _ASKED.get(conflict.field)
            if conflict.field in POOLS and not row.rails:
                name = "subnet"
            if name is not None:
                entries.setdefault(name, clash(conflict))
    for name in SETTINGS:
        if name in row.first.fields:
            said = row.first.fields[name]
            entries.setdefault(name, pkey_entry(said) if name == FIELD else told(said))
    return entries


def _renamed(row: NetworkRow) -> str:
    """Names that pods ask for today, of networks that are called otherwise in another namespace."""
    told = (
        f"pods of {space} ask for {parts[0].of[1]} today ({place(parts[0].fields['mode'].at)})"
        for space, parts in renamed(row).items()
    )
    seen = listed(told)
    return (
        f"{seen}; an inventory has one name for it, {row.name}, so their annotations change" if seen else ""
    )


def _names(row: NetworkRow) -> str:
    names = [part.of[1] for part in row.parts]
    return ", ".join(dict.fromkeys(names if len(names) < 5 else [*names[:3], "...", names[-1]]))


def _carriers(row: NetworkRow, kinds: Sequence[HostKind]) -> Iterator[tuple[str, Entry]]:
    own, some = hosts_of(row, kinds), _hcas(row, kinds)
    if len(own) < len(kinds) and own:
        yield "hosts", Entry(flow_list(own), "host types with its resource")
    if some:
        which = "those of its rails" if row.rails else "those with its resource"
        master = row.first.fields.get("master")
        if not row.resources and master is not None:
            which = f"master {master.value}, {place(master.at)}"
        yield "hcas", Entry(flow_list(some), which)


def _hcas(row: NetworkRow, kinds: Sequence[HostKind]) -> list[str]:
    """HCAs of its rails, where those are not all rails; of a network on no rail those of its resources, where
    other HCAs have rails too."""
    named = _named(row, kinds)
    on_rails = [(name, card) for name, card in named if card.rail is not None]
    pods = on_rails
    if not row.rails:
        pods = [*on_rails, *((n, card) for n, card in named if card.for_pods and not card.virtual)]
    own = [name for name, card in pods if _carries(row, card)]
    return list(dict.fromkeys(own)) if len(own) < len(pods) else []


def _named(row: NetworkRow, kinds: Sequence[HostKind]) -> list[tuple[str, Card]]:
    """Of the host types with a resource of the network, or of all."""
    return [each for kind in kinds_of(row, kinds) for each in kind.named]


def _carries(row: NetworkRow, card: Card) -> bool:
    if row.rails:
        return card.rail in row.rails
    if row.resources:
        return not {*row.resources}.isdisjoint(card.resources)
    return card.text("netdev") == row.first.text("master")


def _names_of_rails(row: NetworkRow, kinds: Sequence[HostKind]) -> dict[int, list[str]]:
    """Every rail of the hosts -> the resources that pods of the network ask for there; where the network is
    not, those that its hosts have."""
    found: dict[int, list[str]] = {
        card.rail: [] for kind in kinds for card in kind.cards if card.rail is not None
    }
    for part in row.parts:
        if part.rail is not None and (name := part.text("resource")):
            found.setdefault(part.rail, []).append(name)
    own = set(hosts_of(row, kinds))
    for card in (card for kind in kinds if kind.name in own for card in kind.cards):
        if card.rail is not None and card.rail not in row.rails:
            found[card.rail] += card.resources
    return {rail: list(dict.fromkeys(names)) for rail, names in sorted(found.items())}


def _resource(
    site: Site, row: NetworkRow, prefixes: Mapping[str, str], names: Mapping[int, Sequence[str]]
) -> dict[str, Entry]:
    """Names and prefixes of resources, as the cluster has them."""
    if not row.resources:
        return {}
    said = row.first.fields["resource"]
    entries: dict[str, Entry] = {}
    if row.rails and len(row.resources) == 1:  # its name stays as it is: without the number of a rail
        entries["resource"] = Entry("shared", place(said.at))
    entries["resource_name"] = _resource_name(row, said, names)
    own = {prefixes.get(name, "") for name in row.resources}
    asked = {part.text("prefix") for part in row.parts}
    if len(own) == 1 and (prefix := own.pop()):
        entries["resource_prefix"] = Entry(prefix, "of the device plugin")
    elif site.said("cluster", (), "sriov_operator") is None and len(asked) == 1 and (prefix := asked.pop()):
        entries["resource_prefix"] = Entry(prefix, place(row.first.fields["prefix"].at))
    return entries


def _resource_name(row: NetworkRow, said: Said, names: Mapping[int, Sequence[str]]) -> Entry:
    entry = _of_rails(row, names) if len(row.resources) > 1 else Entry(row.resources[0], place(said.at))
    wrong = refusal(("networks", "*", "resource_name"), entry.value)
    if wrong and entry.value != TODO:
        return todo(f"{entry.value} is {wrong}: lower-case letters, digits and _", place(said.at))
    return entry


def _of_rails(row: NetworkRow, names: Mapping[int, Sequence[str]]) -> Entry:
    """One name that the rail is appended to, else a range with a name for each rail."""
    said = row.first.fields["resource"]
    stem = row.resources[0].removesuffix("_0")
    if all(f"{stem}_{part.rail}" == part.text("resource") for part in row.parts):
        return Entry(stem, place(said.at))
    single = [own[0] for own in names.values() if len(own) == 1]
    span = ranged(single)
    if span and len(single) == len(names) and [*names] == [*range(len(names))]:
        return Entry(span, f"a name for each rail, {place(said.at)}")
    seen = listed(f"{'/'.join(own)} of rail {rail}" for rail, own in names.items() if rail in row.rails)
    what = "a range with a name for each rail; no range yields the names that pods request"
    return todo(what, f"{seen} ({place(said.at)})")


def _prefixes(site: Site) -> Mapping[str, str]:
    """Resource -> the prefix its device plugin gives it."""
    found = ((of[0], site.text("resource", of, "prefix")) for of in site.every("resource"))
    return {name: prefix for name, prefix in found if prefix}


def _routing(row: NetworkRow) -> Entry:
    said = row.first.fields.get("routing")
    if said is not None:
        return Entry(str(said.value), place(said.at))
    if row.first.text("ipam") == "spiderpool":
        return todo("spiderpool, or another ipam and routing", "no coordinator is in the networks")
    if len(row.rails) < 2:
        return Entry("none", "one rail, no sbr in the chain" if row.rails else "no sbr in the chain")
    return todo("script, table, claim, spiderpool or none", "neither sbr nor a table is in the networks")
