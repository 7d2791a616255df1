"""Pods become workloads of the hosts that they can run on: of one leaf group where the networks of each are
other objects, and with GPUs of the resource that the hosts have."""

from __future__ import annotations

from typing import Any

import yaml

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import listed
from tests.test_import_leaf_labels import site_texts
from tests.test_import_workloads import FILE, comment_of, container, pod, workloads


def of_group(name: str, group: int, node: str, **fields: Any) -> dict[str, Any]:
    networks = ", ".join(f"rail-{rail}-leaf-{group}@rail{rail}" for rail in range(2))
    return pod(name, networks, node, namespace="t", **fields)


def imported(*pods: dict[str, Any], **gpus: str) -> Imported:
    """``gpus``: resource of the nodes, its dots and slashes as underscores, to its number."""
    texts = site_texts({})
    nodes = yaml.safe_load(texts["k.yaml"])
    for each in nodes["items"]:
        if each["kind"] == "Node" and gpus:
            each["status"]["capacity"] = {
                f"nvidia.com/{name.replace('_', '-')}": n for name, n in gpus.items()
            }
    return import_texts({**texts, "k.yaml": listed(nodes["items"]), FILE: listed(list(pods))}, "site")


def test_a_job_on_one_leaf_group_has_the_hosts_of_that_group() -> None:
    found = workloads(imported(*(of_group(f"a-{n}", 2, f"gpu-{n}", owner=("Job", "a")) for n in (5, 6))))
    assert (found["a"]["hosts"], found["a"]["networks"]) == (["gpu-[5-8]"], ["rail"])


def test_a_job_over_two_leaf_groups_is_a_workload_for_each() -> None:
    """A pod that waits is of the group whose networks it asks for."""
    job = ("Job", "a")
    pods = [of_group(f"a-{n}", 1 + (n > 4), f"gpu-{n}", owner=job) for n in (1, 2, 5)]
    found = workloads(imported(*pods, of_group("a-9", 2, "", owner=job)))
    assert {name: (each["hosts"], each["nodes"]) for name, each in found.items()} == {
        "a-leaf-10": (["gpu-[1-4]"], 2),
        "a-leaf-20": (["gpu-[5-8]"], "TODO"),
    }


def test_pods_on_the_networks_of_another_leaf_are_one_group_in_two_ways() -> None:
    result = imported(*(of_group(f"a-{n}", 1 + n % 2, f"gpu-{n}", owner=("Job", "a")) for n in (1, 2)))
    assert workloads(result)["a"]["networks"] == "TODO"
    assert "its pods are on other networks" in comment_of(result, "networks")


def test_pods_of_two_leaf_groups_on_the_same_networks_are_asked() -> None:
    result = imported(*(of_group(f"a-{n}", 1, f"gpu-{n}", owner=("Job", f"a-{n}")) for n in (1, 5)))
    found = workloads(result)
    assert (found["a-1"]["networks"], found["a-5"]["networks"]) == (["rail"], "TODO")
    assert "of two leaf groups, are on the same networks" in result.text


def test_nodes_with_several_resources_of_gpus_are_asked_and_so_are_their_pods() -> None:
    result = imported(of_group("a", 1, "gpu-1"), gpu="4", mig_1g="28")
    (kind,) = yaml.safe_load(result.text)["host_types"].values()
    assert (kind["gpus"], kind["gpu_resource"]) == ("TODO", "TODO")
    assert workloads(result)["a"]["gpus"] == "TODO"
    said = comment_of(result, "gpus")
    assert "its pods ask for nvidia.com/gpu (pods.yaml:" in said
    assert "have nvidia.com/gpu (k.yaml:" in said
    assert "nvidia.com/mig-1g (k.yaml:" in said


def test_pods_that_ask_for_another_resource_than_their_hosts_have_are_asked() -> None:
    shared = container(gpus=0, **{"nvidia.com/gpu.shared": "2"})
    assert workloads(imported(of_group("a", 1, "gpu-1", containers=[shared])))["a"]["gpus"] == "TODO"
    own = workloads(imported(of_group("a", 1, "gpu-1", containers=[shared]), **{"gpu.shared": "16"}))
    assert own["a"]["gpus"] == 2
