"""What pools state beyond subnet and gateway: routes and exclusions, and which of them are not used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from netaddr import IPNetwork, spanning_cidr

from netplan.importing.facts import Remark, Said, Site, Value, not_taken, place
from netplan.importing.networks import POOLS, FoundNetwork, NetworkRow, pools_of_resources, subnet_of_pool
from netplan.importing.node_prefixes import is_of_nodes, prefix_remarks
from netplan.importing.text import Entry
from netplan.model.inventory_text import flow_list
from netplan.model.values import natural, parse_address, parse_network

_DERIVED = "pods on a rail get routes to the other rails only, by rails.supernets"


_NO_GATEWAY = "a subnet without a gateway has no routes"
_OF_POOL = "an inventory has the routes of a subnet, with its pool"


def pool_entries(site: Site, pool: str) -> Mapping[str, Entry]:
    """``routes`` and ``exclude`` of a subnet that is no rail's. The gateway is excluded anyway."""
    gateway = site.text("pool", (pool,), "gateway")
    routes = dict(site.prefixed("pool", (pool,), "route/"))
    spans = dict(site.prefixed("pool", (pool,), "excluded/"))
    spans.pop(f"{gateway}-{gateway}", None)
    entries: dict[str, Entry] = {}
    if routes and gateway:
        entries["routes"] = Entry(flow_list(list(routes)), place(next(iter(routes.values())).at))
    if spans:
        texts = [low if low == high else f"{low}-{high}" for low, _, high in map(_ends, spans)]
        entries["exclude"] = Entry(flow_list(texts), place(next(iter(spans.values())).at))
    return entries


def _ends(span: str) -> tuple[str, str, str]:
    return span.partition("-")


def _disputed(site: Site) -> set[Value]:
    """Pools of networks about whose pool dumps disagree."""
    found = (site.conflict("network", of, name) for of in site.every("network") for name in POOLS)
    return {said.value for each in found if each is not None for said in (each.one, each.other)}


def pool_remarks(site: Site, rows: Sequence[NetworkRow], routed: bool) -> Iterator[Remark]:
    """Routes that no key takes, pools that no network of the dumps has, and names of pools that are not
    there. ``routed``: the links of the rails have networks."""
    parts = [part for row in rows for part in row.parts]
    of_rails = {*pools_of_resources(site).values()}
    of_rails |= {pool for part in parts if part.rail is not None for pool in part.pools}
    used = of_rails | {part.text("pool") for part in parts} | _disputed(site)
    yield from _vlans(site, rows)
    yield from _absent(site, parts)
    yield from prefix_remarks(site, sorted(map(str, used - of_rails if routed else used), key=natural))
    span = _span(site, of_rails)
    for of in site.every("pool"):
        said = site.said("pool", of, "subnet")
        if of[0] not in used and said is not None:
            yield not_taken(said.at, f"pool {of[0]}", said.value, "no network in the dumps uses it")
        elif of[0] in of_rails:
            yield from _routes(site, of[0], span)
            yield from _exclusions(site, of[0], routed)
        elif not site.text("pool", of, "gateway"):
            what = ("route of a network", _OF_POOL) if said is None else ("route of a pool", _NO_GATEWAY)
            for text, at in site.prefixed("pool", of, "route/"):
                yield not_taken(at.at, what[0], text, what[1])


def absent_pools(site: Site, parts: Iterable[FoundNetwork]) -> Iterator[tuple[str, FoundNetwork, Said]]:
    """Pools of nv-ipam that networks draw on and no dump has, where dumps have others."""
    others = any(site.text("pool", of, "subnet") for of in site.every("pool"))
    for part in parts if others else ():
        for name in POOLS if part.text("ipam") == "nv-ipam" else ():
            said = part.fields.get(name)
            if said is not None and not site.fields("pool", (str(said.value),)):
                yield str(said.value), part, said


def _absent(site: Site, parts: Iterable[FoundNetwork]) -> Iterator[Remark]:
    for pool, part, said in absent_pools(site, parts):
        one_there = any(site.text("pool", (other,), "subnet") for other in part.pools)
        lost = "the network is rendered without it" if one_there else "its subnet is not known"
        why = f"it is in no dump: {lost}"
        yield replace(not_taken(said.at, f"pool of network {'/'.join(part.of)}", pool, why), alike=why)


def _vlans(site: Site, rows: Iterable[NetworkRow]) -> Iterator[Remark]:
    """Those of networks that are on no rail and have no subnet."""
    for row in rows:
        vlan = row.first.fields.get("vlan") if row.first.number("vlan") and not row.rails else None
        if vlan is not None and subnet_of_pool(site, row.first.text("pool")) is None:
            why = "an inventory has the VLAN of a subnet, and no subnet of this network is in the dumps"
            yield not_taken(vlan.at, f"VLAN of network {row.name}", vlan.value, why)


def _exclusions(site: Site, pool: str, routed: bool) -> Iterator[Remark]:
    """Those that ``rails.reserved`` does not take."""
    network = parse_network(site.text("pool", (pool,), "subnet"))
    if site.conflict("pool", (pool,), "subnet") is not None:
        return
    of_nodes = routed and is_of_nodes(site, pool)
    for text, said in site.prefixed("pool", (pool,), "excluded/"):
        ends = [parse_address(end) for end in text.split("-", 1)]
        if of_nodes:
            yield not_taken(
                said.at, "exclusion of a pool", text, "rails with segment: host have no exclusions"
            )
        elif network is None or any(end is None or end not in network.cidr for end in ends):
            yield not_taken(said.at, "exclusion of a pool", text, "not in the subnet of the pool")


def _span(site: Site, pools: Set[str]) -> IPNetwork | None:
    """The smallest range with the subnets of the pools."""
    found = [parse_network(site.text("pool", (pool,), "subnet")) for pool in sorted(pools)]
    networks = [network for network in found if network is not None]
    if len(networks) < 2 or len({network.version for network in networks}) > 1:
        return networks[0] if len(networks) == 1 else None
    return spanning_cidr(networks)


def _routes(site: Site, pool: str, span: IPNetwork | None) -> Iterator[Remark]:
    ours = site.said("pool", (pool,), "ours") is not None
    for text, said in site.prefixed("pool", (pool,), "route/"):
        network = parse_network(text)
        if not ours and (network is None or span is None or network.cidr not in span):
            yield not_taken(said.at, "route of a pool", text, _DERIVED)
