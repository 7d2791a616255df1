"""VLANs of networks that only the name of a host interface shows."""

from __future__ import annotations

from typing import Any

_DIGITS = 4


def vlan_of_master(plugin: dict[str, Any]) -> int | None:
    """``bond0.20`` is VLAN 20 of bond0, as tools for networks name it; None without such a name."""
    master = str(plugin.get("master") or "")
    sub = master.rpartition(".")[2] if "." in master else ""
    return int(sub) if sub.isdecimal() and len(sub) <= _DIGITS else None
