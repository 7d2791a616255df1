"""Folders that define one object differently are alternatives: objects of two of them do not contradict each
other; those of one folder, and of one beside all of them, do."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.others import rendered_texts
from tests.unit.edges import things
from tests.unit.test_edges_rules import named, nic_template, pool_config, thing, vf_policy

Objects = tuple[dict[str, Any], dict[str, Any]]


def mark(version: str) -> dict[str, Any]:
    given = thing("mellanox.com/v1alpha1", "NicClusterPolicy", nvIpam={"image": "nvidia-k8s-ipam"})
    given["spec"]["nvIpam"] |= {"repository": "nvcr.io/nvidia/mellanox", "version": version}
    given["metadata"] = {"name": "nic-cluster-policy"}
    return given


def shared_plugin() -> dict[str, Any]:
    config = '{"configList": [{"resourceName": "x", "rdmaHcaMax": 9, "selectors": {"ifNames": ["ens2"]}}]}'
    return thing(
        "mellanox.com/v1alpha1", "NicNodePolicy", rdmaSharedDevicePlugin={"image": "x", "config": config}
    )


def pool(name: str, namespace: str = "operators") -> dict[str, Any]:
    spec: dict[str, Any] = {"subnet": "10.0.0.0/24", "perNodeBlockSize": 8, "gateway": "10.0.0.1"}
    return named(thing("nv-ipam.nvidia.com/v1alpha1", "IPPool", **spec), name, namespace=namespace)


def drawing(resource: str) -> dict[str, Any]:
    given = named(thing("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", config="{}"), "rails")
    given["metadata"]["annotations"] = {"k8s.v1.cni.cncf.io/resourceName": resource}
    return given


def attaching(network: str) -> dict[str, Any]:
    given = thing("v1", "Pod", containers=[{"name": "a", "image": "b"}])
    given["metadata"]["annotations"] = {"k8s.v1.cni.cncf.io/networks": network}
    return given


SELECTOR = {"matchLabels": {"gpu": "h100"}}
PAIRS: dict[str, Objects] = {
    "NP755": (named(vf_policy(), "a", namespace="x"), named(vf_policy(), "b", namespace="network-operator")),
    "NP757": (vf_policy(resourceName="fabric"), drawing("openshift.io/fabrik")),
    "NP758": (drawing("openshift.io/fabric"), attaching("rials")),
    "NP779": (pool("a"), pool("b")),
    "NP786": (named(vf_policy(), "a"), named(vf_policy(resourceName="other"), "b")),
    "NP787": (named(vf_policy(isRdma=True), "a"), named(vf_policy(), "b")),
    "NP790": (named(pool_config(nodeSelector=SELECTOR), "a"), named(pool_config(nodeSelector=SELECTOR), "b")),
    "NP791": (pool_config(rdmaMode="exclusive"), shared_plugin()),
    "NP794": (named(nic_template(), "a"), named(nic_template(), "b")),
    "NP671": (
        vf_policy(isRdma=False),
        thing(
            "sriovnetwork.openshift.io/v1",
            "SriovNetwork",
            resourceName="rail",
            metaPlugins='{"type": "rdma"}',
        ),
    ),
}
"""Two objects: the second contradicts the first, or misspells what it defines."""
BESIDE = {"a/mark.yaml": mark("1"), "b/mark.yaml": mark("2")}
LAYOUTS: list[tuple[str, str, dict[str, Any], bool]] = [
    ("a/x.yaml", "a/y.yaml", {}, True),
    ("a/x.yaml", "b/y.yaml", {}, True),
    ("a/x.yaml", "b/y.yaml", {"a/mark.yaml": mark("1"), "b/mark.yaml": mark("1")}, True),
    ("a/x.yaml", "b/y.yaml", BESIDE, False),
    ("a/deep/x.yaml", "b/deep/y.yaml", BESIDE, False),
    ("a/x.yaml", "a/y.yaml", BESIDE, True),
    ("a/x.yaml", "a/deep/y.yaml", BESIDE, True),
    ("a/x.yaml", "a/deep/y.yaml", {"a/mark.yaml": mark("1"), "a/deep/mark.yaml": mark("2")}, False),
    ("common/x.yaml", "a/y.yaml", BESIDE, True),
    ("x.yaml", "a/y.yaml", BESIDE, True),
    ("a/x.yaml", "c/y.yaml", {**BESIDE, "c/mark.yaml": mark("1")}, False),
]


def told(code: str, objects: dict[str, Any]) -> bool:
    texts = {name: yaml.safe_dump(each) for name, each in objects.items()}
    return any(each.code == code for each in rendered_texts(texts).diagnostics)


@pytest.mark.parametrize(("one", "other", "beside", "contradict"), LAYOUTS)
@pytest.mark.parametrize("code", PAIRS)
def test_objects_of_alternative_folders_do_not_contradict_each_other(
    code: str, one: str, other: str, beside: dict[str, Any], contradict: bool
) -> None:
    first, second = PAIRS[code]
    assert told(code, {one: first, other: second, **beside}) is contradict


@pytest.mark.parametrize(
    ("files", "contradict"),
    [
        ({"a/x.yaml": "1", "a/y.yaml": "2"}, False),
        ({"a/x.yaml": "1", "b/z.yaml": "2"}, True),
        ({"a/x.yaml": "1", "a/y.yaml": "1"}, True),
    ],
)
def test_files_of_a_folder_that_define_one_object_differently_are_alternatives(
    files: dict[str, str], contradict: bool
) -> None:
    first, second = PAIRS["NP786"]
    objects = {"a/x.yaml": [first], "a/y.yaml": [second], "b/z.yaml": []}
    for name, version in files.items():
        objects[name] = [*objects[name], mark(version)]
    texts = {name: yaml.safe_dump_all(each) for name, each in objects.items()}
    codes = {each.code for each in rendered_texts(texts).diagnostics}
    assert ("NP786" in codes) is contradict


def test_each_definition_of_an_object_that_differs_makes_an_alternative() -> None:
    text = {n: yaml.safe_dump(mark(n)) for n in ("1", "2")}
    stated = {"kubernetes/a/m.yaml": "1", "kubernetes/b/m.yaml": "2", "kubernetes/c/m.yaml": "1"}
    found = things({name: text[version] for name, version in stated.items()}).alternatives
    assert found.folders == {"kubernetes/a", "kubernetes/b", "kubernetes/c"}
    assert found.within == frozenset()


def test_two_versions_in_one_folder_are_not_alternatives_to_another_folder() -> None:
    """Each folder has its own two versions of a pool, as for two releases."""
    two = {"subnet": "10.9.0.0/24", "perNodeBlockSize": 4}
    texts = {f"{at}/{name}.yaml": pool(at) for at in "ab" for name in ("one", "two")}
    texts |= {f"{at}/two.yaml": {**pool(at), "spec": two} for at in "ab"}
    first, second = PAIRS["NP757"]
    texts |= {"a/policy.yaml": first, "b/rails.yaml": second}
    given = {name: yaml.safe_dump(body) for name, body in texts.items()}
    assert "NP757" in [each.code for each in rendered_texts(given).diagnostics]
