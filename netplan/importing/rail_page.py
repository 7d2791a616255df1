"""The section ``rails``: the numbers from which VLANs and subnets follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from netaddr import IPNetwork

from netplan.importing.cabling import Cable
from netplan.importing.cards import Card
from netplan.importing.crossed import Crossed, nodes_of, without
from netplan.importing.facts import Remark, Said, Site, Value, place
from netplan.importing.folded import Folded
from netplan.importing.gateway_owner import (
    gateway_of,
    gateway_owner,
    pool_gateways,
    with_leaves,
)
from netplan.importing.hostless_leaves import Seen, hostless_leaves, hostless_remarks, leaves_of_rails
from netplan.importing.lone_families import lone_families, whole_families
from netplan.importing.networks import NetworkRow, SeenSubnet, rail_subnets
from netplan.importing.networks_beside import networks_beside
from netplan.importing.node_prefixes import whole_subnets
from netplan.importing.numbering import RailSpace, by_version, later_rail_space, rail_space
from netplan.importing.overlays import over_routed
from netplan.importing.planes import planes_entry
from netplan.importing.pool_leaves import with_pool_leaves
from netplan.importing.rail_gateway import gateway_entry
from netplan.importing.rail_links import LinkRows, link_entries, link_ids, stated_ranges
from netplan.importing.switches import SwitchRow
from netplan.importing.taken import reserved_entry
from netplan.importing.text import INEXPRESSIBLE, Entry, Section, listed, todo
from netplan.importing.unknown_ranges import unknown_ranges
from netplan.importing.vlans import rail_vlans, vlan_ids_entry, vlans_of
from netplan.model.values import parse_network

At = tuple[int, int]
Word = str | int
"""A value under ``rails``."""
_WHY = {
    "segment": "one subnet for each rail, whose cables go to several leaves",
    "numbering": "subnets go by the order of the leaves on a rail",
    "first_subnet": "the subnets before it, at the start of each rail's part, are in no dump",
}
_STRETCHED = Entry("stretched", _WHY["segment"])


def rail_section(site: Site, folded: Folded) -> Section:
    cards, rows, crossed, links = folded.cards, folded.rows, folded.crossed, folded.links
    rails = {card.of: card.rail for card in cards if card.rail is not None}
    if not rails:
        return {}
    count, (own, hostless) = max(rails.values()) + 1, _uncrossed(site, folded)
    planes = planes_entry(site, cards)
    entries: dict[str, Entry | Sequence[str]] = {"count": planes or Entry(count, "rails of the cards")}
    if links is not None:
        return {**entries, **link_entries(links, count)}
    vlans = rail_vlans(site, without(cards, crossed), rows)
    leaves = leaves_of_rails(rails, own, vlans, hostless)
    vlan = vlan_ids_entry(site, rows, vlans, count, without(cards, crossed))
    if vlan is not None:
        entries["vlan_ids"] = _of_leaves_alone(site, without(cards, crossed), _noted(vlan, crossed))
    seen = _subnets(site, rows, vlans, leaves)
    several = leaves if planes is None else {}  # each port of a card may have a leaf of its own
    space = unknown_ranges(site, rows, cards, seen, crossed)
    placed = [*with_pool_leaves(site, seen, without(cards, crossed), leaves)]
    entries.update(space or _space(site, rows, placed, several, folded.switches, count))
    entries.update(gateway_entry(site, rows, seen))
    if (over := over_routed(site, vlans, leaves)) and entries.get("segment") == _STRETCHED:
        entries["segment"] = over
    entries.update(gateway_owner(site, seen, leaves))
    if (reserved := reserved_entry(site, rows, seen, cards)) is not None:
        entries["reserved"] = reserved
    return entries


def _uncrossed(site: Site, folded: Folded) -> tuple[list[Cable], Mapping[str, Seen]]:
    """Cables without those that contradict other hosts, and leaves without a host on the others."""
    odd = {each.of for each in folded.crossed}
    own = [cable for cable in folded.cables if cable.far not in odd]
    return own, hostless_leaves(site, own) if odd else folded.hostless


def rail_networks(site: Site, folded: Folded) -> list[IPNetwork]:
    """Those of the rails that dumps show, of links where these have their own."""
    if (links := folded.links) is not None:
        return [*(row[2] for row in links.found), *(row[2] for row in links.pools)]
    vlans, leaves = _vlans_and_leaves(site, folded)
    seen = _subnets(site, folded.rows, vlans, leaves)
    return [subnet.network for subnet in seen]


def lone_subnets(site: Site, folded: Folded) -> Iterator[Remark]:
    """Subnets of leaves that no range of the rails has, and leaves without hosts."""
    vlans, leaves = _vlans_and_leaves(site, folded)
    seen = [*interface_subnets(site, vlans, leaves)] or recorded_subnets(site, vlans)
    yield from lone_families(seen, rail_subnets(site, folded.rows))
    yield from hostless_remarks(site, folded.hostless, leaves.values())


def _vlans_and_leaves(
    site: Site, folded: Folded
) -> tuple[Mapping[int, Mapping[int, Said]], Mapping[int, Sequence[str]]]:
    """Of the rails, from all cables."""
    rails = {card.of: card.rail for card in folded.cards if card.rail is not None}
    vlans = rail_vlans(site, folded.cards, folded.rows)
    return vlans, leaves_of_rails(rails, folded.cables, vlans, folded.hostless)


def host_ids(cards: Sequence[Card], links: LinkRows | None) -> Mapping[str, int]:
    """Node -> its id, where the networks of its links follow from it."""
    rails = [card.rail for card in cards if card.rail is not None]
    return link_ids(links, max(rails) + 1) if links is not None and rails else {}


def _noted(entry: Entry, crossed: Sequence[Crossed]) -> Entry:
    """The entry with a note about hosts whose cables contradict it."""
    note = f"; the cables of {nodes_of(crossed)} contradict the other hosts" if crossed else ""
    return replace(entry, comment=f"{entry.comment}{note}")


def _of_leaves_alone(site: Site, cards: Iterable[Card], entry: Entry) -> Entry:
    """The entry, unless a rail has one VLAN on each of its leaves and not the same one: no source contradicts
    another."""
    vlans, found = vlans_of(site, cards), dict[tuple[int, str], dict[Value, Said]]()
    for card in cards:
        port = site.said("card", card.of, "port")
        if card.rail is not None and card.of in vlans and port is not None and isinstance(port.value, tuple):
            said = vlans[card.of]
            found.setdefault((card.rail, port.value[0]), {}).setdefault(said.value, said)
    ids = {at: next(iter(own.values())) for at, own in found.items()}
    by_rail: dict[int, set[Value]] = {}
    for (rail, _), said in ids.items():
        by_rail.setdefault(rail, set()).add(said.value)
    several = [(at, said) for at, said in sorted(ids.items()) if len(by_rail[at[0]]) > 1]
    if not several or any(len(own) > 1 for own in found.values()):
        return entry
    seen = (f"rail {rail} {leaf}: {said.value} ({place(said.at)})" for (rail, leaf), said in several)
    what = f"{INEXPRESSIBLE}: a rail with another VLAN on each leaf; state one for each rail"
    return todo(what, listed(seen))


def _subnets(
    site: Site,
    rows: Sequence[NetworkRow],
    vlans: Mapping[int, Mapping[int, Said]],
    leaves: Mapping[int, Sequence[str]],
) -> list[SeenSubnet]:
    """Subnets of the leaves, and those that only a pool has."""
    pools = rail_subnets(site, rows)
    seen = whole_families(interface_subnets(site, vlans, leaves), pools)
    seen = seen or whole_families(recorded_subnets(site, vlans), pools)
    known = {str(subnet.network) for subnet in seen}
    left = (subnet for subnet in whole_subnets(site, pools, seen) if str(subnet.network) not in known)
    return [*seen, *with_leaves(site, left, leaves)]


def interface_subnets(
    site: Site, vlans: Mapping[int, Mapping[int, Said]], leaves: Mapping[int, Sequence[str]]
) -> Iterator[SeenSubnet]:
    """Subnets of the VLAN interfaces that a rail's leaves have in its VLAN."""
    pools = pool_gateways(site)
    for rail, mine in sorted(leaves.items()):
        for leaf in mine:
            for vlan in vlans.get(rail, {}):
                for address, said in site.prefixed("svi", (leaf, str(vlan)), "address/"):
                    network = parse_network(address)
                    if network is not None:
                        gateway, shared = gateway_of(site, (leaf, str(vlan)), address, network, pools)
                        yield SeenSubnet(rail, network.cidr, gateway, shared or said, leaf)


