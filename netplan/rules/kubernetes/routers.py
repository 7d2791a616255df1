"""NP749, NP773: source-based routing, by sbr or by Spiderpool's coordinator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.addresses import IpNetwork, around
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph
from netplan.graph.kubernetes.supplies import pools_of, shared_subnet, supplies_of
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.rules.kubernetes.networks import networks
from netplan.rules.kubernetes.registry import ObjectFinding, rule

_ROUTERS = ("sbr", "coordinator")


def _routed(cluster: ObjectGraph) -> list[Nad]:
    return [n for n in cluster.networks if {*_ROUTERS} & {*n.types}]


@rule("NP773", "source-based routing without a gateway", on=_routed, severity=Severity.WARNING)
def sbr_gateway(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """sbr takes the default route of its table from the gateway that the IPAM returns, Spiderpool's
    coordinator from that of the pool. Addresses without routes may do without it if the directory has none
    beyond their subnet: nothing is said of a coordinator then; of sbr on several networks of it, a note in
    files of others.

    **Why.** Without one, traffic from the rail's address to other subnets leaves on the pod network and
    is lost; only the rail's own subnet works. host-local makes up a gateway, the others do not.
    **Fix.** State the gateway in the IPAM or in its pool.
    **Source.** containernetworking/plugins 3d27709f plugins/meta/sbr/main.go; spidernet-io/spiderpool
    a7fbd3b2 cmd/coordinator/cmd/command_add.go.
    """
    router = next(kind for kind in network.types if kind in _ROUTERS)
    for at, ipam in network.ipams:
        for pool in pools_of(cluster, network, ipam):
            if pool is not None and not _gateway_of(pool, cluster.whole):
                yield from _of_pool(cluster, network, at, pool, router)
        if _lacks_gateway(ipam, cluster.whole):
            message = f"{router} is chained, but {ipam['type']} states no gateway"
            own = next((s.subnet for s in supplies_of(cluster, network) if s.at == at and s.subnet), None)
            unsure = _is_alone(cluster, own, ipam.get("routes")) and _are_several(cluster, own)
            yield ObjectFinding(network.thing, (*at, "type"), message, 'add "gateway"', unsure=unsure)
    if cluster.whole and not network.ipams:
        message = f"{router} is chained, but there are no addresses"
        yield ObjectFinding(network.thing, (), message, "add an ipam")


def _of_pool(
    cluster: ObjectGraph, network: Nad, at: Path, pool: Thing, router: str
) -> Iterator[ObjectFinding]:
    own = _prefix_of(pool)
    alone = _is_alone(cluster, own, pool.spec.get("routes"))
    if alone and router == "coordinator":
        return
    key = "gatewayIndex" if pool.kind == "CIDRPool" else "gateway"
    message = f"{router} is chained, but {pool} at {pool.source(('spec',))} has no gateway"
    unsure = alone and _are_several(cluster, own)
    yield ObjectFinding(network.thing, (*at, "poolName"), message, f"add {key} to the pool", unsure=unsure)


def _is_alone(cluster: ObjectGraph, own: IpNetwork | None, routes: Any) -> bool:
    """Whether there are no routes, and no pool and no network of the directory has addresses beyond the
    prefix. Spiderpool adds its coordinator to every network unless told otherwise, sbr is there for
    routing."""
    if cluster.whole or own is None or routes:
        return False
    return not any(
        prefix.version == own.version and not prefix.overlaps(own) for prefix in _prefixes(cluster)
    )


def _are_several(cluster: ObjectGraph, own: IpNetwork | None) -> bool:
    """Whether several networks with sbr are in the subnet, whose interfaces it keeps apart in a pod."""
    subnets = (s.subnet for n in _routed(cluster) for s in supplies_of(cluster, n))
    return sum(net is not None and own is not None and shared_subnet(net, own) for net in subnets) > 1


def _prefixes(cluster: ObjectGraph) -> list[IpNetwork]:
    def make() -> list[IpNetwork]:
        of_networks = [s.subnet for network in cluster.networks for s in supplies_of(cluster, network)]
        return [each for each in (*map(_prefix_of, cluster.pools.values()), *of_networks) if each is not None]

    return cluster.once("prefixes of addresses", make)


def _prefix_of(pool: Thing) -> IpNetwork | None:
    try:
        return around(pool.spec.get("subnet") or pool.spec.get("cidr"))
    except ValueError:  # a placeholder, or NP778 reports it
        return None


def _gateway_of(pool: Thing, whole: bool) -> bool:
    """Whether the pool has a gateway. A static allocation with its own counts, except in netplan's own
    pools, where it says nothing about the other nodes."""
    if "gateway" in pool.spec or "gatewayIndex" in pool.spec:
        return True
    entries = () if whole else listing(pool.spec.get("staticAllocations"))
    return any("gateway" in mapping(entry) for entry in entries)


def _lacks_gateway(ipam: dict[str, Any], whole: bool) -> bool:
    """Whether an IPAM that must state a gateway has none; host-local must only in netplan's own files."""
    kind = ipam.get("type")
    stated = kind == "whereabouts" or (kind == "static" and bool(ipam.get("addresses")))
    return (stated or (whole and kind == "host-local")) and not _has_gateway(ipam)


def _has_gateway(ipam: dict[str, Any]) -> bool:
    parts = [ipam, *listing(ipam.get("addresses"))]
    parts += [part for group in listing(ipam.get("ranges")) for part in listing(group)]
    return any(mapping(part).get("gateway") for part in parts) or any(
        mapping(route).get("gw") for route in listing(ipam.get("routes"))
    )


def _spider(cluster: ObjectGraph) -> list[Nad]:
    return [n for n in networks(cluster) if any(i.get("type") == "spiderpool" for _, i in n.ipams)]


@rule("NP749", "two kinds of source-based routing, or none", on=_spider, severity=Severity.WARNING)
def one_router(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """sbr and Spiderpool's coordinator both move the routes of an interface; one of them is enough.

    **Why.** Each moves what the other set up into a table of its own. With neither, in files that netplan
    wrote, the gateway of a pool becomes a default route in table main.
    **Fix.** Leave sbr out of the chain, or write `enableCoordinator: false`.
    **Source.** containernetworking/plugins 3d27709f plugins/meta/sbr/main.go; spidernet-io/spiderpool
    a7fbd3b2 cmd/coordinator/cmd/command_add.go, pkg/ipam/utils.go.
    """
    kinds = {*_ROUTERS} & {*network.types}
    if len(kinds) > 1:
        at = next(at for at, plugin in network.plugins if plugin.get("type") == "sbr")
        yield ObjectFinding(network.thing, at, "it chains both sbr and coordinator", "leave sbr out")
    pools = [p for _, ipam in network.ipams for p in pools_of(cluster, network, ipam)]
    if cluster.whole and not kinds and any(p is not None and "gateway" in p.spec for p in pools):
        message = "it has no coordinator, so the pool's gateway is a default route in table main"
        yield ObjectFinding(network.thing, ("spec", "enableCoordinator"), message, "enable the coordinator")
