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
from netplan.model.kubernetes import Attachment
from netplan.model.routes import IpamRoute, Routing
from netplan.model.values import nth_address, nth_subnet, size, usable
from netplan.model.workloads import PodNic, RailRoutes
from netplan.plan.pod_stability import stays
from netplan.plan.pools import reachable

RAIL_TABLE_BASE = 700
"""Table and rule priority of rail r are 700 + r.

Outside the ranges of sbr (100 up), spiderpool (100 up, 500) and DRANET (100 up, 1000 to 1999); busybox's ip
accepts no table above 1023.
"""

SBR_TABLE_BASE = 100
"""sbr takes the first table id from here on that no rule uses (containernetworking/plugins, sbr/main.go)."""

_ANYWHERE = {4: IPNetwork("0.0.0.0/0"), 6: IPNetwork("::/0")}


def plan_routes(fabric: Fabric, addresses: AddressPlan, nics: Iterable[PodNic]) -> tuple[RailRoutes, ...]:
    """Routes of every addressed rail interface, in the order of the interfaces."""
    sbr_tables = count(SBR_TABLE_BASE)
    return tuple(
        routes
        for nic in nics
        if nic.attachment.addressed and nic.attachment.segment is not None
        for subnet in nic.attachment.segment.subnets
        for routes in _rail_routes(fabric, addresses, nic, subnet, sbr_tables)
    )


def table_routes(
    fabric: Fabric, addresses: AddressPlan, segment: Segment, rail: int, subnet: SegmentSubnet
) -> Iterator[IpamRoute]:
    """All routes of a rail's table, and the rail's routes in table main, as data for IPAM or a claim."""
    if fabric.rails is None:
        return
    table, gateway = RAIL_TABLE_BASE + rail, subnet.gateway
    yield IpamRoute(to=subnet.network, gateway=None, table=table)
    if gateway is None:
        return
    beyond = (*_via(fabric, addresses, segment, subnet), _ANYWHERE[subnet.network.version])
    yield from (IpamRoute(to=n, gateway=gateway, table=table) for n in beyond)
    for network in _main_via(fabric.rails, segment, subnet):
        yield IpamRoute(to=network, gateway=gateway, table=None)


def _rail_routes(
    fabric: Fabric, addresses: AddressPlan, nic: PodNic, subnet: SegmentSubnet, sbr_tables: Iterator[int]
) -> Iterator[RailRoutes]:
    segment, rail, rails = nic.attachment.segment, nic.attachment.rail, fabric.rails
    if segment is None or rail is None or rails is None:
        return
    network = nic.attachment.network
    back_end = network.by_routing
    routed = _routed(rails, segment, subnet)
    beyond = _via(fabric, addresses, segment, subnet) if routed and back_end.routed else ()
    on_link = None if segment.host_prefixes else subnet.network
    via, by_default = (beyond, ()) if back_end.prefixes else ((), beyond)
    priority, source = (RAIL_TABLE_BASE + rail, subnet.network) if back_end.by_prefix else (None, None)
    main_via = _main_via(rails, segment, subnet) if routed and back_end.supernet else ()
    yield RailRoutes(
        interface=nic.interface,
        rail=rail,
        back_end=network.routing,
        tabled=back_end.routed,
        table=_table(back_end, rail, sbr_tables),
        priority=priority,
        source=source,
        subnet=on_link,
        gateway=subnet.gateway,
        gateway_outside=segment.external and subnet.gateway is not None,
        gateway_end=rails.gateway,
        via=via,
        by_default=by_default,
        main_via=main_via,
        default=_default(back_end, routed),
        connected_in_main=back_end.connected,
        probes=_probes(beyond, segment, subnet, rails.gateway),
        announce=_announced_by_script(nic.attachment),
        version=subnet.network.version,
    )


def _default(back_end: Routing, routed: bool) -> str:
    return "none" if back_end.default == "gateway" and not routed else back_end.default


def _announced_by_script(attachment: Attachment) -> bool:
    """Whether our script has to announce the address: host-device does not, and an address that never moves
    needs no announcement."""
    own = attachment.network.by_mode.moves and attachment.ipam is not None
    return own and not stays(attachment)


def _table(back_end: Routing, rail: int, sbr_tables: Iterator[int]) -> int | None:
    if back_end.table == "next":
        return next(sbr_tables)
    return RAIL_TABLE_BASE + rail if back_end.table == "rail" else None


def _routed(rails: Rails, segment: Segment, subnet: SegmentSubnet) -> bool:
    return subnet.gateway is not None or bool(segment.host_prefixes and rails.gateway != "none")


def _via(
    fabric: Fabric, addresses: AddressPlan, segment: Segment, subnet: SegmentSubnet
) -> tuple[IPNetwork, ...]:
    """Prefixes reached through the gateway, in the subnet's address family."""
    return tuple(n for n in reachable(fabric, addresses, segment) if n.version == subnet.network.version)


def _probes(
    via: Iterable[IPNetwork], segment: Segment, subnet: SegmentSubnet, gateway: str
) -> tuple[IPAddress, ...]:
    """One switch address per prefix to probe, without the interface's own gateway. Never an address of a
    pod."""
    links = dict(zip(segment.subnets, segment.host_prefixes, strict=False))
    first = dict.fromkeys(_switch_address(n, links.get(subnet), gateway) for n in via)
    return tuple(a for a in first if a is not None and a != subnet.gateway)


def _switch_address(network: IPNetwork, link: int | None, gateway: str) -> IPAddress | None:
    """First host address of a prefix; if it is cut into routed links of prefix length ``link``, the gateway
    of the first link."""
    part = network if link is None else nth_subnet(network, link, 0)
    if part is None or size(part) <= 2:
        return nth_address(network, 0)  # the switch has the even address of a /31
    return nth_address(part, usable(part)[0 if link is None or gateway == "first" else 1])


def _main_via(rails: Rails, segment: Segment, subnet: SegmentSubnet) -> tuple[IPNetwork, ...]:
    """The rail's whole part, routed in table main for sockets without a source address. Empty if all nodes of
    the rail share one subnet."""
    if rails.segment == "stretched" or segment.rail is None:
        return ()
    parts = [n for n in rails.rail_networks[segment.rail] if n.version == subnet.network.version]
    return tuple(n for n in parts if segment.host_prefixes or n != subnet.network)
