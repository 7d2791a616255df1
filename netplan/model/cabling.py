"""The cabling table of a switch, a file that is rendered and read back."""

from __future__ import annotations

COLUMNS = (
    "switch",
    "nos",
    "port",
    "peer_kind",
    "peer",
    "peer_port",
    "rail",
    "speed_gbps",
    "cable_m",
    "host_type",
    "pci",
    "netdev",
    "labels",
)
"""``peer_kind``: host or switch. ``peer_port``: the other switch's port, or the host's HCA, of which
``rail``, ``pci`` and ``netdev`` (empty where not stated) are. ``labels``: of the host as a Kubernetes node,
``key=value`` with ``;`` between them."""
