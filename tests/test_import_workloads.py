"""``netplan import``: pods on networks of the cluster become workloads."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.importing.kubernetes.objects import objects_of
from netplan.importing.kubernetes.read import object_facts
from netplan.importing.run import Imported, import_texts
from netplan.model.document import Places, SourceMap
from netplan.pipeline import compile_texts
from tests.cli_runs import netplan
from tests.dumped_site import cluster_dumps, fabric_dumps, listed
from tests.inventories import compiled, outputs
from tests.test_import import filled, refused, spots, with_odd
from tests.test_import_round import FILLED_IN, site_of_16

RAILS = "rail-0-leaf-1@rail0, rail-1-leaf-1@rail1"
KEY = "k8s.v1.cni.cncf.io/networks"
FILE = "pods.yaml"


@cache
def cluster() -> Mapping[str, str]:
    """Two hosts with two rails."""
    return cluster_dumps(outputs(compiled("minimal")))


def pod(name: str, networks: str = RAILS, node: str = "gpu-01", **fields: Any) -> dict[str, Any]:
    """``fields``: labels, owner (kind, name), namespace, containers, phase; others are of the spec."""
    meta: dict[str, Any] = {"name": name, "namespace": fields.pop("namespace", "training")}
    meta |= {"annotations": {KEY: networks}, "labels": fields.pop("labels", {})}
    if owner := fields.pop("owner", None):
        meta["ownerReferences"] = [{"kind": owner[0], "name": owner[1], "controller": True}]
    status = {"phase": fields.pop("phase", "Running")}
    containers = fields.pop("containers", [container()])
    spec = {"nodeName": node, "containers": containers, **fields}
    if not node:
        del spec["nodeName"]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec, "status": status}


def container(gpus: int = 8, image: str = "example.com/train:1", **limits: str) -> dict[str, Any]:
    asked = {**({"nvidia.com/gpu": str(gpus)} if gpus else {}), **limits}
    return {"name": "main", "image": image, "resources": {"limits": asked}}


def imported(*pods: dict[str, Any]) -> Imported:
    return import_texts({**cluster(), FILE: listed(list(pods))}, "site")


def workloads(result: Imported) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(result.text).get("workloads", {})
    return found


def one(*pods: dict[str, Any]) -> dict[str, Any]:
    (found,) = workloads(imported(*pods)).values()
    return dict(found)


def of_pods(result: Imported) -> list[str]:
    return [text for each in result.remarks if (text := str(each)).startswith(FILE)]


def comment_of(result: Imported, key: str) -> str:
    (line,) = re.findall(
        rf"(?m)^    {key}: (?:\S+|\"TODO: decide\") # (.*)$", result.text.partition("\nworkloads:")[2]
    )
    return str(line)


def test_a_running_job_is_a_workload() -> None:
    result = imported(
        pod("train-0", owner=("Job", "train")), pod("train-1", owner=("Job", "train"), node="gpu-02")
    )
    assert (result.conflicts, of_pods(result), result.problems) == ((), [], ())
    assert workloads(result) == {
        "train": {
            "namespace": "training",
            "hosts": ["gpu-server"],
            "networks": ["rail"],
            "nodes": 2,
            "gpus": 8,
            "image": "example.com/train:1",
        }
    }
    assert comment_of(result, "gpus").startswith(f"{FILE}:")


def test_pods_of_one_node_are_counted() -> None:
    half = [container(gpus=4)]
    pods = [
        pod(f"a-{n}", node=node, containers=half) for n, node in enumerate(("gpu-01", "gpu-01", "gpu-02"))
    ]
    found = one(
        *(each | {"metadata": each["metadata"] | {"labels": {"ray.io/cluster": "a"}}} for each in pods)
    )
    assert (found["nodes"], found["pods_per_node"]) == (2, 2)


@pytest.mark.parametrize(
    "text",
    [
        "rail-0-leaf-1,rail-1-leaf-1",
        " training/rail-0-leaf-1@net1 , training/rail-1-leaf-1@net2 ",
        '[{"name": "rail-0-leaf-1"}, {"name": "rail-1-leaf-1", "namespace": "training"}]',
        '[{"name": "rail-0-leaf-1", "interface": "rail0"}, {"name": "rail-1-leaf-1", "mac": ""}]',
    ],
)
def test_forms_of_the_annotation(text: str) -> None:
    assert one(pod("a", text))["networks"] == ["rail"]


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"owner": ("Job", "train")}, "train"),
        ({"owner": ("StatefulSet", "db")}, "db"),
        ({"owner": ("ReplicaSet", "web-5f6d"), "labels": {"pod-template-hash": "5f6d"}}, "web"),
        ({"owner": ("ReplicaSet", "web-5f6d")}, "web-5f6d"),
        ({"owner": ("Job", "js-w-0"), "labels": {"jobset.sigs.k8s.io/jobset-name": "js"}}, "js"),
        ({"owner": ("StatefulSet", "l-0"), "labels": {"leaderworkerset.sigs.k8s.io/name": "l"}}, "l"),
        ({"labels": {"training.kubeflow.org/job-name": "mpi"}}, "mpi"),
        ({"labels": {"volcano.sh/job-name": "vc"}}, "vc"),
        ({"labels": {"ray.io/cluster": "ray"}}, "ray"),
        ({"labels": {"ray.io/cluster": ""}}, "pod-0"),
        ({}, "pod-0"),
    ],
)
def test_a_workload_is_called_as_its_job(fields: dict[str, Any], name: str) -> None:
    assert [*workloads(imported(pod("pod-0", **fields)))] == [name]


def test_jobs_alike_are_one_workload() -> None:
    """Of the largest job the nodes, of all jobs what one node has."""
    half = [container(gpus=4)]
    small = pod("a-0", owner=("Job", "a"), containers=half)
    large = [pod(f"b-{n}", owner=("Job", "b"), node=f"gpu-0{n}", containers=half) for n in (1, 2)]
    other = pod("c-0", owner=("Job", "c"), containers=[container(gpus=2)])
    result = imported(small, *large, other)
    found = workloads(result)
    assert [(name, each["nodes"], each.get("pods_per_node")) for name, each in found.items()] == [
        ("a", 2, 2),
        ("c", 1, None),
    ]
    assert "\n  a: # a, b\n" in result.text


@pytest.mark.parametrize(
    ("networks", "namespace", "why"),
    [
        ("rail-0-leaf-1", "training", "on rails 0 of network rail, which has 2"),
        ("rail-0-leaf-1,rail-0-leaf-1,rail-1-leaf-1", "training", "on network rail more than once"),
        (f"{RAILS},mgmt/bridge", "training", "mgmt/bridge is none of the networks"),
        (
            "training/rail-0-leaf-1,training/rail-1-leaf-1",
            "other",
            "network rail has no object in namespace other",
        ),
    ],
)
def test_networks_that_no_workload_can_have_are_asked(networks: str, namespace: str, why: str) -> None:
    result = imported(pod("a", networks, namespace=namespace))
    assert workloads(result)["a"]["networks"] == "TODO"
    assert why in comment_of(result, "networks")


def test_pods_of_a_job_on_other_networks_are_asked() -> None:
    job = ("Job", "a")
    result = imported(pod("a-0", owner=job), pod("a-1", "rail-0-leaf-1", owner=job))
    assert workloads(result)["a"]["networks"] == "TODO"
    assert "its pods are on other networks" in comment_of(result, "networks")


@pytest.mark.parametrize(
    "each",
    [
        pod("a", phase="Succeeded"),
        pod("a", phase="Failed"),
        pod("a", "mgmt/bridge"),
        pod("a", "  "),
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [container()]}},
    ],
)
def test_pods_that_are_over_or_on_no_network_of_the_cluster_are_none(each: dict[str, Any]) -> None:
    assert workloads(imported(each)) == {}


def test_jobs_on_the_network_of_their_hosts_are_told() -> None:
    result = imported(*(pod(name, "", hostNetwork=True, owner=("Job", "train")) for name in ("a", "b")))
    assert workloads(result) == {}
    (line,) = of_pods(result)
    assert "workload on the network of its hosts 'training/train'" in line
    assert of_pods(imported(pod("a", "", hostNetwork=True, containers=[container(0)]))) == []


@pytest.mark.parametrize("text", ["[{", "Rail_0", '[{"name": 4}]', '[{"interface": "x"}]', '["rail"]'])
def test_an_annotation_that_lists_no_networks_is_told(text: str) -> None:
    result = imported(pod("a", text))
    assert workloads(result) == {}
    assert any("neither names of networks nor JSON" in str(each) for each in result.remarks)


def test_the_container_with_gpus_counts() -> None:
    side = container(gpus=0, image="example.com/proxy:2", cpu="1")
    found = one(pod("a", containers=[side, container(gpus=4, cpu="32", memory="256Gi")]))
    sizes = ("image", "gpus", "cpus", "memory_mib")
    assert [found[key] for key in sizes] == ["example.com/train:1", 4, 32, 262144]


@pytest.mark.parametrize(
    ("limits", "sizes"),
    [
        ({"memory": "1Ti"}, {"memory_mib": 2**20}),
        ({"memory": "1048576Ki"}, {"memory_mib": 1024}),
        ({"memory": "1073741824"}, {"memory_mib": 1024}),
        ({"memory": "1.5Ti"}, {"memory_mib": 1572864}),
        ({"hugepages-2Mi": "5120Mi"}, {"hugepages_2mi_mib": 5120}),
    ],
)
def test_sizes_are_in_mib(limits: Mapping[str, Any], sizes: dict[str, int]) -> None:
    found = one(pod("a", containers=[container(**limits)]))
    assert {key: found[key] for key in sizes} == sizes


@pytest.mark.parametrize(
    ("limits", "key", "why"),
    [
        ({"cpu": "500m"}, "cpus", "pods ask for cpu 500m, in whole CPUs"),
        ({"memory": "1G"}, "memory_mib", "pods ask for memory 1G, in whole MiB"),
        ({"memory": "much"}, "memory_mib", "pods ask for memory much, in whole MiB"),
        ({"nvidia.com/gpu": "-3"}, "gpus", "pods ask for nvidia.com/gpu -3, in whole GPUs"),
        ({"nvidia.com/mig-1g.5gb": "2"}, "gpus", "nvidia.com/gpu 8 and nvidia.com/mig-1g.5gb 2, in whole"),
    ],
)
def test_sizes_that_an_inventory_cannot_have_are_asked(limits: Mapping[str, Any], key: str, why: str) -> None:
    result = imported(pod("a", containers=[container(**limits)]))
    assert workloads(result)["a"][key] == "TODO"
    assert why in comment_of(result, key)


def test_gpus_of_init_containers_and_shared_memory_on_disk_are_told() -> None:
    main = container() | {"volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}]}
    disk = [{"name": "shm", "emptyDir": {"sizeLimit": "8Gi"}}]
    result = imported(pod("a", containers=[main], initContainers=[container()], volumes=disk))
    told = "\n".join(of_pods(result))
    assert "GPUs of init containers have no key" in told
    assert "netplan writes /dev/shm in memory alone" in told
    assert "shm_mib" not in workloads(result)["a"]


def test_shared_memory_without_a_size_is_asked() -> None:
    main = container() | {"volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}]}
    result = imported(
        pod("a", containers=[main], volumes=[{"name": "shm", "emptyDir": {"medium": "Memory"}}])
    )
    assert "with no sizeLimit" in comment_of(result, "shm_mib")


def test_shared_memory_runtime_class_and_privilege_are_taken() -> None:
    main = container() | {
        "securityContext": {"privileged": True},
        "volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}, {"name": "data", "mountPath": "/data"}],
    }
    memory = {"medium": "Memory", "sizeLimit": "64Gi"}
    volumes = [
        {"name": "data", "emptyDir": memory | {"sizeLimit": "1Gi"}},
        {"name": "shm", "emptyDir": memory},
    ]
    found = one(pod("a", containers=[main], volumes=volumes, runtimeClassName="nvidia"))
    assert [found[key] for key in ("shm_mib", "runtime_class", "privileged")] == [65536, "nvidia", True]


def test_pods_that_differ_are_asked_with_both_places() -> None:
    job = ("Job", "a")
    pods = [pod(f"a-{n}", owner=job, containers=[container(image=f"example.com/x:{n}")]) for n in (1, 2)]
    result = imported(*pods)
    assert workloads(result)["a"]["image"] == "TODO: decide"
    (line,) = (n for n, text in enumerate(result.text.splitlines(), 1) if text.startswith("    image: "))
    assert line in refused(result.text)
    assert re.search(r"example.com/x:1 \(pods.yaml:\d+\) or example.com/x:2", comment_of(result, "image"))


def test_an_image_that_no_inventory_can_have_is_told() -> None:
    result = imported(pod("a", containers=[container(image="exa mple")]))
    assert "image" not in workloads(result)["a"]
    assert any("workload image" in str(each) for each in result.remarks)


def test_pods_without_a_node_ask_for_hosts_and_nodes() -> None:
    found = one(pod("a", node="", phase="Pending"))
    assert (found["hosts"], found["nodes"]) == ("TODO", "TODO")


def test_addresses_that_pods_name_are_told() -> None:
    text = '[{"name": "rail-0-leaf-1", "ips": ["10.0.0.9/24"]}, {"name": "rail-1-leaf-1"}]'
    result = imported(pod("a", text))
    assert any("the inventory has no addresses of single pods" in str(each) for each in result.remarks)


def running(files: Mapping[str, str]) -> dict[str, Any]:
    """Two pods on each of the 16 hosts, as rendered."""
    made = yaml.safe_load(files["pods/training/pod.yaml"])
    pods = []
    for host in json.loads(files["site.json"])["hosts"]:
        for number in range(2):
            each = json.loads(json.dumps(made))
            each["metadata"]["name"] = f"training-{host}-{number}"
            each["metadata"]["labels"] = {"training.kubeflow.org/job-name": "training"}
            each["spec"]["nodeName"] = host
            pods.append(each | {"status": {"phase": "Running"}})
    return {FILE: listed(pods)}


def test_pods_of_a_rendered_site_are_rendered_again(tmp_path: Path) -> None:
    """16 hosts, four rails: the pods come back with their networks, sizes and node selector."""
    files = site_of_16()
    folder = tmp_path / "dumps"
    folder.mkdir()
    for name, text in {**cluster_dumps(files), **fabric_dumps(files), **running(files)}.items():
        (folder / name).write_text(text)
    site = tmp_path / "site.yaml"
    assert netplan("import", str(folder), "--site", "iei-rocev2", "-o", str(site))[0] == 0
    text = filled(site.read_text(), FILLED_IN).replace(
        "    gpus: 4", '    nccl_version: "2.12.6"\n    gpus: 4'
    )
    result = compile_texts({"site.yaml": text})
    assert [str(each) for each in result.diagnostics if each.severity == 2] == []
    made = {each.path: each.text for each in result.artifacts}
    assert made["pods/training/pod.yaml"] == files["pods/training/pod.yaml"]
    site.write_text(text)
    assert netplan("import", str(folder), "--into", str(site))[0] == 0


def full_pod() -> dict[str, Any]:
    """With whatever is read of one."""
    main = container(memory="1Gi", cpu="8") | {
        "securityContext": {"privileged": True},
        "volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}],
        "env": [{"name": "A", "value": "b"}],
    }
    volumes = [{"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}]
    owned: dict[str, Any] = {"owner": ("Job", "a"), "labels": {"ray.io/cluster": "a"}, "containers": [main]}
    return pod(
        "a",
        RAILS,
        "gpu-01",
        **owned,
        volumes=volumes,
        runtimeClassName="nvidia",
        initContainers=[container()],
    )


@pytest.mark.parametrize("odd", [[], {}, [{}], {"a": [1]}, 7, "", None, [["x"]], "\u202e"], ids=repr)
def test_any_value_anywhere_in_a_pod_is_no_crash(odd: object) -> None:
    for path in spots(full_pod()):
        text = yaml.safe_dump(with_odd(full_pod(), path, odd))
        for thing in objects_of("x.yaml", text, Places(SourceMap())).things:
            assert all(str(each.at) for each in object_facts(thing, {}))
