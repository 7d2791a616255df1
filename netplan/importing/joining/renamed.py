"""Switches that the dumps call otherwise than the inventory: the loopback is the same, and no dump shows the
inventory's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from netaddr import IPAddress

from netplan.importing.cabling import SWITCH, Cable
from netplan.importing.facts import Site, place
from netplan.importing.joining.known import Known
from netplan.importing.switches import PLATFORM, SwitchRow
from netplan.model.hardware import Switch
from netplan.model.values import nth_address, parse_address

OF_RECORD = frozenset({"heard", "seen", "recorded", "device_type", PLATFORM})
"""Fields of switches that come from other sources than their own dumps."""


def loopback_id(known: Known, site: Site, name: str) -> tuple[int, str]:
    """Number of its loopback in the inventory's range, and the place; 0 if there is none."""
    said, underlay = site.said("switch", (name,), "loopback"), known.fabric.underlay
    loopback = parse_address(str(said.value)) if said else None
    if said is None or loopback is None or underlay is None or loopback not in underlay.loopbacks:
        return 0, ""
    return int(loopback) - underlay.loopbacks.first, f"number of its loopback, {place(said.at)}"


def planned_loopback(known: Known, switch: Switch) -> IPAddress | None:
    underlay = known.fabric.underlay
    return nth_address(underlay.loopbacks, switch.id) if underlay is not None else None


def renamed_switches(known: Known, site: Site, rows: Iterable[SwitchRow]) -> dict[str, str]:
    """Name in the dumps -> name in the inventory. A record of cables may still have the old name."""
    shown = {row.name for row in rows if row.fields.keys() - OF_RECORD}
    free = {switch.id: name for name, switch in known.switches.items() if name not in shown}
    found: dict[str, list[str]] = {}
    for name in sorted(shown - known.switches.keys()):
        number, _ = loopback_id(known, site, name)
        if number in free:
            found.setdefault(free[number], []).append(name)
    return {names[0]: name for name, names in found.items() if len(names) == 1}


def with_names(cables: Sequence[Cable], names: Mapping[str, str]) -> list[Cable]:
    """Cables between the inventory's names."""
    found = []
    for cable in cables:
        far, *of = cable.far
        far = names.get(far, far) if cable.kind == SWITCH else far
        found.append(replace(cable, switch=names.get(cable.switch, cable.switch), far=(far, *of)))
    return found
