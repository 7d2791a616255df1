"""``rails`` whose links have networks of their own (``segment: host``): routed ports, and CIDRPools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from netaddr import IPNetwork

from netplan.importing.cabling import Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Of, Said, Site, place
from netplan.importing.networks import NetworkRow, pools_of_resources
from netplan.importing.numbering import RailSpace, by_version, rail_space
from netplan.importing.switches import link_network
from netplan.importing.text import Entry, todo
from netplan.model.inventory_text import flow_list
from netplan.model.ranges import trailing_number
from netplan.model.values import parse_network

Prefixed = tuple[int, int, IPNetwork, Said]
"""Rail, number of the node, the network of its link."""


def of_links(site: Site, routed: Sequence[Cable], rails: Mapping[Of, int], count: int) -> Mapping[str, Entry]:
    first = routed[0]
    at = f"{first.switch} {first.port} is routed, {place(first.said.at)}"
    seen: list[Prefixed] = []
    for cable in routed:
        rail, number = rails.get(cable.far), trailing_number(cable.far[0])
        network = link_network(site, cable.switch, cable.port)
        if rail is None or not number or network is None:
            return {"segment": _asked(at)}
        seen.append((rail, number, network, cable.said))
    return _of_prefixes(seen, count, at)


def pools_of_nodes(
    site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow]
) -> Iterator[tuple[str, tuple[int, Said]]]:
    """CIDRPools of the rails, which give each node a prefix of its own: pool, rail, and where it says so."""
    pools = pools_of_resources(site)
    by_pool = {pools.get(name, ""): card.rail for card in cards for name in card.resources}
    by_pool |= {part.text("pool"): part.rail for row in rows for part in row.parts}
    for pool, rail in by_pool.items():
        said = site.said("pool", (pool,), "node_prefix")
        if rail is not None and said is not None:
            yield pool, (rail, said)


def of_pools(site: Site, pools: Mapping[str, tuple[int, Said]], count: int) -> Mapping[str, Entry]:
    allocated = list(_allocated(site, pools))
    first = allocated[0][3] if allocated else next(iter(pools.values()))[1]
    return _of_prefixes(allocated, count, f"a prefix for each node, {place(first.at)}")


def _allocated(site: Site, pools: Mapping[str, tuple[int, Said]]) -> Iterator[Prefixed]:
    """What the pools give to each node (``staticAllocations``, and the operator's own in the status)."""
    for pool, (rail, _) in pools.items():
        for node, said in site.prefixed("pool", (pool,), "static/"):
            network, number = parse_network(str(said.value)), trailing_number(node)
            if network is not None:
                yield rail, number or 0, network, said


def _asked(at: str) -> Entry:
    return todo("host, with supernets, rail_prefixes and prefixes of the links", at)


def _of_prefixes(found: Sequence[Prefixed], count: int, at: str) -> Mapping[str, Entry]:
    """``segment: host``: the link of host n on rail r is the n-th of the rail's part, n the number in its
    name."""
    own = by_version(found, lambda row: row[2])
    spaces = [space for rows in own if (space := _space(rows, count)) is not None]
    if not spaces or len(spaces) < len(own):
        return {"segment": _asked(at)}
    return {
        "segment": Entry("host", at),
        **stated_ranges(spaces, count, f"smallest range for {len(found)} links"),
        "gateway": Entry("first", "the switch has the first address of each link"),
    }


def _space(rows: Sequence[Prefixed], count: int) -> RailSpace | None:
    seen = {(rail, number - 1): network for rail, number, network, _ in rows if number}
    fitting = rail_space([seen], count) if len(seen) == len(rows) else None
    return fitting[1] if fitting is not None else None


def stated_ranges(spaces: Sequence[RailSpace], count: int, why: str) -> Mapping[str, Entry]:
    """``spaces``: one for each address family."""
    prefixes = {"prefixes": Entry(flow_list(space.prefix for space in spaces))}
    if all(space.key == "supernets" for space in spaces):
        supernets = flow_list(str(network) for space in spaces for network in space.networks)
        lengths = Entry(flow_list(space.rail_prefix for space in spaces))
        return {"supernets": Entry(supernets, why), "rail_prefixes": lengths, **prefixes}
    by_rail = zip(*(map(str, space.by_rail(count)) for space in spaces), strict=True)
    own = flow_list(flow_list(networks) if len(networks) > 1 else networks[0] for networks in by_rail)
    return {"rail_networks": Entry(own, why), **prefixes}
