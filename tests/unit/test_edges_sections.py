"""Edge cases, one fact per case: sections of an inventory, resolved one by one."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPNetwork

from netplan.model.codes import Problems
from netplan.resolve import hosts, networks, segments
from netplan.resolve.context import NOWHERE, Context
from tests.unit.some import some


def context() -> Context:
    nothing: Any = {}
    return Context(Problems(), nothing, nothing, (), nothing)


def told(given: Context) -> list[tuple[str, str]]:
    return [(each.code, ".".join(map(str, each.path))) for each in given.problems.found]


RAILS: dict[str, Any] = {
    "count": 2,
    "segment": "leaf",
    "numbering": "id",
    "first_subnet": 0,
    "gateway": "first",
    "gateway_owner": "switches",
    "supernets": ["10.0.0.0/16"],
    "prefixes": [24],
}


@pytest.mark.parametrize(
    ("change", "parts", "found"),
    [
        ({}, [["10.0.0.0/17"], ["10.0.128.0/17"]], []),
        ({"count": 1}, [["10.0.0.0/16"]], []),
        ({"count": 3}, [["10.0.0.0/18"], ["10.0.64.0/18"], ["10.0.128.0/18"]], []),
        ({"rail_prefixes": [20]}, [["10.0.0.0/20"], ["10.0.16.0/20"]], []),
        ({"rail_prefixes": [16]}, [], [("NP203", "rails.supernets")]),
        ({"rail_prefixes": [24]}, [["10.0.0.0/24"], ["10.0.1.0/24"]], []),
        ({"rail_prefixes": [25]}, [], [("NP204", "rails.prefixes.0")]),
        ({"rail_prefixes": [15]}, [], [("NP204", "rails.prefixes.0")]),
        ({"prefixes": [32]}, [["10.0.0.0/17"], ["10.0.128.0/17"]], []),
        ({"prefixes": [33]}, [], [("NP204", "rails.prefixes.0")]),
        ({"prefixes": []}, [], [("NP204", "rails")]),
        ({"rail_prefixes": [20, 20]}, [], [("NP204", "rails")]),
        ({"supernets": [], "prefixes": []}, [[], []], []),
        (
            {"supernets": ["10.0.0.0/16", "fd00::/60"], "prefixes": [24, 64]},
            [["10.0.0.0/17", "fd00::/61"], ["10.0.128.0/17", "fd00:0:0:8::/61"]],
            [],
        ),
        (
            {"supernets": ["10.0.0.0/16", "10.1.0.0/16"], "prefixes": [24, 24]},
            [],
            [("NP204", "rails.supernets")],
        ),
        ({"supernets": ["fd00::/60"], "prefixes": [128]}, [["fd00::/61"], ["fd00:0:0:8::/61"]], []),
        ({"supernets": ["fd00::/60"], "prefixes": [129]}, [], [("NP204", "rails.prefixes.0")]),
        ({"supernets": ["x"]}, [], [("NP201", "rails.supernets.0")]),
    ],
)
def test_parts_of_rails(change: dict[str, Any], parts: list[list[str]], found: Any) -> None:
    given = context()
    rails = segments.build_rails({**RAILS, **change}, given)
    assert [[str(n) for n in part] for part in rails.rail_networks] == parts
    assert told(given) == found
    assert rails.rail_prefixes_stated is ("rail_prefixes" in change)
    assert not rails.external
    assert segments.build_rails({**RAILS, "gateway_owner": "external"}, context()).external


@pytest.mark.parametrize(
    ("text", "count", "ids", "found"),
    [
        (None, 2, (), False),
        ("100-101", 2, (100, 101), False),
        ("100", 1, (100,), False),
        (100, 1, (100,), False),
        ("100-102", 2, (100, 101), True),
        ("100", 2, (100, 101), True),
        ("100-99", 1, (100,), True),
        ([110, 120], 2, (110, 120), False),
        ([120, 110], 3, (120, 110, 121), True),
        ([110, 120, 130], 2, (110, 120), True),
    ],
)
def test_vlan_ids_of_rails(text: Any, count: int, ids: Any, found: bool) -> None:
    given = context()
    assert segments._vlan_ids({} if text is None else {"vlan_ids": text}, count, given) == ids
    assert told(given) == ([("NP104", "rails.vlan_ids")] if found else [])
    hint = [each.hint for each in given.problems.found]
    by_rail = "write one for each rail, in the order of the rails"
    wanted = by_rail if isinstance(text, list) else f"write 100-{99 + count}"
    assert hint == ([wanted] if found else [])


@pytest.mark.parametrize(
    ("text", "ends", "codes"),
    [
        ("10.0.0.1", ("10.0.0.1", "10.0.0.1"), []),
        ("10.0.0.1-10.0.0.1", ("10.0.0.1", "10.0.0.1"), []),
        ("10.0.0.1-10.0.0.2", ("10.0.0.1", "10.0.0.2"), []),
        ("10.0.0.2-10.0.0.1", ("10.0.0.2", "10.0.0.1"), ["NP201"]),
        ("10.0.0.2-fd00::1", ("10.0.0.2", "fd00::1"), ["NP201"]),
        ("x", ("0.0.0.0", "0.0.0.0"), ["NP201", "NP201"]),
    ],
)
def test_a_span_of_addresses(text: str, ends: Any, codes: list[str]) -> None:
    given = context()
    assert tuple(map(str, segments._span(text, ("at",), given))) == ends
    assert [code for code, _ in told(given)] == codes


def test_routes_of_a_subnet_are_of_its_family() -> None:
    given = context()
    texts = ["10.1.0.0/16", "fd00::/64", "x", "10.1.0.1/16"]
    found = segments._routes(texts, IPNetwork("10.0.0.0/24"), ("r",), given)
    assert [str(n) for n in found] == ["10.1.0.0/16", "fd00::/64", str(NOWHERE), "10.1.0.0/16"]
    assert told(given) == [("NP201", "r.2"), ("NP202", "r.3"), ("NP204", "r.1")]
    given = context()
    segments._routes(["fd00::/64"], NOWHERE, ("r",), given)
    assert told(given) == []


UNDERLAY = {"leaf_asn": "65001+", "spine_asn": 65100, "loopbacks": "10.9.0.0/24", "uplinks": "10.8.0.0/24"}


def test_as_numbers_count_where_a_plus_says_so() -> None:
    found = segments.build_underlay({**UNDERLAY, "uplinks_per_leaf": 4}, context())
    assert (found.leaf_asn, found.leaf_asn_counts) == (65001, True)
    assert (found.spine_asn, found.spine_asn_counts, found.max_oversubscription) == (65100, False, None)
    turned = {**UNDERLAY, "leaf_asn": 65001, "spine_asn": "65100+", "uplinks_per_leaf": 4}
    found = segments.build_underlay(turned, context())
    assert (found.leaf_asn_counts, found.spine_asn, found.spine_asn_counts) == (False, 65100, True)


def test_a_subnet_with_and_without_a_gateway() -> None:
    given, vlan = context(), some(name="v")
    plain = {"cidr": "10.0.0.0/24", "gateway_owner": "switches"}
    rows = {
        "b": {
            **plain,
            "gateway": "10.0.0.1",
            "vlan": "v",
            "reserved": ["10.0.0.9"],
            "gateway_owner": "external",
        },
        "a": {**plain, "gateway": "none", "exclude": ["10.0.0.2-10.0.0.3"]},
        "c": {**plain, "vlan": "w"},
    }
    vlans: Any = {"v": vlan}
    found = segments.build_subnets(rows, vlans, given)
    assert list(found) == ["a", "b"]
    assert (found["a"].gateway, found["a"].vlan, found["a"].external) == (None, None, False)
    assert (str(found["b"].gateway), found["b"].vlan, found["b"].external) == ("10.0.0.1", vlan, True)
    assert [len(found[name].exclude) for name in "ab"] == [1, 0]
    assert [len(found[name].reserved) for name in "ab"] == [0, 1]
    assert told(given) == [("NP101", "subnets.c.vlan")]


@pytest.mark.parametrize(
    ("text", "value", "codes"),
    [(None, None, []), ("0-3", (0, 3), []), ("2-2", (2, 2), []), ("3-2", (3, 2), ["NP102"])],
)
def test_a_range_of_vfs_runs_forwards(text: Any, value: Any, codes: list[str]) -> None:
    given = context()
    assert networks._vf_range(text, ("n",), given) == value
    assert [code for code, _ in told(given)] == codes


@pytest.mark.parametrize(
    ("name", "lossless", "found", "codes"),
    [
        (None, ("a",), "a", []),
        (None, ("a", "b"), None, []),
        (None, (), None, []),
        ("b", ("a",), "b", []),
        ("x", ("a",), None, ["NP101"]),
    ],
)
def test_the_class_of_a_network(name: Any, lossless: Any, found: Any, codes: list[str]) -> None:
    classes = {each: some(name=each) for each in "ab"}
    qos: Any = some(classes=classes.values(), lossless=[classes[each] for each in lossless])
    given = context()
    got = networks._traffic_class(name, qos, ("n",), given)
    assert (got and got.name) == found
    assert [code for code, _ in told(given)] == codes
    assert networks._traffic_class(None, None, ("n",), given) is None


def test_keys_of_partitions_and_values_that_stay_as_they_are() -> None:
    assert networks._pkey(None) is None
    assert networks._pkey("0x8001") == 0x8001
    assert networks._frozen({"b": [1, {"d": 2, "c": 3}], "a": "x"}) == {"a": "x", "b": (1, {"c": 3, "d": 2})}
    assert list(networks._frozen({"b": 1, "a": 2})) == ["a", "b"]
    assert hosts.labels(None) == ()
    assert hosts.labels({"b": "1", "a": "2"}) == (("a", "2"), ("b", "1"))


def test_hosts_of_a_workload() -> None:
    kinds: Any = {"gpu": some(name="gpu"), "cpu": some(name="cpu")}
    known: Any = {f"n-{i}": some(name=f"n-{i}", type=kinds["gpu" if i < 3 else "cpu"]) for i in (1, 2, 3, 10)}

    def names(*texts: str) -> tuple[list[str], list[tuple[str, str]]]:
        given = context()
        given.absent.add(("hosts", "n-4"))
        given.refused.add(("hosts", "n-5"))
        found = networks._hosts(texts, ("w",), known, kinds, given)
        return [each.name for each in found], told(given)

    assert names("gpu") == (["n-1", "n-2"], [])
    assert names("n-10", "n-3", "n-3") == (["n-3", "n-10"], [])
    assert names("cpu", "n-[1-2]") == (["n-1", "n-2", "n-3", "n-10"], [])
    assert names("n-[3-4]", "n-1") == (["n-1", "n-3"], [])
    assert names("n-4") == ([], [("NP101", "w.0")])
    assert names("n-[4-5]", "n-1") == (["n-1"], [])
    assert names("n-7", "n-1") == (["n-1"], [("NP101", "w.0")])
    assert names("n-[6-8]") == ([], [("NP101", "w.0")])
