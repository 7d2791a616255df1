"""YAML 1.2 texts: values, codes and exact positions, with libyaml and with the pure Python parser."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan import yaml12
from netplan.load import load_texts
from netplan.model.document import Places, SourceMap
from netplan.yaml12 import PARSER, Parsed, builder, parse, plain_value

PARSERS = [pytest.param(PARSER, id="default"), pytest.param(yaml.SafeLoader, id="pure")]


def read(text: str, parser: Any = PARSER) -> Parsed:
    return parse("site.yaml", text, Places(SourceMap()), parser)


def found(text: str, parser: Any = PARSER) -> list[tuple[str, str, tuple[str | int, ...], str]]:
    """Code, ``line:column``, path and message of each problem."""
    return [
        (p.code, f"{p.source.line}:{p.source.column}", p.path, p.message)
        for p in read(text, parser).problems
        if p.source
    ]


def codes(text: str) -> list[str]:
    return [problem.code for problem in read(text).problems]


def test_libyaml_is_what_runs_here():
    assert PARSER is yaml.CSafeLoader


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("", None), ("~", None), ("null", None), ("Null", None), ("NULL", None), ("nULL", "nULL"),
        ("true", True), ("True", True), ("TRUE", True), ("false", False), ("False", False), ("FALSE", False),
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("off", "off"), ("y", "y"), ("N", "N"),
        ("0", 0), ("7", 7), ("-7", -7), ("+7", 7), ("0100", 100), ("0o17", 15), ("0x1f", 31),
        ("0o18", "0o18"), ("-0x1f", "-0x1f"), ("0b11", "0b11"), ("1_000", "1_000"), ("1,000", "1,000"),
        ("123456789012345678", 123456789012345678), ("1234567890123456789", "1234567890123456789"),
        ("0.5", 0.5), (".5", 0.5), ("5.", 5.0), ("-1.5e3", -1500.0), ("1e3", 1000.0), ("1E-3", 0.001),
        ("1.2.3", "1.2.3"), (".", "."), ("...x", "...x"), ("inf", "inf"), ("nan", "nan"),
        ("11:22:33:44:55:10", "11:22:33:44:55:10"), ("0000:10:00.0", "0000:10:00.0"), ("12:30", "12:30"),
        ("2026-01-31", "2026-01-31"), ("172.16.0.0/20", "172.16.0.0/20"), ("=", "="), ("<<", "<<"),
        ('"3"', "3"), ("'true'", "true"), ('""', ""), ('"~"', "~"), ('"\\x41"', "A"), ("|\n  7\n", "7\n"),
    ],
)  # fmt: skip
def test_scalar(written, value, parser):
    parsed = read(f"key: {written}", parser)
    assert parsed.problems == []
    assert (parsed.data, type(parsed.data["key"])) == ({"key": value}, type(value))


@pytest.mark.parametrize("written", [".inf", "-.INF", "+.Inf", ".nan", ".NaN", "1e400", "9" * 400 + ".0"])
def test_number_that_is_not_finite(written):
    with pytest.raises(ValueError, match=r"."):
        plain_value(written)
    assert codes(f"a: {written}\nb: {written}") == ["NP005", "NP005"]


@pytest.mark.parametrize("written", ["3", "0x1f", "true", "null", "1.50", '"3"', "'on'", "2026-01-31"])
def test_key_is_always_the_text_as_written(written):
    assert list(read(f"{written}: x").data) == [written.strip("\"'")]


def test_data_is_plain_and_aliases_share_one_object():
    data = read("a: &a {x: [1, 2.5, null, true, text]}\nb: *a\nc: [*a]").data
    assert {type(data), type(data["a"]["x"])} == {dict, list}
    assert data["b"] is data["a"] is data["c"][0]
    inner = '{"x": [1, 2.5, null, true, "text"]}'
    assert json.dumps(data) == f'{{"a": {inner}, "b": {inner}, "c": [{inner}]}}'


def test_anchor_on_scalar_and_on_key():
    assert read("&k key: &v 7\nb: *v\nc: *k").data == {"key": 7, "b": 7, "c": "key"}


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a: 1\nb:\n  c: 1\n  'c': 2\n",
                     ("NP002", "4:3", ("b", "c"), "key c appears twice, first at site.yaml:3:3"),
                     id="twice"),
        pytest.param("a: {k: {x: 1}, 7: 1, k: [1]}",
                     ("NP002", "1:22", ("a", "k"), "key k appears twice, first at site.yaml:1:5"),
                     id="twice-flow"),
        pytest.param("a: {}\nb: {<<: 1, x: 2}",
                     ("NP003", "2:5", ("b", "<<"), "merge key << is not supported"),
                     id="merge"),
        pytest.param("a: [1, &x [*x]]",
                     ("NP004", "1:12", ("a", 1, 0),
                      "alias *x contains itself: it stands inside &x at site.yaml:1:8"),
                     id="cycle"),
        pytest.param("a: !!python/object/apply:os.system [ls]",
                     ("NP005", "1:4", ("a",), "tag !!python/object/apply:os.system is not supported"),
                     id="python"),
        pytest.param("a: !local {}", ("NP005", "1:4", ("a",), "tag !local is not supported"),
                     id="local-tag"),
        pytest.param("a: ! b", ("NP005", "1:4", ("a",), "tag ! is not supported"),
                     id="bare-tag"),
        pytest.param("- a\n- !!int abc",
                     ("NP005", "2:3", (1,), "tag !!int is not supported"),
                     id="tag-in-list"),
        pytest.param("a:\n  !!str b: c", ("NP005", "2:3", ("a",), "tag !!str is not supported"),
                     id="tag-on-key"),
        pytest.param("a: .inf", ("NP005", "1:4", ("a",), ".inf is not a finite number"),
                     id="inf"),
        pytest.param("? [a]\n: b\nc: d", ("NP005", "1:3", (), "a map or a list cannot be a key"),
                     id="list-key"),
        pytest.param("a: &x b\n*x : c", ("NP005", "2:1", (), "alias *x cannot be a key"),
                     id="alias-key"),
        pytest.param("a: 1\n---\nb: 2",
                     ("NP006", "2:1", (), "a second document starts here, but a file holds only one"),
                     id="documents"),
        pytest.param("---\n---\na: 1",
                     ("NP006", "2:1", (), "a second document starts here, but a file holds only one"),
                     id="empty-first"),
        pytest.param("a: [b, *c]", ("NP009", "1:8", ("a", 1), "alias *c has no anchor &c before it"),
                     id="unknown"),
        pytest.param("a: &x 1\nb: &x 2",
                     ("NP009", "2:4", ("b",), "anchor &x is used twice, first at site.yaml:1:4"),
                     id="anchor-twice"),
        pytest.param("a: 1\nb: x\0y",
                     ("NP001", "2:5", (), "character U+0000 is not allowed in YAML text"),
                     id="nul"),
        pytest.param("a: 1 # \x1b[31m",
                     ("NP001", "1:8", (), "character U+001B is not allowed in YAML text"),
                     id="escape"),
        pytest.param("a: x\u2028b: y",
                     ("NP001", "1:5", (), "character U+2028 is not allowed in YAML text"),
                     id="line-separator"),
        pytest.param("a: \ud800",
                     ("NP001", "1:4", (), "character U+D800 is not allowed in YAML text"),
                     id="surrogate"),
    ],
)  # fmt: skip
def test_problem(text, expected, parser):
    assert found(text, parser) == [expected]


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "at"),
    [("a: [1\nb: 2\n", "2:2"), ("a: b: c", "1:5"), ("a: @x", "1:4"), ("a: 'x", "1:6"), ("a:\n\t- b", "2:1"),
     ("a: ]", "1:4"), ("é𝄞: 1\n  b: 2", "2:4"),
     ("%YAML 3.0\n---\na: 1", "1:1"), ("1" * 5000 + ": x", "1:5001")],
)  # fmt: skip
def test_syntax_error_is_one_problem_at_its_place(text, at, parser):
    [(code, place, _, message)] = found(text, parser)
    assert (code, place, message[:10]) == ("NP001", at, "not YAML: ")


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("text", ['a: "\\ud800"', 'a: "\\U00110000"', "a: !%ff b", "a: !<%c0%80> b"])
def test_escape_that_is_no_character(text, parser):
    [(code, place, *_)] = found(text, parser)
    assert (code, place[:2]) == ("NP001", "1:")


def test_tab_hint():
    assert [problem.hint for problem in read("a:\n\tb: 1").problems] == ["indent with spaces, not tabs"]


def test_message_keeps_long_text_short():
    [(_, _, _, message)] = found(f"a: !{'x' * 500} b")
    assert message == f"tag !{'x' * 56}... is not supported"


def test_problems_do_not_hide_each_other():
    text = "a: !t 1\nb: {x: 1, x: 2}\nc: *no\n? {q: .nan}\n: {r: 1, r: 2}\nd: {<<: {s: 1, s: 2}}\ne: {:"
    assert sorted(codes(text)) == ["NP001", *["NP002"] * 3, "NP003", "NP005", "NP005", "NP005", "NP009"]


def test_what_is_refused_is_left_out_and_the_rest_is_read():
    text = "a: 1\na: {z: 1}\n? [x]\n: {y: 1}\nb: {<<: {c: 1}, d: 2}\n*q : r\ne: 3"
    assert read(text).data == {"a": 1, "b": {"d": 2}, "e": 3}


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("[" * 3000, "NP004",
                     id="brackets"),
        pytest.param("a: " + "{x: " * 3000, "NP004",
                     id="braces"),
        pytest.param("&a [*a]", "NP004",
                     id="cyclic-root"),
        pytest.param("!!int abc", "NP005",
                     id="tagged-root"),
        pytest.param("".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 60)).replace("*a0", "&a0 [x]"),
                     "NP004",
                     id="alias-chain"),
    ],
)  # fmt: skip
def test_hostile_text(text, code, parser):
    assert [problem.code for problem in read(text, parser).problems] == [code]


@pytest.mark.parametrize("parser", PARSERS)
def test_billion_laughs_stops_at_the_cap(parser):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 30)]
    message = "file holds more than 5,000,000 values, those behind an alias counted at each use"
    assert found("\n".join(lines), parser) == [("NP004", "7:25", ("a6", 3), message)]


@pytest.mark.parametrize(
    ("text", "values"),
    [("[a, [b], {c: d}]", 6), ("a: &a [x, y]\nb: *a\nc: *a", 10), ("a: &s x\nb: [*s, *s]", 5)],
)
def test_every_value_and_every_use_of_an_alias_counts(text, values, monkeypatch):
    monkeypatch.setattr(builder, "MAX_NODES", values)
    assert codes(text) == []
    monkeypatch.setattr(builder, "MAX_NODES", values - 1)
    assert codes(text) == ["NP004"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: " + "[" * 39 + "]" * 39, []),
        ("a: " + "[" * 40 + "]" * 40, ["NP004"]),
        ("a: &a " + "[" * 38 + "]" * 38 + "\nb: [*a]", []),
        ("a: &a " + "[" * 38 + "]" * 38 + "\nb: [[*a]]", ["NP004"]),
    ],
    ids=["deepest", "too-deep", "deepest-by-alias", "too-deep-by-alias"],
)
def test_depth(text, expected):
    assert codes(text) == expected


def test_long_integer_stays_text():
    assert read("a: " + "1" * 5000).data == {"a": "1" * 5000}


def test_both_parsers_give_the_same_places():
    text = "a: &x [1, {b: c}]\nd: *x\n"
    fast, slow = Places(SourceMap()), Places(SourceMap())
    one, other = parse("f", text, fast), parse("f", text, slow, yaml.SafeLoader)
    assert (
        (one.data, one.root) == (other.data, other.root) == ({"a": [1, {"b": "c"}], "d": [1, {"b": "c"}]}, 0)
    )
    assert list(fast.entries(one.data)) == list(slow.entries(other.data))
    assert fast.items(one.data["a"]) == slow.items(other.data["a"])


def test_limits_are_public():
    assert (yaml12.MAX_NODES, yaml12.MAX_DEPTH) == (5_000_000, 40)


def test_byte_order_mark_and_windows_line_ends_do_not_shift_positions():
    document = load_texts({"f": "\ufeffa: 1\r\nb:\r\n  c: [x,\ry]\r\n"})
    assert document.data == {"a": 1, "b": {"c": ["x", "y"]}}
    assert [str(document.locate(path)) for path in [("a",), ("b", "c"), ("b", "c", 1)]] == [
        "f:1:1",
        "f:3:3",
        "f:4:1",
    ]
