"""Edge cases, one fact per case: paths between leaves, and which rails the switches carry."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPNetwork

from netplan.checks import reach
from tests.unit.some import but, some
from tests.unit.test_edges_stated import RAILS, network


def link(lower: str, upper: str) -> Any:
    return some(lower=some(name=lower), upper=some(name=upper))


def cable(rail: int | None, leaf: str, host: str = "gpu-1", for_pods: bool = True) -> Any:
    return some(hca=some(rail=rail, for_pods=for_pods), switch=some(name=leaf), host=some(name=host))


def plan_of(cables: list[Any], links: list[Any], rails: Any = RAILS, **facts: Any) -> Any:
    names = ("leaf-1", "leaf-2", "leaf-3", "leaf-10", "spine-1")
    plain = {"host_links": cables, "switch_links": links, "switches": [some(name=n) for n in names]}
    fabric = {"rails": rails, "cross_rail": "any", "underlay": None, "workloads": [], "subnets": [], **facts}
    return some(fabric=some(**plain, **fabric), switches=[], addresses=some(uplinks=[], port_uses={}))


TWO = [cable(0, "leaf-1"), cable(1, "leaf-2")]


@pytest.mark.parametrize(
    ("plan", "apart", "joined"),
    [
        (plan_of(TWO, []), ["leaf-1", "leaf-2"], True),
        (plan_of(TWO, [link("leaf-1", "spine-1"), link("leaf-2", "spine-1")]), [], True),
        (plan_of(TWO, [link("leaf-1", "spine-1")]), ["leaf-1", "leaf-2"], True),
        (plan_of([cable(0, "leaf-10"), cable(1, "leaf-2")], []), ["leaf-2", "leaf-10"], True),
        (plan_of([cable(0, "leaf-1"), cable(0, "leaf-2")], []), ["leaf-1", "leaf-2"], False),
        (
            plan_of([cable(0, "leaf-1"), cable(0, "leaf-2")], [], cross_rail="aligned"),
            ["leaf-1", "leaf-2"],
            False,
        ),
        (plan_of(TWO, [], cross_rail="aligned"), [], True),
        (plan_of([cable(0, "leaf-1"), cable(None, "leaf-2")], []), [], True),
        (plan_of([cable(0, "leaf-1"), cable(1, "leaf-2", for_pods=False)], []), [], True),
        (plan_of(TWO, [], None), [], True),
        (plan_of(TWO, [], but(RAILS, segment="stretched")), [], True),
        (plan_of(TWO, [], but(RAILS, gateway="none")), [], True),
        (plan_of(TWO, [], but(RAILS, external=True)), [], True),
        (plan_of(TWO, [], but(RAILS, external=True, segment="host")), ["leaf-1", "leaf-2"], True),
    ],
)
def test_leaves_that_reach_each_other(plan: Any, apart: list[str], joined: bool) -> None:
    assert reach._routed_apart(plan) == (apart, joined)
    hint = "add the switch links" + ("" if not joined else ", or set fabric.cross_rail: aligned")
    assert [each.hint for each in reach.islands(plan)] == ([hint] if apart else [])
    assert len(list(reach.uplinks_elsewhere(plan))) == bool(apart)


def test_switches_that_are_connected_are_one_part() -> None:
    links = [link("a", "b"), link("c", "d"), link("d", "b"), link("a", "c"), link("e", "f")]
    parts = reach.switch_parts(links, "abcdefg")
    assert len({parts[name] for name in "abcd"}) == 1
    assert parts["e"] == parts["f"]
    assert len(set(parts.values())) == 3


JOB = some(nodes=2, networks=[network()], hosts=[some(name="gpu-1"), some(name="gpu-2")])
HOST = but(RAILS, segment="host")


@pytest.mark.parametrize(
    ("plan", "spread"),
    [
        (plan_of([cable(0, "leaf-1"), cable(0, "leaf-2", "gpu-2")], [], HOST, workloads=[JOB]), True),
        (plan_of([cable(0, "leaf-1"), cable(0, "leaf-1", "gpu-2")], [], HOST, workloads=[JOB]), False),
        (plan_of([cable(0, "leaf-1"), cable(1, "leaf-2", "gpu-2")], [], HOST, workloads=[JOB]), False),
        (plan_of([cable(0, "leaf-1"), cable(0, "leaf-2", "gpu-3")], [], HOST, workloads=[JOB]), False),
        (plan_of([cable(0, "leaf-1"), cable(0, "leaf-2", "gpu-2", False)], [], HOST, workloads=[JOB]), False),
        (plan_of([cable(0, "leaf-1"), cable(None, "leaf-2", "gpu-2")], [], HOST, workloads=[JOB]), False),
        (plan_of([cable(0, "leaf-1"), cable(0, "leaf-2", "gpu-2")], [], workloads=[JOB]), False),
        (plan_of([cable(0, "leaf-1"), cable(0, "leaf-2", "gpu-2")], [], None, workloads=[JOB]), False),
        (
            plan_of(
                [cable(0, "leaf-1"), cable(0, "leaf-2", "gpu-2")], [], HOST, workloads=[but(JOB, nodes=1)]
            ),
            False,
        ),
        (
            plan_of(
                [cable(0, "leaf-1"), cable(0, "leaf-2", "gpu-2")],
                [],
                HOST,
                workloads=[but(JOB, networks=[network(per_rail=False)])],
            ),
            False,
        ),
        (
            plan_of(
                [cable(0, "leaf-1"), cable(0, "leaf-2", "gpu-2")],
                [],
                HOST,
                workloads=[but(JOB, networks=[network(per_rail=False), network()])],
            ),
            True,
        ),
        (
            plan_of(
                [cable(0, "leaf-1"), cable(0, "leaf-2", "gpu-2")],
                [],
                HOST,
                workloads=[but(JOB, hosts=[]), JOB],
            ),
            True,
        ),
    ],
)
def test_a_job_with_one_rail_on_several_leaves(plan: Any, spread: bool) -> None:
    assert reach.spread_job(plan) is spread
    plan.fabric.underlay = some(uplinks=IPNetwork("10.0.0.0/24"))
    assert len(list(reach.uplinks_elsewhere(plan))) == (bool(reach._routed_apart(plan)[0]) and not spread)


@pytest.mark.parametrize(
    ("change", "announced"),
    [
        ({}, True),
        ({"gateway": "none"}, False),
        ({"external": True}, False),
        ({"external": True, "segment": "host"}, True),
    ],
)
def test_supernets_that_leaves_announce(change: dict[str, Any], announced: bool) -> None:
    plan = plan_of(TWO, [], but(RAILS, **change))
    assert reach._announced_ranges(plan, {4}) == (RAILS.ranges if announced else ())
    assert reach._announced_ranges(plan_of(TWO[:1], [], plan.fabric.rails), {4}) == ()
    assert reach._announced_ranges(plan_of(TWO, [], None), {4}) == ()


def test_supernets_of_a_spread_job_are_of_a_family_that_is_carried() -> None:
    plan = plan_of([cable(0, "leaf-1"), cable(0, "leaf-2", "gpu-2")], [], HOST, workloads=[JOB])
    assert reach._announced_ranges(plan, {4}) == RAILS.ranges
    assert reach._announced_ranges(plan, ()) == ()
    plan.fabric.workloads = []
    assert reach._announced_ranges(plan, ()) == RAILS.ranges


@pytest.mark.parametrize(
    ("underlay", "uplinks", "lacking", "families"),
    [
        ("10.0.0.0/24", True, ("cross_family",), {4}),
        ("fd00::/64", True, ("cross_family",), {6}),
        ("10.0.0.0/24", True, (), {4, 6}),
        ("10.0.0.0/24", False, ("cross_family",), {4, 6}),
        (None, True, ("cross_family",), {4, 6}),
    ],
)
def test_families_that_uplinks_carry(
    underlay: str | None, uplinks: bool, lacking: tuple[str, ...], families: set[int]
) -> None:
    plan = plan_of(TWO, [], underlay=None if underlay is None else some(uplinks=IPNetwork(underlay)))
    plan.addresses.uplinks = [1] if uplinks else []
    plan.switches = [some(lacking=()), some(lacking=lacking)]
    assert reach.carried_families(plan) == families
