"""Write schemas/foreign/objects.json from the upstream CRDs, and pods.json beside it from Kubernetes' OpenAPI
documents: ``python tools/foreign_fields.py``; with ``--check`` only compare.

Fields, types, bounds and scopes of the kinds that netplan knows, without prose, merged over the projects' own
CRDs, the copies NVIDIA ships, old ones and those of each Network Operator release: what any of them accepts
must be accepted, even if a later release removed it. Parts that are Kubernetes' own types (pod templates,
affinities, environment) stay open: they grow with every Kubernetes release, and ``--crds`` checks them. Of
pods and containers the names of fields are kept, of any release, to tell which stand at the wrong level.

user-networks.json is of the same form and was made once, by ``objects`` with the group k8s.ovn.org: the CRDs
are no part of NETPLAN_UPSTREAM. They are ovn-org/ovn-kubernetes 6c366bb4 (December 2024) dist/templates and
ovn-kubernetes/ovn-kubernetes 8871cd9c (August 2026) helm/ovn-kubernetes/crds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import yaml

from tools.made_file import ROOT, make

TARGET = ROOT / "schemas" / "foreign" / "objects.json"
PODS = TARGET.with_name("pods.json")
GROUPS = (
    "configuration.net.nvidia.com",
    "k8s.cni.cncf.io",
    "kubeflow.org",
    "maintenance.nvidia.com",
    "mellanox.com",
    "nv-ipam.nvidia.com",
    "spectrumx.nvidia.com",
    "sriovnetwork.k8snetworkplumbingwg.io",
    "sriovnetwork.openshift.io",
    "whereabouts.cni.cncf.io",
)
OPEN = frozenset(
    {
        "affinity",
        "annotations",
        "containerResources",
        "containers",
        "deploymentNodeAffinity",
        "deploymentTolerations",
        "env",
        "imagePullSecrets",
        "labelSelector",
        "labels",
        "livenessProbe",
        "metadata",
        "nodeAffinity",
        "podSelector",
        "readinessProbe",
        "resources",
        "startupProbe",
        "status",
        "template",
        "tolerations",
    }
)
"""Fields whose content is Kubernetes' own type, or arbitrary."""
CLOSED_TEMPLATES = frozenset({"NicConfigurationTemplate", "NicFirmwareTemplate"})
"""Kinds whose ``template`` is not a pod template."""
KEPT = (
    "type",
    "enum",
    "minimum",
    "maximum",
    "pattern",
    "required",
    "nullable",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
)


def stripped(schema: dict[str, Any], kind: str) -> dict[str, Any]:
    out = {key: schema[key] for key in KEPT if key in schema}
    if "properties" in schema:
        out["properties"] = {name: _part(name, part, kind) for name, part in schema["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            out[key] = stripped(schema[key], kind)
        elif key in schema:
            out[key] = schema[key]
    return out


def _part(name: str, schema: dict[str, Any], kind: str) -> dict[str, Any]:
    if name in OPEN and not (name == "template" and kind in CLOSED_TEMPLATES):
        kept = {key: schema[key] for key in ("type", "nullable") if key in schema}
        return kept | (
            {"x-kubernetes-preserve-unknown-fields": True} if schema.get("type") == "object" else {}
        )
    return stripped(schema, kind)


WIDENING = ("nullable", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string")
NARROWING: dict[str, Callable[[Any, Any], Any]] = {
    "enum": lambda one, other: one + [word for word in other if word not in one],
    "required": lambda one, other: [name for name in one if name in other],
    "minimum": min,
    "maximum": max,
}
ALIKE = ("type", "pattern")
"""Kept only where both have the same."""
BELOW = ("items", "additionalProperties")


def united(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """A schema that accepts what either accepts: a bound in only one of them is dropped."""
    out: dict[str, Any] = {key: True for key in WIDENING if one.get(key) or other.get(key)}
    out |= {key: both(one[key], other[key]) for key, both in NARROWING.items() if key in one and key in other}
    out |= {key: one[key] for key in ALIKE if key in one and one[key] == other.get(key)}
    for key in BELOW:
        if isinstance(one.get(key), dict) and isinstance(other.get(key), dict):
            out[key] = united(one[key], other[key])
    properties = _united_properties(one.get("properties", {}), other.get("properties", {}))
    return out | ({"properties": properties} if properties else {})


def _united_properties(mine: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    shared = {name: united(mine[name], theirs[name]) for name in mine.keys() & theirs.keys()}
    return dict(sorted((mine | theirs | shared).items()))


FOLDERS = ("crds", "crds-by-release")


def objects(upstream: Path, groups: Collection[str] = GROUPS) -> dict[str, Any]:
    """``group/Kind`` -> scope and versions, as in ``schemas/foreign/objects.json``."""
    found: dict[str, Any] = {}
    for path in (p for folder in FOLDERS for p in sorted((upstream / folder).rglob("*.yaml"))):
        spec = yaml.safe_load(path.read_text(encoding="utf-8"))["spec"]
        if spec["group"] not in groups:
            continue
        kind = spec["names"]["kind"]
        entry = found.setdefault(f"{spec['group']}/{kind}", {"scope": spec["scope"], "versions": {}})
        for version in spec["versions"]:
            schema = stripped(version["schema"]["openAPIV3Schema"], kind)
            known = entry["versions"].get(version["name"])
            entry["versions"][version["name"]] = united(known, schema) if known else schema
    return found


def text(upstream: Path) -> str:
    return json.dumps(objects(upstream), indent=1, sort_keys=True) + "\n"


def pods(upstream: Path) -> str:
    """Fields of a pod's spec and of a container, in any of the OpenAPI documents."""
    documents = [
        json.loads(path.read_text()) for path in sorted((upstream / "kubernetes-openapi").glob("*.json"))
    ]
    parts = [document["definitions"] for document in documents]
    made = {
        kind: sorted({name for part in parts for name in part[f"io.k8s.api.core.v1.{kind}"]["properties"]})
        for kind in ("PodSpec", "Container")
    }
    return json.dumps(made, indent=1) + "\n"


if __name__ == "__main__":
    sys.exit(make(TARGET, text, sys.argv[1:]) or make(PODS, pods, sys.argv[1:]))
