"""Numbers that a switch operating system reserves, or cannot support as stated."""

from __future__ import annotations

from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StrictQueues:
    """``highest``: no strict queue may be below a weighted one. ``marks``: ECN works on strict queues."""

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
    """VLAN IDs that the switch reserves, from ``first`` to ``last``. ``move``: what moves the range."""

    first: int
    last: int
    move: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchBounds:
    """Limits of one NOS, or of one ASIC family under it.

    ``routed_vlans``: first VLAN ID that routed ports use internally, 0 if they use none.
    """

    strict_queues: StrictQueues | None
    lossy_priorities: LossyPriorities | None
    reserved_vlans: ReservedVlans | None
    routed_vlans: int
