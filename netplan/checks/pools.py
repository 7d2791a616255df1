"""NP2xx, second part: IPAM and the size of its pools."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import get_args

from netaddr import IPAddress, IPNetwork

from netplan.checks.pool_blocks import block_count, fullest_block, passes_over
from netplan.checks.pool_devices import block_devices, cables, devices
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path
from netplan.model.addresses import Segment
from netplan.model.fabric import Fabric
from netplan.model.hardware import Host
from netplan.model.ipams import HandsOut
from netplan.model.kubernetes import Attachment, IpamRange, Pool
from netplan.model.plan import Plan
from netplan.model.spans import free, merged
from netplan.model.values import usable

Spans = Iterable[tuple[IPAddress, IPAddress]]


def _pool_count(plan: Plan) -> int:
    return len(plan.kubernetes.pools)


def _with_ipam(plan: Plan, *hands_out: HandsOut) -> list[tuple[Attachment, Segment]]:
    """(attachment, segment) of attachments with an IPAM; of these kinds, or of all if none is given."""
    wanted = hands_out or get_args(HandsOut)
    return [
        (a, a.segment)
        for a in plan.kubernetes.attachments
        if a.ipam is not None and a.segment is not None and a.network.by_ipam.hands_out in wanted
    ]


def _place(segment: Segment) -> Path:
    return ("rails", "prefixes") if segment.rail is not None else ("subnets", segment.name, "cidr")


def _pools(names: list[str]) -> str:
    """``pool rail0 has``, ``pool rail0 and 3 more have``: pools with the same shortage are one finding."""
    return f"pool {names[0]} and {len(names) - 1} more have" if len(names) > 1 else f"pool {names[0]} has"


def _nodes(plan: Plan, attachment: Attachment, segment: Segment) -> list[Host]:
    """Nodes whose pods may use an attachment: by host type, and by cabling if the segment is of one leaf."""
    types = attachment.resource.per_node if attachment.resource is not None else {}
    if segment.leaf is None:
        return [h for h in plan.fabric.hosts if h.type.name in types]
    return [h for g in plan.addresses.groups_of(segment) for h in g.hosts if h.type.name in types]


def _need(plan: Plan, attachment: Attachment, host_type: str) -> int:
    """Maximum addresses that the pods of one node take from an attachment's segment."""
    resource, network = attachment.resource, attachment.network
    if resource is None:
        return 0
    if resource.plugin == "rdma-shared":
        pods = sum(w.pods_per_node for w in plan.fabric.workloads if network in w.networks)
        return pods or network.pods_per_hca
    return resource.per_node[host_type] // max(1, len(resource.rails))


def _free(network: IPNetwork, taken: Spans, hands_out: HandsOut) -> int:
    """Assignable addresses of a range less ``taken``; whereabouts never assigns its first and last one."""
    first, last = usable(network) if hands_out == "node" else (1, int(network.last - network.first) - 1)
    start = int(network.first)
    return free((start + first, start + last), merged((int(a), int(b)) for a, b in taken))


@check("NP207", "pool too small for its nodes", on=Plan, counts=_pool_count)
def too_few_blocks(plan: Plan) -> Iterator[Finding]:
    """nv-ipam divides a pool into one block or prefix per node.

    **Why.** A node beyond the last block gets none, and its pods never start.
    **Fix.** Shorten the prefix, use a smaller `block_size`, or fewer nodes on the segment.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c README.md; pkg/ipam-controller/allocator/allocator.go
    """
    short: dict[tuple[Path, str], list[Pool]] = defaultdict(list)
    for pool in plan.kubernetes.pools:
        if pool.node_prefix is None:
            parts, unit = block_count(pool, passes_over(plan)), f"blocks of {pool.block_size} addresses"
        else:
            parts, unit = 1 << (pool.node_prefix - pool.network.prefixlen), f"prefixes of /{pool.node_prefix}"
        if parts < pool.nodes:
            short[_place(pool.segment), f"{parts} of {pool.nodes} {unit}, one for each node"].append(pool)
    for (at, what), pools in short.items():
        hint = "shorten the prefix, lower block_size, or put fewer nodes on the segment"
        rests = tuple(block_devices(plan, pool) for pool in pools)
        yield Finding(at, f"{_pools([pool.name for pool in pools])} room for {what}", hint, rests)


_RANGES: tuple[HandsOut, ...] = ("range", "node")


