"""The arithmetic of ``rails`` in reverse: from existing subnets to the range they are parts of.

A rail's part of ``supernets`` has length ``rail_prefixes``, or ``rail_networks`` states it; within it the
subnet of a leaf has length ``prefixes`` (docs/addresses.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TypeVar

from netaddr import IPAddress, IPNetwork

from netplan.model.fabric import RangeKey
from netplan.model.values import nth_subnet, parse_address, usable

T = TypeVar("T")
Positions = Mapping[tuple[int, int], IPNetwork]
"""(rail, position in the rail) -> subnet."""


@dataclass(frozen=True, slots=True)
class RailSpace:
    """What ``rails`` states for one address family: a supernet with ``rail_prefix``, or the network of each
    rail. ``first_subnet``: how many subnets at the start of a rail's part are free."""

    key: RangeKey
    networks: tuple[IPNetwork, ...]
    prefix: int
    rail_prefix: int | None = None
    first_subnet: int = 0

    def by_rail(self, count: int) -> list[IPNetwork]:
        if self.rail_prefix is None:
            return [*self.networks]
        parts = (nth_subnet(self.networks[0], self.rail_prefix, rail) for rail in range(count))
        return [part for part in parts if part is not None]


def by_version(rows: Iterable[T], network: Callable[[T], IPNetwork]) -> list[list[T]]:
    """The rows of each IP version that there is, IPv4 first."""
    found: dict[int, list[T]] = {}
    for row in rows:
        found.setdefault(network(row).version, []).append(row)
    return [found[version] for version in sorted(found)]


_FREE = 12
"""Bits of the numbers of free subnets that are tried: up to 4,095."""


def rail_space(
    choices: Sequence[Positions], count: int, others: Sequence[IPNetwork] = ()
) -> tuple[int, RailSpace] | None:
    """(index of the choice, the smallest range, or else the smallest network for each rail, in which every
    position has exactly its subnet); None if there is none. ``others``: what something else has, so that it
    is in no range unless a subnet of the rails overlaps it (NP205)."""
    found = [*_spaces(choices, count)]
    apart = (each for each in found if not _over(each[1], choices[each[0]], others))
    return next(apart, found[0] if found else None)


def _spaces(choices: Sequence[Positions], count: int) -> Iterator[tuple[int, RailSpace]]:
    for fitting in (_supernet, _rail_networks):
        for index, seen in enumerate(choices):
            networks = list(seen.values())
            if networks and len({(n.version, n.prefixlen) for n in networks}) == 1:
                space = fitting(seen, count, networks[0])
                if space is not None:
                    yield index, space


def _over(space: RailSpace, seen: Positions, others: Iterable[IPNetwork]) -> bool:
    def touches(networks: Iterable[IPNetwork], other: IPNetwork) -> bool:
        return any(other in network or network in other for network in networks)

    return any(touches(space.networks, each) and not touches(seen.values(), each) for each in others)


def later_rail_space(
    choices: Sequence[Positions], count: int, others: Sequence[IPNetwork] = ()
) -> tuple[int, RailSpace] | None:
    """As ``rail_space``, else with the fewest subnets at the start of each rail's part that stay free."""
    if (found := rail_space(choices, count, others)) is not None:
        return found
    for free in sorted({number for seen in choices for number in _free(seen)}):
        later = [{(rail, at + free): n for (rail, at), n in seen.items()} for seen in choices]
        if (found := rail_space(later, count, others)) is not None:
            return found[0], replace(found[1], first_subnet=free)
    return None


def _free(seen: Positions) -> Iterator[int]:
    """Numbers of free subnets with which the first network has its position in a part of 2, 4, 8, ..."""
    for (_, at), network in islice(seen.items(), 1):
        unit = 1 << ((32 if network.version == 4 else 128) - network.prefixlen)
        yield from ((network.first // unit - at) % (1 << bits) for bits in range(1, _FREE + 1))


def _supernet(seen: Positions, count: int, first: IPNetwork) -> RailSpace | None:
    prefix, bits = first.prefixlen, 32 if first.version == 4 else 128
    unit = 1 << (bits - prefix)
    for rail_prefix in range(prefix, 0, -1):
        step = 1 << (prefix - rail_prefix)
        starts = {n.first // unit - rail * step - at for (rail, at), n in seen.items()}
        length = rail_prefix - (count - 1).bit_length()
        if length < 0 or all(at >= step for _, at in seen):
            continue
        start = starts.pop() * unit
        fits = not starts and start >= 0 and start % (1 << (bits - length)) == 0
        if fits and all(at < step for _, at in seen):
            supernet = IPNetwork(f"{IPAddress(start, first.version)}/{length}")
            return RailSpace("supernets", (supernet,), prefix, rail_prefix)
    return None


def _rail_networks(seen: Positions, count: int, first: IPNetwork) -> RailSpace | None:
    """All of one length if they can be, as a site plans them; else each the smallest."""
    most = max(at for _, at in seen)
    return _by_rail(seen, count, first, most) or _by_rail(seen, count, first, 0)


def _by_rail(seen: Positions, count: int, first: IPNetwork, at_least: int) -> RailSpace | None:
    """``at_least``: position that every rail has room for."""
    bits = 32 if first.version == 4 else 128
    unit, found = 1 << (bits - first.prefixlen), []
    for rail in range(count):
        own = {at: network for (number, at), network in seen.items() if number == rail}
        starts = {network.first - at * unit for at, network in own.items()}
        length = first.prefixlen - max([*own, at_least]).bit_length()
        start = starts.pop() if starts else -1
        if starts or length < 0 or start < 0 or start % (1 << (bits - length)):
            return None
        found.append(IPNetwork(f"{IPAddress(start, first.version)}/{length}"))
    apart = all(one.last < other.first for one, other in pairwise(sorted(found)))
    return RailSpace("rail_networks", tuple(found), first.prefixlen) if apart else None


def gateway_word(network: IPNetwork, gateway: str) -> str:
    """``first``, ``last`` or ``none``; empty for another address of the subnet, or one outside."""
    if not gateway:
        return "none"
    first, last = usable(network)
    address = parse_address(gateway)
    if address is None or address.version != network.version:
        return ""
    return {first: "first", last: "last"}.get(int(address) - network.first, "")
