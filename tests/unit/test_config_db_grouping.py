"""Which files without a hostname are one switch."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.config_db import judge_texts
from netplan.diagnostics import Severity

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


def test_files_of_one_hostname_that_state_different_switches_are_alternatives() -> None:
    def leaf(number: str) -> str:
        return json.dumps({"DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", "bgp_asn": number}}})

    apart = judge_texts({"numbered/leaf-1.json": leaf("1"), "unnumbered/leaf-1.json": leaf("2")})
    assert apart.switches == ("leaf-1", "leaf-1#2")
    over = judge_texts({"leaf-1/00.json": leaf("1"), "leaf-1/10.json": leaf("2")})
    assert over.switches == ("leaf-1",), "in one folder the second is laid over the first"
    same = judge_texts({"a/leaf-1.json": leaf("1"), "b/leaf-1.json": leaf("1")})
    assert same.switches == ("leaf-1",)


def test_values_of_alternatives_are_compared_in_a_note() -> None:
    def switch(name: str, number: str) -> str:
        local = {"hostname": name, "bgp_asn": number, "bgp_router_id": "10.255.0.1"}
        return json.dumps({"DEVICE_METADATA": {"localhost": local}})

    files = {"numbered/leaf-1.json": switch("leaf-1", "1"), "unnumbered/leaf-1.json": switch("leaf-1", "2")}
    found = judge_texts({**files, "unnumbered/leaf-2.json": switch("leaf-2", "3")}).diagnostics
    assert [(each.code, each.severity) for each in found] == [("NP875", Severity.INFO)]
