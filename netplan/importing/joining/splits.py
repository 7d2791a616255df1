"""Ports that a switch splits otherwise than the inventory does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.importing.facts import Said, Site, place
from netplan.importing.joining.known import Change
from netplan.importing.splits import SPLIT, parts_of
from netplan.model.plan import Plan
from netplan.model.ranges import gathered
from netplan.model.switch_ports import PhysicalPort


def split_changes(site: Site, plan: Plan, names: Mapping[str, str]) -> Iterator[Change]:
    """``names``: of switches, in the dumps -> in the inventory. Ports that are alike are one change, with the
    place of the first."""
    planned = {(plan_of.name, port.name): port for plan_of in plan.switches for port in plan_of.physical}
    found: dict[tuple[str, str, object], list[tuple[str, Said]]] = {}
    for switch, port in (of for of in site.every("port") if len(of) == 2):
        own = planned.get((names.get(switch, switch), port))
        said = site.said("port", (switch, port), SPLIT)
        if own is not None and said is not None and _differs(own, said):
            key = (names.get(switch, switch), _text(own), said.value)
            found.setdefault(key, []).append((port, said))
    for (switch, plans, runs), mine in found.items():
        whom = f"{switch} {gathered(port for port, _ in mine)}"
        yield Change("differs", whom, f"breakout: {plans} (planned) or {runs} ({place(mine[0][1].at)})")


def _differs(own: PhysicalPort, said: Said) -> bool:
    parts, gbps = parts_of(said)
    return own.parts != parts or bool(gbps and own.parts > 1 and own.part_gbps != gbps)


def _text(own: PhysicalPort) -> str:
    return f"{own.parts}x{own.part_gbps}G" if own.parts > 1 else "none"
