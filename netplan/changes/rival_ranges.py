"""Addresses that pools and the ranges of networks hand out, and which of them two sides share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.addresses import IpNetwork, address_of, around
from netplan.graph.kubernetes.cluster import SPIDERPOOL, Nad, ObjectGraph, pool_names
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.pools import Span, first_shared, span_of, span_without
from netplan.rules.kubernetes.whereabouts import range_of


@dataclass(frozen=True, slots=True)
class Held:
    """Addresses that an object hands out, ``text`` as written. ``pool``: of a network, the object it draws
    from. ``stores``: where allocations are kept; two that have one in common never give the same address."""

    thing: Thing
    at: Path
    text: str
    span: Span
    pool: Thing | None = None
    stores: frozenset[str] = frozenset()


def held_by(cluster: ObjectGraph) -> Iterator[Held]:
    """By pools of nv-ipam and Spiderpool, by networks with a range of their own, and by those that draw from
    one of the pools."""
    pools = {key: held for key, pool in cluster.pools.items() if (held := _of_pool(pool)) is not None}
    yield from pools.values()
    for network in cluster.networks:
        for at, ipam in network.ipams:
            for key in pool_names(network, ipam):
                if (held := pools.get(key)) is not None:
                    yield Held(network.thing, at, held.text, held.span, held.thing)
            yield from _of_network(network, at, ipam)


def _of_pool(pool: Thing) -> Held | None:
    key = "subnet" if pool.spec.get("subnet") else "cidr"
    span = span_of(pool)
    if span is not None and pool.group == SPIDERPOOL:
        span = _of_spiderpool(pool, span)
    return None if span is None else Held(pool, ("spec", key), str(pool.spec.get(key)), span)


def _of_spiderpool(pool: Thing, span: Span) -> Span | None:
    """It hands out what ``ips`` lists (spidernet-io/spiderpool docs/reference/crd-spiderippool.md)."""
    try:
        ends = [str(text).partition("-") for text in listing(pool.spec.get("ips"))]
        free = tuple(sorted((int(address_of(a)), int(address_of(b or a))) for a, _, b in ends))
    except ValueError:
        return None
    return Span(pool, free[0][0], free[-1][1], span.version, free) if free else None


def _of_network(network: Nad, at: Path, ipam: dict[str, Any]) -> Iterator[Held]:
    """Of whereabouts and host-local. Rules about them report ranges that cannot be read."""
    kind = ipam.get("type")
    if kind == "whereabouts":
        rows = [ipam, *map(mapping, listing(ipam.get("ipRanges")))]
        spans = [(row.get("range"), row) for row in rows]
    elif kind == "host-local":
        rows = [ipam, *(mapping(row) for each in listing(ipam.get("ranges")) for row in listing(each))]
        spans = [(row.get("subnet"), _ends(row)) for row in rows]
    else:
        return
    for text, row in spans:
        if isinstance(text, str) and not templated(text):
            try:
                found = range_of(text, row)
                out = [around(each) for each in listing(row.get("exclude"))]
            except (ValueError, TypeError):
                continue
            excluded = [(int(net[0]), int(net[-1])) for net in out]
            span = span_without(network.thing, found.net.version, (found.low, found.high), excluded)
            yield Held(network.thing, at, text, span, None, _stores(ipam, found.net))


def _ends(row: dict[str, Any]) -> dict[str, Any]:
    """Of host-local, by the keys of whereabouts."""
    return {"range_start": row.get("rangeStart"), "range_end": row.get("rangeEnd")}


def _stores(ipam: dict[str, Any], net: IpNetwork) -> frozenset[str]:
    """whereabouts has one IPPool per network and ``network_name``, and reserves an address for all ranges of
    that name unless told not to (k8snetworkplumbingwg/whereabouts 00ebc0e pkg/storage/kubernetes/ipam.go,
    IPPoolName, IsAllocatedInOverlappingRange; pkg/types/types.go, enable_overlapping_ranges)."""
    if ipam.get("type") != "whereabouts":
        return frozenset()
    name = str(ipam.get("network_name") or "")
    reserves = ipam.get("enable_overlapping_ranges") is not False
    return frozenset({f"{name} {net}", *([name] if reserves else [])})


def in_both(planned: list[Held], running: list[Held]) -> Iterator[tuple[Held, Held]]:
    """(planned, running) that hand out a common address, by a sweep over their first addresses."""
    sides = (planned, running)
    rows = [(h.span.version, h.span.first, side, n) for side in (0, 1) for n, h in enumerate(sides[side])]
    open_: tuple[list[Held], list[Held]] = ([], [])
    for version, first, side, number in sorted(rows):
        held, others = sides[side][number], open_[1 - side]
        others[:] = [each for each in others if each.span.version == version and each.span.last >= first]
        open_[side].append(held)
        for other in others:
            if first_shared(held.span, other.span) is not None:
                yield (held, other) if side == 0 else (other, held)
