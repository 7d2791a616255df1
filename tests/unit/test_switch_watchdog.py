"""The fabric's watchdog times as each NOS implements them, in the README and in a note."""

from __future__ import annotations

from typing import Any

import pytest

from tests.nos_site import nos_site
from tests.switch_site import Site, site
from tests.vendors.sites import PORTS

TIMES = {"poll_ms": 150, "detection_ms": 250, "restoration_ms": 1950}
IN_FORCE = {
    "sonic": "poll 150 ms, detection 250 ms, restoration 1,950 ms",
    "cumulus-nvue": "poll 150 ms, detection 300 ms, restoration after one poll without pause frames",
    "juniper-junos": "poll 150 ms, detection 300 ms, restoration 1,950 ms",
    "cisco-nxos": "poll 100 ms, detection 300 ms, restoration 2,000 ms",
    "arista-eos": "poll 120 ms, detection 250 ms, restoration 1,950 ms",
    "huawei-vrp": "poll 100 ms, detection 300 ms, restoration 2,000 ms",
}


def watched(nos: str, **times: Any) -> Site:
    stated = TIMES | times
    if nos == "sonic":
        return site(fabric__qos__pfc_watchdog=stated)
    return nos_site(nos, *PORTS[nos], fabric__qos__pfc_watchdog=stated)


@pytest.mark.parametrize("nos", IN_FORCE)
def test_the_page_has_the_times_that_its_lines_make_true(nos: str) -> None:
    assert f"\nPFC watchdog: {IN_FORCE[nos]}.\n" in watched(nos).files("leaf-1")["README.md"]


def test_the_page_says_which_stated_time_does_not_hold() -> None:
    page = watched("cumulus-nvue").files("leaf-1")["README.md"]
    assert "- detection 250 ms becomes 300 ms: a whole number of polls\n" in page
    assert "- restoration 1,950 ms cannot be set: it is after one poll without pause frames\n" in page
    assert "The inventory states other times" not in watched("sonic").files("leaf-1")["README.md"]


def test_times_in_steps_of_the_switch_are_no_change() -> None:
    same = watched("cisco-nxos", poll_ms=100, detection_ms=200, restoration_ms=2000)
    assert same.switch("leaf-1").watchdog.changed == ()


def test_eos_polls_at_most_at_half_of_the_shorter_time() -> None:
    lines = watched("arista-eos").files("leaf-1")["roce.txt"].splitlines()
    assert "priority-flow-control pause watchdog default polling-interval 0.12" in lines
    assert "priority-flow-control pause watchdog default timeout 0.25" in lines


def test_a_model_without_a_poll_line_polls_as_it_likes() -> None:
    planned = nos_site(
        "huawei-vrp", "100GE1/0/", "ce8850", fabric__qos__pfc_watchdog=TIMES | {"restoration_ms": 1500}
    )
    assert (
        "PFC watchdog: poll at an interval of the switch's own, detection 250 ms, restoration 1,500 ms.\n"
        in (planned.files("leaf-1")["README.md"])
    )
