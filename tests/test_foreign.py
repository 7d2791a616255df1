"""``validate --rendered``: no findings for correct files, exact ones for planted faults, no crash on hostile
files."""

from __future__ import annotations

import json
import re
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Diagnostic, Severity
from netplan.load import InputError
from netplan.others import rendered_texts, run_rendered
from netplan.pipeline import Result
from netplan.reading.kubernetes.kubeyaml import plain_value
from tests import upstream
from tests.cli_runs import netplan
from tools import foreign_fields

HERE = Path(__file__).parent
TREES = sorted(p for p in (HERE / "golden").iterdir() if (p / "kubernetes").is_dir())
CORPUS = sorted((HERE / "foreign" / "good").iterdir())
WITHOUT_CRDS = [*CORPUS, *sorted((HERE / "foreign" / "no-crds").iterdir())]
Texts = dict[str, str]


def _serious(found: Result) -> list[Diagnostic]:
    return [d for d in found.diagnostics if d.severity > Severity.INFO]


@cache
def _tree(name: str) -> tuple[tuple[str, str], ...]:
    root = HERE / "golden" / name
    files = sorted(p for p in root.rglob("*") if p.suffix in (".yaml", ".json") and "switches" not in p.parts)
    return tuple((p.relative_to(root).as_posix(), p.read_text()) for p in files)


@pytest.mark.parametrize("tree", [*TREES, *WITHOUT_CRDS], ids=lambda p: p.name)
def test_what_is_right_is_silent(tree: Path) -> None:
    result = run_rendered(str(tree))
    assert _serious(result) == []
    assert sum(result.checked.values()) > 2


@pytest.mark.crd
@pytest.mark.parametrize("tree", [*TREES, *CORPUS], ids=lambda p: p.name)
def test_what_is_right_is_silent_with_the_crds(tree: Path) -> None:
    result = run_rendered(str(tree), str(upstream.folder("crds")))
    assert _serious(result) == []


# name, pattern of the text to change, what it becomes, code; the place of the finding is that of the change,
# unless a pattern says where else it is
FAULTS: list[tuple[str, str, str, str, str | None]] = [
    ("resource renamed in the NAD", r"(resourceName: \w+\.com/)(\w+)", r"\1\2x", "NP757", None),
    ("prefix of the NAD", r"(resourceName: )\w+\.com/", r"\1openshift.io/", "NP757", None),
    ("resource renamed in the pod", r"(limits:\n(?: +nvidia.com/gpu: .*\n)? +nvidia\.com/)(?!gpu)(\w+)(: ')", r"\1\2x\3", "NP757", None),
    ("NAD renamed", r"(networks: [\w-]+/)([\w-]+)@", r"\1\2-x@", "NP758", None),
    ("NAD in another namespace", r"(networks: )[\w-]+/", r"\1default/", "NP758", None),
    ("interface too long", r"(networks: [\w/-]+@)", r"\1very-long-name-", "NP762", None),
    ("annotation of the NAD lost", r"( +k8s.v1.cni.cncf.io/)resourceName:", r"\1resource:", "NP798", r" +annotations:\n +k8s.v1.cni.cncf.io/resource:"),
    ("pool renamed", r'("poolName": ")', r"\1x", "NP759", None),
    ("pool of the other type", r'("poolType": ")(ip|cidr)pool', r"\1\2xpool", "NP759", None),
    ("JSON broken", r'("cniVersion": "1.0.0"),', r"\1", "NP753", r'(?<="cniVersion": "1.0.0"\n) +"name"'),
    ("key misspelt", r'"vlan":', '"vlna":', "NP750", None),
    ("truth value for text", r'"spoofchk": "off"', '"spoofchk": false', "NP752", None),
    ("chain without interface", r'"type": "(sriov|host-device|macvlan)"', '"type": "tuning"', "NP770", r'\{\n +"type": "tuning"'),
    ("range beyond numVfs", r"(pfNames:\n +- [\w.]+#0-)\d+", r"\g<1>99", "NP783", None),
    ("number as text", r"numVfs: (\d+)", r"numVfs: '\1'", "NP752", None),
    ("field misspelt", r"pfNames:", "pfName:", "NP750", None),
    ("gateway outside", r"(gateway: )\d+\.\d+", r"\g<1>203.0", "NP778", None),
    ("block too large", r"(subnet: \d+\.\d+\.\d+\.\d+/\d+\n +perNodeBlockSize: )\d+", r"\g<1>9999999", "NP778", None),
    ("policy renamed", r"name: nic-cluster-policy", "name: policy", "NP789", None),
    ("a count that is not text", r"(name: NCCL_IB_TC\n +value: )'(\d+)'", r"\1\2", "NP797", None),
    ("namespaced cluster policy", r"(name: nic-cluster-policy\n)", r"\1  namespace: default\n", "NP698", None),
    ("file not there", r"(resources:\n- )(\S+)", r"\1x\2", "NP796", None),
]  # fmt: skip


