"""Edge cases, one fact per case: how the readers of config_db files and of objects read a text."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from netplan.config_db import judge_texts
from netplan.load import InputError
from netplan.model.document import Places, SourceMap
from netplan.reading.config_db.read import MAX_BYTES, switches_of, texts_of
from netplan.reading.config_db.scan import scan
from netplan.reading.config_db.switch import having, listed, plain_name, ports_of, span, whole_number
from netplan.reading.kubernetes.crds import _fits, _is_date_time, _or_null, close
from netplan.reading.kubernetes.files import read_directory, read_input
from netplan.rendered import gathered
from netplan.rules.config_db.queues import _selects_priorities as selects_priorities
from netplan.rules.config_db.references import _several as several


def switches(**files: Any) -> dict[str, Any]:
    """Hostname or file -> switch; a name with ``__`` is in a folder."""
    texts = {f"{name.replace('__', '/')}.json": json.dumps(data) for name, data in files.items()}
    return {each.name: each for each in switches_of(texts, Places(SourceMap()))[2]}


def whole(name: str, **tables: Any) -> dict[str, Any]:
    local = {"hostname": name, "hwsku": "x"}
    return {"DEVICE_METADATA": {"localhost": local}, "PORT": {"Ethernet0": {"lanes": "1"}}, **tables}


def test_two_whole_files_of_one_name_are_two_switches_and_parts_go_to_that_of_their_folder() -> None:
    part = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf"}}}
    found = switches(
        a__config=whole("leaf", VLAN={"Vlan1": {}}),
        b__config=whole("leaf", VLAN={"Vlan2": {}}),
        b__part=part | {"VLAN": {"Vlan3": {}}},
        c__part=part | {"VLAN": {"Vlan4": {}}},
    )
    assert {name: each.keys("VLAN") for name, each in found.items()} == {
        "leaf": ["Vlan1", "Vlan4"],
        "leaf#2": ["Vlan2", "Vlan3"],
    }


def test_a_copy_of_a_file_is_left_out() -> None:
    found = switches(a=whole("leaf"), b=whole("leaf"))
    assert list(found) == ["leaf"]


def test_files_without_a_name_are_named_by_their_folder_or_by_themselves() -> None:
    assert list(switches(leaf__a={"VLAN": {"Vlan1": {}}}, leaf__b={"VLAN": {"Vlan2": {}}})) == ["leaf"]
    clash = switches(leaf__a={"VLAN": {"Vlan1": {}}}, leaf__b={"VLAN": {"Vlan1": {}}})
    assert list(clash) == ["a", "b"]
    same: dict[str, Any] = {f"{folder}__a": {"VLAN": {"Vlan1": {}}} for folder in "xyz"}
    assert list(switches(**same)) == ["x", "y", "z"]
    twice: dict[str, Any] = {
        f"{folder}__{part}": {"VLAN": {"Vlan1": {}}} for folder in "xyz" for part in "ab"
    }
    assert list(switches(**twice)) == ["a", "a#2", "a#3", "b", "b#2", "b#3"]


def test_the_asic_of_a_switch_is_a_part_of_its_name() -> None:
    def chip(asic: str) -> dict[str, Any]:
        return {"DEVICE_METADATA": {"localhost": {"hostname": "leaf", "asic_name": asic}}, "VLAN": {}}

    assert list(switches(a=chip("asic0"), b=chip("asic1"))) == ["leaf asic0", "leaf asic1"]


def test_a_patch_and_json_of_something_else_are_no_config_db() -> None:
    texts = {
        "patch.json": '[{"op": "add", "path": "/VLAN"}]',
        "manifest.json": '{"version": 1}',
        "leaf.json": '{"VLAN": {}}',
    }
    files, others, found = switches_of(texts, Places(SourceMap()))
    assert (others, [file.name for file in files]) == (["patch.json", "manifest.json"], ["leaf.json"])
    assert [each.name for each in found] == ["leaf"]
    files, others, _ = switches_of({"manifest.json": '{"version": 1}'}, Places(SourceMap()))
    assert (others, len(files)) == ([], 1)


def test_a_place_is_that_of_the_field_else_of_its_row_its_table_its_file() -> None:
    (found,) = switches(leaf=whole("leaf")).values()
    paths = [found.spot(*at).path for at in (("PORT", "Ethernet0", "lanes"), ("PORT", "Ethernet0", "mtu"))]
    assert paths == [("PORT", "Ethernet0", "lanes"), ("PORT", "Ethernet0")]
    assert found.spot("PORT", "Ethernet4").path == ("PORT",)
    assert found.spot("VLAN").path == ()
    places = [found.spot(*at).offset for at in (("VLAN",), ("PORT",), ("PORT", "Ethernet0"))]
    assert places == sorted(set(places))


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), (" 7 ", 7), ("-1", None), ("", None), (None, None), ("9" * 20, 10**20 - 1)]
)
def test_a_number_of_a_field(text: str | None, number: int | None) -> None:
    assert whole_number(text) == number
    assert whole_number("9" * 21) is None
    assert whole_number("٣") is None


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3", [3]),
        ("3-4", [3, 4]),
        ("63", [63]),
        ("64", []),
        ("0-63", list(range(64))),
        ("4-3", []),
        ("-", []),
    ],
)
def test_a_span_of_queues(text: str, numbers: list[int]) -> None:
    assert list(span(text)) == numbers


def test_keys_and_names_of_old_images() -> None:
    assert ports_of("Ethernet0,Ethernet4|3") == ("Ethernet0", "Ethernet4")
    assert ports_of("host|Asic0|Ethernet8|3") == ("Ethernet8",)
    assert plain_name("[BUFFER_PROFILE|x]") == "x"
    assert plain_name("[x") == "[x"


def test_a_list_of_names_is_cut_after_three() -> None:
    assert listed(["a", "b", "c"]) == "a, b, c"
    assert listed(["a", "b", "c", "d"]) == "a, b, c and 1 more"
    assert listed(["a", "b"], 1) == "a and 1 more"
    assert (having(["a"]), having(["a", "b"])) == ("a has", "a, b have")


@pytest.mark.parametrize(
    ("text", "offset", "said", "hint"),
    [
        ('{"A": [1,]}', 9, "']' where a value belongs", "remove the comma before the closing bracket"),
        ('{"A": }', 6, "'}' where a value belongs", "remove the comma before the closing bracket"),
        ('{"A": ', 6, "the end of the file where a value belongs", "add the value"),
        ('{"A": :}', 6, "':' where a value belongs", "add the value"),
    ],
)
def test_what_is_missing_in_json_is_told_where(text: str, offset: int, said: str, hint: str) -> None:
    places = Places(SourceMap())
    found = scan("leaf.json", text, places)
    (problem,) = found.problems
    assert (problem.offset - found.base, problem.message, problem.hint) == (offset, said, hint)
    assert (found.readable, problem.repeated) == (False, False)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for given in (str(tmp_path / "none"), str(tmp_path / "x\0y")):
        with pytest.raises(InputError, match=r"cannot be read|does not exist"):
            read_directory(given)
    with pytest.raises(InputError, match=r"no \*\.json file; name config_db files or their folder"):
        texts_of([str(tmp_path)])


@pytest.mark.parametrize(("more", "taken"), [(0, True), (1, False)])
def test_a_config_db_has_64_mib_at_most(more: int, taken: bool, tmp_path: Path, monkeypatch: Any) -> None:
    assert MAX_BYTES == 64 * 2**20
    monkeypatch.setattr("netplan.reading.config_db.read.MAX_BYTES", 8)
    path = tmp_path / "leaf.json"
    path.write_bytes(b" " * (8 + more))
    if taken:
        assert list(texts_of([str(path)]).values()) == [" " * 8]
    else:
        with pytest.raises(InputError, match="more than"):
            texts_of([str(path)])


def test_files_of_a_folder_are_read_up_to_a_number(tmp_path: Path, monkeypatch: Any) -> None:
    for number in range(4):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "a.json").write_text("{}")
    monkeypatch.setattr("netplan.reading.config_db.read.MAX_FILES", 4)
    assert len(texts_of([str(tmp_path)])) == 4
    monkeypatch.setattr("netplan.reading.config_db.read.MAX_FILES", 2)
    with pytest.raises(InputError, match="3 files are more than 2; check them in several runs"):
        texts_of([str(tmp_path)])
    assert os.sep in str(tmp_path)


@pytest.mark.parametrize(
    ("stated", "version", "whole_file", "selects"),
    [
        (True, "version_3_0_4", True, True),
        (False, "version_3_0_4", True, False),
        (False, "version_3_0_5", True, True),
        (False, "version_4_0_0", True, True),
        (False, None, True, False),
        (False, None, False, True),
    ],
)
def test_files_of_a_time_that_knows_the_priorities_of_the_watchdog(
    stated: bool, version: str | None, whole_file: bool, selects: bool
) -> None:
    """sonic-utilities scripts/db_migrator.py, version_3_0_4 to version_3_0_5."""
    row = {"pfc_enable": "3"} | ({"pfcwd_sw_enable": "3"} if stated else {})
    tables: dict[str, Any] = {"PORT_QOS_MAP": {"Ethernet0": row}}
    if version:
        tables["VERSIONS"] = {"DATABASE": {"VERSION": version}}
    data = whole("leaf", **tables) if whole_file else tables
    (found,) = switches(leaf=data).values()
    assert selects_priorities(found) is selects


@pytest.mark.parametrize(
    ("version", "names", "wrong"),
    [
        ("version_3_0_3", "Ethernet0,Ethernet4", True),
        ("version_3_0_2", "Ethernet0,Ethernet4", False),
        ("version_3_0_2", "Ethernet0,Ethernet9", True),
        (None, "Ethernet0,Ethernet4", False),
        (None, "Ethernet9,Ethernet4", True),
    ],
)
def test_a_key_of_several_ports_is_a_form_of_old_images(version: str | None, names: str, wrong: bool) -> None:
    tables: dict[str, Any] = {"PORT": {name: {"lanes": "1"} for name in ("Ethernet0", "Ethernet4")}}
    if version:
        tables["VERSIONS"] = {"DATABASE": {"VERSION": version}}
    (found,) = switches(leaf=whole("leaf") | tables).values()
    assert several(found, names, ("PORT",)) is wrong
    assert several(found, names, ("PORT", "PORTCHANNEL")) is wrong


def test_links_of_which_one_end_states_no_pfc_are_counted() -> None:
    def leaf(number: int, qos: bool) -> dict[str, Any]:
        rows = {f"Ethernet{4 * n}": {"lanes": str(n)} for n in range(2)}
        addresses: dict[str, Any] = {f"Ethernet{4 * n}|10.0.{n}.{number}/31": {} for n in range(2)}
        tables = {"PORT": rows, "INTERFACE": {name: {} for name in rows} | addresses}
        tables |= {"PORT_QOS_MAP": {name: {"pfc_enable": "3"} for name in rows}} if qos else {}
        return {"DEVICE_METADATA": {"localhost": {"hostname": f"leaf-{number}"}}, **tables}

    def skipped(*given: bool) -> list[str]:
        texts = {f"leaf-{n}.json": json.dumps(leaf(n, qos)) for n, qos in enumerate(given)}
        return [text for text in judge_texts(texts).skipped if text.startswith("PFC of")]

    assert skipped(True, True) == []
    assert skipped(True, False) == ["PFC of 2 links not compared: one end's files do not state it"]
    one = {"leaf-0.json": leaf(0, True), "leaf-1.json": leaf(1, False)}
    for data in one.values():
        data["INTERFACE"] = {key: {} for key in data["INTERFACE"] if "Ethernet4" not in key}
    said = judge_texts({name: json.dumps(data) for name, data in one.items()}).skipped
    assert "PFC of 1 link not compared: one end's files do not state it" in said


def test_schemas_of_crds() -> None:
    """kubernetes/apiextensions-apiserver: nullable; formats int32, int64 and date-time."""
    assert _or_null({"type": "string", "enum": ["a"]}) == {"type": ["string", "null"], "enum": ["a", None]}
    assert _or_null({"type": "string"}) == {"type": ["string", "null"]}
    assert _or_null({"x": 1}) == {"anyOf": [{"type": "null"}, {"x": 1}]}
    least, most = -(2**31), 2**31 - 1
    assert [_fits(32)(value) for value in (least - 1, least, most, most + 1, "x")] == [
        False,
        True,
        True,
        False,
        True,
    ]
    assert [_is_date_time(value) for value in (7, "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00")] == [
        True,
        True,
        False,
    ]


def read(folder: Path, texts: dict[str, str]) -> Any:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return gathered(read_input(str(folder)), "")[0].tree


THING = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: old}\n"
INDEX = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"


@pytest.mark.parametrize(("of", "found"), [("new", "new"), ("'{{ x }}'", None), ("''", "old"), ("7", "old")])
def test_a_kustomization_places_what_is_below_it(of: str, found: str | None, tmp_path: Path) -> None:
    texts = {"kustomization.yaml": f"{INDEX}namespace: {of}\n", "deep/a.yaml": THING}
    assert [each.namespace for each in read(tmp_path, texts).things if each.kind == "ConfigMap"] == [found]


def test_what_is_not_judged_is_counted(tmp_path: Path) -> None:
    texts = {
        "a.yaml": THING,
        "old/unused/b.yaml": THING,
        "deep/kustomization.yaml": f"{INDEX}namePrefix: x-\nresources: [../a.yaml]\n",
    }
    skipped = read(tmp_path, texts).skipped
    assert "1 object in folders of what is not in use not judged" in skipped
    assert any("names not resolved: the kustomization in" in text for text in skipped)


@pytest.mark.parametrize(
    ("index", "renamed"),
    [
        ("resources: [a.yaml]\nnamePrefix: x-\n", {"config/a.yaml"}),
        ("resources: [../manager]\nnameSuffix: -x\n", {"manager", "manager/b.yaml"}),
        ("bases: [../manager, a.yaml]\nnamePrefix: x-\n", {"manager", "manager/b.yaml", "config/a.yaml"}),
        ("resources: [../manager, a.yaml]\nnamePrefix: ''\n", set()),
    ],
)
def test_a_prefix_renames_what_its_kustomization_builds(
    index: str, renamed: set[str], tmp_path: Path
) -> None:
    texts = {"config/kustomization.yaml": INDEX + index, "config/a.yaml": THING, "pod.yaml": THING}
    texts |= {
        "manager/kustomization.yaml": f"{INDEX}resources: [b.yaml, ../config]\n",
        "manager/b.yaml": THING,
    }
    found = read(tmp_path, texts)
    files = {str(Path(name).relative_to(tmp_path)) for name in found.renamed}
    assert files - {"config"} == renamed


def test_a_folder_of_nothing_in_use_is_judged(tmp_path: Path) -> None:
    found = read(tmp_path, {"unused/b.yaml": THING})
    assert [each.name for each in found.things] == ["a"]
    assert not any("not in use" in text for text in found.skipped)


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [("", "", 1), ("asic0", "asic0", 1), ("asic0", "asic1", 0), ("asic0", "", 0)],
)
def test_a_hostname_is_that_of_one_switch_or_of_one_of_its_asics(one: str, other: str, found: int) -> None:
    texts = {}
    for number, asic in enumerate((one, other)):
        data = whole("leaf", VLAN={f"Vlan{number + 2}": {"vlanid": str(number + 2)}})
        data["DEVICE_METADATA"]["localhost"] |= {"asic_name": asic} if asic else {}
        texts[f"{number}/config_db.json"] = json.dumps(data)
    codes = [each.code for each in judge_texts(texts).diagnostics]
    assert codes.count("NP861") == found


def test_namespaces_of_one_file_share_a_hostname() -> None:
    both = {name: whole("leaf") for name in ("asic0", "asic1")}
    codes = [each.code for each in judge_texts({"leaf.json": json.dumps(both)}).diagnostics]
    assert "NP861" not in codes


def links(fields: dict[str, str], other: dict[str, str], code: str) -> int:
    """Findings of a rule for two cables between two switches, one end of which differs."""
    texts = {}
    for number, own in enumerate((fields, other)):
        ports = {f"Ethernet{4 * n}": {"lanes": str(n), "admin_status": "up", **own} for n in range(2)}
        addresses: dict[str, Any] = {f"Ethernet{4 * n}|10.0.{n}.{number}/31": {} for n in range(2)}
        tables = {"PORT": ports, "INTERFACE": {name: {} for name in ports} | addresses}
        texts[f"leaf-{number}.json"] = json.dumps(
            {"DEVICE_METADATA": {"localhost": {"hostname": f"leaf-{number}"}}, **tables}
        )
    return [each.code for each in judge_texts(texts).diagnostics].count(code)


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({}, {}, 0),
        ({"speed": "100000"}, {"speed": "100000"}, 0),
        ({"speed": "100000"}, {"speed": "40000"}, 1),
        ({"mtu": "9100"}, {"mtu": "9000"}, 1),
        ({"mtu": "9100"}, {}, 0),
        ({"fec": "rs"}, {"fec": "none"}, 1),
        ({"speed": "100000", "fec": "rs"}, {"speed": "40000", "fec": "none"}, 2),
    ],
)
def test_the_two_ends_of_links_state_the_same(one: dict[str, str], other: dict[str, str], found: int) -> None:
    """Links that differ alike are one finding."""
    assert links(one, other, "NP897") == found
    assert links(other, one, "NP897") == found


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [("up", "up", 0), ("up", "down", 1), ("down", "up", 1), ("down", "down", 1)],
)
def test_a_link_of_which_an_end_is_down(one: str, other: str, found: int) -> None:
    assert links({"admin_status": one}, {"admin_status": other}, "NP868") == found


@pytest.mark.parametrize(("nullable", "taken"), [(True, True), (False, False), (None, False)])
def test_null_is_taken_where_a_schema_says_so(nullable: bool | None, taken: bool) -> None:
    """kubernetes.io, CustomResourceDefinition, nullable."""
    own = {} if nullable is None else {"nullable": nullable}
    schema = close({"type": "object", "properties": {"a": {"type": "string", **own}}})
    assert jsonschema.Draft202012Validator(schema).is_valid({"a": None}) is taken
    assert jsonschema.Draft202012Validator(schema).is_valid({"a": "x"})
