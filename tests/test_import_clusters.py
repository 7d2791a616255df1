"""Dumps of two clusters, or of one switch under two names, among the files: one finding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from netplan.importing.run import import_texts
from tests.cli_runs import netplan
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import_fabric import dumps

CARDS = [interface("0000:18:00.0", "ens1", 100)]
Objects = list[dict[str, Any]]


def nodes(*names: str, uid: str = "") -> Objects:
    found = []
    for name in names:
        own = node(name, {"example.com/pool": "a"}, 8)
        own["metadata"] |= {"uid": f"{uid}-{name}"} if uid else {}
        found += [own, node_state(name, CARDS)]
    return found


def policy(version: str, uid: str = "") -> dict[str, Any]:
    kind = {"apiVersion": "mellanox.com/v1alpha1", "kind": "NicClusterPolicy"}
    name = {"name": "nic-cluster-policy", **({"uid": uid} if uid else {})}
    image = {"image": "nvidia-k8s-ipam", "repository": "nvcr.io/nvidia/mellanox", "version": version}
    return {**kind, "metadata": name, "spec": {"nvIpam": image}}


def system(uid: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system", "uid": uid}}


OLD, NEW = "network-operator-v25.4.0", "network-operator-v25.7.0"
TWO: dict[str, tuple[Objects, Objects, str]] = {
    "other nodes, another release": (
        [*nodes("a-1", "a-2"), policy(OLD)],
        [*nodes("b-1"), policy(NEW)],
        "c1/x.yaml (nodes a-[1-2]) and c2/x.yaml (nodes b-1) are of two clusters: "
        f"NicClusterPolicy nic-cluster-policy, spec.nvIpam.version: {OLD} (c1/x.yaml:",
    ),
    "other nodes, another policy": (
        [*nodes("a-1"), policy(OLD, "1")],
        [*nodes("b-1"), policy(OLD, "2")],
        "c1/x.yaml (nodes a-1) and c2/x.yaml (nodes b-1) are of two clusters: "
        "NicClusterPolicy nic-cluster-policy, metadata.uid: 1 (c1/x.yaml:",
    ),
    "the same names of nodes": (
        nodes("a-1", "a-2", uid="x"),
        nodes("a-1", "a-2", uid="y"),
        "c1/x.yaml (nodes a-[1-2]) and c2/x.yaml (nodes a-[1-2]) are of two clusters: "
        "Node a-1, metadata.uid: x-a-1 (c1/x.yaml:",
    ),
    "kube-system": (
        [system("1"), policy(OLD, "1")],
        [system("2"), policy(OLD, "2")],
        "c1/x.yaml and c2/x.yaml are of two clusters: Namespace kube-system, metadata.uid: 1 (c1/x.yaml:",
    ),
}
ONE: dict[str, tuple[Objects, Objects]] = {
    "two dates": ([*nodes("a-1", uid="x"), policy(OLD, "1")], [*nodes("a-1", uid="x"), policy(NEW, "2")]),
    "nodes of two pools, one policy": ([*nodes("a-1"), policy(OLD)], [*nodes("b-1"), policy(OLD)]),
    "one object that stayed": (
        [*nodes("a-1", uid="x"), policy(OLD, "1")],
        [*nodes("a-1", uid="y"), policy(NEW, "1")],
    ),
    "a manifest": ([*nodes("a-1", uid="x"), policy(OLD, "1")], [policy(NEW)]),
    "a node more": ([*nodes("a-1"), policy(OLD)], [*nodes("a-1", "a-2"), policy(NEW)]),
}


def texts(one: Objects, other: Objects) -> dict[str, str]:
    return {"c1/x.yaml": listed(one), "c2/x.yaml": listed(other)}


@pytest.mark.parametrize("case", TWO)
def test_two_clusters(case: str) -> None:
    one, other, wanted = TWO[case]
    told = import_texts(texts(one, other)).clusters
    assert told.startswith(wanted)
    assert told.endswith("); import them one by one, each with the switches of its nodes")


@pytest.mark.parametrize("case", TWO)
def test_each_kind_in_a_file_of_its_own(case: str) -> None:
    """The folders are the clusters."""
    files = {
        f"c{number}/{name}.yaml": listed(
            [body for body in objects if (body["kind"] == "Node") == (name == "nodes")]
        )
        for number, objects in enumerate(TWO[case][:2], 1)
        for name in ("nodes", "others")
    }
    told = import_texts(files).clusters
    assert " are of two clusters: " in told
    assert "c1" in told.partition(" and ")[0]


@pytest.mark.parametrize("case", ONE)
def test_one_cluster(case: str) -> None:
    assert import_texts(texts(*ONE[case])).clusters == ""


@pytest.mark.parametrize("into", [False, True])
def test_nothing_is_written(into: bool, tmp_path: Path) -> None:
    one, other, _ = TWO["other nodes, another release"]
    for name, text in texts(one, other).items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    given = ["--into", "inventories/minimal.yaml"] if into else []
    status, out, err = netplan("import", str(tmp_path), "-o", str(tmp_path / "new.yaml"), *given)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "of two clusters" in err
    assert not (tmp_path / "new.yaml").exists()


def test_a_switch_under_two_names() -> None:
    """Every cable of leaf-1 is one of tor-1 too: a line, not one for each; and one for their loopback."""
    config = json.loads(dumps()["leaf-1.json"])
    config["DEVICE_METADATA"]["localhost"]["hostname"] = "tor-1"
    files = {
        **dumps(),
        "old/tor-1.json": json.dumps(config),
        "old/tor-1.txt": dumps()["leaf-1.txt"].replace("@leaf-1:", "@tor-1:"),
    }
    told, loopback = (str(each) for each in import_texts(files).conflicts if "tor-1" in str(each))
    assert loopback.startswith("loopback 172.31.255.1 is that of leaf-1 (leaf-1.json:")
    assert told.startswith(
        "leaf-1 and tor-1 claim the same cables: one switch under two names, or dumps of two sites"
    )
    assert "(leaf-1.txt:" in told
    assert "(old/tor-1.txt:" in told
