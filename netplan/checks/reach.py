"""NP62x: whether the switches carry the traffic that pods are configured for: between leaves, per rail and
address family."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from netplan.checks.once import once
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric, RailRange, Rails, Subnet
from netplan.model.hardware import SwitchLink
from netplan.model.plan import Plan
from netplan.model.values import natural


@once
def _rail_leaves(fabric: Fabric) -> dict[int, set[str]]:
    """Rail -> leaves that its cables end on."""
    found: dict[int, set[str]] = defaultdict(set)
    for link in fabric.host_links:
        hca = link.hca
        if hca.rail is not None and hca.for_pods:
            found[hca.rail].add(link.switch.name)
    return found


def switch_parts(links: Iterable[SwitchLink], names: Iterable[str]) -> dict[str, str]:
    """Switch -> the switch that represents its connected part of the network."""
    parent = {name: name for name in names}

    def top(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for link in links:
        parent[top(link.lower.name)] = top(link.upper.name)
    return {name: top(name) for name in parent}


def _islands(fabric: Fabric, leaves: Iterable[str]) -> list[str]:
    """The given leaves, reduced to one per connected part of the switch network."""
    part = switch_parts(fabric.switch_links, [s.name for s in fabric.switches])
    first: dict[str, str] = {}
    for leaf in sorted(leaves, key=natural):
        first.setdefault(part[leaf], leaf)
    return list(first.values())


def _leaf_count(plan: Plan) -> int:
    leaves = {leaf for found in _rail_leaves(plan.fabric).values() for leaf in found}
    return len(leaves) if len(leaves) > 1 else 0


def _outside(rails: Rails) -> bool:
    """Whether a router outside the inventory routes between the rails' subnets."""
    return rails.external and rails.segment != "host"


def _routed_apart(plan: Plan) -> tuple[list[str], bool]:
    """(leaves without a path between them although their rails should reach each other, or []; whether each
    rail is connected within itself)."""
    fabric, rails = plan.fabric, plan.fabric.rails
    if rails is None or rails.segment == "stretched" or rails.gateway == "none" or _outside(rails):
        return [], True
    by_rail = _rail_leaves(fabric)
    alone = next((apart for leaves in by_rail.values() if len(apart := _islands(fabric, leaves)) > 1), [])
    if fabric.cross_rail == "aligned":
        return alone, not alone
    every = _islands(fabric, {leaf for found in by_rail.values() for leaf in found})
    return every if len(every) > 1 else [], not alone


@check(
    "NP620",
    "leaves without a path between them",
    on=Plan,
    counts=lambda plan: _leaf_count(plan) if plan.fabric.switch_links else 0,
)
def islands(plan: Plan) -> Iterator[Finding]:
    """Rails that should reach each other end on leaves without a link between them in the inventory.

    **Why.** Pods get routes via their gateways to prefixes that the leaf does not know.
    **Fix.** Add the links between the switches, or set `fabric.cross_rail: aligned`.
    **Source.** Arithmetic on the inventory: paths over the links between switches; RFC 1812 section 5.2.7.1
    (what a router without a route answers).
    """
    apart, joined = _routed_apart(plan)
    if apart:
        what = f"no links lead from {apart[0]} to {apart[1]}, but their rails should reach each other"
        hint = "add the switch links, or set fabric.cross_rail: aligned" if joined else "add the switch links"
        yield Finding(("links",), what, hint)


@check(
    "NP625",
    "no links between leaves in the inventory",
    on=Plan,
    counts=lambda plan: 0 if plan.fabric.switch_links else _leaf_count(plan),
    severity=Severity.INFO,
)
def uplinks_elsewhere(plan: Plan) -> Iterator[Finding]:
    """Uplinks, routing and what they carry are neither configured nor checked.

    **Why.** The inventory does not show whether rails on different leaves reach each other.
    **Fix.** Add the spines, the links to them and `underlay`, or route the rails elsewhere.
    **Source.** Arithmetic on the inventory: it states no path between the leaves.
    """
    apart, _ = _routed_apart(plan)
    if apart and not (plan.fabric.underlay is not None and spread_job(plan)):  # NP668 reports such jobs
        what = (
            f"no links are stated between {apart[0]} and {apart[1]}, so routing between them is not planned"
        )
        yield Finding(("links",), what, "add the switch links, or route the prefixes of the rails yourself")


