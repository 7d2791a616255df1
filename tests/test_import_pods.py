"""``netplan import`` of workloads: what pods of a job do not say alike, or in a way that no inventory has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.importing.run import import_texts
from tests.cli_runs import netplan
from tests.dumped_site import cluster_dumps, listed, node
from tests.inventories import compiled, outputs, text_of
from tests.test_import_workloads import (
    FILE,
    RAILS,
    cluster,
    comment_of,
    container,
    imported,
    of_pods,
    one,
    pod,
    workloads,
)


@pytest.mark.parametrize(
    ("networks", "own"),
    [
        ("rail-1-leaf-1,rail-0-leaf-1", "net1, not rail1"),
        ('[{"name": "rail-0-leaf-1", "interface": "rail0"}, {"name": "rail-1-leaf-1"}]', "net2, not rail1"),
    ],
)
def test_interfaces_that_netplan_calls_otherwise_are_told(networks: str, own: str) -> None:
    result = imported(pod("a", networks))
    assert workloads(result)["a"]["networks"] == ["rail"]
    assert of_pods(result) == [
        f"pods.yaml:9: workload a has {own}: netplan calls interfaces on rails rail0, rail1 and so on; "
        "programs and variables may name them"
    ]


def test_what_pods_say_of_a_network_is_told() -> None:
    text = '[{"name": "rail-0-leaf-1", "default-route": ["10.0.0.1"]}, {"name": "rail-1-leaf-1"}]'
    (line,) = [each for each in of_pods(imported(pod("a", text))) if "network of a pod" in each]
    assert line.endswith(
        """network of a pod with "default-route ['10.0.0.1']": the inventory has no key for it"""
    )


JOB = ("Job", "a")


@pytest.mark.parametrize(
    ("key", "lacking", "value"),
    [("gpus", {"containers": [container(gpus=0)]}, 8), ("runtime_class", {}, "nvidia")],
)
def test_what_one_pod_of_a_job_lacks_is_asked_with_both_places(
    key: str, lacking: dict[str, Any], value: object
) -> None:
    whole = pod("a-1", owner=JOB, runtimeClassName="nvidia")
    result = imported(pod("a-0", owner=JOB, **lacking), whole)
    assert workloads(result)["a"][key] == "TODO"
    seen = rf"disagree: nothing \(pods.yaml:\d+\) or {value} \(pods.yaml:\d+\)"
    assert re.search(seen, comment_of(result, key))


def test_a_value_that_no_inventory_can_have_and_another_pod_lacks() -> None:
    pods = [pod("a-0", owner=JOB, runtimeClassName="Not Valid"), pod("a-1", owner=JOB)]
    result = imported(*pods)
    assert (result.conflicts, "runtime_class" in workloads(result)["a"]) == ((), False)


def test_pods_that_wait_for_a_node_leave_the_nodes_open() -> None:
    result = imported(pod("a-0", owner=JOB), pod("a-1", owner=JOB, node="", phase="Pending"))
    assert workloads(result)["a"]["nodes"] == "TODO"
    assert "a node is known of 1 of 2 pods, pods.yaml:" in comment_of(result, "nodes")


def test_a_node_that_is_no_host_of_the_dumps_leaves_the_hosts_open() -> None:
    result = imported(pod("a-0", owner=JOB), pod("a-1", owner=JOB, node="other-9"))
    assert workloads(result)["a"]["hosts"] == "TODO"
    assert "gpu-server and other-9, no host of the dumps" in comment_of(result, "hosts")


def test_jobs_of_two_kinds_with_one_name_are_two() -> None:
    hashed = {"pod-template-hash": "5f"}
    found = workloads(
        imported(
            pod("web-5f-x", owner=("ReplicaSet", "web-5f"), labels=hashed),
            pod("web-0", owner=("StatefulSet", "web"), containers=[container(gpus=4)]),
        )
    )
    assert {name: each["gpus"] for name, each in found.items()} == {"web": 8, "web-2": 4}


def test_a_group_of_kueue_is_a_job() -> None:
    """Where its pods have no owner: others have the name of theirs."""
    labels = {"kueue.x-k8s.io/pod-group-name": "group"}
    bare = [pod(f"p-{n}", labels=labels, node=f"gpu-0{n}") for n in (1, 2)]
    found = workloads(imported(*bare, pod("s-0", labels=labels, owner=("StatefulSet", "s"))))
    assert {name: each["nodes"] for name, each in found.items()} == {"group": 2}
    assert workloads(imported(pod("s-0", labels=labels, owner=("StatefulSet", "s")))).keys() == {"s"}


def test_pods_that_are_being_deleted_are_none() -> None:
    gone = pod("a-1", owner=JOB)
    gone["metadata"]["deletionTimestamp"] = "2025-11-28T00:00:00Z"
    assert "pods_per_node" not in one(pod("a-0", owner=JOB), gone)


def test_requests_without_an_equal_limit_and_gpus_of_a_second_container_are_told() -> None:
    main = container() | {
        "resources": {"requests": {"cpu": "8"}, "limits": {"nvidia.com/gpu": "8", "cpu": "32"}}
    }
    result = imported(pod("a", RAILS, containers=[main, container(gpus=4)]))
    assert [workloads(result)["a"][key] for key in ("gpus", "cpus")] == [8, 32]
    told = [line.partition(": ")[2] for line in of_pods(result)]
    assert (
        "Pod spec.containers.resources.requests.cpu '8': netplan writes limits, which are requests too"
        in told
    )
    assert any(line.endswith("the GPUs of the container before it are taken") for line in told)


def test_devices_of_no_network_of_the_pod_are_asked() -> None:
    """As of a device-only network; a resource that no card has is of something else."""
    asks = container() | {"resources": {"limits": {"nvidia.com/rail_0": "1", "example.com/fpga": "1"}}}
    result = imported(pod("a", "", containers=[asks]))
    assert workloads(result)["a"]["networks"] == "TODO"
    assert "its networks; that of rail_0, which its pods take, pods.yaml:" in comment_of(result, "networks")
    assert one(pod("a", containers=[asks]))["networks"] == ["rail"]


def test_pods_with_efa_ask_for_no_network_by_name() -> None:
    """Its devices are those of the network ``efa``."""
    host = node("gpu-01", {"node.kubernetes.io/instance-type": "p4d.24xlarge"}, 8)
    host["status"]["capacity"]["vpc.amazonaws.com/efa"] = "4"
    asks = container() | {"resources": {"limits": {"nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "4"}}}
    made = pod("a", "", containers=[asks])
    del made["metadata"]["annotations"]
    result = import_texts({"nodes.yaml": listed([host]), FILE: listed([made])}, "site")
    assert (workloads(result)["a"]["networks"], workloads(result)["a"]["gpus"]) == ("TODO", 8)
    assert "its networks; that of efa, which its pods take, pods.yaml:" in comment_of(result, "networks")


def of_workloads(
    dumps: Mapping[str, str], inventory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """What ``--into`` says of pods."""
    monkeypatch.chdir(tmp_path)
    for name, text in {**dumps, "site.yaml": text_of(inventory)}.items():
        (tmp_path / name).write_text(text)
    _, out, _ = netplan("import", *dumps, "--into", "site.yaml")
    return [line for line in out.splitlines() if "pods of" in line or "workload" in line]


def test_gpus_in_which_pods_differ_are_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are a contradiction of the dumps."""
    pods = [pod("a-0", owner=JOB), pod("a-1", owner=JOB, node="gpu-02", containers=[container(gpus=4)])]
    same = {**cluster(), FILE: listed(pods[:1])}
    assert of_workloads(same, "minimal", tmp_path, monkeypatch) == []
    assert of_workloads({**same, FILE: listed(pods)}, "minimal", tmp_path, monkeypatch) == []
    assert of_workloads({**same, FILE: listed(pods[1:])}, "minimal", tmp_path, monkeypatch) != []


@pytest.mark.parametrize(
    ("namespace", "said"),
    [("default", ""), ("other", "workload nccl-tests-new: 1 pod on hostdev, namespace other")],
)
def test_devices_are_those_of_the_networks_of_an_inventory(
    namespace: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pods have no annotation: they take HCAs of the host."""
    files = outputs(compiled("crusoe-k3s-infiniband"))
    made = yaml.safe_load(files["pods/nccl-tests/pod.yaml"])
    made["metadata"]["namespace"] = namespace
    made["spec"]["nodeName"] = "crusoe-k3s-worker-0"
    dumps = {**cluster_dumps(files), FILE: listed([made])}
    told = of_workloads(dumps, "crusoe-k3s-infiniband", tmp_path, monkeypatch)
    assert (len(told), all(said in line for line in told)) == (bool(said), True), told
