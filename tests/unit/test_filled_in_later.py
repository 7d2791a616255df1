"""Files that a script fills in, that a tool reads, or that are switched off: counted, not judged."""

from __future__ import annotations

import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.others import rendered_texts

OK = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ok}\n"
TWICE = f"{OK}data: {{a: b}}\ndata: {{a: c}}\n"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: label_namespace\n"


def codes(**files: str) -> list[str]:
    texts = {f"{name}.yaml": text for name, text in files.items()}
    return [each.code for each in rendered_texts({"ok.yaml": OK, **texts}).diagnostics]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{OK}data:\n  ca: |\nREPLACE_WITH_BUNDLE\n", []),
        (f"{OK}data:\n  ca: |\nreplace with bundle\n", ["NP001"]),
        (f"{OK}data:\n  ca: <ca>\n  <server>\nimmutable: true\n", []),
        (f"{OK}data:\n  ca: <ca>\n  server\nimmutable: true\n", ["NP001"]),
        (f'{OK}data:\n  a: "true"MORE_LABELS\n', []),
        (f'{OK}data:\n  a: "true"more\n', ["NP001"]),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n", []),
        (f"/*** DO NOT USE\n{OK}*/\n", []),
        (f"{OK}data:\n  a: &a **SECRET**\n", []),
        (f"{OK}data:\n  a: {{user}}/image\n", []),
        (f"{OK}data:\n  a:MORE_DATA\n  b: c\n", []),
        (f"{OK}data:\n  a: |\n    NAME_OF_A_SHELL\n  b: [\n", ["NP001"]),
    ],
)
def test_a_line_that_a_script_fills_in_makes_a_template(text: str, found: list[str]) -> None:
    assert codes(a=text) == found


@pytest.mark.parametrize(("folder", "found"), [("_archived", []), ("archive", []), ("current", ["NP002"])])
def test_faults_of_what_is_not_in_use_are_left_out(folder: str, found: list[str]) -> None:
    result = rendered_texts({"ok.yaml": OK, f"{folder}/a.yaml": TWICE})
    assert [each.code for each in result.diagnostics] == found


def test_a_folder_with_nothing_else_is_judged() -> None:
    assert [each.code for each in rendered_texts({"archive/a.yaml": TWICE}).diagnostics] == ["NP002"]


@pytest.mark.parametrize(
    ("key", "found"),
    [("transformers", []), ("generators", []), ("validators", []), ("resources", ["NP752"])],
)
def test_configuration_of_plugins_of_kustomize_is_no_object(key: str, found: list[str]) -> None:
    index = yaml.safe_dump({"resources": ["ok.yaml"], key: ["a.yaml"]})
    assert codes(a=CONFIG, kustomization=index) == found


def test_configuration_of_a_function_is_no_object() -> None:
    assert codes(a=CONFIG) == ["NP752"]
    assert codes(a=f"{CONFIG}  annotations:\n    config.kubernetes.io/function: 'container: {{}}'\n") == []


@pytest.mark.parametrize("name", ["'pod-n{}'", "'*'", "pod-INDEX", "'{{name}}'"])
def test_a_name_that_is_still_to_be_written_is_not_judged(name: str) -> None:
    spec = "spec: {containers: [{name: a, image: b}]}\n"
    assert codes(a=f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\n{spec}") == []


@pytest.mark.parametrize(("name", "found"), [("''", []), ("$name", []), ("a", ["NP752", "NP752"])])
def test_what_a_generator_leaves_out_where_it_is_empty(name: str, found: list[str]) -> None:
    network = f"""apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {{name: {name}, namespace: openshift-sriov-network-operator}}
spec: {{resourceName: x, linkState: "", maxTxRate: ""}}
"""
    told = rendered_texts({"a.yaml": network}).diagnostics
    assert [each.code for each in told if each.code == "NP752"] == found


@pytest.mark.parametrize(("empty", "found"), [(5, []), (4, []), (3, ["NP752"]), (1, ["NP752"])])
def test_what_is_empty_by_half_is_filled_in_by_a_generator(empty: int, found: list[str]) -> None:
    keys = ["vlanQoS", "networkNamespace", "ipam", "capabilities", "trust"]
    blank = "".join(f'  {key}: ""\n' for key in keys[:empty])
    network = f"""apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {{name: a, namespace: openshift-sriov-network-operator}}
spec:
  resourceName: x
{blank}"""
    told = rendered_texts({"a.yaml": network}).diagnostics
    assert [(each.code, each.hint) for each in told if each.code == "NP752"] == [
        (code, "write a value, or leave out the field") for code in found
    ]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("00-assert.yaml", []),
        ("tests/scale/01-errors.yaml", []),
        ("02-assert-ready.yaml", []),
        ("assert.yaml", ["NP752"]),
        ("00-assertion.yaml", ["NP752"]),
    ],
)
def test_what_a_test_of_kuttl_expects_is_no_object(name: str, found: list[str]) -> None:
    told = rendered_texts({"ok.yaml": OK, name: POLICY}).diagnostics
    assert [each.code for each in told if each.code == "NP752"] == found


@pytest.mark.parametrize(
    ("head", "hints"),
    [
        ("apiversion: v1\nkind: Pod\n", ["write apiVersion"]),
        ("apiVersion: v1\nKind: Pod\n", ["write kind"]),
        ("apiVersion: v1\napiversion: v1\nkind: Pod\n", []),
        ("version: v1\nkind: Pod\n", ["write apiVersion: v1"]),
    ],
)
def test_a_key_in_other_letters_is_not_read(head: str, hints: list[str]) -> None:
    network = "metadata: {name: a, annotations: {k8s.v1.cni.cncf.io/networks: lan}}\n"
    spec = "spec: {containers: [{name: a, image: b}]}\n"
    told = rendered_texts({"ok.yaml": OK, "a.yaml": f"{head}{network}{spec}"}).diagnostics
    assert [each.hint for each in told if each.code == "NP752"] == hints


