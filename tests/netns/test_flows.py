"""Every kind of flow between the rails of pods on one node and on two: the kernel does what `trace --matrix`
says.

A flow is bound to source and device (as in the kernel's next-hop lookup for a RoCE queue pair), to a source
only, or to nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from netplan.pipeline import Result
from netplan.trace import Tabulator, TracedSite, Verdict, workloads_named
from tests.netns.flows import exchange
from tests.netns.lab import Lab, Pod, attached
from tests.netns.sites import site

pytestmark = pytest.mark.netns

SITES = [
    pytest.param(
        rails, subnets, back_end, marks=pytest.mark.xdist_group(f"netns-flows-{rails}-{subnets}-{back_end}")
    )
    for rails in (2, 4, 8)
    for subnets in ("shared", "per-node")
    for back_end in ("script", "sbr")
]
NODES = {"shared": (0, 0, 1), "per-node": (0, 1)}
"""Subnets -> nodes of the pods; with whole HCAs, one pod per node."""


class Flow(NamedTuple):
    """``name``: as in trace; ``near``: "" if nothing determines the rail; ``where``: relation of the pods."""

    name: str
    near: str
    far: str
    where: str


def observed(lab: Lab) -> dict[Flow, str]:
    """Result of every flow from the first pod: delivered, wrong rail or not delivered."""
    near = lab.pods[0]
    return {flow: outcome(near, far, flow) for far in lab.pods[1:] for flow in flows(near, far)}


def flows(near: Pod, far: Pod) -> Iterator[Flow]:
    where = "same node" if near.node == far.node else "other node"
    for to in far.addresses:
        yield Flow("unbound", "", to, where)
        for own in near.addresses:
            yield Flow("source-bound", own, to, where)
            yield Flow("device-bound", own, to, where)


def outcome(near: Pod, far: Pod, flow: Flow) -> str:
    source = near.addresses[flow.near] if flow.near else None
    device = flow.near if flow.name == "device-bound" else None
    found = exchange(near.namespace, far.namespace, far.addresses[flow.far], source, device)
    if found.forward is None or found.answer is None:
        return "not delivered"
    right = (flow.far, flow.near or flow.far)
    return "delivered" if (found.forward.interface, found.answer.interface) == right else "wrong rail"


def traced(result: Result) -> dict[Flow, bool]:
    """Which flows arrive on the right rail according to the files; the lab has no lossless queues."""
    site = TracedSite(result.artifacts)
    [workload] = workloads_named(site, None)
    return {
        Flow(cell.flow.name, "" if cell.flow.name == "unbound" else cell.start, cell.end, cell.relation): (
            cell.verdict < Verdict.WRONG_RAIL
        )
        for cell in Tabulator(site).matrix(workload).cells
    }


@pytest.mark.sample(3)
@pytest.mark.parametrize("order", ["forwards", "backwards"])
@pytest.mark.parametrize(("rails", "subnets", "back_end"), SITES)
def test_every_flow_ends_as_traced(rails, subnets, back_end, order):
    """The result does not depend on the order in which the networks are attached."""
    result = site(rails, subnets, back_end)
    with attached(result, "training", NODES[subnets], backwards=order == "backwards") as lab:
        found = observed(lab)
    places = len(NODES[subnets]) - 1
    assert Counter(flow.name for flow in found) == {
        "unbound": rails * places,
        "source-bound": rails * rails * places,
        "device-bound": rails * rails * places,
    }
    assert {flow: what == "delivered" for flow, what in found.items()} == traced(result)
    assert {what for flow, what in found.items() if flow.name != "unbound"} == {"delivered"}
