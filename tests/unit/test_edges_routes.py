"""Edge cases, one fact per case: ``routes.yaml`` against what plugins and scripts set up in a pod."""

from __future__ import annotations

from copy import deepcopy
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
import yaml

from netplan.reading.kubernetes.load import load_texts
from netplan.reading.kubernetes.objects import Thing
from netplan.trace.linux import MAIN, KernelRoute, Namespace, Owned
from netplan.trace.model import TraceError
from netplan.trace.routes import Routes

FILE = "routes.yaml"
NET1: dict[str, Any] = {
    "interface": "net1",
    "rail": 2,
    "family": "ipv4",
    "back_end": "sbr",
    "table": 7,
    "rule": {"from": "10.0.0.4/32", "priority": 9},
    "routes": [{"to": "10.1.0.0/16", "via": "10.0.0.1"}, {"to": "10.0.0.0/24", "scope": "link"}],
    "main": [{"to": "10.0.0.0/24", "scope": "link"}],
}
SIX: dict[str, Any] = {
    **NET1,
    "family": "ipv6",
    "rule": {"from": "each address of the interface"},
    "routes": [{"to": "default", "via": "fd00::1"}],
    "main": [],
    "by_default": ["fd01::/64"],
}


def routes_of(*entries: Any, **more: Any) -> Routes:
    body = {
        "apiVersion": "v1",
        "kind": "Routes",
        "metadata": {"name": "r"},
        "interfaces": list(entries),
        **more,
    }
    tree = load_texts({FILE: yaml.safe_dump(body, sort_keys=False)})
    (thing,) = tree.things
    assert isinstance(thing, Thing)
    return Routes(FILE, thing)


def way(dst: str, via: str | None = None, dev: str | None = "net1") -> KernelRoute:
    return KernelRoute(dst=ip_network(dst), dev=dev, via=ip_address(via) if via else None)


def space(*owned: str) -> Namespace:
    """As NET1 and SIX say."""
    made = Namespace()
    made.addresses["net1"] = tuple(
        Owned(ip=ip_address(each.partition("/")[0]), prefix=ip_network(each, strict=False))
        for each in owned or ("10.0.0.4/24", "fd00::4/64", "fd00::5/64")
    )
    made.add_rule(ip_network("10.0.0.4/32"), 7, 9)
    made.add_rule(ip_network("fd00::4/128"), 7, 8)
    made.add_rule(ip_network("fd00::5/128"), 7, 8)
    made.tables[7] = [way("10.1.0.0/16", "10.0.0.1"), way("10.0.0.0/24"), way("::/0", "fd00::1")]
    made.tables[MAIN] = [way("10.0.0.0/24"), way("0.0.0.0/0", "169.254.1.1", "eth0")]
    return made


def test_what_is_as_it_is_written_down_differs_in_nothing() -> None:
    assert list(routes_of(NET1, SIX).differences(space(), "s")) == []
    assert list(Routes(FILE, None).differences(space(), "s")) == []


def changed(entry: dict[str, Any], **change: Any) -> list[str]:
    return list(routes_of({**deepcopy(entry), **change}).differences(space(), "s"))


@pytest.mark.parametrize(
    ("entry", "change", "said"),
    [
        (
            NET1,
            {"rule": {"from": "10.0.0.5/32", "priority": 9}},
            ["no rule 9: from 10.0.0.5/32 lookup 7 (s)"],
        ),
        (
            NET1,
            {"rule": {"from": "10.0.0.4/32", "priority": 8}},
            ["no rule 8: from 10.0.0.4/32 lookup 7 (s)"],
        ),
        (NET1, {"rule": {"from": "10.0.0.4/32"}}, []),
        (SIX, {"rule": {"from": "fd00::6/128"}}, ["no rule from fd00::6/128 lookup 7 (s)"]),
        (
            SIX,
            {"rule": {"from": "each address of the interface", "priority": 1}},
            ["no rule 1: from fd00::4/128 lookup 7", "no rule 1: from fd00::5/128 lookup 7"],
        ),
        (
            NET1,
            {"routes": [NET1["routes"][0]]},
            ["table 7 has 10.0.0.0/24 on the link (s), which routes.yaml:14 does not list"],
        ),
        (
            NET1,
            {"routes": [NET1["routes"][1]]},
            ["table 7 has 10.1.0.0/16 via 10.0.0.1 (s), which routes.yaml:14 does not list"],
        ),
        (
            NET1,
            {"routes": [*NET1["routes"], {"to": "10.2.0.0/16", "via": "10.0.0.1"}]},
            ["table 7 lacks 10.2.0.0/16 via 10.0.0.1 for net1 (s), which routes.yaml:19 states"],
        ),
        (
            NET1,
            {"routes": [*NET1["routes"], {"to": "10.2.0.0/16", "type": "unreachable"}]},
            ["table 7 lacks 10.2.0.0/16 unreachable for net1 (s), which routes.yaml:19 states"],
        ),
        (
            NET1,
            {"main": [{"to": "10.3.0.0/24", "scope": "link"}]},
            ["table main lacks 10.3.0.0/24 on the link for net1 (s), which routes.yaml:20 states"],
        ),
        (NET1, {"main": []}, []),
        (NET1, {"routes": []}, []),
        (NET1, {"routes": [{"to": "node-prefix", "scope": "link"}]}, []),
        (NET1, {"routes": [{"to": "10.9.0.0/16", "via": "node-gateway"}]}, []),
        (NET1, {"back_end": "claim", "routes": [{"to": "10.9.0.0/16", "via": "10.0.0.1"}]}, []),
        (NET1, {"interface": "net2", "routes": [{"to": "10.9.0.0/16", "via": "10.0.0.1"}]}, []),
        (
            SIX,
            {"routes": [{"to": "default", "via": "fd00::2"}]},
            ["table 7 lacks ::/0 via fd00::2", "table 7 has"],
        ),
    ],
)
def test_what_differs_is_told_with_its_line(
    entry: dict[str, Any], change: dict[str, Any], said: list[str]
) -> None:
    found = changed(entry, **change)
    assert len(found) == len(said), found
    assert all(part in text for part, text in zip(said, found, strict=True)), found


