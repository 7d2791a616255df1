"""Edge cases, one fact per case: what a schema of fields rejects, and the message."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.others import rendered_texts
from netplan.reading.kubernetes.crds import Definition
from netplan.reading.kubernetes.fields import _faults, _validator, object_faults

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["name", "zone"],
    "properties": {
        "name": {"type": "string"},
        "zone": {"type": ["string", "null"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 8},
        "share": {"type": "number"},
        "on": {"type": "boolean"},
        "mode": {"enum": ["bridge", "private", None, ""]},
        "either": {"type": ["integer", "string", "null"]},
        "list": {"type": "array", "items": {"type": "string"}},
        "map": {"type": "object", "required": ["a"], "properties": {"a": {}, "pfNames": {}}},
        "text": {"type": "string", "pattern": "^a"},
        "re2": {"type": "string", "pattern": r"^\pL"},
    },
}
PLAIN = {"name": "a", "zone": "b"}
LONG = "x" * 59


def faults(value: dict[str, Any], kind: str = "Rail") -> list[tuple[str, str, str]]:
    validator = _validator(SCHEMA, ("kind",))
    return [
        (".".join(map(str, f.at)), f.message, f.hint)
        for f in _faults(validator, {**PLAIN, **value}, (), kind)
    ]


@pytest.mark.parametrize(
    ("value", "message", "hint"),
    [
        ({"count": "8"}, 'count is "8", not a whole number', "write it without quotes"),
        ({"count": 0}, "count is 0, the minimum is 1", "write 1 or more"),
        ({"count": 9}, "count is 9, the maximum is 8", "write 8 or less"),
        ({"share": "x"}, 'share is "x", not a number', "write it without quotes"),
        ({"on": "yes"}, 'on is "yes", not true or false', "write it without quotes"),
        ({"name": 8}, "name is 8, not text", 'quote it: "8"'),
        ({"name": 0.5}, "name is 0.5, not text", 'quote it: "0.5"'),
        (
            {"name": True},
            "name is true, not text",
            "quote it: unquoted, on, off, yes and no are true and false",
        ),
        ({"name": []}, "name is [], not text", "write a value of the kind named"),
        ({"re2": 7}, "re2 is 7, not text", 'quote it: "7"'),
        ({"count": "ä"}, 'count is "ä", not a whole number', "write it without quotes"),
        ({"mode": "x"}, 'mode is "x", not one of "bridge", "private"', "write one of these"),
        ({"mode": 7}, 'mode is 7, not one of "bridge", "private"', 'quote it: "7"'),
        ({"mode": False}, 'mode is false, not one of "bridge", "private"', "quote it: unquoted"),
        ({"either": 0.5}, "either is 0.5, not a whole number or text", 'quote it: "0.5"'),
        ({"either": []}, "either is [], not a whole number or text", "write a value of the kind named"),
        ({"list": {}}, "list is {}, not a list", "write a value of the kind named"),
        ({"list": ["a", 7]}, "list[1] is 7, not text", 'quote it: "7"'),
        ({"map": "x"}, 'map is "x", not a map', "write a value of the kind named"),
        ({"map": {}}, "a is required and missing", "write a"),
        ({"map": {"a": None}}, "a is required and null", "write a"),
        ({"name": None}, "name is required and null", "write name"),
        ({"text": "b"}, "text is refused: ", "write a value of the kind named"),
        ({"count": LONG[:58]}, f'count is "{LONG[:58]}", not', "write it without quotes"),
        ({"count": LONG}, f'count is "{LONG[:56]}..., not', "write it without quotes"),
        ({"names": "a"}, "there is no field names", "write name"),
        ({"no": True}, "there is no field no", "write on"),
        ({"edom": 1}, "there is no field edom", "write mode"),
        ({"countt": 1}, "there is no field countt", "write count"),
        ({"map": {"a": 1, "pf_names": 2}}, "there is no field map.pf_names", "write pfNames"),
        ({"map": {"a": 1, "wxyz": 2}}, "there is no field map.wxyz", "known here: a, pfNames"),
        (
            {"wxyz": 1},
            "there is no field wxyz",
            "known here: count, either, kind, list, map, mode, name, on, re2, share, text, zone",
        ),
        ({"Name": "b"}, "there is no field Name", "write name"),
    ],
)
def test_what_is_wrong_with_a_field(value: dict[str, Any], message: str, hint: str) -> None:
    ((_, said, advice),) = faults(value)
    assert said.startswith(message), said
    assert advice.startswith(hint), advice


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"zone": None},
        {"count": 1},
        {"count": 8},
        {"count": "$COUNT"},
        {"count": None},
        {"list": []},
        {"list": ["a", None]},
        {"list": ["a", "{{ .Values.x }}"]},
        {"mode": "private"},
        {"kind": 7},
        {"either": 1},
        {"wxyz": None},
        {"re2": "7"},
    ],
)
def test_what_is_not(value: dict[str, Any]) -> None:
    """Python cannot read the pattern of ``re2``; an API server can."""
    assert faults(value) == []


def test_that_a_field_may_be_null_is_not_told() -> None:
    """It is the same as leaving it out."""
    assert faults({"zone": 7}) == [("zone", "zone is 7, not text", 'quote it: "7"')]
    assert faults({"mode": "x"}) == [
        ("mode", 'mode is "x", not one of "bridge", "private"', "write one of these")
    ]


def test_each_place_is_told_once_and_all_are() -> None:
    found = faults({"count": "8", "wxyz": 1, "abcd": 2, "map": {}})
    assert sorted(at for at, _, _ in found) == ["abcd", "count", "map.a", "wxyz"]
    missing = [(at, said) for at, said, _ in faults({"name": None, "zone": 7}) if "required" in said]
    assert missing == [("name", "name is required and null")]
    assert _faults(_validator({"type": "nonsense"}, ()), {}, (), "Rail") == []


def test_keys_of_texts_that_go_reads_may_be_capitals() -> None:
    assert faults({"Name": "b"}, "host-local") == []
    assert len(faults({"Nam": "b"}, "host-local")) == 1


def test_the_best_of_the_definitions_of_a_version_judges() -> None:
    def definition(version: str, *required: str) -> Definition:
        return Definition("Namespaced", {version: {"type": "object", "required": list(required)}}, given=True)

    class Thing:
        api_version, kind = "example.com/v1", "Rail"
        body = dict[str, Any]()

    thing: Any = Thing()
    worse, better, other = definition("v1", "a", "b"), definition("v1", "a"), definition("v2")
    assert [f.message for f in object_faults(thing, (worse, better, other))] == ["a is required and missing"]
    assert [f.message for f in object_faults(thing, (better, worse))] == ["a is required and missing"]
    assert object_faults(thing, (other,)) == []
    assert object_faults(thing, ()) == []


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("{not json", False),
        ('{"resourceList": }', True),
        ('{"configList": }', True),
        ("resourceList: []", False),
    ],
)
def test_a_text_of_a_config_map_is_judged_as_json_where_it_is_a_device_plugins(
    text: str, judged: bool
) -> None:
    made = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c, namespace: n}}\ndata: {{a: '{text}'}}\n"
    found = rendered_texts({"a.yaml": made}).diagnostics
    assert bool(found) is judged, found
