"""Edge cases, one fact per case: which texts are a config_db, of which switch, and what of them is read."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from netplan.config_db import judge_texts
from netplan.load import InputError
from netplan.model.document import Places, SourceMap
from netplan.reading.config_db.forms import parts_of
from netplan.reading.config_db.read import switches_of, texts_of
from netplan.reading.config_db.scan import scan
from netplan.reading.config_db.switch import plain_name, ports_of
from tests.unit.test_edges_readers import switches, whole


def spaces(text: str) -> list[str]:
    """Namespaces of the configurations in a file."""
    places = Places(SourceMap())
    return [part.namespace for part in parts_of(scan("leaf.json", text, places), places)]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"localhost": {"PORT": {}}, "asic0": {"PORT": {}, "version": "1"}}, ["localhost", "asic0"]),
        ({"localhost": {"PORT": {}}, "asic0": {"version": {}}}, ["localhost"]),
        ({"localhost": {"PORT": {}}, "asic0": {"PORT": []}}, ["localhost"]),
        ({"localhost": {"Custom": {}}}, ["localhost"]),
        ({"localhost": {"PORT": {}}, "Custom": {}}, [""]),
        ({"localhost": {"PORT": {}}, "custom": {}}, ["localhost"]),
    ],
)
def test_namespaces_of_a_file_are_those_with_tables(data: dict[str, Any], found: list[str]) -> None:
    """A table begins with a capital letter."""
    assert spaces(json.dumps(data)) == found


def test_a_key_that_stands_twice_in_a_file_of_several_asics_is_told_once() -> None:
    row = '{"VLAN": {"Vlan1": {}, "Vlan1": {"mtu": "9100"}}}'
    found = judge_texts({"leaf.json": f'{{"asic0": {row}, "asic1": {{"VLAN": {{}}}}, "asic2": {row}}}'})
    twice = [d for d in found.diagnostics if "appears again" in d.message]
    assert len(twice) == 2
    assert len({(d.source.line, d.source.column) for d in twice if d.source}) == 2


def test_a_socket_in_a_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "leaf.json").write_text("{}")
    os.mknod(tmp_path / "socket.json", stat.S_IFSOCK | 0o600)
    (tmp_path / ".hidden.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("{}")
    for name in (".git", "deep"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.json").write_text("{}")
    assert list(texts_of([str(tmp_path)])) == [str(tmp_path / "leaf.json"), str(tmp_path / "deep" / "a.json")]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ('[{"op": "add", "path": "/VLAN"}]', True),
        ('[{"op": "add", "path": "/VLAN"}, 7]', False),
        ('[{"op": "add", "path": "/VLAN"}, {"op": "add"}]', False),
        ("[]", False),
        ("7", False),
        ('"text"', False),
        ("{}", False),
        ('{"version": 1}', True),
        ('{"version": 1, "Custom": {}}', False),
        ('{"version": 1,}', False),
    ],
)
def test_json_of_something_else_is_named_and_not_judged(text: str, other: bool) -> None:
    _, others, _ = switches_of({"leaf.json": '{"VLAN": {}}', "a.json": text}, Places(SourceMap()))
    assert others == (["a.json"] if other else [])


@pytest.mark.parametrize("text", ['"\\ud800"', '"a\\ud800b"', '"ab\\udc00"', '"\\udfff"'])
def test_half_of_a_surrogate_pair_is_refused(text: str) -> None:
    found = scan("leaf.json", f'{{"A": {text}}}', Places(SourceMap()))
    said = ["a text with half of a surrogate pair, or with bytes that are not UTF-8"]
    assert [each.message for each in found.problems] == said
    fine = scan("leaf.json", '{"A": "\\ud83d\\ude00"}', Places(SourceMap()))
    assert (fine.problems, fine.data) == ([], {"A": "\U0001f600"})


def test_tables_after_one_that_is_no_object_are_read() -> None:
    (found,) = switches(leaf={"PORT": [], "VLAN": {"Vlan1": 7, "Vlan2": {}}}).values()
    assert (found.has("PORT"), found.keys("VLAN")) == (False, ["Vlan2"])


def test_the_map_of_the_whole_switch_is_no_port() -> None:
    maps = {"global": {"dscp_to_tc_map": "AZURE"}, "Ethernet8": {}, "Ethernet0": {}}
    (found,) = switches(leaf={"PORT_QOS_MAP": maps, "PORT": {"Ethernet4": {}}}).values()
    assert found.ports == ["Ethernet0", "Ethernet4", "Ethernet8"]


def test_a_part_goes_to_the_first_of_two_switches_of_one_name_if_its_folder_has_none() -> None:
    part = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf"}}, "VLAN": {"Vlan3": {}}}
    one, two = whole("leaf", VLAN={"Vlan1": {}}), whole("leaf", VLAN={"Vlan2": {}})
    found = switches(a__config=one, b__config=two, b__part=part, c__part=part)
    assert {name: each.keys("VLAN") for name, each in found.items()} == {
        "leaf": ["Vlan1", "Vlan3"],
        "leaf#2": ["Vlan2", "Vlan3"],
    }


def test_a_file_without_a_name_joins_the_only_switch_of_its_folder() -> None:
    part: dict[str, Any] = {"VLAN": {"Vlan3": {}}}
    found = switches(a__config=whole("leaf"), a__vlans=part)
    assert {name: each.keys("VLAN") for name, each in found.items()} == {"leaf": ["Vlan3"]}
    found = switches(a__one=whole("leaf"), a__two=whole("spine"), a__vlans=part)
    assert {name: each.keys("VLAN") for name, each in found.items()} == {
        "leaf": [],
        "spine": [],
        "vlans": ["Vlan3"],
    }


@pytest.mark.parametrize(
    ("key", "ports"),
    [
        ("Ethernet0, ,Ethernet4|3", ("Ethernet0", "Ethernet4")),
        (",|3", ()),
        ("leaf|asic0|Ethernet0,|3", ("Ethernet0",)),
        ("a|b|Ethernet0", ("a",)),
    ],
)
def test_ports_of_a_key(key: str, ports: tuple[str, ...]) -> None:
    assert ports_of(key) == ports


@pytest.mark.parametrize(
    ("text", "name"),
    [("[BUFFER_PROFILE|a|b]", "a|b"), ("[a]", ""), ("[a|b", "[a|b"), ("a|b]", "a|b]"), ("", "")],
)
def test_a_reference_of_old_images_names_its_table_in_brackets(text: str, name: str) -> None:
    assert plain_name(text) == name


MTU: dict[str, Any] = {"VLAN|Vlan1": {"type": "hash", "value": {"mtu": "1"}}}
WITHOUT = "a dump of redis without CONFIG_DB (database 4): it has "


@pytest.mark.parametrize(
    ("data", "tables", "note"),
    [
        (
            {"CONFIG_DB": {"VLAN": {"Vlan1": {}}}},
            {"VLAN": {"Vlan1": {}}},
            "a dump of redis, CONFIG_DB read as tables",
        ),
        ({"CONFIG_DB": {}}, {}, "a dump of redis, CONFIG_DB read as tables"),
        ({"7": MTU}, {"VLAN": {"Vlan1": {"mtu": "1"}}}, "a dump of redis, 7 read as tables"),
        ({"7": {"VLAN": {}}}, {}, f"{WITHOUT}7"),
        ({"APPL_DB": {"VLAN_TABLE:Vlan1": {}}, "6": {}}, {}, f"{WITHOUT}APPL_DB, 6"),
        (
            {"APPL_DB": {"VLAN|Vlan1": {}}, "db4": MTU, "6": {}},
            {"VLAN": {"Vlan1": {"mtu": "1"}}},
            "a dump of redis, db4 read as tables; APPL_DB, 6 left out",
        ),
        ({"VLAN|Vlan1": {"type": "x", "value": "y"}}, {"VLAN": {"Vlan1": {"type": "x", "value": "y"}}}, None),
        ({"VLAN|Vlan1": {"value": {"mtu": "1"}}}, {"VLAN": {"Vlan1": {"value": {"mtu": "1"}}}}, None),
        ({**MTU, "vlan|2": {}, "PORT|Ethernet0": "x"}, {"VLAN": {"Vlan1": {"mtu": "1"}}}, None),
        ({"VLAN|Vlan1": {}, "PORT": {}}, {"VLAN|Vlan1": {}, "PORT": {}}, ""),
    ],
)
def test_a_dump_of_redis_is_read_as_tables(
    data: dict[str, Any], tables: dict[str, Any], note: str | None
) -> None:
    places = Places(SourceMap())
    (part,) = parts_of(scan("leaf.json", json.dumps(data), places), places)
    assert part.data == tables
    assert part.note == ("a dump of redis, read as tables" if note is None else note)
    assert [key for key, *_ in places.entries(part.data)] == list(tables)


def test_items_of_a_list_in_a_dump_stand_where_the_list_is() -> None:
    text = '{"VLAN|Vlan1": {"value": {\n "members@": "Ethernet0,Ethernet4"}, "type": "hash"}}'
    places = Places(SourceMap())
    (part,) = parts_of(scan("leaf.json", text, places), places)
    members = part.data["VLAN"]["Vlan1"]["members"]
    assert members == ["Ethernet0", "Ethernet4"]
    assert [str(places.sources.source(at)) for at in places.items(members)] == ["leaf.json:2:14"] * 2


def test_a_name_in_place_of_the_tables_of_an_asic_is_no_configuration() -> None:
    assert spaces('{"localhost": "x", "asic0": {"PORT": {}}}') == ["asic0"]


def test_parts_of_a_switch_without_a_name_may_share_its_metadata() -> None:
    one = {"DEVICE_METADATA": {"localhost": {"bgp_asn": "65001"}}, "version": "x"}
    two = {"DEVICE_METADATA": {"localhost": {"type": "LeafRouter"}}, "version": "x", "VLAN": {"Vlan1": {}}}
    assert list(switches(leaf__a=one, leaf__b=two)) == ["leaf"]
    assert list(switches(leaf__a={**one, "VLAN": {"Vlan1": {}}}, leaf__b=two)) == ["a", "b"]


@pytest.mark.parametrize(("sizes", "limit"), [((3, 1), 2), ((2, 2), 3)])
def test_the_limit_that_files_exceed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, int], limit: int
) -> None:
    monkeypatch.setattr("netplan.reading.config_db.read.MAX_BYTES", 2 << 20)
    monkeypatch.setattr("netplan.reading.config_db.read.MAX_ALL_BYTES", 3 << 20)
    for number, size in enumerate(sizes):
        (tmp_path / f"{number}.json").write_bytes(b" " * (size << 20))
    with pytest.raises(InputError, match=f"more than {limit} MiB"):
        texts_of([str(tmp_path)])


@pytest.mark.parametrize("byte", [0x80, 0xE4, 0xFF])
@pytest.mark.parametrize(("before", "at"), [('{"A": "x', 8), ('{"A": ', 6)])
def test_a_byte_that_is_not_utf_8_is_told_with_its_place(byte: int, before: str, at: int) -> None:
    text = (before.encode() + bytes([byte]) + b'"}').decode("utf-8", "surrogateescape")
    found = scan("leaf.json", text, Places(SourceMap()))
    assert [(each.offset - found.base, each.message) for each in found.problems] == [
        (at, f"byte 0x{byte:02x} is not UTF-8")
    ]


def test_items_of_a_list_have_places() -> None:
    places = Places(SourceMap())
    found = scan("leaf.json", '{"A": ["x",\n "y"]}', places)
    assert [str(places.sources.source(at)) for at in places.items(found.data["A"])] == [
        "leaf.json:1:8",
        "leaf.json:2:2",
    ]
