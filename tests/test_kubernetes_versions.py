"""Kubernetes' own kinds and the pods of every job, validated with the oldest and newest release's OpenAPI."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import yaml

from tests import openapi
from tests.inventories import SHIPPED, compiled, outputs

pytestmark = pytest.mark.crd

NOT_OBJECTS = ("values.yaml", "kustomization.yaml", "routes.yaml")
DRA = {"dgx-h100-dra"}
"""Inventories whose objects need 1.34: its DRA API is not in older releases (NP724)."""


def objects(name: str) -> list[dict[str, Any]]:
    """Every Kubernetes object of an inventory's tree, without patches."""
    texts = [
        text
        for path, text in sorted(outputs(compiled(name)).items())
        if path.startswith(("kubernetes/", "pods/")) and path.endswith(".yaml")
        if not path.endswith(NOT_OBJECTS) and "/patches/" not in path
    ]
    return [o for text in texts for o in yaml.safe_load_all(text)]


@pytest.mark.parametrize("version", [openapi.OLDEST, openapi.NEWEST])
@pytest.mark.parametrize("name", SHIPPED)
def test_objects_are_those_of_the_release(name: str, version: str):
    if name in DRA and version == openapi.OLDEST:
        refused = {
            o["kind"] for o in objects(name) if openapi.of_kubernetes(o) and not openapi.known(o, version)
        }
        assert refused == {"DeviceClass", "ResourceClaimTemplate"}
        return
    looked_at = [o for o in objects(name) if openapi.of_kubernetes(o) or list(openapi.pod_templates(o))]
    assert [(o["kind"], e) for o in looked_at for e in openapi.validate(o, version)] == []
    assert all(openapi.known(o, version) for o in looked_at if openapi.of_kubernetes(o))
    assert {o["kind"] for o in looked_at} & {"Pod", "ConfigMap"}


def planted(path: tuple[str | int, ...], value: Any, kind: str = "Pod") -> dict[str, Any]:
    """The first object of ``kind`` in kitchen-sink, with one additional field."""
    obj = copy.deepcopy(next(o for o in objects("kitchen-sink") if o["kind"] == kind))
    parent: Any = obj
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return obj


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("spec", "resources"), {"limits": {"cpu": "1"}}),
        (("spec", "hostnameOverride"), "other"),
        (("spec", "containers", 0, "restartPolicyRules"), []),
    ],
)
def test_a_field_of_a_later_release_is_refused_by_the_older(path: tuple[str | int, ...], value: Any):
    obj = planted(path, value)
    assert openapi.validate(obj, openapi.NEWEST) == []
    (error,) = openapi.validate(obj, openapi.OLDEST)
    assert f"'{path[-1]}' was unexpected" in error


WORKER = ("spec", "mpiReplicaSpecs", "Worker", "template", "spec")


@pytest.mark.parametrize(
    ("kind", "path", "value", "said"),
    [
        ("Pod", ("spec", "hostNetworking"), True, "'hostNetworking' was unexpected"),
        ("Pod", ("spec", "containers", 0, "env"), [{"name": "A", "value": 1}], "1 is not of type 'string'"),
        ("Job", ("spec", "completions"), "3", "'3' is not of type 'integer'"),
        ("MPIJob", (*WORKER, "nodeselector"), {}, "'nodeselector' was unexpected"),
        ("StatefulSet", ("spec", "servicename"), "x", "'servicename' was unexpected"),
    ],
)
@pytest.mark.parametrize("version", [openapi.OLDEST, openapi.NEWEST])
def test_a_planted_fault_is_found(
    version: str, kind: str, path: tuple[str | int, ...], value: Any, said: str
):
    (error,) = openapi.validate(planted(path, value, kind), version)
    assert said in error
