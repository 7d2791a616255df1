"""Validates Kubernetes objects strictly against the CustomResourceDefinitions that their projects publish.

An API server silently prunes what a CRD does not name, such as a misspelt field. Here that is an error. CEL
rules (x-kubernetes-validations) need an API server: ``skipped_rules`` lists them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from netplan.reading.kubernetes.crds import close, formats
from tests import upstream
from tests.core_kinds import METADATA, Schema, core_schemas

CLUSTER_SCOPED_CORE = {"Namespace", "DeviceClass"}
WITHOUT_METADATA = {("kustomize.config.k8s.io", kind) for kind in ("Kustomization", "Component")}
BUNDLES = {None: ("", "../crds-jobs/"), "nvidia": ("nvidia-bundled/", "", "../crds-jobs/")}
OPERATORS_GROUPS = {
    "configuration.net.nvidia.com",
    "mellanox.com",
    "nv-ipam.nvidia.com",
    "sriovnetwork.openshift.io",
}
"""API groups that only the Network Operator brings to a cluster."""

# Fields the CRD calls strings and whose reader parses as JSON; metaPlugins is a bare list of plugin objects
# (network-operator and sriov-network-operator paste it into the "plugins" array of the NAD they generate).
EMBEDDED_JSON = ("config", "ipam", "metaPlugins")
EMBEDDING_KINDS = {
    "NetworkAttachmentDefinition",
    "HostDeviceNetwork",
    "MacvlanNetwork",
    "IPoIBNetwork",
    "SriovNetwork",
    "SriovIBNetwork",
    "OVSNetwork",
}

FORMATS = formats()


def validate_object(obj: dict[str, Any], *, bundle: str | None = None) -> list[str]:
    """What an API server with strict field validation would reject: ``path: message`` lines, sorted.

    The CRD is found by apiVersion and kind. ``bundle="nvidia"`` prefers the copies that the NVIDIA Network
    Operator ships over those of the projects that own the API; a release of it, such as "25.4", has its own
    CRDs and no others in its groups.
    """
    api_version, kind = str(obj.get("apiVersion", "")), str(obj.get("kind", ""))
    validator = _validator(api_version, kind, bundle)
    if validator is None:
        return [f"$: no schema for apiVersion {api_version!r}, kind {kind!r}"]
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(obj)]
    if (api_version.partition("/")[0], kind) not in WITHOUT_METADATA:
        errors += _scope_errors(obj, kind, cluster_scoped=_is_cluster_scoped(api_version, kind, bundle))
    return sorted(errors + _embedded_json_errors(obj, kind))


def skipped_rules(*, bundle: str | None = None) -> dict[tuple[str, str], list[str]]:
    """The CEL rules that are not run, over all CRDs of the bundle: ``(apiVersion, kind)`` -> ``path:
    rule``."""
    found: dict[tuple[str, str], list[str]] = {}
    for (group, kind), definition in sorted(_definitions(bundle).items()):
        for version in _served(definition):
            if rules := _rules(version["schema"]["openAPIV3Schema"], "$"):
                found[f"{group}/{version['name']}", kind] = rules
    return found


@cache
def _definitions(bundle: str | None) -> dict[tuple[str, str], dict[str, Any]]:
    """``(group, kind)`` -> CRD. Plurals or kinds alone are not unique: two groups have an IPPool."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    if bundle not in BUNDLES:
        others = _definitions(None).items()
        common = {key: spec for key, spec in others if key[0] not in OPERATORS_GROUPS}
        return common | _read(upstream.folder("crds-by-release") / str(bundle))
    for folder in BUNDLES[bundle]:
        found = _read(upstream.folder("crds") / folder) | found
    return found


def _read(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for path in sorted(folder.glob("*.yaml")):
        spec = yaml.load(path.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["spec"]  # noqa: S506 - both are safe loaders
        found.setdefault((spec["group"], spec["names"]["kind"]), spec)
    return found


def _served(definition: dict[str, Any]) -> list[dict[str, Any]]:
    return [version for version in definition["versions"] if version["served"]]


@cache
def _validator(api_version: str, kind: str, bundle: str | None) -> Draft202012Validator | None:
    schema = core_schemas(_pod_spec()).get((api_version, kind)) or _custom_schema(api_version, kind, bundle)
    return Draft202012Validator(schema, format_checker=FORMATS) if schema else None


def _custom_schema(api_version: str, kind: str, bundle: str | None) -> Schema | None:
    group, _, name = api_version.partition("/")
    definition = _definitions(bundle).get((group, kind))
    versions = [version for version in _served(definition) if version["name"] == name] if definition else []
    if not versions:
        return None
    schema = close(versions[0]["schema"]["openAPIV3Schema"])
    properties = {**schema["properties"], "apiVersion": {"const": api_version}, "kind": {"const": kind}}
    properties["metadata"] = METADATA
    properties.pop("status", None)  # written by controllers, ignored by the API server on create
    return {**schema, "properties": properties}


@cache
def _pod_spec() -> Schema:
    """core/v1 PodSpec, as spelled out in the CRD of MPIJob."""
    definition = _definitions(None)["kubeflow.org", "MPIJob"]
    root = definition["versions"][0]["schema"]["openAPIV3Schema"]
    replica = root["properties"]["spec"]["properties"]["mpiReplicaSpecs"]["additionalProperties"]
    return close(replica["properties"]["template"]["properties"]["spec"])


def _is_cluster_scoped(api_version: str, kind: str, bundle: str | None) -> bool:
    definition = _definitions(bundle).get((api_version.partition("/")[0], kind))
    return definition["scope"] == "Cluster" if definition else kind in CLUSTER_SCOPED_CORE


def _scope_errors(obj: dict[str, Any], kind: str, *, cluster_scoped: bool) -> list[str]:
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict):
        return ["$.metadata: missing"]
    if cluster_scoped and "namespace" in metadata:
        return [f"$.metadata.namespace: {kind} is cluster-scoped"]
    if not cluster_scoped and "namespace" not in metadata:
        return [f"$.metadata.namespace: missing, {kind} is namespaced"]
    return []


def _embedded_json_errors(obj: dict[str, Any], kind: str) -> list[str]:
    spec = obj.get("spec")
    if kind not in EMBEDDING_KINDS or not isinstance(spec, dict):
        return []
    texts = {field: spec[field] for field in EMBEDDED_JSON if isinstance(spec.get(field), str)}
    return [
        f"$.spec.{field}: {problem}"
        for field, text in texts.items()
        if (problem := _json_problem(f"[{text}]" if field == "metaPlugins" else text))
    ]


def _json_problem(text: str) -> str | None:
    try:
        value = json.loads(text, object_pairs_hook=_without_duplicates)
    except ValueError as error:
        return f"not JSON: {error}"
    objects = value if isinstance(value, list) else [value]
    return None if all(isinstance(part, dict) for part in objects) else "not a JSON object"


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"duplicate key among {[key for key, _ in pairs]}")
    return found


def _rules(schema: Schema, path: str) -> list[str]:
    rules = [f"{path}: {entry['rule']}" for entry in schema.get("x-kubernetes-validations", [])]
    children = {f"{path}.{name}": part for name, part in schema.get("properties", {}).items()}
    children[f"{path}[*]"] = schema.get("items")
    children[f"{path}.*"] = schema.get("additionalProperties")
    for where, part in children.items():
        if isinstance(part, dict):
            rules += _rules(part, where)
    return rules
