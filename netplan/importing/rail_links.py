"""``rails`` whose links have networks of their own (``segment: host``): routed ports, and CIDRPools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from netaddr import IPAddress, IPNetwork

from netplan.importing.cabling import CARD, Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Of, Remark, Said, Site, not_taken, place
from netplan.importing.host_ports import odd_host_ports
from netplan.importing.networks import NetworkRow
from netplan.importing.networks_beside import networks_beside
from netplan.importing.node_prefixes import in_vlans, pools_of_nodes, switched_ports
from netplan.importing.numbering import Positions, RailSpace, by_version, gateway_word, rail_space
from netplan.importing.switches import link_networks
from netplan.importing.text import INEXPRESSIBLE, Entry, listed, todo
from netplan.model.inventory_text import flow_list
from netplan.model.ranges import trailing_number
from netplan.model.values import nth_subnet, parse_network

_ODD = (
    f"{INEXPRESSIBLE}: ports to hosts with several addresses, or with networks other than /31 and /127; "
    "state host with supernets, rail_prefixes and prefixes of the links, which numbers all of them anew"
)
_MIXED = (
    f"{INEXPRESSIBLE}: rails with routed ports to hosts beside ports in VLANs; "
    "state host once all of them are routed, with supernets, rail_prefixes and prefixes of the links"
)
_LONGEST = 17
"""Bits of the ids that are tried: 65,536 hosts."""
Prefixed = tuple[int, str, IPNetwork, Said]
"""Rail, node, the network of its link."""
Gateway = tuple[IPNetwork, str, str]
"""The network of a link, the address of the switch in it, where it says so."""
PoolRange = tuple[int, str, IPNetwork, Said]
"""Rail, CIDRPool, the range that it takes prefixes of nodes from."""


@dataclass(frozen=True, slots=True)
class LinkRows:
    """Networks of the links. ``at``: what shows that each link has its own; ``whole``: all of them are known.
    ``gateways``: what the switch has of each, by port or pool; ``pools``: the range of each CIDRPool.
    ``others``: networks that are no rails'; ``odd``: ports with other networks than links can have;
    ``switched``: ports in VLANs beside routed ones."""

    found: tuple[Prefixed, ...]
    at: str
    whole: bool = True
    gateways: tuple[Gateway, ...] = ()
    pools: tuple[PoolRange, ...] = ()
    others: tuple[IPNetwork, ...] = ()
    odd: tuple[str, ...] = ()
    switched: tuple[str, ...] = ()


def links_of(
    site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow], cables: Sequence[Cable]
) -> LinkRows | None:
    """None unless links have networks of their own. ``cables``: without those that contradict others."""
    rails = {card.of: card.rail for card in cards if card.rail is not None}
    routed = [c for c in cables if c.kind == CARD and link_networks(site, c.switch, c.port)]
    pools, odd = dict(pools_of_nodes(site, cards, rows)), tuple(odd_host_ports(site, cables, rails))
    if odd:
        return LinkRows((), "", whole=False, odd=odd)
    if not routed and (not pools or in_vlans(site, cards, rows, pools)):
        return None
    if routed and (switched := tuple(_switched(site, rails, routed, cables))):
        return LinkRows((), _shown_by(routed[0]), whole=False, switched=switched)
    links = rows_of_links(site, routed, rails) if routed else rows_of_pools(site, pools)
    gateways = (*links.gateways, *_gateways_of_pools(site, pools))
    beside = tuple(networks_beside(site, rows))
    return replace(links, pools=ranges_of_pools(site, pools), gateways=gateways, others=beside)


def _switched(
    site: Site, rails: Mapping[Of, int], routed: Sequence[Cable], cables: Iterable[Cable]
) -> Iterator[str]:
    others = (c for c in cables if c.kind == CARD and c.far in rails and c not in routed)
    return switched_ports(site, ((cable.switch, cable.port) for cable in others))


def rows_of_links(site: Site, routed: Sequence[Cable], rails: Mapping[Of, int]) -> LinkRows:
    found: list[Prefixed] = []
    whole, gateways = True, list[Gateway]()
    for cable in routed:
        rail, networks = rails.get(cable.far), link_networks(site, cable.switch, cable.port)
        if rail is None or not networks:
            whole = False
            continue
        found += [(rail, cable.far[0], network, cable.said) for network in networks]
        gateways += _gateways_of_port(site, cable)
    return LinkRows(tuple(found), _shown_by(routed[0]), whole, tuple(gateways))


def _shown_by(routed: Cable) -> str:
    return f"{routed.switch} {routed.port} is routed, {place(routed.said.at)}"


def _gateways_of_port(site: Site, cable: Cable) -> Iterator[Gateway]:
    for text, said in site.prefixed("port", (cable.switch, cable.port), "address/"):
        network = parse_network(text)
        if network is not None:
            address = text.partition("/")[0]
            yield network.cidr, address, f"{cable.switch} {cable.port} {text} ({place(said.at)})"


def _gateways_of_pools(site: Site, pools: Mapping[str, tuple[int, Said]]) -> Iterator[Gateway]:
    """What a pool states for each node, else the address of ``gatewayIndex``."""
    for pool in pools:
        stated = dict(site.prefixed("pool", (pool,), "gateway/"))
        index = site.said("pool", (pool,), "gateway_index")
        for node, given in site.prefixed("pool", (pool,), "static/"):
            network, said = parse_network(str(given.value)), stated.get(node, index)
            if network is None or said is None:
                continue
            address = str(said.value)
            if node not in stated and isinstance(said.value, int) and 0 <= said.value < network.size:
                address = str(IPAddress(network.first + said.value, network.version))
            yield network.cidr, address, f"{pool} {node} {address} ({place(said.at)})"


def ranges_of_pools(site: Site, pools: Mapping[str, tuple[int, Said]]) -> tuple[PoolRange, ...]:
    found = ((rail, pool, site.said("pool", (pool,), "subnet")) for pool, (rail, _) in pools.items())
    stated = ((r, pool, said, parse_network(str(said.value))) for r, pool, said in found if said is not None)
    return tuple(
        (rail, pool, network.cidr, said) for rail, pool, said, network in stated if network is not None
    )


def rows_of_pools(site: Site, pools: Mapping[str, tuple[int, Said]]) -> LinkRows:
    found = tuple(_allocated(site, pools))
    first = found[0][3] if found else next(iter(pools.values()))[1]
    return LinkRows(found, f"a prefix for each node, {place(first.at)}")


def _allocated(site: Site, pools: Mapping[str, tuple[int, Said]]) -> Iterator[Prefixed]:
    """What the pools give to each node (``staticAllocations``, and the operator's own in the status)."""
    for pool, (rail, _) in pools.items():
        for node, said in site.prefixed("pool", (pool,), "static/"):
            network = parse_network(str(said.value))
            if network is not None:
                yield rail, node, network, said


def _asked(rows: LinkRows) -> Entry:
    seen = (f"rail {rail} {node} {network} ({place(said.at)})" for rail, node, network, said in rows.found)
    what = "host, with supernets, rail_prefixes and prefixes of the links"
    return todo(what, f"{rows.at}{'; seen ' * bool(rows.found)}{listed(seen)}")


def link_entries(rows: LinkRows, count: int) -> Mapping[str, Entry]:
    """``segment: host``: the link of the host with id n on rail r is the n-th of the rail's part."""
    if rows.odd:
        return {"segment": todo(_ODD, listed(rows.odd))}
    if rows.switched:
        return {"segment": todo(_MIXED, f"{rows.at}; {listed(rows.switched)}")}
    _, spaces = _numbered(rows, count)
    if not spaces:
        return {"segment": _asked(rows)}
    return {
        "segment": Entry("host", rows.at),
        **stated_ranges(spaces, count, _why(rows, spaces)),
        "gateway": _gateway(rows),
    }


def _why(rows: LinkRows, spaces: Sequence[RailSpace]) -> str:
    ranges = {network for _, _, network, _ in rows.pools}
    if rows.pools and all(ranges.issuperset(space.networks) for space in spaces):
        return f"the ranges of the pools, {place(rows.pools[0][3].at)}"
    return f"smallest range for {len(rows.found)} links"


def _gateway(rows: LinkRows) -> Entry:
    seen: dict[str, list[str]] = {}
    for network, address, where in rows.gateways:
        seen.setdefault(_word(network, address), []).append(where)
    if not seen:
        return todo("first or last address of each link", f"{rows.at}; nothing has the gateways")
    word = next(iter(seen))
    if len(seen) == 1 and word in ("first", "last"):
        return Entry(word, f"the switch has the {word} address of each link")
    others = [where for other, own in seen.items() if other != "first" for where in own]
    what = f"{INEXPRESSIBLE}: switches with another address of a link than the first or all the last one"
    if "odd" in seen:
        what = f"{INEXPRESSIBLE}: switches with the odd address of a link, as netplan gives them the even one"
    return todo(f"{what}; state first, and a rollout exchanges the addresses of both ends", listed(others))


def _word(network: IPNetwork, address: str) -> str:
    """``odd``: the second address of two."""
    word = gateway_word(network, address)
    return "odd" if word == "last" and network.size == 2 else word


def link_ids(rows: LinkRows, count: int) -> Mapping[str, int]:
    """Node -> the id with which its links keep their networks; empty if there is none."""
    return _numbered(rows, count)[0]


def _numbered(rows: LinkRows, count: int) -> tuple[Mapping[str, int], Sequence[RailSpace]]:
    """Ids of the nodes, from their names if those fit, else from the networks, and a range for each family
    of addresses."""
    own = by_version(rows.found, lambda row: row[2])
    choices = list(_choices(rows.found)) if rows.whole else []
    for pools in (rows.pools, ()) if rows.pools else ((),):
        for ids in choices:
            found = (_space(family, pools, ids, count, rows.others) for family in own)
            spaces = [space for space in found if space is not None]
            if spaces and len(spaces) == len(own):
                return ids, spaces
    return {}, ()


def lost_prefixes(site: Site, links: LinkRows | None, cables: Iterable[Cable]) -> Iterator[Remark]:
    """Static allocations of pools, where no cable is known that netplan could write them for."""
    if links is None or any(cable.kind == CARD for cable in cables):
        return
    for _, pool, _, _ in links.pools:
        fixed = site.said("pool", (pool,), "fixed")
        if fixed is not None:
            why = "no dump has the cables of its nodes, and netplan writes them for hosts that links connect"
            yield not_taken(fixed.at, "CIDRPool spec.staticAllocations", pool, why)


def other_ranges(links: LinkRows | None, cards: Iterable[Card]) -> Iterator[Remark]:
    """CIDRPools that get another range, as the ids of the hosts do not count up in theirs."""
    rails = [card.rail for card in cards if card.rail is not None]
    if links is None or not rails:
        return
    count = max(rails) + 1
    spaces = _numbered(links, count)[1]
    made = {(r, own.version): own for space in spaces for r, own in enumerate(space.by_rail(count))}
    for rail, pool, network, said in links.pools:
        own = made.get((rail, network.version))
        if own is not None and own != network:
            why = f"rail {rail} has {own}, in which the links of the hosts follow from their ids"
            yield not_taken(said.at, f"CIDRPool {pool} spec.cidr", network, why)


def _choices(found: Sequence[Prefixed]) -> Iterator[Mapping[str, int]]:
    names = {node: trailing_number(node) for _, node, _, _ in found}
    numbers = {node: number for node, number in names.items() if number}
    if len(numbers) == len(names):
        yield numbers
    bits = {4: 32, 6: 128}
    for length in range((len(names) - 1).bit_length(), _LONGEST):
        places: dict[str, set[int]] = {}
        for _, node, network, _ in found:
            unit = 1 << (bits[network.version] - network.prefixlen)
            places.setdefault(node, set()).add(network.first // unit % (1 << length))
        ids = {node: 1 + next(iter(own)) for node, own in places.items() if len(own) == 1}
        if len(ids) == len(places) and len(set(ids.values())) == len(ids):
            yield ids


def _space(
    rows: Sequence[Prefixed],
    pools: Sequence[PoolRange],
    ids: Mapping[str, int],
    count: int,
    others: Sequence[IPNetwork],
) -> RailSpace | None:
    """``pools``: if any, a rail's part is the range of its pool."""
    seen = {(rail, ids[node] - 1): network for rail, node, network, _ in rows}
    fitting = rail_space([seen], count, others) if len(seen) == len(rows) else None
    version = rows[0][2].version
    ranges = {rail: network for rail, _, network, _ in pools if network.version == version}
    own = [ranges.get(rail) for rail in range(count)]
    if fitting is None or not ranges or own == fitting[1].by_rail(count):
        return fitting[1] if fitting is not None else None
    return _of_ranges([network for network in own if network is not None], seen, count)


def _of_ranges(ranges: Sequence[IPNetwork], seen: Positions, count: int) -> RailSpace | None:
    """The ranges as networks of the rails, where each position has its network in them."""
    prefixes = {network.prefixlen for network in seen.values()}
    inside = len(ranges) == count and len(prefixes) == 1
    if inside and all(nth_subnet(ranges[rail], n.prefixlen, at) == n for (rail, at), n in seen.items()):
        return RailSpace("rail_networks", tuple(ranges), prefixes.pop())
    return None


def stated_ranges(spaces: Sequence[RailSpace], count: int, why: str) -> Mapping[str, Entry]:
    """``spaces``: one for each address family."""
    prefixes = {"prefixes": Entry(flow_list(space.prefix for space in spaces), "length of these networks")}
    if all(space.key == "supernets" for space in spaces):
        supernets = flow_list(str(network) for space in spaces for network in space.networks)
        lengths = Entry(flow_list(space.rail_prefix for space in spaces), "part of a rail in the range")
        return {"supernets": Entry(supernets, why), "rail_prefixes": lengths, **prefixes}
    by_rail = zip(*(map(str, space.by_rail(count)) for space in spaces), strict=True)
    own = flow_list(flow_list(networks) if len(networks) > 1 else networks[0] for networks in by_rail)
    return {"rail_networks": Entry(own, why), **prefixes}
