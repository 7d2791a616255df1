"""ECN thresholds that the inventory does not state: a named rule and the speed of a switch's ports."""

from __future__ import annotations

from collections.abc import Mapping

from netplan.model.qos import TrafficClass
from netplan.model.qos_classes import Ecn
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EcnRule:
    """Kmin is ``base_bytes`` plus ``bytes_per_gbps`` for each Gb/s; Kmax is ``ratio`` times Kmin."""

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
    """Of one class on a switch whose slowest RDMA port has ``speed_gbps``, 0 without such ports.

    A queue has one profile for all ports: taken from the slowest, it marks early on faster ones, never late.
    """
    if traffic_class.ecn is not None or traffic_class.ecn_rule is None or not speed_gbps:
        return traffic_class.ecn
    return RULES[traffic_class.ecn_rule].thresholds(speed_gbps)
