"""Buffer profiles and pools that somebody states in a SONiC leaf's file: what ``trace`` says of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.edits.judges import trace
from tests.unit.test_trace_objects import rendered, verdict

ROCE, PATCH = "switches/leaf-1/roce.json", "switches/leaf-1/buffers.patch.json"
POOL = {"size": "20000000", "type": "ingress", "mode": "dynamic", "xoff": "2000000"}
PROFILE = {
    "pool": "ingress_lossless_pool",
    "size": "1000",
    "xon": "1000",
    "xoff": "900000",
    "dynamic_th": "0",
}


def said(
    profile: dict[str, Any], pool: dict[str, Any], row: str = "3", **patch: Any
) -> tuple[str, list[str]]:
    """The verdict, and what is said of the profile ``my`` of the first port's priority group."""
    tree = dict(rendered("iei-rocev2"))
    rows = json.loads(tree[ROCE])
    rows["BUFFER_POOL"] = {"ingress_lossless_pool": POOL | pool}
    stated = {key: value for key, value in (PROFILE | profile).items() if value is not None}
    rows |= {"BUFFER_PROFILE": {"my": stated}, "BUFFER_PG": {f"Ethernet0|{row}": {"profile": "my"}}}
    tree[ROCE] = json.dumps(rows, indent=1)
    if patch:
        tree[PATCH] = json.dumps([*json.loads(tree[PATCH]), patch])
    found = trace(tree)
    about = [text for text in found if text.startswith("leaf-1 Ethernet0: ") and ("my" in text)]
    return verdict(found), [text.partition(" (switches/")[0].partition(": ")[2] for text in about]


@pytest.mark.parametrize(
    ("profile", "pool", "told"),
    [
        (
            {"xoff": "1000"},
            {},
            "BUFFER_PROFILE my has xoff 1,000; 100 Gb/s and 5 m hold 9,731 bytes in one frame and the cable",
        ),
        (
            {},
            {"type": "egress"},
            "pool ingress_lossless_pool of BUFFER_PROFILE my is of type egress, a priority group needs an "
            "ingress pool",
        ),
        (
            {},
            {"xoff": "1000"},
            "xoff of BUFFER_PROFILE my is 900,000, more than the 1,000 that pool ingress_lossless_pool "
            "shares",
        ),
        ({"xoff": None}, {}, "profile my of its priority group has no xoff: it is lossy"),
    ],
    ids=["less than the cable holds", "egress pool", "pool shares less", "no headroom"],
)
def test_a_profile_without_room_for_the_cable_is_refuted(
    profile: dict[str, Any], pool: dict[str, Any], told: str
) -> None:
    assert said(profile, pool) == ("refuted", [told])


def test_less_than_the_table_of_the_sku_is_not_proved() -> None:
    need = "ACS-MSN2700, 100 Gb/s, cable 5 m, row 5 m"
    text = f"BUFFER_PROFILE my has xoff 20,000, its SKU needs 30,720 bytes ({need})"
    assert said({"xoff": "20000"}, {}) == ("not proved", [text])


def test_a_profile_with_room_is_refuted_by_nothing() -> None:
    assert said({}, {}) == ("not proved", [])  # how SONiC takes the rows is not read


def test_the_profile_of_another_group_says_nothing_of_the_class() -> None:
    assert said({"xoff": "1000"}, {}, row="5") == ("not proved", [])


@pytest.mark.parametrize(
    ("path", "value"),
    [("/BUFFER_PG/Ethernet0|3", {"profile": "NULL"}), ("/BUFFER_PROFILE/my/xoff", "900000")],
)
def test_a_row_that_a_patch_replaces_is_not_judged(path: str, value: object) -> None:
    assert said({"xoff": "1000"}, {}, op="replace", path=path, value=value)[1] == []
