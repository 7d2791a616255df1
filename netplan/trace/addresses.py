"""Addresses a pod may get: one from its host's share of the pool. Any other address of the pool takes the
same path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from ipaddress import ip_address, ip_interface, ip_network
from typing import Any, assert_never

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import Nad, pool_names
from netplan.graph.kubernetes.node_selection import of_terms
from netplan.model.ipams import ipam_named
from netplan.model.site import SiteHost
from netplan.reading.kubernetes.objects import Thing
from netplan.records import dataclass
from netplan.trace.exclusions import usable
from netplan.trace.linux import Address, Owned, Prefix
from netplan.trace.model import Fault, Verdict
from netplan.trace.refused import refused_pool
from netplan.trace.site import TracedSite

Given = tuple[list[Owned], list[dict[str, Any]], list[Fault]]
"""Addresses, the routes that come with them, and the faults that explain a missing address."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An interface gets the ``nth`` of the ``of`` addresses that pods of one node get from one supply."""

    nth: int
    of: int


class Turns:
    """Turns of the interfaces of the pod in a slot (0 or 1) of a host."""

    def __init__(self, networks: Iterable[Nad], slot: int) -> None:
        self._slot, self._given = slot, Counter[Hashable]()
        self._all = Counter(map(_supply, networks))

    def next(self, network: Nad) -> Turn:
        supply = _supply(network)
        each = max(self._all[supply], 1)
        self._given[supply] += 1
        return Turn(self._slot * each + self._given[supply] - 1, 2 * each)


def _supply(network: Nad) -> Hashable:
    """What hands no address out twice: pools, or the range that whereabouts keeps (host-local keeps one list
    for each network: containernetworking/plugins v1.9.1 plugins/ipam/host-local/backend/disk/backend.go)."""
    _, ipam = next(iter(network.ipams), ((), {}))
    if keys := tuple(pool_names(network, ipam)):
        return keys
    if ipam_named(ipam.get("type")) == "whereabouts":
        ranges = ipam.get("ipRanges") or ([ipam] if "range" in ipam else [])
        return (*(str(entry["range"]) for entry in ranges), str(ipam.get("network_name") or ""))
    return str(network.name)


def addresses(site: TracedSite, network: Nad, host: SiteHost, turn: Turn) -> Given:
    """What the IPAM of a network assigns to an interface of a pod on a host."""
    at, ipam = next(iter(network.ipams), ((), {}))
    if keys := [*pool_names(network, ipam)]:
        return _from_pools(site, keys, host, turn, network.thing.file)
    owned = [*_stated(ipam, host.number * turn.of + turn.nth)]
    unread = [each for each in network.ipams[1:] if ipam_named(each[1].get("type")) is None]
    if ipam.get("type") and not owned:
        unread = [(at, ipam), *unread]
    return owned, list(ipam.get("routes", ())), [_unstated(network, *each) for each in unread]


def _stated(ipam: Mapping[str, Any], nth: int) -> Iterator[Owned]:
    """Addresses, or the ``nth`` of each range, that the configuration of an IPAM states. Without a stated
    gateway host-local takes the first address (containernetworking/plugins v1.9.1
    plugins/ipam/host-local/backend/allocator/range.go); whereabouts none (v0.9.4 cmd/whereabouts.go)."""
    kind = ipam_named(ipam.get("type"))
    match kind:
        case "static":
            for entry in ipam.get("addresses", ()):
                ip = ip_interface(entry["address"])
                yield Owned(ip.ip, ip.network, _address(entry.get("gateway")))
        case "whereabouts":
            gateway = _address(ipam.get("gateway"))
            for entry in ipam.get("ipRanges") or ([ipam] if "range" in ipam else []):
                prefix = ip_network(entry["range"].rpartition("-")[2], strict=False)
                yield _nth(prefix, gateway if gateway is not None and gateway in prefix else None, nth)
        case "host-local":
            for entry in (entry for group in ipam.get("ranges", ()) for entry in group[:1]):
                prefix = ip_network(entry["subnet"], strict=False)
                yield _nth(prefix, _address(entry.get("gateway")) or prefix[1], nth)
        case "nv-ipam" | "spiderpool" | "none" | None:
            return
        case _:
            assert_never(kind)


