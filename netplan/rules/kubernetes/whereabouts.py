"""NP697, NP777: ranges of whereabouts and host-local, addresses of static."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.addresses import IpAddress, IpNetwork, address_of, around
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph
from netplan.reading.kubernetes.objects import listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.rules.kubernetes.host_local import host_local_problems
from netplan.rules.kubernetes.networks import networks
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.static_addresses import SUBNET, static_problems


def _ranged(cluster: ObjectGraph) -> list[tuple[Nad, Path, dict[str, Any]]]:
    found = []
    for network in networks(cluster):
        for at, ipam in network.ipams:
            if ipam.get("type") in ("whereabouts", "host-local", "static"):
                found.append((network, at, ipam))
    return found


@rule("NP777", "range that hands out no or the wrong addresses", on=_ranged)
def ranges(_: ObjectGraph, subject: tuple[Nad, Path, dict[str, Any]]) -> Iterator[ObjectFinding]:
    """whereabouts masks off host bits, ignores a start or end outside the range, and does not reserve the
    gateway. host-local refuses a subnet with host bits and a start or end outside it, static an address
    without a prefix length, and all three such a route.

    **Why.** A range of /31 or /32 has no address to hand out. A gateway inside the range that is not
    excluded is given to a pod, and every pod of the subnet loses its router. If a start is ignored,
    addresses that belong to others are handed out. With host-local no pod starts: "not in network".
    **Fix.** Correct the range; write the gateway into `exclude`.
    **Source.** k8snetworkplumbingwg/whereabouts 3a262bd pkg/allocate/allocate.go, pkg/iphelpers/iphelpers.go,
    pkg/config/config.go; #139, #291. containernetworking/plugins 2e9e877
    plugins/ipam/host-local/backend/allocator/range.go (Canonicalize), 3d27709 plugins/ipam/static/main.go
    (LoadIPAMConfig: "the 'address' field is expected to be in CIDR notation"). containernetworking/cni
    3f51e880 pkg/types/types.go (IPNet, of a Route: ParseCIDR).
    """
    network, at, ipam = subject
    for where, message, hint in _route_problems(ipam):
        yield ObjectFinding(network.thing, (*at, *where), message, hint)
    if problems := _OTHERS.get(str(ipam.get("type"))):
        for where, message, hint in problems(ipam):
            yield ObjectFinding(network.thing, (*at, *where), message, hint)
        return
    for place, text, span in _spans(at, ipam):
        for key, message, hint in _range_problems(text, span, ipam.get("gateway")):
            yield ObjectFinding(network.thing, (*place, key), message, hint)


def _route_problems(ipam: dict[str, Any]) -> Iterator[tuple[Path, str, str]]:
    """Targets that no IPAM plugin can read as a prefix."""
    for index, route in enumerate(listing(ipam.get("routes"))):
        text = mapping(route).get("dst")
        if not isinstance(text, str) or templated(text):
            continue
        try:
            address = address_of(text)
        except ValueError:
            continue
        length = address.max_prefixlen if int(address) else 0
        yield ("routes", index, "dst"), f"route {text} has no prefix length", f"write {text}/{length}"


_OTHERS = {"host-local": host_local_problems, "static": static_problems}


def _spans(at: Path, ipam: dict[str, Any]) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """Ranges of whereabouts, each with its place and the keys beside it."""
    more = (((*at, "ipRanges", i), mapping(r)) for i, r in enumerate(listing(ipam.get("ipRanges"))))
    for place, span in ((at, ipam), *more):
        text = span.get("range")
        if isinstance(text, str) and not templated(text):
            yield place, text, span


@dataclass(frozen=True, slots=True)
class Range:
    """A range of whereabouts: its network, and the first and last address, stated or implied."""

    net: IpNetwork
    first: IpAddress
    last: IpAddress

    @property
    def low(self) -> int:
        return int(self.first)

    @property
    def high(self) -> int:
        return int(self.last)

    @property
    def given(self) -> tuple[int, int]:
        """The first and last address that whereabouts assigns: it ignores a start or end outside the range
        (openshift/whereabouts-cni d691040 pkg/iphelpers/iphelpers.go, GetIPRange)."""
        low, high = int(self.net[1]), int(self.net[-2])
        if self.first.version == self.net.version and low <= self.low <= high:
            low = self.low
        if self.last.version == self.net.version and low <= self.high <= high:
            high = self.high
        return low, high


def range_of(text: str, span: dict[str, Any]) -> Range:
    """``text``: a CIDR, or ``start-end/len``; ``span``: the keys next to it. The first and last address
    of a network are never assigned. Raises ValueError, TypeError."""
    head, dash, tail = text.rpartition("-")
    net = around(tail if not dash else f"{head}/{tail.rpartition('/')[2]}")
    first, last = (net[1], net[-2]) if net.num_addresses > 2 else (net[0], net[-1])
    low = address_of(head) if dash else first
    high = address_of(tail.partition("/")[0]) if dash else last
    low = address_of(span["range_start"]) if span.get("range_start") else low
    high = address_of(span["range_end"]) if span.get("range_end") else high
    return Range(net, low, high)


Problem = tuple[str, str, str]
"""Key, message, hint."""


def _excluded(span: dict[str, Any]) -> tuple[list[IpNetwork], Problem | None]:
    """The exclusions of a range, or what is wrong with them; an address alone is one
    (k8snetworkplumbingwg/whereabouts e29384d pkg/allocate/allocate.go, parseExcludedRange)."""
    stated = listing(span.get("exclude"))
    try:
        return [around(each) for each in stated], None
    except (ValueError, TypeError) as error:
        return [], ("exclude", f"{error}", "write addresses and networks, such as 10.0.0.1/32")


def _range_problems(text: str, span: dict[str, Any], gateway: Any) -> Iterator[Problem]:
    if "-" in text and "/" not in text:
        what = f"range {text} has no prefix length after its end"
        yield "range", what, "write its last address as 10.0.0.9/24"
        return
    excluded, problem = _excluded(span)
    if problem is not None:
        yield problem
        return
    try:
        found = range_of(text, span)
        router = address_of(gateway) if gateway else None
    except (ValueError, TypeError) as error:
        yield "range", f"{error}", "write range as 10.0.0.0/24, addresses in full"
        return
    if found.net.num_addresses <= 2:
        hint = f"write a /{found.net.max_prefixlen - 3} or larger"
        yield "range", f"range {text} has no address to hand out", hint
        return
    low, high = found.given
    for each in excluded:
        if each.version == found.net.version and int(each[0]) <= low and high <= int(each[-1]):
            yield (
                "exclude",
                f"exclude {each} holds the whole range {text}",
                "write the addresses to leave out",
            )
            return
    yield from islice(chain(_ends(found, span), _unreserved(found, excluded, router)), 1)


def _ends(found: Range, span: dict[str, Any]) -> Iterator[Problem]:
    """The first and last address."""
    net, low, high = found.net, found.first, found.last
    for key, address in (("range_start", low), ("range_end", high)):
        if address.version != net.version or address not in net:
            where = key if key in span else "range"
            yield where, f"{address} is outside {net}, so it is ignored", "use one inside the range"
    if found.low > found.high:
        where = "range_end" if "range_end" in span else "range"
        yield where, f"range ends at {high}, before {low}", "correct it"


def _unreserved(found: Range, excluded: list[IpNetwork], router: IpAddress | None) -> Iterator[Problem]:
    given = _inside(router, found.net, found.low, found.high)
    if given and not any(router in each for each in excluded):
        what = f"gateway {router} is in the range but not excluded"
        yield "range", what, f'write "exclude": ["{router}/{found.net.max_prefixlen}"]'


def _excluding(cluster: ObjectGraph) -> list[tuple[Nad, Path, dict[str, Any]]]:
    ranged = ((network, at, ipam) for network, at, ipam in _ranged(cluster) if ipam["type"] == "whereabouts")
    return [each for each in ranged if any(span.get("exclude") for _, _, span in _spans(*each[1:]))]


@rule("NP697", "exclusion outside its range", on=_excluding, severity=Severity.WARNING)
def astray(_: ObjectGraph, subject: tuple[Nad, Path, dict[str, Any]]) -> Iterator[ObjectFinding]:
    """All exclusions of a range of whereabouts are in another subnet than the range.

    **Why.** They exclude nothing: the addresses that were meant are handed out.
    **Fix.** Write addresses of the range.
    **Source.** k8snetworkplumbingwg/whereabouts 3a262bd pkg/allocate/allocate.go (IterateForAssignment goes
    through the range, and skips addresses of exclusions).
    """
    network, at, ipam = subject
    for place, text, span in _spans(at, ipam):
        try:
            net = range_of(text, span).net
            excluded = [around(each) for each in listing(span.get("exclude"))]
            router = address_of(ipam["gateway"]) if ipam.get("gateway") else None
        except (ValueError, TypeError):  # NP777
            continue
        if _are_astray(net, excluded, router):
            message = f"exclude {listing(span['exclude'])[0]} is outside {net}"
            yield ObjectFinding(network.thing, (*place, "exclude"), message, "use one inside the range")


def _are_astray(net: IpNetwork, excluded: list[IpNetwork], router: IpAddress | None) -> bool:
    """One in the subnet around the range, or of the gateway, may be a precaution; a list for several ranges
    has some in each."""
    subnet = net.supernet(new_prefix=min(net.prefixlen, SUBNET[net.version]))
    return bool(excluded) and not any(
        each.version != net.version or each.overlaps(subnet) or (router is not None and router in each)
        for each in excluded
    )


def _inside(address: Any, net: Any, low: int, high: int) -> bool:
    return address is not None and address in net and low <= int(address) <= high
