"""Pools of different networks that give out the same addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from netaddr import IPNetwork

from netplan.importing.facts import Contradiction, Said, Site, place
from netplan.importing.networks import FoundNetwork, NetworkRow, exclusions_of, subnet_of_pool
from netplan.model.values import natural, parse_address, usable

_COMPARED = 16
"""Enclosing pools that one is compared with: it bounds the work that a dump can cause."""


@dataclass(frozen=True, slots=True)
class _Pool:
    """``part``: the first network that has it."""

    name: str
    network: IPNetwork
    said: Said
    part: FoundNetwork

    @property
    def is_own(self) -> bool:
        """Whether the IPAM has its range in the network itself, and keeps its allocations by range."""
        return self.name == "/".join(self.part.of)

    def __str__(self) -> str:
        whose = f"network {self.name}" if self.is_own else f"pool {self.name} of network {self.part.of[1]}"
        return f"{whose}, {self.network} ({place(self.said.at)})"


def pool_overlaps(site: Site, rows: Iterable[NetworkRow]) -> Iterator[Contradiction]:
    """For each pool that others are in, the first of them, with the number of the others."""
    found: dict[str, list[_Pool]] = {}
    outer: dict[str, _Pool] = {}
    around: list[_Pool] = []
    for pool in sorted(_pools(site, rows), key=_order):
        around = [other for other in around[-_COMPARED:] if pool.network in other.network]
        for other in around:
            if _alike(pool, other, site):
                found.setdefault(other.name, []).append(pool)
                outer[other.name] = other
                break
        around.append(pool)
    for name, inner in found.items():
        why = f"{inner[0]} overlaps {outer[name]}: pods of both may get one address"
        yield Contradiction(why, len(inner) - 1)


def _pools(site: Site, rows: Iterable[NetworkRow]) -> Iterator[_Pool]:
    """Those that networks use, each once."""
    parts = sorted((part for row in rows for part in row.parts), key=lambda part: [*map(natural, part.of)])
    first: dict[str, FoundNetwork] = {}
    for part in parts:
        for name in part.pools:
            first.setdefault(name, part)
    for name, part in first.items():
        if (seen := subnet_of_pool(site, name)) is not None:
            yield _Pool(name, seen[0], seen[2], part)


def _order(pool: _Pool) -> tuple[int, int, int, object]:
    """An enclosing network before those in it."""
    network = pool.network
    return network.version, network.first, -network.last, natural(pool.name)


def _alike(one: _Pool, other: _Pool, site: Site) -> bool:
    """Whether both give out an address. One range of one rail, stated in two networks, is the same pool."""
    same = one.network == other.network and one.is_own and other.is_own
    where = [(pool.part.rail, pool.part.number("vlan") or 0) for pool in (one, other)]
    return not (same and where[0] == where[1]) and _is_left(one, other, site)


def _is_left(one: _Pool, other: _Pool, site: Site) -> bool:
    """Whether neither excludes an address that is in both."""
    ends = [tuple(pool.network.first + end for end in usable(pool.network)) for pool in (one, other)]
    at, last = max(low for low, _ in ends), min(high for _, high in ends)
    for low, high in sorted((*_excluded(site, one), *_excluded(site, other))):
        if low > at:
            break
        at = max(at, high + 1)
    return at <= last


def _excluded(site: Site, pool: _Pool) -> Iterator[tuple[int, int]]:
    """Its gateway too."""
    gateway = parse_address(site.text("pool", (pool.name,), "gateway"))
    if gateway is not None:
        yield int(gateway), int(gateway)
    for (low, high), _ in exclusions_of(site, pool.name):
        yield int(low), int(high)