def recorded_subnets(site: Site, vlans: Mapping[int, Mapping[int, Said]]) -> Iterator[SeenSubnet]:
    """Prefixes of NetBox in the VLAN of a rail; they do not say what has the gateway."""
    rails = {vlan: rail for rail, mine in vlans.items() for vlan in mine if vlan}
    for of in site.every("prefix"):
        said, network = site.said("prefix", of, "vlan"), parse_network(of[0])
        if said is not None and network is not None and said.value in rails:
            yield SeenSubnet(rails[int(said.value)], network.cidr, "?", said)


def _space(
    site: Site,
    rows: Iterable[NetworkRow],
    seen: Sequence[SeenSubnet],
    leaves: Mapping[int, Sequence[str]],
    switches: Iterable[SwitchRow],
    count: int,
) -> dict[str, Entry]:
    table = listed(f"rail {s.rail}{' ' * bool(s.leaf)}{s.leaf}: {s.network}" for s in seen)
    table += f" ({place(seen[0].said.at)})"
    ids = {row.name: row.id for row in switches}
    words, spaces = _of_families(seen, leaves, ids, count, networks_beside(site, rows))
    if not spaces:
        what = "neither one supernet nor a network per rail yields these subnets in the order of the leaves"
        if _has_unplaced(seen, leaves):
            what = f"{_UNPLACED}; state the range"
        elif {s.rail for s in seen} == set(range(count)):
            what = f"{INEXPRESSIBLE}: {what}"
        return {"supernets": todo(what, table)}
    return {
        **{key: Entry(value, _WHY.get(key, "")) for key, value in words.items()},
        **stated_ranges(spaces, count, f"smallest range that yields {table}"),
    }


