"""What else a pool and a site must agree on: blocks for the pods of a node, one namespace, the MTU."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network

from netplan.graph.kubernetes.cluster import NV_IPAM, Nad, ObjectGraph, pool_names
from netplan.graph.kubernetes.node_selection import of_terms
from netplan.model.site import PATH, SiteHost
from netplan.reading.kubernetes.objects import Thing
from netplan.trace.exclusions import pool_blocks, prefix_room, range_left, usable
from netplan.trace.model import Fault, Nic, Verdict
from netplan.trace.site import TracedSite, TraceWorkload


def pool_faults(site: TracedSite, network: Nad, host: SiteHost, pods: int) -> Iterator[Fault]:
    """``pods``: pods of the workload on the host."""
    yield from range_left(network, pods)
    for _, ipam in network.ipams:
        for key in pool_names(network, ipam):
            pool = site.cluster.pools.get(key)
            if pool is not None and pool.kind == "IPPool":
                yield from _blocks(site, pool, host, pods)
            if pool is not None and pool.kind == "CIDRPool":
                yield from prefix_room(pool, host.name, _nodes(site, pool), pods)
            if pool is not None and pool.group == NV_IPAM:
                yield from _namespaces(site.cluster, pool)


def _blocks(site: TracedSite, pool: Thing, host: SiteHost, pods: int) -> Iterator[Fault]:
    """A node has one block of the pool (Mellanox/nvidia-k8s-ipam README.md, perNodeBlockSize)."""
    spec, at = pool.spec, _at(pool, "perNodeBlockSize")
    size = int(spec.get("perNodeBlockSize", 1))
    if size < pods:
        text = f"IPPool {pool.name} has {size} addresses for a node ({at}), {pods} pods run on {host.name}"
        yield Fault(Verdict.LOST, text)
    nodes = _nodes(site, pool)
    first, last = usable(ip_network(spec["subnet"], strict=False))
    blocks = (last - first + 1) // size
    if blocks < nodes:
        text = f"IPPool {pool.name} has blocks for {blocks} nodes ({at}), {nodes} have its labels"
        yield Fault(Verdict.LOST, text)
    else:
        yield from pool_blocks(pool, nodes, pods)


def _nodes(site: TracedSite, pool: Thing) -> int:
    """Number of hosts with the labels that the pool asks for."""
    chosen = of_terms(pool.spec.get("nodeSelector", {}))
    return sum(1 for each in site.hosts.values() if chosen.takes(each.labels))


def _namespaces(cluster: ObjectGraph, pool: Thing) -> Iterator[Fault]:
    """nv-ipam watches one namespace (Mellanox/nvidia-k8s-ipam README.md, --ippools-namespace)."""
    pools = cluster.of(NV_IPAM, "IPPool", "CIDRPool")
    others = [other for other in pools if other.namespace != pool.namespace]
    if others:
        text = f"{pool.kind} {pool.name} is in namespace {pool.namespace} ({_at(pool)}), {others[0].name} in "
        verdict = Verdict.UNPROVED
        yield Fault(verdict, f"{text}{others[0].namespace} ({_at(others[0])}): nv-ipam watches one namespace")


def _at(pool: Thing, *path: str) -> str:
    whole = ("spec", *path) if path else ("metadata", "namespace")
    return f"{pool.file}:{pool.source(whole).line}"


def site_faults(
    site: TracedSite, workload: TraceWorkload, host: SiteHost, nics: list[Nic]
) -> Iterator[Fault]:
    """Where the pod differs from what site.json says about the workload."""
    placed = site.facts.placed.get(workload.name)
    if placed is not None and host.type not in placed:
        text = (
            f"pods of {workload.name} run on {host.name} ({workload.at('spec', 'nodeSelector')}), which is "
        )
        stated = ", ".join(sorted(placed)) or "none"
        yield Fault(Verdict.UNPROVED, f"{text}{host.type}; {PATH} has {stated}")
    mtu = site.facts.mtu
    for nic in nics:
        if mtu is None or nic.rail is None or nic.hca is None or nic.beyond or nic.mtu == mtu:
            continue
        said = f"is {nic.mtu}" if nic.mtu is not None else "is not stated"
        yield Fault(
            Verdict.UNPROVED,
            f"the MTU of {nic.name} {said} ({nic.file}), that of the fabric is {mtu} ({PATH})",
        )
