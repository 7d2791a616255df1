"""Numbers that a switch operating system keeps for itself or cannot serve as stated."""

from __future__ import annotations

from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StrictQueues:
    """``highest``: none may be below a weighted queue. ``marks``: ECN works on them."""

    highest: bool
    marks: bool
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LossyPriorities:
    """Priorities that cannot be lossless, and why."""

    numbers: tuple[int, ...]
    why: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservedVlans:
    """VLAN ids that the switch has taken, ``first`` and ``last`` among them. ``move``: what moves them."""

    first: int
    last: int
    move: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchBounds:
    """What holds for one NOS, or one ASIC family under it.

    ``routed_vlans``: the id from which on routed ports take VLANs, 0 where they take none.
    """

    strict_queues: StrictQueues | None
    lossy_priorities: LossyPriorities | None
    reserved_vlans: ReservedVlans | None
    routed_vlans: int
