"""NP677, NP678: subnets of a pod's interfaces, and their gateways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.addresses import IpAddress, IpNetwork, address_of, around
from netplan.graph.kubernetes.askers import interfaces_on
from netplan.graph.kubernetes.attachments import PodInterface, attachments_of
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph, Pod
from netplan.graph.kubernetes.producers import in_user_space
from netplan.graph.kubernetes.selections import annotation_at
from netplan.graph.kubernetes.supplies import Supply, shared_subnet, supplies_of
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.rules.kubernetes.registry import ObjectFinding, rule

_MOVERS = frozenset({"sbr", "coordinator", "vrf", "route-override"})
"""Chained plugins that move an interface's routes out of table main, or change them."""
_OF_THE_KERNEL = frozenset({"sriov", "host-device", "macvlan", "ipvlan", "ib-sriov", "ipoib"})
"""Main plugins whose interface has its addresses in the kernel and a link of its own."""
_ATTACHMENTS_MAX = 64
"""Limit on interfaces of one pod that are compared with each other."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two interfaces of a pod with addresses in one subnet."""

    first: PodInterface
    second: PodInterface
    subnet: IpNetwork


def _several(cluster: ObjectGraph) -> list[Pod]:
    return [pod for pod in cluster.pods if len(attachments_of(cluster, pod)) > 1]


def _in_one_subnet(cluster: ObjectGraph, pod: Pod) -> Iterator[Pair]:
    found = [(a, a.network) for a in attachments_of(cluster, pod)[:_ATTACHMENTS_MAX]]
    wired = [(a, _subnets(cluster, n)) for a, n in found if n is not None and _in_table_main(cluster, n)]
    for (one, mine), (other, theirs) in combinations(wired, 2):
        if one.interface != other.interface:
            shared = (a for a in mine for b in theirs if shared_subnet(a, b))
            yield from (Pair(one, other, subnet) for subnet in shared)


def _subnets(cluster: ObjectGraph, network: Nad) -> list[IpNetwork]:
    """On-link subnets of a pod's address; of a CIDRPool the node's prefix, since two interfaces of one
    pod then share it."""
    return [s.subnet for s in supplies_of(cluster, network) if s.subnet is not None]


def _in_table_main(cluster: ObjectGraph, network: Nad) -> bool:
    types = network.types
    inside_kernel = bool(types) and types[0] in _OF_THE_KERNEL and not _MOVERS & {*types}
    return inside_kernel and not in_user_space(cluster, network)


def may_route(pod: Pod) -> bool:
    """Whether some container may configure rules and routes."""
    return any(_may_route(c) for _, c in chain(pod.containers(), pod.containers("initContainers")))


def _may_route(container: dict[str, Any]) -> bool:
    security = mapping(container.get("securityContext"))
    added = listing(inside(security, ("capabilities", "add")))
    return security.get("privileged") is True or bool(
        {"NET_ADMIN", "CAP_NET_ADMIN", "ALL"} & {*map(str, added)}
    )


@rule("NP677", "two interfaces of a pod in one subnet", on=_several, severity=Severity.INFO)
def one_subnet(cluster: ObjectGraph, pod: Pod) -> Iterator[ObjectFinding]:
    """Linux sends to a subnet by the first interface that has a route to it, whatever the source address is.

    **Why.** Packets from the second interface's address leave by the first, and with reverse-path
    filtering the replies are dropped. Sockets bound to the device, as with RoCE, are not affected.
    **Fix.** Give each interface a subnet of its own, or chain sbr, which looks routes up by source address.
    **Source.** containernetworking/plugins 3d27709f plugins/meta/sbr/README.md; docs.kernel.org
    networking/ip-sysctl (arp_filter: source-based routing for several interfaces on one subnet).
    """
    pair = None if may_route(pod) else next(_in_one_subnet(cluster, pod), None)
    if pair is None:  # where three share a subnet the cause is one
        return
    first, second = pair.first, pair.second
    if first.network is second.network:
        networks = f"both on {first.network}"
    else:
        networks = f"on {first.network} and {second.network}"
    message = f"{first.interface} and {second.interface} have addresses of {pair.subnet}, {networks}"
    hint = "give each a subnet of its own, or chain sbr"
    yield ObjectFinding(pod.thing, annotation_at(pod), f"{message}, without source-based routing", hint)


def _with_routes(cluster: ObjectGraph) -> list[Nad]:
    """Networks whose addresses come with a gateway or routes; NP778 covers the gateways of pools."""
    found = (n for n in cluster.networks if n.types and n.types[0] != "ptp" and not in_user_space(cluster, n))
    return [n for n in found if any(s.gateway or s.ways for s in supplies_of(cluster, n))]


def _via_outside(network: Nad, supplies: tuple[Supply, ...]) -> Iterator[ObjectFinding]:
    """Routes by a gateway of their own, if all subnets of the interface are known."""
    for route in _unreachable(network, [s.subnet for s in supplies]):
        message = f"gateway {route.gateway} of the route to {route.to} is not in {route.missed}"
        yield ObjectFinding(network.thing, route.at, message, "write a gateway of the range")


@dataclass(frozen=True, slots=True)
class _Unreachable:
    """A route whose gateway is in no subnet of the interface; ``missed``: one of them."""

    at: Path
    to: str
    gateway: IpAddress
    missed: IpNetwork


