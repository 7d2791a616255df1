"""Address ranges for a design, sized with room to double."""

from __future__ import annotations

from netaddr import IPNetwork

from netplan.presets.ask import Segment
from netplan.presets.fabric import Design
from netplan.records import dataclass

RAILS = IPNetwork("172.16.0.0/13")
"""Default range of the rails; uplinks and loopbacks follow it within 172.16.0.0/12."""
_UPLINKS = IPNetwork("172.24.0.0/14")
_LOOPBACKS = IPNetwork("172.31.240.0/20")
_PODS = IPNetwork("10.128.0.0/9")
_NODE_PODS = 8
"""A /24 of pod addresses per node, the default of most CNIs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """A part of the address plan: 2**``bits`` addresses, the first ones of ``within``."""

    name: str
    bits: int
    within: IPNetwork

    @property
    def fits(self) -> bool:
        return bool(self.bits <= 32 - self.within.prefixlen)

    @property
    def network(self) -> str:
        return f"{self.within.network}/{32 - self.bits}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricAddresses:
    """``prefix``: length of one rail's subnet; ``rail_prefix``: of a rail's part; ``first_spine``: its id."""

    supernet: Space
    uplinks: Space
    loopbacks: Space
    prefix: int
    rail_prefix: int
    first_spine: int

    @property
    def too_small(self) -> tuple[Space, ...]:
        return tuple(space for space in (self.supernet, self.uplinks, self.loopbacks) if not space.fits)


def _bits(count: int) -> int:
    """The fewest bits with which ``count`` can be counted."""
    return max(count - 1, 0).bit_length()


def plan(design: Design, segment: Segment, per_host: int, within: IPNetwork | None) -> FabricAddresses:
    """``per_host``: addresses of a host on a rail."""
    numbers = design.numbers
    if segment == "host":
        own, parts = 1, 2 * numbers.hosts  # a /31 for each host id
    else:
        own = _bits(
            (design.per_leaf + 1) * per_host + 2
        )  # one block of the pool for the gateway, plus network and broadcast
        parts = 2 * design.groups
    rail = own + _bits(parts)
    spines = 101 if design.leaves <= 100 else 1001
    return FabricAddresses(
        supernet=Space(name="rails", bits=rail + _bits(numbers.rails), within=within or RAILS),
        uplinks=Space(
            name="uplinks", bits=_bits(2 * design.leaves * max(design.uplinks, 1) * 2), within=_UPLINKS
        ),
        loopbacks=Space(name="loopbacks", bits=_bits(spines + design.spines), within=_LOOPBACKS),
        prefix=32 - own,
        rail_prefix=32 - rail,
        first_spine=spines,
    )


def pod_cidr(hosts: int) -> Space:
    """A range that has a /24 for each node, with room to double."""
    return Space(name="pods", bits=max(_bits(2 * hosts), 8) + _NODE_PODS, within=_PODS)
