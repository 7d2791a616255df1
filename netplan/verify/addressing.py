"""NP913, NP916: address pools, and the plugin chains that use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

from netplan.verify.cluster import Cluster, Network
from netplan.verify.tree import Finding, Object

SPIDERPOOL = "spiderpool"

CHAIN = ("rdma", "coordinator", "tuning", "sbr")
"""Order of the chained plugins; sbr moves the routes that are there by then (containernetworking/plugins
v1.9.1 plugins/meta/sbr/main.go, doRoutes)."""

IpNetwork = IPv4Network | IPv6Network


def networks(cluster: Cluster) -> tuple[Network, ...]:
    return cluster.each_network


def _from_pools(network: Network) -> Iterator[tuple[str, str]]:
    """(poolType, poolName) of every pool of nv-ipam or Spiderpool a network takes addresses from."""
    for ipam in network.ipams:
        if ipam["type"] == SPIDERPOOL:
            yield from ((SPIDERPOOL, name) for name in ipam["pools"])
        if ipam["type"] == "nv-ipam":
            yield from ((ipam["poolType"], name) for name in ipam["poolName"].split(","))


def pool_subjects(cluster: Cluster) -> list[Network | Object]:
    """Networks on nv-ipam or Spiderpool, and their pools."""
    return [*(n for n in cluster.each_network if any(_from_pools(n))), *cluster.pools.values()]


def pools(cluster: Cluster, subject: Network | Object) -> Iterator[Finding]:
    """nv-ipam and Spiderpool find a pool by its name, and take gateways only from inside the pool.

    **Why.** A pod whose network names a pool that is not there waits for an address for ever; a pool with a
    gateway outside its network is refused by the webhook, or without one hands out a dead gateway.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** Mellanox/nvidia-k8s-ipam README.md, api/v1alpha1/ippool_validate.go, cidrpool_validate.go;
    spidernet-io/spiderpool pkg/ippoolmanager/ippool_validate.go.
    """
    if isinstance(subject, Network):
        for kind, name in _from_pools(subject):
            if (kind, name) not in cluster.pools:
                pool = "SpiderIPPool" if kind == SPIDERPOOL else kind
                message = f"{subject.thing} takes addresses from {pool} {name}, which is not there"
                yield Finding(subject.thing.artifact, message)
        return
    try:
        problems = [message for _, message in _PROBLEMS[subject.kind](subject.spec)]
    except ValueError as error:
        problems = [str(error)]
    for message in problems:
        yield Finding(subject.artifact, f"{subject}: {message}")


PoolProblem = tuple[tuple[str | int, ...], str]
"""Path in the pool, and what is wrong."""


def ip_pool_problems(spec: dict[str, Any]) -> Iterator[PoolProblem]:
    """Of an IPPool's numbers. Raises ValueError for what is no address."""
    subnet = ip_network(str(spec["subnet"]))
    size = subnet.num_addresses - 2 if subnet.num_addresses > 2 else subnet.num_addresses
    block = spec["perNodeBlockSize"]
    if not 1 <= block <= size:
        yield ("spec", "perNodeBlockSize"), f"a block of {block} does not fit into {subnet}, which has {size}"
    if spec.get("gateway") and ip_address(str(spec["gateway"])) not in subnet:
        yield ("spec", "gateway"), f"gateway {spec['gateway']} is outside {subnet}"
    yield from _exclusions(spec, subnet)


def _exclusions(spec: dict[str, Any], net: IpNetwork) -> Iterator[PoolProblem]:
    for index, span in enumerate(spec.get("exclusions") or ()):
        start, end = (ip_address(str(span[key])) for key in ("startIP", "endIP"))
        if start not in net or end not in net:
            yield ("spec", "exclusions", index), f"exclusion {start} to {end} is outside {net}"
        elif int(start) > int(end):
            yield ("spec", "exclusions", index), f"exclusion {start} to {end} runs backwards"


def cidr_pool_problems(spec: dict[str, Any]) -> Iterator[PoolProblem]:
    """Of a CIDRPool's numbers. Raises ValueError for what is no address."""
    cidr, length = ip_network(str(spec["cidr"])), spec["perNodeNetworkPrefix"]
    if not cidr.prefixlen <= length <= cidr.max_prefixlen:
        yield ("spec", "perNodeNetworkPrefix"), f"prefix length {length} does not fit into {cidr}"
        return
    index, size = spec.get("gatewayIndex"), 2 ** (cidr.max_prefixlen - length)
    if index is not None and not (index < size and (index > 0 or size <= 2)):
        yield ("spec", "gatewayIndex"), f"gatewayIndex {index} is no address of a /{length}"
    yield from _exclusions(spec, cidr)
    nodes: set[str] = set()
    prefixes: dict[IpNetwork, str] = {}
    for number, entry in enumerate(spec.get("staticAllocations") or ()):
        at: tuple[str | int, ...] = ("spec", "staticAllocations", number)
        node, prefix = entry.get("nodeName"), ip_network(str(entry["prefix"]))
        if prefix.version != cidr.version or prefix.prefixlen != length or not prefix.subnet_of(cidr):  # type: ignore[arg-type]
            yield (*at, "prefix"), f"prefix {prefix} of {node} is not a /{length} of {cidr}"
        if entry.get("gateway") and ip_address(str(entry["gateway"])) not in prefix:
            yield (*at, "gateway"), f"gateway {entry['gateway']} of {node} is outside {prefix}"
        if node and node in nodes:
            yield (*at, "nodeName"), f"{node} has two prefixes"
        if prefix in prefixes:
            yield (*at, "prefix"), f"prefix {prefix} is that of {prefixes[prefix]} and of {node}"
        nodes.add(node)
        prefixes.setdefault(prefix, node)


