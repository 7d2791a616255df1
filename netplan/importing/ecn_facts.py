"""What the page of an import says of ECN thresholds that were stated in another unit than bytes."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Source
from netplan.importing.facts import Fact
from netplan.reading.switches.ecn_units import UNITS


def unit_facts(number: str, low: str, high: str, unit: str, at: Source) -> Iterator[Fact]:
    """``number``: of the class."""
    if unit not in UNITS:
        yield Fact("class", (number,), f"ecn_in/{unit}", f"{low} to {high} {unit}", at)
    elif unit != "bytes":
        yield Fact("class", (number,), f"ecn_by/{unit}", UNITS[unit], at)
