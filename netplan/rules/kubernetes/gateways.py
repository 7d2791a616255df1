"""Gateways that are pods of the same directory, for NP691 and NP772."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from netplan.graph.kubernetes.addresses import IpAddress, address_of
from netplan.graph.kubernetes.askers import interfaces_on
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph
from netplan.reading.kubernetes.objects import listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.static_addresses import Segment, segment_of, static_addresses


def is_to_a_pod(cluster: ObjectGraph, network: Nad, ipam: dict[str, Any], route: dict[str, Any]) -> bool:
    """Whether the gateway of a route is an address of a pod on the same segment: the pod is a router, and
    the route is meant."""
    held = cluster.once("static addresses of routers", lambda: _held(cluster))
    own = held.get(segment_of(network), ())
    gateways = [*_addresses([route.get("gw") or ""])] or [*_addresses(_stated(ipam))]
    return any(
        address == gateway and cluster.together(network.thing, other.thing)
        for other, address in own
        for gateway in gateways
        if other is not network
    )


def _stated(ipam: dict[str, Any]) -> Iterator[Any]:
    rows = [ipam, *listing(ipam.get("addresses"))]
    rows += [row for group in listing(ipam.get("ranges")) for row in listing(group)]
    return (mapping(row).get("gateway") for row in rows)


def _held(cluster: ObjectGraph) -> dict[Segment, list[tuple[Nad, IpAddress]]]:
    """What networks give with the static IPAM, and what pods ask for."""
    found: dict[Segment, list[tuple[Nad, IpAddress]]] = {}
    for network in cluster.networks:
        if network.plugins:
            asked = (text for each in interfaces_on(cluster, network) for text in each.ips)
            addresses = _addresses((*static_addresses(network), *asked))
            found.setdefault(segment_of(network), []).extend((network, each) for each in addresses)
    return found


def _addresses(texts: Iterable[Any]) -> Iterator[IpAddress]:
    for text in texts:
        if isinstance(text, str) and text and not templated(text):
            try:
                yield address_of(text.partition("/")[0])
            except ValueError:  # NP752, NP762 or NP777 reports it
                continue
