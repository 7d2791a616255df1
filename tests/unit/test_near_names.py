"""What counts as a misspelt name, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import Objects, said
from tests.unit.test_edges_objects_claims import by_template, template, using
from tests.unit.test_edges_objects_networks import MACVLAN, rail

KEY = "k8s.v1.cni.cncf.io/networks"


def annotated(key: str) -> dict[str, Any]:
    given = pod("")
    given["metadata"] = {**given["metadata"], "annotations": {key: "rail"}}
    return given


@pytest.mark.parametrize(
    ("key", "told"),
    [
        (KEY, 0),
        ("k8s.v1.cni.cncf.io/network", 1),
        ("k8s.v1.cni.cncf.io/netwroks", 1),
        ("v1.multus-cni.io/default-network", 0),
        ("k8s.v1.cni.cncf.io/mynetworks", 0),
        ("k8s.v1.cni.cncf.io/networks-status", 0),
    ],
)
def test_a_key_with_the_word_and_more_is_another_key(key: str, told: int) -> None:
    assert len(said("NP747", [annotated(key)])) == told


@pytest.mark.parametrize(
    ("there", "named", "told"),
    [
        ("bridge3", "bridge-static", 0),
        ("sriov-network", "sriov-netwrok", 1),
        ("storage", "storrage", 1),
        ("storage", "rail", 0),
    ],
)
def test_names_of_networks_that_are_near(there: str, named: str, told: int) -> None:
    assert len(said("NP758", [rail(MACVLAN, name=there), pod(named)])) == told


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"a.yaml": [template(name="other"), using(by_template("claim"))]}, 1),
        ({"a.yaml": [using(by_template("claim"))], "b.yaml": [template(name="other")]}, 1),
        ({"x/a.yaml": [using(by_template("claim"))], "y/b.yaml": [template(name="other")]}, 0),
        ({"x/a.yaml": [using(by_template("claim"))], "y/b.yaml": [template(name="claims")]}, 1),
    ],
)
def test_a_template_may_be_made_elsewhere(files: dict[str, Objects], told: int) -> None:
    assert len(said("NP730", files)) == told


@pytest.mark.parametrize(("kind", "told"), [("ConfigMap", 1), ("PolicyGenTemplate", 0)])
def test_labels_of_what_a_generator_reads_are_not_judged(kind: str, told: int) -> None:
    meta = {"name": "a", "labels": {"test": True}}
    assert len(said("NP752", [{"apiVersion": "v1", "kind": kind, "metadata": meta}])) == told
