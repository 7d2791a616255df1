"""Edge cases, one fact per case: rows of a config_db that are judged beside rows that are not."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.rules.config_db.neighbours import bgp_forms
from netplan.rules.config_db.own_addresses import elsewhere
from tests.unit.test_edges_readers import switches, whole

GATEWAY = {"gwaddr": "192.0.2.1"}


def leaf(**tables: Any) -> Any:
    return switches(leaf=whole("leaf", **tables))["leaf"]


def test_an_interface_without_a_prefix_length_hides_no_other_one() -> None:
    """That of eth0 is NP878."""
    rows = {"eth0|10.0.0.9": GATEWAY, "eth1|10.1.0.9/24": GATEWAY}
    (found,) = elsewhere(leaf(MGMT_INTERFACE=rows))
    assert "gateway 192.0.2.1 of eth1 is in no subnet of it" in found.message


@pytest.mark.parametrize(("owner", "told"), [("true", 1), ("false", 0)])
def test_rows_of_frrcfgd_are_judged_where_it_runs(owner: str, told: int) -> None:
    """Where bgpcfgd runs, they are NP841."""
    box = whole("leaf", BGP_GLOBALS={"default": {}}, BGP_NEIGHBOR={"nonsense": {"asn": "65001"}})
    box["DEVICE_METADATA"]["localhost"]["frr_mgmt_framework_config"] = owner
    found = [each for each in bgp_forms(switches(leaf=box)["leaf"]) if "nonsense" in each.message]
    assert len(found) == told