def test_without_a_table_its_routes_are_in_main() -> None:
    entry = {**NET1, "back_end": "none", "routes": [{"to": "10.5.0.0/16", "via": "10.0.0.1"}]}
    del entry["table"], entry["rule"], entry["main"]
    found = list(routes_of(entry).differences(space(), "s"))
    assert found[0].startswith("table main lacks 10.5.0.0/16 via 10.0.0.1 for net1 (s)")
    assert [text.partition(" (")[0] for text in found[1:]] == [
        "table main has 10.0.0.0/24 on the link",
        "table main has 0.0.0.0/0 via 169.254.1.1",
    ]


def test_an_address_alone_has_no_routes_and_the_next_entry_is_read_too() -> None:
    lone = space("10.0.0.4/32", "fd00::4/64", "fd00::5/64")
    wrong = {**SIX, "routes": [{"to": "default", "via": "fd00::2"}]}
    entry = {**NET1, "routes": [{"to": "10.9.0.0/16", "via": "10.0.0.1"}], "main": []}
    assert [text.partition(" (")[0] for text in routes_of(entry, wrong).differences(lone, "s")] == [
        "table 7 lacks ::/0 via fd00::2 for net1",
        "table 7 has ::/0 via fd00::1",
    ]
    elsewhere = {**entry, "interface": "net9"}
    assert len(list(routes_of(elsewhere, wrong).differences(lone, "s"))) == 2
    two = space("10.0.0.4/31", "fd00::4/64", "fd00::5/64")
    assert len(list(routes_of(entry).differences(two, "s"))) == 3


def test_a_route_that_is_unreachable_has_no_device() -> None:
    refused = {**NET1, "routes": [*NET1["routes"], {"to": "10.2.0.0/16", "type": "unreachable"}]}
    made = space()
    made.tables[7].append(way("10.2.0.0/16", None, None))
    assert list(routes_of(refused).differences(made, "s")) == []
    made.tables[7][-1] = way("10.3.0.0/16", None, None)
    assert len(list(routes_of(refused).differences(made, "s"))) == 2
    made.tables[7][-1] = way("10.2.0.0/16")
    assert len(list(routes_of(refused).differences(made, "s"))) == 2


def test_what_rails_reach() -> None:
    link = {"to": "10.4.0.0/16", "scope": "link"}
    entry = {**NET1, "routes": [*NET1["routes"], {"to": "default", "via": "10.0.0.1"}, link]}
    found = routes_of(entry, SIX, {"interface": "net2", "rail": 3, "routes": []})
    assert found.rails == {"net1": (2, ("10.1.0.0/16", "fd01::/64")), "net2": (3, ())}
    assert [found.at(name) for name in ("net1", "net2", "net9")] == [f"{FILE}:{n}" for n in (6, 39, 6)]
    assert Routes(FILE, None).rails == {}
    assert Routes(FILE, None).at("net1") == FILE


def test_flags_of_a_workload() -> None:
    outside = [
        {"interface": "net1", "gateway_owner": "external"},
        {"interface": "net2", "gateway_owner": "x"},
    ]
    assert routes_of(*outside).outside == {"net1"}
    assert routes_of({"interface": "net3"}).outside == frozenset()
    assert Routes(FILE, None).outside == frozenset()
    assert [routes_of(unbound_traffic=given).unbound for given in (True, False, "yes")] == [
        True,
        False,
        False,
    ]
    assert routes_of().unbound is False
    assert Routes(FILE, None).unbound is False
    assert Routes(FILE, None).entries == ()


@pytest.mark.parametrize(
    "change",
    [
        {"back_end": "other"},
        {"family": "ipv5"},
        {"routes": [{"to": "10.9.0.0/16"}]},
        {"routes": [{"to": "x", "via": "10.0.0.1"}]},
        {"rule": {}},
    ],
)
def test_a_file_of_another_form_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(TraceError, match=r"^routes\.yaml: not of the form netplan writes"):
        changed(NET1, **change)
    with pytest.raises(TraceError):
        _ = routes_of({**NET1, "by_default": ["10.0.0.1/8"]}).rails
