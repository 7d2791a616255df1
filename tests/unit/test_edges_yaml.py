"""Edge cases, one fact per case: scalars of Kubernetes YAML, and resource quantities."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from netplan.model.document import Places, SourceMap
from netplan.others import rendered_texts
from netplan.reading.config_db.forms import NOT_OURS, REDIS, parts_of
from netplan.reading.config_db.scan import scan
from netplan.reading.kubernetes.kubeyaml import parse, plain_value
from netplan.rules.kubernetes.amounts import _differ, _whole


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("~", None), ("NULL", None), ("yes", True), ("ON", True), ("No", False), ("off", False),
        ("0", 0), ("-7", -7), ("+7", 7), ("1_000", 1000), ("010", 8), ("0o10", 8), ("0x1F", 31), ("0b11", 3),
        ("-010", -8), ("08", 8.0), ("1e3", 1000.0), (".5", 0.5), ("1.", 1.0), ("1.5e-1", 0.15), ("-.5", -0.5),
        ("18446744073709551615", 18446744073709551615), ("184467440737095516150", 184467440737095516150.0),
        ("0x10000000000000000000", "0x10000000000000000000"),
        ("-0x100_0000000000000000", "-0x100_0000000000000000"), ("0b1_0000000000000000", 2**16),
        ("-184467440737095516150", -184467440737095516150.0),
        ("0123456701234567012345", 123456701234567012345.0),
        ("1e999", "1e999"), ("-1e999", "-1e999"), ("209276e89438390", "209276e89438390"),
        ("1" * 400, "1" * 400),
        ("10.0.0.1", "10.0.0.1"), ("1.2.3", "1.2.3"), ("-", "-"), ("a1", "a1"), ("yEs", "yEs"), ("0x", "0x"),
    ],
)  # fmt: skip
def test_an_unquoted_scalar_is_what_the_api_server_reads(text: str, value: Any) -> None:
    """kubernetes-sigs/yaml reads YAML 1.1: yes is true, 010 is 8 (go-yaml v2 resolve.go)."""
    found = plain_value(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("text", [".inf", "-.Inf", ".nan"])
def test_a_number_that_json_cannot_hold_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text.lstrip("-"))):
        plain_value(text)
    found = parse("a.yaml", f"a:\n  b: {text}\n", Places(SourceMap()))
    assert [each.code for each in found.problems] == ["NP005"]


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('a: !!int "7"', {"a": 7}),
        ('a: !!str "7"', {"a": "7"}),
        ('a: !!bool "yes"', {"a": True}),
        ('a: "7"', {"a": "7"}),
        ('a: !!null ""', {"a": None}),
        ("x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}", {"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 3}}),
        ('x: {"<<": 1}', {"x": {"<<": 1}}),
        ("x: !!map {a: 1}", {"x": {"a": 1}}),
    ],
)
def test_tags_and_merges(text: str, data: Any) -> None:
    found = parse("a.yaml", f"{text}\n", Places(SourceMap()))
    assert found.problems == ()
    assert [each for each, _ in found.documents] == [data]


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("name: &app web\ndata:\n  *app : 1\n", {"name": "web", "data": {"web": 1}}),
        ("name: &app web\ndata: {*app : {image: x}}\n", {"name": "web", "data": {"web": {"image": "x"}}}),
        ("&app web: 1\ndata: {*app : 2}\n", {"web": 1, "data": {"web": 2}}),
        ("a: &n 8080\nb: {*n : x}\n", {"a": 8080, "b": {"8080": "x"}}),
        ("a: &n on\nb: {*n : x}\n", {"a": True, "b": {"true": "x"}}),
    ],
)
def test_an_alias_of_a_scalar_is_a_key(text: str, data: Any) -> None:
    """As in `kubectl kustomize` 1.32, which builds such files."""
    found = parse("a.yaml", text, Places(SourceMap()))
    assert ([document for document, _ in found.documents], found.problems) == ([data], ())


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: &x 1\nb: *x\nc: &x 2\nd: *x\n", {"a": 1, "b": 1, "c": 2, "d": 2}),
        ("a: &x {b: &x 1, c: *x}\nd: *x\n", {"a": {"b": 1, "c": 1}, "d": 1}),
        ("a: &x 1\n---\nb: &x 2\nc: *x\n", {"b": 2, "c": 2}),
    ],
)
def test_an_alias_is_that_of_the_last_anchor(text: str, data: Any) -> None:
    """A name may be used again: YAML 1.2.2, 3.2.2.2."""
    found = parse("a.yaml", text, Places(SourceMap()))
    assert ([document for document, _ in found.documents][-1], found.problems) == (data, ())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: &x {b: c}\n*x : 1\n", ("NP005", "alias *x cannot be a key", 2, 1)),
        ("a: &x [b]\n*x : 1\n", ("NP005", "alias *x cannot be a key", 2, 1)),
        ("a: &x null\n*x : 1\n", ("NP005", "alias *x cannot be a key", 2, 1)),
        ("a: b\n*x : 1\n", ("NP009", "alias *x has no anchor &x before it", 2, 1)),
        ("a: &x b\nb: 1\n*x : 2\n", ("NP002", "key b appears twice, first at a.yaml:2:1", 3, 1)),
    ],
)
def test_an_alias_that_cannot_be_a_key_is_named(text: str, told: tuple[str, str, int, int]) -> None:
    found = parse("a.yaml", text, Places(SourceMap())).problems
    places = [each.source for each in found if each.source]
    assert [(each.code, each.message) for each in found] == [told[:2]]
    assert [(each.line, each.column) for each in places] == [told[2:]]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("!has(a)", ("NP005", "!has(a) without quotes is a tag, and what it stands for is empty")),
        ("!secret x", ("NP005", "tag !secret is not supported")),
        ('"!has(a)"', None),
    ],
)
def test_a_text_that_is_read_as_a_tag_is_to_be_quoted(value: str, told: tuple[str, str] | None) -> None:
    found = parse("a.yaml", f"a: {value}\n", Places(SourceMap())).problems
    assert [(each.code, each.message) for each in found] == ([told] if told else [])


@pytest.mark.parametrize(("depth", "codes"), [(120, []), (121, ["NP004"])])
def test_yaml_is_nested_to_a_depth(depth: int, codes: list[str]) -> None:
    text = "[" * depth + "]" * depth
    assert [each.code for each in parse("a.yaml", text, Places(SourceMap())).problems] == codes


@pytest.mark.parametrize(
    ("amount", "whole"),
    [
        ("1", True),
        (1, True),
        ("1k", True),
        ("1e1", True),
        ("1E1", True),
        ("1.5", False),
        ("", False),
        (True, False),
        ("1.5e1", True),
    ],
)
def test_an_amount_is_whole(amount: Any, whole: bool) -> None:
    assert _whole(amount) is whole


@pytest.mark.parametrize(
    ("name", "request_", "limit", "differ"),
    [
        ("nvidia.com/gpu", "1", "1", False),
        ("nvidia.com/gpu", "1", "2", True),
        ("nvidia.com/gpu", "1", "1k", True),
        ("hugepages-2Mi", "1Gi", "2Gi", True),
        ("hugepages-2Mi", "1Gi", "1024Mi", False),
    ],
)
def test_amounts_that_differ(name: str, request_: str, limit: str, differ: bool) -> None:
    assert _differ(name, request_, limit) is differ


def codes(**resources: Any) -> list[str]:
    container = {"name": "a", "image": "b", "resources": resources}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "n"},
        "spec": {"containers": [container]},
    }
    found = rendered_texts({"a.yaml": yaml.safe_dump(pod)}).diagnostics
    return [each.code for each in found if each.code in ("NP764", "NP427")]


@pytest.mark.parametrize(
    ("limits", "requests", "found"),
    [
        ({"nvidia.com/gpu": 1}, {}, []),
        ({"nvidia.com/gpu": 1}, {"nvidia.com/gpu": 1}, []),
        ({"nvidia.com/gpu": 1}, {"nvidia.com/gpu": 2}, ["NP764"]),
        ({}, {"nvidia.com/gpu": 1}, ["NP764"]),
        ({"nvidia.com/gpu": "1.5"}, {}, ["NP764"]),
        ({"hugepages-2Mi": "1Gi", "cpu": 1}, {}, []),
        ({"hugepages-2Mi": "1Gi", "memory": "1Gi"}, {}, []),
        ({"hugepages-2Mi": "1Gi"}, {"cpu": 1}, []),
        ({"hugepages-2Mi": "1Gi"}, {}, ["NP427"]),
    ],
)
def test_resources_of_a_container(limits: dict[str, Any], requests: dict[str, Any], found: list[str]) -> None:
    assert codes(limits=limits, requests=requests) == found


@pytest.mark.parametrize(
    ("text", "tables", "note"),
    [
        ('{"PORT": {}}', ["PORT"], ""),
        ('{"PORT|Ethernet0": {"type": "hash", "value": {"mtu": "9100"}}}', ["PORT"], REDIS),
        ('{"PORT|Ethernet0": {"value": {"mtu": "9100"}}}', ["PORT"], REDIS),
        ('{"PORT_TABLE:Ethernet0": {"type": "hash", "value": {"mtu": "9100"}}}', [], NOT_OURS),
        ('{"CONFIG_DB": {"PORT|Ethernet0": {"type": "hash", "value": {}}}}', ["PORT"], None),
    ],
)
def test_forms_of_a_configuration(text: str, tables: list[str], note: str | None) -> None:
    places = Places(SourceMap())
    (part,) = parts_of(scan("leaf.json", text, places), places)
    assert list(part.data) == tables
    assert note is None or part.note == note


def test_a_configuration_of_each_asic_is_one_of_its_own() -> None:
    places = Places(SourceMap())
    parts = parts_of(scan("leaf.json", '{"localhost": {"PORT": {}}, "asic0": {"PORT": {}}}', places), places)
    assert [(part.namespace, part.note) for part in parts] == [
        ("localhost", "localhost read as a switch of its own"),
        ("asic0", "asic0 read as a switch of its own"),
    ]
    (alone,) = parts_of(scan("leaf.json", '{"asic0": {"PORT": {}}, "PORT": {}}', places), places)
    assert alone.namespace == ""


@pytest.mark.parametrize("character", ["\x7f", "\x9f", "\ufeff"])
def test_a_text_that_begins_with_a_brace_has_the_characters_of_json(character: str) -> None:
    """Its clients read it as JSON; any other text is YAML."""
    places = Places(SourceMap())
    assert parse("a.json", f'{{"a": "b{character}c", "d": 1}}', places).problems == ()
    assert [p.code for p in parse("a.yaml", f'a: "b{character}c"', places).problems] == ["NP001"]


NAD = """\
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {{name: vpn}}
spec:
  config: |
    {{"cniVersion": "0.3.1", "name": "vpn", "type": "macvlan", "master": {master}
     "ipam": {{"type": "dhcp"}}}}
"""


@pytest.mark.parametrize(
    ("master", "told"),
    [
        ('"${NIC}",', False),
        ('"${NIC}"', True),  # the comma is missing, whatever NIC is
        ('"eth1"', True),
        ("${NIC}", False),  # NIC may have the comma
        ('"{{ .Values.nic | default "eth1" }}"', False),
        ('"${NIC:="eth1"}"', False),
    ],
)
def test_json_with_names_in_strings_is_judged_as_json(master: str, told: bool) -> None:
    found = [d.code for d in rendered_texts({"a.yaml": NAD.format(master=master)}).diagnostics]
    assert ("NP753" in found) is told


def test_values_of_json_with_names_in_strings_are_not_judged() -> None:
    text = NAD.format(master='"${NIC}",').replace('"dhcp"', '"dhpc"')
    assert [d.code for d in rendered_texts({"a.yaml": text}).diagnostics] == []
