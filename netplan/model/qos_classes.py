"""Traffic classes as the inventory states them; ``netplan.model.qos`` has what follows from them."""

from __future__ import annotations

from dataclasses import field

from netplan.diagnostics import Path
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ecn:
    """Thresholds in bytes, probability in percent."""

    kmin_bytes: int
    kmax_bytes: int
    probability_percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QosClass:
    """``ecn``: stated thresholds; ``ecn_rule``: derives them instead, see ``plan/ecn.py``."""

    name: str
    dscp: int
    priority: int
    lossless: bool
    bandwidth_percent: int | None
    scheduling: str
    ecn: Ecn | None
    ecn_rule: str | None
    at: Path = field(compare=False, repr=False)

    @property
    def marked(self) -> bool:
        """Whether switches mark its packets."""
        return self.ecn is not None or self.ecn_rule is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watchdog:
    """Times in milliseconds."""

    poll_ms: int
    detection_ms: int
    restoration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Qos:
    """``classes`` in order of priority; ``cnp`` is one of them. ``nic_pfc_stall_ms``: in milliseconds."""

    trust: str
    classes: tuple[QosClass, ...]
    watchdog: Watchdog | None
    nic_pfc_stall_ms: int | None
    at: Path = field(compare=False, repr=False)

    @property
    def lossless(self) -> tuple[QosClass, ...]:
        return tuple(c for c in self.classes if c.lossless)

    @property
    def cnp(self) -> QosClass | None:
        return next((c for c in self.classes if c.name == "cnp"), None)
