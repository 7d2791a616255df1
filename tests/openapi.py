"""Validates Kubernetes' own objects strictly against the OpenAPI documents of its releases.

In a custom resource it validates the pod templates: its CRD may accept what the API server of the pods'
release does not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from tests import upstream

OLDEST, NEWEST = "1.30", "1.34"

_POD_TEMPLATE = "io.k8s.api.core.v1.PodTemplateSpec"
_TYPES = {
    # Written as strings, taken as numbers too: apimachinery pkg/api/resource/quantity.go UnmarshalJSON,
    # pkg/util/intstr/intstr.go UnmarshalJSON.
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": ["string", "number"]},
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"type": ["string", "integer"]},
    # The document says object; its schema is that of whoever reads it.
    "io.k8s.apimachinery.pkg.runtime.RawExtension": {"type": "object"},
}


def validate(obj: dict[str, Any], version: str) -> list[str]:
    """``path: message`` of what an API server of ``version`` rejects under strict field validation.

    For an object of another project: the pod templates in it. Having nothing to validate is an error too.
    """
    name = _kinds(version).get((str(obj.get("apiVersion")), str(obj.get("kind"))))
    if name is not None:
        return _errors(obj, name, version, "$")
    return [e for at, found in pod_templates(obj) for e in _errors(found, _POD_TEMPLATE, version, at)]


def known(obj: dict[str, Any], version: str) -> bool:
    return (str(obj.get("apiVersion")), str(obj.get("kind"))) in _kinds(version)


def of_kubernetes(obj: dict[str, Any]) -> bool:
    """Whether any release has the kind."""
    return any(known(obj, version) for version in (OLDEST, NEWEST))


def pod_templates(value: Any, at: str = "$") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every mapping with a spec that has containers, at any depth."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from pod_templates(item, f"{at}[{i}]")
    elif isinstance(value, dict):
        spec = value.get("spec")
        if isinstance(spec, dict) and isinstance(spec.get("containers"), list):
            yield at, value
            return
        for key, item in value.items():
            yield from pod_templates(item, f"{at}.{key}")


def _errors(obj: Any, name: str, version: str, at: str) -> list[str]:
    found = validator(name, version).iter_errors(obj)
    return sorted(f"{at}{error.json_path[1:]}: {error.message}" for error in found)


@cache
def validator(name: str, version: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/definitions/{name}", "definitions": definitions(version)})


@cache
def _document(version: str) -> dict[str, Any]:
    path = upstream.folder("kubernetes-openapi") / f"v{version}.json"
    return dict(json.loads(path.read_text())["definitions"])


@cache
def definitions(version: str) -> dict[str, Any]:
    """Objects with properties accept no others; in everything else that is used OpenAPI v2 and JSON Schema
    agree."""
    return {name: _TYPES.get(name) or _closed(schema) for name, schema in _document(version).items()}


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    open_ended = "properties" not in schema or "additionalProperties" in schema
    return schema if open_ended else {**schema, "additionalProperties": False}


@cache
def _kinds(version: str) -> dict[tuple[str, str], str]:
    """``(apiVersion, kind)`` -> name of the definition."""
    found = {}
    for name, schema in _document(version).items():
        for kind in schema.get("x-kubernetes-group-version-kind", ()):
            group = f"{kind['group']}/" if kind["group"] else ""
            found[f"{group}{kind['version']}", kind["kind"]] = name
    return found
