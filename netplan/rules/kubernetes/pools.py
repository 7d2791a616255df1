"""NP778 to NP780: address pools of nv-ipam, ranges of whereabouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.addresses import IpAddress, IpNetwork, address_of, around
from netplan.graph.kubernetes.attachments import attachments_of, in_question
from netplan.graph.kubernetes.cluster import NV_IPAM, POOL_TYPES, Nad, ObjectGraph, Pod, pool_names
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import final, templated
from netplan.records import dataclass
from netplan.report import count
from netplan.rules.kubernetes.networks import users
from netplan.rules.kubernetes.pool_numbers import PROBLEMS, REQUIRED
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.whereabouts import range_of


def _pools(cluster: ObjectGraph) -> list[Thing]:
    return [p for p in cluster.pools.values() if cluster.of_form("final", p, lambda one: final(one.spec))]


def _definitions(cluster: ObjectGraph) -> list[Thing]:
    """All definitions of all pools: one may be wrong although another, of which one is applied, is right."""
    every = [pool for same in cluster.pool_definitions.values() for pool in same]
    return [p for p in every if cluster.of_form("final", p, lambda one: final(one.spec))]


@rule("NP778", "inconsistent numbers in a pool", on=_definitions)
def arithmetic(_: ObjectGraph, pool: Thing) -> Iterator[ObjectFinding]:
    """Gateway, exclusions and static prefixes must be inside the pool; a block must fit into it; routes
    need a gateway.

    **Why.** The webhook, off by default, rejects the pool; without the webhook a node gets no block or a
    gateway that does not answer.
    **Fix.** Correct the numbers named.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c api/v1alpha1/ippool_validate.go, cidrpool_validate.go,
    validate_exclusions.go, validate_routes.go; spidernet-io/spiderpool a7fbd3b2
    pkg/ippoolmanager/ippool_validate.go.
    """
    empty = [key for key, value in pool.spec.items() if None in listing(value)]
    for key in empty:
        yield ObjectFinding(pool, ("spec", key), f"{key} has an empty item", "write an address, or remove it")
    lacking = [key for key in REQUIRED[pool.kind] if pool.spec.get(key) is None]  # NP752
    problems = [] if lacking or empty else _numbers(pool)
    if pool.group == NV_IPAM:
        problems += _routes(pool.spec, "gateway" if pool.kind == "IPPool" else "gatewayIndex")
    for at, message in problems:
        yield ObjectFinding(pool, at, message, "correct the numbers")


def _numbers(pool: Thing) -> list[tuple[Path, str]]:
    try:
        return list(PROBLEMS[pool.kind](pool.spec))
    except (ValueError, TypeError, KeyError) as error:
        broken = [pool.get(*at) for at in pool.broken if at[:1] == ("spec",)]
        other = isinstance(error, ValueError) and all(str(value) not in str(error) for value in broken)
        return [] if broken and not other else [(("spec",), str(error))]


def _routes(spec: dict[str, Any], key: str) -> list[tuple[Path, str]]:
    found: list[tuple[Path, str]] = []
    if spec.get(key) is None:
        stated = [name for name in ("routes", "defaultGateway") if spec.get(name)]
        found += [(("spec", name), f"{name} needs {key}") for name in stated]
    own = None
    subnet = spec.get("subnet") or spec.get("cidr")
    for index, route in enumerate(listing(spec.get("routes")) if subnet else ()):
        at: Path = ("spec", "routes", index)
        try:
            destination = around(mapping(route).get("dst"))
            own = own or around(subnet)
        except ValueError as error:
            found.append((at, str(error)))
            continue
        if destination.version != own.version:
            found.append((at, f"route {destination} is not of the family of {own}"))
        elif destination.prefixlen == 0 and spec.get("defaultGateway") is True:
            found.append((at, f"route {destination} is what defaultGateway sets"))
    return found


@dataclass(frozen=True, slots=True)
class Span:
    """The addresses of a pool, or of a network's own range, as first and last, minus its exclusions."""

    pool: Thing
    first: int
    last: int
    version: int
    free: tuple[tuple[int, int], ...]


