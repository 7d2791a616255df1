"""Thresholds of ECN with a unit, as EOS and NX-OS print them.

EOS has bytes, kbytes, mbytes, segments and milliseconds (aristanetworks/avd, eos_cli_config_gen,
uc_tx_queues.random_detect.ecn.threshold.units). That a kbyte has 1,000 bytes is not confirmed for either, and
the page says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Source
from netplan.importing.facts import Fact

_UNITS = {"bytes": 1, "kbytes": 1_000, "mbytes": 1_000_000}


def in_bytes(low: str, high: str, unit: str) -> tuple[int, int] | None:
    """None for a unit whose size depends on the ASIC."""
    size = _UNITS.get(unit)
    return (int(low) * size, int(high) * size) if size is not None else None


def unit_facts(number: str, low: str, high: str, unit: str, at: Source) -> Iterator[Fact]:
    """What the page says of the thresholds of a class in another unit than bytes."""
    if unit not in _UNITS:
        yield Fact("class", (number,), f"ecn_in/{unit}", f"{low} to {high} {unit}", at)
    elif unit != "bytes":
        yield Fact("class", (number,), f"ecn_by/{unit}", _UNITS[unit], at)
