"""Edge cases, one fact per case: which texts of a directory are Kubernetes objects."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.load import STDIN, InputError
from netplan.reading.kubernetes.kubeyaml import OVER_LIMITS
from netplan.reading.kubernetes.load import load_texts
from netplan.reading.kubernetes.tree import ObjectTree

POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}


def text(*bodies: Any) -> str:
    return yaml.safe_dump_all(bodies, sort_keys=False)


def named(tree: ObjectTree) -> list[str]:
    return [f"{thing.body['apiVersion']} {thing.kind} {thing.name}" for thing in tree.things]


def listed(kind: str, *items: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "items": list(items)}


BARE = {"metadata": {"name": "b"}}


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (listed("PodList", BARE), ["v1 Pod b"]),
        (listed("PodList", BARE, {"metadata": {"name": "c"}}), ["v1 Pod b", "v1 Pod c"]),
        (listed("PodList", {"kind": "Odd", **BARE}), ["v1 Pod b"]),
        (listed("PodList", {**POD, "apiVersion": "v2"}), ["v2 Pod a"]),
        (listed("PodList", "odd", BARE), ["v1 Pod b"]),
        (listed("List", POD, BARE), ["v1 Pod a"]),
        (listed("List", BARE, POD), ["v1 Pod a"]),
        (listed("List", listed("PodList", BARE)), ["v1 Pod b"]),
        ({"apiVersion": "v1", "kind": "PodList", "metadata": {"name": "l"}}, ["v1 PodList l"]),
    ],
)
def test_items_of_a_list_have_the_kind_that_it_names(body: dict[str, Any], found: list[str]) -> None:
    """kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go, type List; a list of
    the API names the kind of its items once, as ``PodList``."""
    assert named(load_texts({"a.yaml": text(body)})) == found


def test_an_item_without_a_kind_knows_where_its_fields_stand() -> None:
    (thing,) = load_texts(
        {"a.yaml": "apiVersion: v1\nkind: PodList\nitems:\n- metadata:\n    name: b\n  spec: {}\n"}
    ).things
    paths: list[tuple[str, ...]] = [(), ("kind",), ("metadata",), ("metadata", "name"), ("spec",)]
    places = [str(thing.source(path)) for path in paths]
    assert places == ["a.yaml:4:3", "a.yaml:4:3", "a.yaml:4:3", "a.yaml:5:5", "a.yaml:6:3"]


@pytest.mark.parametrize(
    ("note", "read"), [("true", False), (True, False), ("false", True), (False, True), ("yes", True)]
)
def test_an_object_for_kustomize_alone_is_left_out(note: Any, read: bool) -> None:
    local = {**POD, "metadata": {"name": "b", "annotations": {"config.kubernetes.io/local-config": note}}}
    found = named(load_texts({"a.yaml": text(local, POD)}))
    assert found == [*(["v1 Pod b"] if read else []), "v1 Pod a"]
    assert named(load_texts({"a.yaml": text(listed("List", local, POD))})) == found


@pytest.mark.parametrize(
    ("chart", "file", "read"),
    [
        ("c/Chart.yaml", "c/templates/pod.yaml", False),
        ("c/Chart.yaml", "c/templates/deep/pod.yaml", False),
        ("c/Chart.yaml", "c/pod.yaml", True),
        ("c/Chart.yaml", "d/templates/pod.yaml", True),
        ("c/Chart.yaml", "cc/templates/pod.yaml", True),
        ("c/Chart.yaml", "templates/pod.yaml", True),
        ("Chart.yaml", "templates/pod.yaml", False),
        ("Chart.yaml", "c/templates/pod.yaml", True),
    ],
)
def test_templates_of_a_chart_are_not_read(chart: str, file: str, read: bool) -> None:
    tree = load_texts(
        {chart: "name: c\n", file: text(POD), "x.yaml": text({**POD, "metadata": {"name": "x"}})}
    )
    assert ("v1 Pod a" in named(tree)) is read
    assert tree.skipped == (() if read else (f"1 template not read (first: {file})",))


@pytest.mark.parametrize(
    ("bodies", "skipped"),
    [
        ([POD], ()),
        ([POD, None], ()),
        ([POD, {"a": 1}], ("1 document without apiVersion and kind not judged",)),
        ([POD, {"a": 1}, "text"], ("2 documents without apiVersion and kind not judged",)),
    ],
)
def test_documents_of_standard_input_that_are_no_objects_are_counted(
    bodies: list[Any], skipped: tuple[str, ...]
) -> None:
    assert load_texts({STDIN: text(*bodies)}).skipped == skipped
    assert load_texts({"a.yaml": text(*bodies)}).skipped == ()


DEEP = "[" * 500


def test_a_text_over_a_limit_is_told_where_nothing_else_is_found() -> None:
    tree = load_texts({"a.yaml": "a: 1\n", "b.yaml": DEEP, "c.yaml": "a: [1\n"})
    assert [(problem.code, str(problem.source).partition(":")[0]) for problem in tree.problems] == [
        (OVER_LIMITS, "b.yaml")
    ]
    assert load_texts({"a.yaml": text(POD), "b.yaml": DEEP}).problems == ()


@pytest.mark.parametrize(
    "deep", [f"# apiVersion of what?\n{DEEP}", f"apiVersion: {{{{ version }}}}\na: {DEEP}"]
)
def test_a_text_over_a_limit_that_may_be_an_object_is_told_beside_others(deep: str) -> None:
    tree = load_texts({"a.yaml": text(POD), "b.yaml": deep})
    assert [(each.code, each.source and each.source.file) for each in tree.problems] == [
        (OVER_LIMITS, "b.yaml")
    ]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (
            {},
            "no Kubernetes object found: it contains no *.yaml, *.yml or *.json file; "
            "name the directory the objects are in",
        ),
        (
            {"a.yaml": "a: 1\n"},
            "no Kubernetes object found: 1 file read, none with apiVersion; "
            "name the directory the objects are in",
        ),
        (
            {"a.yaml": "a: 1\n", "b.yaml": "AWSTemplateFormatVersion: x\nR: !Ref x\n"},
            "no Kubernetes object found: 2 files read, none with apiVersion; "
            "name the directory the objects are in",
        ),
        (
            {"Chart.yaml": "name: c\n", "templates/a.yaml": text(POD)},
            "no Kubernetes object found: 2 files read, 1 without apiVersion, "
            "1 template not read (first: templates/a.yaml); "
            "render the templates first (helm template, kubectl kustomize), or "
            "name the directory the objects are in",
        ),
        (
            {STDIN: "a: 1\n"},
            "standard input holds no Kubernetes object; did the command before the pipe fail?",
        ),
    ],
)
def test_where_there_is_no_object_it_says_what_was_read(texts: dict[str, str], said: str) -> None:
    with pytest.raises(InputError) as raised:
        load_texts(texts)
    assert str(raised.value) == said


def folder(namespace: Any) -> str:
    return text(
        {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "namespace": namespace}
    )


@pytest.mark.parametrize(
    ("kustomizations", "own", "found"),
    [
        ({}, "own", "own"),
        ({}, None, None),
        ({}, "{{ ns }}", None),
        ({"": "top"}, "own", "top"),
        ({"a": "inner", "": "top"}, "own", "inner"),
        ({"a/b": "deep", "": "top"}, "own", "deep"),
        ({"a": "", "": "top"}, "own", "top"),
        ({"a": 3, "": "top"}, "own", "top"),
        ({"a": "${NS}", "": "top"}, "own", None),
        ({"c": "other"}, "own", "own"),
    ],
)
def test_the_nearest_kustomization_sets_the_namespace(
    kustomizations: dict[str, Any], own: str | None, found: str | None
) -> None:
    meta = {"name": "a"} | ({"namespace": own} if own else {})
    texts = {f"{at}/kustomization.yaml".lstrip("/"): folder(name) for at, name in kustomizations.items()}
    (thing,) = load_texts({**texts, "a/b/pod.yaml": text({**POD, "metadata": meta})}).things
    assert thing.namespace == found


@pytest.mark.parametrize(
    ("target", "partial"),
    [
        ({"kind": "Pod"}, True),
        ({"kind": "Job"}, False),
        ({"name": "a"}, True),
        ({"name": "b"}, False),
        ({"name": "b.*"}, True),
        ({"kind": "Pod", "name": "a"}, True),
        ({"kind": "Pod", "name": "b"}, False),
        ({"kind": "Job", "name": "a"}, False),
        ({"kind": "Job", "name": "b.*"}, False),
        ({"kind": 7, "name": "b"}, False),
        ({}, True),
        (None, False),
    ],
)
@pytest.mark.parametrize("key", ["patches", "patchesJson6902"])
def test_what_a_patch_may_change_is_partial(key: str, target: dict[str, Any] | None, partial: bool) -> None:
    """A name in a target is a regular expression (kustomize, patches)."""
    entry = {"patch": "[]"} | ({"target": target} if target is not None else {})
    index = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", key: [entry]}
    (thing,) = load_texts({"kustomization.yaml": text(index), "a.yaml": text(POD)}).things
    assert thing.partial is partial


@pytest.mark.parametrize(
    ("line", "template"),
    [
        ("value: { x: ${PATH}/v1, y: [1 }", True),  # envsubst
        ("version: %version%", True),
        ("%{ if can(namespace) }", True),  # Terraform
        ("value: { x: $PATH, y: [1 }", False),
        ("rate: 50%\nb: [1", False),
        ("metadata: {name: a}\n{more}\nspec: {}", True),  # Python's str.format
        ("metadata:\n  ...\n  name: a", True),  # a page that leaves something out
        ("...\nspec: [", True),
        ("metadata: {name: a}\n...\n---\nb: [1", False),
        ("metadata: {name: a}\n...\n# the end\n---\nb: [1", False),
    ],
)
def test_a_text_that_does_not_parse_is_a_template_or_broken(line: str, template: bool) -> None:
    tree = load_texts({"a.yaml": text(POD), "b.yaml": f"apiVersion: v1\nkind: Pod\n{line}\n"})
    assert tree.skipped == (("1 template not read (first: b.yaml)",) if template else ())
    assert [each.code for each in tree.problems] == ([] if template else ["NP001"])


BROKEN = "value: .inf\nbad: [\n"
WITHIN = "report:\n  config:\n    apiVersion: v1\n    kind: Pod\n"


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        (f"apiVersion: v1\nkind: Pod\n{BROKEN}", True),
        (f"  apiVersion: v1\n  kind: Pod\n{BROKEN}", True),
        (f"- apiVersion: v1\n  kind: Pod\n{BROKEN}", True),
        ('{"kind": "Pod", "apiVersion": "v1", "spec": [}', True),
        ('{\n  "items": [{\n "apiVersion": "v1", }]', True),
        ('{"level": "info"}\n{"event": {"involvedObject": {"apiVersion": "v1", "kind": "Pod"}}}\n', False),
        (f"{WITHIN}{BROKEN}", False),
        (f"text: |\n  apiVersion: v1\n{BROKEN}", False),
    ],
)
def test_a_broken_text_is_reported_if_it_begins_an_object(text: str, reported: bool) -> None:
    """An object inside another text is data: a report of a benchmark that quotes its configuration."""
    tree = load_texts({"a.yaml": text, "b.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: b}\n"})
    assert bool(tree.problems) is reported


def test_fixtures_of_api_tests_are_counted_and_not_judged() -> None:
    fixture = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "nameValue", "uid": "uidValue"}}
    tree = load_texts({"a.yaml": text(fixture, POD)})
    assert (named(tree), tree.skipped) == (["v1 Pod a"], ("1 fixture of API tests not judged",))


def test_resource_names_in_parts_of_a_configuration_are_known() -> None:
    part = '{"resourceName": "vm",\n "selectors": {}}\n'
    tree = load_texts({"a.yaml": text(POD), "part.json": part, "vars.yaml": "resourceName: two\n"})
    assert tree.loose == {"vm", "two"}
