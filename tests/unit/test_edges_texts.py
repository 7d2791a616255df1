"""Edge cases, one fact per case: JSON that is not a config_db, and where the finding points."""

from __future__ import annotations

import pytest

from netplan.config_db import judge_texts

CODES = ("NP860", "NP870", "NP871", "NP872", "NP873")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", ["NP872 1:1 the file is a list, not an object of tables"]),
        ("7", ["NP872 1:1 the file is the number 7, not an object of tables"]),
        ('"x"', ["NP872 1:1 the file is a text, not an object of tables"]),
        ("null", ["NP872 1:1 the file is null, not an object of tables"]),
        ("{}", []),
        ('{"a": {}}', ["NP872 1:1 the file is without a table: no name in it begins with a capital letter"]),
        ('{"a": 7, "PORT": {}}', []),
        (
            '{"a": 1,\n "PORT": [],\n "b": 2,\n "VLAN": "x"}',
            [
                "NP872 2:2 table PORT is a list, not an object of rows",
                "NP872 4:2 table VLAN is a text, not an object of rows",
            ],
        ),
        (
            '{"PORT": {"Ethernet0": 7,\n "Ethernet4": null,\n "Ethernet8": true,\n "Ethernet12": {}}}',
            [
                "NP872 1:11 row Ethernet0 of PORT is the number 7, not an object of fields",
                "NP872 2:2 row Ethernet4 of PORT is null, not an object of fields",
                "NP872 3:2 row Ethernet8 of PORT is true, not an object of fields",
            ],
        ),
        ('{"PORT": {"Ethernet0": {"a": "x", "b": ["x", "y"], "c": []}}}', []),
        (
            '{"PORT": {"Ethernet0": {"a": ["x", 7],\n "b": {},\n "c": true,\n "d": false,\n "e": [[]]}}}',
            [
                "NP872 1:25 a of PORT Ethernet0 is a list with values other than text, not a text",
                "NP872 2:2 b of PORT Ethernet0 is an object, not a text",
                "NP872 3:2 c of PORT Ethernet0 is true, not a text",
                "NP872 4:2 d of PORT Ethernet0 is false, not a text",
                "NP872 5:2 e of PORT Ethernet0 is a list with values other than text, not a text",
            ],
        ),
        (
            '{"PORT": {"Ethernet0": {"a": 7}}}',
            ["NP873 1:25 a of PORT Ethernet0 is the number 7, config_db has text"],
        ),
        (
            '{"VLAN": {"z": {"a": "x"}}, "PORT": {"Ethernet0": {"n": "x",\n "a": null, "b": 1.50},\n'
            ' "Ethernet4": {"c": 9100}}, "d": {"x": {"y": 7}}}',
            ["NP873 2:2 a of PORT Ethernet0 is null, config_db has text, and 2 more fields are not texts"],
        ),
        (
            '{"PORT": {"Ethernet0": {"a": 1234567890123456789012345}}}',
            ["NP873 1:25 a of PORT Ethernet0 is the number 123456789012345678901234, config_db has text"],
        ),
        ('{"PORT ": {}}', ["NP860 1:2 the key 'PORT ' has surrounding white space"]),
        ('{"PORT": {" Ethernet0": {}}}', ["NP860 1:11 the key ' Ethernet0' has surrounding white space"]),
        ('{"PORT": {"Ethernet0": {"a ": "x"}}}', ["NP860 1:25 the key 'a ' has surrounding white space"]),
        (
            '{"PORT": {"Ethernet0 |x": {"a ": "x"}},\n "VLAN ": {}}',
            ["NP860 2:2 the key 'VLAN ' has surrounding white space, and 2 more keys have"],
        ),
        (
            '{"PORT": {"Ethernet0": {"a ": "x"}},\n "VLAN ": {}}',
            ["NP860 2:2 the key 'VLAN ' has surrounding white space, and 1 more key has"],
        ),
        (
            '{"PORT": {"Ethernet0": {"a": 7, "b": 8}}}',
            [
                "NP873 1:25 a of PORT Ethernet0 is the number 7, config_db has text, "
                "and 1 more field is not a text"
            ],
        ),
        ('{"a ": {"b ": {}}, "PORT": {"x": {"c": "y"}}}', []),
        (
            '{"PORT": {"a": {"b": {"c ": "x"}}}}',
            ["NP872 1:17 b of PORT a is an object, not a text"],
        ),
        (
            '{"PORT": {"a": {"b": "x",\n "b": "y"},\n "a": {}},\n "PORT": {}}',
            [
                "NP871 2:2 appears again, first at a.json:1:17; a switch keeps the last one",
                "NP871 3:2 appears again, first at a.json:1:11; a switch keeps the last one",
                "NP871 4:2 appears again, first at a.json:1:2; a switch keeps the last one",
            ],
        ),
    ],
)
def test_what_is_no_config_db(text: str, said: list[str]) -> None:
    found = sorted(judge_texts({"a.json": text}).diagnostics, key=lambda d: (d.source, d.code))
    told = [f"{d.code} {str(d.source).removeprefix('a.json:')} {d.message}" for d in found if d.code in CODES]
    assert told == said


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("7", 'write "7"'),
        ("null", "leave it out"),
        ("true", "put it in double quotes; remove it if it has no value"),
        ("[7]", "put each of its values in double quotes"),
    ],
)
def test_how_a_value_becomes_a_text(value: str, hint: str) -> None:
    found = judge_texts({"a.json": f'{{"PORT": {{"Ethernet0": {{"a": {value}}}}}}}'}).diagnostics
    assert [each.hint for each in found if each.code in CODES] == [hint]
