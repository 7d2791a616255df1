"""Addresses of the rails that are in use: ``rails.reserved``, so that no pool assigns them again.

A pool that netplan created keeps its name and its allocations; whereabouts keeps allocations in its own
objects, by range. The pool that replaces any other pool would assign addresses a second time that pods
already have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Literal

from netaddr import IPAddress, IPNetwork

from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site, place
from netplan.importing.host_addresses import HostAddress, rail_addresses
from netplan.importing.networks import NetworkRow, SeenSubnet, exclusions_of
from netplan.importing.pool_clashes import pool_clash, pools_of
from netplan.importing.text import Entry, todo
from netplan.importing.virtual_gateways import shared_addresses
from netplan.model.inventory_schema import schema_at
from netplan.model.inventory_text import flow_list
from netplan.model.values import parse_address, parse_network, usable

Span = tuple[int, int]
Row = tuple[int, Span, str, Said]
"""(IP version, first and last, owner, source)."""


def reserved_entry(
    site: Site, rows: Sequence[NetworkRow], seen: Iterable[SeenSubnet], cards: Sequence[Card]
) -> Entry | None:
    """None if nothing is in use. Where no subnet of a rail is known, all addresses of hosts are reserved."""
    on_rails = (row for row in rows if row.rails)
    return pool_clash(site, pools_of(on_rails), "excluded/") or _in_use(site, rows, seen, cards)


def _in_use(
    site: Site, rows: Sequence[NetworkRow], seen: Iterable[SeenSubnet], cards: Sequence[Card]
) -> Entry | None:
    networks = {str(subnet.network): subnet for subnet in seen}
    gateways = {gate for subnet in networks.values() if (gate := parse_address(subnet.gateway)) is not None}
    hosts, stated = _apart(rail_addresses(site, cards))
    own = _of_hosts(hosts, gateways)
    found = [*_excluded(site, rows, gateways | stated), *_of_pods(site, rows, networks, gateways), *own]
    found += _beside_shared(site, gateways)
    inside = [row for row in found if any(_is_in(row, subnet.network) for subnet in networks.values())]
    inside = inside if networks else [_row(each) for each in hosts if not each.of_link]
    spans = _texts([s for version, s, *_ in inside if version == 4], 4)
    spans += _texts([s for version, s, *_ in inside if version == 6], 6)
    return _entry(spans, inside, bool(networks)) if spans else None


def _apart(every: Iterable[HostAddress]) -> tuple[list[HostAddress], set[IPAddress]]:
    """Those that the inventory does not state, and those that it does."""
    hosts = [*every]
    return [each for each in hosts if not each.stated], {each.ip for each in hosts if each.stated}


def _entry(spans: Sequence[str], inside: Sequence[Row], sure: bool) -> Entry:
    """``sure``: the subnets of the rails are known."""
    told = "; ".join(dict.fromkeys(f"{what}, {place(said.at)}" for _, _, what, said in inside[:3]))
    more = f" and {len(inside) - 3} more" if len(inside) > 3 else ""
    most = schema_at("rails", "reserved")["maxItems"]
    if len(spans) > most:
        return todo(f"at most {most:,} ranges; {len(spans):,} are taken", told)
    after = "" if sure else "; remove those that are not in supernets, once you state it"
    return Entry(flow_list(spans), f"{told}{more}{after}")


def _is_in(row: Row, network: IPNetwork) -> bool:
    version, (first, last), *_ = row
    return bool(network.version == version and network.first <= first and last <= network.last)


def _beside_shared(site: Site, gateways: Set[IPAddress]) -> Iterator[Row]:
    """Addresses of VLAN interfaces beside the gateway that they share."""
    for of in site.every("svi"):
        for text, said in site.prefixed("svi", of, "address/") if shared_addresses(site, of) else ():
            ip = parse_address(text.partition("/")[0])
            if ip is not None and ip not in gateways:
                yield ip.version, (int(ip), int(ip)), f"{of[0]} VLAN {of[1]}", said


def _of_hosts(hosts: Iterable[HostAddress], gateways: Set[IPAddress]) -> list[Row]:
    """Without those of gateways, which are told as had twice."""
    return [_row(each) for each in hosts if each.ip not in gateways]


def _excluded(site: Site, rows: Sequence[NetworkRow], gateways: Set[IPAddress]) -> Iterator[Row]:
    """What the rails' pools could assign and never do, without the gateways: reserved is what nothing of the
    inventory has (NP226)."""
    parts = [part for row in rows for part in row.parts if part.rail is not None]
    for pool in dict.fromkeys(pool for part in parts for pool in part.pools):
        apart = {*gateways, *_gateways_of(site, pool)}
        network = parse_network(site.text("pool", (pool,), "subnet"))
        for (first, last), said in exclusions_of(site, pool):
            for span in _without(apart, first.version, *_assignable(network, first, last)):
                yield first.version, span, f"excluded by pool {pool}", said


def _gateways_of(site: Site, pool: str) -> Iterator[IPAddress]:
    """Both, where dumps disagree."""
    said, conflict = site.said("pool", (pool,), "gateway"), site.conflict("pool", (pool,), "gateway")
    for each in (said,) if conflict is None else (conflict.one, conflict.other):
        if each is not None and (address := parse_address(str(each.value))) is not None:
            yield address


def _assignable(network: IPNetwork | None, first: IPAddress, last: IPAddress) -> Span:
    """The span without the network and the broadcast address; one that leaves the network stays as it is."""
    if network is None or first not in network or last not in network:
        return int(first), int(last)
    low, high = usable(network)
    return max(int(first), network.first + low), min(int(last), network.first + high)


def _without(addresses: Iterable[IPAddress], version: int, first: int, last: int) -> Iterator[Span]:
    """The parts of a span between the addresses that are in it."""
    numbers = (int(each) for each in addresses if each.version == version)
    for number in sorted(each for each in numbers if first <= each <= last):
        if first < number:
            yield first, number - 1
        first = number + 1
    if first <= last:
        yield first, last


def _of_pods(
    site: Site, rows: Sequence[NetworkRow], networks: Iterable[str], gateways: Set[IPAddress]
) -> Iterator[Row]:
    kept = _kept(site, rows)
    open_to = [IPNetwork(text) for text in networks if text not in kept]
    for of in site.every("address"):
        ip, said = parse_address(of[0]), site.said("address", of, "pod")
        conflict = site.conflict("address", of, "pod")
        said = said or (conflict.one if conflict else None)
        if ip is None or said is None or ip in gateways:
            continue  # one with the address of a gateway is told as a second owner
        if any(ip in network for network in open_to):
            yield ip.version, (int(ip), int(ip)), f"pod {said.value}", said


def _kept(site: Site, rows: Sequence[NetworkRow]) -> set[str]:
    """Subnets whose allocations are kept under the same name."""
    parts = [part for row in rows for part in row.parts if part.rail is not None]
    return {
        site.text("pool", (pool,), "subnet")
        for part in parts
        for pool in part.pools
        if part.text("ipam") == "whereabouts" or site.said("pool", (pool,), "ours")
    }


def _row(each: HostAddress) -> Row:
    return each.ip.version, (int(each.ip), int(each.ip)), each.owner, each.said


def _texts(spans: Iterable[Span], version: Literal[4, 6]) -> list[str]:
    """Adjacent spans merged."""
    merged: list[list[int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], last)
        else:
            merged.append([first, last])
    found = []
    for first, last in merged:
        low, high = IPAddress(first, version), IPAddress(last, version)
        found.append(str(low) if low == high else f"{low}-{high}")
    return found
