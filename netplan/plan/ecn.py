"""ECN thresholds the inventory leaves to a named rule, derived from the port speed of a switch."""

from __future__ import annotations

from collections.abc import Mapping

from netplan.model.qos import TrafficClass
from netplan.model.qos_classes import Ecn
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EcnRule:
    """Kmin = ``base_bytes`` + ``bytes_per_gbps`` x Gb/s; Kmax = ``ratio`` x Kmin."""

    base_bytes: int
    bytes_per_gbps: int
    ratio: int
    probability_percent: int
    formula: str
    source: str

    def thresholds(self, speed_gbps: int) -> Ecn:
        kmin = self.base_bytes + self.bytes_per_gbps * speed_gbps
        return Ecn(
            kmin_bytes=kmin, kmax_bytes=kmin * self.ratio, probability_percent=self.probability_percent
        )


RULES: Mapping[str, EcnRule] = {
    "hpcc": EcnRule(
        base_bytes=0,
        bytes_per_gbps=4000,
        ratio=4,
        probability_percent=20,
        formula="4,000 bytes x Gb/s of the slowest RDMA port; Kmax 4 x Kmin; 20 %",
        source="Alibaba HPCC, simulation/mix/config.txt: 100 to 400 kB at 25 Gb/s, 400 to 1600 at 100",
    ),
    "nvidia": EcnRule(
        base_bytes=150_000,
        bytes_per_gbps=0,
        ratio=10,
        probability_percent=100,
        formula="150 kB at any speed; Kmax 10 x Kmin; 100 %",
        source="NVIDIA Onyx and Cumulus Linux, RoCE defaults",
    ),
}


def thresholds(traffic_class: TrafficClass, speed_gbps: int) -> Ecn | None:
    """Thresholds of one class on a switch; ``speed_gbps``: of its slowest RDMA port, 0 without any.

    A queue has one profile for all ports. Sized for the slowest port, it marks early on faster ones, never
    late.
    """
    if traffic_class.ecn is not None or traffic_class.ecn_rule is None or not speed_gbps:
        return traffic_class.ecn
    return RULES[traffic_class.ecn_rule].thresholds(speed_gbps)
