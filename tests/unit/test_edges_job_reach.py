"""Edge cases, one fact per case: how far the networks of a job reach, and why not further."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.checks import job_paths
from tests.unit.some import but, some
from tests.unit.test_edges_pod_checks import AT, NET, planned

RAILS: Any = some(
    segment="leaf-group", gateway="first", families=(4,), at=("rails",),
    ranges=(some(network="10.0.0.0/16"),), ranges_key="supernets",
)  # fmt: skip
LINK = some(switch=some(name="leaf-1"), host=some(name="h"))
OTHER = but(LINK, switch=some(name="leaf-2"))


@pytest.mark.parametrize(
    ("rails", "parts", "routed", "unplaced", "bound"),
    [
        (None, {}, True, (), ""),
        ({"segment": "stretched", "gateway": "none"}, {}, True, (), ""),
        ({"segment": "host", "gateway": "none"}, {}, True, ("x",), "link"),
        ({"segment": "leaf", "gateway": "none"}, {}, True, (), "leaf"),
        ({"segment": "leaf", "gateway": "none"}, {}, True, ("x",), ""),
        ({"segment": "leaf"}, {}, False, (), ""),
        ({"segment": "host"}, {"leaf-1": "p", "leaf-2": "p"}, False, (), "leaf without routes"),
        ({"segment": "host"}, {"leaf-1": "p", "leaf-2": "q"}, False, (), ""),
        ({"segment": "host"}, {"leaf-1": "p"}, False, (), "leaf without routes"),
        ({"segment": "host"}, {}, False, (), ""),
        ({"segment": "host"}, {}, True, (), "leaf without links"),
        ({"segment": "host"}, {"leaf-1": "p"}, True, (), ""),
        ({"segment": "host", "families": (6,)}, {"leaf-1": "p"}, True, (), "leaf of a family"),
        ({"segment": "host", "families": (4, 6)}, {"leaf-1": "p"}, True, (), ""),
    ],
)
def test_how_far_a_rail_reaches(
    monkeypatch: pytest.MonkeyPatch, rails: Any, parts: Any, routed: bool, unplaced: Any, bound: str
) -> None:
    monkeypatch.setattr(job_paths, "carried_families", lambda _: {4})
    underlay = some() if routed else None
    fabric = some(rails=rails and but(RAILS, **rails), underlay=underlay, host_links=(LINK, OTHER))
    paths = job_paths._Paths(some(fabric=fabric))
    vars(paths)["_parts"] = parts
    work = planned(placement=some(unplaced=unplaced))
    assert paths.bound(work, NET) == bound


@pytest.mark.parametrize(
    ("subnet", "parts", "routed", "bound"),
    [
        (None, {"leaf-1": "p"}, True, "part"),
        (None, {}, True, ""),
        (None, {"leaf-1": "p"}, False, "part"),
        (some(vlan=7), {"leaf-1": "p"}, True, ""),
    ],
)
def test_how_far_another_network_reaches(subnet: Any, parts: Any, routed: bool, bound: str) -> None:
    fabric = some(rails=None, underlay=some() if routed else None, host_links=())
    paths = job_paths._Paths(some(fabric=fabric))
    vars(paths)["_parts"] = parts
    assert paths.bound(planned(), but(NET, per_rail=False, subnet=subnet)) == bound


UNDERLAY = some(uplinks="ipv6")


@pytest.mark.parametrize(
    ("bound", "rails", "underlay", "at", "words"),
    [
        ("link", RAILS, None, ("rails", "gateway"), "each link has a subnet of its own"),
        ("leaf", RAILS, None, ("rails", "gateway"), "each leaf has a subnet of its own"),
        (
            "leaf of a family",
            RAILS,
            UNDERLAY,
            ("rails", "supernets"),
            "uplinks ipv6 do not carry 10.0.0.0/16",
        ),
        ("leaf without routes", RAILS, None, ("links",), "leaf-1 and leaf-2 have uplinks"),
        ("leaf without links", RAILS, UNDERLAY, (*AT, "hosts"), "no links lead from leaf-1 to leaf-2"),
        ("part", RAILS, UNDERLAY, (*AT, "hosts"), "no links lead from leaf-1 to leaf-2"),
    ],
)
def test_why_hosts_do_not_reach_each_other(
    bound: str, rails: Any, underlay: Any, at: Any, words: str
) -> None:
    subject: Any = some(fabric=some(rails=rails, underlay=underlay))
    found = job_paths._reason(subject, planned(), bound, (LINK, OTHER))
    assert found[0] == at
    assert found[1].startswith(words)