def _plant(texts: Texts, pattern: str, becomes: str) -> tuple[str, int] | None:
    """Change the first match. Returns (file, line) of the change, None if nothing matches."""
    for name, text in texts.items():
        match = None if "/rails/" in name or "nccl-test" in name else re.search(pattern, text)
        if match:
            texts[name] = text[: match.start()] + match.expand(becomes) + text[match.end() :]
            changed = next(i for i, (a, b) in enumerate(zip(text, texts[name], strict=False)) if a != b)
            return name, text.count("\n", 0, changed) + 1
    return None


PLANTED = [
    (tree.name, *fault)
    for tree in TREES
    for fault in FAULTS
    if _plant(dict(_tree(tree.name)), fault[1], fault[2]) is not None
]


def test_faults_are_planted_in_many_places() -> None:
    assert len(PLANTED) >= 90
    assert {fault[1] for fault in PLANTED} == {fault[0] for fault in FAULTS}


@pytest.mark.parametrize(("tree", "name", "pattern", "becomes", "code", "where"), PLANTED)
def test_planted_fault_is_found(
    tree: str, name: str, pattern: str, becomes: str, code: str, where: str | None
) -> None:
    texts = dict(_tree(tree))
    planted = _plant(texts, pattern, becomes)
    assert planted is not None
    found = [d for d in rendered_texts(texts).diagnostics if d.code == code]
    assert found, f"{code} not found for {name}"
    places = {(d.source.file, d.source.line) for d in found if d.source}
    if where is None:
        assert planted in places, (planted, found)
    else:
        lines = {
            (f, t.count("\n", 0, m.start()) + 1) for f, t in texts.items() for m in re.finditer(where, t)
        }
        assert places & lines, (places, lines)


HOSTILE = {
    "bomb": "apiVersion: v1\nkind: X\na0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)),
    "merge bomb": "apiVersion: v1\nkind: X\na0: &a0 {k: v}\n"
    + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}, *a{n - 1}], k{n}: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 40)),
    "deep": "apiVersion: v1\nkind: X\nspec: " + "[" * 5000 + "]" * 5000,
    "deep map": "apiVersion: v1\nkind: X\nspec: " + "{a: " * 900 + "1" + "}" * 900,
    "self": "apiVersion: v1\nkind: X\nspec: &s [*s]\n",
    "self merge": "apiVersion: v1\nkind: X\nspec: &s {<<: *s}\n",
    "NUL": "apiVersion: v1\nkind: X\nname: a\0b\n",
    "tab": "apiVersion: v1\nkind: X\nspec:\n\ta: 1\n",
    "tag": "apiVersion: v1\nkind: X\nspec: !!python/object/apply:os.system [echo]\n",
    "escape": 'apiVersion: v1\nkind: X\nname: "\\U00110000"\n',
    "half pair": 'apiVersion: v1\nkind: X\nname: "\\ud83d"\n',
    "not UTF-8": "apiVersion: v1\nkind: X\nname: \udcff\n",
    "open": "apiVersion: v1\nkind: X\nspec: {a: [\n",
    "infinite": "apiVersion: v1\nkind: X\nspec: .inf\n",
    "twice": "apiVersion: v1\nkind: X\nspec: 1\nspec: 2\n",
    "unknown alias": "apiVersion: v1\nkind: X\nspec: *nothing\n",
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_file_is_one_clean_report(text: str) -> None:
    began = time.process_time()
    found = rendered_texts({"x.yaml": text}).diagnostics
    assert found
    assert all(d.source and d.source.file == "x.yaml" and len(d.message) < 1000 for d in found)
    assert {d.code for d in found} <= {"NP001", "NP002", "NP004", "NP005", "NP009"}
    assert time.process_time() - began < 10


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
BEYOND = {
    "bomb": ("x.yaml", BOMB),
    "template": ("x.yaml", f"apiVersion: v1\nkind: X\nname: {{{{ x }}}}\n{BOMB}"),
    "text of a template": ("x.yaml", f"apiVersion: v1\nkind: X\nname: '{{{{ x }}}}'\n{BOMB}"),
    "kustomization": ("kustomization.yaml", f"resources: []\n{BOMB}"),
    "values": ("values.yaml", BOMB),
    "deep": ("x.yaml", "x: " + "[" * 5000),
    "deep JSON": ("x.json", '{"a":' * 5000 + "1" + "}" * 5000),
    "deep JSON object": (
        "x.json",
        '{"spec":' + '{"a":' * 5000 + "1" + "}" * 5000 + ',"apiVersion":"v1","kind":"X"}',
    ),
}
OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"


