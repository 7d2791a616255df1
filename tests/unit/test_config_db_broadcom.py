"""Broadcom's Enterprise SONiC runs other code than the rules cite: errors about one such switch are notes."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.config_db import Judged, judge_texts
from netplan.diagnostics import Severity
from tests.sonic_corpus import merged, small, texts

ITS_OWN: dict[str, Any] = {
    "HARDWARE": {"ACCESS_LIST": {"LOOKUP_MODE": "optimized"}},
    "SCHEDULER": {"copp-scheduler-policy@255": {"type": "WRR", "weight": "1"}},
    "PORT_QOS_MAP": {"CPU": {"scheduler": "[SCHEDULER|copp-scheduler-policy@255]"}},
    "BGP_GLOBALS": {"default": {"local_asn": "4200000101"}},
    "BGP_NEIGHBOR": {
        **dict.fromkeys(small()["leaf-1.json"]["BGP_NEIGHBOR"]),
        "default|Ethernet20": {"asn": "4200000001"},
    },
}


def judged(*changes: dict[str, Any]) -> Judged:
    leaf = small()["leaf-1.json"]
    for change in changes:
        leaf = merged(leaf, change)
    return judge_texts(texts({"leaf-1.json": leaf}))


def test_what_its_image_writes_is_right() -> None:
    found = judged(ITS_OWN)
    assert found.diagnostics == ()
    assert any("leaf-1: tables of Broadcom's Enterprise SONiC" in note for note in found.skipped)


@pytest.mark.parametrize(("own", "severity"), [({}, Severity.ERROR), (ITS_OWN, Severity.INFO)])
def test_an_error_by_the_code_of_the_community_is_a_note(own: dict[str, Any], severity: Severity) -> None:
    found = judged(own, {"PORT": {"Ethernet28": {"lanes": "24,25,26,27"}}}).diagnostics
    assert [(each.code, each.severity) for each in found] == [("NP862", severity)]