_UNPLACED = "on which leaf each of these subnets is, neither a VLAN interface nor the nodes of a pool show"


def _has_unplaced(seen: Sequence[SeenSubnet], leaves: Mapping[int, Sequence[str]]) -> bool:
    """Whether a rail with several leaves and subnets has one whose leaf is not known."""
    times = Counter(subnet.rail for subnet in seen)
    own = (s for s in seen if not s.leaf and times[s.rail] > 1)
    return any(len(leaves.get(subnet.rail, ())) > 1 for subnet in own)


def _of_families(
    seen: Sequence[SeenSubnet],
    leaves: Mapping[int, Sequence[str]],
    ids: Mapping[str, int],
    count: int,
    others: Sequence[IPNetwork],
) -> tuple[dict[str, Word], Sequence[RailSpace]]:
    """Keys of ``rails``, and a range for each address family; no range if one family has none, or needs other
    keys. ``others``: networks that are no rails'."""
    own = by_version(seen, lambda subnet: subnet.network)
    words, spaces = zip(*(_fitting(each, leaves, ids, count, others) for each in own), strict=True)
    found = [space for space in spaces if space is not None]
    alike = all(keys == words[0] for keys in words)
    return words[0], found if alike and len(found) == len(own) else ()


def _fitting(
    seen: Sequence[SeenSubnet],
    leaves: Mapping[int, Sequence[str]],
    ids: Mapping[str, int],
    count: int,
    others: Sequence[IPNetwork],
) -> tuple[dict[str, Word], RailSpace | None]:
    """Keys of ``rails`` and the range they go with: one subnet for each rail, or for each rail and leaf."""
    one: dict[At, IPNetwork] = {(s.rail, 0): s.network for s in seen}
    single = len({(s.rail, str(s.network)) for s in seen}) == len(one)
    several = any(len(mine) > 1 for mine in leaves.values())
    if single and (several or not all(s.leaf for s in seen)):
        found = rail_space([one], count, others)
        several_leaves: dict[str, Word] = {"segment": "stretched"} if several else {"numbering": "position"}
        return several_leaves if leaves else {}, found[1] if found else None
    if not all(s.leaf for s in seen):
        return {}, None
    return _of_leaves(seen, leaves, ids, count, others)


def _of_leaves(
    seen: Sequence[SeenSubnet],
    leaves: Mapping[int, Sequence[str]],
    ids: Mapping[str, int],
    count: int,
    others: Sequence[IPNetwork],
) -> tuple[dict[str, Word], RailSpace | None]:
    """Position of a leaf: by its id, else by its order among the rail's leaves."""
    ordered = {rail: sorted(mine, key=lambda name: ids.get(name, 0)) for rail, mine in leaves.items()}
    by_id = {(s.rail, ids[s.leaf] - 1): s.network for s in seen}
    by_place = {(s.rail, ordered[s.rail].index(s.leaf)): s.network for s in seen}
    choices = [positions for positions in (by_id, by_place) if len(positions) == len(seen)]
    found = later_rail_space(choices, count, others)
    if found is None:
        return {}, None
    index, space = found
    words: dict[str, Word] = {"numbering": "position"} if choices[index] is by_place else {}
    if space.first_subnet:
        words["first_subnet"] = space.first_subnet
    return words, space
