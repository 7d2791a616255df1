"""For any text: no exception, and every position is inside the text."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from netplan.diagnostics import Path, Source
from netplan.load import load_texts
from netplan.model.document import Document, Places, SourceMap
from netplan.yaml12 import PARSER, parse, plain_value

# Tokens of YAML, so that random text gets beyond the first syntax error.
PIECES = st.sampled_from(
    ["a", "b: ", "\n", "\n  ", "\n- ", "- ", "? ", ": ", ", ", "[", "]", "{", "}", "&x ", "*x", "<<", "!t ",
     "!!str ", "'", '"', "\\u0041", "\\ud800", "%YAML 1.1", "---\n", "...\n", "# c", "|\n ", ">-\n  ", "\t",
     "\r\n", "\r", "\ufeff", "\x85", "\u2028", "\0", "é", "𝄞", "1", ".inf", "0x", "@", "`", "site: x\n",
     "hosts: {g: 1}\n"]
)  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))
HOSTILE = [
    "a: \0",
    "\ud800",
    "\udcff",
    "&a [*a]",
    "9" * 5000,
    "!!int abc",
    "[" * 3000,
    "{" * 3000,
    "? " * 3000,
]

# Characters of a text value: escapes for control characters, no lone surrogates or unusual line breaks.
WORDS = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff")
    | st.sampled_from("\t\n\r\0\x1b")
)
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**18) + 1, 10**18 - 1), WORDS,
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["on", "0100", "11:22:33:44:55:10", "0000:10:00.0", "1e3", "~", "<<", "2026-01-31"]),
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)
MAPS = st.dictionaries(WORDS, VALUES, max_size=5)


def paths(data: Any, path: Path = ()) -> list[Path]:
    entries: list[tuple[str | int, Any]] = []
    if isinstance(data, dict):
        entries = list(data.items())
    elif isinstance(data, list):
        entries = list(enumerate(data))
    return [path, *(deeper for part, value in entries for deeper in paths(value, (*path, part)))]


def line_of(text: str, source: Source) -> str | None:
    """The line at a position, or None; ``\\n``, ``\\r\\n`` and ``\\r`` end a line."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[source.line - 1] if 1 <= source.line <= len(lines) else None


def outside(texts: dict[str, str], sources: list[Source | None]) -> list[Source | None]:
    def is_inside(source: Source | None) -> bool:
        line = line_of(texts[source.file], source) if source else None
        return source is not None and line is not None and 1 <= source.column <= len(line) + 1

    return [source for source in sources if not is_inside(source)]


def positions(document: Document) -> list[Source | None]:
    found = [problem.source for problem in document.problems]
    for path in [*paths(document.data), *(problem.path for problem in document.problems)]:
        found += [document.locate(path), document.locate_value(path)]
    return found


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, TEXTS)
@example(HOSTILE[0], HOSTILE[1])
@example(HOSTILE[2], HOSTILE[3])
@example(HOSTILE[4], HOSTILE[5])
@example(HOSTILE[6], HOSTILE[7])
@example(HOSTILE[8], "a: &a {b: 1}\nc: [*a, *a]\n")
def test_any_text_gives_data_or_problems_with_positions_inside(one, other):
    texts = {"a": one, "b": other}
    assert outside(texts, positions(load_texts(texts))) == []


@settings(max_examples=300, deadline=None)
@given(TEXTS)
@example(HOSTILE[2])
@example(HOSTILE[6])
@example('"\\U00110000"')
def test_any_text_through_the_pure_parser(text):
    places = Places(SourceMap())
    parsed = parse("a", text, places, yaml.SafeLoader)
    assert outside({"a": text}, [problem.source for problem in parsed.problems]) == []


@pytest.mark.parametrize("parser", [PARSER, yaml.SafeLoader], ids=["default", "pure"])
@settings(max_examples=150, deadline=None)
@given(data=MAPS)
def test_json_reads_as_itself(parser, data):
    parsed = parse("a", json.dumps(data, ensure_ascii=False), Places(SourceMap()), parser)
    assert (parsed.data, parsed.problems) == (data, [])


@settings(max_examples=200, deadline=None)
@given(data=MAPS, flow=st.booleans())
def test_both_parsers_agree_on_data_and_positions(data, flow):
    text = yaml.dump(data, default_flow_style=flow, allow_unicode=True)
    fast, slow = Places(SourceMap()), Places(SourceMap())
    one, other = parse("a", text, fast), parse("a", text, slow, yaml.SafeLoader)
    assert (repr(one.data), one.problems) == (repr(other.data), other.problems)
    places = [
        [found.child(file.data, key) for key in file.data] for found, file in [(fast, one), (slow, other)]
    ]
    assert places[0] == places[1]


@settings(max_examples=150, deadline=None)
@given(
    data=st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True), VALUES, min_size=1, max_size=6
    )
)
def test_a_key_is_written_where_it_is_located(data):
    text = json.dumps(data, indent=2, ensure_ascii=False)
    document = load_texts({"a": text})
    lines = [line_of(text, source) for source in map(document.locate, [(key,) for key in data]) if source]
    assert [(line or "").split('"')[1] for line in lines] == list(data)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from("abc"), TEXTS, min_size=2))
def test_order_of_the_files_never_matters(texts):
    one, other = load_texts(texts), load_texts(dict(reversed(texts.items())))
    assert (repr(one.data), one.problems, one.files) == (repr(other.data), other.problems, other.files)


@given(st.text(min_size=1))
def test_plain_value_is_a_value_or_a_value_error(text):
    try:
        value = plain_value(text)
    except ValueError:
        return
    assert value == text or not isinstance(value, str)
