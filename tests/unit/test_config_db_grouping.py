"""Which files without a hostname are one switch."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.config_db import judge_texts

LEAF: dict[str, Any] = {"INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.1/31": {}}}
SPINE: dict[str, Any] = {"INTERFACE": {"Ethernet8": {}, "Ethernet8|10.0.0.0/31": {}}}
SESSIONS = ({"BGP_NEIGHBOR": {"10.0.0.0": {"asn": "1"}}}, {"BGP_NEIGHBOR": {"10.0.0.1": {"asn": "2"}}})
NUMBERS = tuple({"DEVICE_METADATA": {"localhost": {"bgp_asn": number}}} for number in ("1", "2"))


@pytest.mark.parametrize(
    ("one", "other", "switches"),
    [
        (LEAF, SPINE, ("one", "other")),
        (*SESSIONS, ("one", "other")),
        (*NUMBERS, ("one", "other")),
        (LEAF, SESSIONS[0], ("lab",)),
        (LEAF, {"PORT": {"Ethernet8": {"mtu": "9216"}}}, ("lab",)),
        (LEAF, {"INTERFACE": {"Ethernet4": {"vrf_name": "Vrf-Red"}}}, ("lab",)),
    ],
    ids=["addresses", "neighbours", "AS numbers", "topics", "other topics", "a row without an address"],
)
def test_files_with_addresses_or_neighbours_of_their_own_are_switches(
    one: Any, other: Any, switches: tuple[str, ...]
) -> None:
    judged = judge_texts({"lab/one.json": json.dumps(one), "lab/other.json": json.dumps(other)})
    assert judged.switches == switches
    assert judged.diagnostics == ()
