"""Ranges that all nodes share with fewer addresses than pods may share their HCAs (NP217)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netaddr import IPNetwork

from netplan.importing.block_room import NO_LIMIT
from netplan.importing.cards import Card
from netplan.importing.facts import Site, place
from netplan.importing.host_addresses import host_addresses
from netplan.importing.networks import FoundNetwork, NetworkRow, exclusions_of, subnet_of_pool
from netplan.importing.text import Entry, todo
from netplan.model.fabric import SHARE_MAX
from netplan.model.ipams import IPAMS, ipam_named
from netplan.model.modes import mode_of
from netplan.model.spans import Span, free, merged
from netplan.model.values import parse_address, parse_network, usable
from netplan.report import count


def short_ranges(site: Site, row: NetworkRow, cards: Sequence[Card]) -> Mapping[str, Entry]:
    """A plugin's limit is no demand for addresses, but ``validate`` takes it for one where no workload says
    how many pods there are."""
    mode, ipam = mode_of(row.first.text("mode")), ipam_named(row.first.text("ipam"))
    if mode is None or mode.sharing != "always" or ipam is None:
        return {}
    hands_out = IPAMS[ipam].hands_out
    if hands_out not in ("range", "node"):
        return {}
    found = [*_rooms(site, row, cards, alone=hands_out == "node")]
    room, shown = min(found, default=(0, ""))
    said = row.first.fields.get("share_max")
    most = row.first.number("share_max") or SHARE_MAX
    if not found or room >= most:
        return {}
    today = f"today {said.value} ({place(said.at)}) may share it" if said is not None else NO_LIMIT
    what = f"pods that may share an HCA, at most {room}, or {most} once workloads state pods_per_node"
    return {"share_max": todo(what, f"{shown}, {today}")}


def _rooms(site: Site, row: NetworkRow, cards: Sequence[Card], *, alone: bool) -> Iterator[tuple[int, str]]:
    """Addresses of each range for the pods of a node. ``alone``: a node gives out the whole range."""
    for part in row.parts:
        for pool in part.pools:
            seen = subnet_of_pool(site, pool)
            if seen is None:
                continue
            network, _, said = seen
            nodes = _nodes(site, row, part, cards, network)
            left = _free(site, pool, cards, network, alone=alone)
            if nodes:
                whom = "the pods of a node" if alone else f"the pods of {count(len(nodes), 'node')}"
                shown = f"{network} has {left} addresses for {whom} ({place(said.at)})"
                yield left if alone else left // len(nodes), shown


def _nodes(
    site: Site, row: NetworkRow, part: FoundNetwork, cards: Iterable[Card], network: IPNetwork
) -> set[str]:
    """Those with its cards; of several ranges on a rail, those on the leaves that have the subnet."""
    own = [card for card in cards if card.rail == part.rail and _has(card, row)]
    if _has_others(site, row, part, network):
        leaves = {of[0] for of in site.every("svi") if network in _networks(site, of)}
        own = [card for card in own if leaves.intersection(site.listed("card", card.of, "port")[:1])]
    return {card.node for card in own}


def _has_others(site: Site, row: NetworkRow, part: FoundNetwork, network: IPNetwork) -> bool:
    """Whether its rail has another range of the same IP version."""
    pools = (pool for each in row.parts if each.rail == part.rail for pool in each.pools)
    found = [seen[0] for pool in pools if (seen := subnet_of_pool(site, pool)) is not None]
    return any(each.version == network.version and each != network for each in found)


def _has(card: Card, row: NetworkRow) -> bool:
    if row.resources:
        return not {*row.resources}.isdisjoint(card.resources)
    return card.rail is not None or card.text("netdev") == row.first.text("master")


def _networks(site: Site, of: tuple[str, ...]) -> list[IPNetwork]:
    found = (parse_network(str(said.value)) for _, said in site.prefixed("svi", of, "address/"))
    return [network.cidr for network in found if network is not None]


def _free(site: Site, pool: str, cards: Iterable[Card], network: IPNetwork, *, alone: bool) -> int:
    """Without the gateway, what is excluded and the addresses of hosts; whereabouts never gives out the first
    and the last address."""
    first, last = usable(network) if alone else (1, int(network.last - network.first) - 1)
    taken: list[Span] = [(int(low), int(high)) for (low, high), _ in exclusions_of(site, pool)]
    single = [parse_address(site.text("pool", (pool,), "gateway"))]
    single += [each.ip for each in host_addresses(site, cards) if each.ip in network]
    taken += [(int(ip), int(ip)) for ip in single if ip is not None]
    start = int(network.first)
    return free((start + first, start + last), merged(taken))
