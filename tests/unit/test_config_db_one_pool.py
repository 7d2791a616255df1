"""NP882 on an ASIC that netplan does not know and whose pools serve both directions: other group numbers."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.config_db import judge_texts
from netplan.diagnostics import Severity
from tests.sonic_corpus import merged, small, texts

UNKNOWN = {"DEVICE_METADATA": {"localhost": {"hwsku": "Some-SKU", "platform": "x86_64-some_box-r0"}}}
ONE_POOL = {"BUFFER_PROFILE": {"egress_lossless_profile": {"pool": "ingress_lossless_pool"}}}
MAPPED = {"PORT_QOS_MAP": {port: {"pfc_to_pg_map": None} for port in small()["leaf-1.json"]["PORT_QOS_MAP"]}}
MOVED = {"TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"3": "1"}}}


@pytest.mark.parametrize(
    ("changes", "severity"),
    [
        ([UNKNOWN, MAPPED], Severity.ERROR),
        ([UNKNOWN, MAPPED, ONE_POOL], Severity.INFO),
        ([UNKNOWN, ONE_POOL], Severity.ERROR),
        ([MAPPED, ONE_POOL], Severity.ERROR),
    ],
    ids=[
        "two pools",
        "one pool",
        "one pool, and a map of PFC priorities",
        "one pool, on an ASIC that is known",
    ],
)
def test_a_class_in_another_group(changes: list[dict[str, Any]], severity: Severity) -> None:
    leaf = small()["leaf-1.json"]
    for change in (*changes, MOVED):
        leaf = merged(leaf, change)
    found = judge_texts(texts({"leaf-1.json": leaf})).diagnostics
    assert [each.severity for each in found if each.code == "NP882"] == [severity]
