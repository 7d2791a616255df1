"""The cabling table of a switch, for those who plug in the cables."""

from __future__ import annotations

COLUMNS = (
    "switch",
    "port",
    "peer_kind",
    "peer",
    "peer_port",
    "rail",
    "speed_gbps",
    "cable_m",
    "pci",
    "netdev",
)
"""``peer_kind``: host or switch. ``peer_port``: the other switch's port, or the host's HCA; ``rail``, ``pci``
and ``netdev`` (empty if not stated) are the HCA's."""
