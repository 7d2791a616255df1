"""A table of prefixes that is asked as a router asks one: the longest prefix that holds an address first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from netplan.trace.linux import Address, Prefix

T = TypeVar("T")


class PrefixTable(Generic[T]):
    """Of several rows with the same prefix the first counts."""

    def __init__(self, rows: Iterable[tuple[Prefix, T]]) -> None:
        by_length: dict[int, dict[tuple[int, int], T]] = defaultdict(dict)
        for prefix, value in rows:
            bits = int(prefix.network_address) >> (prefix.max_prefixlen - prefix.prefixlen)
            by_length[prefix.prefixlen].setdefault((prefix.version, bits), value)
        self._by_length = dict(sorted(by_length.items(), reverse=True))
        """Prefix length, longest first -> (IP version, network bits) -> value."""

    def holding(self, address: Address) -> Iterator[T]:
        """The values of the prefixes that hold the address, that of the longest first."""
        version, number, most = address.version, int(address), address.max_prefixlen
        for length, values in self._by_length.items():
            if length <= most and (key := (version, number >> (most - length))) in values:
                yield values[key]
