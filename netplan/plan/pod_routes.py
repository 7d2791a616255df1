"""Policy routing inside a pod, per rail and address family.

A packet with a rail's source address must leave on that rail only, or fail; the pod's default route stays on
the primary interface. RoCE obeys these rules too: the kernel resolves a queue pair's next hop with the GID's
address and device (torvalds/linux drivers/infiniband/core/addr.c).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from netaddr import IPAddress, IPNetwork

from netplan.model.addresses import AddressPlan, Segment, SegmentSubnet
from netplan.model.fabric import Fabric, Rails
from netplan.model.values import nth_address, nth_subnet, size, usable
from netplan.model.workloads import PodNic, RailRoutes
from netplan.plan.pools import reachable

SCRIPT_TABLE_BASE = 700
"""Table and rule priority of rail r are 700 + r.

Free of the ranges of sbr (100 up), spiderpool (100 up, 500) and DRANET (100 up, 1000 to 1999); busybox's ip
takes no table above 1023.
"""

SBR_TABLE_BASE = 100
"""sbr takes the first id from here on that no rule names (containernetworking/plugins, sbr/main.go)."""


def plan_routes(fabric: Fabric, addresses: AddressPlan, nics: Iterable[PodNic]) -> tuple[RailRoutes, ...]:
    """Routes of every rail interface that gets addresses, in the order of the interfaces."""
    sbr_tables = count(SBR_TABLE_BASE)
    return tuple(
        routes
        for nic in nics
        if nic.attachment.ipam is not None
        and nic.attachment.segment is not None
        and nic.attachment.rail is not None
        for subnet in nic.attachment.segment.subnets
        for routes in _rail_routes(fabric, addresses, nic, subnet, sbr_tables)
    )


def _rail_routes(
    fabric: Fabric, addresses: AddressPlan, nic: PodNic, subnet: SegmentSubnet, sbr_tables: Iterator[int]
) -> Iterator[RailRoutes]:
    segment, rail, rails = nic.attachment.segment, nic.attachment.rail, fabric.rails
    if segment is None or rail is None or rails is None:
        return
    per_node = bool(segment.host_prefixes)
    back_end = nic.attachment.network.routing
    scripted, by_sbr = back_end == "script", back_end == "sbr"
    routed = _routed(rails, segment, subnet)
    via = _via(fabric, addresses, segment, subnet) if routed and (scripted or by_sbr) else ()
    yield RailRoutes(
        interface=nic.interface,
        rail=rail,
        back_end=back_end,
        table=SCRIPT_TABLE_BASE + rail if scripted else next(sbr_tables) if by_sbr else None,
        priority=SCRIPT_TABLE_BASE + rail if scripted else None,
        source=subnet.network if scripted else None,
        subnet=None if per_node else subnet.network,
        gateway=subnet.gateway,
        gateway_end=rails.gateway,
        via=via,
        main_via=_main_via(rails, segment, subnet) if routed and scripted else (),
        default="unreachable" if scripted else "gateway" if by_sbr and routed else "none",
        connected_in_main=not by_sbr,
        probes=_probes(via, segment, subnet, rails.gateway),
        announce=nic.attachment.network.mode == "host-device",
        version=subnet.network.version,
    )


def _routed(rails: Rails, segment: Segment, subnet: SegmentSubnet) -> bool:
    return subnet.gateway is not None or bool(segment.host_prefixes and rails.gateway != "none")


def _via(
    fabric: Fabric, addresses: AddressPlan, segment: Segment, subnet: SegmentSubnet
) -> tuple[IPNetwork, ...]:
    """Prefixes through the gateway, of the subnet's address family."""
    return tuple(n for n in reachable(fabric, addresses, segment) if n.version == subnet.network.version)


def _probes(
    via: Iterable[IPNetwork], segment: Segment, subnet: SegmentSubnet, gateway: str
) -> tuple[IPAddress, ...]:
    """A switch's address in each prefix, the interface's own gateway left out; never one that a pod has."""
    links = dict(zip(segment.subnets, segment.host_prefixes, strict=False))
    first = dict.fromkeys(_switch_address(n, links.get(subnet), gateway) for n in via)
    return tuple(a for a in first if a is not None and a != subnet.gateway)


def _switch_address(network: IPNetwork, link: int | None, gateway: str) -> IPAddress | None:
    """The first host of a prefix; where it is cut into routed links of length ``link``, the first gateway."""
    part = network if link is None else nth_subnet(network, link, 0)
    if part is None or size(part) <= 2:
        return nth_address(network, 0)  # of a /31 the switch has the even address
    return nth_address(part, usable(part)[0 if link is None or gateway == "first" else 1])


def _main_via(rails: Rails, segment: Segment, subnet: SegmentSubnet) -> tuple[IPNetwork, ...]:
    """The rail's whole part, for sockets without a source, where its nodes have different subnets."""
    if rails.segment == "stretched" or segment.rail is None:
        return ()
    parts = [n for n in rails.rail_networks[segment.rail] if n.version == subnet.network.version]
    return tuple(n for n in parts if segment.host_prefixes or n != subnet.network)
