"""The site of ``switch_site`` on Arista EOS, smaller: two rails, two leaves, two spines, 400 Gb/s."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.model.switch_ports import PortVlans
from tests.switch_site import Site, fabric_of, inventory, planned

PF = {"model": "connectx-7", "netdev": "ens1f[0-1]", "rail": 0, "speed_gbps": 400, "use": "vf", "vfs": 8}
HOSTS = "gpu-[001-016]"


def eos_site(
    model: str = "7060x6-64pe",
    models: Mapping[str, Any] | None = None,
    ports: str = "Ethernet[1-16]/1",
    speed: int = 400,
    port_vlans: Mapping[tuple[str, str], tuple[tuple[int, ...], int | None]] | None = None,
    **changes: Any,
) -> Site:
    """``models``: rows for the catalog. ``ports``: of the hosts, at ``speed`` Gb/s.

    ``port_vlans``: (tagged, untagged) VLANs of ports, in place of what VFs use.
    """
    links: list[dict[str, Any]] = []
    for leaf in (1, 2):
        down = {"hosts": HOSTS, "hca": f"roce{leaf - 1}", "switch": f"leaf-{leaf}"}
        links.append(down | {"ports": ports, "cable_m": 5})
        for spine in (1, 2):
            up = {"switches": f"leaf-{leaf}", "ports": f"Ethernet{16 + spine}/1", "to": f"spine-{spine}"}
            links.append(up | {"to_ports": f"Ethernet{leaf}/1", "cable_m": 40})
    base: dict[str, Any] = {
        "switch_types__leaf": {"nos": "arista-eos", "model": model, "host_table": 65536, "port_mtu": 9214},
        "switches": {
            "leaf-[1-2]": {"type": "leaf", "id": 1, "role": "leaf"},
            "spine-[1-2]": {"type": "leaf", "id": 101, "role": "spine"},
        },
        "host_types__gpu__hcas": {"roce[0-1]": PF | {"speed_gbps": speed}},
        "rails__count": 2,
        "rails__vlan_ids": "100-101",
        "links": links,
    }
    if models:
        base["catalog"] = {"switches": dict(models)}
    vlans = {key: PortVlans(*value) for key, value in (port_vlans or {}).items()}
    return planned(fabric_of(inventory(**base | changes)), vlans)


def lines_of(text: str) -> list[tuple[str, str]]:
    """(enclosing modes, line) of every command, without lines that only enter a mode, and without
    comments."""
    found: list[tuple[str, str]] = []
    modes: list[str] = []
    for line in text.splitlines():
        command = line.strip()
        if not command or command.startswith("!"):
            continue
        depth = (len(line) - len(line.lstrip(" "))) // 3
        modes = [*modes[:depth], command]
        found.append((" / ".join(modes[:-1]), command))
    return found
