"""Hosts outside Kubernetes and their SONiC leaves, as ``collect.sh`` and ``config save`` write them: a leaf
and a VLAN for each rail, which changes can be made to before an import."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from netplan.importing.run import Imported, import_texts

Tables = dict[str, dict[str, Any]]
BUSES = ("18", "28", "38", "48", "58", "68", "78", "88")

PORT = {"speed": "400000", "mtu": "9216", "admin_status": "up"}
LAYERS = {"ethernet": "Ethernet", "infiniband": "InfiniBand"}
TYPES = {"ethernet": 1, "infiniband": 32}
"""Of the interface, as in sysfs."""


@dataclass
class Bare:
    """``leaves``: config_db of leaf-1 and so on; ``near``: how ``nvidia-smi topo -m`` calls the way between
    a rail's card and the GPU of its number; ``vlans``: of the leaves; ``speeds``: of (host, card);
    ``links``: link types of the cards."""

    hosts: int = 4
    rails: int = 4
    near: Sequence[str] = ("PIX",) * 8
    vlans: Sequence[int] = range(100, 108)
    links: Sequence[str] = ("ethernet",) * 8
    speeds: dict[tuple[int, int], int] = field(default_factory=dict)
    leaves: dict[str, Tables] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rail in range(self.rails):
            self.leaves[f"leaf-{rail + 1}"] = self.leaf(f"leaf-{rail + 1}", self.vlans[rail], rail)

    def leaf(self, name: str, vlan: int, rail: int) -> Tables:
        ports = {host: f"Ethernet{8 * host}" for host in range(self.hosts)}
        beside = {
            port: {"name": f"gpu-{host + 1}", "port": f"ens{BUSES[rail]}np0"} for host, port in ports.items()
        }
        return {
            "DEVICE_METADATA": {"localhost": {"hostname": name, "hwsku": "ACS-MSN4700"}},
            "PORT": {
                port: {"speed": "400000", "mtu": "9216", "admin_status": "up"} for port in ports.values()
            },
            "DEVICE_NEIGHBOR": beside,
            "VLAN": {f"Vlan{vlan}": {"vlanid": str(vlan)}},
            "VLAN_MEMBER": {f"Vlan{vlan}|{port}": {"tagging_mode": "untagged"} for port in ports.values()},
            "VLAN_INTERFACE": {f"Vlan{vlan}": {}, f"Vlan{vlan}|172.16.{rail}.1/24": {}},
        }

    def without_neighbours(self, host: int, *rails: int) -> None:
        for rail in rails:
            del self.leaves[f"leaf-{rail + 1}"]["DEVICE_NEIGHBOR"][f"Ethernet{8 * (host - 1)}"]

    def host(self, number: int) -> str:
        rows = [
            f"pci=0000:{BUSES[rail]}:00.0 vendor=0x15b3 device=0x1021 numa=0 vfs=0 net=ens{BUSES[rail]}np0 "
            f"mac=b8:ce:f6:00:{number:02x}:{rail:02x} mtu=9000 type={TYPES[self.links[rail]]} "
            f"speed={self.speeds.get((number, rail), 400000)} ib=mlx5_{rail} "
            f"link_layer={LAYERS[self.links[rail]]}"
            for rail in range(self.rails)
        ]
        return "\n".join(["# netplan collect 1: pci", *rows]) + "\n"

    def topology(self) -> str:
        nics = [f"NIC{rail}" for rail in range(self.rails)]
        gpus = [f"GPU{gpu}" for gpu in range(self.rails)]
        lines = ["\t".join(["", *gpus, *nics, "CPU Affinity"])]
        for gpu, name in enumerate(gpus):
            ways = [self.near[rail] if rail == gpu else "SYS" for rail in range(self.rails)]
            lines.append(
                "\t".join([name, *(" X " if g == gpu else "NV18" for g in range(len(gpus))), *ways, "0"])
            )
        legend = [f"  {nic}: mlx5_{rail}" for rail, nic in enumerate(nics)]
        return "\n".join([*lines, "", "Legend:", "", "  X    = Self", "", "NIC Legend:", "", *legend]) + "\n"

    def texts(self) -> dict[str, str]:
        found = {f"{name}.json": json.dumps(tables, indent=1) for name, tables in self.leaves.items()}
        for number in range(1, self.hosts + 1):
            found[f"gpu-{number}.sysfs.txt"] = self.host(number)
            found[f"gpu-{number}.topo.txt"] = self.topology()
        return found

    def imported(self) -> Imported:
        return import_texts(self.texts(), "site")
