"""Spans of addresses as numbers: first and last, inclusive."""

from __future__ import annotations

from collections.abc import Iterable

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
