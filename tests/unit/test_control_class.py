"""A control-traffic class in addition to the CNP class: every NOS with a configurable map has both queues."""

from __future__ import annotations

from functools import cache

import pytest

from netplan.model.nos import NosProfile
from netplan.pipeline import Result, compile_texts
from netplan.reading.switches import read_switch
from tests.inventories import outputs, text_of
from tests.switch_site import profiles

SHARED = "cnp: {dscp: 48, priority: 6, scheduling: strict}"
ONYX = (
    "accept:\n  - {check: NP802, at: switch_types.onyx.nos.qos_map, reason: only its profile is confirmed}\n"
)


@cache
def separated() -> Result:
    text = text_of("multi-vendor")
    assert SHARED in text
    lines = SHARED.replace("48", "50") + "\n      control: {dscp: 48, priority: 7, scheduling: strict}"
    return compile_texts({"site.yaml": text.replace(SHARED, lines).replace("accept:\n", ONYX)})


def test_nothing_is_left_to_say_about_the_queue_of_bgp() -> None:
    codes = {d.code for d in separated().diagnostics}
    assert not any(d.severity.name == "ERROR" for d in separated().diagnostics), separated().diagnostics
    assert "NP421" not in codes


def _chooses(profile: NosProfile) -> bool:
    return not profile.supports["qos_map"] and "qos_map" not in profile.unconfirmed


@pytest.mark.parametrize("nos", sorted(name for name, profile in profiles().items() if _chooses(profile)))
def test_cnps_and_control_traffic_have_a_queue_each(nos: str) -> None:
    plan = separated().plan
    assert plan is not None
    name = next(s.name for s in plan.switches if s.nos == nos)
    start = f"switches/{name}/"
    files = {p.removeprefix(start): t for p, t in outputs(separated()).items() if p.startswith(start)}
    read = read_switch(name, nos, files)
    if 26 not in read.queues:  # the whole map is a comment
        assert read.comments & {"qos_map", "dscp_trust"}
    else:
        assert (read.queues[50], read.queues[48]) == (6, 7)
