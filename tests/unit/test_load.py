"""Files to one Document: positions, union of several files, sites."""

from __future__ import annotations

from itertools import permutations

import pytest

from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.model.document import Document

SITE = """\
version: 1
site: lab
hosts:
  gpu-1:
    type: &type
      gpus: 8
      hcas: [roce0,
             roce1]
  gpu-2: {type: *type,
    id: 7}
links:
  - {host: gpu-1}
  -
    host: gpu-2
"""
FABRIC = "site: lab\nversion: 1\nhosts:\n  gpu-3: {id: 3}\nrails: {count: 4}\nlinks:\n- {host: gpu-3}\n"


def problems(document: Document) -> list[tuple[str, str, tuple[str | int, ...], str]]:
    return [(p.code, str(p.source), p.path, p.message) for p in document.problems]


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ((), "s:1:1", "s:1:1"),
        (("version",), "s:1:1", "s:1:10"),
        (("hosts",), "s:3:1", "s:4:3"),
        (("hosts", "gpu-1", "type"), "s:5:5", "s:5:11"),
        (("hosts", "gpu-1", "type", "hcas", 1), "s:8:14", "s:8:14"),
        (("hosts", "gpu-2", "id"), "s:10:5", "s:10:9"),
        (("hosts", "gpu-2", "type"), "s:9:11", "s:9:17"),
        (("links", 0), "s:12:5", "s:12:5"),
        (("links", 1), "s:14:5", "s:14:5"),
        (("links", 1, "host"), "s:14:5", "s:14:11"),
    ],
)
def test_position(path, key, value):
    document = load_texts({"s": SITE})
    assert (str(document.locate(path)), str(document.locate_value(path))) == (key, value)


@pytest.mark.parametrize(
    ("path", "at"),
    [
        pytest.param(("fabric", "mtu"), "s:1:1", id="default-of-the-top"),
        pytest.param(("hosts", "gpu-2", "serial", "number"), "s:9:3", id="default-below-a-host"),
        pytest.param(("hosts", "gpu-1", "type", "hcas", 2), "s:7:7", id="past-the-end"),
        pytest.param(("hosts", "gpu-1", "type", "hcas", -1), "s:7:7", id="negative-index"),
        pytest.param(("hosts", 0), "s:3:1", id="index-into-a-map"),
        pytest.param(("links", "0"), "s:11:1", id="key-into-a-list"),
        pytest.param(("version", "x"), "s:1:1", id="below-a-scalar"),
        pytest.param(("hosts", "gpu-2", "type", "gpus"), "s:6:7", id="behind-an-alias"),
    ],
)
def test_position_of_what_is_not_written_there(path, at):
    assert str(load_texts({"s": SITE}).locate(path)) == at


def test_every_problem_is_an_error_with_a_source_and_a_hint():
    document = load_texts({"a": "x: !t {}\nx: .inf\n? [q]\n: 1", "b": "- 1", "c": "{", "d": "x: 1"})
    assert {p.severity for p in document.problems} == {Severity.ERROR}
    assert [p for p in document.problems if not p.source or not p.hint] == []


def test_problems_come_in_the_order_of_the_files():
    document = load_texts({"b": "{", "a": "x: {k: 1, k: 2}\ny: *no\n"})
    assert [(code, at) for code, at, *_ in problems(document)] == [
        ("NP002", "a:1:11"),
        ("NP009", "a:2:4"),
        ("NP001", "b:1:2"),
    ]


def test_two_files_are_united():
    document = load_texts({"s": SITE, "f": FABRIC})
    assert document.problems == ()
    assert document.files == ("f", "s")
    assert list(document.data) == ["site", "version", "hosts", "rails", "links"]
    assert list(document.data["hosts"]) == ["gpu-3", "gpu-1", "gpu-2"]
    assert document.data["links"] == [{"host": "gpu-3"}, {"host": "gpu-1"}, {"host": "gpu-2"}]


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ((), "f:1:1", "f:1:1"),
        (("site",), "f:1:1", "f:1:7"),
        (("hosts",), "f:3:1", "f:4:3"),
        (("hosts", "gpu-3", "id"), "f:4:11", "f:4:15"),
        (("hosts", "gpu-2"), "s:9:3", "s:9:10"),
        (("links", 0), "f:7:3", "f:7:3"),
        (("links", 2, "host"), "s:14:5", "s:14:11"),
        (("rails", "count"), "f:5:9", "f:5:16"),
    ],
)
def test_position_in_united_files(path, key, value):
    document = load_texts({"s": SITE, "f": FABRIC})
    assert (str(document.locate(path)), str(document.locate_value(path))) == (key, value)


