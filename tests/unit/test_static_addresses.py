"""NP684, one fact per case: which interfaces have one static address."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.test_edges_objects import index, said
from tests.unit.test_edges_rules import named

Thing = dict[str, Any]
ONE = {"addresses": [{"address": "10.0.0.1/24"}]}


def network(name: str = "n", addresses: Thing | None = None, ipam: str = "static", **plugin: Any) -> Thing:
    own = {"type": "macvlan", "master": "eth1", **plugin, "ipam": {"type": ipam, **(addresses or {})}}
    config = {"cniVersion": "1.0.0", "name": name, "plugins": [own]}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": name, "namespace": "apps"},
        "spec": {"config": json.dumps(config)},
    }


def asking(name: str, *ips: str, networks: str = "n", **metadata: Any) -> Thing:
    rows = [{"name": each, "ips": [*ips]} if ips else {"name": each} for each in networks.split()]
    annotations = {"k8s.v1.cni.cncf.io/networks": json.dumps(rows)}
    spec = {"containers": [{"name": "a", "image": "b"}]}
    meta = {"name": name, "namespace": "apps", "annotations": annotations, **metadata}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}


def deployed(name: str, replicas: int) -> Thing:
    own = asking(name)
    template = {"metadata": {"annotations": own["metadata"]["annotations"]}, "spec": own["spec"]}
    spec = {"replicas": replicas, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}


def told(given: Any) -> list[str]:
    """What is said, without the place."""
    return [each.partition(": ")[2].partition(" at ")[0] for each in said("NP684", given)]


OWNED: Thing = {
    "ownerReferences": [
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "x", "uid": "1", "controller": True}
    ]
}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ([network(), asking("a", "10.0.0.1/24"), asking("b", "10.0.0.2/24")], []),
        (
            [network(), asking("a", "10.0.0.1/24"), asking("b", "10.0.0.1/16")],
            ["its address 10.0.0.1 on apps/n is that of Pod apps/a"],
        ),
        (
            [network(), asking("a", "fd00::1/64"), asking("b", "FD00:0::1/64")],
            ["its address fd00::1 on apps/n is that of Pod apps/a"],
        ),
        ([network(), asking("a", "x"), asking("b", "x")], []),
        ([network(), asking("a"), asking("b")], []),
        (
            [network(addresses=ONE), asking("a"), asking("b"), asking("c")],
            ["its address 10.0.0.1 on apps/n is that of Pod apps/a"] * 2,
        ),
        ([network(addresses=ONE), asking("a"), asking("b", "10.0.0.2/24")], []),
        ([network(addresses=ONE), asking("a"), asking("a")], []),
        ([network(addresses=ONE), asking("a"), asking("b", **OWNED)], []),
        ([network(addresses=ONE, ipam="host-local"), asking("a"), asking("b")], []),
        ([network(addresses=ONE, type="bridge"), asking("a"), asking("b")], []),
        (
            [network(addresses=ONE), asking("a", networks="n n")],
            ["its address 10.0.0.1 on apps/n is that of another of its interfaces too"],
        ),
        (
            [network(addresses=ONE), network("m", ONE), asking("a"), asking("b", networks="m")],
            ["its address 10.0.0.1 on apps/m is that of Pod apps/a"],
        ),
        (
            [
                network(addresses=ONE),
                network("m", ONE, master="eth2"),
                asking("a"),
                asking("b", networks="m"),
            ],
            [],
        ),
        (
            [network(addresses=ONE), network("m", ONE, vlan=5), asking("a"), asking("b", networks="m")],
            [],
        ),
        (
            [
                network(addresses=ONE, master="eth1.5"),
                network("m", ONE, master="eth1.5"),
                asking("a"),
                asking("b", networks="m"),
            ],
            ["its address 10.0.0.1 on apps/m is that of Pod apps/a"],
        ),
        (
            [
                network(addresses=ONE, master=None),
                network("m", ONE, master=None),
                asking("a"),
                asking("b", networks="m"),
            ],
            [],
        ),
        (
            [
                network(),
                network("m"),
                asking("a", "10.0.0.1/24", networks="n m"),
                asking("b", "10.0.0.1/24", networks="n m"),
            ],
            [
                "its address 10.0.0.1 on apps/m is that of another of its interfaces too",
                "its address 10.0.0.1 on apps/n (and 1 more) is that of Pod apps/a",
            ],
        ),
        ([network(addresses=ONE), deployed("a", 1)], []),
        ([network(addresses=ONE), deployed("a", 2)], ["its 2 pods all get 10.0.0.1 on apps/n"]),
        (
            [
                network(addresses={"addresses": [*ONE["addresses"], {"address": "10.0.0.2/24"}]}),
                deployed("a", 3),
            ],
            ["its 3 pods all get 10.0.0.1 (and 1 more) on apps/n"],
        ),
    ],
)
def test_pods_with_one_static_address(given: list[Thing], wanted: list[str]) -> None:
    assert told(given) == wanted


def elsewhere(pod: Thing) -> Thing:
    """The pod in another namespace, on the same network."""
    key, text = next(iter(pod["metadata"]["annotations"].items()))
    annotations = {key: text.replace('"name": "n"', '"name": "n", "namespace": "apps"')}
    return {**pod, "metadata": {**pod["metadata"], "namespace": "other", "annotations": annotations}}


PODS = {"a.yaml": [asking("a", "10.0.0.1/24")], "b.yaml": [asking("b", "10.0.0.1/24")]}
CLASH = ["its address 10.0.0.1 on apps/n is that of Pod apps/a"]


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"n.yaml": [network()], **PODS}, CLASH),
        ({"n.yaml": [network()], "m.yaml": [network(type="ipvlan")], **PODS}, CLASH),
        ({"n.yaml": [network(), PODS["a.yaml"][0]], "b.yaml": [elsewhere(PODS["a.yaml"][0])]}, []),
        ({"n.yaml": [network(), PODS["a.yaml"][0], elsewhere(PODS["a.yaml"][0])]}, CLASH[:1]),
        ({"n.yaml": [network()], "m.yaml": [network(ipam="whereabouts")], **PODS}, []),
        ({"n.yaml": [network()], "kustomization.yaml": [index("a.yaml", "n.yaml")], **PODS}, []),
        ({"n.yaml": [network()], "kustomization.yaml": [index("a.yaml", "b.yaml")], **PODS}, CLASH),
        ({"n.yaml": [network()], "kustomization.yaml": [index()], **PODS}, CLASH),
        (
            {"n.yaml": [network()], "x/a.yaml": [named(PODS["a.yaml"][0], "c")], **PODS},
            ["its address 10.0.0.1 on apps/n is that of Pod apps/a"] * 2,
        ),
    ],
)
def test_pods_of_several_files(files: dict[str, list[Thing]], wanted: list[str]) -> None:
    """A network that is defined twice is one; what a kustomization leaves out runs beside nothing."""
    assert told(files) == wanted


TWO = [network(addresses=ONE), network("m", {"addresses": [{"address": "10.0.0.2/24"}]})]


@pytest.mark.parametrize(
    ("names", "networks", "same_file", "clash"),
    [
        (("train-simple", "train-fixed"), "n m", False, False),
        (("train-simple", "train-fixed"), "n m", True, True),
        (("train-simple", "train-fixed"), "n", False, True),
        (("train-10", "train-11"), "n m", False, True),
        (("train-a", "train-b"), "n m", False, True),
        (("train", "train-fixed"), "n m", False, True),
        (("red-simple", "blue-fixed"), "n m", False, True),
    ],
)
def test_versions_of_one_pod_do_not_clash(
    names: tuple[str, str], networks: str, same_file: bool, clash: bool
) -> None:
    """Versions have all interfaces in common, files of their own, and names that end in other words."""
    one, other = (asking(name, networks=networks) for name in names)
    given = [*TWO, one, other] if same_file else {"n.yaml": TWO, "a.yaml": [one], "b.yaml": [other]}
    assert bool(told(given)) is clash


def test_a_version_with_another_address_clashes() -> None:
    one, other = asking("train-simple", networks="n m"), asking("train-fixed", networks="n n")
    assert told({"n.yaml": TWO, "a.yaml": [one], "b.yaml": [other]})
