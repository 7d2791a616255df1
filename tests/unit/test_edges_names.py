"""Edge cases, one fact per case: CRDs given by the user, and lists of network names."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.others import rendered_texts
from netplan.reading.kubernetes.crds import given
from netplan.rules.kubernetes.homes import _most as most
from netplan.rules.kubernetes.names import _alike as alike
from tests.unit.some import some

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


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("kind: CustomResourceDefinition\nspec: {names: {kind: Rail}}\n", []),
        ("kind: CustomResourceDefinition\nspec: {names: {kind: Rail}\n", []),
        ("kind: CustomResourceDefinition\nkind: CustomResourceDefinition\nspec: {names: {kind: Rail}}\n", []),
        (f"kind: CustomResourceDefinition\na: {'[' * 130}{']' * 130}\nb: {{kind: Rail}}\n", ["NP004"]),
        (f"kind: CustomResourceDefinition\na: {'[' * 130}{']' * 130}\nb: {{kind: Other}}\n", []),
    ],
)
def test_of_files_with_crds_only_those_over_a_limit_are_told(text: str, codes: list[str]) -> None:
    """What else is wrong in them is the API server's to say."""
    assert [problem.code for problem in given({"crds.yaml": text}, {"Rail"}).problems] == codes


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


def said(code: str, *bodies: Any, **files: Any) -> list[tuple[str, str]]:
    """Message and hint."""
    texts = {
        "a.yaml": yaml.safe_dump_all(bodies),
        **{f"{k}.yaml": yaml.safe_dump(v) for k, v in files.items()},
    }
    return [(each.message, each.hint) for each in rendered_texts(texts).diagnostics if each.code == code]


def test_eight_networks_of_a_namespace_are_named() -> None:
    there = [network(f"net{n}", namespace="apps") for n in range(9)]
    ((message, hint),) = said(
        "NP692", *there, network("other", namespace="x"), pod("storage", namespace="apps")
    )
    assert message.endswith("network apps/storage is not in the directory")
    assert hint == f"networks of that namespace: {', '.join(f'net{n}' for n in range(8))}"
    assert said("NP692", *there, pod("storage", namespace="y")) == []
    assert said("NP692", *there, pod("storage")) == []
    assert said("NP692", *there, pod("$NET", namespace="apps")) == []
    assert said("NP692", *there, network("$X", namespace="apps"), pod("storage", namespace="apps")) == []


def test_a_network_of_another_namespace_is_named_in_the_hint() -> None:
    ((_, hint),) = said("NP758", network("rail0", namespace="x"), pod("rail0", namespace="apps"))
    assert hint == "write x/rail0, or create it in apps"
    ((message, hint),) = said("NP758", network("rail0"), network("rail1"), pod("raill"))
    assert message.endswith("network raill is not in the directory")
    assert hint == "did you mean rail0 or rail1?"


def changed(name: str, value: str) -> dict[str, Any]:
    return network(name, namespace="apps", labels={"a": value})


def test_an_object_that_is_there_twice_is_named_once() -> None:
    one, other, third = (changed("rail0", value) for value in "123")
    assert said("NP760", one, one) == []
    ((message, _),) = said("NP760", one, other)
    assert message.endswith("it is also at a.yaml:6:3, with other content")
    ((message, _),) = said("NP760", one, other, third, one)
    assert message.endswith("it is also at a.yaml:6:3, and 1 more, with other content")
    assert said("NP760", one, network("rail0", namespace="other", labels={"a": "2"})) == []
    assert said("NP760", one, {**other, "kind": "Other"}) == []
    assert said("NP760", changed("$N", "1"), changed("$N", "2")) == []
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "apps"}}
    assert said("NP760", {**config, "data": {"a": "1"}}, {**config, "data": {"a": "2"}}) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a", "a\n", True),
        ("a", " a", False),
        ({"a": "b "}, {"a": "b"}, True),
        ({"a": "b"}, {"a": "c"}, False),
        ({"a": "b", "c": "d"}, {"a": "b", "c": "e"}, False),
        ({"a": "b"}, {"a": "b", "c": "d"}, False),
        (["a", "b"], ["a", "b\n"], True),
        (["a", "b"], ["a", "c"], False),
        (["a"], ["a", "b"], False),
        ([], {}, False),
        ({}, "", False),
        ("1", 1, False),
        (1, 1, True),
        (1, 2, False),
        (None, None, True),
    ],
)
def test_two_values_say_the_same(one: Any, other: Any, same: bool) -> None:
    assert alike(one, other) is same
    assert alike(other, one) is same


@pytest.mark.parametrize(
    ("namespaces", "home"),
    [
        ([], None),
        (["a"], "a"),
        (["a", "b"], None),
        (["a", "a", "b"], "a"),
        (["b", "a", "a"], "a"),
        (["a", "a", "b", "b"], None),
        (["a", "a", "b", "c"], None),
        (["a", "a", "a", "b", "c"], "a"),
        (["a", "a", "nvidia-network-operator"], "nvidia-network-operator"),
        (["nvidia-network-operator", "sriov-network-operator", "a", "a", "a"], "a"),
    ],
)
def test_the_namespace_of_an_operator_by_its_objects(namespaces: list[str], home: str | None) -> None:
    """One named like an operator's, else that of more than half."""
    same = [some(namespace=each) for each in namespaces]
    found = most(same)
    assert (found and found[0]) == home
    assert found is None or found[1] is next(each for each in same if each.namespace == home)