@check("NP621", "stretched rail without a layer 2 path", on=Plan, counts=_leaf_count)
def stretched_apart(plan: Plan) -> Iterator[Finding]:
    """A stretched rail is one VLAN on several leaves; trunks must join them without a loop.

    **Why.** netplan does not configure EVPN or VXLAN, routed uplinks carry no VLAN, and a loop of trunks
    that carry lossless frames deadlocks the fabric.
    **Fix.** Use `rails.segment: leaf` or `host`, or one leaf per rail.
    **Source.** Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.2 (flooded lossless
    frames lock the fabric up); Hu et al., Tagger: Practical PFC Deadlock Prevention, CoNEXT 2017.
    """
    fabric, rails = plan.fabric, plan.fabric.rails
    if rails is None or rails.segment != "stretched":
        return
    for rail, leaves in sorted(_rail_leaves(fabric).items()):
        if len(leaves) > 1:
            names = sorted(leaves, key=natural)
            why = cannot_carry(fabric, names)
            if why:
                what = f"rail {rail} is stretched over {names[0]} and {names[1]}, but {why}"
                yield Finding((*rails.at, "segment"), what, "set rails.segment to leaf or host")


def cannot_carry(fabric: Fabric, leaves: list[str]) -> str:
    apart = _islands(fabric, leaves)
    if len(apart) > 1:
        return f"no links lead from {apart[0]} to {apart[1]}"
    if fabric.underlay is not None:
        return "with an underlay their uplinks are routed"
    pairs = {(k.lower.name, k.upper.name) for k in fabric.switch_links}
    ends = {name for pair in pairs for name in pair}
    if len(fabric.switch_links) >= len(ends):
        return "the trunks between the switches form a loop"
    return ""


def segment_homes(plan: Plan) -> dict[str, set[str]]:
    """Segment -> switches with ports in it."""
    homes: dict[str, set[str]] = defaultdict(set)
    for (switch, _), uses in plan.addresses.port_uses.items():
        for use in uses:
            homes[use.segment.name].add(switch)
    return homes


def _announced_subnets(plan: Plan) -> list[Subnet]:
    """Subnets beside the rails whose gateway is on a leaf; empty unless several leaves have uplinks."""
    mine = [s for s in plan.fabric.subnets if s.gateway is not None and not s.external]
    return mine if len({uplink.link.lower.name for uplink in plan.addresses.uplinks}) > 1 else []


def carried_families(plan: Plan) -> frozenset[int]:
    """IP versions of the prefixes announced over the uplinks. Both, unless uplinks are stated and some switch
    cannot announce the other family."""
    underlay, own = plan.fabric.underlay, any("cross_family" in switch.lacking for switch in plan.switches)
    if underlay is None or not plan.addresses.uplinks or not own:
        return frozenset((4, 6))
    return frozenset((underlay.uplinks.version,))


def spread_job(plan: Plan) -> bool:
    """Whether the hosts of a job have a rail on several leaves, each host on its own routed link."""
    if plan.fabric.rails is None or plan.fabric.rails.segment != "host":
        return False
    leaves: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for link in plan.fabric.host_links:
        if link.hca.rail is not None and link.hca.for_pods:
            leaves[link.host.name].add((link.hca.rail, link.switch.name))
    for w in plan.fabric.workloads:
        if w.nodes > 1 and any(n.per_rail for n in w.networks):
            ends = {end for host in w.hosts for end in leaves[host.name]}
            if len(ends) > len({rail for rail, _ in ends}):
                return True
    return False


def _announced_ranges(plan: Plan, carried: Collection[int]) -> tuple[RailRange, ...]:
    """Ranges of the rails if leaves route them, else (); NP668 reports jobs if no family is carried."""
    rails = plan.fabric.rails
    if rails is None or rails.gateway == "none" or not _leaf_count(plan) or _outside(rails):
        return ()
    if spread_job(plan) and not any(version in carried for version in rails.families):
        return ()
    return rails.ranges


