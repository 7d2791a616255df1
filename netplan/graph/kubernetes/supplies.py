"""Where a network gets its addresses: pools, ranges, static addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.addresses import IpNetwork, around
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph, pool_names
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A route that comes with the addresses. ``via``: empty if it is the gateway of the supply."""

    to: str
    via: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    """``at``: the IPAM in the network. ``source``: pool or range, as text; ``pool``: the object, None if
    there is none, or if it is not here (``absent``). ``subnet``: the one the addresses are on-link in;
    ``gateway``: as written, empty without one. ``facts``: other settings, as (name, value)."""

    at: Path
    kind: str
    source: str
    pool: Thing | None = None
    absent: bool = False
    subnet: IpNetwork | None = None
    gateway: str = ""
    ways: tuple[Way, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


def supplies_of(cluster: ObjectGraph, network: Nad) -> tuple[Supply, ...]:
    """All sources of addresses for a pod of the network, in order; one that cannot be read has no subnet."""
    return tuple(s for at, ipam in network.ipams for s in _supplies(cluster, network, at, ipam))


def _supplies(cluster: ObjectGraph, network: Nad, at: Path, ipam: dict[str, Any]) -> Iterator[Supply]:
    kind = str(ipam.get("type"))
    pools = list(pool_names(network, ipam))
    own = tuple(_ways(ipam.get("routes"), "gw"))
    for pool_type, name in pools:
        pool = cluster.pools.get((pool_type, name))
        if pool is None:
            yield Supply(at=at, kind=kind, source=f"{pool_type} {name}", absent=True, ways=own)
        else:
            yield _of_pool(at, kind, pool, own)
    if pools:
        return
    reader = _READERS.get(kind)
    if reader is None:
        yield Supply(at=at, kind=kind, source=kind, ways=own)
    else:
        yield from reader(at, ipam, own)


def pools_of(cluster: ObjectGraph, network: Nad, ipam: dict[str, Any]) -> list[Thing | None]:
    """The pools that an IPAM of a network names; None for each that is not here."""
    return [cluster.pools.get(key) for key in pool_names(network, ipam)]


def _of_pool(at: Path, kind: str, pool: Thing, own: tuple[Way, ...]) -> Supply:
    spec = pool.spec
    stated = ((key, _text(spec[key])) for key in _POOL_FACTS if spec.get(key) not in (None, "", [], {}))
    return Supply(
        at=at,
        kind=kind,
        source=str(pool),
        pool=pool,
        subnet=_network(spec.get("subnet") or spec.get("cidr")),
        gateway=_text(spec.get("gateway")),
        ways=(*own, *_ways(spec.get("routes"), "gw"), *_default(spec)),
        facts=tuple(stated),
    )


_POOL_FACTS = ("perNodeBlockSize", "perNodeNetworkPrefix", "gatewayIndex", "ips", "vlan")


def _default(spec: dict[str, Any]) -> Iterator[Way]:
    if spec.get("defaultGateway") is True:
        yield Way(to="default", via="")


def _whereabouts(at: Path, ipam: dict[str, Any], own: tuple[Way, ...]) -> Iterator[Supply]:
    """A range, and those of ``ipRanges``; a pod gets one address of each
    (k8snetworkplumbingwg/whereabouts README.md, ipRanges)."""
    for row in (ipam, *(mapping(r) for r in listing(ipam.get("ipRanges")))):
        text = row.get("range")
        if isinstance(text, str) and text:
            ends = ((key, _text(row.get(key))) for key in ("range_start", "range_end", "exclude"))
            yield Supply(
                at=at,
                kind="whereabouts",
                source=f"whereabouts {text}",
                subnet=_network(_span(text)),
                gateway=_text(ipam.get("gateway")),
                ways=own,
                facts=tuple((key, value) for key, value in ends if value),
            )


def _span(text: str) -> str:
    """The network of ``10.0.0.0/24`` or ``10.0.0.5-10.0.0.9/24``; for the latter, that of its end."""
    return text.rpartition("-")[2].strip()


def _host_local(at: Path, ipam: dict[str, Any], own: tuple[Way, ...]) -> Iterator[Supply]:
    """``ranges`` is a list of range sets, a pod gets one address per set; a range may also be given
    directly beside ``type`` (containernetworking/plugins
    plugins/ipam/host-local/backend/allocator/config.go)."""
    rows = [mapping(part) for group in listing(ipam.get("ranges")) for part in listing(group)]
    for row in ([ipam] if ipam.get("subnet") else []) + rows:
        yield Supply(
            at=at,
            kind="host-local",
            source=f"host-local {_text(row.get('subnet'))}",
            subnet=_network(row.get("subnet")),
            gateway=_text(row.get("gateway")),
            ways=own,
            facts=tuple((key, _text(row[key])) for key in ("rangeStart", "rangeEnd") if row.get(key)),
        )


def _static(at: Path, ipam: dict[str, Any], own: tuple[Way, ...]) -> Iterator[Supply]:
    """Without ``addresses``, the pod supplies them (containernetworking/plugins plugins/ipam/static)."""
    rows = [mapping(row) for row in listing(ipam.get("addresses"))]
    for row in rows:
        yield Supply(
            at=at,
            kind="static",
            source=f"static {_text(row.get('address'))}",
            subnet=_network(row.get("address")),
            gateway=_text(row.get("gateway")),
            ways=own,
        )
    if not rows:
        yield Supply(at=at, kind="static", source="static", ways=own)


_READERS = {"whereabouts": _whereabouts, "host-local": _host_local, "static": _static}


def _ways(routes: Any, key: str) -> Iterator[Way]:
    for route in listing(routes):
        to = mapping(route).get("dst")
        if isinstance(to, str):
            yield Way(to=to, via=_text(mapping(route).get(key)))


def _network(value: Any) -> IpNetwork | None:
    """None if it is not stated, or still to be replaced."""
    try:
        return around(value)
    except ValueError:
        return None


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value[:8]))
    return "" if value is None else str(value)


def shared_subnet(one: IpNetwork, other: IpNetwork) -> bool:
    return one.version == other.version and one.overlaps(other)