@check(
    "NP217",
    "range too small for its pods",
    on=Plan,
    counts=lambda plan: len(_with_ipam(plan, *_RANGES)),
)
def too_few_addresses(plan: Plan) -> Iterator[Finding]:
    """whereabouts and Spiderpool share one range among all nodes, host-local uses the whole range on each
    node; network and broadcast addresses and exclusions are left out.

    **Why.** Once it is used up, further pods wait for an address.
    **Fix.** Shorten the prefix, exclude less, or use fewer VFs.
    **Source.** k8snetworkplumbingwg/whereabouts 3a262bd0 pkg/iphelpers/iphelpers.go; issues 291 and 712
    """
    wanted: Counter[str] = Counter()
    least: Counter[str] = Counter()
    ranges: dict[str, tuple[Segment, tuple[IpamRange, ...], HandsOut]] = {}
    for attachment, segment in _with_ipam(plan, *_RANGES):
        nodes, hands_out = _nodes(plan, attachment, segment), attachment.network.by_ipam.hands_out
        needs = [(h.count, _need(plan, attachment, h.type.name)) for h in nodes]
        if hands_out == "node":
            needs = [(1, max((need for _, need in needs), default=0))]
        wanted[segment.name] += sum(count * need for count, need in needs)
        least[segment.name] += sum(count for count, _ in needs)
        ranges[segment.name] = (segment, attachment.ipam.ranges if attachment.ipam else (), hands_out)
    short: dict[tuple[Path, str], dict[str, frozenset[Path]]] = defaultdict(dict)
    for name, (segment, parts, hands_out) in ranges.items():
        for part in parts:
            left = _free(part.network, part.exclude, hands_out)
            if left < wanted[name]:
                what = f"{left} free addresses, pods need up to {wanted[name]}"
                enough = (cables if left < least[name] else devices)(plan, segment)
                short[_place(segment), what][f"{name} {part.network}"] = enough
    for (at, what), rests in short.items():
        hint = "shorten the prefix or exclude less"
        yield Finding(at, f"{_pools([*rests])} {what}", hint, tuple(rests.values()))


def _more_room(pool: Pool) -> str:
    if pool.node_prefix is not None:
        return "shorten the prefix of a node"
    return "raise block_size" + (
        ", or move the excluded addresses to the end of the subnet" if pool.exclusions else ""
    )


def _room(pool: Pool, skipping: bool) -> tuple[int, str]:
    """(addresses for pods on the node with the fewest, the range they come from)."""
    if pool.node_prefix is not None:
        first, last = usable(IPNetwork(f"{pool.network.ip}/{pool.node_prefix}"))
        return last - first, f"a node's /{pool.node_prefix} beside the gateway"
    block, room = fullest_block(pool, skipping)
    return room, f"block {block} of {pool.block_size} addresses"


@check("NP208", "node with fewer addresses than devices", on=Plan, counts=_pool_count)
def block_too_small(plan: Plan) -> Iterator[Finding]:
    """A node's pods get addresses from the node's own block, which may also hold the gateway and exclusions.

    From release 26.1, the Network Operator skips a block that is excluded as a whole.

    **Why.** Devices without an address cannot be used. Only some nodes are affected, so it looks like a
    broken host.
    **Fix.** Raise `block_size`, shorten `rails.prefixes` with segment host, or exclude less at the start.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c README.md, perNodeBlockSize and gateway
    """
    needs: dict[str, Counter[str]] = defaultdict(Counter)
    for attachment, segment in _with_ipam(plan, "block"):
        for name in {h.type.name for h in _nodes(plan, attachment, segment)}:
            needs[segment.name][name] += _need(plan, attachment, name)
    short: dict[tuple[Path, str, str], list[Pool]] = defaultdict(list)
    for pool in plan.kubernetes.pools:
        need = max(needs[pool.segment.name].values(), default=0)
        has, where = _room(pool, passes_over(plan))
        if has < need:
            what = f"{has} of the {need} addresses a node needs in {where}"
            short[_place(pool.segment), what, _more_room(pool)].append(pool)
    for (at, what, hint), pools in short.items():
        rests = tuple(
            (devices if _room(pool, passes_over(plan))[0] > 0 else cables)(plan, pool.segment)
            for pool in pools
        )
        yield Finding(at, f"{_pools([pool.name for pool in pools])} {what}", hint, rests)


@check(
    "NP209", "host-local on more than one node", on=Plan, counts=lambda plan: len(_with_ipam(plan, "node"))
)
def host_local_shared(plan: Plan) -> Iterator[Finding]:
    """host-local keeps its leases in files on the node and knows nothing of other nodes.

    **Why.** Every node hands out the same addresses, starting with the first: duplicate addresses on the
    segment.
    **Fix.** Use nv-ipam or whereabouts.
    **Source.** k8snetworkplumbingwg/multus-cni issues 640 and 1150
    """
    seen: set[str] = set()
    for attachment, segment in _with_ipam(plan, "node"):
        network, count = attachment.network, sum(h.count for h in _nodes(plan, attachment, segment))
        if count > 1 and not segment.host_prefixes and network.name not in seen:
            seen.add(network.name)
            what = f"network {network.name} has ipam host-local on segment {segment.name} with {count} nodes"
            yield Finding((*network.at, "ipam"), what, "use ipam nv-ipam or whereabouts")


