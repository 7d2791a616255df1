"""Facts of one line each, at their edge: CRDs that are given, and names of networks in a row."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.others import rendered_texts
from netplan.reading.kubernetes.crds import given

SCHEMA: dict[str, Any] = {"openAPIV3Schema": {"type": "object"}}


def crd(**spec: Any) -> dict[str, Any]:
    plain = {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"kind": "Rail"},
        "versions": [{"name": "v1", "served": True, "schema": SCHEMA}],
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {**plain, **spec},
    }


def read(*bodies: Any) -> Any:
    return given({"crds.yaml": yaml.safe_dump_all(bodies)}, {"Rail"}).definitions


KEY = ("example.com", "Rail")


def test_a_crd_defines_a_kind() -> None:
    (found,) = read(crd())[KEY]
    assert (found.scope, dict(found.versions), found.given) == (
        "Namespaced",
        {"v1": {"type": "object"}},
        True,
    )
    assert [len(same) for same in read(crd(), crd()).values()] == [2]
    assert read(
        {"apiVersion": "v1", "kind": "List", "items": [crd(), {"kind": "Pod"}, crd(group="x.y")]}
    ).keys() == {
        KEY,
        ("x.y", "Rail"),
    }


@pytest.mark.parametrize(
    ("version", "names"),
    [
        ({"name": "v2", "schema": SCHEMA}, {"v1", "v2"}),
        ({"name": "v2", "served": False, "schema": SCHEMA}, {"v1"}),
        ({"name": 2, "schema": SCHEMA}, {"v1"}),
        ({"name": "v2"}, {"v1"}),
        ({"name": "v2", "schema": {"openAPIV3Schema": "x"}}, {"v1"}),
    ],
)
def test_a_version_counts_where_it_is_served_with_a_schema(version: dict[str, Any], names: set[str]) -> None:
    first = {"name": "v1", "served": True, "schema": SCHEMA}
    (found,) = read(crd(versions=[version, first]))[KEY]
    assert found.versions.keys() == names


@pytest.mark.parametrize(
    "body",
    [
        crd(versions=[]),
        crd(names={}),
        crd(names={"kind": 7}),
        {**crd(), "kind": "Other"},
        {"kind": "Other"},
        "x",
        None,
    ],
)
def test_what_defines_no_kind(body: Any) -> None:
    assert read(body) == {}
    assert read(body, crd()).keys() == {KEY}


def network(name: str, **meta: Any) -> dict[str, Any]:
    config = (
        '{"cniVersion": "1.0.0", "name": "x", "type": "macvlan", "master": "eth7", "ipam": {"type": "dhcp"}}'
    )
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": name, **meta},
        "spec": {"config": config},
    }


def pod(networks: str, **meta: Any) -> dict[str, Any]:
    annotations = {"k8s.v1.cni.cncf.io/networks": networks}
    spec = {"containers": [{"name": "a", "image": "example.com/a:1"}]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "annotations": annotations, **meta},
        "spec": spec,
    }


@pytest.mark.parametrize(
    ("networks", "meta", "missing"),
    [
        ("rail0", {}, 0),
        ("rail0,rail1", {}, 0),
        ("rail1", {}, 1),
        ("rail-0,rail_1", {}, 1),
        ("rail0,raill0", {}, 1),
        ("rail0,storage", {}, 0),
        ("rail0,rail1", {"namespace": "apps"}, 0),
        ("apps/rail0,apps/rail1", {"namespace": "apps"}, 0),
    ],
)
def test_the_next_network_of_a_row_may_stand_elsewhere(
    networks: str, meta: dict[str, str], missing: int
) -> None:
    text = yaml.safe_dump_all([network("rail0"), pod(networks, **meta)])
    found = [each.code for each in rendered_texts({"a.yaml": text}).diagnostics if each.code == "NP758"]
    assert len(found) == missing


@pytest.mark.parametrize(("networks", "missing"), [("rail0,rail1", 1), ("rail0", 0), ("storage,rail0", 0)])
def test_of_a_namespace_that_is_here_every_network_is(networks: str, missing: int) -> None:
    text = yaml.safe_dump_all([network("rail0", namespace="apps"), pod(networks, namespace="apps")])
    codes = [each.code for each in rendered_texts({"a.yaml": text}).diagnostics]
    assert codes.count("NP758") == missing
    assert codes.count("NP692") == ("storage" in networks)