def spider_pool_problems(spec: dict[str, Any]) -> Iterator[PoolProblem]:
    """Of a SpiderIPPool's numbers. Raises ValueError for what is no address."""
    subnet = ip_network(str(spec["subnet"]))
    if subnet.version != spec["ipVersion"]:
        yield ("spec", "ipVersion"), f"ipVersion {spec['ipVersion']} is not that of {subnet}"
    gateway = ip_address(str(spec["gateway"])) if "gateway" in spec else None
    if gateway is not None and gateway not in subnet:
        yield ("spec", "gateway"), f"gateway {gateway} is outside {subnet}"
    for index, span in enumerate(spec["ips"]):
        first, _, last = span.partition("-")
        start, end = ip_address(first), ip_address(last or first)
        if start not in subnet or end not in subnet or int(start) > int(end):
            yield ("spec", "ips", index), f"{span} is no range of {subnet}"
        elif gateway is not None and int(start) <= int(gateway) <= int(end):
            yield ("spec", "ips", index), f"gateway {gateway} is in {span}, so a pod would get it"


_PROBLEMS: Mapping[str, Callable[[dict[str, Any]], Iterator[PoolProblem]]] = {
    "IPPool": ip_pool_problems,
    "CIDRPool": cidr_pool_problems,
    "SpiderIPPool": spider_pool_problems,
}


def chains(cluster: Cluster, network: Network) -> Iterator[Finding]:
    """Main plugin, then rdma, coordinator, tuning and sbr; rails route to rails only, by a gateway.

    **Why.** sbr moves the routes it finds into a table of its own: one that comes later stays in table main.
    It makes that table's default route from the gateway of the addresses; without one, traffic to other
    subnets leaves by the pod network. Spiderpool's coordinator takes it from the pool; both in
    one chain undo each other. A default route of a rail in table main takes the pod's other traffic.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** containernetworking/plugins plugins/meta/sbr/main.go; sriov-network-operator api/v1/helper.go.
    """
    types = [p["type"] for p in network.plugins]
    meta = [CHAIN.index(t) if t in CHAIN else -1 for t in types[1:]]
    if types[0] in CHAIN or meta != sorted(set(meta)) or -1 in meta:
        yield Finding(network.thing.artifact, f"{network.thing} chains {', '.join(types)}")
    for destination in _destinations(cluster, network):
        if ip_network(destination, strict=False).prefixlen == 0:
            yield Finding(network.thing.artifact, f"{network.thing} has a default route, {destination}")
    routers = list(dict.fromkeys(t for t in types if t in ("sbr", "coordinator")))
    if len(routers) > 1:
        yield Finding(network.thing.artifact, f"{network.thing} chains both {' and '.join(routers)}")
    for router in routers:
        if not _has_gateway(cluster, network):
            message = f"{network.thing} chains {router} and its addresses have no gateway"
            yield Finding(network.thing.artifact, message)
    if "coordinator" not in types and any(kind == SPIDERPOOL for kind, _ in _from_pools(network)):
        message = (
            f"{network.thing} has no coordinator, so the pool's gateway is a default route in table main"
        )
        yield Finding(network.thing.artifact, message)


def _destinations(cluster: Cluster, network: Network) -> Iterator[str]:
    routes = [route for ipam in network.ipams for route in ipam.get("routes", ())]
    for key in _from_pools(network):
        if key in cluster.pools:
            routes += cluster.pools[key].spec.get("routes", ())
    return (route["dst"] for route in routes if "table" not in route)


def _has_gateway(cluster: Cluster, network: Network) -> bool:
    """Of nv-ipam the pool has it; a pool that is not there is NP913's."""
    named = [cluster.pools.get(key) for key in _from_pools(network)]
    if any(pool is None or "gateway" in pool.spec or "gatewayIndex" in pool.spec for pool in named):
        return True
    return any(_gateways(ipam) for ipam in network.ipams)


def _gateways(ipam: dict[str, Any]) -> bool:
    """A gateway of the addresses; where the pod brings its own address (static), of a route."""
    parts = [ipam, *ipam.get("addresses", ()), *(part for group in ipam.get("ranges", ()) for part in group)]
    return any("gateway" in part for part in parts) or any("gw" in route for route in ipam.get("routes", ()))
