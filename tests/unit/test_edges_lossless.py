"""Edge cases, one fact per case: which queue a PFC frame pauses, and the headroom a config_db reserves."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from netplan.config_db import judge_texts
from netplan.graph.config_db import hardware
from netplan.model.document import Places, SourceMap
from netplan.reading.config_db.read import switches_of
from netplan.rules.config_db.pools import _unpaused as unpaused
from tests.sonic_corpus import merged, small, texts
from tests.unit.test_edges_qos import CHAIN, numbers

OPEN = (
    "which queue a received PFC frame stops of leaf-1 Ethernet0 is not stated, "
    "and netplan knows no line of its NOS that states it"
)
OTHERS = "DSCP 26 lands in queue 6 of leaf-1 Ethernet0, which has PFC for 3, 4 only (f/)"
NONE = "DSCP 26 lands in queue 6 of leaf-1 Ethernet0, which no PFC frame for 3, 4 stops (f/)"


@pytest.mark.parametrize(
    ("queues", "priority", "said"),
    [
        ({}, None, OPEN),
        ({4: numbers(4, 6)}, None, OPEN),
        ({3: numbers(3), 4: numbers(4)}, None, OTHERS),
        ({3: numbers(3), 4: numbers(5)}, None, NONE),
        ({3: numbers(2), 4: numbers(5)}, None, NONE),
        ({3: numbers(6), 4: numbers(4)}, 3, ""),
        ({3: numbers(3, 6), 4: numbers(6)}, 3, ""),
        ({3: numbers(3), 4: numbers(4, 6)}, 4, ""),
    ],
)
def test_the_priority_that_stops_a_queue(queues: Any, priority: int | None, said: str) -> None:
    chain = replace(CHAIN, qos=replace(CHAIN.qos, pfc=numbers(3, 4), pfc_queues=queues))
    found, doubts = chain._priority(26, 6, None)
    assert (found, [each.text for each in doubts]) == (priority, [said] if said else [])


def test_no_priority_stops_a_queue_without_pfc() -> None:
    none = replace(CHAIN, qos=replace(CHAIN.qos, pfc=numbers()))
    assert [each.text for each in none._priority(26, 3, None)[1]] == ["leaf-1 Ethernet0 states no PFC (f/)"]
    comment = replace(none, comments=frozenset({"pfc"}))
    assert [each.text for each in comment._priority(26, 3, None)[1]] == [
        "PFC of leaf-1 Ethernet0 is not stated (comment to confirm)"
    ]


BINDINGS = dict.fromkeys(("dscp_to_tc_map", "tc_to_pg_map", "tc_to_queue_map", "pfc_to_queue_map"), "AZURE")


@pytest.mark.parametrize(
    ("without", "said", "hint"),
    [
        (["tc_to_pg_map"], "no tc_to_pg_map", "bind tc_to_pg_map"),
        (["dscp_to_tc_map"], "no dscp_to_tc_map", "bind dscp_to_tc_map"),
        (
            ["dscp_to_tc_map", "tc_to_queue_map", "tc_to_pg_map"],
            "no dscp_to_tc_map and no tc_to_queue_map and no tc_to_pg_map",
            "bind dscp_to_tc_map and tc_to_queue_map and tc_to_pg_map",
        ),
    ],
)
def test_maps_that_a_lossless_port_lacks(without: list[str], said: str, hint: str) -> None:
    row = {"pfc_enable": "3,4", **{key: value for key, value in BINDINGS.items() if key not in without}}
    own = {"Ethernet0": {key: row.get(key) for key in (*row, *without)}}
    data = merged(small()["leaf-1.json"], {"PORT_QOS_MAP": own})
    found = [d for d in judge_texts(texts({"leaf-1.json": data})).diagnostics if d.code == "NP890"]
    whole = f"PORT_QOS_MAP of Ethernet0 has pfc_enable 3,4, but {said}"
    assert [(each.message, each.hint) for each in found] == [(whole, hint)]


@pytest.mark.parametrize(
    ("rows", "more", "found"),
    [
        ({"Ethernet0|3": "lossless"}, {}, [("Ethernet0", 3)]),
        ({"Ethernet0|3-4": "lossless"}, {}, [("Ethernet0", 3), ("Ethernet0", 4)]),
        ({"Ethernet0,Ethernet4|3": "lossless"}, {}, [("Ethernet0", 3), ("Ethernet4", 3)]),
        ({"Ethernet0|3": "lossless", "Ethernet0|2-3": "lossless"}, {}, [("Ethernet0", 2), ("Ethernet0", 3)]),
        ({"Ethernet0|3": "lossless", "Ethernet0|5": "lossless"}, {}, [("Ethernet0", 3)]),
        ({"Ethernet0|3": "lossy"}, {}, []),
        ({"Ethernet0|3": "[BUFFER_PROFILE|lossless]"}, {}, [("Ethernet0", 3)]),
        ({"Ethernet0|3": "NULL"}, {}, []),
        ({"Ethernet0|3": "NULL"}, {"buffer_model": "dynamic"}, [("Ethernet0", 3)]),
    ],
)
def test_groups_that_reserve_headroom_without_pfc(rows: Any, more: Any, found: list[Any]) -> None:
    """Group 5 of Ethernet0 has PFC."""
    profiles = {"lossless": {"xoff": "18432", "size": "1248"}, "lossy": {"xoff": "0"}}
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", **more}},
        "BUFFER_PROFILE": profiles,
        "BUFFER_PG": {key: {"profile": profile} for key, profile in rows.items()},
    }
    *_, read = switches_of({"leaf-1.json": json.dumps(tables)}, Places(SourceMap()))
    groups = unpaused(read[0], {("Ethernet0", 5)})
    assert [(each.port, each.number) for each in groups] == found


@pytest.mark.parametrize("shipped", [None, SimpleNamespace(dynamic_buffers=None)])
def test_without_sonic_s_buffers_no_headroom_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, shipped: Any
) -> None:
    assert hardware.least_of(100_000, 40) > hardware.least_of(100_000, 5) > 0
    monkeypatch.setattr(hardware, "profile", lambda: shipped)
    assert hardware.least_of(100_000, 40) == 0
