"""Edge cases, one fact per case: what is told about the text of one config_db file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.config_db import judge_texts

OF_TEXTS = {"NP860", "NP870", "NP871", "NP872", "NP873"}


def of_text(text: str) -> list[str]:
    """Code, line, column and message of each finding about the text itself."""
    found = [each for each in judge_texts({"a.json": text}).diagnostics if each.code in OF_TEXTS]
    return [f"{d.code} {str(d.source).partition(':')[2]} {d.message}; {d.hint}" for d in found]


def of(data: Any) -> list[str]:
    return [each.partition("; ")[0] for each in of_text(json.dumps(data))]


def port(**fields: Any) -> dict[str, Any]:
    return {"PORT": {"Ethernet0": fields}}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (port(mtu="9100"), []),
        (port(mtu=9100), ["NP873 1:25 mtu of PORT Ethernet0 is the number 9100, config_db has text"]),
        (
            port(mtu=9100, speed=None, lanes="1"),
            [
                (
                    "NP873 1:25 mtu of PORT Ethernet0 is the number 9100, config_db has text, and 1 more "
                    "field is not a text"
                )
            ],
        ),
        (
            port(mtu=9100, speed=1, lanes=2),
            [
                (
                    "NP873 1:25 mtu of PORT Ethernet0 is the number 9100, config_db has text, and 2 more "
                    "fields are not texts"
                )
            ],
        ),
        (port(mtu=True), ["NP872 1:25 mtu of PORT Ethernet0 is true, not a text"]),
        (port(mtu=False), ["NP872 1:25 mtu of PORT Ethernet0 is false, not a text"]),
        (port(mtu={"a": "b"}), ["NP872 1:25 mtu of PORT Ethernet0 is an object, not a text"]),
        (port(mtu=["a", "b"]), []),
        (
            port(mtu=["a", 1]),
            ["NP872 1:25 mtu of PORT Ethernet0 is a list with values other than text, not a text"],
        ),
        (port(mtu=[]), []),
        (port(mtu=1.5), ["NP873 1:25 mtu of PORT Ethernet0 is the number 1.5, config_db has text"]),
        (
            {"PORT": {"Ethernet0": []}},
            ["NP872 1:11 row Ethernet0 of PORT is a list, not an object of fields"],
        ),
        (
            {"PORT": {"Ethernet0": "x"}},
            ["NP872 1:11 row Ethernet0 of PORT is a text, not an object of fields"],
        ),
        (
            {"PORT": {"Ethernet0": None, "Ethernet4": 7}},
            [
                "NP872 1:11 row Ethernet0 of PORT is null, not an object of fields",
                "NP872 1:30 row Ethernet4 of PORT is the number 7, not an object of fields",
            ],
        ),
        ({"PORT": [], "VLAN": {}}, ["NP872 1:2 table PORT is a list, not an object of rows"]),
        ({"PORT": "x", "port": []}, ["NP872 1:2 table PORT is a text, not an object of rows"]),
        ({"port": {}}, ["NP872 1:1 the file is without a table: no name in it begins with a capital letter"]),
        ({"_x": {"mtu ": "9100"}, "PORT": {}}, []),
        ({}, []),
        ([], ["NP872 1:1 the file is a list, not an object of tables"]),
        ("x", ["NP872 1:1 the file is a text, not an object of tables"]),
        (7, ["NP872 1:1 the file is the number 7, not an object of tables"]),
        ({"PORT ": {}}, ["NP860 1:2 the key 'PORT ' has surrounding white space"]),
        ({"PORT": {" Ethernet0": {}}}, ["NP860 1:11 the key ' Ethernet0' has surrounding white space"]),
        ({"PORT": {"Ethernet0 |3": {}}}, ["NP860 1:11 the key 'Ethernet0 |3' has surrounding white space"]),
        (
            {"PORT": {"Ethernet0": {"mtu ": "9100"}}},
            ["NP860 1:25 the key 'mtu ' has surrounding white space"],
        ),
        (
            {"PORT": {"Ethernet0": {"mtu ": "9100", " mtu": "9100"}, "Ethernet4 ": {}}},
            ["NP860 1:58 the key 'Ethernet4 ' has surrounding white space, and 2 more keys have"],
        ),
        (
            {"PORT": {"Ethernet0": {"mtu": {"a ": "b"}}}},
            ["NP872 1:25 mtu of PORT Ethernet0 is an object, not a text"],
        ),
        ({"PORT": {"Ethernet 0": {"m tu": "9100"}}}, []),
    ],
)
def test_a_config_db_is_tables_of_rows_of_texts(data: Any, told: list[str]) -> None:
    assert of(data) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '{"PORT": {}, "PORT": {"a": {}}}',
            [
                (
                    "NP871 1:14 appears again, first at a.json:1:2; a switch keeps the last one; keep "
                    "one of the two"
                )
            ],
        ),
        (
            '{"PORT": {"a": {"x": "1", "x": "2"}}}',
            [
                (
                    "NP871 1:27 appears again, first at a.json:1:17; a switch keeps the last one; keep "
                    "one of the two"
                )
            ],
        ),
        (
            '{"PORT": {"a": {}},}',
            [
                (
                    "NP870 1:20 '}' where a key belongs; keys stand in \"double quotes\"; after the last "
                    "entry there is no comma"
                )
            ],
        ),
        (
            '{"PORT": {"a": {"x": 1e3}}}',
            ['NP873 1:17 x of PORT a is the number 1e3, config_db has text; write "1e3"'],
        ),
        (
            '{"PORT": {"a": {"x": 1234567890123456789012345678901234567890}}}',
            [
                (
                    "NP873 1:17 x of PORT a is the number 123456789012345678901234, config_db has text; "
                    'write "123456789012345678901234"'
                )
            ],
        ),
        ("", ["NP870 1:1 the end of the file where a value belongs; add the value"]),
        (
            '{"PORT": {"a": {"x": "1"}',
            [
                (
                    "NP870 1:26 the end of the file where a comma or } belongs; add the comma, or close "
                    "what is open"
                )
            ],
        ),
        (
            '{"PORT": {"a": {"x": NaN}}}',
            ["NP870 1:22 'N' begins no JSON value; write texts in \"double quotes\""],
        ),
        (
            '\ufeff{"PORT": {}}',
            ["NP870 1:1 the file begins with a byte order mark (U+FEFF); save it as UTF-8 without the mark"],
        ),
        ('{"PORT": {"a": {"x": "1", "x": "1"}}, "PORT": {"a": {"x": "1"}}}', []),
    ],
)
def test_a_config_db_is_json(text: str, told: list[str]) -> None:
    assert of_text(text) == told
