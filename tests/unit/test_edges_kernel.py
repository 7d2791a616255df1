"""Edge cases, one fact per case: routing of a pod as its kernel does it, and shortened objects."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from types import SimpleNamespace
from typing import Any

import pytest

from netplan.reading.kubernetes.load import load_texts
from netplan.trace.linux import KernelRoute, Namespace, Owned
from netplan.trace.objects import _no_address as no_address
from netplan.trace.objects import _parent as parent
from netplan.trace.objects import _readable as readable
from netplan.trace.objects import misread

NET, OTHER = ip_network("10.0.0.0/24"), ip_network("10.1.0.0/16")


def space() -> Namespace:
    """Two interfaces with an address each."""
    found = Namespace()
    for number, name in enumerate(("eth0", "net1")):
        net = ip_network(f"10.{number}.0.0/24")
        found.addresses[name] = (Owned(net[4], net),)
        found.add_route(KernelRoute(dst=net, dev=name))
    return found


def route(dst: str, dev: str | None = "net1", via: str | None = None, **more: Any) -> KernelRoute:
    return KernelRoute(dst=ip_network(dst), dev=dev, via=ip_address(via) if via else None, **more)


def test_rules_without_a_priority_stand_before_those_that_are_there() -> None:
    """The main table has 32766 (ip-rule(8)); the kernel takes one less than the smallest."""
    here = Namespace()
    for table in (7, 8):
        here.add_rule(NET, table)
    here.add_rule(NET, 9, 100)
    here.add_rule(NET, 10)
    assert [(rule.table, rule.priority) for rule in here.rules] == [
        (7, 32765),
        (8, 32764),
        (9, 100),
        (10, 99),
    ]


def test_the_rule_of_the_smallest_number_decides_where_it_is_for_the_source() -> None:
    here = space()
    here.table(7).append(route("0.0.0.0/0", via="10.1.0.1"))
    here.table(8).append(route("0.0.0.0/0", "eth0", "10.0.0.1"))
    here.add_rule(ip_network("10.1.0.4/32"), 8, 200)
    here.add_rule(ip_network("10.1.0.4/32"), 7, 100)
    target = ip_address("10.9.0.1")
    assert here.decide(target, ip_address("10.1.0.4")).dev == "net1"
    here.del_rules(100, 4)
    assert here.decide(target, ip_address("10.1.0.4")).dev == "eth0"
    assert here.decide(target, ip_address("10.1.0.5")).route is None
    assert here.decide(target).route is None


def test_the_longest_prefix_and_then_the_smallest_metric_is_used() -> None:
    here = space()
    for each in (
        route("10.9.0.0/16", metric=5),
        route("10.9.0.0/16", "eth0", metric=1),
        route("0.0.0.0/0", "eth0"),
    ):
        here.add_route(each)
    assert here.decide(ip_address("10.9.0.1")).dev == "eth0"
    here.add_route(route("10.9.1.0/24", metric=9))
    assert here.decide(ip_address("10.9.1.1")).dev == "net1"
    assert here.decide(ip_address("10.9.1.1"), oif="eth0").dev == "eth0"
    assert here.decide(ip_address("10.9.1.1"), oif="eth0").guessed is False


def test_what_is_unreachable_does_not_leave() -> None:
    here = space()
    here.add_route(route("10.9.0.0/16", None))
    found = here.decide(ip_address("10.9.0.1"))
    assert (found.dev, found.route is not None, found.guessed) == (None, True, False)
    assert here.decide(ip_address("10.8.0.1")).dev is None


def test_a_socket_that_is_bound_to_a_device_takes_a_target_for_on_link() -> None:
    found = space().decide(ip_address("10.8.0.1"), oif="net1")
    assert (found.dev, found.guessed, str(found.next_hop)) == ("net1", True, "10.8.0.1")
    assert str(found.src) == "10.1.0.4"


def test_the_source_is_that_of_the_socket_of_the_route_or_of_the_interface() -> None:
    here = space()
    here.add_route(route("10.9.0.0/16", via="10.1.0.1", src=ip_address("10.1.0.7")))
    here.add_route(route("10.8.0.0/16", via="10.1.0.1"))
    assert str(here.decide(ip_address("10.9.0.1")).src) == "10.1.0.7"
    assert str(here.decide(ip_address("10.8.0.1")).src) == "10.1.0.4"
    assert str(here.decide(ip_address("10.9.0.1"), ip_address("10.0.0.4")).src) == "10.0.0.4"
    assert str(here.decide(ip_address("10.9.0.1")).next_hop) == "10.1.0.1"


def test_addresses_belong_to_interfaces() -> None:
    here = space()
    assert (here.owner(ip_address("10.1.0.4")), here.owner(ip_address("10.1.0.5"))) == ("net1", None)
    assert [len(here.owned("net1", version)) for version in (4, 6)] == [1, 0]
    assert here.owned("net9", 4) == ()


# Objects


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (("a", "b"), ({"b": [1]}, "b")),
        (("a", "b", 0), ([1], 0)),
        (("a", "b", 1), (None, None)),
        (("a", "c"), (None, None)),
        (("x", "b"), (None, None)),
        (("a", "b", "c"), (None, None)),
        (("a", "b", 0, "c"), (None, None)),
    ],
)
def test_what_holds_the_end_of_a_path(path: tuple[str | int, ...], found: tuple[Any, Any]) -> None:
    assert parent({"a": {"b": [1]}}, path) == found


@pytest.mark.parametrize(
    ("path", "text", "wrong"),
    [
        (("subnet",), "10.0.0.0/24", False),
        (("subnet",), "10.0.0.0/33", True),
        (("exclude", 0), "10.0.0.1/32", False),
        (("exclude", 0), "x", True),
        (("range",), "10.0.0.1-10.0.0.9/24", False),
        (("range",), "10.0.0.1-x", True),
        (("gateway",), "10.0.0.1", False),
        (("gateway",), "10.0.0.1/24", True),
        (("startIP",), "x", True),
        (("name",), "x", False),
    ],
)
def test_a_text_that_is_to_be_an_address(path: tuple[str | int, ...], text: str, wrong: bool) -> None:
    assert bool(no_address(path, text)) is wrong


POOL = """
apiVersion: {group}/v1alpha1
kind: IPPool
metadata: {{name: pool, namespace: nvidia-network-operator}}
spec:
  subnet: 172.16.0.0/24
  gateway: 172.16.0.1
  exclusions:
  - {{startIP: 172.16.0.2, endIP: 172.16.0.x}}
  routes:
  - dst: 172.16.0.0/40
"""


@pytest.mark.parametrize(
    ("group", "places"),
    [
        ("nv-ipam.nvidia.com", [("spec", "exclusions", 0, "endIP"), ("spec", "routes", 0, "dst")]),
        ("example.com", []),
    ],
)
def test_addresses_are_read_at_any_depth(group: str, places: list[tuple[str | int, ...]]) -> None:
    things = load_texts({"pool.yaml": POOL.format(group=group)}).things
    assert [refusal.path for thing in things for refusal in misread(thing)] == places


@pytest.mark.parametrize(
    ("keyword", "value", "wanted", "is_read"),
    [
        ("enum", "x", ("a", "b"), True),
        ("enum", 3, ("a", "b"), False),
        ("const", 3, (4,), True),
        ("additionalProperties", 3, (), True),
        ("maximum", 3, (), True),
        ("", 3, (), True),
        ("type", 3, (), False),
        ("minimum", 3, (), False),
    ],
)
def test_what_a_schema_refuses_and_trace_reads(keyword: str, value: Any, wanted: Any, is_read: bool) -> None:
    refusal: Any = SimpleNamespace(keyword=keyword, value=value, wanted=wanted)
    assert readable(refusal) is is_read