def _unreachable(network: Nad, stated: Sequence[IpNetwork | None]) -> Iterator[_Unreachable]:
    subnets = [net for net in stated if net is not None and net.prefixlen < net.max_prefixlen]
    if len(subnets) < len(stated):
        return
    for at, ipam in network.ipams:
        rows = [mapping(row) for row in listing(ipam.get("routes"))]
        for index, row in enumerate(rows):
            gateway = _address(row.get("gw"))
            own = None if gateway is None else _missed(gateway, subnets)
            if gateway is not None and own is not None and not any(_leads_to(r, gateway) for r in rows):
                yield _Unreachable((*at, "routes", index, "gw"), str(row.get("dst")), gateway, own)


def _asked_outside(network: Nad, interface: PodInterface) -> Iterator[ObjectFinding]:
    """An address that a pod asks static for, in a subnet without the gateway of a route of the network, in
    each of its definitions."""
    thing = interface.pod.thing
    if interface.network is not network or thing.owned or thing.runs:
        return
    each = [list(_unreachable(d, _asked_subnets(d, interface.ips))) for d in interface.definitions]
    route = each[0][0] if each and all(each) else None
    address = next((text for text in interface.ips if route and _network(text) == route.missed), "")
    if route and address:
        message = (
            f"its address {address} on {network} is not in the subnet of {route.gateway}, the gateway of the "
            f"network's route to {route.to}"
        )
        hint = f"write an address of the subnet of {route.gateway}"
        yield ObjectFinding(thing, interface.at, message, hint)


def _asked_subnets(network: Nad, ips: tuple[str, ...]) -> list[IpNetwork | None]:
    """Subnets of the addresses asked for and of those that the network states itself; one that is not known
    where another IPAM than static has a say."""
    if not all(ipam.get("type") == "static" for _, ipam in network.ipams):
        return [None]
    stated = [mapping(row).get("address") for _, i in network.ipams for row in listing(i.get("addresses"))]
    return [_network(text) for text in (*ips, *stated)]


def _network(text: Any) -> IpNetwork | None:
    try:
        return around(text) if "/" in str(text) and not templated(text) else None
    except ValueError:
        return None


def _missed(gateway: IpAddress, subnets: list[IpNetwork]) -> IpNetwork | None:
    """The first subnet of its family, if it is in none of them; a link-local address is beside any."""
    if gateway.is_link_local:
        return None
    own = [net for net in subnets if net.version == gateway.version]
    return own[0] if own and not any(gateway in net for net in own) else None


def _address(value: Any) -> IpAddress | None:
    """None also for 0.0.0.0, which the kernel takes for no gateway (torvalds/linux net/ipv4/fib_frontend.c,
    rtm_to_fib_config)."""
    try:
        address = None if not isinstance(value, str) or templated(value) else address_of(value)
    except ValueError:
        return None
    return None if address is None or address.is_unspecified else address


def _leads_to(row: dict[str, Any], gateway: IpAddress) -> bool:
    """Whether a route makes the gateway reachable: one to it alone, without another gateway."""
    return not row.get("gw") and str(row.get("dst")) == f"{gateway}/{gateway.max_prefixlen}"


@rule("NP678", "gateway outside its range", on=_with_routes, severity=Severity.WARNING)
def gateway_inside(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """A route's gateway must be on-link: in a subnet in which the interface has an address, or behind a route
    to the gateway itself. Where a pod, or one in the values of a chart, asks static for its address, that one
    counts.

    **Why.** The kernel rejects the route, "network is unreachable", and the pod does not start.
    **Fix.** Use a gateway inside the range, or the range that contains the gateway.
    **Source.** containernetworking/plugins 3d27709f pkg/ipam/ipam_linux.go (ConfigureIface: routes of the
    IPAM result, by the gateway of its address where a route has none); torvalds/linux 3b4ca926
    net/ipv4/fib_semantics.c (fib_check_nh).
    """
    supplies = supplies_of(cluster, network)
    for supply in supplies:
        if supply.pool is None and supply.gateway and supply.subnet and not templated(supply.gateway):
            yield from _gateway_outside(network, supply)
    asked = [each for each in interfaces_on(cluster, network) if each.ips]
    for each in asked:
        yield from _asked_outside(network, each)
    if not asked:  # addresses that a pod asks for may be of another subnet
        yield from _via_outside(network, supplies)


def _gateway_outside(network: Nad, supply: Supply) -> Iterator[ObjectFinding]:
    subnet = supply.subnet
    if subnet is None or subnet.prefixlen == subnet.max_prefixlen or not _used(network, supply):
        return
    gateway = _address(supply.gateway)
    if gateway is not None and _missed(gateway, [subnet]) is not None:
        at = _gateway_at(network, supply)
        message = f"gateway {gateway} is not in {subnet}"
        yield ObjectFinding(network.thing, at, message, "write a gateway of the range")


def _used(network: Nad, supply: Supply) -> bool:
    """Whether some route uses the gateway: one of its family without a gateway of its own, or that of sbr."""
    family = ":" in supply.gateway
    return "sbr" in network.types or any(not way.via and (":" in way.to) is family for way in supply.ways)


def _gateway_at(network: Nad, supply: Supply) -> Path:
    """Path of the ``gateway`` key if it is next to the IPAM's type, else of the IPAM."""
    ipam = next(ipam for at, ipam in network.ipams if at == supply.at)
    return (*supply.at, "gateway") if "gateway" in ipam else supply.at
