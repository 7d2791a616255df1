"""Names that are almost a table's or a field's, and values that are still to be filled in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.config_db import Judged, judge_texts
from tests.sonic_corpus import merged, small, texts


def judged(tables: dict[str, Any]) -> Judged:
    return judge_texts({"a.json": json.dumps(tables)})


def misspelt(tables: dict[str, Any]) -> list[str]:
    return [d.hint for d in judged(tables).diagnostics if d.code == "NP872"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("BGP_NEIGHBORS", "write BGP_NEIGHBOR"),
        ("BGP_NEIGHBR", "write BGP_NEIGHBOR"),
        ("BGP_NEIGBHOR", "write BGP_NEIGHBOR"),
        ("BGP-NEIGHBOR", "write BGP_NEIGHBOR"),
        ("Bgp_Neighbor", "write BGP_NEIGHBOR"),
        ("PFC_PRIORITY_TO_QUEUE_MAP", "write MAP_PFC_PRIORITY_TO_QUEUE"),
        ("BGP_NEIGHBOR", ""),
        ("SNMP_SERVER", ""),
        ("DHCP_SERVER_IPV6", ""),
        ("VRFS", ""),
        ("neighbors", ""),
    ],
)
def test_a_table_is_one_that_sonic_has(name: str, hint: str) -> None:
    assert misspelt({name: {}, "VERSIONS": {}}) == ([hint] if hint else [])


@pytest.mark.parametrize(
    ("fields", "hints"),
    [
        ({"keeplive": "3"}, ["write keepalive"]),
        ({"keeplive": "3", "keepalive": "3"}, []),
        ({"local_addres": "10.0.0.0"}, ["write local_addr"]),
        ({"local_addr_x": "10.0.0.0"}, []),
        ({"asm": "65001"}, []),
        ({"remark": "x"}, []),
    ],
)
def test_a_field_is_one_that_its_table_has(fields: dict[str, str], hints: list[str]) -> None:
    assert misspelt({"BGP_NEIGHBOR": {"10.0.0.1": fields}}) == hints


def test_the_other_rules_read_what_was_meant() -> None:
    files = small()
    files["leaf-1.json"]["BGP_NEIGHBORS"] = files["leaf-1.json"].pop("BGP_NEIGHBOR")
    files["spine-1.json"]["BUFFER_QUEUES"] = files["spine-1.json"].pop("BUFFER_QUEUE")
    codes = [d.code for d in judge_texts(texts(files)).diagnostics]
    assert codes == ["NP872", "NP872"]


@pytest.mark.parametrize(
    "text", ["REPLACE-WITH-ASN", "{{ asn }}", "${ASN}", "$ASN", "<asn>", "@asn@", "CHANGEME"]
)
def test_a_placeholder_is_counted_and_not_judged(text: str) -> None:
    leaf = merged(small()["leaf-1.json"], {"BGP_NEIGHBOR": {"10.128.0.0": {"asn": text}}})
    told = judge_texts(texts({"leaf-1.json": leaf}))
    assert told.diagnostics == ()
    assert any(note.startswith("1 place with placeholders not checked") for note in told.skipped)
