"""Any config_db file is read or rejected, without a traceback; every finding has its place."""

from __future__ import annotations

import copy
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netplan.config_db import Judged, judge_texts
from netplan.model.document import Places, SourceMap
from netplan.reading.config_db.scan import MAX_DEPTH, Number, scan
from tests.sonic_corpus import corpus, small, texts

OTHERS: tuple[Any, ...] = (
    None,
    True,
    7,
    -1,
    1.5,
    "",
    "x",
    "\u0000",
    "9" * 400,
    "-8",
    [],
    {},
    ["a", 1],
    {"": {"|": {}}},
)
SMALL = small()
REST = {name: text for name, text in texts(SMALL).items() if name != "leaf-1.json"}


def _places(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for key, below in value.items():
            yield (*path, key)
            yield from _places(below, (*path, key))


def _judged(named: dict[str, str]) -> Judged:
    """Judge the files; every finding must have an existing file and line, and a hint."""
    judged = judge_texts(named)
    for problem in judged.diagnostics:
        assert problem.source is not None
        assert problem.hint
        lines = named[problem.source.file].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 1 <= problem.source.column <= len(lines[problem.source.line - 1]) + 1
    return judged


def _above(data: Any, path: tuple[str, ...]) -> dict[str, Any]:
    for key in path[:-1]:
        data = data[key]
    assert isinstance(data, dict)
    return data


PLACES = sorted(_places(SMALL["leaf-1.json"]))


def _mutants(path: tuple[str, ...], chance: random.Random) -> Iterator[dict[str, Any]]:
    """Mutants: key removed; renamed; with values of other types; swapped with another place."""
    base = SMALL["leaf-1.json"]
    for kind in range(4):
        data = copy.deepcopy(base)
        above, key = _above(data, path), path[-1]
        if kind == 0:
            del above[key]
        elif kind == 1:
            above[chance.choice(["", "x", "|", "a|b|c|d", key + "|0", key[:-1], "Ethernet0,Ethernet4|3"])] = (
                above.pop(key)
            )
        elif kind == 2:
            above[key] = copy.deepcopy(chance.choice(OTHERS))
        else:
            other = chance.choice(
                [one for one in PLACES if one[: len(path)] != path and path[: len(one)] != one]
            )
            there = _above(data, other)
            above[key], there[other[-1]] = there[other[-1]], above[key]
        yield data


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(4))
def test_every_key_removed_renamed_retyped_and_swapped(part: int) -> None:
    chance, tried = random.Random(part), 0
    for path in PLACES[part::4]:
        for data in _mutants(path, chance):
            _judged({"leaf-1.json": json.dumps(data, indent=1)} | (REST if tried % 10 == 0 else {}))
            tried += 1
    assert tried > 500


@pytest.mark.full
def test_every_kind_of_value_in_every_table() -> None:
    base = SMALL["leaf-1.json"]
    rows = {}
    for path in PLACES:
        rows[path[0], len(path)] = path
    for path in rows.values():
        for other in OTHERS:
            data = copy.deepcopy(base)
            _above(data, path)[path[-1]] = other
            _judged({"leaf-1.json": json.dumps(data)})


def test_whole_files_cut_and_damaged() -> None:
    chance = random.Random(1)
    text = texts(corpus())["leaf-1.json"]
    refused = 0
    for _ in range(150):
        at = chance.randrange(len(text))
        cut = text[:at]
        damaged = (
            text[:at] + chance.choice('{}[]",:\\\x00\udc80\ud800é\n/ 0-tN') + text[at + chance.randrange(3) :]
        )
        for one in (cut, damaged):
            refused += any(d.code == "NP870" for d in _judged({"leaf-1.json": one}).diagnostics)
    assert refused > 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
    max_leaves=20,
)