@check(
    "NP622",
    "underlay does not carry the rails' address family",
    on=Plan,
    counts=lambda plan: _leaf_count(plan) + len(_announced_subnets(plan)),
    severity=Severity.WARNING,
)
def family_missing(plan: Plan) -> Iterator[Finding]:
    """BGP over uplinks of one address family announces only prefixes of that family.

    **Why.** The leaf's own hosts reach each other; prefixes of the other family never leave the leaf.
    **Fix.** Use one family for `rails.supernets` (or `rails.rail_networks`), `subnets` and
    `underlay.uplinks`, or `fabric.cross_rail: aligned`.
    **Source.** sonic-net/sonic-buildimage 086b03bd
    dockers/docker-fpm-frr/frr/bgpd/templates/general/instance.conf.j2
    """
    underlay, carried = plan.fabric.underlay, carried_families(plan)
    if underlay is None or len(carried) > 1:
        return
    uplinks = f"uplinks {underlay.uplinks} are IPv{underlay.uplinks.version}"
    for stated in _announced_ranges(plan, carried):
        if stated.network.version != underlay.uplinks.version:
            what = f"{stated.network} of the rails is IPv{stated.network.version}, {uplinks}"
            yield Finding(stated.at, what, "use one address family for both")
    for subnet in _announced_subnets(plan):
        if subnet.cidr.version != underlay.uplinks.version:
            what = f"subnet {subnet.name} is IPv{subnet.cidr.version}, {uplinks}"
            yield Finding((*subnet.at, "cidr"), what, "use one address family for both")


@check(
    "NP623",
    "pods get no routes to the other rails",
    on=Fabric,
    counts=lambda fabric: sum(n.per_rail and n.by_ipam.addresses for n in fabric.networks),
    severity=Severity.WARNING,
)
def no_routes(fabric: Fabric) -> Iterator[Finding]:
    """With `cross_rail: any` and gateways on the rails, only `routing` puts routes to other rails into a pod.

    **Why.** Packets to another rail leave on the pod network or on the other rail's own interface: ping
    works, RDMA does not.
    **Fix.** Set `routing: sbr` (or `script`) for the network, or `fabric.cross_rail: aligned`.
    **Source.** ip-rule(8): without a rule table main decides, by the destination alone; torvalds/linux
    7483d45f drivers/infiniband/core/addr.c, set_addr_netns_by_gid_rcu (RoCE looks the route up in the pod).
    Measured in network namespaces with containernetworking/plugins 1.1.1.
    """
    rails = fabric.rails
    if rails is None or fabric.cross_rail != "any" or rails.gateway == "none" or rails.count < 2:
        return
    for network in fabric.networks:
        if network.per_rail and network.by_ipam.addresses and not network.by_routing.routed:
            what = f"network {network.name} has routing none, but fabric.cross_rail is any"
            alone = "" if rails.segment == "host" else ", or fabric.cross_rail: aligned"  # NP618
            yield Finding(network.at, what, f"set routing: sbr{alone}")


@check(
    "NP624",
    "gateway outside the inventory",
    on=Plan,
    counts=lambda plan: len(plan.addresses.segments) if plan.switches else 0,
    severity=Severity.INFO,
)
def foreign_gateway(plan: Plan) -> Iterator[Finding]:
    """With `gateway_owner: external` no switch of the inventory is configured with the gateway address.

    **Why.** A router must have the address and a route back to the subnet, and nothing netplan writes
    configures it.
    **Fix.** Make sure that a router outside the inventory has the address, then accept the finding.
    **Source.** RFC 1122 section 3.3.1: a host sends what is not on its link to a gateway, which must answer
    there.
    """
    rails = plan.fabric.rails
    if rails is not None and rails.gateway != "none" and _outside(rails):
        what = "the gateways of the rails are left to a router outside the inventory"
        hint = "make sure that the router has the gateway address of each rail and the VLANs reach it"
        yield Finding((*rails.at, "gateway_owner"), what, hint)
    for subnet in plan.fabric.subnets:
        if subnet.gateway is not None and subnet.external:
            what = (
                f"gateway {subnet.gateway} of subnet {subnet.name} is left to a router outside the inventory"
            )
            yield Finding(
                (*subnet.at, "gateway"),
                what,
                "make sure that the router has the address and the VLAN reaches it",
            )
