"""The closed schemas of Kubernetes objects: well-formed, no wider than upstream, and what they reject."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from netplan import resources
from netplan.reading.kubernetes.objects import TEXTS
from netplan.strict import compiled as accepting
from netplan.strict import end_anchored
from netplan.verify.read import read
from netplan.verify.schemas import _files, _inlined, _parts, _validator, validate
from tests import upstream
from tests.inventories import SHIPPED, compiled
from tests.pod_site import rendered
from tests.unit.rendered_tree import (
    an_object,
    artifacts,
    documents,
)

FOLDER = resources.schemas() / "kubernetes"
BASE = "https://rdma-netplan.dev/schemas/kubernetes/"
FILES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.json"))
KINDS = [name for name in FILES if "/" not in name and name[0].isupper()]

DISPATCHED = {"cni/conflist.json:plugins.*", "defs.json:$defs.ipam", "HelmRelease.json:spec.values"}
"""Objects whose ``type`` selects their schema, and values of a chart."""

MX = "mellanox.com/v1alpha1"
POLICY = 'cluster: {kubernetes_version: "1.36"}\nworkloads: {job: {admission_policy: true}}'
ADMISSION = list(yaml.safe_load_all(rendered(POLICY)["admission-policy.yaml"]))
SAMPLES: dict[str, list[Any]] = {
    **{f"{body['kind']}.json": [body] for body in ADMISSION},
    "MacvlanNetwork.json": [
        an_object(
            MX,
            "MacvlanNetwork",
            "storage",
            None,
            {"networkNamespace": "training", "master": "ens9f0", "mode": "bridge", "mtu": 9000, "ipam": "{}"},
        )
    ],
    "IPoIBNetwork.json": [
        an_object(
            MX, "IPoIBNetwork", "ib", None, {"networkNamespace": "training", "master": "ibs1", "ipam": "{}"}
        )
    ],
    "SriovIBNetwork.json": [
        an_object(
            "sriovnetwork.openshift.io/v1",
            "SriovIBNetwork",
            "ib",
            "training",
            {
                "networkNamespace": "training",
                "resourceName": "ib_0",
                "linkState": "enable",
                "capabilities": '{"infinibandGUID":true}',
            },
        )
    ],
    "SpiderMultusConfig.json": [
        an_object("spiderpool.spidernet.io/v2beta1", "SpiderMultusConfig", "rail-0", "training", spec)
        for spec in (
            {
                "cniType": "sriov",
                "sriov": {
                    "resourceName": "intel.com/rail_0",
                    "vlanID": 100,
                    "rdmaIsolation": True,
                    "ippools": {"ipv4": ["rail0"]},
                },
                "enableCoordinator": True,
                "coordinator": {
                    "mode": "overlay",
                    "tunePodRoutes": True,
                    "podDefaultRouteNIC": "eth0",
                    "podRPFilter": 0,
                },
                "chainCNIJsonData": ['{"type":"tuning","mtu":9000}'],
            },
            {
                "cniType": "macvlan",
                "macvlan": {
                    "master": ["ens1f0"],
                    "rdmaResourceName": "rdma/rail_0",
                    "ippools": {"ipv4": ["rail0"]},
                },
                "enableCoordinator": True,
            },
            {
                "cniType": "ipvlan",
                "ipvlan": {
                    "master": ["ens1f0"],
                    "rdmaResourceName": "rdma/rail_0",
                    "ippools": {"ipv4": ["r"]},
                },
                "enableCoordinator": False,
            },
        )
    ],
    "SpiderIPPool.json": [
        {
            "apiVersion": "spiderpool.spidernet.io/v2beta1",
            "kind": "SpiderIPPool",
            "metadata": {"name": "rail0"},
            "spec": {
                "ipVersion": 4,
                "subnet": "172.16.0.0/24",
                "ips": ["172.16.0.2-172.16.0.99", "172.16.0.200"],
                "gateway": "172.16.0.1",
                "nodeAffinity": {"matchLabels": {"type": "gpu"}},
            },
        }
    ],
    "DeviceAttributes.json": [
        an_object(
            "sriovnetwork.k8snetworkplumbingwg.io/v1alpha1",
            "DeviceAttributes",
            "rail-0",
            "dra-driver-sriov",
            {"attributes": {"k8s.cni.cncf.io/resourceName": {"string": "rail_0"}}},
        )
    ],
    "SriovResourcePolicy.json": [
        an_object(
            "sriovnetwork.k8snetworkplumbingwg.io/v1alpha1",
            "SriovResourcePolicy",
            "gpu",
            "dra-driver-sriov",
            {
                "configs": [
                    {
                        "deviceAttributesSelector": {"matchLabels": {"resource": "rail_0"}},
                        "resourceFilters": [{"vendors": ["15b3"], "pfPciAddresses": ["0000:18:00.0"]}],
                    }
                ]
            },
        )
    ],
    "pod-extra.json": [
        {
            "tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}],
            "priorityClassName": "high",
            "terminationGracePeriodSeconds": 30,
            "hostPID": False,
            "affinity": {
                "podAntiAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": [
                        {"topologyKey": "rack", "labelSelector": {"matchLabels": {"a": "b"}}}
                    ]
                }
            },
        }
    ],
    "cni/ipoib.json": [{"type": "ipoib", "master": "ibs1", "mtu": 4092, "ipam": {}}],
    "cni/ipvlan.json": [{"type": "ipvlan", "master": "ens9f0", "mode": "l2"}],
    "ipam/static.json": [
        {"type": "static", "addresses": [{"address": "fd00::2/64", "gateway": "fd00::1"}]},
        {"type": "static", "routes": [{"dst": "10.0.0.0/8", "gw": "10.1.0.1"}]},
    ],
    "ipam/host-local.json": [
        {
            "type": "host-local",
            "dataDir": "/run/cni/ipam-a",
            "ranges": [
                [
                    {
                        "subnet": "10.0.0.0/24",
                        "rangeStart": "10.0.0.9",
                        "rangeEnd": "10.0.0.20",
                        "gateway": "10.0.0.1",
                    }
                ]
            ],
        }
    ],
    "ipam/whereabouts.json": [
        {"type": "whereabouts", "ipRanges": [{"range": "10.0.0.0/24", "exclude": ["10.0.0.1/32"]}]}
    ],
}
"""Objects that neither the shipped inventories nor the hand-written tree have."""


@cache
def samples() -> dict[str, list[Any]]:
    """Schema -> values it must accept."""
    found: dict[str, list[Any]] = {name: list(values) for name, values in SAMPLES.items()}
    rendered = [artifact for name in SHIPPED for artifact in compiled(name).artifacts]
    for artifact in [*rendered, *artifacts(documents())]:
        for thing in read([artifact]).tree.things:
            for schema, _, value in _parts(thing):
                found.setdefault(schema, []).append(value)
    return found


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def schema_of(name: str) -> dict[str, Any]:
    return json.loads(text_of(name))


def subschemas(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every subschema with its path; ``*`` stands for an entry or a key."""
    yield path.strip("."), schema
    for key in ("properties", "$defs"):
        for name, below in schema.get(key, {}).items():
            yield from subschemas(below, f"{path}.{'' if key == 'properties' else '$defs.'}{name}")
    for key in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(key), dict):
            yield from subschemas(schema[key], f"{path}.*")
    for key in ("anyOf", "oneOf"):
        for below in schema.get(key, ()):
            yield from subschemas(below, path)


