"""Thresholds of ECN with a unit, as EOS and NX-OS print them.

EOS has bytes, kbytes, mbytes, segments and milliseconds (aristanetworks/avd, eos_cli_config_gen,
uc_tx_queues.random_detect.ecn.threshold.units). That a kbyte has 1,000 bytes is not confirmed for either, and
the page of an import says so.
"""

from __future__ import annotations

UNITS = {"bytes": 1, "kbytes": 1_000, "mbytes": 1_000_000}


def in_bytes(low: str, high: str, unit: str) -> tuple[int, int] | None:
    """None for a unit whose size depends on the ASIC."""
    size = UNITS.get(unit)
    return (int(low) * size, int(high) * size) if size is not None else None
