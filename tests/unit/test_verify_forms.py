"""Documents of one form are parsed once; data, schema errors and limits are those of each one alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netplan.model.artifact import Artifact
from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.objects import Form, Thing
from netplan.strict import accept, compiled
from netplan.verify import forms, questions, schemas, verify
from netplan.verify.read import read
from netplan.verify.sizes import size_problems
from tests.inventories import SHIPPED
from tests.inventories import compiled as shipped

POOL = """\
# addresses of {name}
apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: IPPool
metadata: {{name: {name}, namespace: kube-system}}
spec:
  subnet: {net}/24
  perNodeBlockSize: 8
  gateway: {gateway}
"""
POLICY = """\
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {{name: p-rail{n}, namespace: n-o}}
spec:
  nodeSelector: {{example.com/gpu: "yes"}}
  nicSelector: {{vendor: "15b3", pfNames: ["ens{n}f0np0#0-3"]}}
  resourceName: rail{n}
  numVfs: 8
  mtu: 9000
  deviceType: netdevice
  isRdma: true
  linkType: eth
"""
NETWORK = """\
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {{name: rail{n}, namespace: n-o}}
spec:
  networkNamespace: training
  resourceName: rail{n}
  ipam: '{{"type":"whereabouts","range":"10.0.{n}.0/24"}}'
  metaPlugins: '{{"type":"tuning","mtu":{mtu}}}'
"""
FOLDER = "kubernetes/30-networks/ipam"


def _pools(count: int) -> list[str]:
    names = ((f"rail{n}-leaf-{n}", f"10.0.{n}.0", f"10.0.{n}.1") for n in range(count))
    return [POOL.format(name=name, net=net, gateway=gateway) for name, net, gateway in names]


def alone(text: str) -> list[Any] | None:
    parsed = parse("x", text, Places(SourceMap()))
    return None if parsed.problems else [body for body, _ in parsed.documents]


def together(texts: Sequence[str]) -> list[list[Any] | None]:
    found = forms.read_alike(((str(n), text) for n, text in enumerate(texts)), Places(SourceMap()))
    return [[t.body for t in found[str(n)]] if str(n) in found else None for n in range(len(texts))]


@pytest.mark.parametrize(
    "texts",
    [
        _pools(5),
        ["a: e-1\n", "a: e-2\n", "a: e-3\n", "a: e-3"],
        ["a: 1e-5\n", "a: 2e-5\n", "a: 1a-5\n", "a: 3e-5\n"],
        ["a: x1.5\n", "a: x2.5\n", "a: .5\n", "a: 1.5\n"],
        [
            "{'a-1': 1, 'b-1': 2}\n",
            "{'a-2': 1, 'b-2': 2}\n",
            "{'a-1': 1, 'a-1': 2}\n",
            "{'a-3': 1, 'b-3': 2}\n",
        ],
        [f'a: "\\x7aq0qz x-{n}"\n' for n in range(5)],
        [f'a: "z\\\n  q0qz x-{n}"\n' for n in range(5)],
        [f"a: zq0qz x-{n}\n" for n in range(5)],
        [f'a: "\\n{n}-b"\n' for n in range(5)],
        [f"&a-{n} b: *a-{n}\n" for n in range(5)],
        [f"--- # a-{n}\na: b-{n}\n---\n# a-{n}\n---\n---\nb-{n}\n" for n in range(5)],
        [f"a: |\n  b-{n}\n---\na: |+\n  b-{n}\n\n---\na: |\n  b-{n}" for n in range(5)],
        [f"%TAG !y! a-{n}\n---\na-{n}\n---\n!y!a b-{n}\n" for n in range(5)],
        [f"a: 'b-{n}\n---\n'\n" for n in range(5)],
        [f"- a-{n}\n- [10.0.{n}.1, 10.0.{n}]\n- {{b: a-{n}/10.0.{n}.1}}\n" for n in range(5)],
    ],
)
def test_what_is_read_is_what_a_parser_reads(texts: list[str]) -> None:
    assert together(texts) == [alone(text) for text in texts]


WORDS = st.sampled_from(["a-1", "leaf-12", "n1", "y-2", "10.0.0.1", "e-5", "kube-system"])
YAML = (
    "a: |- |\n|\n  |'|\"|{|}|[|]|, |#| # |---\n|\n---\n|&|*|!|%|$|@|\\|\\n|\\u0041"
    "|? |: |:|.|/|-|_|1|x|zq|~|<<: "
)
JSON = """{"|": "|", "|"|, |}|: |[|]|: 1|1|-|e|.|\\|\\n|\\u0041|\\/|"a": |"a": "|zq|$|@|_|true|{{|<path:|'"""


