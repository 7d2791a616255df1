"""Edge cases, one fact per case: rows of a leaf whose config_db changes a little."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_config_db import PORTS, every, said_of

WRED = "AZURE_LOSSLESS"
LAG: dict[str, Any] = {
    "PORTCHANNEL": {"PortChannel1": {}},
    "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}},
}


def member(key: str, **fields: str) -> dict[str, Any]:
    return {"VLAN_MEMBER": {key: {"tagging_mode": "untagged", **fields}}}


def interface(*keys: str, table: str = "INTERFACE", **fields: str) -> dict[str, Any]:
    return {table: dict.fromkeys(keys, fields)}


def port(name: str = "Ethernet0", **fields: str | None) -> dict[str, Any]:
    return {"PORT": {name: fields}}


def local(**fields: str | None) -> dict[str, Any]:
    return {"DEVICE_METADATA": {"localhost": fields}}


def version(text: str | None) -> dict[str, Any]:
    return {"VERSIONS": {"DATABASE": {"VERSION": text}}}


def neighbours(*addresses: str) -> dict[str, Any]:
    """Neighbours 10.9.9.1 and so on, with the local addresses given."""
    rows = {f"10.9.9.{n}": {"asn": "1", "local_addr": one} for n, one in enumerate(addresses, 1)}
    return {"BGP_NEIGHBOR": rows}


NOWHERE = (
    "BGP_NEIGHBOR.10.9.9.1.local_addr: local_addr 10.128.0.9 of BGP_NEIGHBOR 10.9.9.1 is on no interface"
)
LOADED = "; at boot db_migrator adds it, config reload of 202505 and later refuses the file"
OLD_ROWS: dict[str, Any] = {
    **version(None),
    "FEATURE": None,
    "INTERFACE": {"Ethernet20": None, "Ethernet24": None},
    "VLAN_INTERFACE": {"Vlan100": None},
    "LOOPBACK_INTERFACE": {"Loopback0": None},
}
NO_INTERFACES = dict.fromkeys(("INTERFACE", "VLAN_INTERFACE", "LOOPBACK_INTERFACE"))
FRRCFGD = local(frr_mgmt_framework_config="true")


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP877", {}, []),
        ("NP877", {"VLAN_MEMBER": {"Vlan100|Ethernet0": None}, **LAG}, []),
        (
            "NP877",
            {
                "VLAN_MEMBER": {"Vlan100|Ethernet0": None},
                "PORTCHANNEL": {"PortChannel1": {}, "PortChannel2": {}},
                "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}, "PortChannel2|Ethernet0": {}},
            },
            [
                "PORTCHANNEL_MEMBER.PortChannel2|Ethernet0: Ethernet0 is in PORTCHANNEL_MEMBER "
                "PortChannel2|Ethernet0 and in PortChannel1|Ethernet0 at leaf-1.json"
            ],
        ),
        (
            "NP877",
            {"VLAN_MEMBER": {"Vlan100|Ethernet0": None}, **LAG, **interface("Ethernet0|10.9.9.0/31")},
            [
                "PORTCHANNEL_MEMBER.PortChannel1|Ethernet0: Ethernet0 is in PORTCHANNEL_MEMBER "
                "PortChannel1|Ethernet0 and routed by INTERFACE Ethernet0|10.9.9.0/31 at leaf-1.json"
            ],
        ),
        (
            "NP877",
            interface("Ethernet0"),
            [
                (
                    "VLAN_MEMBER.Vlan100|Ethernet0: Ethernet0 is in VLAN_MEMBER Vlan100|Ethernet0 and "
                    "routed by INTERFACE Ethernet0 at leaf-1.json"
                )
            ],
        ),
        (
            "NP877",
            LAG,
            [
                (
                    "VLAN_MEMBER.Vlan100|Ethernet0: Ethernet0 is in VLAN_MEMBER Vlan100|Ethernet0 and a "
                    "member of PortChannel1 at leaf-1.json"
                )
            ],
        ),
        (
            "NP877",
            member("Vlan200|Ethernet0"),
            [
                (
                    "VLAN_MEMBER.Vlan200|Ethernet0: Ethernet0 is untagged in VLAN_MEMBER "
                    "Vlan200|Ethernet0 and in Vlan100|Ethernet0 at leaf-1.json"
                )
            ],
        ),
        ("NP877", member("Vlan200|Ethernet0", tagging_mode="tagged"), []),
        (
            "NP877",
            member("Vlan300|Ethernet0")
            | {
                "VLAN_MEMBER": {
                    "Vlan200|Ethernet0": {"tagging_mode": "untagged"},
                    "Vlan300|Ethernet0": {"tagging_mode": "untagged"},
                }
            },
            [
                (
                    "VLAN_MEMBER.Vlan200|Ethernet0: Ethernet0 is untagged in VLAN_MEMBER "
                    "Vlan200|Ethernet0 and in Vlan100|Ethernet0 at leaf-1.json"
                ),
                (
                    "VLAN_MEMBER.Vlan300|Ethernet0: Ethernet0 is untagged in VLAN_MEMBER "
                    "Vlan300|Ethernet0 and in Vlan100|Ethernet0 at leaf-1.json"
                ),
            ],
        ),
    ],
)
def test_a_port_has_one_role(code: str, change: dict[str, Any], said: list[str]) -> None:
    assert said_of(code, change) == said


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP878", {}, []),
        (
            "NP878",
            {"BUFFER_POOL": every("ingress_lossless_pool", mode=None, type=None)},
            [
                "BUFFER_POOL.ingress_lossless_pool: BUFFER_POOL ingress_lossless_pool has no type",
                "BUFFER_POOL.ingress_lossless_pool: BUFFER_POOL ingress_lossless_pool has no mode",
            ],
        ),
        (
            "NP878",
            {"BUFFER_PROFILE": every("q_lossy_profile", "ingress_lossy_profile", size=None)},
            [
                (
                    "BUFFER_PROFILE.ingress_lossy_profile: BUFFER_PROFILE ingress_lossy_profile, "
                    "q_lossy_profile have no size"
                )
            ],
        ),
        (
            "NP878",
            {"VLAN_MEMBER": {"Vlan100|Ethernet0": {"tagging_mode": None}}},
            [
                (
                    "VLAN_MEMBER.Vlan100|Ethernet0: VLAN_MEMBER Vlan100|Ethernet0 has no tagging_mode; "
                    "images before 202505 take it as untagged"
                )
            ],
        ),
        ("NP878", port(speed=None), ["PORT.Ethernet0: PORT Ethernet0 has no speed"]),
        ("NP878", port(lanes=None), ["PORT.Ethernet0: PORT Ethernet0 has no lanes"]),
        (
            "NP878",
            {"WRED_PROFILE": every(WRED, red_min_threshold=None)},
            [
                (
                    "WRED_PROFILE.AZURE_LOSSLESS.red_max_threshold: WRED_PROFILE AZURE_LOSSLESS has "
                    "red_max_threshold, but no red_min_threshold"
                )
            ],
        ),
        ("NP878", {"WRED_PROFILE": every(WRED, red_min_threshold=None, red_max_threshold=None)}, []),
        (
            "NP878",
            {"VLAN": {"Vlan100": {"vlanid": "101"}}},
            ["VLAN.Vlan100.vlanid: vlanid of VLAN Vlan100 is 101"],
        ),
        ("NP878", {"VLAN": {"Vlan100": {"vlanid": "x"}}}, []),
        ("NP878", {**OLD_ROWS, **port(speed=None)}, []),
        ("NP878", {**OLD_ROWS, **port(lanes=None)}, ["PORT.Ethernet0: PORT Ethernet0 has no lanes"]),
        (
            "NP878",
            {**OLD_ROWS, **port(speed=None), "INTERFACE": {"Ethernet20": {}}},
            ["PORT.Ethernet0: PORT Ethernet0 has no speed"],
        ),
        (
            "NP878",
            {**version(None), "FEATURE": None, **NO_INTERFACES, **port(speed=None)},
            ["PORT.Ethernet0: PORT Ethernet0 has no speed"],
        ),
        ("NP818", {"INTERFACE": {"Ethernet20": None}}, []),
        ("NP878", {"INTERFACE": {"Ethernet20": None}} | version(None), []),
        (
            "NP878",
            {"INTERFACE": {"Ethernet20": None}},
            [
                (
                    "INTERFACE.Ethernet20|10.128.0.1/31: INTERFACE Ethernet20|10.128.0.1/31 has an "
                    "address, but there is no row INTERFACE Ethernet20"
                )
            ],
        ),
        (
            "NP878",
            {"INTERFACE": {"Ethernet20": None, "Ethernet24": None}},
            [
                (
                    "INTERFACE.Ethernet20|10.128.0.1/31: INTERFACE has addresses of Ethernet20, "
                    "Ethernet24, but no row for them without one"
                )
            ],
        ),
        (
            "NP878",
            {"INTERFACE": {"Ethernet20|10.0.0.1": {}}},
            [
                (
                    "INTERFACE.Ethernet20|10.0.0.1: key Ethernet20|10.0.0.1 of INTERFACE has no address "
                    "with a prefix length"
                )
            ],
        ),
        ("NP878", {"INTERFACE": {"Ethernet20": None}} | version("version_1_0_1"), []),
        (
            "NP878",
            {"INTERFACE": {"Ethernet20": None}} | version("version_1_0_2"),
            [
                (
                    "INTERFACE.Ethernet20|10.128.0.1/31: INTERFACE Ethernet20|10.128.0.1/31 has an "
                    "address, but there is no row INTERFACE Ethernet20"
                )
            ],
        ),
        (
            "NP818",
            {"INTERFACE": {"Ethernet20": None}} | version(None),
            [
                (
                    "INTERFACE.Ethernet20|10.128.0.1/31: INTERFACE Ethernet20|10.128.0.1/31 has an "
                    "address, but there is no row INTERFACE Ethernet20" + LOADED
                )
            ],
        ),
        (
            "NP818",
            {"INTERFACE": {"Ethernet20": None}, "FEATURE": None} | version(None),
            [
                (
                    "INTERFACE.Ethernet20|10.128.0.1/31: INTERFACE Ethernet20|10.128.0.1/31 has an "
                    "address, but there is no row INTERFACE Ethernet20" + LOADED
                )
            ],
        ),
        (
            "NP878",
            {
                "INTERFACE": {"Ethernet20": None, "Ethernet24": None},
                "VLAN_INTERFACE": None,
                "LOOPBACK_INTERFACE": None,
                "FEATURE": None,
            }
            | version(None),
            [],
        ),
        (
            "NP878",
            {
                "INTERFACE": {"Ethernet20": None, "Ethernet24": None},
                "VLAN_INTERFACE": None,
                "LOOPBACK_INTERFACE": None,
            },
            [
                (
                    "INTERFACE.Ethernet20|10.128.0.1/31: INTERFACE has addresses of Ethernet20, "
                    "Ethernet24, but no row for them without one"
                )
            ],
        ),
        (
            "NP878",
            {"LOOPBACK_INTERFACE": {"Loopback0": None}},
            [
                (
                    "LOOPBACK_INTERFACE.Loopback0|10.255.0.1/32: LOOPBACK_INTERFACE "
                    "Loopback0|10.255.0.1/32 has an address, but there is no row LOOPBACK_INTERFACE "
                    "Loopback0"
                )
            ],
        ),
    ],
)
def test_required_rows_and_fields(code: str, change: dict[str, Any], said: list[str]) -> None:
    assert said_of(code, change) == said


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP879", {}, []),
        ("NP879", {"WRED_PROFILE": every(WRED, green_max_threshold="1048576")}, []),
        (
            "NP879",
            {"WRED_PROFILE": every(WRED, green_max_threshold="1048575")},
            [
                (
                    "WRED_PROFILE.AZURE_LOSSLESS.green_max_threshold: green_max_threshold of "
                    "WRED_PROFILE AZURE_LOSSLESS is 1048575, below green_min_threshold, 1048576 at "
                    "leaf-1.json"
                )
            ],
        ),
        (
            "NP879",
            {"WRED_PROFILE": every(WRED, yellow_max_threshold="0", red_max_threshold="0")},
            [
                (
                    "WRED_PROFILE.AZURE_LOSSLESS.yellow_max_threshold: yellow_max_threshold of "
                    "WRED_PROFILE AZURE_LOSSLESS is 0, below yellow_min_threshold, 1048576 at "
                    "leaf-1.json"
                ),
                (
                    "WRED_PROFILE.AZURE_LOSSLESS.red_max_threshold: red_max_threshold of WRED_PROFILE "
                    "AZURE_LOSSLESS is 0, below red_min_threshold, 1048576 at leaf-1.json"
                ),
            ],
        ),
        ("NP879", {"WRED_PROFILE": every(WRED, green_min_threshold="0", green_max_threshold="0")}, []),
        ("NP879", {"WRED_PROFILE": every(WRED, green_max_threshold=None)}, []),
        (
            "NP879",
            {"PFC_WD": every("Ethernet0", detection_time="199")},
            [
                (
                    "PFC_WD.Ethernet0.detection_time: detection_time of PFC_WD Ethernet0 is 199 ms, "
                    "below POLL_INTERVAL, 200 ms at leaf-1.json"
                )
            ],
        ),
        (
            "NP879",
            {"PFC_WD": every("Ethernet0", detection_time="200", restoration_time="100")},
            [
                (
                    "PFC_WD.Ethernet0.restoration_time: restoration_time of PFC_WD Ethernet0 is 100 ms, "
                    "below POLL_INTERVAL, 200 ms at leaf-1.json"
                )
            ],
        ),
        ("NP879", {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": None}, "Ethernet0": {"detection_time": "1"}}}, []),
        (
            "NP879",
            {
                "PFC_WD": {
                    "GLOBAL": {"POLL_INTERVAL": "1000"},
                    **every(*PORTS[1:], detection_time="1000", restoration_time="1000"),
                }
            },
            [
                (
                    "PFC_WD.Ethernet0.detection_time: detection_time of PFC_WD Ethernet0 is 200 ms, "
                    "below POLL_INTERVAL, 1,000 ms at leaf-1.json"
                ),
                (
                    "PFC_WD.Ethernet0.restoration_time: restoration_time of PFC_WD Ethernet0 is 200 ms, "
                    "below POLL_INTERVAL, 1,000 ms at leaf-1.json"
                ),
            ],
        ),
    ],
)
def test_values_in_order(code: str, change: dict[str, Any], said: list[str]) -> None:
    """A watchdog sees no storm shorter than its polling interval."""
    assert said_of(code, change) == said


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        (
            "NP880",
            {"BGP_NEIGHBOR": {"Ethernet20": {"asn": "external"}}},
            [
                (
                    "BGP_NEIGHBOR.Ethernet20: BGP_NEIGHBOR Ethernet20 is not an address; bgpcfgd up "
                    "to 202605 takes no unnumbered neighbours"
                )
            ],
        ),
        (
            "NP880",
            {"BGP_NEIGHBOR": {"default|Ethernet20": {"asn": "external"}}},
            [
                (
                    "BGP_NEIGHBOR.default|Ethernet20: BGP_NEIGHBOR default|Ethernet20 is not an address; "
                    "bgpcfgd up to 202605 takes no unnumbered neighbours"
                )
            ],
        ),
        ("NP880", {"BGP_NEIGHBOR": {"default|Ethernet20": {"asn": "external"}}} | FRRCFGD, []),
        ("NP880", {"BGP_NEIGHBOR": {"Ethernet20": {"asn": "1"}}} | version("version_202611_01"), []),
        (
            "NP880",
            {"BGP_NEIGHBOR": {"Ethernet20": {"asn": "external"}}} | FRRCFGD,
            [
                (
                    "BGP_NEIGHBOR.Ethernet20: BGP_NEIGHBOR Ethernet20 is not an address; bgpcfgd up "
                    "to 202605 takes no unnumbered neighbours"
                )
            ],
        ),
        ("NP880", {"BGP_NEIGHBOR": {"default|10.128.0.9": {"asn": "4200000001"}}}, []),
        ("NP880", neighbours("10.128.0.9"), [NOWHERE]),
        ("NP880", neighbours("10.128.0.9/31"), [NOWHERE]),
        (
            "NP880",
            neighbours("10.128.0.9", "10.128.0.9"),
            [NOWHERE + ", and 1 more neighbour has such an address"],
        ),
        (
            "NP880",
            neighbours(*(f"10.128.0.{n}" for n in range(9, 14))),
            [NOWHERE + ", and 4 more neighbours have such an address"],
        ),
        ("NP880", neighbours("10.128.0.9") | FRRCFGD, []),
        ("NP880", neighbours("10.255.0.1", "10.128.0.3", "0.0.0.0", "x", ""), []),
        (
            "NP880",
            neighbours("10.9.0.1") | interface("Vlan100", "Vlan100|10.9.0.1/24", table="VLAN_INTERFACE"),
            [],
        ),
        ("NP880", neighbours("10.128.0.9") | {"DEVICE_METADATA": {"localhost": {"hwsku": None}}}, []),
        ("NP841", {}, []),
        (
            "NP841",
            FRRCFGD,
            ["BGP_NEIGHBOR.10.128.0.0: frrcfgd owns FRR and ignores BGP_NEIGHBOR 10.128.0.0, 10.128.0.2"],
        ),
        (
            "NP841",
            FRRCFGD | {"BGP_NEIGHBOR": {"default|10.128.0.0": {"asn": "4200000001"}}},
            ["BGP_NEIGHBOR.10.128.0.2: frrcfgd owns FRR and ignores BGP_NEIGHBOR 10.128.0.2"],
        ),
        ("NP841", FRRCFGD | {"BGP_NEIGHBOR": {"10.128.0.0": None, "10.128.0.2": None}}, []),
        (
            "NP841",
            {"BGP_GLOBALS": {"default": {}}, "ROUTE_REDISTRIBUTE": {"connected|bgp|ipv4": {}}},
            ["BGP_GLOBALS.default: bgpcfgd owns FRR and does not read BGP_GLOBALS, ROUTE_REDISTRIBUTE"],
        ),
        ("NP841", {"BGP_GLOBALS": {}}, []),
        (
            "NP841",
            FRRCFGD
            | {"BGP_GLOBALS": {"default": {}}, "BGP_NEIGHBOR": {"10.128.0.0": None, "10.128.0.2": None}},
            [],
        ),
    ],
)
def test_who_reads_the_rows_of_bgp(code: str, change: dict[str, Any], said: list[str]) -> None:
    assert said_of(code, change) == said