def span_of(pool: Thing) -> Span | None:
    """None for a pool that cannot be read, which NP778 reports."""
    try:
        net = around(pool.spec.get("subnet") or pool.spec.get("cidr"))
        excluded = [
            (int(address_of(e["startIP"])), int(address_of(e["endIP"])))
            for e in listing(pool.spec.get("exclusions"))
        ]
    except (ValueError, TypeError, KeyError):
        return None
    return span_without(pool, net.version, (int(net[0]), int(net[-1])), excluded)


def span_without(
    thing: Thing, version: int, ends: tuple[int, int], excluded: Iterable[tuple[int, int]]
) -> Span:
    """The addresses from the first to the last of ``ends``, without those of the spans ``excluded``."""
    free, low = [], ends[0]
    for start, end in sorted(excluded):
        if start > ends[1]:
            break
        if low < start:
            free.append((low, start - 1))
        low = max(low, end + 1)
    if low <= ends[1]:
        free.append((low, ends[1]))
    return Span(thing, *ends, version, tuple(free))


def _neighbours(cluster: ObjectGraph) -> list[tuple[Span, list[Span]]]:
    """Each pool with the preceding pools that it overlaps, found by a sweep."""
    nv_ipam = (pool for pool in _pools(cluster) if pool.group == NV_IPAM)
    spans = [span for pool in nv_ipam if (span := span_of(pool))]
    spans.sort(key=lambda s: (s.version, s.first, s.last))
    found: list[tuple[Span, list[Span]]] = []
    open_: list[Span] = []
    for span in spans:
        open_ = [o for o in open_ if o.version == span.version and o.last >= span.first]
        found.append((span, open_[:SHOWN_MAX]))
        open_.append(span)
    return found


SHOWN_MAX = 8
"""Limit on overlapping pools examined per pool: a copied section produces many."""


@rule("NP779", "pools with overlapping addresses", on=_neighbours, severity=Severity.WARNING)
def overlap(cluster: ObjectGraph, found: tuple[Span, list[Span]]) -> Iterator[ObjectFinding]:
    """Pools do not know of each other: an address may be handed out by both unless one excludes it. An
    IPPool beside a CIDRPool counts as an alternative unless networks use both. Of pools in different
    namespaces nv-ipam reads one namespace's only.

    **Why.** Two pods get the same address.
    **Fix.** Give each pool a subnet of its own, or add `exclusions` to both. Pools of separate fabrics
    may share addresses: suppress the finding with `--ignore`.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34 pkg/ipam-controller/allocator/allocator.go (AllocateFromPool:
    each pool by itself), cmd/ipam-controller/app/options/options.go (ippools-namespace).
    """
    other, earlier = found
    earlier = [one for one in earlier if _both_used(cluster, one.pool, other.pool)]
    shared = [(one, address) for one in earlier if (address := _shared(one, other)) is not None]
    if shared:
        one, address = shared[0]
        key = "subnet" if other.pool.kind == "IPPool" else "cidr"
        more = f", and in {len(shared) - 1} more" if len(shared) > 1 else ""
        message = f"{address} and more are also in {one.pool} at {one.pool.source(('spec',))}{more}"
        hint = "give each pool its own subnet, or exclude the rest"
        yield ObjectFinding(other.pool, ("spec", key), message, hint)


def _both_used(cluster: ObjectGraph, one: Thing, other: Thing) -> bool:
    def make() -> set[tuple[str, str]]:
        return {key for n in cluster.networks for _, ipam in n.ipams for key in pool_names(n, ipam)}

    used = cluster.once("pools of networks", make)
    keys = {(POOL_TYPES[pool.kind], pool.name) for pool in (one, other)}
    likely = cluster.whole or one.kind == other.kind or keys <= used
    read = None in (one.namespace, other.namespace) or one.namespace == other.namespace
    return read and likely and cluster.together(one, other)


def _shared(one: Span, other: Span) -> IpAddress | None:
    """The first address that both hand out; None if there is none, or if both are the same pool."""
    same = (one.pool.name, one.pool.kind) == (other.pool.name, other.pool.kind)
    first = None if same else first_shared(one, other)
    if first is None:
        return None
    return IPv4Address(first) if one.version == 4 else IPv6Address(first)