def drawn(data: st.DataObject, parts: str) -> list[str]:
    """Four or five texts with the same parts and a different word after each."""
    between = data.draw(st.lists(st.sampled_from(parts.split("|")), min_size=1, max_size=12))
    row = st.tuples(*[WORDS] * len(between))
    rows = data.draw(st.lists(row, min_size=4, max_size=5))
    return ["".join(chain.from_iterable(zip(between, words, strict=True))) for words in rows]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_stands_around_the_words(data: st.DataObject) -> None:
    texts = drawn(data, YAML)
    assert together(texts) == [alone(text) for text in texts]


QUOTES = {"|\n    ": "", ">-\n    ": "", "'": "''", '"': '\\"'}
"""Start of a text, as a block or in quotes -> how a quote is escaped in it."""


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(sorted(QUOTES)))
def test_whatever_stands_around_the_words_of_a_json_text(data: st.DataObject, quote: str) -> None:
    head = f"apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nspec:\n  config: {quote}"
    end, escaped = (quote, QUOTES[quote]) if QUOTES[quote] else ("", "")
    inner = [f'{{"a": ["{text}"]}}' for text in drawn(data, JSON)]
    texts = [f"{head}{text.replace(end, escaped)}{end}\n" for text in inner]
    by_form = forms.read_alike(((str(n), text) for n, text in enumerate(texts)), Places(SourceMap()))
    for number, text in enumerate(texts):
        places = Places(SourceMap())
        by_file = forms.things_of("x", parse("x", text, places), places)
        found = by_form.get(str(number))
        assert (found is None) == (by_file is None)
        for one, other in zip(found or (), by_file or (), strict=True):
            assert (one.body, one.texts, one.faults) == (other.body, other.texts, other.faults)


def test_a_form_is_parsed_once_however_many_documents_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def counted(path: str, text: str, places: Any) -> Any:
        parsed.append(path)
        return parse(path, text, places)

    monkeypatch.setattr(forms, "parse", counted)
    joined = "---\n".join(_pools(20))
    together([*_pools(20), joined, joined])
    assert parsed == ["0", "20"], "those behind a line of --- have a form of their own"


@pytest.mark.parametrize(("count", "has"), [(3, False), (4, True)])
def test_a_form_is_of_four_documents_or_more(count: int, has: bool) -> None:
    found = read(
        [Artifact(f"{FOLDER}/p{n}.yaml", text, "ipam") for n, text in enumerate(_pools(count))], False
    )
    assert [thing.form is not None for thing in found.tree.things] == [has] * count


@pytest.mark.parametrize(
    ("old", "new", "fits"),
    [("", "", True), ("Block", "Blok", False), ("rail3-leaf-3", f"a-{'b' * 300}", False)],
)
def test_a_form_whose_documents_all_fit_is_judged_once(old: str, new: str, fits: bool) -> None:
    """One wrong document, and each is judged by itself."""
    texts = [text.replace(old, new) for text in _pools(6)]
    found = read([Artifact(f"{FOLDER}/p{n}.yaml", text, "ipam") for n, text in enumerate(texts)], False)
    asked = {thing.form for thing in found.tree.things if thing.form is not None}
    assert asked
    assert schemas._fitting(asked) == (asked if fits else set())


