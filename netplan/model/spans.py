"""Spans of addresses, first and last inclusive: as numbers, and searched by network."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate

from netaddr import IPAddress, IPNetwork

from netplan.model.values import AddressSpan

Span = tuple[int, int]


def merged(spans: Iterable[Span]) -> list[Span]:
    """In order, without overlaps."""
    found: list[Span] = []
    for first, last in sorted(span for span in spans if span[0] <= span[1]):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def free(span: Span, excluded: Iterable[Span]) -> int:
    """Number of addresses of a span outside merged ones; 0 for an empty span."""
    inside = (min(last, span[1]) - max(first, span[0]) + 1 for first, last in excluded)
    return max(0, span[1] - span[0] + 1 - sum(max(count, 0) for count in inside))


class Spans:
    """Spans that are searched by network without looking at all of them: a site may state an address for each
    of 100,000 HCAs and have a pool for each of 3,000 subnets."""

    def __init__(self, spans: Iterable[AddressSpan]) -> None:
        found: dict[int, set[Span]] = defaultdict(set)
        for low, high in spans:
            found[low.version].add((int(low), int(high)))
        self._of = {version: _Sorted(sorted(numbers)) for version, numbers in found.items()}

    def within(self, network: IPNetwork) -> tuple[AddressSpan, ...]:
        """The parts of the spans that lie inside a network, clipped to it, in order, without duplicates."""
        version = network.version
        if version not in self._of:
            return ()
        parts = dict.fromkeys(self._of[version].within(int(network.first), int(network.last)))
        return tuple((IPAddress(low, version), IPAddress(high, version)) for low, high in parts)


class _Sorted:
    def __init__(self, spans: list[Span]) -> None:
        self._spans, self._firsts = spans, [first for first, _ in spans]
        self._reach = list(accumulate((last for _, last in spans), max))
        """The last address that any span up to here has: a long one may reach beyond those after it."""

    def within(self, first: int, last: int) -> list[Span]:
        begin, end = bisect_left(self._reach, first), bisect_right(self._firsts, last)
        near = (span for span in self._spans[begin:end] if span[1] >= first)
        return [(max(low, first), min(high, last)) for low, high in near]
