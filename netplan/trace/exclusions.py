"""Addresses that a pool or range has left after its exclusions, against the pods that need one."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import Any

from netplan.graph.kubernetes.addresses import IpNetwork, address_of, around
from netplan.graph.kubernetes.cluster import Nad
from netplan.model.spans import Span, free, merged
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.rules.kubernetes.whereabouts import range_of
from netplan.trace.model import Fault, Verdict


def pool_blocks(pool: Thing, nodes: int, pods: int) -> Iterator[Fault]:
    """Blocks of an IPPool for nodes: a block excluded as a whole is skipped, in any other block the excluded
    addresses are not assigned (Mellanox/nvidia-k8s-ipam 3ce4a34
    pkg/ipam-controller/allocator/allocator.go, AllocateFromPool and getNextNonExcludedCandidates)."""
    rows = listing(pool.spec.get("exclusions"))
    own = _numbers(pool)
    if not rows and not own:
        return
    excluded = merged(map(_row, rows))
    left = [
        free(block, merged([*excluded, *((block[0] + start, block[0] + end) for start, end in own)]))
        for block in _blocks(pool, excluded, nodes)
    ]
    source = pool.source(("spec", "exclusions" if rows else "perNodeExclusions"))
    said = f"exclusions of IPPool {pool.name} ({source.file}:{source.line}) leave"
    if len(left) < nodes:
        yield Fault(Verdict.LOST, f"{said} blocks for {len(left):,} nodes, {nodes:,} have its labels")
    elif max(left, default=pods) < pods:
        verdict = Verdict.UNPROVED if max(left) else Verdict.LOST  # how many pods run at once, no file states
        yield Fault(verdict, f"{said} {max(left)} addresses of a block, a node may have {pods} pods")
    elif min(left, default=pods) < pods:
        yield Fault(Verdict.UNPROVED, f"{said} {min(left)} addresses of some block, a node has {pods} pods")


def prefix_room(pool: Thing, host: str, nodes: int, pods: int) -> Iterator[Fault]:
    """Addresses that a CIDRPool leaves in a node's prefix: all except network, broadcast and gateway address
    and what is excluded by address or by position in the prefix. A prefix excluded as a whole is skipped.
    Only ``staticAllocations`` tell which node has which prefix (Mellanox/nvidia-k8s-ipam 3ce4a34
    pkg/ipam-node/controllers/cidrpool/cidrpool.go)."""
    stated = next((row for row in _rows(pool, "staticAllocations") if row.get("nodeName") == host), None)
    excluded = merged(map(_row, listing(pool.spec.get("exclusions"))))
    source = pool.source(("spec",))
    said = f"CIDRPool {pool.name} ({source.file}:{source.line}) leaves"
    if stated is not None:
        prefix = around(stated["prefix"])
        gateway = int(address_of(stated["gateway"])) if stated.get("gateway") else None
        left = _left(pool, prefix, gateway, excluded)
        if left < pods:
            yield Fault(Verdict.LOST, f"{said} {left} addresses of {prefix}, {host} has {pods} pods")
        return
    left, prefix = _of_nth(pool, 0, [])
    if left < pods:
        what = f"{left} addresses of the /{prefix.prefixlen} of a node"
        yield Fault(Verdict.LOST, f"{said} {what}, {host} has {pods} pods")
        return
    for number in sorted(_touched(pool, excluded)):
        left, prefix = _of_nth(pool, number, excluded)
        if number < nodes + len(excluded) and 0 < left < pods:
            text = f"{said} {left} addresses of {prefix}; a node may have it, and {host} has {pods} pods"
            yield Fault(Verdict.UNPROVED, text)
            return


def _touched(pool: Thing, excluded: list[Span]) -> set[int]:
    """Indexes of the prefixes in which an excluded span begins or ends."""
    cidr, length = around(pool.spec["cidr"]), int(pool.spec["perNodeNetworkPrefix"])
    inside = (at for span in excluded for at in span if int(cidr[0]) <= at <= int(cidr[-1]))
    return {(at - int(cidr[0])) >> (cidr.max_prefixlen - length) for at in inside}


def _of_nth(pool: Thing, number: int, excluded: list[Span]) -> tuple[int, IpNetwork]:
    cidr, length = around(pool.spec["cidr"]), int(pool.spec["perNodeNetworkPrefix"])
    base = cidr[number << (cidr.max_prefixlen - length)]
    prefix, index = around(f"{base}/{length}"), pool.spec.get("gatewayIndex")
    gateway = int(base) + int(index) if index is not None else None
    return _left(pool, prefix, gateway, excluded), prefix


def _left(pool: Thing, prefix: IpNetwork, gateway: int | None, excluded: list[Span]) -> int:
    base = int(prefix[0])
    own = ((base + start, base + end) for start, end in _numbers(pool))
    reserved = [(gateway, gateway)] if gateway is not None else []
    return free(usable(prefix), merged([*excluded, *own, *reserved]))


def usable(net: IpNetwork) -> Span:
    """The first and the last address that an interface may have: of two both, of more not the first, of IPv4
    not the last (RFC 3021, RFC 4291 2.6.1)."""
    ends = net.prefixlen < net.max_prefixlen - 1
    return int(net[0]) + ends, int(net[-1]) - (ends and net.version == 4)


def _numbers(pool: Thing) -> list[Span]:
    """Exclusions that apply to the block or prefix of every node, as offsets from its first address."""
    return [(int(row["startIndex"]), int(row["endIndex"])) for row in _rows(pool, "perNodeExclusions")]


def _rows(pool: Thing, key: str) -> list[dict[str, Any]]:
    return [mapping(row) for row in listing(pool.spec.get(key))]


def _row(row: Any) -> Span:
    stated = mapping(row)
    return int(ip_address(stated["startIP"])), int(ip_address(stated["endIP"]))


def _blocks(pool: Thing, excluded: list[Span], nodes: int) -> Iterator[Span]:
    """At most ``nodes`` blocks, in the order in which nodes get them. Blocks excluded as a whole are skipped;
    the next one still begins at a multiple of the block size (getNextNonExcludedCandidates)."""
    subnet = ip_network(pool.spec["subnet"], strict=False)
    size = int(pool.spec.get("perNodeBlockSize", 1))
    (at, last), count = usable(subnet), 0
    while at + size - 1 <= last and count < nodes:
        around = next((e for e in excluded if e[0] <= at and at + size - 1 <= e[1]), None)
        if around is not None:
            at += (around[1] + 1 - at) // size * size
            continue
        yield at, at + size - 1
        at, count = at + size, count + 1


def range_left(network: Nad, pods: int) -> Iterator[Fault]:
    """Addresses that whereabouts has left: it excludes networks from its range
    (k8snetworkplumbingwg/whereabouts doc/extended-configuration.md, exclude)."""
    for at, ipam in network.ipams:
        for row in (ipam, *(mapping(each) for each in listing(ipam.get("ipRanges")))):
            out = [around(each) for each in listing(row.get("exclude"))]
            if ipam.get("type") != "whereabouts" or not out or not isinstance(row.get("range"), str):
                continue
            whole = range_of(row["range"], row)
            spans = merged((int(net[0]), int(net[-1])) for net in out if net.version == whole.net.version)
            left = free((whole.low, whole.high), spans)
            if left < pods:
                source = network.thing.source((*at, "exclude"))
                text = f"exclude of {network.name} ({source.file}:{source.line}) leaves {left} addresses"
                yield Fault(Verdict.LOST, f"{text} of {row['range']} for {pods} pods")
