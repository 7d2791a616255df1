"""Bandwidth of rails and tiers, and the ports they use: what a reader compares before anything is bought."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from netplan.model.switching import SwitchPlan, SwitchPort

Row = tuple[str, str, str]
"""(what, value, what follows)"""


def down_ports(ports: Sequence[SwitchPort]) -> tuple[SwitchPort, ...]:
    """Ports to hosts and to lower switches."""
    return tuple(port for port in ports if port.kind in ("host", "downlink"))


def up_ports(ports: Sequence[SwitchPort]) -> tuple[SwitchPort, ...]:
    """Ports to upper switches and to those of the same tier."""
    return tuple(port for port in ports if port.kind in ("uplink", "peer"))


def rail_ports(ports: Sequence[SwitchPort], rail: int) -> tuple[SwitchPort, ...]:
    return tuple(port for port in ports if port.rail == rail)


def capacity_rows(switches: Sequence[SwitchPlan]) -> tuple[Row, ...]:
    """One row per rail, rails that are alike together, and one per tier."""
    return (*_rails(switches), *_tiers(switches))


def _rails(switches: Sequence[SwitchPlan]) -> list[Row]:
    """Where a leaf has several rails, each has its share of the leaf's links up."""
    down: dict[int, int] = defaultdict(int)
    up: dict[int, float] = defaultdict(float)
    leaves: dict[int, int] = defaultdict(int)
    for switch in switches:
        below, above = _gbps(down_ports(switch.ports)), _gbps(up_ports(switch.ports))
        for rail in {port.rail for port in switch.ports if port.rail is not None}:
            own = _gbps(rail_ports(switch.ports, rail))
            down[rail] += own
            up[rail] += above * own / below
            leaves[rail] += 1
    alike: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for rail in sorted(down):
        alike[leaves[rail], down[rail], round(up[rail])].append(rail)
    return [
        (
            f"rail {_listed(rails)}",
            f"leaves: {count}, {below} Gb/s to hosts, {above} Gb/s up",
            _verdict(below, above),
        )
        for (count, below, above), rails in alike.items()
    ]


def _tiers(switches: Sequence[SwitchPlan]) -> list[Row]:
    tiers: dict[str, list[SwitchPlan]] = defaultdict(list)
    for switch in switches:
        tiers[switch.role].append(switch)
    rows = []
    for role in sorted(tiers):
        members = tiers[role]
        below = sum(_gbps(down_ports(s.ports)) for s in members)
        above = sum(_gbps(up_ports(s.ports)) for s in members)
        used, has = sum(len(s.physical) for s in members), sum(s.type.model.ports for s in members)
        value = f"switches: {len(members)}, {below} Gb/s down, {above} Gb/s up, {used} of {has} ports"
        rows.append((f"tier {role}", value, _verdict(below, above) if above else "the top tier"))
    return rows


def _gbps(ports: Sequence[SwitchPort]) -> int:
    return sum(port.speed_gbps for port in ports)


def _verdict(down: int, up: int) -> str:
    if not up:
        return "no links up: its traffic stays on the leaf"
    return f"oversubscribed {down / up:.2f} to 1" if down > up else "not oversubscribed"


def _listed(rails: Sequence[int]) -> str:
    return ", ".join(map(str, rails))