@pytest.mark.parametrize("name", FILES)
def test_a_schema_is_valid_and_has_its_name(name):
    schema = schema_of(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == BASE + name
    assert schema["title"]
    assert schema["description"]


@pytest.mark.parametrize("name", FILES)
def test_a_schema_is_closed(name):
    open_objects = [
        f"{name}:{path}"
        for path, schema in subschemas(schema_of(name))
        if schema.get("type") == "object" and schema.get("additionalProperties") in (None, True)
    ]
    assert set(open_objects) <= DISPATCHED


@pytest.mark.parametrize("name", FILES)
def test_every_property_is_described(name):
    missing = [
        f"{path}.{key}"
        for path, schema in subschemas(schema_of(name))
        for key, below in schema.get("properties", {}).items()
        if not below.get("description", "").strip()
    ]
    assert missing == []


@pytest.mark.parametrize("name", FILES)
def test_patterns_hold_for_the_whole_text(name):
    """Only a pattern for a path may be open-ended."""
    patterns = [s["pattern"] for _, s in subschemas(schema_of(name)) if "pattern" in s]
    assert [p for p in patterns if not (p.startswith("^") and (p.endswith("$") or p == "^/"))] == []
    assert [p for p in patterns if "$" in p[:-1]] == []


@pytest.mark.parametrize("name", FILES)
def test_a_bound_stands_with_its_type(name):
    """``accept`` leaves values of other types to the ``type`` keyword."""
    kinds = {"minimum": "integer", "maximum": "integer", "minLength": "string", "uniqueItems": "array"}
    wrong = [
        f"{path}: {key}"
        for path, schema in subschemas(schema_of(name))
        for key, kind in kinds.items()
        if key in schema and schema.get("type") != kind
    ]
    assert wrong == []


def test_a_dollar_is_the_very_end():
    assert end_anchored("^a$").search("a")
    assert not end_anchored("^a$").search("a\n")


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_has_its_file(name):
    assert schema_of(name)["properties"]["kind"]["const"] == name.split(".")[0]


@pytest.mark.parametrize("name", sorted(name for name in TEXTS if f"{name.partition('/')[2]}.json" in KINDS))
def test_a_kind_with_json_in_it_has_those_places(name):
    """Every place whose JSON is parsed is a text, or a list of texts, in the schema."""
    written = []
    for place in TEXTS[name]:
        schema = _inlined({"$ref": f"{name.partition('/')[2]}.json"})
        for key in place:
            schema = schema.get("properties", {}).get(key, {})
        written += [schema] if schema else []
    assert written
    assert {schema.get("items", schema)["type"] for schema in written} == {"string"}


@pytest.mark.parametrize("name", [name for name in FILES if name != "defs.json"])
def test_a_schema_accepts_what_is_rendered(name):
    values = samples()[name]
    assert values
    assert [problem for value in values for problem in validate(name, value)] == []


@cache
def registry() -> Registry:
    loaded = [(schema["$id"], Resource.from_contents(schema)) for schema in map(schema_of, FILES)]
    return Registry().with_resources(loaded)


ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.0,
    10**9,
    "",
    "a b",
    "on\n",
    "A'",
    "10.0.0.0/99999",
    [],
    {},
    ["a", "a"],
)


