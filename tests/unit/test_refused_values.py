"""A value that SONiC's model refuses is one finding (NP876); what follows from it is not told."""

from __future__ import annotations

import json

import pytest

from netplan.config_db import judge_texts
from netplan.rules.config_db.models import FIELDS
from tests.sonic_corpus import merged, small

Place = tuple[str, str, str]
PORT = ("PORT", "Ethernet0")
QOS = ("PORT_QOS_MAP", "Ethernet0")


def told(*stated: tuple[Place, str]) -> list[str]:
    files = small()
    for (table, key, name), value in stated:
        files["leaf-1.json"] = merged(files["leaf-1.json"], {table: {key: {name: value}}})
    found = judge_texts({name: json.dumps(data) for name, data in files.items()}).diagnostics
    return sorted(each.code for each in found)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((*PORT, "mtu"), "70000"),
        ((*PORT, "mtu"), "x"),
        ((*PORT, "speed"), "70000000"),
        ((*QOS, "pfc_enable"), "9"),
        ((*QOS, "pfcwd_sw_enable"), "x"),
        (("VLAN", "Vlan100", "vlanid"), "5000"),
        (("WRED_PROFILE", "AZURE_LOSSLESS", "ecn"), "x"),
        (("WRED_PROFILE", "AZURE_LOSSLESS", "wred_green_enable"), "x"),
        (("PFC_WD", "GLOBAL", "POLL_INTERVAL"), "20000"),
        (("SWITCH_HASH", "GLOBAL", "ecmp_hash"), "x"),
        (("DSCP_TO_TC_MAP", "AZURE", "26"), "x"),
        (("DSCP_TO_TC_MAP", "AZURE", "64"), "1"),
        (("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "AZURE", "3"), "70000000"),
        (("CABLE_LENGTH", "AZURE", "Ethernet0"), "70000000"),
    ],
)
def test_a_refused_value_is_one_finding(place: Place, value: str) -> None:
    assert told((place, value)) == ["NP876"]


@pytest.mark.parametrize(
    ("other", "value", "code"),
    [
        ((*PORT, "lanes"), "5,6,7,8", "NP862"),
        ((*QOS, "dscp_to_tc_map"), "AZURE2", "NP874"),
        (("BUFFER_PROFILE", "pg_lossless_100000_5m_profile", "xoff"), "3000", "NP885"),
        (("VLAN_MEMBER", "Vlan100|Ethernet0", "tagging_mode"), "", "NP876"),
    ],
)
def test_what_does_not_follow_from_a_refused_value_is_told(other: Place, value: str, code: str) -> None:
    alone = told((other, value))
    assert code in alone
    assert told((other, value), ((*PORT, "mtu"), "70000")) == sorted([*alone, "NP876"])


def test_links_of_two_switches_with_one_hostname_are_not_compared() -> None:
    files = small()
    files["leaf-2.json"]["DEVICE_METADATA"]["localhost"]["hostname"] = "leaf-1"
    judged = judge_texts({name: json.dumps(data) for name, data in files.items()})
    assert [each.code for each in judged.diagnostics] == ["NP861"]
    assert (
        "DEVICE_NEIGHBOR of and about leaf-1 not compared: several switches have that hostname"
        in judged.skipped
    )


@pytest.mark.parametrize(
    ("table", "field", "ends"),
    [
        ("PORT", "fec", ("rs", "auto")),
        ("PORT", "mtu", ("68", "9216")),
        ("BUFFER_POOL", "type", ("ingress", "both")),
        ("PFC_WD", "action", ("drop", "alert")),
        ("BUFFER_POOL", "size", ()),
    ],
)
def test_the_first_and_the_last_value_stand_for_a_refused_one(
    table: str, field: str, ends: tuple[str, ...]
) -> None:
    """Where no other row states a legal one; what is said with both is no consequence (NP876)."""
    assert FIELDS[table][field].ends == ends