@pytest.mark.parametrize("name", SHIPPED)
def test_artifacts_read_alike_are_those_read_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects, JSON texts in them, namespaces, routes and values of every shipped inventory."""
    monkeypatch.setattr(forms, "_LEAST", 2)

    def said(things: Sequence[Thing]) -> list[Any]:
        return [(t.file, t.namespace, t.body, t.texts, t.faults) for t in things]

    by_form, by_file = (read(shipped(name).artifacts, each) for each in (False, True))
    for part in (lambda r: r.tree.things, lambda r: r.tree.values, lambda r: r.routes):
        assert said(part(by_form)) == said(part(by_file))
    assert by_form.problems == by_file.problems == ()
    assert not any(thing.form for thing in by_file.tree.things)


def test_what_is_found_is_told_of_its_own_file() -> None:
    bodies = [text.replace("perNodeBlockSize: 8", "perNodeBlockSize: eight") for text in _pools(6)]
    paths = [f"{FOLDER}/p{n}.yaml" for n in range(len(bodies))]
    found = verify([Artifact(path, text, "ipam") for path, text in zip(paths, bodies, strict=True)])
    assert [d.message.partition(":")[0] for d in found.diagnostics] == paths


def test_unless_asked_otherwise_every_file_is_parsed_by_itself() -> None:
    """A place is then exact, also in a file with a line more than the others have."""
    texts = _pools(6)
    texts[3] = f"# one more\n{texts[3]}"
    found = read([Artifact(f"{FOLDER}/p{n}.yaml", text, "ipam") for n, text in enumerate(texts)]).tree.things
    assert not any(thing.form for thing in found)
    places = [thing.source(("spec", "gateway")) for thing in found]
    assert [(p.file, p.line) for p in places] == [(f"{FOLDER}/p{n}.yaml", 8 + (n == 3)) for n in range(6)]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("subnet: 10.0.3.0/24", "subnet: rail-3/24", "$.spec.subnet"),
        ("name: rail3-leaf-3", f"name: a-{'b' * 300}", "$.metadata.name"),
        ("gateway: 10.0.3.1", "gateway: rail-3", "$.spec.gateway"),
        ("gateway: 10.0.3.1", "gateway: 10.0.4.0", "gateway 10.0.4.0 is outside 10.0.3.0/24"),
        ("kube-system", "kube-{n}", ""),
        ("v1alpha1", "v1alpha2", "$.apiVersion"),
        ("8", "-8", "$.spec.perNodeBlockSize"),
    ],
)
def test_one_of_many_is_wrong(old: str, new: str, said: str) -> None:
    texts = _pools(6)
    assert old in texts[3]
    texts[3] = texts[3].replace(old, new)
    found = verify([Artifact(f"{FOLDER}/p{n}.yaml", text, "ipam") for n, text in enumerate(texts)])
    wrong = [d.message for d in found.diagnostics if d.code in ("NP902", "NP913")]
    assert all(message.startswith(f"{FOLDER}/p3.yaml: ") and said in message for message in wrong)
    assert wrong or not said


SHAPE = {
    "type", "required", "dependentRequired", "propertyNames", "minItems", "maxItems", "minProperties",
    "maxProperties", "pattern", "minLength", "maxLength", "minimum", "maximum",
}  # fmt: skip
"""Keywords that do not constrain the texts below a map or list."""


def test_every_keyword_looks_at_the_shape_at_entries_or_at_the_whole() -> None:
    known = {"type", *accept._KEYWORDS}
    assert known == SHAPE | questions.BELOW | questions.WHOLE
    assert len(known) == len(SHAPE) + len(questions.BELOW) + len(questions.WHOLE)


NAME = {"type": "string", "pattern": "^[a-z]+-[0-9]$", "maxLength": 5}
SCHEMAS: list[dict[str, Any]] = [
    {"properties": {"a": NAME}},
    {"additionalProperties": NAME},
    {"properties": {"a": {}}, "additionalProperties": NAME},
    {"properties": {"b": {"type": "array"}}, "additionalProperties": False},
    {"properties": {"b": {"items": NAME}}},
    {"properties": {"b": {"items": NAME, "uniqueItems": True, "maxItems": 2}}},
    {"properties": {"a": {"enum": ["a-1", "b-2"]}}},
    {"properties": {"a": {"const": "a-1"}}},
    {"properties": {"a": {"type": "integer"}}},
    {"anyOf": [{"properties": {"a": NAME}}, {"properties": {"b": {"items": NAME}}}]},
    {"oneOf": [{"properties": {"a": NAME}}, {"properties": {"b": {"items": NAME}}}]},
    {"required": ["c"]},
    {"required": ["d"]},
    {"properties": {"c": NAME}},
    {"properties": {"c": {"maxLength": 2}}},
    {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
]


@pytest.mark.parametrize("schema", SCHEMAS)
@given(
    st.lists(st.tuples(*[st.sampled_from(["a-1", "b-2", "c-33", "10.0.0.1"])] * 3), min_size=2, max_size=4)
)
def test_a_schema_says_of_a_form_what_it_says_of_each(schema: dict[str, Any], rows: list[Any]) -> None:
    marked = {"a": "zq0qz", "b": ["zq1qz", "zq2qz"], "c": "d-4"}
    asked = questions.Questions()
    accepted = asked.put(schema, marked, rows) and asked.answered()
    each = [compiled(schema)({"a": row[0], "b": [*row[1:]], "c": "d-4"}) for row in rows]
    assert accepted == all(each)


def test_the_longest_of_a_form_is_no_shorter_than_any() -> None:
    found = read([Artifact(f"{FOLDER}/p{n}.yaml", text, "ipam") for n, text in enumerate(_pools(12))], False)
    form = found.tree.things[0].form
    assert isinstance(form, Form)
    assert len(json.dumps(forms.longest(form))) == max(len(json.dumps(t.body)) for t in found.tree.things)


@pytest.mark.parametrize(("long", "problems"), [((500_000,), 0), ((2_000_000,), 2), ((800_000, 800_001), 0)])
def test_one_of_many_is_too_large(long: tuple[int, ...], problems: int) -> None:
    """Documents of a form with two words; in the last case, none has both long words."""
    sizes = [*long, 20, 30, 40][:4]
    head = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"
    words = [f"a-{'b' * size}" for size in sizes]
    pairs = zip(words, reversed(words), strict=True)
    text = "---\n".join(f"{head}data:\n  one: {one}\n  other: {other}\n" for one, other in pairs)
    by_form, by_file = (
        size_problems(read([Artifact("kubernetes/a.yaml", text, "a")], each)) for each in (False, True)
    )
    assert by_form == by_file
    assert len(by_form[0]) == problems


def test_an_object_of_a_form_has_the_places_of_the_form() -> None:
    """A rule may say where a value of another object is, also where nothing is wrong in the end."""
    files = [Artifact(f"{FOLDER}/p{n}.yaml", text, "ipam") for n, text in enumerate(_pools(5))]
    things = read(files, False).tree.things
    places = {thing.source(("spec", "gateway")) for thing in things}
    assert {(place.file, place.line) for place in places} == {(f"{FOLDER}/p0.yaml", 8)}


@pytest.mark.parametrize(("mtu", "wrong"), [(9000, 0), (9001, 4)])
def test_policies_of_a_form_are_compared_with_the_networks_on_their_vfs(mtu: int, wrong: int) -> None:
    """Four rails, each with its MTU by the operator and by the tuning plugin: policies of one form."""
    rails = [POLICY.format(n=n) for n in range(4)] + [NETWORK.format(n=n, mtu=mtu) for n in range(4)]
    folder = "kubernetes/40-device-plugins/sriov"
    found = verify([Artifact(f"{folder}/{n}.yaml", text, "sriov") for n, text in enumerate(rails)])
    assert [d.message.partition(": ")[2] for d in found.diagnostics if d.code == "NP312"] == [
        f"SriovNetwork n-o/rail{n}: MTU 9001 is above 9000 of SriovNetworkNodePolicy n-o/p-rail{n} "
        f"at {folder}/{n}.yaml:9:3"
        for n in range(wrong)
    ]
    assert found.checked["NP312"] == len(rails) // 2
