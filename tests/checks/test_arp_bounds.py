"""NP812 needs a NOS with bounds for ARP ages, which no NOS folder states: SONiC with invented bounds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from netplan.checks import run_checks
from netplan.nos import load_nos
from netplan.plan import make_plan
from tests.factories import fabric_from
from tests.overlay import CHECKS


def _ages(seconds: int, **limits: int) -> list[str]:
    fabric = fabric_from(
        (CHECKS / "base.yaml").read_text(), f"fabric: {{arp: {{timeout_seconds: {seconds}}}}}"
    )
    nos, problems = load_nos({"sonic": ("switch_types", "sn2700", "nos")})
    assert not problems
    bounded = {"sonic": replace(nos["sonic"], limits=replace(nos["sonic"].limits, **limits))}
    plan, _ = make_plan(fabric, bounded)
    return [d.message for d in run_checks(plan).diagnostics if d.code == "NP812"]


@pytest.mark.parametrize("seconds", [60, 300])
def test_age_within_bounds(seconds: int) -> None:
    assert _ages(seconds, arp_min=60, arp_max=300) == []


@pytest.mark.parametrize("seconds", [59, 301])
def test_age_outside_bounds(seconds: int) -> None:
    message = f"ARP age {seconds} s is outside 60 to 300, the range of sonic"
    assert _ages(seconds, arp_min=60, arp_max=300) == [message]
