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
from netplan.trace.onward import host_hop, host_port
from netplan.trace.walk import _dropped as dropped
from netplan.trace.walk import _priorities as priorities
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


def ends(**receiver: Any) -> Any:
    """A request for 10.1.0.9 to a pod with these parts of a routing space."""
    other = SimpleNamespace(
        host=host(0), workload="job", slot=0, name="job-1", space=SimpleNamespace(**receiver)
    )
    sender = SimpleNamespace(host=host(0), workload="job", routes_file="r", slot=0, name="job-0")
    sender.space = SimpleNamespace(
        addresses={"net1": [Owned(ip_address("10.0.0.4"), ip_network("10.0.0.0/24"))]}
    )
    return SimpleNamespace(sender=sender, receiver=other, dst=ip_address("10.1.0.9"), src=None)


def test_the_subnet_of_a_pod_is_told_where_it_is_known() -> None:
    own = {"net1": [Owned(ip_address("10.1.0.9"), ip_network("10.1.0.0/24"))]}
    request = ends(addresses=own)
    decision = Decision("eth0", request.dst, None, replace(RULE, source=None), ROUTE)
    assert why(request, decision) == "no route to 10.1.0.0/24 in table main: the packet leaves on eth0 (r)"
    request.src = ip_address("10.0.0.4")
    assert why(request, decision) == "no rule for source 10.0.0.0/24: the packet leaves on eth0 (r)"


@pytest.mark.parametrize(
    ("arrives", "src", "checked", "back", "drops"),
    [
        ("net1", "10.0.0.4", 1, "eth0", True),
        ("net1", "10.0.0.4", 1, "net1", False),
        ("net1", "10.0.0.4", 2, "eth0", False),
        ("net1", "10.0.0.4", 0, "eth0", False),
        ("net1", None, 1, "eth0", False),
        (None, "10.0.0.4", 1, "eth0", False),
        ("net2", "10.0.0.4", 1, "eth0", False),
    ],
)
def test_a_pod_drops_what_it_would_answer_elsewhere(
    arrives: str | None, src: str | None, checked: int, back: str, drops: bool
) -> None:
    """docs.kernel.org networking/ip-sysctl, rp_filter: 1 is strict, 2 is loose."""
    decide = SimpleNamespace(
        decide=lambda *_: SimpleNamespace(dev=back), rp_filter={"net1": checked, None: checked}
    )
    decision = Decision("net1", ip_address("10.1.0.9"), ip_address(src) if src else None, RULE, ROUTE)
    found = dropped(ends(**vars(decide)), decision, SimpleNamespace(arrives=arrives))  # type: ignore[arg-type]
    assert len(found) == drops
    assert all(
        each.text.endswith("drops it on net1: rp_filter is 1, and 10.0.0.4 is behind eth0") for each in found
    )


def test_a_port_that_pauses_another_priority_than_the_class_has_is_told() -> None:
    def point(place: str, lossless: bool, priority: int) -> Any:
        return SimpleNamespace(place=place, lossless=lossless, priority=priority)

    onward: Any = SimpleNamespace(points=[point("a", True, 3), point("b", True, 4), point("c", False, 5)])
    sent: Any = SimpleNamespace(dscp=26, priority=3)
    assert priorities(sent, onward) == ("b pauses priority 4, the class of DSCP 26 has 3 (site.json)",)


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


@pytest.mark.parametrize(
    ("nic", "point", "values"),
    [
        ({}, None, {"MTU": "not stated"}),
        ({"mtu": 9000, "vlan": 0}, None, {"MTU": "9000", "VLAN": "0"}),
        ({}, (True, 3), {"MTU": "not stated", "DSCP": "26", "priority": "3", "PFC": "on"}),
        ({}, (False, None), {"MTU": "not stated", "DSCP": "26", "priority": "not stated", "PFC": "off"}),
    ],
)
def test_a_pod_is_drawn_with_what_its_nic_does(
    nic: dict[str, Any], point: tuple[bool, int | None] | None, values: dict[str, str], monkeypatch: Any
) -> None:
    judged = SimpleNamespace(lossless=point[0], priority=point[1]) if point else None
    monkeypatch.setattr("netplan.trace.onward.nic_point", lambda *_: judged)
    plain = {"name": "net1", "hca": None, "mtu": None, "vlan": None, "file": "f"}
    own: Any = SimpleNamespace(**{**plain, **nic})
    pod: Any = SimpleNamespace(workload="job", host=SimpleNamespace(name="gpu-1"))
    packet: Any = SimpleNamespace(dscp=26)
    sends, ends_there = (host_hop(pod, own, does, packet) for does in ("sends", ""))
    assert (sends.node, sends.enter, sends.leave, sends.file) == ("job@gpu-1", "", "net1", "f")
    assert (ends_there.enter, ends_there.leave) == ("net1", "")
    assert dict(sends.values) == dict(ends_there.values) == values
    assert host_port(pod, own) == "job@gpu-1 net1"
    own.hca = SimpleNamespace(name="roce0")
    assert host_hop(pod, own, "sends", packet).leave == "net1 (roce0)"
    assert host_port(pod, own) == "gpu-1 roce0"
