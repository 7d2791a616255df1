"""Every number in a switch's README has a verdict or contributes to one."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.switching import Computed
from tests.nos_site import nos_site
from tests.switch_site import Site, site
from tests.vendors.sites import PORTS

INPUTS = {
    "lossless priority groups",
    "addresses of hosts",
    "addresses of ended pods",
    "ARP refreshes",
    "bandwidth down",
    "bandwidth up",
    "physical ports free",
}
"""Totals from which others are computed, or that planning needs."""


def planned(nos: str, **changes: Any) -> Site:
    return site(**changes) if nos == "sonic" else nos_site(nos, *PORTS[nos], **changes)


def total(name: str, **changes: Any) -> Computed:
    return next(n for n in site(**changes).switch("leaf-1").totals if n.name == name)


@pytest.mark.parametrize("nos", ["sonic", *PORTS])
def test_a_number_has_a_verdict_or_goes_into_one(nos: str) -> None:
    switch = planned(nos, fabric__arp={"timeout_seconds": 60, "mac_timeout_seconds": 300}).switch("leaf-1")
    assert [number.name for number in switch.computed if not number.verdict] == []
    assert {number.name for number in switch.totals if not number.verdict} <= INPUTS


def test_neighbour_entries_are_held_against_the_table() -> None:
    assert total("neighbour entries at worst").verdict == "fits the table"
    assert (
        total("neighbour entries at worst", switch_types__leaf__host_table=16).verdict == "exceeds the table"
    )


def test_oversubscription_is_held_against_the_stated_limit() -> None:
    assert (
        total("oversubscription").verdict == "the uplinks are oversubscribed; the inventory states no limit"
    )
    limited = total("oversubscription", underlay__max_oversubscription_percent=200)
    assert (limited.value, limited.inputs) == (200, "max_oversubscription_percent 200")
    assert limited.verdict == "within the limit that the inventory states"
    above = total("oversubscription", underlay__max_oversubscription_percent=150)
    assert above.verdict == "above the limit that the inventory states"


def test_the_mac_age_is_held_against_the_arp_age() -> None:
    ages = {"timeout_seconds": 600, "mac_timeout_seconds": 300}
    page = planned("arista-eos", fabric__arp=ages).files("leaf-1")["README.md"]
    assert "| MAC ageing time | 300 s | too short: below the ARP age of 600 s |" in page


def test_the_seed_is_said_to_be_chosen_here() -> None:
    page = planned("cumulus-nvue").files("leaf-1")["README.md"]
    assert "| ECMP hash seed | 10 | differs per tier, as it must: " in page
    assert "| 10 x tier, netplan's own choice |" in page


def test_the_headroom_says_which_peer_overruns_it() -> None:
    page = site().files("leaf-1")["README.md"]
    assert "| enough if the peer stops within 67 pause quanta (" in page
    assert "assumes 60, IEEE 802.3 permits 394, so a slow conforming peer can overrun it |" in page
