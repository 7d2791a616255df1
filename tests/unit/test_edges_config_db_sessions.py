"""Edge cases, one fact per case: BGP sessions between given switches, and what bgpcfgd waits for."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.config_db import judge_texts
from tests.sonic_corpus import merged, small, texts

Changes = dict[str, dict[str, Any]]
NO_ROW: dict[str, Any] = {"BGP_NEIGHBOR": {"10.128.0.1": None}}
"""Of the spine: without its neighbour on the first link to leaf-1, whose end is 10.128.0.1."""


def local(**fields: str | None) -> dict[str, Any]:
    return {"DEVICE_METADATA": {"localhost": fields}}


def found(code: str, changes: Changes) -> list[tuple[str, str]]:
    """File and row of each finding."""
    files = {
        name: merged(data, changes.get(name.removesuffix(".json"), {})) for name, data in small().items()
    }
    judged = judge_texts(texts(files)).diagnostics
    return [(d.source.file, "|".join(map(str, d.path[1:]))) for d in judged if d.code == code and d.source]


ONE = [("leaf-1.json", "10.128.0.0")]
UNNUMBERED = {"BGP_NEIGHBOR": {"10.128.0.1": None, "default|Ethernet0": {"asn": "external"}}}
FRRCFGD = local(frr_mgmt_framework_config="true")


@pytest.mark.parametrize(
    ("changes", "rows"),
    [
        ({}, []),
        ({"spine-1": NO_ROW}, ONE),
        ({"spine-1": NO_ROW | local(docker_routing_config_mode="unified")}, ONE),
        ({"spine-1": NO_ROW | local(docker_routing_config_mode="split")}, []),
        ({"spine-1": NO_ROW | local(hwsku=None)}, []),
        ({"spine-1": NO_ROW | {"BGP_PEER_RANGE": {"leaves": {"ip_range": ["10.128.0.0/24"]}}}}, []),
        ({"spine-1": UNNUMBERED | FRRCFGD}, []),
        ({"spine-1": {"BGP_NEIGHBOR": None}}, []),
        ({"spine-1": NO_ROW | {"BGP_MONITORS": {"10.128.0.1": {}}}}, []),
        ({"spine-1": NO_ROW, "leaf-1": {"BGP_NEIGHBOR": {"10.128.0.0": {"admin_status": "down"}}}}, []),
        ({"spine-1": NO_ROW, "leaf-1": {"BGP_NEIGHBOR": {"10.128.0.0": {"local_addr": "10.255.0.1"}}}}, ONE),
        ({"leaf-1": {"INTERFACE": {"Ethernet24": {}, "Ethernet24|10.128.0.4/29": {}}}}, []),
    ],
)
def test_a_session_has_a_row_at_both_ends(changes: Changes, rows: list[tuple[str, str]]) -> None:
    assert found("NP899", changes) == rows


@pytest.mark.parametrize(
    ("change", "rows"),
    [
        (local(bgp_asn=None), ["localhost"]),
        (local(bgp_asn=None) | {"BGP_NEIGHBOR": None}, []),
        (local(bgp_asn=None, hwsku=None), []),
        (local(bgp_asn=None, docker_routing_config_mode="split-unified"), []),
        (local(type=None), ["localhost"]),
        (local(type=None) | {"VERSIONS": {"DATABASE": {"VERSION": "version_4_0_4"}}}, []),
        ({"LOOPBACK_INTERFACE": {"Loopback0": None, "Loopback0|10.255.0.1/32": None}}, [""]),
        ({"LOOPBACK_INTERFACE": None}, ["10.128.0.0"]),
        ({"LOOPBACK_INTERFACE": {"Loopback0|10.255.0.1/32": None}}, []),
        (
            {"LOOPBACK_INTERFACE": {"Loopback0|10.255.0.1/32": None}} | local(bgp_router_id=None),
            ["Loopback0"],
        ),
        (local(bgp_router_id=None), []),
        ({"PORT": {f"Ethernet{4 * number}": None for number in range(3, 8)}} | local(bgp_asn=None), []),
    ],
)
def test_what_bgpcfgd_waits_for(change: dict[str, Any], rows: list[str]) -> None:
    assert [row for file, row in found("NP880", {"leaf-1": change}) if file == "leaf-1.json"] == rows


@pytest.mark.parametrize(
    ("change", "rows"),
    [
        (local(default_bgp_status="down"), ["localhost|default_bgp_status"]),
        (local(default_bgp_status="down", docker_routing_config_mode="split"), []),
        (local(default_bgp_status="down", hwsku=None), []),
        ({"BGP_NEIGHBOR": {"10.128.0.0": {"admin_status": "down"}}}, ["10.128.0.0|admin_status"]),
        ({"BGP_NEIGHBOR": {"192.0.2.1": {"admin_status": "down"}}}, []),
        (
            FRRCFGD | {"BGP_NEIGHBOR": {"default|10.128.0.0": {"local_addr": "192.0.2.9"}}},
            ["default|10.128.0.0|local_addr"],
        ),
        (FRRCFGD | {"BGP_NEIGHBOR": {"default|10.128.0.0": {"local_addr": "Loopback0"}}}, []),
    ],
)
def test_sessions_that_are_off(change: dict[str, Any], rows: list[str]) -> None:
    assert [row for _, row in found("NP819", {"leaf-1": change})] == rows
