"""Problems with the numbers of an address pool, by its kind; for NP778."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from netplan.graph.kubernetes.addresses import IpAddress, IpNetwork, address_of, around, network_of

PoolProblem = tuple[tuple[str | int, ...], str]
"""Path in the pool, and what is wrong."""


def ip_pool_problems(spec: dict[str, Any]) -> Iterator[PoolProblem]:
    """Problems of an IPPool. Raises ValueError if an address is invalid. Host bits in the subnet are
    masked off (Mellanox/nvidia-k8s-ipam 3ce4a34 api/v1alpha1/ippool_validate.go: net.ParseCIDR)."""
    subnet = around(spec["subnet"])
    size = _hosts(subnet)
    block = spec["perNodeBlockSize"]
    if not 1 <= block <= size:
        yield ("spec", "perNodeBlockSize"), f"a block of {block} does not fit into {subnet}, which has {size}"
    gateway = address_of(spec["gateway"]) if spec.get("gateway") else None
    if gateway is not None and gateway not in subnet:
        yield ("spec", "gateway"), f"gateway {spec['gateway']} is outside {subnet}"
    elif subnet.num_addresses > 2 and gateway == subnet.network_address:
        yield ("spec", "gateway"), f"gateway {spec['gateway']} is the address of {subnet} itself"
    yield from _exclusions(spec, subnet)


def _hosts(net: IpNetwork) -> int:
    """How many addresses hosts can have: IPv6 has no broadcast address (Mellanox/nvidia-k8s-ipam 3ce4a34
    api/v1alpha1/helpers.go, GetPossibleIPCount)."""
    reserved = 2 if net.version == 4 else 1
    return net.num_addresses - reserved if net.num_addresses > 2 else net.num_addresses


def _exclusions(spec: dict[str, Any], net: IpNetwork) -> Iterator[PoolProblem]:
    for index, span in enumerate(spec.get("exclusions") or ()):
        start, end = (address_of(span[key]) for key in ("startIP", "endIP"))
        if start not in net or end not in net:
            yield ("spec", "exclusions", index), f"exclusion {start} to {end} is outside {net}"
        elif int(start) > int(end):
            yield ("spec", "exclusions", index), f"exclusion {start} to {end} runs backwards"


def cidr_pool_problems(spec: dict[str, Any]) -> Iterator[PoolProblem]:
    """Problems of a CIDRPool. Raises ValueError if an address is invalid."""
    cidr, length = network_of(spec["cidr"]), spec["perNodeNetworkPrefix"]
    if not cidr.prefixlen <= length <= cidr.max_prefixlen:
        yield ("spec", "perNodeNetworkPrefix"), f"prefix length {length} does not fit into {cidr}"
        return
    index, size = spec.get("gatewayIndex"), 2 ** (cidr.max_prefixlen - length)
    first, last = (0, size - 1) if size <= 2 else (1, size - (2 if cidr.version == 4 else 1))
    if index is not None and not first <= index <= last:
        yield ("spec", "gatewayIndex"), f"gatewayIndex {index} is not an address of a /{length}"
    yield from _exclusions(spec, cidr)
    yield from _static(spec, cidr, length)


def _other_length(prefixes: list[IpNetwork], length: int) -> int | None:
    """The prefix length common to all of them, if it differs from ``length``; else None."""
    lengths = {prefix.prefixlen for prefix in prefixes}
    return lengths.pop() if len(lengths) == 1 and length not in lengths else None


def _static(spec: dict[str, Any], cidr: IpNetwork, length: int) -> Iterator[PoolProblem]:
    """Problems of prefixes that are statically assigned to nodes by name."""
    stated = [network_of(entry["prefix"]) for entry in spec.get("staticAllocations") or ()]
    if len(stated) > 1 and (other := _other_length(stated, length)):
        found = f"prefix length {length} is not that of the {len(stated)} static prefixes, /{other}"
        yield ("spec", "perNodeNetworkPrefix"), found
        return
    nodes: set[str] = set()
    prefixes: dict[IpNetwork, str] = {}
    for number, (entry, prefix) in enumerate(zip(spec.get("staticAllocations") or (), stated, strict=True)):
        at: tuple[str | int, ...] = ("spec", "staticAllocations", number)
        node = entry.get("nodeName")
        if prefix.version != cidr.version or prefix.prefixlen != length or not prefix.subnet_of(cidr):  # type: ignore[arg-type]
            yield (*at, "prefix"), f"prefix {prefix} of {node} is not a /{length} of {cidr}"
        if entry.get("gateway") and address_of(entry["gateway"]) not in prefix:
            yield (*at, "gateway"), f"gateway {entry['gateway']} of {node} is outside {prefix}"
        if node and node in nodes:
            yield (*at, "nodeName"), f"{node} has two prefixes"
        if prefix in prefixes:
            yield (*at, "prefix"), f"prefix {prefix} is that of {prefixes[prefix]} and of {node}"
        nodes.add(node)
        prefixes.setdefault(prefix, node)


def spider_pool_problems(spec: dict[str, Any]) -> Iterator[PoolProblem]:
    """Problems of a SpiderIPPool. Raises ValueError if an address is invalid. Host bits in the subnet are
    masked off (spidernet-io/spiderpool 09d2681 pkg/ip/cidr.go: net.ParseCIDR); a gateway among the addresses
    is right if it is excluded (a7fbd3b pkg/ippoolmanager/ippool_validate.go, validateIPPoolGateway)."""
    subnet = around(spec["subnet"])
    stated = spec.get("ipVersion")
    if isinstance(stated, str):
        yield ("spec", "ipVersion"), f"ipVersion is {stated!r}, not the number {subnet.version}"
    elif stated not in (None, subnet.version):
        yield ("spec", "ipVersion"), f"ipVersion {stated} is not that of {subnet}"
    gateway = address_of(spec["gateway"]) if spec.get("gateway") is not None else None
    if gateway is not None and gateway not in subnet:
        yield ("spec", "gateway"), f"gateway {gateway} is outside {subnet}"
    kept = any(_holds(_ends(span), gateway) for span in spec.get("excludeIPs") or ())
    for index, span in enumerate(spec.get("ips") or ()):
        start, end = ends = _ends(span)
        if start not in subnet or end not in subnet or int(start) > int(end):
            yield ("spec", "ips", index), f"{span} is not a range of {subnet}"
        elif _holds(ends, gateway) and not kept:
            yield ("spec", "ips", index), f"gateway {gateway} is in {span}, so a pod may get it"


def _ends(span: Any) -> tuple[IpAddress, IpAddress]:
    """The first and last address of `10.0.0.2-10.0.0.9`, or the only one. Raises ValueError."""
    first, _, last = str(span).partition("-")
    return address_of(first), address_of(last or first)


def _holds(ends: tuple[IpAddress, IpAddress], address: IpAddress | None) -> bool:
    return address is not None and int(ends[0]) <= int(address) <= int(ends[1])


PROBLEMS: Mapping[str, Callable[[dict[str, Any]], Iterator[PoolProblem]]] = {
    "IPPool": ip_pool_problems,
    "CIDRPool": cidr_pool_problems,
    "SpiderIPPool": spider_pool_problems,
}
REQUIRED: Mapping[str, tuple[str, ...]] = {
    "IPPool": ("subnet", "perNodeBlockSize"),
    "CIDRPool": ("cidr", "perNodeNetworkPrefix"),
    "SpiderIPPool": ("subnet",),
}
"""Keys that everything else is held against."""
