"""Write schemas/foreign/objects.json from the upstream CRDs: ``python tools/foreign_fields.py``.

The fields, types, bounds and scopes of the kinds that netplan knows, without prose, united over the projects'
own CRDs, the copies NVIDIA ships and old ones: what any of them takes must be taken. Parts that are
Kubernetes' own types (pod templates, affinities, environment) stay open: they grow with every Kubernetes
release, and ``--crds`` judges them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "schemas" / "foreign" / "objects.json"
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
    "affinity annotations containerResources containers env imagePullSecrets labelSelector labels livenessProbe metadata "
    "nodeAffinity readinessProbe resources startupProbe status template tolerations "
    "deploymentNodeAffinity deploymentTolerations podSelector".split()
)
"""Names of fields whose content is Kubernetes' own, or nobody's business."""
CLOSED_TEMPLATES = frozenset({"NicConfigurationTemplate", "NicFirmwareTemplate"})
"""Kinds whose ``template`` is no pod template."""
KEPT = (
    "type",
    "enum",
    "minimum",
    "maximum",
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
        return kept | ({"x-kubernetes-preserve-unknown-fields": True} if schema.get("type") == "object" else {})
    return stripped(schema, kind)


def united(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """What either takes."""
    if one == other:
        return one
    out = dict(one)
    for key in one.keys() - other.keys() - {"properties", "items", "additionalProperties"}:
        if key not in ("nullable", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string"):
            del out[key]  # a bound that only one of them has
    for key in ("nullable", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string"):
        if other.get(key):
            out[key] = True
    if "enum" in out:
        out["enum"] = out["enum"] + [word for word in other["enum"] if word not in out["enum"]]
    if "required" in out:
        out["required"] = [name for name in out["required"] if name in other["required"]]
    if "minimum" in out:
        out["minimum"] = min(out["minimum"], other["minimum"])
    if "maximum" in out:
        out["maximum"] = max(out["maximum"], other["maximum"])
    theirs = other.get("properties", {})
    if theirs or "properties" in out:
        mine = one.get("properties", {})
        out["properties"] = {
            name: united(mine[name], theirs[name]) if name in mine and name in theirs else (mine | theirs)[name]
            for name in sorted(mine.keys() | theirs.keys())
        }
    for key in ("items", "additionalProperties"):
        if isinstance(one.get(key), dict) and isinstance(other.get(key), dict):
            out[key] = united(one[key], other[key])
    return out


def objects(crds: Path) -> dict[str, Any]:
    """``group/Kind`` -> scope and versions, as in ``schemas/foreign/objects.json``."""
    found: dict[str, Any] = {}
    for path in sorted(crds.rglob("*.yaml")):
        spec = yaml.safe_load(path.read_text(encoding="utf-8"))["spec"]
        if spec["group"] not in GROUPS:
            continue
        kind = spec["names"]["kind"]
        entry = found.setdefault(f"{spec['group']}/{kind}", {"scope": spec["scope"], "versions": {}})
        for version in spec["versions"]:
            schema = stripped(version["schema"]["openAPIV3Schema"], kind)
            known = entry["versions"].get(version["name"])
            entry["versions"][version["name"]] = united(known, schema) if known else schema
    return found


def text(crds: Path) -> str:
    return json.dumps(objects(crds), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    upstream = Path(os.environ.get("NETPLAN_UPSTREAM") or ROOT / "../shared/upstream")
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(text(upstream / "crds"), encoding="utf-8")
