"""Edge cases, one fact per case: members of ranges, ends of cables, and what is left out."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.resolve import links
from netplan.resolve.expand import Member, expand_members, member_id, paired
from netplan.resolve.left_out import left_out
from netplan.resolve.prune import prune
from tests.unit.test_edges_sections import context, told


@pytest.mark.parametrize(
    ("name", "values", "at", "offset", "length", "own", "number"),
    [
        ("n-7", {}, "n-7", 0, 1, (), 7),
        ("n", {}, "n", 0, 1, (), 0),
        ("n-7", {"id": 3}, "n-7", 0, 1, (), 3),
        ("n-7", {"id": 3}, "n-[5-9]", 2, 5, (), 5),
        ("n-7", {"id": 3}, "n-[5-9]", 2, 5, ("id",), 3),
        ("n-7", {}, "n-[5-9]", 2, 5, (), 7),
    ],
)
def test_the_number_of_a_member(
    name: str, values: Any, at: str, offset: int, length: int, own: Any, number: int
) -> None:
    assert member_id(Member(name, values, ("hosts", at), None, offset, length, frozenset(own))) == number


@pytest.mark.parametrize(
    ("text", "offset", "value", "codes"),
    [
        ("ens1", 1, "ens1", []),
        ("ens[1-3]", 0, "ens1", []),
        ("ens[1-3]", 2, "ens3", []),
        ("ens[1-2]", 0, "ens1", ["NP104"]),
        ("ens[1-2]", 2, "ens1", ["NP104"]),
        ("ens[1-", 0, "ens[1-", ["NP102"]),
    ],
)
def test_a_value_of_a_member(text: str, offset: int, value: str, codes: list[str]) -> None:
    given = context()
    member = Member("h", {}, ("hosts", "h[1-3]"), None, offset, 3)
    assert paired(text, member, "netdev", given) == value
    assert [code for code, _ in told(given)] == codes


def test_members_of_ranges_and_single_names() -> None:
    given = context()
    entries = {"n-[1-3]": {"a": 1}, "n-2": {"a": 2}, "n-10": {"a": 3}, "n-3": {"absent": True}}
    found = expand_members(entries, ("hosts",), {}, given)
    assert [(m.name, m.values["a"], m.at, m.own, m.offset, m.length) for m in found] == [
        ("n-1", 1, ("hosts", "n-[1-3]"), None, 0, 3),
        ("n-2", 2, ("hosts", "n-[1-3]"), ("hosts", "n-2"), 1, 3),
        ("n-10", 3, ("hosts", "n-10"), None, 0, 1),
    ]
    assert given.absent == {("hosts", "n-3")}
    assert found[1].path_of("a") == ("hosts", "n-2", "a")
    assert found[1].path_of("b") == ("hosts", "n-[1-3]", "b")
    assert found[0].path_of("a") == ("hosts", "n-[1-3]", "a")
    expand_members({"n-[1-3]": {}, "n-[3-5]": {}}, ("hosts",), {}, given)
    assert told(given) == [("NP103", "hosts.n-[3-5]")]


@pytest.mark.parametrize(
    ("left", "right", "codes"),
    [(2, 2, []), (2, 1, ["NP104"]), (1, 2, ["NP104"]), (0, 0, []), (3, 3, ["NP102"]), (4, 3, ["NP104"])],
)
def test_both_sides_of_a_link_are_of_one_length(
    monkeypatch: Any, left: int, right: int, codes: list[str]
) -> None:
    given = context()
    monkeypatch.setattr(links, "MAX_NAMES", 2)
    assert links._same_length(left, right, ("links", 0), "x", "y", given) is (not codes)
    assert [code for code, _ in told(given)] == codes


def test_cables_of_several_switches_have_an_hca_each() -> None:
    assert links._ends("hg", "ab", "s") == [
        ("h", "a", "s"),
        ("h", "b", "s"),
        ("g", "a", "s"),
        ("g", "b", "s"),
    ]
    two = [("h", "a", "s"), ("g", "a", "s"), ("h", "b", "t"), ("g", "b", "t")]
    assert links._ends("hg", "ab", "st") == two
    settings = links._settings({"autoneg": False, "fec": "rs"})
    assert (settings.admin_status, settings.fec, settings.autoneg) == ("", "rs", "off")
    assert links._settings({"autoneg": True}).autoneg == "on"
    assert links._settings({}).autoneg == ""


@pytest.mark.parametrize(
    ("text", "absent", "refused", "names", "codes"),
    [
        ("n-[1-2]", "", "", ("n-1", "n-2"), []),
        ("n-[1-3]", "n-3", "", ("n-1", "n-2", "n-3"), []),
        ("n-3", "n-3", "", (), ["NP101"]),
        ("n-[1-3]", "", "n-3", ("n-1", "n-2", "n-3"), []),
        ("n-3", "", "n-3", ("n-3",), []),
        ("n-[1-4]", "", "", (), ["NP101"]),
    ],
)
def test_ends_of_a_link_are_known(text: str, absent: str, refused: str, names: Any, codes: Any) -> None:
    given = context()
    given.absent.add(("hosts", absent))
    given.refused.add(("hosts", refused))
    known: Any = {"n-1": 1, "n-2": 2}
    assert links._known({"hosts": text}, "hosts", ("links", 0), known, "hosts", given) == names
    assert [code for code, _ in told(given)] == codes


def test_what_is_left_out() -> None:
    given = context()
    given.refused.update(
        {
            ("hosts", "n-[1-2]"),
            ("rails", "supernets", 0),
            ("host_types", "gpu", "hcas", "a", "pci"),
        }
    )
    given.partial.add(("links", 0, "hca"))
    given.problems.add("NP101", ("networks", "n", "subnet"), "x")
    given.problems.add("NP101", (), "x")
    assert left_out(given) == {
        ("hosts", "n-[1-2]"), ("hosts", "n-1"), ("hosts", "n-2"), ("rails", "supernets"),
        ("host_types", "gpu", "hcas", "a"), ("links", 0), ("networks", "n"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "refused", "unknown", "left"),
    [
        (
            ("hosts", "n-[1-2]"),
            {("hosts", "n-[1-2]"), ("hosts", "n-1"), ("hosts", "n-2")},
            set(),
            {"hosts": {}},
        ),
        (("hosts", "m-["), {("hosts", "m-[")}, set(), {"hosts": {"n-[1-2]": {}}}),
        (("vlans", "v"), {("vlans", "v", "id")}, set(), {"vlans": {"v": {"id": 3999}, "w": {"id": 4000}}}),
        (("links", 1, "ports"), {("links", 1)}, set(), {"links": [{"a": 1}, {}]}),
        (
            ("links",),
            {("links",), ("host_links",), ("switch_links",)},
            {"links", "host_links", "switch_links"},
            {},
        ),
        (("fabric", "mtu"), {("mtu",)}, {"mtu"}, {"fabric": {"type": "roce", "arp": 1}}),
        (("catalog", "hcas", "x", "pf_id"), {("HCA models", "x")}, set(), {"catalog": {"hcas": {}}}),
        (
            ("accept", 0, "reason"),
            {("accept", 0, "reason")},
            set(),
            {"accept": [{"check": "NP1", "at": "x", "reason": "as stated"}]},
        ),
        (("accept", 0, "check"), {("accept", 0), ("accept",)}, {"accept"}, {"accept": [{}]}),
        (("accept", 0, "at"), {("accept", 0), ("accept",)}, {"accept"}, {"accept": [{}]}),
    ],
)
def test_what_the_schema_refused_is_taken_out(wrong: Any, refused: Any, unknown: Any, left: Any) -> None:
    data = {
        "hosts": {"n-[1-2]": {}},
        "vlans": {"v": {}, "w": {"id": 4000}},
        "links": [{"a": 1}, {"b": 2}],
        "fabric": {"type": "roce", "mtu": 1, "arp": 1},
        "catalog": {"hcas": {"x": {}}},
        "accept": [{"check": "NP1", "at": "x"}],
    }
    found = prune(data, [wrong])
    assert found.refused == refused
    assert found.unknown == unknown
    for name, value in left.items():
        assert found.data[name] == value
    assert ("links" in found.data) is (wrong != ("links",))
    assert data["hosts"] == {"n-[1-2]": {}}, "what is given stays as it is"