def _unstated(network: Nad, at: Path, ipam: Mapping[str, Any]) -> Fault:
    """No file has the addresses: those of a DHCP server, of an IPAM that is not read, or of the pod's
    annotations."""
    source = network.thing.source((*at, "type"))
    said = f"IPAM {ipam.get('type')} of {network.name} states no address or range that trace reads"
    text = f"{said} ({source.file}:{source.line}): {_WOULD} would prove it"
    return Fault(Verdict.UNPROVED, text)


_WOULD = "addresses of static, a range of whereabouts or host-local, or a pool there"


def _from_pools(
    site: TracedSite, keys: list[tuple[str, str]], host: SiteHost, turn: Turn, file: str
) -> Given:
    owned: list[Owned] = []
    routes: list[dict[str, Any]] = []
    faults: list[Fault] = []
    for key in keys:
        pool = site.cluster.pools.get(key)
        given = _missing(site, key, file) if pool is None else _of_pool(site, pool, host, turn)
        if isinstance(given, str):
            faults.append(Fault(Verdict.LOST, given))
        elif pool is not None:
            owned.append(given)
            routes += pool.spec.get("routes", ())
    return owned, routes, faults


def _missing(site: TracedSite, key: tuple[str, str], file: str) -> str:
    return refused_pool(site.objects.refused, *key) or f"pool {key[1]} does not exist ({file})"


def _of_pool(site: TracedSite, pool: Thing, host: SiteHost, turn: Turn) -> Owned | str:
    spec, where = pool.spec, f"({pool.file})"
    if pool.kind == "SpiderIPPool":
        return _of_spider_pool(pool, host, turn)
    if not of_terms(spec.get("nodeSelector", {})).takes(host.labels):
        return f"{pool.kind} {pool.name} has no addresses for {host.name}: its labels do not match {where}"
    if pool.kind == "IPPool":
        prefix = ip_network(spec["subnet"], strict=False)
        block = int(spec.get("perNodeBlockSize", 1))
        return _nth(prefix, _address(spec.get("gateway")), host.number * block + turn.nth)
    return _of_cidr_pool(site, pool, host, turn.nth)


def _of_spider_pool(pool: Thing, host: SiteHost, turn: Turn) -> Owned | str:
    """An address from the first range of the pool, or why there is none."""
    spec = pool.spec
    labels = spec.get("nodeAffinity", {}).get("matchLabels", {})
    if labels and not host.has(labels):
        return f"{pool.kind} {pool.name} is not for {host.name}: its labels do not match ({pool.file})"
    first, _, last = str(spec["ips"][0]).partition("-")
    start = ip_address(first)
    free = int(ip_address(last or first)) - int(start) + 1
    own = start + (host.number * turn.of + turn.nth) % free
    return Owned(own, ip_network(spec["subnet"], strict=False), _address(spec.get("gateway")))


def _of_cidr_pool(site: TracedSite, pool: Thing, host: SiteHost, nth: int) -> Owned | str:
    spec = pool.spec
    static = site.allocations[str(pool)]
    if entry := static.get(host.name):
        return _nth(ip_network(entry["prefix"], strict=False), _address(entry.get("gateway")), nth)
    if static:
        return f"CIDRPool {pool.name} has no prefix for {host.name} ({pool.file})"
    cidr = ip_network(spec["cidr"], strict=False)
    length = int(spec["perNodeNetworkPrefix"])
    size = 2 ** (cidr.max_prefixlen - length)
    first = int(cidr[0]) + host.number * size
    prefix = ip_network((first, length))
    index = spec.get("gatewayIndex")
    return _nth(prefix, prefix[int(index)] if index is not None else None, nth)


def _nth(prefix: Prefix, gateway: Address | None, nth: int) -> Owned:
    """The ``nth`` host address, gateway skipped; past the end of the prefix it wraps around."""
    first, last = usable(prefix)
    free = last - first + 1 - (gateway is not None)
    at = first + nth % max(free, 1)
    if gateway is not None and first <= int(gateway) <= at:
        at += 1
    return Owned(prefix[min(at, last) - int(prefix[0])], prefix, gateway)


def _address(text: str | None) -> Address | None:
    return ip_address(text) if text else None
