"""VLANs of networks that only the name of a host interface shows."""

from __future__ import annotations

from typing import Any

_DIGITS = 4


def vlan_of_master(plugin: dict[str, Any]) -> int | None:
    """``bond0.20`` is VLAN 20 of bond0, as tools for networks name it; None without such a name."""
    master = str(plugin.get("master") or "")
    sub = master.rpartition(".")[2] if "." in master else ""
    return int(sub) if sub.isdecimal() and len(sub) <= _DIGITS else None


def standing_on(master: str) -> tuple[str, ...]:
    """Interfaces that a master may be, the nearest first: that of its name, or the one it is a VLAN of."""
    names = (master, master.rpartition(".")[0], master.partition(".")[0])
    return tuple(dict.fromkeys(name for name in names if name))
