"""A site with split ports on each NOS: parts of eight ports to 16 hosts, whole ports between the switches."""

from __future__ import annotations

from typing import Any

from tests.switch_site import Site, site
from tests.vendors.sites import PORTS

NIC = {"model": "connectx-7", "netdev": "ens1f[0-3]", "rail": 0, "speed_gbps": 400, "use": "pf"}
PARTS = {
    "arista-eos": ("Ethernet[1-8]/[1-5/4]", "Ethernet[9-12]/1", "Ethernet[13-16]/1", "Ethernet", "/1"),
    "cisco-nxos": ("Ethernet1/[1-8]/[1-2]", "Ethernet1/[9-12]", "Ethernet1/[13-16]", "Ethernet1/", ""),
    "cumulus-nvue": ("swp[1-8]s[0-1]", "swp[9-12]", "swp[13-16]", "swp", ""),
    "dell-os10": ("ethernet1/1/[1-8]:[1-2]", "ethernet1/1/[9-12]", "ethernet1/1/[13-16]", "ethernet1/1/", ""),
    "h3c-comware": (
        "HundredGigE1/0/[1-8]:[1-2]",
        "HundredGigE1/0/[9-12]",
        "HundredGigE1/0/[13-16]",
        "HundredGigE1/0/",
        "",
    ),
    "huawei-vrp": ("200GE1/0/[1-8]:[1-2]", "400GE1/0/[9-12]", "400GE1/0/[13-16]", "400GE1/0/", ""),
    "juniper-junos": ("et-0/0/[1-8]:[0-1]", "et-0/0/[9-12]", "et-0/0/[13-16]", "et-0/0/", ""),
    "onyx": ("1/[1-8]/[1-2]", "1/[9-12]", "1/[13-16]", "1/", ""),
    "sonic": ("Ethernet[0-60/4]", "Ethernet[64-88/8]", "Ethernet[96-120/8]", "", ""),
}
"""NOS -> ports to 16 hosts, two on each split port; uplinks to two spines; text around a spine port."""
ASICS = {nos: asic for nos, (_, asic) in PORTS.items()} | {
    "sonic": "spectrum-4",
    "cumulus-nvue": "spectrum-4",
}


def split_site(nos: str, speed: int = 200, **changes: Any) -> Site:
    hosts, first, second, before, after = PARTS[nos]
    links: list[dict[str, Any]] = []
    for leaf in range(1, 5):
        down = {"hosts": "gpu-[001-016]", "hca": f"roce{leaf - 1}", "switch": f"leaf-{leaf}"}
        links.append(down | {"ports": hosts, "cable_m": 5})
        for number, ports in ((1, first), (2, second)):
            low, high = leaf * 4 - 3, leaf * 4
            spine = f"{before}[{low}-{high}]{after}" if before else f"Ethernet[{low * 8}-{high * 8}/8]"
            up = {"switches": f"leaf-{leaf}", "ports": ports, "to": f"spine-{number}", "to_ports": spine}
            links.append(up | {"cable_m": 40, "speed_gbps": 400})
    box = {"asic": ASICS[nos], "ports": 64, "lanes": 8, "speeds_gbps": [100, 200, 400], "host_table": 16384}
    base = {
        "catalog": {"switches": {"box": box | {"source": "https://example.com/box"}}},
        "switch_types__leaf": {"nos": nos, "model": "box", "port_mtu": 9214},
        "host_types__gpu__hcas": {"roce[0-3]": NIC | {"speed_gbps": speed}},
        "links": links,
    }
    return site(**base | changes)
