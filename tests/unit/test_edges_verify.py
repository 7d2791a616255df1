"""Edge cases, one fact per case: netplan's own files, checked before they are written."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

import pytest

from netplan.model.artifact import Artifact
from netplan.verify import files, routes, schemas, sizes, stages
from netplan.verify.read import _holds_objects, read
from tests.unit.some import some


def entry(
    table: int = 700, priority: int | None = 700, family: str = "ipv4", back_end: str = "script"
) -> Any:
    rule = {} if priority is None else {"priority": priority}
    return {"interface": "rail0", "family": family, "table": table, "rule": rule, "back_end": back_end}


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([entry()], []),
        ([entry(), entry(701, 701)], []),
        ([entry(), entry(family="ipv6")], []),
        ([entry(), entry(priority=701)], ["2 interfaces have ipv4 table 700"]),
        ([entry(), entry(701)], ["2 ipv4 rules have priority 700"]),
        ([entry(priority=None), entry(701, None)], []),
        ([entry(1023, back_end="sbr")], []),
        ([entry(1024, back_end="sbr")], ["rail0: table 1024 is the kernel's own or above 1023"]),
        ([entry(1)], []),
        ([entry(0)], ["rail0: table 0 is the kernel's own or above 1023"]),
        *(
            ([entry(n)], [f"rail0: table {n} is the kernel's own or above 1023"])
            for n in (252, 253, 254, 255)
        ),
        ([entry(251)], []),
        ([entry(256)], []),
        ([entry(99)], []),
        ([entry(100)], ["rail0: table 100 is one that CNI plugins number by themselves"]),
        ([entry(199)], ["rail0: table 199 is one that CNI plugins number by themselves"]),
        ([entry(200)], []),
        ([entry(499)], []),
        ([entry(500)], ["rail0: table 500 is one that CNI plugins number by themselves"]),
        ([entry(501)], []),
        ([entry(999)], []),
        ([entry(1000)], ["rail0: table 1000 is one that CNI plugins number by themselves"]),
        ([entry(100, back_end="sbr")], []),
        ([entry(priority=0)], ["rail0: rule priority 0 is not before that of table main"]),
        ([entry(priority=1)], []),
        ([entry(priority=32765)], []),
        ([entry(priority=32766)], ["rail0: rule priority 32766 is not before that of table main"]),
        ([{"interface": "x"}], []),
    ],
)
def test_tables_of_a_pod(entries: list[Any], found: list[str]) -> None:
    assert list(routes.tables({"interfaces": entries})) == found


def test_the_last_table_of_dranet_is_above_all_that_netplan_numbers() -> None:
    found = list(routes.tables({"interfaces": [entry(2000), entry(1999, 701)]}))
    assert [text.count("plugins") for text in found] == [0, 0, 1]
    assert list(routes.tables({})) == []


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["a/b.yaml", "a/c.yaml"], []),
        (["a/b.yaml", "A/B.yaml"], ["the same path as a/b.yaml"]),
        (["a", "a/b"], ["also the folder of a/b"]),
        (["a/b/c", "A/B"], ["also the folder of a/b/c"]),
        (["a/b/c", "a/c"], []),
        (["a/b", "a/c", "a"], ["also the folder of a/b"]),
        (["a/b/c", "a/d/e", "a"], ["also the folder of a/b/c"]),
        (["b/a/c", "a/b"], []),
        (["x/a", "a", "x/b", "b"], []),
        (["a/../b"], ["the path is not a plain relative path"]),
        (["./b"], ["the path is not a plain relative path"]),
        (["/b"], ["the path is not a plain relative path"]),
        (["..."], []),
        (["a" * 255], []),
        (["a" * 256], ["the path is not a plain relative path"]),
        (["a b"], ["the path is not a plain relative path"]),
    ],
)
def test_paths_of_files(paths: list[str], found: list[str]) -> None:
    problems = files.path_problems([Artifact(path, "", "host") for path in paths])
    assert [each.message.rpartition(": ")[2] for each in problems] == found


def thing(data: dict[str, Any], kind: str = "ConfigMap", name: str = "big") -> Any:
    return some(
        file="kubernetes/a.yaml", form=None, body={"kind": kind, "metadata": {"name": name}, "data": data}
    )


def weighed(body: Any, entities: tuple[str, ...] = ("hosts.h",), text: int = 1 << 20) -> list[Any]:
    artifact = Artifact("kubernetes/a.yaml", "x" * text, "kubernetes", entities=entities)
    given: Any = some(artifacts={artifact.path: artifact}, tree=some(things=[body]))
    problems, count = sizes.size_problems(given)
    assert count == 1
    return problems


def test_objects_are_as_large_as_etcd_takes() -> None:
    empty = len(json.dumps(thing({"a": ""}).body, separators=(",", ":")))
    secret = len(json.dumps(thing({"a": ""}, "Secret").body, separators=(",", ":")))
    assert weighed(thing({"a": "x" * (1 << 20)})) == []
    (large,) = weighed(thing({"a": "x" * ((1 << 20) - 2), "b": "ä" * 2}))
    assert large.message.endswith("ConfigMap big has 1,048,578 bytes of data, a ConfigMap holds 1,048,576")
    assert large.path == ("hosts", "h")
    (large,) = weighed(thing({"a": "x" * ((1536 << 10) - empty + 1)}))
    assert "1,572,865 bytes, etcd takes 1,572,864 in a request" in large.message
    assert weighed(thing({"a": "x" * ((1536 << 10) - secret)}, "Secret")) == []
    assert weighed(thing({"a": "ä" * ((1536 << 10) // 2 - secret)}, "Secret")) == []
    (large,) = weighed(thing({"a": "x" * ((1536 << 10) - secret + 1)}, "Secret"), ())
    assert large.path == ()
    assert weighed(thing({"a": "x" * (1 << 21)}), text=1 << 19) == []
    assert len(weighed(thing({"a": "x" * (1 << 21)}), text=(1 << 19) + 1)) == 1
    assert weighed(thing(None)) == []  # type: ignore[arg-type]


def test_places_in_the_words_of_jsonpath() -> None:
    assert schemas.json_path(()) == "$"
    assert schemas.json_path(("a", 0, "b-c", "d_e")) == '$.a[0]["b-c"].d_e'


@pytest.mark.parametrize(
    ("place", "value", "found"),
    [
        (
            "META",
            [{"type": "a"}, {"type": "b", "ipam": {"type": "i"}}],
            [("cni/a.json", (0,)), ("cni/b.json", (1,)), ("ipam/i.json", (1, "ipam"))],
        ),
        ("META", [{"type": "a", "ipam": {}}, "x"], [("cni/a.json", (0,)), ("cni/None.json", (1,))]),
        ("IPAM", {"type": "i"}, [("ipam/i.json", ())]),
        ("IPAM", "x", [("ipam/None.json", ())]),
        ("CONFIG", {"plugins": [{"type": "a"}]}, [("cni/conflist.json", ()), ("cni/a.json", ("plugins", 0))]),
        ("CONFIG", {"plugins": "x"}, [("cni/conflist.json", ())]),
        ("CONFIG", ["x"], [("cni/conflist.json", ())]),
        ("CAPABILITIES", {}, [("defs.json#/$defs/capabilities", ())]),
    ],
)
def test_texts_in_objects_have_schemas_of_their_own(place: str, value: Any, found: Any) -> None:
    at = getattr(schemas, place)
    assert [(name, where[len(at) :]) for name, where, _ in schemas._embedded(at, value)] == found


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"configList": []}, "rdma-shared.json"),
        ({"resourceList": []}, "device-plugin.json"),
        ("configList", "device-plugin.json"),
    ],
)
def test_configurations_of_device_plugins(value: Any, name: str) -> None:
    assert [each[0] for each in schemas._embedded(("data", "config.json"), value)] == [name]


@pytest.mark.parametrize(
    ("path", "holds"),
    [
        ("kubernetes/a.yaml", True),
        ("kubernetes/routes.yaml", True),
        ("pods/job/pod.yaml", True),
        ("pods/job/routes.yaml", False),
        ("hosts/gpu/a.yaml", False),
    ],
)
def test_files_that_hold_objects(path: str, holds: bool) -> None:
    assert _holds_objects(path) is holds


OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


@pytest.mark.parametrize(
    ("path", "text", "said", "counts"),
    [
        ("kubernetes/a.yaml", OBJECT, [], (1, 0, 0)),
        ("kubernetes/a.yaml", f"{OBJECT}---\n{OBJECT}", [], (2, 0, 0)),
        ("kubernetes/a.yaml", "", ["contains no object"], (0, 0, 0)),
        (
            "kubernetes/a.yaml",
            f"{OBJECT}---\na: 1\n",
            ["document 2 is not an object with apiVersion and kind"],
            (1, 0, 0),
        ),
        ("kubernetes/values.yaml", "a: 1\n", [], (0, 1, 0)),
        ("kubernetes/values.yaml", "a: 1\n---\nb: 1\n", ["Helm takes one mapping of values"], (0, 2, 0)),
        ("kubernetes/values.yaml", "- a\n", ["Helm takes one mapping of values"], (0, 0, 0)),
        ("pods/job/routes.yaml", "a: 1\n", [], (0, 0, 1)),
        ("pods/job/routes.yaml", "- a\n", [], (0, 0, 0)),
        ("hosts/a.yaml", "a: 1\n", [], (0, 0, 0)),
        ("switches/a.json", "{}", [], (0, 0, 0)),
        ("switches/a.json", "{", ["NP901"], (0, 0, 0)),
        ("kubernetes/a.yaml", "a: [", ["NP901"], (0, 0, 0)),
    ],
)
@pytest.mark.parametrize("each", [True, False])
def test_files_are_read(path: str, text: str, said: list[str], counts: Any, each: bool) -> None:
    given = read([Artifact(path, text, "kubernetes"), Artifact("a.txt", "{", "host")], each)
    assert (len(given.tree.things), len(given.tree.values), len(given.routes)) == counts
    assert given.parsed == 1
    assert len(given.problems) == len(said)
    for wanted, found in zip(said, given.problems, strict=True):
        assert wanted in (found.code, found.message.rpartition(": ")[2])


def placed(path: str, kind: str = "Namespace", version: str = "v1", body: Any = None) -> Any:
    class Named:
        file, api_version = path, version

        def __str__(self) -> str:
            return PurePosixPath(path).name

    named: Any = Named()
    named.kind, named.body = kind, {"resources": body}
    return named


def test_an_object_is_in_its_stage_and_listed() -> None:
    folder = stages._FOLDERS[0]
    one, index = placed(f"kubernetes/{folder}/a.yaml"), f"kubernetes/{folder}/kustomization.yaml"
    whole = placed("kubernetes/kustomization.yaml", body=[folder])

    def wrong(*things: Any) -> list[str]:
        tree: Any = some(things=[*things])
        return [text for _, text in stages.listed(tree, stages.objects(tree))]

    listed = placed(index, body=["a.yaml"])
    kinds = wrong(one, listed, whole)
    assert all("stage" in text for text in kinds)
    assert wrong(one, listed)[len(kinds) :] == ["there is no kubernetes/kustomization.yaml to list its stage"]
    assert wrong(one, whole)[len(kinds) :] == [f"there is no {index} to list it"]
    other = placed(index, body=["b.yaml"])
    assert wrong(one, other, whole)[len(kinds) :] == [
        f"$.resources does not list kubernetes/{folder}/a.yaml",
        f"$.resources lists kubernetes/{folder}/b.yaml, which contains no object",
    ]
    more = placed("kubernetes/kustomization.yaml", body=[folder, "x"])
    said = f"$.resources is {folder}, x; the stages are {folder}"
    assert wrong(one, listed, more)[len(kinds) :] == [said]
    unknown = placed(f"kubernetes/{folder}/a.yaml", "Nonesuch", "x.y/v1")
    assert wrong(unknown, listed, whole) == ["a.yaml is of a kind that has no stage"]
