"""``netplan krm`` as called by orchestrators: a ResourceList on standard input and on standard output."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from netplan.krm.config import json_path
from netplan.krm.function import KrmAnswer, answer
from netplan.load import load_texts
from netplan.model.stages import STAGES
from netplan.printable import printable
from tests.cli_runs import netplan
from tests.factories import merged
from tests.inventories import SHIPPED, compiled, outputs, text_of

ROOT = Path(__file__).resolve().parent.parent
PATH, INDEX = "internal.config.kubernetes.io/path", "internal.config.kubernetes.io/index"
NAME = {"metadata": {"name": "dc1", "annotations": {PATH: "clusters/site.yaml"}}}

REFERENCE = {
    "type": "object",
    "required": ["apiVersion", "kind", "name"],
    "additionalProperties": False,
    "properties": {key: {"type": "string"} for key in ("apiVersion", "kind", "namespace", "name")},
}
FILE = {
    "type": "object",
    "required": ["path"],
    "additionalProperties": False,
    "properties": {"path": {"type": "string"}, "index": {"type": "number"}},
}
RESULT = {
    "type": "object",
    "required": ["message"],
    "additionalProperties": False,
    "properties": {
        "message": {"type": "string"},
        "severity": {"enum": ["error", "warning", "info"]},
        "resourceRef": REFERENCE,
        "field": {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}},
        "file": FILE,
        "tags": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "dependentRequired": {"field": ["resourceRef"]},
}
LIST = jsonschema.Draft202012Validator(
    {
        "type": "object",
        "required": ["apiVersion", "kind", "items"],
        "properties": {
            "kind": {"const": "ResourceList"},
            "items": {"type": "array", "items": {"type": "object"}},
            "results": {"type": "array", "items": RESULT},
        },
    }
)
"""The schema of the specification, including its rules for ``field``: functions-spec.md of
kubernetes-sigs/kustomize, cmd/config/docs/api-conventions at 12f9e6391464b3ad9dd3fe8182049dc1b1772990."""


@cache
def site(name: str = "minimal") -> dict[str, Any]:
    data: dict[str, Any] = load_texts({"site.yaml": text_of(name)}).data
    return data


def inventory(spec: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    kind = {"apiVersion": "rdma-netplan.alt/v1", "kind": "Inventory", **NAME}
    return {**kind, "spec": site() if spec is None else spec, **more}


def config_map(**data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", **NAME, "data": data}


def listed(config: Any, items: str = "items: []\n") -> str:
    head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
    return f"{head}functionConfig: {json.dumps(config)}\n{items}"


def read(done: KrmAnswer) -> dict[str, Any]:
    body: dict[str, Any] = yaml.load(done.text, yaml.CSafeLoader)
    LIST.validate(body)
    return body


def told(done: KrmAnswer, severity: str) -> list[str]:
    return [r["message"] for r in read(done).get("results", []) if r["severity"] == severity]


OURS = {f"{stage.folder}/" for stage in STAGES}


def in_tree(name: str) -> dict[str, list[Any]]:
    """File -> objects of the output tree."""
    return {
        path: list(yaml.load_all(text, yaml.CSafeLoader))
        for path, text in outputs(compiled(name)).items()
        if path.startswith(tuple(f"kubernetes/{folder}" for folder in OURS))
        and not path.endswith("/kustomization.yaml")
    }


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SHIPPED)
def test_the_items_are_the_objects_of_the_tree(name: str):
    done = answer(listed(inventory(site(name))))
    found: dict[str, list[Any]] = {}
    for item in read(done)["items"]:
        place = item["metadata"]["annotations"]
        assert place.pop(INDEX) == str(len(found.setdefault(place[PATH], [])))
        found[place.pop(PATH)].append(item)
        if not place:
            del item["metadata"]["annotations"]
    assert done.status == 0
    assert found == in_tree(name)
    (note,) = told(done, "info")[-1:]
    assert note.startswith("files that are not Kubernetes objects are not among the items: ")


FOREIGN = """\
items:
  # before the first
  - apiVersion: apps/v1   # a note
    kind: Deployment
    metadata: {name: web, labels: {a: "yes"}}
    spec:
      replicas: 010
      text: |+
        two

    # at its end
  -
    # a dash alone
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: "1e3"
    data: {a: yes, b: 1_000, c: 'it''s', d: é}
  - {apiVersion: v1, kind: List}