def mutations(value: Any) -> Iterator[Any]:
    """The value with one element changed, removed or added."""
    if isinstance(value, dict):
        for key in value:
            yield {k: v for k, v in value.items() if k != key}
            for below in mutations(value[key]):
                yield {**value, key: below}
        yield {**value, "surplus": 1}
        yield {**value, "A b": "x"}
    elif isinstance(value, list):
        for index, item in enumerate(value):
            for below in mutations(item):
                yield [*value[:index], below, *value[index + 1 :]]
        yield value * 2
    yield from (deepcopy(odd) for odd in ODD)


def distinct(values: list[Any], most: int) -> list[Any]:
    """The first values with different keys."""
    found: dict[str, Any] = {}
    for value in values:
        found.setdefault(json.dumps(sorted(value)), value)
    return list(found.values())[:most]


MOST = 400


def tried(name: str, request: pytest.FixtureRequest) -> list[Any]:
    """Valid values of a schema and their single mutations; of very many, all only with --nightly."""
    found = [value for sample in distinct(samples()[name], 2) for value in mutations(sample)]
    return found if request.config.getoption("--nightly") else found[:: -(-len(found) // MOST)]


@pytest.mark.parametrize("name", [name for name in FILES if name != "defs.json"])
def test_nothing_is_accepted_that_the_schema_refuses(name, request):
    """The fast validation compared with jsonschema."""
    accepts, strict, values = accepting(_inlined({"$ref": name})), _validator(name), tried(name, request)
    assert [value for value in values if accepts(value) and not strict.is_valid(value)] == []
    assert any(not accepts(value) for value in values)


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", [name for name in FILES if name != "defs.json"])
def test_references_mean_what_they_mean_to_jsonschema(name, request):
    """The file unchanged: in jsonschema, ``$`` in a pattern also matches before a final newline."""
    inlined, plain = (
        Draft202012Validator(_inlined({"$ref": name})),
        Draft202012Validator(schema_of(name), registry=registry()),
    )
    assert [value for value in tried(name, request) if inlined.is_valid(value) != plain.is_valid(value)] == []


def test_every_schema_file_is_read():
    assert sorted(_files()) == FILES


@cache
def definitions() -> dict[tuple[str, str], dict[str, Any]]:
    """(apiVersion, kind) -> schema of the CRD; the operators' copies come after those of the projects."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    folders = (upstream.root() / "crds", upstream.root() / "crds-jobs")
    for path in (path for folder in folders for path in sorted(folder.glob("*.yaml"))):
        spec = yaml.load(path.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["spec"]  # noqa: S506 - both are safe loaders
        for version in spec["versions"]:
            key = (f"{spec['group']}/{version['name']}", spec["names"]["kind"])
            found[key] = version["schema"]["openAPIV3Schema"]
    return found


def wider(ours: dict[str, Any], theirs: dict[str, Any], path: str) -> Iterator[str]:
    """Places where our schema accepts what theirs does not name, or does not require what theirs does."""
    if "type" in ours and theirs.get("type", ours["type"]) != ours["type"]:
        yield f"{path}: {ours['type']} for {theirs['type']}"
    values = ours.get("enum", [ours["const"]] if "const" in ours else [])
    yield from (f"{path}: {value!r}" for value in values if "enum" in theirs and value not in theirs["enum"])
    if not isinstance(ours.get("additionalProperties"), dict):
        required = set(theirs.get("required", ())) - set(ours.get("required", ()))
        yield from (
            f"{path}.{key} is required" for key in sorted(required & ours.get("properties", {}).keys())
        )
    for key, below in ours.get("properties", {}).items():
        known = theirs.get("properties", {}).get(key) or theirs.get("additionalProperties")
        if known:
            yield from wider(below, known, f"{path}.{key}")
        else:
            yield f"{path}.{key} is unknown"
    for key in ("items", "additionalProperties"):
        if isinstance(ours.get(key), dict):
            yield from wider(ours[key], theirs.get(key, {}), f"{path}.*")


CORE = {
    "ConfigMap", "Pod", "Service", "Job", "StatefulSet", "Kustomization", "Component", "PodGroup",
    "DeviceClass", "ResourceClaimTemplate", "Namespace", "PodRails",
    "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
}  # fmt: skip
"""Kinds without a CRD here (tests/core_kinds.py has them); the pod spec is that of MPIJob."""

UNPINNED = {"SpiderMultusConfig", "SpiderIPPool", "GitRepository", "HelmRepository"}
"""Kinds whose CRDs are not among the upstream files: their fields were read, not pinned."""


@pytest.mark.crd
@pytest.mark.parametrize("kind", sorted({name.removesuffix(".json") for name in KINDS} - CORE - UNPINNED))
def test_no_wider_than_upstream(kind):
    schema = _inlined({"$ref": f"{kind}.json"})
    version = schema["properties"]["apiVersion"]
    for name in version.get("enum", [version.get("const")]):
        theirs = definitions()[name, schema["properties"]["kind"]["const"]]
        assert "spec" in theirs["properties"]
        assert list(wider(schema["properties"]["spec"], theirs["properties"]["spec"], "spec")) == []


@pytest.mark.crd
def test_a_kind_is_unpinned_only_without_its_crd():
    assert not {kind for _, kind in definitions()} & UNPINNED


@pytest.mark.crd
def test_a_wider_schema_is_noticed():
    theirs = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "enum": ["x"]}}}
    ours = {"type": "object", "properties": {"a": {"enum": ["x", "y"]}, "b": {"type": "string"}}}
    assert list(wider(ours, theirs, "spec")) == ["spec.a is required", "spec.a: 'y'", "spec.b is unknown"]