@pytest.mark.parametrize("kind", BEYOND)
def test_a_file_over_a_limit_is_said_whatever_it_was_to_be(kind: str) -> None:
    name, text = BEYOND[kind]
    (found,) = rendered_texts({name: text}).diagnostics
    assert (found.code, found.severity.name) == ("NP004", "ERROR")
    assert found.source is not None
    assert found.source.file == name


@pytest.mark.parametrize("kind", ["values", "kustomization", "text of a template", "deep JSON object"])
def test_a_file_over_a_limit_is_said_beside_objects(kind: str) -> None:
    name, text = BEYOND[kind]
    result = rendered_texts({name: text, "object.yaml": OBJECT})
    assert [(d.code, d.source and d.source.file) for d in result.diagnostics] == [("NP004", name)]
    assert f"1 file was not checked from the first fault on (first: {name})" in result.skipped


def test_a_large_file_alone_is_said(tmp_path: Path) -> None:
    with (tmp_path / "x.yaml").open("wb") as file:
        file.truncate(33 * 2**20)
    (found,) = run_rendered(str(tmp_path)).diagnostics
    assert (found.code, found.message) == ("NP004", "file is larger than 32 MiB")


def test_a_definition_over_a_limit_is_said() -> None:
    crd = (
        f"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nx: {{kind: ConfigMap}}\n{BOMB}"
    )
    result = rendered_texts({"object.yaml": OBJECT}, {"crds/x.yaml": crd})
    assert [(d.code, d.source and d.source.file) for d in result.diagnostics] == [("NP004", "crds/x.yaml")]


def _nad(config: str) -> str:
    body = {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "spec": {"config": config},
    }
    return json.dumps(body | {"metadata": {"name": "a", "namespace": "b"}})


@pytest.mark.parametrize(
    "config",
    ["[" * 20000, '{"plugins": ' + "[" * 3000 + "]" * 3000 + "}", "{" * 99, "\\u0000", "null", "{}", "[]"],
)
def test_hostile_json_text(config: str) -> None:
    found = rendered_texts({"x.json": _nad(config)}).diagnostics
    assert {d.code for d in found} <= {"NP753", "NP752", "NP770"}


WEIRD: list[Any] = [
    None,
    0,
    -1,
    True,
    "",
    "x",
    [],
    {},
    [None],
    [[]],
    {"a": None},
    1.5,
    "\x1b[2J",
    "a" * 5000,
    [1, "x", {}],
]


def _leaves(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(leaf for key, below in inner for leaf in _leaves(below, (*path, key)))]


def _objects() -> list[dict]:
    texts = [*(p.read_text() for p in (HERE / "foreign/good").rglob("*.y*ml") if "templates" not in p.parts)]
    texts += [text for name, text in _tree("kitchen-sink") if name.startswith("kubernetes")]
    found = [o for text in texts for o in yaml.safe_load_all(text) if isinstance(o, dict) and "kind" in o]
    return [o for o in found if o["kind"] != "List"]


@pytest.mark.parametrize("number", range(6))
def test_any_value_anywhere_is_no_crash(number: int) -> None:
    """Parts of every object of the corpus become odd values, together with the pods and pools of others."""
    objects = json.loads(json.dumps(_objects(), default=str))
    around = [
        o for o in objects if o["kind"] in ("Pod", "IPPool", "SriovNetwork", "NetworkAttachmentDefinition")
    ]
    beside = json.dumps({"apiVersion": "v1", "kind": "List", "items": around[:12]})
    tried = 0
    for index in range(number, len(objects), 6):
        for place, path in enumerate(_leaves(objects[index])[1:]):
            if place % 3 == number % 3:
                changed = _changed(objects[index], path, WEIRD[(place + index) % len(WEIRD)])
                rendered_texts({"x.json": json.dumps(changed), "y.json": beside})
                tried += 1
    assert tried > 30


