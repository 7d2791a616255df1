"""One QoS statement followed from application to wire; NIC, switch and pod values all come from here."""

from __future__ import annotations

from netplan.model.qos_classes import Ecn, Watchdog
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficClass:
    """One class on every hop.

    ``priority`` is NIC priority, PFC priority, switch traffic class, priority group and queue in one.
    ``weight_percent``: share among the queues that are not strict, 0 if strict. ``tos``: the traffic class
    byte an application sets, ``dscp << 2 | 2`` (ECT(0)). ``ecn``: stated thresholds; ``ecn_rule``: derives
    them on each switch instead.
    """

    name: str
    dscp: int
    priority: int
    tos: int
    lossless: bool
    strict: bool
    weight_percent: int
    ecn: Ecn | None
    ecn_rule: str | None

    @property
    def marked(self) -> bool:
        return self.ecn is not None or self.ecn_rule is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class QosPlan:
    """``classes`` by priority, without best effort.

    ``dscp_to_priority`` has all 64 code points; those that no class names are best effort, priority 0.
    ``weights``: share in percent of each priority 0..7, 0 for strict and unused ones. ``pfc``: the lossless
    priorities.
    """

    trust: str
    classes: tuple[TrafficClass, ...]
    cnp: TrafficClass | None
    best_effort_percent: int
    dscp_to_priority: tuple[int, ...]
    weights: tuple[int, ...]
    strict: tuple[int, ...]
    pfc: tuple[int, ...]
    watchdog: Watchdog | None

    def traffic_class(self, name: str) -> TrafficClass:
        return next(c for c in self.classes if c.name == name)

    @property
    def cnp_dscp(self) -> int | None:
        return None if self.cnp is None else self.cnp.dscp

    @property
    def cnp_priority(self) -> int | None:
        return None if self.cnp is None else self.cnp.priority

    @property
    def pfc_mask(self) -> tuple[int, ...]:
        """Eight 0/1, priority 0 first."""
        return tuple(int(p in self.pfc) for p in range(8))


def nic_priority(dscp: int) -> int:
    """Default priority of an NVIDIA NIC for a code point with trust dscp.

    Source: what mlnx_qos prints after ``--trust dscp`` (att/netarbiter
    nvmf/OUTPUTSAMPLE.setup-nic-lossless-layer3.sh.md).
    """
    return dscp // 8
