"""Sysctls, kernel modules and resource limits of a node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from netplan.model.addresses import Segment
from netplan.model.carrying import uses
from netplan.model.cluster import Cluster
from netplan.model.fabric import Fabric, Network, Workload
from netplan.model.hardware import HostType
from netplan.model.hosts import HugePages, Memlock, Neighbours, NeighbourTerm, Sysctl
from netplan.model.values import nth_subnet, usable
from netplan.plan.host_ports import HostPort
from netplan.plan.neighbours import gc_thresholds

RESERVE = 1024
"""Neighbour entries kept for everything but the rails: the kernel's default gc_thresh3 for the whole node
(Documentation/networking/ip-sysctl: gc_thresh1/2/3 = 128/512/1024)."""

_ENTRIES = {4: 1, 6: 2}
"""Neighbour entries per neighbour, by IP version; an IPv6 one has a global and a link-local address."""

_FAMILIES = {4: "ipv4", 6: "ipv6"}

MODULES = ("ib_umad", "ib_uverbs", "rdma_ucm", "rdma_cm")
"""Without these modules a device plugin skips the HCA, or the container lacks files in /dev/infiniband
(Mellanox/k8s-rdma-shared-dev-plugin issues 94, 103, 108, 159, 192)."""

RUNTIME_UNITS = {
    "kubernetes": "containerd",
    "eks": "containerd",
    "k3s": "k3s-agent",
    "rke2": "rke2-agent",
}
"""Distribution -> systemd unit whose limits its containers inherit (containerd/cri issue 515; measured in
gardenlinux/gardenlinux pull request 170).
k3s-agent: crusoecloud/crusoe-ml-k3s k3install-worker.sh; rke2-agent: its unit file sets no LimitMEMLOCK
(build.opensuse.org, package rke2-1.29). OpenShift has none: its nodes take no files by hand."""


def plan_sysctl(
    fabric: Fabric,
    host_type: HostType,
    ports: Iterable[HostPort],
    addressed: Mapping[str, frozenset[int]],
    workloads: Sequence[Workload],
    segments: Mapping[int | str, Segment],
) -> Sysctl | None:
    """Sysctls of a host type; None if it needs none. ``addressed``: IP versions by HCA with a host address;
    ``segments``: by rail or by subnet name."""
    sysctl = Sysctl(
        neighbours=tuple(_neighbours(host_type, workloads, segments)),
        addressed=(),
        addressed6=(),
        hugepages=tuple(
            HugePages(workload=w.name, pods=w.pods_per_node, pages_per_pod=-(-w.hugepages_2mi_mib // 2))
            for w in workloads
            if w.hugepages_2mi_mib
        ),
    )
    return on_devices(sysctl, ports, addressed)


def on_devices(
    of_type: Sysctl | None, ports: Iterable[HostPort], addressed: Mapping[str, frozenset[int]]
) -> Sysctl | None:
    """The type's sysctls with the interface names of one host: nothing else differs from host to host."""
    owned = [
        (p.hca.netdev, addressed[p.hca.name])
        for p in ports
        if p.hca.name in addressed and p.hca.for_pods and p.hca.netdev
    ]
    names = tuple(netdev for netdev, _ in owned)
    names6 = tuple(netdev for netdev, versions in owned if 6 in versions)
    if of_type is None:
        return Sysctl(neighbours=(), addressed=names, addressed6=names6, hugepages=()) if names else None
    sysctl = replace(of_type, addressed=names, addressed6=names6)
    return sysctl if sysctl.neighbours or sysctl.addressed or sysctl.hugepages else None


def _neighbours(
    host_type: HostType, workloads: Sequence[Workload], segments: Mapping[int | str, Segment]
) -> Iterable[Neighbours]:
    for version, family in _FAMILIES.items():
        terms = tuple(t for w in workloads for t in _terms(w, host_type, segments, version))
        if terms:
            entries = RESERVE + sum(t.total for t in terms)
            limits = gc_thresholds(entries)
            yield Neighbours(family=family, terms=terms, reserve=RESERVE, thresholds=limits)


def _terms(
    workload: Workload, host_type: HostType, segments: Mapping[int | str, Segment], version: int
) -> Iterable[NeighbourTerm]:
    """Neighbour entries that a workload's pods need.

    A pod's interface can see every other address of its segment, but talks only to its job and the gateway.
    Nothing here depends on the number of hosts, so that a new host changes no other host's file.
    """
    others: Counter[int] = Counter()
    for network in workload.networks:
        for hca in host_type.hcas:
            if network.by_ipam.addresses and uses(network, host_type, hca):
                others.update(_other_addresses(network, hca.rail, segments, version))
    for count, attachments in sorted(others.items()):
        yield NeighbourTerm(
            workload=workload.name,
            pods=workload.pods_per_node,
            attachments=attachments,
            others=count,
            remote=workload.nodes,
            entries=_ENTRIES[version],
        )


def _other_addresses(
    network: Network, rail: int | None, segments: Mapping[int | str, Segment], version: int
) -> Iterable[int]:
    key = network.subnet.name if network.subnet else rail
    segment = segments.get(key) if key is not None else None
    if segment is None:
        return
    prefixes = segment.host_prefixes or tuple(s.network.prefixlen for s in segment.subnets)
    for subnet, prefix in zip(segment.subnets, prefixes, strict=True):
        link = nth_subnet(subnet.network, prefix, 0)
        if link is not None and link.version == version:
            first, last = usable(link)
            yield last - first


def plan_netns_mode(cluster: Cluster) -> int | None:
    """Value of ib_core's ``netns_mode``: 0 for exclusive, None where no file sets it.

    The SR-IOV operator sets it from SriovNetworkPoolConfig.rdmaMode; shared is the kernel's default.
    """
    if cluster.rdma_mode != "exclusive" or cluster.owners.of_vfs.policies:
        return None
    return 0


def plan_modules(fabric: Fabric, host_type: HostType) -> tuple[str, ...]:
    """Modules to load at boot: none on EFA, which has no RDMA connection manager, and none where the driver
    container loads its own."""
    operator = fabric.cluster.network_operator
    by_container = operator is not None and operator.ofed_version is not None
    wanted = any(h.for_pods for h in host_type.hcas) and fabric.type != "efa" and not by_container
    return MODULES if wanted else ()


def plan_memlock(cluster: Cluster) -> Memlock | None:
    if cluster.memlock != "runtime":
        return None
    unit = RUNTIME_UNITS.get(cluster.distribution)
    if unit is None:
        return Memlock(unit=None, reason="its nodes take files through MachineConfig only")
    return Memlock(unit=unit, reason=f"containers inherit the limits of {unit}.service")
