"""Address pools of the segments pods attach to, and the routes that go with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from netaddr import IPAddress, IPNetwork

from netplan.model.addresses import AddressPlan, Segment
from netplan.model.fabric import Fabric, Host, Labels, Network
from netplan.model.kubernetes import IpamRange, NodePrefix, Pool
from netplan.model.values import usable
from netplan.plan.devices import SHARED_MODES, Carrier, devices
from netplan.plan.groups import LabelSets

STANDALONE_NAMESPACE = "kube-system"
"""Where a stand-alone nv-ipam controller looks for pools (nvidia-k8s-ipam
deploy/manifests/controller/deployment.yaml)."""


def pool_names(segment: Segment) -> tuple[str, ...]:
    """One pool per subnet; the second one (the other address family) has its own suffix."""
    return tuple(
        segment.name if i == 0 else f"{segment.name}-v{s.network.version}"
        for i, s in enumerate(segment.subnets)
    )


def reachable(fabric: Fabric, addresses: AddressPlan, segment: Segment) -> tuple[IPNetwork, ...]:
    """Prefixes a pod on this segment reaches through its gateway.

    Every rail's whole part (only the own rail's when rails stay aligned), and where rails meet on other
    subnets of the same leaf group also those exactly: UCX 1.20.1 and newer compares the longest match over
    all tables, so a peer rail's subnet must appear in this table as long as it is connected elsewhere in the
    pod (facts, pod-routing 1.5).
    """
    rails = fabric.rails
    if (
        rails is None
        or segment.rail is None
        or (all(s.gateway is None for s in segment.subnets) and not segment.host_prefixes)
    ):
        return ()
    wanted = [segment.rail] if fabric.cross_rail == "aligned" else list(range(len(rails.rail_networks)))
    found = {n for rail in wanted for n in rails.rail_networks[rail]}
    if fabric.cross_rail == "any":
        for group in addresses.groups:
            if (segment.rail, segment.leaf) in group.leaves:
                near = set(group.leaves)
                found |= {
                    s.network for g in addresses.segments if (g.rail, g.leaf) in near for s in g.subnets
                }
    # a routed host link has only its own prefix on the link; the rest of the rail is behind the gateway
    on_link = set() if segment.host_prefixes else {s.network for s in segment.subnets}
    return tuple(sorted(found - on_link, key=lambda n: (n.version, n.first, n.prefixlen)))


Span = tuple[IPAddress, IPAddress]
"""First and last address."""


def taken(fabric: Fabric) -> tuple[Span, ...]:
    """Addresses no pool may hand out, wherever they are: what subnets exclude and what hosts have."""
    spans = {span for s in fabric.subnets for span in s.exclude}
    stated = (own.address for host in fabric.hosts for own in host.hcas.values())
    return tuple(sorted(spans | {(a.ip, a.ip) for a in stated if a is not None}))


def within(spans: Iterable[Span], network: IPNetwork) -> tuple[Span, ...]:
    return tuple(span for span in spans if span[0] in network)


def ranges(fabric: Fabric, segment: Segment) -> tuple[IpamRange, ...]:
    """Ranges for whereabouts and host-local; whereabouts does not reserve the gateway, so it is excluded
    here."""
    spans = taken(fabric)
    return tuple(
        IpamRange(
            network=s.network,
            gateway=s.gateway,
            exclude=tuple(
                sorted({*within(spans, s.network), *([(s.gateway, s.gateway)] if s.gateway else [])})
            ),
        )
        for s in segment.subnets
    )


def plan_pools(
    fabric: Fabric, addresses: AddressPlan, used: Iterable[tuple[Network, Segment, tuple[Carrier, ...]]]
) -> tuple[Pool, ...]:
    """One nv-ipam pool per segment and address family, shared by the networks on it."""
    by_segment: dict[str, tuple[Segment, int, set[str]]] = {}
    for network, segment, carried in used:
        if network.ipam != "nv-ipam":
            continue
        size = network.block_size or block_size(fabric, network, segment, carried)
        known = by_segment.get(segment.name, (segment, 0, set[str]()))
        types = known[2] | {c.host_type.name for c in carried}
        by_segment[segment.name] = (segment, max(known[1], size), types)
    operator = fabric.cluster.network_operator
    namespace = operator.namespace if operator else STANDALONE_NAMESPACE
    common = _Common(
        fabric, addresses, namespace, LabelSets(h for h in fabric.hosts if h.type.node), taken(fabric)
    )
    return tuple(
        pool for segment, size, types in by_segment.values() for pool in _pools(common, segment, size, types)
    )


@dataclass(frozen=True, slots=True)
class _Common:
    """What every pool is planned from."""

    fabric: Fabric
    addresses: AddressPlan
    namespace: str
    labels: LabelSets
    taken: tuple[Span, ...]


def block_size(fabric: Fabric, network: Network, segment: Segment, carried: tuple[Carrier, ...]) -> int:
    """Addresses one node needs: its devices, or the pods that share them, and one for the gateway its block
    may hold."""
    if network.mode in SHARED_MODES:
        need = sum(w.pods_per_node for w in fabric.workloads if network in w.networks) or network.share_max
    else:
        need = max(sum(devices(network, h) for h in c.on(segment.rail)) for c in carried)
    return need + int(any(s.gateway is not None for s in segment.subnets))


def segment_hosts(
    fabric: Fabric, addresses: AddressPlan, segment: Segment, types: set[str]
) -> tuple[Host, ...]:
    """Nodes of the given types that are on a segment: by their cables where rails end on leaves, else all."""
    if segment.leaf is None:
        return tuple(h for h in fabric.hosts if h.type.name in types)
    return tuple(
        h
        for group in addresses.groups
        if (segment.rail, segment.leaf) in group.leaves
        for h in group.hosts
        if h.type.name in types
    )


def _pools(common: _Common, segment: Segment, size: int, types: set[str]) -> Iterable[Pool]:
    fabric = common.fabric
    hosts = segment_hosts(fabric, common.addresses, segment, types)
    by_leaf = (
        tuple(labels for _, labels in common.labels.selectors(hosts))
        if segment.leaf
        else type_selectors(hosts)
    )
    for index, (name, subnet) in enumerate(zip(pool_names(segment), segment.subnets, strict=True)):
        routed = bool(segment.host_prefixes)
        yield Pool(
            name=name,
            namespace=common.namespace,
            segment=segment,
            network=subnet.network,
            gateway=subnet.gateway,
            block_size=size,
            node_prefix=segment.host_prefixes[index] if routed else None,
            gateway_index=_gateway_index(fabric, segment.host_prefixes[index], subnet.network)
            if routed
            else None,
            exclusions=() if routed else within(common.taken, subnet.network),
            static=_static(common.addresses, segment, index) if routed else (),
            selectors=() if any(not labels for labels in by_leaf) else by_leaf,
            nodes=sum(h.count for h in hosts),
        )


def type_selectors(hosts: Iterable[Host]) -> tuple[Labels, ...]:
    """Labels of the hosts' types."""
    return tuple(dict.fromkeys(h.type.node_selector for h in hosts))


def _gateway_index(fabric: Fabric, prefix: int, network: IPNetwork) -> int:
    """Index of the switch's address in a node's prefix (nv-ipam: 0 is allowed for /31 and /127 only)."""
    sample = IPNetwork(f"{network.ip}/{prefix}")
    first, last = usable(sample)
    return last if fabric.rails is not None and fabric.rails.gateway == "last" and last > 1 else first


def _static(addresses: AddressPlan, segment: Segment, index: int) -> tuple[NodePrefix, ...]:
    """The part of every node by its id, so that no node's part depends on the order nodes join in."""
    out = []
    for link in addresses.host_links:
        if link.rail == segment.rail and len(link.switch_addresses) > index:
            switch = link.switch_addresses[index]
            out.append(NodePrefix(node=link.link.host.name, prefix=switch.network, gateway=switch.ip))
    return tuple(sorted(out, key=lambda p: p.prefix.first))
