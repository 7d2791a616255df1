"""Facts of one line each, at their edge: JSON of switches, the place of what is wrong in it, and cables."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.graph.config_db.hardware import cable_m, cable_rows
from netplan.model.document import Places, SourceMap
from netplan.reading.config_db.forms import parts_of
from netplan.reading.config_db.scan import Number, Scanned, scan
from netplan.rules.config_db.absent import is_missing as missing_row
from tests.unit.some import some


def scanned(text: str) -> Scanned:
    return scan("leaf.json", text, Places(SourceMap()))


LONG = "x" * 24


@pytest.mark.parametrize(
    ("text", "at", "path", "said"),
    [
        ("", 0, (), "the end of the file where a value belongs"),
        ('{"A": 1} x', 9, (), "'x' begins no JSON value"),
        ('{"A": 1} {', 9, (), "'{' after the end of the object"),
        ('{"A": 1} "b"', 9, (), "'b' after the end of the object"),
        ('{"A" 1}', 5, (), "'1' where a colon belongs"),
        ('{"A" ":" 1}', 5, (), "':' where a colon belongs"),
        ('{"A": 1 "B": 2}', 8, (), "'B' where a comma or } belongs"),
        ('{"A": [1 2]}', 9, ("A",), "'2' where a comma or ] belongs"),
        ('{"A": {"B": 1}, "C" 1}', 20, (), "'1' where a colon belongs"),
        ('{"A": {"B": 1, "C" 1}}', 19, ("A",), "'1' where a colon belongs"),
        ('{"A": [{"B": 1}, {"C" 1}]}', 22, ("A", 1), "'1' where a colon belongs"),
        ('{"A": [[], 1 2]}', 13, ("A",), "'2' where a comma or ] belongs"),
        ("{1: 2}", 1, (), "'1' where a key belongs"),
        ('{"A": 1,}', 8, (), "'}' where a key belongs"),
        (f'{{"A" "{LONG}"}}', 5, (), f"'{LONG}' where a colon belongs"),
        (f'{{"A" "{LONG}y"}}', 5, (), f"'{LONG}...' where a colon belongs"),
        ('{"A": "b}', 6, (), "a text has no end on its line"),
        ("{'A': 1}", 1, (), "JSON texts must be in double quotes"),
        ('{"A": 1 // b\n}', 8, (), "JSON has no comments"),
        ('{"A": "\\x"}', 6, ("A",), "a text with an escape that JSON does not have"),
        (
            '{"A": "\\ud800"}',
            6,
            ("A",),
            "a text with half of a surrogate pair, or with bytes that are not UTF-8",
        ),
        ('{"A": "b\udcff"}', 8, ("A",), "byte 0xff is not UTF-8"),
        ("[" * 33, 32, (0,) * 32, "nested more than 32 deep"),
    ],
)
def test_what_is_no_json_is_told_at_its_place(text: str, at: int, path: tuple[Any, ...], said: str) -> None:
    found = scanned(text)
    assert [(p.offset - found.base, p.path, p.message) for p in found.problems] == [(at, path, said)]
    assert (found.data, found.readable) == (None, False)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        '{"A": {"B": ["c", "d"], "E": {}}}',
        '{"A": [true, false, null]}',
        '{"A": "\\u00e4 \\n"}',
        "[" * 32 + "]" * 32,
    ],
)
def test_what_is_json_is_read(text: str) -> None:
    found = scanned(text)
    assert (found.data, found.readable, found.problems) == (json.loads(text), True, [])


@pytest.mark.parametrize("number", ["0", "-1", "9100.0", "1e3", "10000000000000000000000"])
def test_a_number_stays_as_it_was_written(number: str) -> None:
    data = scanned(f'{{"A": {number}}}').data
    assert (type(data["A"]), str(data["A"])) == (Number, number)


@pytest.mark.parametrize("number", ["01", "1.", ".5", "+1", "0x1", "1e"])
def test_what_is_no_number_of_json(number: str) -> None:
    assert not scanned(f'{{"A": {number}}}').readable


def test_a_key_that_appears_again_is_told_and_its_last_value_kept() -> None:
    found = scanned('{"A": {"B": 1, "C": 2, "B": 3}}')
    ((where, path, message, repeated),) = [
        (p.offset - found.base, p.path, p.message, p.repeated) for p in found.problems
    ]
    assert (where, path, repeated) == (23, ("A", "B"), True)
    assert message == "appears again, first at leaf.json:1:8; a switch keeps the last one"
    assert found.data == {"A": {"B": "3", "C": "2"}}
    assert found.readable


class Cables:
    """CABLE_LENGTH of a switch, as the product asks for it."""

    def __init__(self, rows: dict[str, dict[str, str]]) -> None:
        self._rows, self.kept = rows, dict[object, Any]()

    def keys(self, _: str) -> list[str]:
        return list(self._rows)

    def rows(self, _: str) -> dict[str, Any]:
        return {key: type("Row", (), {"fields": fields}) for key, fields in self._rows.items()}

    def text(self, _: str, key: str, port: str) -> str:
        return self._rows[key][port]


@pytest.mark.parametrize(
    ("text", "metres"),
    [
        ("40m", 40),
        ("40", 40),
        ("0m", 0),
        ("40 m", None),
        ("m", None),
        ("-5m", None),
        ("9" * 8 + "m", 99999999),
        ("9" * 9 + "m", None),
        ("40mm", None),
    ],
)
def test_the_length_of_a_cable(text: str, metres: int | None) -> None:
    switch: Any = Cables({"AZURE": {"Ethernet0": text}})
    assert cable_m(switch, "Ethernet0") == metres
    assert cable_m(switch, "Ethernet4") is None


def test_the_first_row_of_several_has_the_length() -> None:
    switch: Any = Cables({"AZURE": {"Ethernet0": "5m"}, "OTHER": {"Ethernet0": "40m", "Ethernet4": "300m"}})
    assert cable_rows(switch) == {"Ethernet0": "AZURE", "Ethernet4": "OTHER"}
    assert [cable_m(switch, port) for port in ("Ethernet0", "Ethernet4")] == [5, 300]


PORT = '{"PORT|Ethernet0": {"value": {"mtu": "9100"}}}'


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (f'{{"CONFIG_DB": {PORT}}}', "a dump of redis, CONFIG_DB read as tables"),
        (
            f'{{"CONFIG_DB": {PORT}, "APPL_DB": {{}}}}',
            "a dump of redis, CONFIG_DB read as tables; APPL_DB left out",
        ),
        (
            f'{{"APPL_DB": {{}}, "CONFIG_DB": {PORT}}}',
            "a dump of redis, CONFIG_DB read as tables; APPL_DB left out",
        ),
        (
            '{"APPL_DB": {"PORT_TABLE:Ethernet0": {}}, "STATE_DB": {}}',
            "a dump of redis without CONFIG_DB (database 4): it has APPL_DB, STATE_DB",
        ),
    ],
)
def test_databases_of_a_dump(text: str, note: str) -> None:
    places = Places(SourceMap())
    (part,) = parts_of(scan("leaf.json", text, places), places)
    assert part.note == note
    assert list(part.data or {}) == (["PORT"] if "read as" in note else [])


@pytest.mark.parametrize(
    ("whole", "tables", "table", "missing"),
    [
        (True, {"PORT": {}}, "PORT", True),
        (True, {}, "VLAN", True),
        (True, {"VLAN": {"x": {}}}, "VLAN", False),
        (False, {"PORT": {}}, "PORT", False),
        (False, {"VLAN": {}}, "VLAN", True),
        (False, {"VLAN": {"x": {}}}, "VLAN", False),
        (False, {}, "VLAN", False),
    ],
)
def test_rows_that_a_file_lacks(whole: bool, tables: dict[str, Any], table: str, missing: bool) -> None:
    """A partial file says nothing about tables that it does not have, nor about ports."""
    rows = {"has": lambda name: name in tables, "rows": lambda name: tables.get(name, {})}
    switch: Any = some(whole=whole, kept={}, number=lambda *_: None, lost=lambda _: (), **rows)
    assert missing_row(switch, table, "x") is missing
