"""Rules about config_db files count each object once, even if rows overlap."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.config_db import judge_texts
from netplan.reading.config_db.switch import span
from tests.sonic_corpus import merged, small, texts

OTHER_SKU = {
    "BUFFER_POOL": {
        name: {"size": "735231"}
        for name in (
            "egress_lossless_pool",
            "egress_lossy_pool",
            "ingress_lossless_pool",
            "ingress_lossy_pool",
        )
    },
    "DEVICE_METADATA": {"localhost": {"hwsku": "My-SKU"}},
}
"""14 lossless priority groups reserve 735,232 bytes: one byte more than the pool has."""


def test_a_priority_group_of_two_rows_reserves_its_headroom_once():
    """Two rows for group 5 are a separate mistake (NP858); the port still has only one group 5."""
    lossless = {"profile": "pg_lossless_100000_5m_profile"}
    patch = {**OTHER_SKU, "BUFFER_PG": {"Ethernet0|5": lossless, "Ethernet0|5-6": lossless}}
    leaf = merged(small()["leaf-1.json"], patch)
    found = {d.code: d.message for d in judge_texts(texts({"leaf-1.json": leaf})).diagnostics}
    assert "NP858" in found
    assert found["NP886"].startswith("16 lossless priority groups reserve 835,584 bytes of headroom")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("3", [3]), ("3-5", [3, 4, 5]), ("62-63", [62, 63]), ("64", []), ("60-64", []), ("x", [])],
)
def test_numbers_of_a_queue_or_priority_group(text: str, numbers: list[int]):
    """Up to 63: DSCP has no more, queues and groups have fewer."""
    assert list(span(text)) == numbers


def test_headroom_that_is_no_number_is_not_called_missing():
    """The field exists; only the rule about numbers reports that its value is not a number."""
    patch = {"BUFFER_PROFILE": {"pg_lossless_100000_5m_profile": {"xoff": "much"}}}
    leaf = merged(small()["leaf-1.json"], patch)
    assert "NP883" not in {d.code for d in judge_texts(texts({"leaf-1.json": leaf})).diagnostics}


def test_one_switch_alone_is_compared_with_none():
    """Rules about pairs of switches report that they looked at nothing, so no report claims more."""
    every = texts(small())
    alone = judge_texts({"leaf-1.json": every["leaf-1.json"]}).checked
    together = judge_texts(every).checked
    for code in ("NP896", "NP897", "NP898"):
        assert alone[code] == 0 < together[code], code


@pytest.mark.parametrize(
    ("code", "row", "ports"),
    [
        ("NP881", {}, 0),
        ("NP881", {"tc_to_queue_map": None}, 1),
        ("NP881", {"tc_to_pg_map": None}, 1),
        ("NP881", {"dscp_to_tc_map": None}, 1),
        ("NP881", {"pfc_enable": None}, 1),
        ("NP890", {"tc_to_queue_map": None}, 0),
        ("NP890", {"pfc_enable": None}, 1),
        ("NP891", {"tc_to_queue_map": None}, 0),
        ("NP891", {"dscp_to_tc_map": None}, 1),
        ("NP891", {"pfc_enable": None}, 0),
    ],
)
def test_ports_that_a_rule_about_maps_cannot_judge(code: str, row: dict[str, str | None], ports: int):
    """They are not counted as looked at."""
    leaf = small()["leaf-1.json"]
    whole, less = (
        judge_texts(texts({"leaf-1.json": merged(leaf, {"PORT_QOS_MAP": {"Ethernet0": each}})})).checked[code]
        for each in ({}, row)
    )
    assert whole - less == ports


PAUSED = {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}, "Ethernet4": {"pfc_enable": "3"}}}
"""Two ports with three lossless queues."""
ALONE = {"NP874": 2, "NP876": 2, "NP890": 2, "NP892": 2, "NP894": 2}
OF_FILES = {"NP860", "NP870", "NP871", "NP872", "NP873"}
VOQ: dict[str, Any] = {"chassis|Asic0|Ethernet0|0": {}}
NAMED = {"DEVICE_METADATA": {"localhost": {"hostname": "chassis"}}}
HELD: dict[str, dict[str, Any]] = {
    "BUFFER_PG": {"Ethernet0|3-4": {"profile": "p"}},
    "BUFFER_PROFILE": {"p": {"xoff": "1", "size": "1", "pool": "q"}},
}
OF_HELD = {"NP858": 1, "NP859": 1, "NP874": 4, "NP876": 5, "NP878": 1, "NP883": 3, "NP885": 2}


@pytest.mark.parametrize(
    ("more", "counted"),
    [
        ({}, {}),
        ({"QUEUE": {}}, {"NP887": 3, "NP888": 3, "NP889": 3}),
        ({"BUFFER_QUEUE": {}}, {}),
        ({"BUFFER_QUEUE": {"Ethernet0|0": {}}}, {"NP857": 3, "NP858": 1, "NP874": 3}),
        ({"BUFFER_QUEUE": VOQ}, {"NP858": 1, "NP874": 3}),
        ({"QUEUE": VOQ}, {"NP858": 1, "NP874": 3}),
        (
            {"QUEUE": VOQ, **NAMED},
            {"NP858": 1, "NP874": 3, "NP876": 3, "NP887": 3, "NP888": 3, "NP889": 3},
        ),
        ({"PFC_WD": {}}, {"NP893": 2}),
        ({"PFC_WD": {"Ethernet0": {}}}, {"NP874": 3, "NP879": 1, "NP893": 2}),
        ({"BUFFER_PG": {}}, {"NP883": 3}),
        ({"CABLE_LENGTH": {}}, {"NP884": 3}),
        (HELD, OF_HELD),
        (
            HELD | {"BUFFER_PROFILE": {"other": {"size": "1", "pool": "q"}}},
            OF_HELD | {"NP859": 0, "NP876": 4, "NP885": 0},
        ),
        (
            HELD | {"BUFFER_PROFILE": {"p": {**HELD["BUFFER_PROFILE"]["p"], "headroom_type": "dynamic"}}},
            OF_HELD | {"NP876": 6, "NP885": 0},
        ),
        (
            HELD | {"BUFFER_POOL": {"q": {"size": "9"}}},
            OF_HELD | {"NP876": 6, "NP878": 2, "NP886": 2},
        ),
        (HELD | {"BUFFER_POOL": {"q": {}}}, OF_HELD | {"NP878": 2}),
        ({"VLAN_MEMBER": {"Vlan2|Ethernet0": {}}}, {"NP874": 3, "NP877": 1, "NP878": 1, "NP894": 0}),
        (
            {"INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.0/31": {}, "Ethernet4|fe80::1/64": {}}},
            {"NP818": 3, "NP869": 1, "NP874": 5, "NP878": 3, "NP894": 0},
        ),
        ({"SWITCH_HASH": {"GLOBAL": {"ecmp_hash": "SRC_IP"}}}, {"NP876": 3, "NP895": 1}),
        ({"SWITCH_HASH": {"GLOBAL": {}}}, {}),
        ({"WRED_PROFILE": {"w": {}}}, {"NP878": 1, "NP879": 1}),
        ({"BGP_NEIGHBOR": {"10.0.0.1": {}}, "BGP_GLOBALS": {"default": {}}}, {"NP880": 1}),
        ({"PORT": {"Ethernet0": {"lanes": "1"}, "Ethernet4": {}}}, {"NP862": 1, "NP876": 3, "NP878": 2}),
    ],
)
def test_of_a_part_of_a_config_db_only_what_its_tables_hold_is_counted(
    more: dict[str, Any], counted: dict[str, int]
):
    """What the part leaves out may be on the switch."""
    found = judge_texts(texts({"part.json": {**PAUSED, **more}})).checked
    expected = {**ALONE, **counted}
    assert {code: n for code, n in found.items() if n and code not in OF_FILES} == {
        code: n for code, n in expected.items() if n
    }


def test_what_is_counted_of_a_whole_fabric_and_of_one_leaf():
    every = texts(small())
    alone = judge_texts({"leaf-1.json": every["leaf-1.json"]}).checked
    together = judge_texts(every).checked
    of_switch = {
        "NP841": (2, 8), "NP857": (14, 36), "NP858": (84, 212), "NP859": (2, 4), "NP862": (8, 24),
        "NP869": (3, 10), "NP877": (5, 10), "NP878": (35, 101), "NP879": (9, 24), "NP880": (2, 8),
        "NP881": (7, 18), "NP882": (7, 18), "NP883": (14, 36), "NP884": (0, 8), "NP885": (14, 28),
        "NP886": (14, 36), "NP893": (7, 18), "NP894": (7, 18),
    }  # fmt: skip
    of_fabric = {
        "NP861": (0, 3), "NP868": (0, 4), "NP875": (0, 17), "NP896": (0, 4), "NP897": (0, 4), "NP898": (0, 3),
        "NP899": (0, 16),
    }  # fmt: skip
    expected = of_switch | of_fabric
    assert {code: (alone[code], together[code]) for code in expected} == expected


def test_a_link_to_a_part_that_states_nothing_of_its_port_is_not_counted() -> None:
    part: dict[str, dict[str, Any]] = {
        "DEVICE_METADATA": {"localhost": {"hostname": "spine-1"}},
        "INTERFACE": {"Ethernet0": {}, "Ethernet0|10.128.0.0/31": {}},
    }
    found = judge_texts(texts({"leaf-1.json": small()["leaf-1.json"], "spine-1.json": part})).checked
    assert {code: found[code] for code in ("NP868", "NP896", "NP897")} == {"NP868": 0, "NP896": 0, "NP897": 2}
