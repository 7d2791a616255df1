"""Blocks of IPPools with fewer addresses than a node has devices (NP208)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from netplan.importing.cards import Card
from netplan.importing.facts import Site, place
from netplan.importing.networks import NetworkRow, exclusions_of
from netplan.importing.text import Entry, todo
from netplan.model.fabric import SHARE_MAX
from netplan.model.modes import mode_of
from netplan.model.spans import Span, free, merged
from netplan.model.values import parse_address, parse_network, usable

NO_LIMIT = f"no dump limits them, and the default is {SHARE_MAX}"


def short_blocks(
    site: Site, row: NetworkRow, cards: Iterable[Card], block: Entry | Sequence[str] | None
) -> Mapping[str, Entry]:
    """``block``: the ``block_size`` of the network; None if it has none."""
    mode = mode_of(row.first.text("mode"))
    if mode is None or not isinstance(block, Entry) or not isinstance(block.value, int):
        return {}
    nodes = len(site.every("node"))
    rooms = (_room(site, pool, block.value, nodes) for part in row.parts for pool in part.pools)
    room = min(rooms, default=block.value)
    stated = f"block_size {block.value} ({block.comment}) leaves {room} addresses for the pods of a node"
    if mode.sharing == "always":
        return _shared(row, room, stated)
    made = _vfs(row, cards) if mode.takes == "vf" else 0
    if room >= made:
        return {}
    way_out = "raise block_size, which moves the blocks of all nodes, exclude less, or lower vfs"
    return {"block_size": Entry(block.value, f"{stated}, which has {made} VFs of a PF: {way_out}")}


def _shared(row: NetworkRow, room: int, stated: str) -> Mapping[str, Entry]:
    said = row.first.fields.get("share_max")
    if room >= (row.first.number("share_max") or SHARE_MAX):
        return {}
    today = f"today {said.value} ({place(said.at)}) may share it" if said is not None else NO_LIMIT
    where = f"{stated}, {today}; a larger block_size moves the blocks of all nodes"
    return {"share_max": todo(f"pods that may share an HCA, at most {room}", where)}


def _vfs(row: NetworkRow, cards: Iterable[Card]) -> int:
    """VFs of a PF that are the network's, the most there are; 0 where it has a part of them."""
    if "vf_range" in row.first.fields:
        return 0
    own = (card.number("vfs") or 0 for card in cards if {*card.resources} & {*row.resources})
    return max(own, default=0)


def _room(site: Site, pool: str, size: int, nodes: int) -> int:
    """Addresses for pods in the block with the fewest. One that is excluded as a whole is no node's."""
    network = parse_network(site.text("pool", (pool,), "subnet"))
    if network is None:
        return size
    base, gateway = network.first + usable(network)[0], parse_address(site.text("pool", (pool,), "gateway"))
    taken: list[Span] = [(int(gateway), int(gateway))] if gateway is not None else []
    excluded = (span for span, _ in exclusions_of(site, pool))
    taken += [(int(first), int(last)) for first, last in excluded if first.version == network.version]
    spans = [(max(low - base, 0), high - base) for low, high in merged(taken) if high >= base]
    ends = {at // size for span in spans for at in span}  # those between are excluded as a whole
    left = [free((at * size, (at + 1) * size - 1), spans) for at in ends if at < nodes]
    return min(filter(None, left), default=size)
