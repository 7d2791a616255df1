"""Address pools of the segments pods attach to, and the routes that go with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import replace

from netaddr import IPAddress, IPNetwork

from netplan.model.addresses import AddressPlan, Segment
from netplan.model.fabric import Fabric, Network, Rails
from netplan.model.hardware import Host, Labels
from netplan.model.kubernetes import IpamRange, NodePrefix, Pool
from netplan.model.spans import Spans
from netplan.model.values import AddressSpan, usable
from netplan.plan.addresses import reserved
from netplan.plan.devices import Carrier, devices
from netplan.plan.groups import LabelSets
from netplan.records import dataclass

STANDALONE_NAMESPACE = "kube-system"
"""Namespace in which a stand-alone nv-ipam controller looks for pools (nvidia-k8s-ipam
deploy/manifests/controller/deployment.yaml)."""


def pool_names(segment: Segment) -> tuple[str, ...]:
    """Names of a segment's pools, one per subnet; the second (the other address family) gets a version
    suffix."""
    return tuple(
        segment.name if i == 0 else f"{segment.name}-v{s.network.version}"
        for i, s in enumerate(segment.subnets)
    )


def reachable(fabric: Fabric, addresses: AddressPlan, segment: Segment) -> tuple[IPNetwork, ...]:
    """Prefixes a pod on this segment reaches through its gateway.

    That is each rail's whole supernet part; only the pod's own rail with ``cross_rail: aligned``. Where rails
    meet on other subnets of the same leaf group, those subnets are listed too: UCX 1.20.1 and newer compares
    the longest match over all tables (openucx/ucx v1.20.1 src/ucs/sys/netlink.c,
    ucs_netlink_max_netmask_len), so a peer rail's subnet must appear in this table as long as it is connected
    elsewhere in the pod. A subnet beside the rails has the prefixes that it states.
    """
    rails = fabric.rails
    if segment.rail is None:
        return segment.routes
    if rails is None or (all(s.gateway is None for s in segment.subnets) and not segment.host_prefixes):
        return ()
    found = {_place(n): n for n in _of_rails(fabric, rails, addresses, segment)}
    # on a routed host link only its own prefix is on-link; the rest of the rail is behind the gateway
    on_link = set() if segment.host_prefixes else {_place(s.network) for s in segment.subnets}
    return tuple(found[place] for place in sorted(found.keys() - on_link))


def _of_rails(fabric: Fabric, rails: Rails, addresses: AddressPlan, segment: Segment) -> Iterator[IPNetwork]:
    """Each rail's networks; with ``cross_rail: any`` also the subnets of the leaf group."""
    for rail, part in enumerate(rails.rail_networks):
        if fabric.cross_rail != "aligned" or rail == segment.rail:
            yield from part
    if fabric.cross_rail == "any" and not segment.host_prefixes:
        yield from (s.network for near in _near(addresses, segment) for s in near.subnets)


def _place(network: IPNetwork) -> tuple[int, int, int]:
    """Key that identifies and sorts a network; netaddr recomputes its own key for every comparison."""
    return network.version, network.first, network.prefixlen


def _near(addresses: AddressPlan, segment: Segment) -> Iterable[Segment]:
    """Segments on which pods of this segment may also have interfaces."""
    if segment.leaf is None:
        return (s for (_, leaf), s in addresses.rail_segments.items() if leaf is None)
    leaves = {key for group in addresses.groups_of(segment) for key in group.leaves}
    return (addresses.rail_segments[key] for key in leaves if key in addresses.rail_segments)


def ranges(addresses: AddressPlan, segment: Segment) -> tuple[IpamRange, ...]:
    """Ranges for whereabouts and host-local. The gateway is excluded here because whereabouts does not
    reserve it."""
    return tuple(
        IpamRange(
            network=s.network,
            gateway=s.gateway,
            exclude=tuple(
                sorted({*addresses.taken.within(s.network), *([(s.gateway, s.gateway)] if s.gateway else [])})
            ),
        )
        for s in segment.subnets
    )


def plan_pools(
    fabric: Fabric, addresses: AddressPlan, used: Iterable[tuple[Network, Segment, tuple[Carrier, ...]]]
) -> tuple[Pool, ...]:
    """One nv-ipam pool per segment and address family, shared by the networks on it."""
    needs: dict[str, _Need] = {}
    for network, segment, carried in used:
        if network.ipam == "nv-ipam":
            need = needs.setdefault(segment.name, _Need(segment, Counter(), []))
            need.networks.append(network)
            for carrier in carried:
                need.per_node[carrier.host_type.name] += _addresses(fabric, network, segment, carrier)
    operator = fabric.cluster.network_operator
    namespace = operator.namespace if operator else STANDALONE_NAMESPACE
    common = _Common(
        fabric=fabric,
        addresses=addresses,
        namespace=namespace,
        nodes=_NodesOf(fabric, addresses),
        reserved=Spans(reserved(fabric)),
    )
    return tuple(pool for need in needs.values() for pool in _pools(common, need))


@dataclass(frozen=True, slots=True)
class _Need:
    """Combined demand of a segment's networks on its pools; ``per_node``: addresses per node, by host
    type."""

    segment: Segment
    per_node: Counter[str]
    networks: list[Network]

    @property
    def block_size(self) -> int:
        """Addresses per node block: the maximum over host types, plus one for a gateway in the block unless
        every network states its block size. At least 1 where ``vfs`` is missing (NP504)."""
        routed = any(s.gateway is not None for s in self.segment.subnets)
        stated = all(n.block_size is not None for n in self.networks)
        return max(1, max(self.per_node.values()) + int(routed and not stated))

    @property
    def sbr(self) -> bool:
        return any(n.by_routing.installs == "sbr" for n in self.networks)


