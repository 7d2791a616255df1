"""``netplan import --into``: switches, their cables and their addresses against an inventory."""

from __future__ import annotations

import re

import pytest

from tests.dumped_site import config_dbs
from tests.test_import import FILES
from tests.test_import_into import SITE, dumps, into, line_of, said


@pytest.mark.parametrize(
    ("sku", "model"),
    [("ACS-MSN2700", ""), ("Mellanox-SN3420", "Mellanox-SN3420"), ("ACS-MSN3700", "msn3700")],
)
def test_a_switch_of_another_model_differs(sku: str, model: str) -> None:
    """Also where the catalog has no such model."""
    text = config_dbs(FILES, sku)["leaf-1.json"].replace("mlnx_msn2700-r0", "kvm_x86_64-r0")
    found = into(SITE, {**dumps(), "leaf-1.json": text})
    rows = [row for row in said(found, "differs") if " model: " in row]
    at = line_of(SITE, "model: msn2700")
    wanted = f"switch leaf-1: model: msn2700 (site.yaml:{at}) or {model} (leaf-1.json:"
    assert [row.startswith(wanted) for row in rows] == ([True] if model else [])


def test_a_moved_loopback_is_no_router_id() -> None:
    """The router ID is the one of the inventory, whose loopback is worked out from the id."""
    text = dumps()["leaf-1.json"]  # has bgp_router_id
    own = re.findall(r'"Loopback0\|([0-9.]+)/32"', text)[0]
    moved = text.replace(f'"Loopback0|{own}/32"', '"Loopback0|172.31.99.99/32"')
    (row,) = said(into(SITE, {**dumps(), "leaf-1.json": moved}), "differs")
    at = line_of(SITE, "loopbacks:")
    wanted = f"switch leaf-1: loopback: {own} (of its id in site.yaml:{at}) or 172.31.99.99 (leaf-1.json:"
    assert row.startswith(wanted)
