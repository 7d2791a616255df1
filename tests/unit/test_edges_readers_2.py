"""Edge cases, one fact per case: files that hold something odd, and what the readers say of it."""

from __future__ import annotations

import errno
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from netplan.config_db import judge_texts
from netplan.load import InputError
from netplan.model.document import Places, SourceMap
from netplan.others import rendered_texts
from netplan.pipeline import read_nos_dir
from netplan.reading.config_db.read import MAX_BYTES, texts_of
from netplan.reading.kubernetes.crds import close
from netplan.reading.kubernetes.files import read_input
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.switches import read_switch
from netplan.strict import validator
from tests.own_nos import edited, written
from tests.unit.some import some
from tests.unit.test_edges_readers import switches, whole


def given(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", some(buffer=io.BytesIO(data)))


def test_a_config_db_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, b'{"VLAN": {}}')
    assert list(texts_of(["-"]).values()) == ['{"VLAN": {}}']


@pytest.mark.parametrize(("more", "taken"), [(0, True), (1, False)])
def test_standard_input_has_the_limit_of_a_file(
    monkeypatch: pytest.MonkeyPatch, more: int, taken: bool
) -> None:
    assert MAX_BYTES == 64 * 2**20
    monkeypatch.setattr("netplan.reading.config_db.read.MAX_BYTES", 8)
    given(monkeypatch, b" " * (8 + more))
    if taken:
        assert [len(text) for text in texts_of(["-"]).values()] == [8]
    else:
        with pytest.raises(InputError, match="more than"):
            texts_of(["-"])


def test_a_copy_of_a_config_db_is_said_to_be_left_out() -> None:
    text = json.dumps(whole("leaf"))
    assert judge_texts({"a.json": text, "b.json": text}).skipped == ("b.json: a copy of a.json, left out",)


def test_a_directory_that_fails_while_it_is_read_is_told_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "walk", broken)
    with pytest.raises(InputError, match=r"cannot be read \(Input/output error\)"):
        read_input(str(tmp_path))


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """One to read and one beside it, each with a pod."""
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside / "a", outside):
        folder.mkdir(parents=True)
        (folder / "pod.yaml").write_text("a: 1\n")
    return inside, outside


def test_a_link_is_told_where_it_leads_out(folders: tuple[Path, Path]) -> None:
    inside, outside = folders
    (inside / "b").symlink_to(inside / "a")
    (inside / "b.yaml").symlink_to(inside / "a" / "pod.yaml")
    assert read_input(str(inside)).skipped == ()
    (inside / "c").symlink_to(outside)
    (inside / "d.yaml").symlink_to(outside / "pod.yaml")
    found = read_input(str(inside))
    assert found.skipped == (f"2 links out of the directory not followed (first: {inside / 'c'})",)
    (inside / "c").unlink()
    found = read_input(str(inside))
    assert found.skipped == (f"1 link out of the directory not followed (first: {inside / 'd.yaml'})",)


def test_a_file_that_a_link_names_too_is_read_once(folders: tuple[Path, Path]) -> None:
    inside, _ = folders
    (inside / "b").symlink_to(inside / "a")
    (inside / "z.yaml").symlink_to(inside / "a" / "pod.yaml")
    assert list(read_input(str(inside)).texts) == [str(inside / "a" / "pod.yaml")]


def test_hidden_folders_and_copies_of_other_projects_are_not_read(folders: tuple[Path, Path]) -> None:
    inside, _ = folders
    for name in (".git", "vendor", "a/node_modules", "b"):
        (inside / name).mkdir()
        (inside / name / "pod.yaml").write_text("a: 1\n")
    (inside / "b" / "fifo.yaml").mkdir()
    found = read_input(str(inside))
    assert list(found.texts) == [str(inside / name / "pod.yaml") for name in ("a", "b")]
    first = inside / "vendor"
    assert found.skipped == (f"2 folders of copied sources not read (first: {first})",)


PLUGIN = """apiVersion: v1
kind: ConfigMap
metadata: {name: c, namespace: n}
data:
  config.json: |
    {"resourceList": [{"resourceName": "r", "selectors": SELECTORS}]}
"""