@dataclass(frozen=True, slots=True)
class _Nodes:
    """Nodes on a segment. ``labels``: one node selector per host type; empty if any type cannot be selected
    by labels."""

    count: int
    labels: tuple[Labels, ...]


class _NodesOf:
    """Nodes of given host types on a segment. Cached: every rail of a leaf group has the same ones."""

    def __init__(self, fabric: Fabric, addresses: AddressPlan) -> None:
        self._fabric, self._addresses = fabric, addresses
        self._labels = LabelSets(h for h in fabric.hosts if h.type.node)
        self._known: dict[Hashable, _Nodes] = {}

    def __call__(self, segment: Segment, types: Collection[str]) -> _Nodes:
        leaves = tuple(group.leaves for group in self._addresses.groups_of(segment))
        key = (segment.leaf is None, leaves, frozenset(types))
        if key not in self._known:
            hosts = segment_hosts(self._fabric, self._addresses, segment, types)
            by_leaf = tuple(labels for _, labels in self._labels.selectors(hosts))
            labels = by_leaf if segment.leaf else type_selectors(hosts)
            self._known[key] = _Nodes(sum(h.count for h in hosts), labels if all(labels) else ())
        return self._known[key]


@dataclass(frozen=True, slots=True)
class _Common:
    """Inputs common to all pools."""

    fabric: Fabric
    addresses: AddressPlan
    namespace: str
    nodes: _NodesOf
    reserved: Spans


def _addresses(fabric: Fabric, network: Network, segment: Segment, carrier: Carrier) -> int:
    """Addresses a network needs on one node: ``block_size`` if stated, else one per device, or one per pod on
    a shared network."""
    if network.block_size is not None:
        return network.block_size
    if network.shared:
        return sum(w.pods_per_node for w in fabric.workloads if network in w.networks) or network.pods_per_hca
    return sum(devices(network, h) for h in carrier.on(segment.rail))


def segment_hosts(
    fabric: Fabric, addresses: AddressPlan, segment: Segment, types: Collection[str]
) -> tuple[Host, ...]:
    """Nodes of the given types on a segment: by cabling where the segment belongs to a leaf, else all of
    them."""
    if segment.leaf is None:
        return tuple(h for h in fabric.hosts if h.type.name in types)
    return tuple(h for g in addresses.groups_of(segment) for h in g.hosts if h.type.name in types)


def _pools(common: _Common, need: _Need) -> Iterable[Pool]:
    fabric, segment = common.fabric, need.segment
    nodes = common.nodes(segment, need.per_node)
    routed_here = need.sbr or segment.rail is None
    routes = reachable(fabric, common.addresses, segment) if routed_here else ()
    for index, (name, subnet) in enumerate(zip(pool_names(segment), segment.subnets, strict=True)):
        network = subnet.network
        pool = Pool(
            name=name,
            namespace=common.namespace,
            segment=segment,
            network=network,
            gateway=subnet.gateway,
            block_size=need.block_size,
            exclusions=_exclusions(common, network, subnet.gateway),
            routes=tuple(n for n in routes if n.version == network.version),
            selectors=nodes.labels,
            nodes=nodes.count,
        )
        yield _cut(pool, common, index) if segment.host_prefixes else pool


def _exclusions(common: _Common, network: IPNetwork, gateway: IPAddress | None) -> tuple[AddressSpan, ...]:
    """Ranges a pool excludes.

    Where addresses are reserved, the gateway is excluded as well: nv-ipam skips a block that is excluded
    entirely, but would give a node a block in which only the gateway and reserved addresses are left
    (Mellanox/nvidia-k8s-ipam 38e18b6, isEntireRangeExcluded).
    """
    found = common.addresses.taken.within(network)
    if gateway is not None and common.reserved.within(network):
        found = tuple(sorted({*found, (gateway, gateway)}))
    return found


def _cut(pool: Pool, common: _Common, index: int) -> Pool:
    """The pool cut into one prefix per node."""
    prefix = pool.segment.host_prefixes[index]
    return replace(
        pool,
        node_prefix=prefix,
        gateway_index=_gateway_index(common.fabric, prefix, pool.network),
        exclusions=common.reserved.within(pool.network),
        static=_static(common.addresses, pool.segment, index),
    )


def type_selectors(hosts: Iterable[Host]) -> tuple[Labels, ...]:
    """Distinct node selectors of the hosts' types."""
    return tuple(dict.fromkeys(h.type.node_selector for h in hosts))


def _gateway_index(fabric: Fabric, prefix: int, network: IPNetwork) -> int:
    """Index of the switch's address in a node's prefix (nv-ipam allows 0 for /31 and /127 only)."""
    sample = IPNetwork(f"{network.ip}/{prefix}")
    first, last = usable(sample)
    return last if fabric.rails is not None and fabric.rails.gateway == "last" and last > 1 else first


def _static(addresses: AddressPlan, segment: Segment, index: int) -> tuple[NodePrefix, ...]:
    """Each node's prefix, derived from its host id, so that it does not depend on the order in which nodes
    join."""
    out = []
    for link in addresses.host_links:
        if link.rail == segment.rail and len(link.switch_addresses) > index:
            switch = link.switch_addresses[index]
            out.append(NodePrefix(node=link.link.host.name, prefix=switch.network, gateway=switch.ip))
    return tuple(sorted(out, key=lambda p: p.prefix.first))
