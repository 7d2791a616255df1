"""Edge cases, one fact per case: findings about the QoS of one leaf's config_db after a small change.

A row is what changes in the leaf of ``tests/sonic_corpus.py``, and the place and a part of each finding.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from netplan.config_db import judge_texts
from tests.sonic_corpus import merged, small, texts

PORTS = [f"Ethernet{4 * number}" for number in range(7)]
Told = list[tuple[str, str]]


def told(code: str, change: dict[str, Any]) -> Told:
    """(place, message) of each finding of a code, for the leaf alone."""
    leaf = merged(small()["leaf-1.json"], change)
    found = judge_texts(texts({"leaf-1.json": leaf})).diagnostics
    return [(".".join(map(str, each.path)), each.message) for each in found if each.code == code]


def said_of(code: str, change: dict[str, Any]) -> list[str]:
    """The findings, as lines without the numbers of the lines that they cite."""
    return [re.sub(r"json:\d+:\d+", "json", f"{place}: {message}") for place, message in told(code, change)]


def check(code: str, change: dict[str, Any], said: Told) -> None:
    found = told(code, change)
    assert [place for place, _ in found] == [place for place, _ in said], found
    assert all(part in message for (_, message), (_, part) in zip(found, said, strict=True)), found


def every(*ports: str, **fields: str | None) -> dict[str, Any]:
    return dict.fromkeys(ports or PORTS, fields)


def azure(table: str, **entries: str | None) -> dict[str, Any]:
    return {table: {"AZURE": {key.removeprefix("_"): value for key, value in entries.items()}}}


MANY = "Ethernet0, Ethernet4, Ethernet8 and 4 more"
ONE_LESS = {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}}}
"""Ethernet0 is then a group of ports of its own, with the same maps."""
PCP = {
    "PORT_QOS_MAP": every(dscp_to_tc_map=None, dot1p_to_tc_map="P"),
    "DOT1P_TO_TC_MAP": {"P": {"0": "0", "3": "1", "4": "4"}},
}
QUEUE_ONLY = azure("TC_TO_PRIORITY_GROUP_MAP", _3="0")
GROUP_ONLY = azure("TC_TO_QUEUE_MAP", _3="1")


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        (
            "NP881",
            PCP,
            [("PORT_QOS_MAP.Ethernet0.pfc_enable", "no 802.1p priority of DOT1P_TO_TC_MAP P at")],
        ),
        (
            "NP881",
            QUEUE_ONLY | GROUP_ONLY | {"PORT_QOS_MAP": {"Ethernet0": {"tc_to_queue_map": None}}},
            [("PORT_QOS_MAP.Ethernet4.pfc_enable", "priority 3 of Ethernet4, Ethernet8, Ethernet12 and 3")],
        ),
        (
            "NP882",
            QUEUE_ONLY | {"PORT_QOS_MAP": {"Ethernet0": {"tc_to_queue_map": None}}},
            [("TC_TO_PRIORITY_GROUP_MAP.AZURE.3", "of Ethernet4, Ethernet8, Ethernet12 and 3 more: queue 3")],
        ),
        ("NP881", QUEUE_ONLY, []),
        ("NP881", GROUP_ONLY, []),
        (
            "NP881",
            QUEUE_ONLY | GROUP_ONLY,
            [("PORT_QOS_MAP.Ethernet0.pfc_enable", "no DSCP of DSCP_TO_TC_MAP AZURE at")],
        ),
        (
            "NP882",
            QUEUE_ONLY,
            [
                (
                    "TC_TO_PRIORITY_GROUP_MAP.AZURE.3",
                    "which PFC priority 3 pauses; priority group 0, which sends no PFC",
                )
            ],
        ),
        (
            "NP882",
            GROUP_ONLY,
            [
                (
                    "TC_TO_QUEUE_MAP.AZURE.3",
                    "queue 1, which no PFC priority pauses; priority group 3 at",
                )
            ],
        ),
        (
            "NP882",
            azure("TC_TO_QUEUE_MAP", _3="4"),
            [
                (
                    "TC_TO_QUEUE_MAP.AZURE.3",
                    "queue 4, which PFC priority 4 pauses; priority group 3 at",
                )
            ],
        ),
        (
            "NP882",
            QUEUE_ONLY,
            [("TC_TO_PRIORITY_GROUP_MAP.AZURE.3", f"traffic class 3 (DSCP 3, 26) of {MANY}: queue 3 at")],
        ),
        ("NP882", QUEUE_ONLY | GROUP_ONLY, []),
        (
            "NP891",
            azure("DSCP_TO_TC_MAP", _27=None) | ONE_LESS,
            [("DSCP_TO_TC_MAP.AZURE", "bound on Ethernet0, has no entry for 1 DSCP: 27")],
        ),
        (
            "NP891",
            azure("TC_TO_QUEUE_MAP", _5=None) | ONE_LESS,
            [("TC_TO_QUEUE_MAP.AZURE", "no entry for traffic class 5, to which DSCP_TO_TC_MAP AZURE maps")],
        ),
        (
            "NP891",
            azure("TC_TO_QUEUE_MAP", _5=None) | azure("TC_TO_PRIORITY_GROUP_MAP", _3=None, _4=None),
            [
                ("TC_TO_QUEUE_MAP.AZURE", "traffic class 5, to"),
                ("TC_TO_PRIORITY_GROUP_MAP.AZURE", "traffic class 3, 4, to"),
            ],
        ),
        (
            "NP891",
            azure("MAP_PFC_PRIORITY_TO_QUEUE", _3=None) | ONE_LESS,
            [("MAP_PFC_PRIORITY_TO_QUEUE.AZURE", "for priority 3, which is lossless on Ethernet0")],
        ),
        (
            "NP891",
            azure("MAP_PFC_PRIORITY_TO_QUEUE", _3=None)
            | azure("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", _3=None),
            [
                ("MAP_PFC_PRIORITY_TO_QUEUE.AZURE", f"for priority 3, which is lossless on {MANY}"),
                ("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP.AZURE", f"priority 3, which is lossless on {MANY}"),
            ],
        ),
        (
            "NP891",
            azure("DSCP_TO_TC_MAP", _27=None)
            | {
                "PORT_QOS_MAP": {
                    "Ethernet0": {"dscp_to_tc_map": None, "dot1p_to_tc_map": "P"},
                    "Ethernet4": {"dscp_to_tc_map": "GONE"},
                }
            },
            [("DSCP_TO_TC_MAP.AZURE", "bound on Ethernet8, Ethernet12, Ethernet16 and 2 more, has")],
        ),
    ],
)
def test_maps_that_do_not_fit_pfc(code: str, change: dict[str, Any], said: Told) -> None:
    """One finding per map, however many groups of ports bind it."""
    check(code, change, said)


@pytest.mark.parametrize(
    ("enabled", "more", "told_of"),
    [
        ("3,4", {}, False),
        ("3,4,5", {}, True),
        ("3,4,5", {"PEER_SWITCH": {}}, True),
        ("3,4,5", {"TC_TO_PRIORITY_GROUP_MAP": {"AZURE_TUNNEL": {"0": "0"}}}, False),
        ("3,4,5", {"MUX_CABLE": {"Ethernet0": {"state": "auto"}}}, False),
        ("3,4,5", {"PEER_SWITCH": {"leaf-2": {"address_ipv4": "10.255.0.2"}}}, False),
        ("3,4,5", {"TUNNEL": {"MuxTunnel0": {"dscp_mode": "uniform"}}}, False),
        ("3,4,5", {"DEVICE_METADATA": {"localhost": {"subtype": "DualToR"}}}, False),
        ("3,4,5", {"DEVICE_METADATA": {"localhost": {"subtype": "UpstreamLC"}}}, True),
        ("2,3,4,6", {}, False),
        ("2,3,4,5", {}, True),
    ],
)
def test_more_than_two_lossless_priorities_are_told_unless_the_leaf_is_one_of_dual_tor(
    enabled: str, more: dict[str, Any], told_of: bool
) -> None:
    found = told("NP892", {"PORT_QOS_MAP": every(pfc_enable=enabled), **more})
    assert [message for _, message in found] == [
        f"pfc_enable of {MANY} is {enabled}: {enabled.count(',') + 1} lossless priorities, each with headroom"
    ] * told_of