def first_shared(one: Span, other: Span) -> int | None:
    """The first address that both hand out, as a number; None if there is none."""
    if one.version != other.version:
        return None
    return next((max(a, c) for a, b in one.free for c, d in other.free if a <= d and c <= b), None)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Where a network takes its addresses from, and how many there are."""

    network: Nad
    source: str
    usable: int


def _drawn(cluster: ObjectGraph) -> list[Drawn]:
    return [drawn for network in cluster.networks for drawn in _drawn_by(cluster, network)]


def _drawn_by(cluster: ObjectGraph, network: Nad) -> Iterator[Drawn]:
    """Of a pool that is defined in several ways, the largest definition."""
    for _, ipam in network.ipams:
        if ipam.get("type") == "whereabouts":
            yield from (Drawn(network, text, usable) for text, usable in _ranges(ipam))
        for key in pool_names(network, ipam) if ipam.get("type") == "nv-ipam" else ():
            same = in_question(network.thing, cluster.pool_definitions.get(key, ()), lambda pool: pool)
            spans = [span_of(pool) for pool in same if pool.group == NV_IPAM]
            sizes = [sum(last - first + 1 for first, last in s.free) for s in spans if s is not None]
            if sizes and len(sizes) == len(same):
                yield Drawn(network, str(same[0]), max(sizes))


def collapse(nets: Iterable[IpNetwork]) -> list[IpNetwork]:
    """Drops networks inside another, so that no address counts twice."""
    found: list[IpNetwork] = []
    for net in sorted(nets, key=lambda n: (n.version, int(n[0]), n.prefixlen)):
        if not found or found[-1].version != net.version or int(found[-1][-1]) < int(net[0]):
            found.append(net)
    return found


def _ranges(ipam: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """Ranges of whereabouts, each with its number of addresses; a pod gets one of each. NP777 reports
    ranges that cannot be read."""
    for row in (ipam, *(mapping(r) for r in listing(ipam.get("ipRanges")))):
        text = row.get("range")
        if not isinstance(text, str) or templated(text):
            continue
        try:
            span = range_of(text, row)
            excluded = collapse(around(e) for e in listing(row.get("exclude")))
        except (ValueError, TypeError):
            continue
        if span.net.num_addresses <= 2:
            continue
        first, last = span.given
        taken = sum(
            max(0, min(last, int(net[-1])) - max(first, int(net[0])) + 1)
            for net in excluded
            if net.version == span.net.version
        )
        yield f"range {text}", last - first + 1 - taken


def _always_short(cluster: ObjectGraph, pod: Pod, network: Nad, needed: int) -> bool:
    """Whether each definition that an attachment may mean has too few addresses; said of the first."""
    choices = [a.definitions for a in attachments_of(cluster, pod) if network in a.networks]
    return any(
        choice[0] is network
        and all(any(d.usable < needed for d in _drawn_by(cluster, other)) for other in choice[1:])
        for choice in choices
    )


@rule("NP780", "pool too small for a workload", on=_drawn, between=True)
def capacity(cluster: ObjectGraph, drawn: Drawn) -> Iterator[ObjectFinding]:
    """All pods of a workload need addresses at the same time, from the pool or whereabouts range of their
    network.

    **Why.** The remaining pods wait for an address forever.
    **Fix.** Enlarge the pool, or lower the number of replicas.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34 pkg/ipam-node/allocator/allocator.go (ErrNoFreeAddresses);
    k8snetworkplumbingwg/whereabouts#291, 3a262bd pkg/iphelpers/iphelpers.go (the
    first and last address of a network are not given out).
    """
    for pod in (each for each in users(cluster, drawn.network) if not each.thing.runs):
        needed = pod.replicas or 1
        if needed > drawn.usable and _always_short(cluster, pod, drawn.network, needed):
            use = "uses" if needed == 1 else "use"
            takes = f"{count(needed, 'pod')} on {drawn.network} {use} addresses from {drawn.source}"
            message = f"{takes}, which has {drawn.usable}"
            yield ObjectFinding(pod.thing, (*pod.path,), message, "enlarge the pool, or lower the replicas")
