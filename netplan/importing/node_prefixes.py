"""CIDRPools behind ports in VLANs: the prefixes of their nodes are no networks of links there. The VLANs and
subnets are those of the switches, of which nodes have blocks in an inventory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netaddr import IPNetwork

from netplan.importing.cards import Card
from netplan.importing.facts import Of, Remark, Said, Site, not_taken, place
from netplan.importing.networks import NetworkRow, SeenSubnet, pools_of_resources
from netplan.importing.vlans import vlans_of
from netplan.model.values import parse_network

NODE_PREFIX = "node_prefix"
"""Field of a pool: the length of the prefix that each node gets."""
_BLOCKS = (
    "netplan gives nodes blocks of the subnet of their VLAN (block_size), with its prefix length in pods"
)
_FIXED = "netplan fixes no prefix of a node in a VLAN; nv-ipam chooses the blocks"


def is_of_nodes(site: Site, pool: str) -> bool:
    """Whether it gives each node a prefix of its own."""
    return site.said("pool", (pool,), NODE_PREFIX) is not None


def pools_of_nodes(
    site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow]
) -> Iterator[tuple[str, tuple[int, Said]]]:
    """CIDRPools of the rails, which give each node a prefix of its own: pool, rail, and where it says so."""
    pools = pools_of_resources(site)
    by_pool = {pools.get(name, ""): card.rail for card in cards for name in card.resources}
    by_pool |= {pool: part.rail for row in rows for part in row.parts for pool in part.pools}
    for pool, rail in by_pool.items():
        said = site.said("pool", (pool,), NODE_PREFIX)
        if rail is not None and said is not None:
            yield pool, (rail, said)


def in_vlans(
    site: Site, cards: Sequence[Card], rows: Iterable[NetworkRow], pools: Mapping[str, tuple[int, Said]]
) -> bool:
    """Whether ports of the rails are in VLANs, networks of theirs send one, or a VLAN interface has a network
    of the pools. ``pools``: CIDRPools of rails."""
    on_rails = [card for card in cards if card.rail is not None]
    tagged = (part.number("vlan") for row in rows for part in row.parts if part.rail is not None)
    if any(vlans_of(site, on_rails)) or any(tagged):
        return True
    interfaces = [network for *_, network in _interfaces(site)]
    ranges = [network for pool in pools if (network := _range(site, pool)) is not None]
    return any(_touch(one, other) for one in ranges for other in interfaces)


def whole_subnets(
    site: Site, pools: Iterable[SeenSubnet], seen: Sequence[SeenSubnet]
) -> Iterator[SeenSubnet]:
    """Subnets of pools, without the ranges of CIDRPools in or around a subnet that the rail has. ``seen``:
    subnets of VLAN interfaces."""
    for subnet in pools:
        own = (each.network for each in seen if each.rail == subnet.rail)
        if not (is_of_nodes(site, subnet.pool) and any(_touch(subnet.network, each) for each in own)):
            yield subnet


def prefix_remarks(site: Site, pools: Iterable[str]) -> Iterator[Remark]:
    """What no key has of CIDRPools that are no networks of links."""
    for pool in pools:
        said, fixed = (site.said("pool", (pool,), field) for field in (NODE_PREFIX, "fixed"))
        if said is not None:
            network = _range(site, pool)
            text = f"/{said.value}" + (f" of {network}" if network is not None else "")
            told = not_taken(said.at, f"CIDRPool {pool} spec.perNodeNetworkPrefix", text, _BLOCKS)
            yield Remark(told.at, told.text, alike=_BLOCKS, value=pool)
        if fixed is not None:
            yield not_taken(fixed.at, "CIDRPool spec.staticAllocations", pool, _FIXED)


def switched_ports(site: Site, ports: Iterable[Of]) -> Iterator[str]:
    """Those in a VLAN, with its interface on their switch."""
    interfaces: dict[Of, str] = {}
    for of, text, stated, _ in _interfaces(site):
        interfaces.setdefault(of, f", interface {text} ({place(stated.at)})")
    for port in ports:
        for field in ("access", "tagged"):
            said = site.said("port", port, field)
            for vlan in _numbers(said):
                where = f"{' '.join(port)} is in VLAN {vlan} ({place(said.at)})" if said is not None else ""
                yield f"{where}{interfaces.get((port[0], vlan), '')}"


def _numbers(said: Said | None) -> tuple[str, ...]:
    if said is None:
        return ()
    return tuple(map(str, said.value)) if isinstance(said.value, tuple) else (str(said.value),)


def _range(site: Site, pool: str) -> IPNetwork | None:
    network = parse_network(site.text("pool", (pool,), "subnet"))
    return network.cidr if network is not None else None


def _interfaces(site: Site) -> Iterator[tuple[Of, str, Said, IPNetwork]]:
    for of in site.every("svi"):
        for text, said in site.prefixed("svi", of, "address/"):
            if (network := parse_network(text)) is not None:
                yield of, text, said, network.cidr


def _touch(one: IPNetwork, other: IPNetwork) -> bool:
    return one in other or other in one