@pytest.mark.parametrize("order", list(permutations("abc")), ids="".join)
def test_order_of_the_files_does_not_matter(order):
    texts = {"a": SITE, "b": FABRIC, "c": "hosts: {gpu-1: {}, gpu-9: {}}\nversion: 2\nlinks: []\n"}
    expected = load_texts(texts)
    document = load_texts({name: texts[name] for name in order})
    assert (repr(document.data), document.problems) == (repr(expected.data), expected.problems)
    assert [p.code for p in expected.problems] == ["NP002", "NP002"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("version: 1", "version: 2",
                     ("b:1:1", ("version",), "key version appears twice, first at a:1:1: 1 there, 2 here"),
                     id="scalar"),
        pytest.param("version: 1", "version: true",
                     ("b:1:1", ("version",), "key version appears twice, first at a:1:1: 1 there, true here"),
                     id="equal-in-python-only"),
        pytest.param("x: 0\nhosts: {g: {id: 1}}", "hosts:\n  g: {id: 1}",
                     ("b:2:3", ("hosts", "g"), "key g appears twice, first at a:2:9"), id="same-entry"),
        pytest.param("fabric: {mtu: 9000}", "fabric: {mtu: 1500}",
                     ("b:1:10", ("fabric", "mtu"),
                      "key mtu appears twice, first at a:1:10: 9000 there, 1500 here"), id="leaf"),
        pytest.param("hosts: {}", "x: 1\nhosts: []",
                     ("b:2:1", ("hosts",), "key hosts appears twice, first at a:1:1"), id="map-and-list"),
        pytest.param("hosts: {}", "hosts:",
                     ("b:1:1", ("hosts",), "key hosts appears twice, first at a:1:1"), id="map-and-nothing"),
    ],
)  # fmt: skip
def test_clash_of_two_files(one, other, expected):
    document = load_texts({"a": one, "b": other})
    assert problems(document) == [("NP002", *expected)]


def test_each_of_three_files_is_named_in_a_clash():
    document = load_texts(dict.fromkeys("abc", "hosts: {g: {}}"))
    message = "key g appears twice, first at a:1:9"
    assert [(at, said) for _, at, _, said in problems(document)] == [("b:1:9", message), ("c:1:9", message)]


def test_anchor_belongs_to_its_file():
    document = load_texts({"a": "x: &one 1", "b": "y: *one"})
    assert problems(document) == [("NP009", "b:1:4", ("y",), "alias *one has no anchor &one before it")]


def test_several_sites_are_named_instead_of_their_clashes():
    texts = {"c": "site: north\nversion: 3", "a": "version: 1\nsite: south", "b": "site: north\nversion: 2"}
    document = load_texts(texts)
    message = "2 sites in one inventory: south in a:2:7; north in b:1:7, c:1:7"
    assert problems(document) == [("NP008", "b:1:7", ("site",), message)]
    assert document.data is None


def test_files_without_a_site_belong_to_the_one_there_is():
    assert load_texts({"a": "site: x", "b": "rails: {}"}).data == {"site": "x", "rails": {}}


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("# list\n- 1\n", "f:2:1", "top level is a list, not a map"),
        ("\n text\n", "f:2:2", "top level is a single value, not a map"),
    ],
)
def test_top_level_is_not_a_map(text, at, message):
    document = load_texts({"f": text, "g": "a: 1"})
    assert problems(document) == [("NP007", at, (), message)]
    assert document.data == {"a": 1}


def test_a_file_that_is_not_yaml_does_not_hide_the_others():
    document = load_texts({"a": "x: [", "b": "y: {z: 1, z: 2}"})
    assert [p.code for p in document.problems] == ["NP001", "NP002"]
    assert document.data == {"y": {"z": 1}}


@pytest.mark.parametrize("texts", [{}, {"f": ""}, {"f": "# only a comment\n", "g": "---\n"}])
def test_nothing_in_memory(texts):
    document = load_texts(texts)
    assert (document.data, document.problems) == (None, ())


def test_position_in_nothing():
    assert load_texts({}).locate(("hosts",)) is None
    assert str(load_texts({"f": ""}).locate(("hosts",))) == "f:1:1"
