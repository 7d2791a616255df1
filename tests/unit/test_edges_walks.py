"""Edge cases, one fact per case: why a packet leaves on an interface, and what two pods share."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address, ip_network
from types import SimpleNamespace
from typing import Any

import pytest

from netplan.graph.qos import Proof
from netplan.trace.back_ends import _belongs as belongs
from netplan.trace.chains.compare import _subnets as compared_subnets
from netplan.trace.chains.compare import _vlans as compared_vlans
from netplan.trace.chains.model import Meets
from netplan.trace.draw import matrix_lines
from netplan.trace.ends import _known as known
from netplan.trace.linux import Decision, KernelRoute, Owned, RoutingRule
from netplan.trace.matrix import Matrix, _partners
from netplan.trace.walk import _says as says
from netplan.trace.walk import _why as why
from tests.unit.test_trace_addresses import host

ROUTE = KernelRoute(dst=ip_network("10.1.0.0/16"), dev="net1", via=ip_address("10.0.0.1"))


RULE = RoutingRule(100, ip_network("10.0.0.4/32"), 7)


@pytest.mark.parametrize(
    ("rule", "route", "guessed", "said"),
    [
        (RULE, ROUTE, False, "from 10.0.0.4/32 table 7: 10.1.0.0/16 via 10.0.0.1"),
        (replace(RULE, source=None, table=254), ROUTE, False, "table main: 10.1.0.0/16 via 10.0.0.1"),
        (RULE, replace(ROUTE, via=None), False, "from 10.0.0.4/32 table 7: 10.1.0.0/16 on the link"),
        (RULE, ROUTE, True, "no route to 10.1.0.9, taken for on-link on net1"),
        (RULE, None, False, "no route to 10.1.0.9, taken for on-link on net1"),
        (None, ROUTE, False, "no route to 10.1.0.9, taken for on-link on net1"),
    ],
)
def test_what_decided_is_told_as_ip_names_it(rule: Any, route: Any, guessed: bool, said: str) -> None:
    target = ip_address("10.1.0.9")
    request: Any = SimpleNamespace(dst=target)
    assert says(Decision("net1", target, None, rule, route, guessed), request) == said


def test_why_a_packet_does_not_leave_on_a_rail() -> None:
    target = ip_address("10.1.0.9")
    end: Any = SimpleNamespace(
        host=host(0),
        workload="job",
        routes_file="r",
        slot=0,
        name="job-0",
        space=SimpleNamespace(addresses={}),
    )

    def said(decision: Decision, src: str | None) -> str:
        request: Any = SimpleNamespace(
            sender=end, receiver=end, dst=target, src=ip_address(src) if src else None
        )
        return why(request, decision)

    assert (
        said(Decision("eth0", target, None, RULE, ROUTE), "10.0.0.4")
        == "table 7 sends 10.1.0.9 out on eth0 (r)"
    )
    lost = "no rule for source 10.0.0.4: the packet leaves on eth0 (r)"
    assert said(Decision("eth0", target, None, replace(RULE, source=None), ROUTE), "10.0.0.4") == lost
    main = "no route to 10.1.0.9 in table main: the packet leaves on eth0 (r)"
    assert said(Decision("eth0", target, None, RULE, ROUTE), None) == main
    assert said(Decision(None, target, None, RULE, ROUTE), None).endswith(
        "10.1.0.0/16 is unreachable in table 7 (r)"
    )
    assert said(Decision(None, target, None, None, None), None).endswith("no table has a route (r)")


def test_a_route_belongs_to_an_address_by_its_source_or_gateway() -> None:
    own = Owned(ip_address("10.0.0.4"), ip_network("10.0.0.0/24"))
    assert belongs(ROUTE, own)
    assert not belongs(replace(ROUTE, via=ip_address("10.9.0.1")), own)
    assert belongs(replace(ROUTE, via=None), own)
    assert not belongs(replace(ROUTE, via=None, dst=ip_network("fd00::/64")), own)
    assert belongs(replace(ROUTE, via=None, src=own.ip), own)


@pytest.mark.parametrize(
    ("count", "partners"), [(2, [[1], [0]]), (1, [[]]), (40, [[1, 20], [2, 21]]), (41, [[1, 20], [2, 21]])]
)
def test_pods_of_many_classes_meet_the_next_and_the_farthest(count: int, partners: list[list[int]]) -> None:
    assert [_partners(index, count) for index in range(min(count, 2))] == partners
    if count > 2:
        assert _partners(count - 1, count)[0] == 0
        assert _partners(count - 1, count)[1] == (count - 1 + count // 2) - count


def test_a_matrix_of_no_host_says_why() -> None:
    lines = list(matrix_lines(Matrix("job", (), 0, (), 0, 0, (), "no host has the labels"), color=False))
    assert "  no host has the labels" in lines


def test_names_that_are_known_are_listed() -> None:
    assert known("x", []) == "there is none"
    assert known("net1", ["net2", "eth0"]) == "did you mean net2? there are net2, eth0"


ON = Meets(network="n", vlan=100, mtu=9000, subnets=(ip_network("10.0.0.0/24"),), routed=True)


@pytest.mark.parametrize(
    ("change", "said", "proof"),
    [
        ({}, "the same, 10.0.0.0/24", Proof.PROVED),
        ({"subnets": ()}, "not stated for both", Proof.OPEN),
        (
            {"subnets": (ip_network("10.1.0.0/24"),)},
            "10.0.0.0/24 and 10.1.0.0/24: the gateways must have routes",
            Proof.OPEN,
        ),
        (
            {"subnets": (ip_network("10.1.0.0/24"),), "routed": False},
            "10.0.0.0/24 and 10.1.0.0/24, and no route leads from the one to the other",
            Proof.OPEN,
        ),
    ],
)
def test_subnets_of_two_pods(change: dict[str, Any], said: str, proof: Proof) -> None:
    found = compared_subnets(ON, replace(ON, **change))
    assert (found.said, found.proof) == (said, proof)
    back = compared_subnets(replace(ON, **change), ON)
    assert back.proof is proof


@pytest.mark.parametrize(
    ("change", "said", "proof"),
    [
        ({}, "the same, 100", Proof.PROVED),
        ({"vlan": None}, "not stated for both", Proof.OPEN),
        ({"vlan": 0}, "100 and untagged, in one subnet: neither reaches the other", Proof.REFUTED),
        ({"vlan": 0, "subnets": ()}, "100 and untagged: a router is between them", Proof.PROVED),
    ],
)
def test_vlans_of_two_pods(change: dict[str, Any], said: str, proof: Proof) -> None:
    found = compared_vlans(ON, replace(ON, **change))
    assert (found.said, found.proof) == (said, proof)
    assert compared_vlans(replace(ON, **change), ON).proof is proof