@check("NP210", "two IPAM plugins on one segment", on=Plan, counts=lambda plan: len(_with_ipam(plan)))
def two_ipams(plan: Plan) -> Iterator[Finding]:
    """Each IPAM plugin keeps its own record of the addresses it has handed out.

    **Why.** Both hand out the same addresses.
    **Fix.** Use one IPAM for all networks of the segment, or give each IPAM a subnet of its own.
    **Source.** cni.dev, IPAM plugins: state is the plugin's own
    """
    first: dict[str, Attachment] = {}
    seen: set[tuple[str, str]] = set()
    for attachment, segment in _with_ipam(plan):
        mine, theirs = attachment.network, first.setdefault(segment.name, attachment).network
        if mine.ipam != theirs.ipam and (mine.name, theirs.name) not in seen:
            seen.add((mine.name, theirs.name))
            what = (
                f"{mine.name} has ipam {mine.ipam} and {theirs.name} {theirs.ipam} on segment {segment.name}"
            )
            yield Finding((*mine.at, "ipam"), what, "give both networks the same ipam")


@check(
    "NP211",
    "IPAM cannot serve a subnet per node",
    on=Plan,
    counts=lambda plan: sum(bool(s.host_prefixes) for s in plan.addresses.segments),
)
def ipam_of_routed_hosts(plan: Plan) -> Iterator[Finding]:
    """With `segment: host` every node has its own link subnet of at least two addresses, from a pool that
    knows nodes.

    **Why.** Other IPAMs hand out addresses of the whole rail, which the leaf does not route to this node.
    **Fix.** Use nv-ipam, whose CIDRPool has a prefix per node.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c README.md, CIDRPool; containernetworking/plugins 3d27709f
    plugins/ipam/host-local
    """
    routed = _with_ipam(plan, "range", "node", "stated")
    for network in {a.network.name: a.network for a, segment in routed if segment.host_prefixes}.values():
        what = f"network {network.name} has ipam {network.ipam}, the rails have a subnet per host"
        yield Finding((*network.at, "ipam"), what, "use ipam nv-ipam")


@check(
    "NP218",
    "host link without room for both ends",
    on=Fabric,
    counts=lambda fabric: len(fabric.rails.families) if fabric.rails else 0,
)
def link_subnet_too_small(fabric: Fabric) -> Iterator[Finding]:
    """With `segment: host` every link is a subnet with one address for the leaf and one for the host.

    **Why.** In a subnet of one address both ends would have the same one.
    **Fix.** Use /31 or shorter; with IPv6, /127 or shorter.
    **Source.** RFC 3021, RFC 6164
    """
    rails = fabric.rails
    if rails is None or rails.segment != "host":
        return
    for index, (version, prefix) in enumerate(zip(rails.families, rails.prefixes, strict=True)):
        longest = 31 if version == 4 else 127
        if prefix > longest:
            what = f"a link subnet of /{prefix} has one address, but leaf and host need two"
            yield Finding((*rails.at, "prefixes", index), what, f"use /{longest} or shorter")


@check("NP219", "IPAM without a subnet", on=Fabric, counts=lambda fabric: len(fabric.networks))
def ipam_without_subnet(fabric: Fabric) -> Iterator[Finding]:
    """A network's addresses are those of the rails it is on, or of the subnet it names.

    **Why.** There is nothing to hand out, so pods would start without an address on the interface.
    **Fix.** State `for_each: rails` or `subnet`, and `rails.supernets` or `rails.rail_networks`; or set
    `ipam: none`.
    **Source.** netplan's own rule: a network's addresses are those of its rails or of its subnet.
    """
    # prefixes without a range are NP204, and a range that fits no rail has a finding of its own
    addressed = fabric.rails is not None and bool(fabric.rails.prefixes)
    for network in fabric.networks:
        numbered = addressed if network.per_rail else network.subnet is not None
        if network.by_ipam.addresses and not numbered:
            missing = "the rails have no supernets" if network.per_rail else "it is on no rail or subnet"
            what = f"network {network.name} has ipam {network.ipam}, but {missing}"
            yield Finding((*network.at, "ipam"), what, "state its addresses, or set ipam: none")
