"""Edge cases, one fact per case: identities and neighbours of the switches of a small fabric."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.config_db import judge_texts
from tests.sonic_corpus import small, texts
from tests.unit.test_edges_config_db_fabric import Changes, between, local, neighbour


@pytest.mark.parametrize(
    ("code", "changes", "told"),
    [
        (
            "NP861",
            {"leaf-2": local(hostname="leaf-1")},
            [
                (
                    "leaf-2 DEVICE_METADATA.localhost.hostname: hostname leaf-1 is also that of "
                    "leaf-1.json: two switches, or two states of one switch"
                )
            ],
        ),
        ("NP861", {"leaf-2": local(hostname="leaf-1", asic_name="asic1")}, []),
        ("NP861", {"leaf-2": local(hostname="leaf-1", hwsku=None)}, []),
        (
            "NP861",
            {"leaf-2": local(hostname="leaf-1"), "leaf-3": local(hostname="leaf-1")},
            [
                (
                    "leaf-3 DEVICE_METADATA.localhost.hostname: hostname leaf-1 is also that of "
                    "leaf-1.json, leaf-2.json: two switches, or two states of one switch"
                )
            ],
        ),
        ("NP861", {"leaf-2": local(hostname=None), "leaf-1": local(hostname=None)}, []),
        ("NP875", {}, []),
        (
            "NP875",
            {"leaf-2": local(bgp_router_id="10.255.0.1")},
            [
                (
                    "leaf-2 DEVICE_METADATA.localhost.bgp_router_id: router ID 10.255.0.1 of leaf-2 is "
                    "also that of leaf-1 at leaf-1.json"
                )
            ],
        ),
        (
            "NP875",
            {"leaf-2": local(mac="02:00:00:00:01:01")},
            [
                (
                    "leaf-2 DEVICE_METADATA.localhost.mac: MAC 02:00:00:00:01:01 of leaf-2 is also that "
                    "of leaf-1 at leaf-1.json"
                )
            ],
        ),
        (
            "NP875",
            {"leaf-2": local(mac="02:00:00:00:01:0A"), "leaf-1": local(mac="02:00:00:00:01:0a")},
            [
                (
                    "leaf-2 DEVICE_METADATA.localhost.mac: MAC 02:00:00:00:01:0a of leaf-2 is also that "
                    "of leaf-1 at leaf-1.json"
                )
            ],
        ),
        (
            "NP875",
            {"leaf-2": {"LOOPBACK_INTERFACE": {"Loopback0|10.255.0.1/32": {}}}},
            [
                (
                    "leaf-2 LOOPBACK_INTERFACE.Loopback0|10.255.0.1/32: address 10.255.0.1 of leaf-2 is "
                    "also that of leaf-1 at leaf-1.json"
                )
            ],
        ),
        ("NP875", {"leaf-2": {"LOOPBACK_INTERFACE": {"Loopback1": {}, "Loopback1|10.255.0.1/32": {}}}}, []),
        (
            "NP875",
            {"leaf-2": {"INTERFACE": {"Ethernet20|10.128.0.1/31": {}}}},
            [
                (
                    "leaf-2 INTERFACE.Ethernet20|10.128.0.1/31: address 10.128.0.1 of leaf-2 is also "
                    "that of leaf-1 at leaf-1.json"
                )
            ],
        ),
        (
            "NP875",
            {"leaf-2": {"INTERFACE": {"Ethernet20|10.128.0.1/31": {}, "Ethernet20": {"vrf_name": "Vrf1"}}}},
            [],
        ),
        (
            "NP875",
            {
                "leaf-1": {"INTERFACE": {"Ethernet20|fe80::1/64": {}}},
                "leaf-2": {"INTERFACE": {"Ethernet20|fe80::1/64": {}}},
            },
            [],
        ),
        ("NP875", {"leaf-2": local(hostname="leaf-1", bgp_router_id="10.255.0.1")}, []),
    ],
)
def test_each_switch_has_its_own_identity(code: str, changes: Changes, told: list[str]) -> None:
    assert between(code, changes) == told


@pytest.mark.parametrize(
    ("code", "changes", "told"),
    [
        ("NP899", {}, []),
        (
            "NP899",
            {"leaf-1": neighbour(port="Ethernet99")},
            [
                (
                    "leaf-1 DEVICE_NEIGHBOR.Ethernet20: leaf-1 Ethernet20 points to spine-1 Ethernet99, "
                    "which spine-1 does not have"
                )
            ],
        ),
        ("NP899", {"leaf-1": neighbour(port="etp1")}, []),
        (
            "NP899",
            {"leaf-1": neighbour(port="Ethernet8")},
            [
                (
                    "leaf-1 DEVICE_NEIGHBOR.Ethernet20: leaf-1 Ethernet20 points to spine-1 Ethernet8, "
                    "which points to leaf-2 Ethernet20 at spine-1.json"
                )
            ],
        ),
        (
            "NP899",
            {"leaf-1": neighbour(name="gone")},
            [
                (
                    "spine-1 DEVICE_NEIGHBOR.Ethernet0: spine-1 Ethernet0 points to leaf-1 Ethernet20, "
                    "which points to gone Ethernet0 at leaf-1.json"
                )
            ],
        ),
        (
            "NP899",
            {
                "leaf-1": {
                    "DEVICE_NEIGHBOR": {
                        "Ethernet20": {"port": "Ethernet4"},
                        "Ethernet24": {"port": "Ethernet0"},
                    }
                }
            },
            [
                (
                    "leaf-1 DEVICE_NEIGHBOR.Ethernet20: leaf-1 Ethernet20 points to spine-1 Ethernet4, "
                    "which points to leaf-1 Ethernet24 at spine-1.json"
                ),
                (
                    "leaf-1 DEVICE_NEIGHBOR.Ethernet24: leaf-1 Ethernet24 points to spine-1 Ethernet0, "
                    "which points to leaf-1 Ethernet20 at spine-1.json"
                ),
            ],
        ),
        ("NP899", {"leaf-1": {"DEVICE_NEIGHBOR": {"Ethernet20": None}}}, []),
        (
            "NP899",
            {
                "leaf-1": {
                    "DEVICE_NEIGHBOR": {
                        "Ethernet20": None,
                        "Ethernet0": {"local_port": "Ethernet20", "name": "spine-1", "port": "Ethernet0"},
                    }
                }
            },
            [],
        ),
        (
            "NP899",
            {"leaf-1": {"BGP_NEIGHBOR": {"10.128.0.0": {"asn": "4200000009"}}}},
            [
                (
                    "leaf-1 BGP_NEIGHBOR.10.128.0.0.asn: leaf-1 expects AS 4200000009 at 10.128.0.0, but "
                    "spine-1 has AS 4200000001 at spine-1.json"
                )
            ],
        ),
        ("NP899", {"leaf-1": {"BGP_NEIGHBOR": {"10.128.0.0": {"asn": None}}}}, []),
        (
            "NP899",
            {"spine-1": local(bgp_asn="7")},
            [
                (
                    "spine-1 DEVICE_METADATA.localhost.bgp_asn: spine-1 has AS 7, leaf-1 expects 4200000001 "
                    "at leaf-1.json, and 3 more sessions do"
                )
            ],
        ),
        ("NP899", {"leaf-1": {"BGP_NEIGHBOR": {"10.128.0.1": {"asn": "4200000009"}}}}, []),
        (
            "NP899",
            {
                "spine-1": local(bgp_asn=None),
                "leaf-1": {"BGP_NEIGHBOR": {"10.128.0.0": {"asn": "4200000009"}}},
            },
            [],
        ),
        (
            "NP899",
            {"leaf-1": {"BGP_NEIGHBOR": {"default|10.128.0.0": {"asn": "4200000009"}}}},
            [
                (
                    "leaf-1 BGP_NEIGHBOR.default|10.128.0.0.asn: leaf-1 expects AS 4200000009 at "
                    "default|10.128.0.0, but spine-1 has AS 4200000001 at spine-1.json"
                )
            ],
        ),
        (
            "NP899",
            {
                "leaf-2": {"VLAN_INTERFACE": {"Vlan100|10.128.0.0/24": {}}},
                "leaf-1": {"BGP_NEIGHBOR": {"10.128.0.0": {"asn": "4200000009"}}},
            },
            [],
        ),
        (
            "NP899",
            {"spine-1": {"BGP_NEIGHBOR": None}, "leaf-1": {"BGP_NEIGHBOR": {"10.128.0.0": {"asn": "7"}}}},
            [
                (
                    "leaf-1 BGP_NEIGHBOR.10.128.0.0.asn: leaf-1 expects AS 7 at 10.128.0.0, but spine-1 has "
                    "AS 4200000001 at spine-1.json"
                )
            ],
        ),
        (
            "NP899",
            {"leaf-1": {"BGP_NEIGHBOR": {"10.0.0.1": {"asn": "7"}, "10.128.0.0": {"asn": "7"}}}},
            [
                (
                    "leaf-1 BGP_NEIGHBOR.10.128.0.0.asn: leaf-1 expects AS 7 at 10.128.0.0, but spine-1 has "
                    "AS 4200000001 at spine-1.json"
                )
            ],
        ),
    ],
)
def test_neighbour_tables_agree(code: str, changes: Changes, told: list[str]) -> None:
    assert between(code, changes) == told


@pytest.mark.parametrize(
    ("macs", "said"),
    [
        ([], []),
        (["02:00:00:00:01:01"], []),
        (["02:00:00:00:01:0A"], ["02:00:00:00:01:0a here and 02:00:00:00:01:01"]),
        (["02:00:00:00:01:0A", "02:00:00:00:01:0B"], ["02:00:00:00:01:0a here and 02:00:00:00:01:01"]),
    ],
)
def test_files_of_one_hostname_state_one_mac(macs: list[str], said: list[str]) -> None:
    """Two states of one switch, or two switches with one name."""
    files: dict[str, Any] = {"a.json": small()["leaf-1.json"]}
    for number, mac in enumerate(macs):
        files[f"b{number}.json"] = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", "mac": mac}}}
    found = [d.message for d in judge_texts(texts(files)).diagnostics if d.code == "NP875"]
    assert len(found) == len(said)
    assert all(part in text for part, text in zip(said, found, strict=True)), found