def _changed(body: dict, path: tuple[str | int, ...], value: object) -> dict:
    changed = json.loads(json.dumps(body))
    at = changed
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    return changed


def test_ten_megabytes_are_read_in_bounded_time() -> None:
    body = (HERE / "foreign/good/overlays/base/policy.yaml").read_text()
    one = body.split("---")[0].replace("&gpu ", "")
    many = [one.replace("rail0", f"rail{n}").replace("ens1np0", f"ens{n}np0") for n in range(4_000)]
    data = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n"
    data += "".join(f"  key-{n}: '{'x' * 90}'\n" for n in range(90_000))
    text = "---\n".join([data, *many])
    assert len(text) > 10_000_000
    began = time.process_time()
    result = rendered_texts({"x.yaml": text})
    assert _serious(result) == []
    assert result.checked["NP783"] == 4_000
    assert time.process_time() - began < 120


def test_links_out_of_the_directory_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    bad = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: 1}\n"
    (tmp_path / "secret" / "a.yaml").write_text(bad)
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "ok.yaml").write_text(bad.replace("a: 1", "a: '1'"))
    (tree / "link.yaml").symlink_to(tmp_path / "secret" / "a.yaml")
    (tree / "linked").symlink_to(tmp_path / "secret")
    (tree / "inside.yaml").symlink_to(tree / "ok.yaml")
    (tree / "round").symlink_to(tree)
    result = run_rendered(str(tree))
    assert result.diagnostics == ()
    assert any("2 links" in sentence for sentence in result.skipped)


@pytest.mark.parametrize("text", ["", "a: 1\n", "- 1\n", "# nothing\n---\n---\n"])
def test_no_object_is_no_run(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(InputError, match="no Kubernetes object"):
        run_rendered(str(tmp_path))


def test_large_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("apiVersion: v1\nkind: X\na: " + "x" * (33 * 2**20))
    (tmp_path / "y.yaml").write_text("apiVersion: v1\nkind: X\n")
    assert [d.code for d in run_rendered(str(tmp_path)).diagnostics] == ["NP004"]


def test_command(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: x}\n"
    )
    status, _, errors = netplan("validate", "--rendered", str(tmp_path))
    assert status == 1
    assert f"{tmp_path}/a.yaml:3:12: error NP789" in errors
    _, report, _ = netplan("validate", "--rendered", str(tmp_path), "--format", "json")
    assert json.loads(report)["diagnostics"][0]["line"] == 3


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "github", "gitlab"])
def test_every_format_points_at_the_line(tmp_path: Path, form: str) -> None:
    (tmp_path / "a.yaml").write_text(
        "apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: x}\n"
    )
    status, report, _ = netplan("validate", "--rendered", str(tmp_path), "--format", form)
    assert status == 1
    assert "NP789" in report
    assert "a.yaml" in report
    assert re.search(r"(line|startLine|begin)\D{0,4}3|a.yaml:3", report)


def test_ignored_findings_do_not_fail(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: x}\n"
    )
    assert netplan("validate", "--rendered", str(tmp_path), "--ignore", "NP789")[0] == 0
    assert netplan("validate", "--rendered", str(tmp_path), "--select", "NP750")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["validate"], "Missing argument"),
        (["validate", "x.json", "--config-db", "--rendered", "y"], "separate runs"),
        (["validate", "-", "--rendered", "-"], "name a file for one of them"),
        (["validate", "--rendered", "y", "--release-data", "z"], "requires an inventory"),
        (["validate", "x.yaml", "--crds", "y"], "requires"),
        (["validate", "--rendered", "no-such-folder"], "does not exist"),
    ],
)
def test_wrong_use_is_exit_2(arguments: list[str], message: str) -> None:
    status, _, errors = netplan(*arguments)
    assert status == 2
    assert message in errors


@pytest.mark.crd
def test_field_lists_are_those_of_the_crds() -> None:
    """objects.json and pods.json of schemas/foreign equal the output of tools/foreign_fields.py."""
    made = foreign_fields.text(upstream.root())
    assert foreign_fields.TARGET.read_text() == made
    assert foreign_fields.PODS.read_text() == foreign_fields.pods(upstream.root())