"""


def test_items_of_others_stay_to_the_byte():
    done = answer(listed(inventory(), FOREIGN + "results: [{message: old}]\n"))
    assert done.status == 0
    assert FOREIGN in done.text
    assert "old" not in done.text
    again = answer(done.text)
    assert again == answer(done.text)
    assert again.text == done.text
    assert len(read(done)["items"]) > 3


def test_json_and_other_styles_of_one_list():
    items = yaml.safe_load(FOREIGN.replace("010", "10"))
    data = {"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "functionConfig": inventory()}
    expected = read(answer(listed(inventory(), FOREIGN.replace("010", "10"))))
    for text in (json.dumps(data | items), json.dumps(data | items, indent=1)):
        assert read(answer(text)) == expected
    assert read(answer(yaml.safe_dump(data | items)))["items"] == expected["items"]
    no_line_end = listed(inventory(), "items:\n- kind: A\n  text: |\n    x")
    assert read(answer(no_line_end))["items"][0] == {"kind": "A", "text": "x"}
    assert read(answer(listed(inventory()).replace("items: []\n", ""))) == read(answer(listed(inventory())))
    crlf = listed(inventory(), FOREIGN).replace("\n", "\r\n")
    assert answer(crlf) == answer(listed(inventory(), FOREIGN))


def with_items(*items: Any) -> str:
    return listed(inventory(), f"items: {json.dumps(items)}\n")


def an_object() -> dict[str, Any]:
    """An object that netplan creates and owns alone."""
    found = read(answer(listed(inventory())))["items"]
    return next(item for item in found if item["kind"] != "Namespace")


def test_an_object_of_the_site_is_replaced_in_its_file():
    own = an_object()
    kept = {
        PATH: "mine/x.yaml",
        INDEX: "3",
        "internal.config.kubernetes.io/id": "7",
        "config.kubernetes.io/path": "mine/x.yaml",
    }
    changed = merged(own, {"metadata": {"annotations": {**kept, "left": "over"}}, "spec": {"own": 1}})
    before = read(answer(listed(inventory())))["items"]
    after = read(answer(with_items({"kind": "A"}, changed)))["items"]
    assert after[0] == {"kind": "A"}
    assert after[1] == merged(own, {"metadata": {"annotations": kept}})
    assert len(after) == len(before) + 1


def test_a_namespace_has_other_owners():
    made = read(answer(listed(inventory())))["items"]
    name = next(item["metadata"]["name"] for item in made if item["kind"] == "Namespace")
    labels = {"pod-security.kubernetes.io/enforce": "privileged"}
    theirs = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
    after = read(answer(with_items(theirs)))["items"]
    assert after[0] == theirs
    assert len(after) == len(made)


def test_what_the_inventory_no_longer_has_is_named_and_stays():
    own = an_object()
    old = merged(own, {"metadata": {"name": "rail-77"}})
    done = answer(with_items(old))
    assert read(done)["items"][0] == old
    (warning,) = told(done, "warning")
    assert "rail-77 is no longer in the inventory" in warning
    (result,) = [r for r in read(done)["results"] if r["severity"] == "warning"]
    assert result["file"] == {"path": own["metadata"]["annotations"][PATH], "index": 0}
    assert result["resourceRef"]["name"] == "rail-77"
    other_site = merged(old, {"metadata": {"labels": {"app.kubernetes.io/part-of": "other"}}})
    assert told(answer(with_items(other_site)), "warning") == []


def test_one_object_twice_is_an_error():
    own = an_object()
    newer = merged(own, {"apiVersion": own["apiVersion"].replace("v1", "v9")})
    done = answer(with_items(own, {"kind": "A"}, newer))
    assert done.status == 1
    assert read(done)["items"] == [own, {"kind": "A"}, newer]
    (error,) = told(done, "error")
    assert error.startswith("items[0] and items[2] are both ")
    assert answer(with_items({"kind": "A"}, {"kind": "A"})).status == 0


def test_an_anchor_does_not_go_with_the_item_that_has_it():
    own = yaml.safe_dump(an_object()).replace("\n", "\n  ").rstrip()
    items = f"items:\n- {own}\n  extra: &all {{a: 1}}\n- kind: A\n  b: *all\n"
    done = answer(listed(inventory(), items))
    assert done.status == 1
    assert "anchor all is in an item that netplan writes" in done.said
    assert items in done.text
    alone = items.replace("- kind: A\n  b: *all\n", "  again: *all\n")
    assert answer(listed(inventory(), alone)).status == 0


BROKEN = merged(site(), {"fabric": {"mtu": "large"}, "switches": {"leaf-1": {"x.y": 1}}})


def test_findings_point_into_function_config():
    done = answer(listed(inventory(BROKEN), FOREIGN))
    assert done.status == 1
    assert FOREIGN in done.text
    errors = [r for r in read(done)["results"] if r["severity"] == "error"]
    fields = {r["field"]["path"]: r["tags"]["code"] for r in errors}
    assert fields == {"spec.fabric.mtu": "NP011", "spec.switches.leaf-1['x.y']": "NP010"}
    for result in errors:
        assert result["file"] == {"path": "clusters/site.yaml", "index": 0}
        assert result["resourceRef"] == {
            "apiVersion": "rdma-netplan.alt/v1",
            "kind": "Inventory",
            "name": "dc1",
        }
        assert result["message"].startswith(f"{result['tags']['code']}: ")


def test_without_a_name_there_is_no_reference():
    nameless = {key: value for key, value in inventory(BROKEN).items() if key != "metadata"}
    results = read(answer(listed(nameless)))["results"]
    assert [r["severity"] for r in results].count("error") == 2
    assert not any(r.keys() & {"resourceRef", "field", "file"} for r in results)


def test_overlays_of_an_inventory():
    good = answer(listed(inventory(overlays=[{"site": "prod"}])))
    labels = read(good)["items"][-1]["metadata"]["labels"]
    assert (good.status, labels["app.kubernetes.io/part-of"]) == (0, "prod")
    bad = answer(listed(inventory(overlays=[{"site": "prod"}, {"fabric": {"mtu": "large"}}])))
    (error,) = [r for r in read(bad)["results"] if r["severity"] == "error"]
    assert error["field"]["path"] == "overlays[1].fabric.mtu"


def test_a_config_map_holds_files():
    texts = {"site.yaml": text_of("minimal"), "prod.yaml": "site: prod\n"}
    good = answer(listed(config_map(**texts, overlays="prod.yaml", directory="clusters/prod/")))
    one = read(good)["items"][-1]["metadata"]
    assert one["labels"]["app.kubernetes.io/part-of"] == "prod"
    assert one["annotations"][PATH].startswith("clusters/prod/kubernetes/")
    assert answer(listed(config_map(**texts))).status == 1  # two sites
    bad = answer(listed(config_map(**texts | {"prod.yaml": "\nmtu: 1\n"}, overlays="prod.yaml")))
    (error,) = [r for r in read(bad)["results"] if r["severity"] == "error"]
    assert error["message"].startswith("prod.yaml:2:1: NP010: ")
    assert error["field"]["path"] == "data['prod.yaml']"


def test_strict_is_an_option_and_a_key():
    accepted = merged(site(), {"accept": [{"check": "NP409", "at": "fabric", "reason": "none"}]})
    warned = listed(inventory(accepted))
    assert [answer(warned, strict=strict).status for strict in (False, True)] == [0, 1]
    assert told(answer(warned), "warning")
    assert answer(listed(inventory(accepted, strict=True))).status == 1
    assert answer(listed(inventory(strict=True))).status == 0


WRONG: list[tuple[Any, str, str]] = [
    (None, "functionConfig is not an object", ""),
    ([], "functionConfig is not an object", ""),
    ({}, "functionConfig is of no stated kind; netplan takes rdma-netplan.alt/v1 Inventory", ""),
    ({"apiVersion": "v1", "kind": "Secret"}, "functionConfig is v1 Secret", ""),
    (inventory([]), "spec is not a map", "spec"),  # type: ignore[arg-type]
    (inventory(overlays={}), "overlays is not a list of maps", "overlays"),
    (inventory(overlays=[1]), "overlays is not a list of maps", "overlays"),
    (inventory(strict="yes"), "strict is neither true nor false", "strict"),
    (inventory(directory="../x"), "directory '../x': name a folder of the package", "directory"),
    (inventory(directory="/x"), "directory '/x'", "directory"),
    (inventory(directory=["x"]), "directory ['x']", "directory"),
    (inventory(status={}), "unknown key status", "status"),
    ({**config_map(), "data": 1}, "data is not a map", "data"),
    (config_map(), "data has no inventory", "data"),
    (config_map(overlays="", directory="a"), "data has no inventory", "data"),
    ({**config_map(), "data": {"a.yaml": 1}}, "a.yaml is not text; quote it", "data['a.yaml']"),
    (config_map(path="x"), "unknown key path; name a file of the inventory *.yaml", "data.path"),
    (config_map(**{"a.yaml": ""}, overlays="b.yaml"), "overlay b.yaml: no key of data", "data.overlays"),
    (config_map(**{"a.yaml": "", "b.yaml": ""}, overlays="b.yaml b.yaml"), "named twice", "data.overlays"),
    (config_map(**{"a.yaml": ""}, strict="1"), "strict is neither", "data.strict"),
]


@pytest.mark.parametrize(("config", "message", "field"), WRONG, ids=[row[1][:40] for row in WRONG])
def test_a_wrong_function_config_is_a_result(config: Any, message: str, field: str):
    done = answer(listed(config, FOREIGN))
    (result,) = read(done)["results"]
    assert done.status == 1
    assert FOREIGN in done.text
    assert message in result["message"]
    assert result.get("field", {"path": ""})["path"] == field
    assert done.said == result["message"]


def test_a_list_without_function_config():
    done = answer("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n")
    assert (done.status, done.said) == (1, "functionConfig is missing: it contains the inventory")


def test_an_empty_inventory_is_an_error():
    assert answer(listed(inventory({}))).status == 1
    assert answer(listed(config_map(**{"a.yaml": ""}))).status == 1


def test_a_key_twice_in_function_config_is_found():
    text = listed(inventory()).replace('"fabric": {', '"fabric": {"mtu": 1, "mtu": 2, ', 1)
    (error,) = told(answer(text), "error")
    assert error.startswith("NP002: key mtu appears twice")


HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
UNREADABLE: list[tuple[str, str]] = [
    ("", "empty"),
    ("# nothing\n", "empty"),
    ("hello", "no object in place of config.kubernetes.io/v1 ResourceList"),
    ("- a\n", "no object in place of"),
    ("apiVersion: v1\nkind: List\nitems: []\n", "v1 List in place of"),
    (HEAD.replace("/v1", "/v2"), "config.kubernetes.io/v2 ResourceList in place of"),
    (HEAD + "items: 3\n", "items is not a list"),
    (HEAD + "items: {}\n", "items is not a list"),
    (HEAD + "items: *a\n", "line 3, column 8: not YAML: alias 'a' has no anchor"),
    (HEAD + "<<: *a\n", "line 3, column 5: not YAML: alias 'a' has no anchor"),
    (HEAD + "a: &a {}\nitems: *a\n", "items is not a list"),
    (HEAD + "items: [1]\n", "items[0] is not an object"),
    (HEAD + "items:\n- - a\n", "items[0] is not an object"),
    (HEAD + "items: []\n---\na: 1\n", "line 4, column 1: a second document starts here"),
    (HEAD + "items: []\nitems: []\n", "line 4, column 1: key 'items' appears twice"),
    (HEAD + "items: []\n? [a]\n: b\n", "line 4, column 3: a key that is not text"),
    (HEAD + "items: [\n", "not YAML"),
    (HEAD + "items: []\x00", "line 3: '\\x00' is not allowed"),
    (HEAD + "items: []\udcff", "line 3: '\\udcff' is not allowed"),
    (HEAD + 'items: ["\\UFFFFFFFF"]', "not YAML"),
    (HEAD + "items: " + "[" * 500, "nested too deeply"),
    (HEAD + "items: " + "[" * 100_000, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), UNREADABLE, ids=range(len(UNREADABLE)))
def test_what_is_no_resource_list(text: str, message: str):
    done = answer(text)
    (error,) = told(done, "error")
    assert done.status == 2
    assert error.startswith("standard input: ")
    assert message in error
    assert error == printable(error)
    assert read(done)["items"] == []


def test_both_parsers_of_pyyaml_give_the_same(monkeypatch: pytest.MonkeyPatch):
    """If PyYAML is built without libyaml, only the Python parser is available."""
    text = listed(inventory(), FOREIGN)
    before = answer(text)
    monkeypatch.setattr("netplan.krm.outline.PARSER", yaml.SafeLoader)
    assert answer(text) == before
    assert {answer(text).status for text, _ in UNREADABLE} == {2}


def test_aliases_that_grow_are_refused_and_copied_in_items():
    bomb = "&a0 [x, x]"
    for number in range(1, 40):
        bomb = f"&a{number} [{bomb}, *a{number - 1}]"
    spec = listed(inventory()).replace('"spec": {', '"spec": {"x": ' + bomb.replace("x", '"x"') + ", ", 1)
    assert told(answer(spec), "error")
    item = f"items:\n- kind: A\n  a: {bomb}\n"
    done = answer(listed(inventory(), item))
    assert done.status == 0
    assert item in done.text


PIECES = st.sampled_from(
    ["items:\n", "items: []\n", "- kind: A\n", "  a: 1\n", "- ", "  - x\n", "results:\n", "functionConfig:\n",
     "  kind: Inventory\n", "  apiVersion: rdma-netplan.alt/v1\n", "  spec: {}\n", "  spec: &a\n",
     "  b: *a\n",
     "---\n", "...\n", "? a\n", ": b\n", "{", "}", "[", "]", ",", "|\n", "\t", "é\u2028", "\x00", "'", '"',
     "!!str ", "# c\n",
     "<<: *a\n", "  metadata: {name: a}\n", "  overlays: [{}]\n", " "]
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join), st.booleans())
def test_hostile_input_ends_in_a_result(text: str, with_head: bool):
    done = answer(HEAD + text if with_head else text)
    body = read(done)
    assert done.status in (1, 2)
    assert told(done, "error")
    if done.status == 1:
        assert body["items"] == (yaml.load(HEAD + text, yaml.CSafeLoader).get("items") or [])


def test_fields_are_json_paths():
    assert json_path(("spec", "hosts", "a.\"b'", 0, "x")) == "spec.hosts['a.\"b\\'']" + "[0].x"


def test_the_command():
    status, out, err = netplan("krm", input=listed(inventory()))
    assert (status, err) == (0, "")
    assert out == answer(listed(inventory())).text
    status, out, err = netplan("krm", input=listed(inventory(BROKEN)))
    assert status == 1
    assert "error NP011" in err
    assert "items are returned unchanged" in err
    assert yaml.safe_load(out)["items"] == []
    status, out, err = netplan("krm", input="- a\n")
    assert status == 2
    assert err.startswith("netplan krm: standard input: no object")
    assert yaml.safe_load(out)["results"][0]["severity"] == "error"
    status, out, err = netplan("krm", "--nos-dir", "missing", input=listed(inventory()))
    assert (status, out) == (2, "")
    assert "missing" in err


@pytest.mark.full
@pytest.mark.skipif(shutil.which("kpt") is None, reason="kpt is not installed")
def test_kpt_writes_the_files(tmp_path: Path):
    program = tmp_path / "netplan"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m netplan "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    package = tmp_path / "package"
    package.mkdir()
    (package / "Kptfile").write_text("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: package}\n")
    mine = "# mine\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine} # a note\ndata: {a: yes}\n"
    (package / "mine.yaml").write_text(mine)
    (tmp_path / "site.yaml").write_text(json.dumps(inventory(directory="net")))
    command = ["kpt", "fn", "eval", "package", "--exec", f"{program} krm", "--fn-config", "site.yaml"]
    for _ in range(2):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=60)
        written = {str(p.relative_to(package)): p.read_text() for p in package.rglob("*.yaml")}
        assert written.pop("mine.yaml") == mine
        found = {path.removeprefix("net/"): list(yaml.safe_load_all(text)) for path, text in written.items()}
        assert found == in_tree("minimal")