def _plain(value: Any) -> Any:
    """The output of our scanner, with numbers as Python reads them."""
    if isinstance(value, Number):
        return json.loads(value)
    if isinstance(value, dict):
        return {key: _plain(below) for key, below in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


@given(JSON, st.sampled_from([None, 0, 3]), st.booleans())
def test_the_scanner_reads_what_python_reads(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    scanned = scan("x.json", text, Places(SourceMap()))
    assert scanned.readable
    assert _plain(scanned.data) == value


@given(JSON, st.integers(0, 3))
def test_positions_are_those_of_the_keys(value: Any, indent: int) -> None:
    text = json.dumps({"a": value, "b": {"c": value}}, indent=indent)
    places = Places(SourceMap())
    scanned = scan("x.json", text, places)
    entries = list(places.entries(scanned.data))
    assert [text[at : at + 3] for _, _, at, _ in entries] == ['"a"', '"b"']
    for _, one, _, at in entries:
        read, _ = json.JSONDecoder().raw_decode(text, at)
        assert read == _plain(one)


def _no_json(word: str) -> Any:
    raise ValueError(word)  # NaN and Infinity, which Python's reader accepts


@given(st.text() | st.text(alphabet='{}[]",: \n\t0123-+.eEtrufalsn\\/u"', max_size=60))
@settings(max_examples=400)
def test_the_scanner_takes_exactly_json(text: str) -> None:
    try:
        value = json.loads(text, parse_constant=_no_json)
        takes = all(ord(c) < 0xD800 or ord(c) > 0xDFFF for c in json.dumps(value, ensure_ascii=False))
    except (ValueError, RecursionError):
        takes = False
    scanned = scan("x.json", text, Places(SourceMap()))
    if scanned.readable != takes:
        assert text.startswith("\ufeff"), text
        assert scanned.problems, "the rest is read, and the byte order mark is reported"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, f"nested more than {MAX_DEPTH} deep"),
        ('{"a":' * 100_000, f"nested more than {MAX_DEPTH} deep"),
        ('"' + "\\" * 1_000_001, "a text has no end on its line"),
        ('{"a": 01}', "begins no JSON value"),
        ("", "the end of the file where a value belongs"),
        ("\udcff", "byte 0xff is not UTF-8"),
        ('{"a\udcff": 1}', "byte 0xff is not UTF-8"),
        (r'{"a": "\ud800"}', "half of a surrogate pair"),
        ("{'a': 1}", "double quotes"),
        ('{"a": 1} x', "begins no JSON value"),
        ('{"a": 1} {}', "after the end of the object"),
    ],
)
def test_hostile_texts_are_refused(text: str, message: str) -> None:
    (problem,) = _judged({"x.json": text}).diagnostics[:1]
    assert problem.code == "NP870"
    assert message in problem.message


def _hostile() -> dict[str, Any]:
    """Thousands of ports, each with its own profiles, cable rows, aliases and neighbours."""
    leaf = copy.deepcopy(corpus()["leaf-1.json"])
    row = leaf["PORT_QOS_MAP"]["Ethernet0"]
    for number in range(2000):
        port, own = f"Ethernet{1000 + number}", f"own{number}"
        leaf["PORT"][port] = {**leaf["PORT"]["Ethernet0"], "alias": own, "lanes": str(number)}
        leaf["PORT_QOS_MAP"][port] = {**row, "dscp_to_tc_map": own}
        leaf["DSCP_TO_TC_MAP"][own] = {"26": "3"}
        leaf["WRED_PROFILE"][own] = leaf["WRED_PROFILE"]["AZURE_LOSSLESS"]
        leaf["QUEUE"][f"{port}|3"] = {"wred_profile": own}
        leaf["BUFFER_PROFILE"][own] = leaf["BUFFER_PROFILE"]["pg_lossless_100000_5m_profile"]
        leaf["BUFFER_PG"][f"{port}|3"] = {"profile": own}
        leaf["CABLE_LENGTH"][own] = {port: "5m"}
        leaf["DEVICE_NEIGHBOR"][port] = {"name": "leaf-1", "port": f"own{number + 1}"}
    table = {f"x{number}": {"default_dynamic_th": "0"} for number in range(2000)}
    leaf["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = table
    everybody = ",".join(leaf["PORT"])
    leaf["QUEUE"] |= {f"{everybody}{number}|0-63": {} for number in range(100)}
    return leaf


@pytest.mark.full
def test_hostile_sizes_cost_seconds() -> None:
    """Seconds of processor time: quadratic growth with the ports would take minutes."""
    text = json.dumps(_hostile())
    before = time.process_time()
    judged = _judged({"leaf-1.json": text})
    assert time.process_time() - before < 90
    assert judged.diagnostics


def test_numbers_of_a_million_digits_cost_nothing() -> None:
    number = "1" * 1_000_000
    text = json.dumps({"PORT": {"Ethernet0": {"mtu": "MTU"}}}).replace('"MTU"', number)
    assert {d.code for d in _judged({"x.json": text}).diagnostics} == {"NP873", "NP876"}
