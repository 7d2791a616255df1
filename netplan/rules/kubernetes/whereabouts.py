"""NP777: ranges of whereabouts and host-local."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.addresses import IpAddress, IpNetwork, address_of, around
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph
from netplan.reading.kubernetes.objects import listing, mapping, templated
from netplan.records import dataclass
from netplan.rules.kubernetes.host_local import host_local_problems
from netplan.rules.kubernetes.networks import networks
from netplan.rules.kubernetes.registry import ObjectFinding, rule


def _ranged(cluster: ObjectGraph) -> list[tuple[Nad, Path, dict[str, Any]]]:
    found = []
    for network in networks(cluster):
        for at, ipam in network.ipams:
            if ipam.get("type") in ("whereabouts", "host-local"):
                found.append((network, at, ipam))
    return found


@rule("NP777", "range that hands out no or the wrong addresses", on=_ranged)
def ranges(_: ObjectGraph, subject: tuple[Nad, Path, dict[str, Any]]) -> Iterator[ObjectFinding]:
    """whereabouts masks off host bits, ignores a start, an end or exclusions outside the range, and does not
    reserve the gateway. host-local refuses a start or end outside the subnet.

    **Why.** A range of /31 or /32 has no address to hand out. A gateway inside the range that is not
    excluded is given to a pod, and every pod of the subnet loses its router. If a start is ignored,
    addresses that belong to others are handed out. With host-local no pod starts: "not in network".
    **Fix.** Correct the range; write the gateway into `exclude`.
    **Source.** k8snetworkplumbingwg/whereabouts 3a262bd pkg/allocate/allocate.go, pkg/iphelpers/iphelpers.go,
    pkg/config/config.go; #139, #291. containernetworking/plugins 2e9e877
    plugins/ipam/host-local/backend/allocator/range.go (Canonicalize).
    """
    network, at, ipam = subject
    if ipam.get("type") == "host-local":
        for where, message, hint in host_local_problems(ipam):
            yield ObjectFinding(network.thing, (*at, *where), message, hint)
        return
    spans = [(at, ipam)] + [
        ((*at, "ipRanges", i), mapping(r)) for i, r in enumerate(listing(ipam.get("ipRanges")))
    ]
    for place, span in spans:
        text = span.get("range")
        if isinstance(text, str) and not templated(text):
            for key, message, hint in _range_problems(text, span, ipam.get("gateway")):
                yield ObjectFinding(network.thing, (*place, key), message, hint)


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


def _range_problems(text: str, span: dict[str, Any], gateway: Any) -> Iterator[tuple[str, str, str]]:
    """(key, message, hint)"""
    if "-" in text and "/" not in text:
        yield (
            "range",
            f"range {text} has no prefix length after its end",
            "write its last address as 10.0.0.9/24",
        )
    else:
        yield from _problems_of_span(text, span, gateway)


def _problems_of_span(text: str, span: dict[str, Any], gateway: Any) -> Iterator[tuple[str, str, str]]:
    try:
        found = range_of(text, span)
        excluded = [around(e) for e in listing(span.get("exclude"))]
        router = address_of(gateway) if gateway else None
    except (ValueError, TypeError) as error:
        yield "range", f"{error}", "write range as 10.0.0.0/24, addresses in full"
        return
    net, low, high = found.net, found.first, found.last
    if net.num_addresses <= 2:
        yield "range", f"range {text} has no address to hand out", "write a /29 or larger"
        return
    for key, address in (("range_start", low), ("range_end", high)):
        if address.version != net.version or address not in net:
            yield (
                key if key in span else "range",
                f"{address} is outside {net}, so it is ignored",
                "use one inside the range",
            )
            return
    if int(low) > int(high):
        yield (
            "range_end" if "range_end" in span else "range",
            f"range ends at {high}, before {low}",
            "correct it",
        )
    elif _inside(router, net, int(low), int(high)) and not any(router in e for e in excluded):
        yield (
            "range",
            f"gateway {router} is in the range but not excluded",
            f'write "exclude": ["{router}/32"]',
        )
    elif astray := _astray(net, span, router):
        yield "exclude", f"exclude {astray} is outside {net}, so it is ignored", "use one inside the range"


_AROUND = {4: 24, 6: 64}
"""Prefix lengths of the subnet that a smaller range is part of, as a rule."""


def _astray(net: IpNetwork, span: dict[str, Any], router: IpAddress | None) -> str:
    """The first exclusion, if all are in another subnet than the range. One in the subnet around the range,
    or of the gateway, may be a precaution; a list for several ranges has some in each."""
    subnet = net.supernet(new_prefix=min(net.prefixlen, _AROUND[net.version]))
    texts = listing(span.get("exclude"))
    for excluded in map(around, texts):
        if excluded.version != net.version or excluded.overlaps(subnet) or (router and router in excluded):
            return ""
    return str(texts[0]) if texts else ""


def _inside(address: Any, net: Any, low: int, high: int) -> bool:
    return address is not None and address in net and low <= int(address) <= high