@pytest.mark.parametrize(
    ("selectors", "at"),
    [('{"vendorz": ["15b3"]}', "selectors"), ('[{"vendors": ["15b3"]}, {"vendorz": []}]', "selectors[1]")],
)
def test_an_unknown_selector_of_a_device_plugin_is_told_with_its_place(selectors: str, at: str) -> None:
    (found,) = rendered_texts({"a.yaml": PLUGIN.replace("SELECTORS", selectors)}).diagnostics
    said = f"ConfigMap n/c: there is no field data.config.json.resourceList[0].{at}.vendorz"
    assert (found.message, found.hint) == (said, "write vendors")


NAD = """apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: a, namespace: b}
spec:
  config: CONFIG
"""
MACVLAN = '{"cniVersion": "1.0.0", "name": "a", "type": "macvlan", "mode": 7}'
DEEP = MACVLAN.replace("}", f', "x": {"[" * 40}{"]" * 40}}}')


@pytest.mark.parametrize(
    ("config", "place"),
    [
        (f"'{MACVLAN}'", (5, 12 + MACVLAN.index('"mode"'))),
        (json.dumps(MACVLAN), (5, 11)),
        ("|\n    " + MACVLAN.replace(' "type"', '\n     "type"'), (7, 25)),
        (f"'{DEEP}'", (5, 11)),
    ],
)
def test_a_value_in_a_json_text_is_told_with_its_place_else_with_that_of_the_text(
    config: str, place: tuple[int, int]
) -> None:
    """Escapes in double quotes hide the column; so does a text that is nested too deeply for YAML."""
    found = rendered_texts({"a.yaml": NAD.replace("CONFIG", config)}).diagnostics
    places = [(d.source.line, d.source.column) for d in found if d.source and "mode" in d.message]
    assert places == [place]


@pytest.mark.parametrize(("text", "code", "column"), [("a: \x07", "U+0007", 4), ("\x00", "U+0000", 1)])
def test_a_character_that_yaml_does_not_allow_is_told_with_its_place(
    text: str, code: str, column: int
) -> None:
    found = rendered_texts({"a.yaml": f"apiVersion: v1\n{text}\nkind: ConfigMap\n"}).diagnostics[0]
    assert found.message == f"character {code} is not allowed in YAML text"
    assert str(found.source) == f"a.yaml:2:{column}"


MERGED = "x: &x {a: 1, b: 2}\ny: {<<: *x, c: 3}\n"


@pytest.mark.parametrize(("most", "taken"), [(11, True), (10, False)])
def test_values_that_a_merge_brings_count_towards_the_limit_of_a_file(
    monkeypatch: pytest.MonkeyPatch, most: int, taken: bool
) -> None:
    """Nine are written down."""
    monkeypatch.setattr("netplan.yaml12.builder.MAX_NODES", most)
    found = parse("a.yaml", MERGED, Places(SourceMap()))
    assert [each.code for each in found.problems] == ([] if taken else ["NP004"])


def test_a_merged_key_stands_where_it_is_written() -> None:
    places = Places(SourceMap())
    ((data, _),) = parse("a.yaml", MERGED, places).documents
    found = {key: str(places.sources.source(at)) for key, _, at, _ in places.entries(data["y"])}
    assert found == {"c": "a.yaml:2:13", "a": "a.yaml:1:8", "b": "a.yaml:1:14"}


def test_an_embedded_resource_has_its_kind_and_metadata_beside_its_own_fields() -> None:
    """kubernetes/apiextensions-apiserver: x-kubernetes-embedded-resource."""
    spec = {"type": "object", "properties": {"a": {"type": "string"}}}
    schema = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": spec}}
    check = validator(close(schema))
    whole_one = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"a": "b"}}
    assert list(check.iter_errors(whole_one)) == []
    odd: list[dict[str, Any]] = [{"status": {}}, {"spec": {"b": "c"}}, {"kind": 7}]
    for wrong in odd:
        assert list(check.iter_errors({**whole_one, **wrong})) != []


def leaf(nos: str, **files: str) -> Any:
    texts = {name.replace("_", "."): text for name, text in files.items()}
    return read_switch("leaf-1", nos, texts)


