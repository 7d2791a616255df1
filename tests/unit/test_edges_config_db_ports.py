"""Edge cases, one fact per case: ports, lanes and subnets in a leaf whose config_db changes a little."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_config_db import PORTS, every, said_of
from tests.unit.test_edges_config_db_rows import interface, local, port
from tests.unit.test_edges_config_db_values import HOSTS, hashed


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP894", {}, []),
        (
            "NP894",
            {"PORT_QOS_MAP": {"Ethernet0": None}},
            [
                (
                    "PORT.Ethernet0: Ethernet0 has no row in PORT_QOS_MAP, 4 other bridged ports of "
                    "speed 100000 have one"
                )
            ],
        ),
        (
            "NP894",
            {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": None}}},
            [
                (
                    "PORT_QOS_MAP.Ethernet0: Ethernet0 has pfc_enable none, 4 other bridged ports of "
                    "speed 100000 have pfc_enable 3,4"
                )
            ],
        ),
        ("NP894", {"PORT_QOS_MAP": {"Ethernet0": None, "Ethernet4": None}}, []),
        (
            "NP894",
            port(mtu="9000"),
            [
                (
                    "PORT.Ethernet0.mtu: Ethernet0 has mtu 9000, 4 other bridged ports of speed 100000 "
                    "have mtu 9216"
                )
            ],
        ),
        (
            "NP894",
            port(mtu=None),
            [("PORT.Ethernet0: Ethernet0 has mtu 9100, 4 other bridged ports of speed 100000 have mtu 9216")],
        ),
        ("NP894", {"PORT": every("Ethernet0", "Ethernet4", mtu="9000")}, []),
        ("NP894", port(mtu="9000", admin_status="down"), []),
        ("NP894", port(mtu="9000", speed="40000"), []),
        ("NP894", {"PORT": {"Ethernet0": {"mtu": "9000"}, "Ethernet4": {"admin_status": "down"}}}, []),
        (
            "NP894",
            {
                "PORT": {
                    "Ethernet0": {"mtu": "9000"},
                    "Ethernet4": {"admin_status": "down"},
                    "Ethernet8": {"admin_status": "down"},
                }
            },
            [],
        ),
        ("NP894", port("Ethernet20", mtu="9000"), []),
        ("NP894", {"PORT": {"Ethernet28": {"mtu": "9000", "admin_status": "up"}}}, []),
        ("NP894", {"PORT_QOS_MAP": dict.fromkeys(HOSTS[1:])}, []),
        ("NP895", {}, []),
        (
            "NP895",
            hashed("DST_IP", "SRC_IP", "L4_DST_PORT"),
            [
                (
                    "SWITCH_HASH.GLOBAL.ecmp_hash: ecmp_hash has DST_IP, SRC_IP, L4_DST_PORT, but not "
                    "L4_SRC_PORT"
                )
            ],
        ),
        (
            "NP895",
            hashed("L4_SRC_PORT"),
            ["SWITCH_HASH.GLOBAL.ecmp_hash: ecmp_hash has L4_SRC_PORT, but not SRC_IP, DST_IP"],
        ),
        ("NP895", hashed("DST_IP", "SRC_IP", "L4_SRC_PORT"), []),
        (
            "NP894",
            {"PORT": {name: {"admin_status": "down"} for name in HOSTS[3:]} | port(mtu="9000")["PORT"]},
            [],
        ),
        ("NP894", {"PORT": {"Ethernet0": {"mtu": "9000"}, "Ethernet4": {"mtu": "1500"}}}, []),
    ],
)
def test_a_port_is_like_its_peers(code: str, change: dict[str, Any], said: list[str]) -> None:
    """Of four or more of a kind, where more than three quarters agree."""
    assert said_of(code, change) == said


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP862", {}, []),
        (
            "NP862",
            port("Ethernet4", lanes="3,5,6,7"),
            ["PORT.Ethernet4.lanes: Ethernet4 has lane 3, which Ethernet0 also has at leaf-1.json"],
        ),
        (
            "NP862",
            port("Ethernet4", lanes="0,1,2,3"),
            [
                (
                    "PORT.Ethernet4.lanes: Ethernet4 has lanes 0, 1, 2, 3, which Ethernet0 also has at "
                    "leaf-1.json"
                )
            ],
        ),
        (
            "NP862",
            port("Ethernet4", lanes="3, 5, 3,"),
            ["PORT.Ethernet4.lanes: Ethernet4 has lane 3, which Ethernet0 also has at leaf-1.json"],
        ),
        (
            "NP862",
            port("Ethernet4", lanes="3,8,12,16"),
            [
                (
                    "PORT.Ethernet4.lanes: Ethernet4 has lanes 3, 8, 12, 16, which Ethernet0, Ethernet8, "
                    "Ethernet12 and 1 more also have at leaf-1.json"
                )
            ],
        ),
        (
            "NP862",
            {"PORT": every(*PORTS[1:], lanes="0")},
            [
                (
                    "PORT.Ethernet24.lanes: Ethernet24 has lane 0, which Ethernet0, Ethernet4, Ethernet8 "
                    "and 3 more also have at leaf-1.json, and 5 more ports share lanes"
                )
            ],
        ),
        (
            "NP862",
            {"PORT": every(*PORTS[1:4], lanes="0")},
            [
                (
                    "PORT.Ethernet12.lanes: Ethernet12 has lane 0, which Ethernet0, Ethernet4, Ethernet8 "
                    "also have at leaf-1.json"
                ),
                (
                    "PORT.Ethernet8.lanes: Ethernet8 has lane 0, which Ethernet0, Ethernet4 also have at "
                    "leaf-1.json"
                ),
                "PORT.Ethernet4.lanes: Ethernet4 has lane 0, which Ethernet0 also has at leaf-1.json",
            ],
        ),
        ("NP862", port("Ethernet4", lanes="0") | local(platform="x86_64-arista_7050cx3_32s"), []),
        ("NP869", {}, []),
        (
            "NP869",
            interface("Ethernet0", "Ethernet0|10.128.0.0/31"),
            [
                (
                    "INTERFACE.Ethernet20|10.128.0.1/31: Ethernet20 has 10.128.0.1/31, overlaps "
                    "10.128.0.0/31 of Ethernet0 at leaf-1.json"
                )
            ],
        ),
        (
            "NP869",
            interface("Ethernet0", "Ethernet0|10.128.0.0/24"),
            [
                (
                    "INTERFACE.Ethernet0|10.128.0.0/24: Ethernet0 has 10.128.0.0/24, overlaps "
                    "10.128.0.1/31 of Ethernet20 at leaf-1.json, and with 1 more"
                )
            ],
        ),
        (
            "NP869",
            interface("Ethernet0", "Ethernet0|10.1.0.9/32"),
            [
                (
                    "INTERFACE.Ethernet0|10.1.0.9/32: Ethernet0 has 10.1.0.9/32, overlaps 10.1.0.1/24 of "
                    "Vlan100 at leaf-1.json"
                )
            ],
        ),
        (
            "NP869",
            interface("Ethernet20", "Ethernet20|10.128.0.1/24"),
            [
                (
                    "INTERFACE.Ethernet24|10.128.0.3/31: Ethernet24 has 10.128.0.3/31, overlaps "
                    "10.128.0.1/24 of Ethernet20 at leaf-1.json"
                )
            ],
        ),
        ("NP869", interface("Ethernet0", "Ethernet0|fe80::1/64", "Ethernet4", "Ethernet4|fe80::1/64"), []),
        ("NP869", {"INTERFACE": {"Ethernet0": {"vrf_name": "Vrf1"}, "Ethernet0|10.128.0.0/31": {}}}, []),
        ("NP869", {"INTERFACE": {"Ethernet0": {"vnet_name": "Vnet1"}, "Ethernet0|10.128.0.0/31": {}}}, []),
        (
            "NP862",
            port("Ethernet4", lanes=",".join([*map(str, range(900, 963)), "0"])),
            ["PORT.Ethernet4.lanes: Ethernet4 has lane 0, which Ethernet0 also has at leaf-1.json"],
        ),
        ("NP862", port("Ethernet4", lanes=",".join([*map(str, range(900, 964)), "0"])), []),
        (
            "NP862",
            {"PORT": {f"Ethernet{number}": {"lanes": "900"} for number in range(1000, 1064)}},
            [
                (
                    "PORT.Ethernet1063.lanes: Ethernet1063 has lane 900, which Ethernet1000, "
                    "Ethernet1001, Ethernet1002 and 60 more also have at leaf-1.json, and 62 more ports "
                    "share lanes"
                )
            ],
        ),
        (
            "NP862",
            {"PORT": {f"Ethernet{number}": {"lanes": "900"} for number in range(1000, 1065)}},
            [
                (
                    "PORT.Ethernet1063.lanes: Ethernet1063 has lane 900, which Ethernet1000, "
                    "Ethernet1001, Ethernet1002 and 60 more also have at leaf-1.json, and 62 more ports "
                    "share lanes"
                )
            ],
        ),
        (
            "NP862",
            {"PORT": every(*PORTS[1:5], lanes="0")},
            [
                (
                    "PORT.Ethernet16.lanes: Ethernet16 has lane 0, which Ethernet0, Ethernet4, Ethernet8 "
                    "and 1 more also have at leaf-1.json"
                ),
                (
                    "PORT.Ethernet12.lanes: Ethernet12 has lane 0, which Ethernet0, Ethernet4, Ethernet8 "
                    "also have at leaf-1.json"
                ),
                (
                    "PORT.Ethernet8.lanes: Ethernet8 has lane 0, which Ethernet0, Ethernet4 also have at "
                    "leaf-1.json"
                ),
                "PORT.Ethernet4.lanes: Ethernet4 has lane 0, which Ethernet0 also has at leaf-1.json",
            ],
        ),
        (
            "NP862",
            {"PORT": every(*PORTS[1:6], lanes="0")},
            [
                (
                    "PORT.Ethernet20.lanes: Ethernet20 has lane 0, which Ethernet0, Ethernet4, Ethernet8 "
                    "and 2 more also have at leaf-1.json, and 4 more ports share lanes"
                )
            ],
        ),
    ],
)
def test_lanes_and_subnets_belong_to_one_port(code: str, change: dict[str, Any], said: list[str]) -> None:
    assert said_of(code, change) == said
