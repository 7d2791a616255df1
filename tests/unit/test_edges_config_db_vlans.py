"""Edge cases, one fact per case: VLAN subnets of leaves below one spine."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.config_db import judge_texts
from tests.sonic_corpus import merged, small, texts

SAME: dict[str, Any] = {"VLAN_INTERFACE": {"Vlan100|10.2.0.1/24": None, "Vlan100|10.1.0.2/24": {}}}
"""Of leaf-2: in the subnet of leaf-1."""
TOLD = [("leaf-2.json", "Vlan100|10.1.0.2/24")]
OTHER: dict[str, Any] = {"VLAN": {"Vlan200": {"vlanid": "200"}}}


def subnet(*prefixes: str, **fields: str) -> dict[str, Any]:
    return {"VLAN_INTERFACE": {"Vlan200": fields, **{f"Vlan200|{prefix}": {} for prefix in prefixes}}}


def found(changes: dict[str, dict[str, Any]]) -> list[tuple[str, str]]:
    """File and row of each finding."""
    files = {
        name: merged(data, changes.get(name.removesuffix(".json"), {})) for name, data in small().items()
    }
    judged = judge_texts(texts(files)).diagnostics
    return [(d.source.file, str(d.path[1])) for d in judged if d.code == "NP800" and d.source]


@pytest.mark.parametrize(
    ("changes", "rows"),
    [
        ({}, []),
        ({"leaf-2": SAME}, TOLD),
        ({"leaf-2": SAME, "leaf-1": {"VXLAN_TUNNEL": {"vtep": {"src_ip": "10.255.0.1"}}}}, []),
        ({"leaf-2": SAME | {"MCLAG_DOMAIN": {"1": {}}}}, []),
        (
            {
                "leaf-2": SAME
                | {"VLAN_INTERFACE": {**SAME["VLAN_INTERFACE"], "Vlan100": {"vrf_name": "Vrf1"}}}
            },
            [],
        ),
        ({"leaf-2": SAME, "leaf-1": {"DEVICE_METADATA": {"localhost": {"hwsku": None}}}}, []),
        ({"leaf-2": SAME | {"DEVICE_NEIGHBOR": {"Ethernet0": {"name": "gpu-100"}}}}, []),
        ({"leaf-2": SAME | {"DEVICE_NEIGHBOR": None, "INTERFACE": None, "BGP_NEIGHBOR": None}}, []),
        ({"leaf-2": SAME | {"VLAN_MEMBER": {"Vlan100|Ethernet20": {"tagging_mode": "tagged"}}}}, []),
    ],
)
def test_one_subnet_behind_two_leaves(
    changes: dict[str, dict[str, Any]], rows: list[tuple[str, str]]
) -> None:
    assert found(changes) == rows


@pytest.mark.parametrize(
    ("change", "rows"),
    [
        (OTHER | subnet("192.0.2.1/24"), ["Vlan200|192.0.2.1/24"]),
        (OTHER | subnet("192.0.2.1/24", "2001:db8::1/64"), ["Vlan200|192.0.2.1/24"]),
        (OTHER | subnet("fe80::1/64"), []),
        (OTHER | subnet("192.0.2.1/24", vrf_name="Vrf1"), []),
        (OTHER | subnet("192.0.2.1/24") | {"VXLAN_TUNNEL_MAP": {"v|map_2_Vlan200": {"vlan": "Vlan200"}}}, []),
        (OTHER | subnet("192.0.2.1/24") | {"VLAN_MEMBER": {"Vlan200|PortChannel1": {}}}, []),
        (subnet("192.0.2.1/24"), []),
    ],
)
def test_a_vlan_with_an_address_has_a_member(change: dict[str, Any], rows: list[str]) -> None:
    assert found({"leaf-1": change}) == [("leaf-1.json", row) for row in rows]
