"""Facts of one line each, at their edge: the networks of a workload's pods, as trace names them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.model.artifact import Artifact
from netplan.trace.site import TracedSite
from tests.unit.some import some


def nad(namespace: str, name: str) -> dict[str, Any]:
    config = json.dumps({"cniVersion": "1.0.0", "name": name, "type": "macvlan", "master": "eth1"})
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"config": config},
    }


def pod(networks: str) -> dict[str, Any]:
    meta = {"name": "job", "namespace": "apps", "annotations": {"k8s.v1.cni.cncf.io/networks": networks}}
    spec = {"containers": [{"name": "main", "image": "a"}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}


@pytest.mark.parametrize(
    ("given", "attached"),
    [
        (pod("rail"), [("net1", "apps/rail", "apps/rail")]),
        (pod("rail@rail0"), [("rail0", "apps/rail", "apps/rail")]),
        (pod("other/rail"), [("net1", "other/rail", "other/rail")]),
        (pod("rail,other/rail@r"), [("net1", "apps/rail", "apps/rail"), ("r", "other/rail", "other/rail")]),
        (pod("rail,store"), [("net1", "apps/rail", "apps/rail"), ("net2", "apps/store", None)]),
        (pod("third/rail"), [("net1", "third/rail", None)]),
    ],
)
def test_a_network_is_of_the_namespace_that_is_stated_else_of_the_pods(
    given: dict[str, Any], attached: list[tuple[str, str, str | None]]
) -> None:
    nads = yaml.safe_dump_all([nad("apps", "rail"), nad("other", "rail")])
    files = [("kubernetes/30-networks/a.yaml", nads), ("pods/job/pod.yaml", yaml.safe_dump(given))]
    site = TracedSite([Artifact(path, text, "x") for path, text in files], facts=some(hosts=()))
    found = site.workloads["job"].attachments
    assert [(a.interface, a.name, a.network and str(a.network)) for a in found] == attached


def test_workloads_are_the_folders_below_pods() -> None:
    files = [
        ("pods/job/pod.yaml", pod("rail")),
        ("pods/README.yaml", pod("rail")),
        ("pods/b/x.yaml", pod("rail")),
    ]
    site = TracedSite(
        [Artifact(path, yaml.safe_dump(body), "x") for path, body in files], facts=some(hosts=())
    )
    assert list(site.workloads) == ["job"]
