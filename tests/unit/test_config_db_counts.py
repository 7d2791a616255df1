"""Rules about config_db files count each object once, even if rows overlap."""

from __future__ import annotations

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
