"""Units that a NOS and an ASIC count in, and their defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from netplan.model.nos import NosModel
from netplan.model.readback import Pools, Steps
from netplan.model.switch_qos import ecn_divisor
from netplan.reading.switches.files import Facts
from netplan.reading.switches.rules import Rules
from netplan.records import dataclass

_ARP_SECONDS = {"s": 1, "min": 60}
_WATCHDOG_MS = {"ms": 1, "100ms": 100, "s": 10}


@dataclass(frozen=True, slots=True)
class Units:
    """Bytes per unit of ECN, 0.0 if not known; bytes by which a port's MTU exceeds the IP packet; seconds
    per unit of ARP age."""

    ecn: float
    below_ip: int
    age: int


def units_of(rules: Rules, asic: str, queue_bytes: int) -> Units:
    units = rules.nos.units
    divisor = ecn_divisor(units.ecn, rules.nos.asics.get(asic), queue_bytes)
    return Units(divisor, units.mtu_overhead, _ARP_SECONDS[units.arp])


def steps_of(rules: Rules, asic: str, queue_bytes: int) -> Steps:
    """Resolution of the numbers; for an ASIC that counts watchdog times in steps, its largest step."""
    nos = rules.nos
    family = nos.asics.get(asic)
    timer = family.watchdog if family is not None else None
    return Steps(
        ecn_bytes=ecn_divisor(nos.units.ecn, family, queue_bytes),
        arp_seconds=_ARP_SECONDS[nos.units.arp],
        watchdog_ms=max(timer.steps_ms) if timer else _WATCHDOG_MS[nos.units.watchdog],
        eighths=nos.dscp_map == "eighths",
    )


def entries_kept(rules: Rules, facts: Facts, name: str, number: int) -> Mapping[int, int]:
    """IP version -> the smallest count stated, else the NOS default, at index ``number`` of its
    thresholds."""
    shipped = rules.nos.kernel_neighbours
    found = {version: shipped[number] for version in (4, 6) if shipped}
    for version, fact in ((4, name), (6, f"{name}6")):
        rows: Sequence[Any] = facts.get(fact, ())
        if rows:
            found[version] = min(count for (count,) in rows)
    return found


def pools_of(model: NosModel | None, facts: Facts) -> Pools:
    if model is None or not model.pool_bytes or not facts.get("headroom-table"):
        return {}
    return {(r.speed_gbps, r.cable_m): (model.pool_bytes, r.dynamic_th) for r in model.headroom}


def lengths_of(model: NosModel | None, facts: Facts) -> Mapping[int, frozenset[int]]:
    found: dict[int, frozenset[int]] = {}
    for row in model.headroom if model is not None and facts.get("headroom-table") else ():
        found[row.speed_gbps] = found.get(row.speed_gbps, frozenset()) | {row.cable_m}
    return found