@pytest.mark.crd
def test_no_field_of_a_crd_is_refused() -> None:
    """An object with every field of any CRD of its kind has no unknown field."""
    crds = [p for f in foreign_fields.FOLDERS for p in sorted((upstream.root() / f).rglob("*.yaml"))]
    looked_at = 0
    for path in crds:
        spec = yaml.safe_load(path.read_text())["spec"]
        for version in spec["versions"]:
            body = _every_field(version["schema"]["openAPIV3Schema"])
            body |= {"apiVersion": f"{spec['group']}/{version['name']}", "kind": spec["names"]["kind"]}
            body["metadata"] = {"name": "x"}
            found = rendered_texts({"x.json": json.dumps(body)}).diagnostics
            assert [
                d for d in found if d.code in ("NP750", "NP751", "NP754") and "old" not in path.parts
            ] == []
            looked_at += len(_leaves(body))
    assert looked_at > 4_000


def _every_field(schema: dict) -> Any:
    if "properties" in schema:
        return {name: _every_field(part) for name, part in schema["properties"].items()}
    if schema.get("type") == "array":
        return [_every_field(schema["items"])]
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return {"key": _every_field(schema["additionalProperties"])}
    return {"integer": 1, "number": 1, "boolean": True, "object": {}}.get(schema.get("type", ""), "${x}")


@pytest.mark.crd
def test_given_crds_make_unknown_fields_errors() -> None:
    text = (HERE / "foreign/good/overlays/base/policy.yaml").read_text()
    texts = {"x.yaml": text.replace("  numVfs: 8", "  numVfs: 8\n  congestionDomain: a")}
    assert [d.code for d in rendered_texts(texts).diagnostics] == ["NP751"]
    crd = upstream.folder("crds") / "sriovnetwork.openshift.io_sriovnetworknodepolicies.yaml"
    found = rendered_texts(texts, {"crd.yaml": crd.read_text()}).diagnostics
    assert [(d.code, d.source.line if d.source else 0) for d in found] == [("NP750", 7)]


CRD = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing}
  versions:
  - {name: v1alpha1, served: false, schema: {openAPIV3Schema: {type: object}}}
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              port: {x-kubernetes-int-or-string: true}
              note: {type: string, nullable: true, pattern: '\\p{L}+'}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              inner: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}
              words: {type: object, additionalProperties: {type: string}}
"""


@pytest.mark.parametrize(
    ("version", "spec", "codes"),
    [
        ("v1", "{port: 80, note: null, free: {any: 1}, words: {a: b}}", []),
        ("v1", "{port: http, inner: {apiVersion: v1, kind: X, metadata: {}, spec: {}}}", []),
        ("v1", "{port: true}", ["NP752"]),
        ("v1", "{prot: 1}", ["NP750"]),
        ("v1", "{inner: {sepc: {}}}", ["NP750"]),
        ("v1", "{words: {a: 1}}", ["NP752"]),
        ("v1alpha1", "{}", ["NP754"]),
    ],
)
def test_structural_schemas(version: str, spec: str, codes: list[str]) -> None:
    text = (
        f"apiVersion: example.com/{version}\nkind: Thing\nmetadata: {{name: a, namespace: b}}\nspec: {spec}\n"
    )
    assert [d.code for d in rendered_texts({"x.yaml": text}, {"crd.yaml": CRD}).diagnostics] == codes


@pytest.mark.parametrize(
    ("text", "value"),
    [("on", True), ("No", False), ("y", "y"), ("0777", 511), ("0o17", 15), ("1_000", 1000), ("1e3", 1000.0), ("~", None),
     ("2024-01-01", "2024-01-01"), ("12:30:45", "12:30:45"), ("0x1F", 31), ("+5", 5), ("089", 89.0), ("9" * 30, 1e30)],
)  # fmt: skip
def test_plain_scalars_are_those_of_kubernetes(text: str, value: object) -> None:
    assert plain_value(text) == value
    assert type(plain_value(text)) is type(value)


def test_crds_without_a_crd_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: Pod\n")
    with pytest.raises(InputError, match="holds no CustomResourceDefinition"):
        run_rendered(str(tmp_path), str(tmp_path))
