"""Addresses that exclusions leave of a pool or range, against the pods that need one."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import Any

from netplan.graph.kubernetes.addresses import around
from netplan.graph.kubernetes.cluster import Nad
from netplan.model.spans import Span, free, merged
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.rules.kubernetes.whereabouts import range_of
from netplan.trace.model import Fault, Verdict


def pool_blocks(pool: Thing, nodes: int, pods: int) -> Iterator[Fault]:
    """Blocks of an IPPool that nodes may get: one that is excluded as a whole is passed over, of another one
    the excluded addresses are not given (Mellanox/nvidia-k8s-ipam 3ce4a34
    pkg/ipam-controller/allocator/allocator.go, AllocateFromPool and getNextNonExcludedCandidates)."""
    rows = listing(pool.spec.get("exclusions"))
    if not rows:
        return
    excluded = merged([_row(row) for row in rows])
    left = [free(block, excluded) for block in _blocks(pool, excluded, nodes)]
    source = pool.source(("spec", "exclusions"))
    said = f"exclusions of IPPool {pool.name} ({source.file}:{source.line}) leave"
    if len(left) < nodes:
        yield Fault(Verdict.LOST, f"{said} blocks for {len(left)} nodes, {nodes} have its labels")
    elif max(left, default=pods) < pods:
        yield Fault(Verdict.LOST, f"{said} {max(left)} addresses of a block, a node has {pods} pods")
    elif min(left, default=pods) < pods:
        yield Fault(Verdict.UNPROVED, f"{said} {min(left)} addresses of some block, a node has {pods} pods")


def _row(row: Any) -> Span:
    stated = mapping(row)
    return int(ip_address(stated["startIP"])), int(ip_address(stated["endIP"]))


def _blocks(pool: Thing, excluded: list[Span], nodes: int) -> Iterator[Span]:
    """In the order in which nodes get them, at most so many; past an exclusion they go on at once."""
    subnet = ip_network(pool.spec["subnet"], strict=False)
    size = int(pool.spec.get("perNodeBlockSize", 1))
    last = int(subnet[-1]) - (subnet.version == 4 and subnet.num_addresses > 2)
    at, count = int(subnet[0]) + (subnet.num_addresses > 2), 0
    while at + size - 1 <= last and count < nodes:
        around = next((e for e in excluded if e[0] <= at and at + size - 1 <= e[1]), None)
        if around is not None:
            at = around[1] + 1
            continue
        yield at, at + size - 1
        at, count = at + size, count + 1


def range_left(network: Nad, pods: int) -> Iterator[Fault]:
    """Of whereabouts, which excludes networks from its range (k8snetworkplumbingwg/whereabouts
    doc/extended-configuration.md, exclude)."""
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