@pytest.mark.parametrize(
    ("text", "line"),
    [("interface Ethernet1/1\n   mtu\xa09214\n", 2), ("\n\ninterface\u2003Ethernet1/1\n", 3)],
)
def test_a_blank_that_a_web_page_put_in_place_of_a_space_is_told(text: str, line: int) -> None:
    said = f"interfaces.txt: line {line} has a blank that is not a space (U+"
    assert [each.startswith(said) for each in leaf("arista-eos", interfaces_txt=text).problems] == [True]


def test_a_switch_port_that_also_routes_is_told() -> None:
    tables = {
        "INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.0/31": {}, "Ethernet4|10.0.0.2/31": {}},
        "VLAN": {"Vlan100": {}},
        "VLAN_MEMBER": {
            "Vlan100|Ethernet0": {"tagging_mode": "tagged"},
            "Vlan100|Ethernet8": {"tagging_mode": "tagged"},
        },
    }
    said = [text for text in leaf("sonic", interfaces_json=json.dumps(tables)).problems if "VLAN" in text]
    assert said == ["interfaces.json: Ethernet0 is in VLAN 100 but is also a routed port"]


PRIORITIES = """policy-map type queuing out
  class type queuing c-out-8q-q3
    priority level {}
  class type queuing c-out-8q-q6
    priority level {}
system qos
  service-policy type queuing output out
"""


@pytest.mark.parametrize(("levels", "told"), [((1, 1), True), ((1, 2), False)])
def test_strict_queues_of_one_level_are_told(levels: tuple[int, int], told: bool) -> None:
    problems = leaf("cisco-nxos", roce_txt=PRIORITIES.format(*levels)).problems
    assert ("roce.txt: queues 3 and 6 are both at priority level 1" in problems) is told


@pytest.mark.parametrize("named", [True, False])
def test_a_neighbour_without_a_name_is_told(named: bool) -> None:
    row = {"asn": "65001", "local_addr": "10.0.0.0", **({"name": "spine-1"} if named else {})}
    problems = leaf("sonic", interfaces_json=json.dumps({"BGP_NEIGHBOR": {"10.0.0.1": row}})).problems
    said = "interfaces.json: BGP neighbour 10.0.0.1 has no name: a command for it is then incomplete"
    assert (said in problems) is not named


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("files: {ports: ports.txt", "files: {ports: port.txt", "port.txt is not an output of nos.yaml"),
        ('comment: ["#"]', 'comment: ["#"]\ncomments: {ntp: ["ntp .+"]}', "ntp is not a feature of nos.yaml"),
        ("port <port> mtu <mtu>", "port <port> mtu <mtu:miles>", "unknown kind 'miles'"),
        (
            "port <port> mtu <mtu>",
            "port <port> mtu <mtu:address>",
            "cannot be used: <mtu> has to be a number",
        ),
        ("arp age <age>", "arp (age <age>", "cannot be used: missing ), unterminated subpattern"),
    ],
)
def test_rules_of_a_site_that_cannot_be_used_are_told(tmp_path: Path, old: str, new: str, said: str) -> None:
    files = edited("readback.yaml", old, new)
    found = read_nos_dir(str(written(tmp_path, files))).diagnostics
    assert [each.message.partition(" at position")[0] for each in found] == [said]
    assert {each.code for each in found} == {"NP023"}


def test_a_folder_without_rules_is_no_fault(tmp_path: Path) -> None:
    assert read_nos_dir(str(written(tmp_path, {"readback.yaml": None}))).diagnostics == ()


@pytest.mark.parametrize(
    ("version", "older"),
    [
        ("version_3_0_4", True),
        ("version_3_0_5", False),
        ("version_202411_01", False),
        ("version_3_0_\u00b2", True),
    ],
)
def test_the_version_of_a_database_is_its_numbers(version: str, older: bool) -> None:
    """A superscript is a digit for Python, and no number."""
    tables = {"VERSIONS": {"DATABASE": {"VERSION": version}}}
    (found,) = switches(leaf=whole("leaf", **tables)).values()
    assert found.older_than(3, 0, 5) is older