def test_objects_that_two_files_share_are_said_once() -> None:
    both = f"{OK}---\n{OK.replace('ok', 'other')}"
    index = "resources: [a.yaml, b.yaml]\n"
    told = rendered_texts({"kustomization.yaml": index, "a.yaml": both, "b.yaml": both}).diagnostics
    assert [each.code for each in told] == ["NP690"]
    assert "it (and 1 more object) is also at a.yaml:3:" in told[0].message


def test_a_file_may_be_a_stream_of_json() -> None:
    both = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": 1}}\n'
    told = rendered_texts({"a.yaml": both + both.replace('"a"}', '"b"}')}).diagnostics
    assert [(each.code, each.source.line) for each in told if each.source] == [("NP752", 1), ("NP752", 2)]
    assert "NP001" in [each.code for each in rendered_texts({"a.yaml": both + "{"}).diagnostics]


@pytest.mark.parametrize(("folder", "found"), [("x/testdata", []), ("x/data", ["NP001"])])
def test_fixtures_of_tests_may_be_broken(folder: str, found: list[str]) -> None:
    result = rendered_texts({"ok.yaml": OK, f"{folder}/a.yaml": f"{OK} a: b\n"})
    assert [each.code for each in result.diagnostics] == found


POLICY = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {name: rail0, namespace: openshift-sriov-network-operator}
spec:
  resourceName: rail0
  numVfs: 2
  nodeSelector: {a: b}
"""


@pytest.mark.parametrize(("folder", "severity"), [("x/testdata", Severity.INFO), ("x/data", Severity.ERROR)])
def test_what_is_wrong_in_fixtures_of_tests_is_a_note(folder: str, severity: Severity) -> None:
    wrong = POLICY.replace("numVfs: 2", "numVfs: two") + "  nicSelector: {pfNames: [ens1]}\n"
    result = rendered_texts({"ok.yaml": OK, f"{folder}/a.yaml": wrong})
    assert [(each.code, each.severity) for each in result.diagnostics] == [("NP752", severity)]


@pytest.mark.parametrize(
    ("listed", "twin", "found"),
    [
        ("ok.yaml", True, []),
        ("ok.yaml, policy.yaml", True, ["NP752"]),
        ("ok.yaml", False, ["NP752"]),
        ("", True, ["NP752"]),
    ],
)
def test_a_file_that_its_kustomization_leaves_out_may_lack_what_another_one_has(
    listed: str, twin: bool, found: list[str]
) -> None:
    """Another file that defines the object, as a site does with the form that stands beside the others."""
    files = {"forms/ok.yaml": OK, "forms/policy.yaml": POLICY}
    files["forms/kustomization.yaml"] = f"resources: [{listed}]\n"
    if twin:
        files["site/policy.yaml"] = f"{POLICY}  nicSelector: {{pfNames: [ens1]}}\n"
    told = rendered_texts(files).diagnostics
    assert [each.code for each in told if each.code == "NP752"] == found


def test_one_line_at_the_wrong_place_is_said_once() -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - image: b\n    image: c\n"
    assert codes(a=pod) == ["NP002"]
    assert codes(a=f"{pod}      name: a\n") == ["NP001"]


@pytest.mark.parametrize(
    ("image", "found"), [("# the one with tools", []), ("", ["NP752"]), ("~", ["NP752"])]
)
def test_a_comment_in_place_of_a_value_leaves_it_to_the_reader(image: str, found: list[str]) -> None:
    spec = f"spec:\n  containers:\n  - name: a\n    image: {image}\n"
    pod = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\n{spec}"
    assert codes(a=pod) == found


FLUX = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"


@pytest.mark.parametrize(
    ("files", "found"),
    [({}, ["NP752"]), ({"flux": FLUX}, []), ({"kustomization": "resources: [a.yaml]\n"}, [])],
)
def test_annotations_that_kustomize_builds_become_texts(files: dict[str, str], found: list[str]) -> None:
    assert (
        codes(a="apiVersion: v1\nkind: Secret\nmetadata: {name: a, annotations: {x/y: true}}\n", **files)
        == found
    )


@pytest.mark.parametrize("folder", ["xarchive", "old-archive", "_archived", "legacy", "Archive"])
def test_folders_that_are_not_in_use(folder: str) -> None:
    result = rendered_texts({"ok.yaml": OK, f"{folder}/a.yaml": CONFIG})
    assert result.diagnostics == ()


def test_one_label_of_many_objects_is_said_once() -> None:
    labelled = "apiVersion: v1\nkind: Namespace\nmetadata: {name: NAME, labels: {a/b: true}}\n"
    texts = {f"{name}.yaml": labelled.replace("NAME", name) for name in "abc"}
    (told,) = rendered_texts(texts).diagnostics
    assert told.message == "Namespace a: metadata.labels.a/b is true, not text (and 2 more objects)"


@pytest.mark.parametrize("line", ["[10:02 PM]Documented here:", "a: b: c", "[a]: b: c"])
def test_a_broken_line_is_said_once(line: str) -> None:
    assert codes(a=f"{OK}data:\n  a: b\n  {line}\n  sriov: d\n") == ["NP001"]
