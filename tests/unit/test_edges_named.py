"""Facts of one line each, at their edge: networks and workloads of an inventory, and what they name."""

from __future__ import annotations

import pytest
import yaml

from netplan.resolve import Resolved
from tests.unit.test_edges_resolved import resolved, said


def of_network(text: str) -> Resolved:
    return resolved(f"networks: {{rail: {{{text}}}}}")


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("resource_name: rdma", []),
        ("resource_name: 'rdma_[0-1]'", []),
        ("resource_name: 'rdma_[0-2]'", [("NP102", "resource_name", "rdma_[0-2] has 3 names for 2 rails")]),
        (
            "resource_name: 'rdma_[0-1]', resource: shared",
            [
                (
                    "NP102",
                    "resource_name",
                    "rdma_[0-1] has a name for each rail, and the network has one resource",
                )
            ],
        ),
        (
            "resource_name: 'rdma_[0-1]', for_each: null",
            [
                (
                    "NP102",
                    "resource_name",
                    "rdma_[0-1] has a name for each rail, and the network has one resource",
                )
            ],
        ),
        ("vf_range: 0-3", []),
        ("vf_range: 3-3", []),
        ("vf_range: 3-2", [("NP102", "vf_range", "3-2 runs backwards")]),
        ("traffic_class: roce", []),
        ("traffic_class: rose", [("NP101", "traffic_class")]),
        ("hosts: [gpu]", []),
        ("hosts: [gpu, cpu]", [("NP101", "hosts.1")]),
        ("subnet: none", [("NP101", "subnet")]),
        ("hcas: ['roce[0-1]', store]", []),
        ("hcas: [store, 'roce[1-0]']", [("NP102", "hcas.1")]),
    ],
)
def test_what_a_network_states(text: str, problems: list[tuple[str, ...]]) -> None:
    found = of_network(text)
    told = [(code, path.removeprefix("networks.rail."), what) for code, path, what in said(found)]
    assert [each[: len(wanted)] for each, wanted in zip(told, problems, strict=True)] == problems
    assert [n.name for n in found.fabric.networks] == ["rail"] * (not problems)


def test_a_network_names_hcas_by_ranges() -> None:
    (network,) = of_network("hcas: ['roce[0-1]', store]").fabric.networks
    assert list(zip(network.hcas, network.hca_keys, strict=True)) == [
        ("roce0", 0),
        ("roce1", 0),
        ("store", 1),
    ]


@pytest.mark.parametrize(
    ("over", "name"),
    [
        ("{}", "roce"),
        ("networks: {rail: {traffic_class: cnp}}", "cnp"),
        ("fabric: {qos: null}", None),
        ("fabric: {qos: {classes: {roce: {lossless: false}}}}", None),
        ("fabric: {qos: {classes: {more: {dscp: 18, priority: 4, lossless: true}}}}", None),
    ],
)
def test_the_traffic_class_of_a_network_is_the_one_that_is_lossless(over: str, name: str | None) -> None:
    (network,) = resolved(over).fabric.networks
    assert (network.traffic_class.name if network.traffic_class else None) == name


@pytest.mark.parametrize(
    ("mode", "stated", "most"),
    [("sriov", "", None), ("macvlan", "", 63), ("macvlan", ", share_max: 9", 9), ("host-device", "", None)],
)
def test_how_many_pods_share_a_device(mode: str, stated: str, most: int | None) -> None:
    (network,) = of_network(f"mode: {mode}, routing: none{stated}").fabric.networks
    assert network.share_max == most


HOSTS = (
    "links: null\nhosts: {spare-1: {type: gpu}, gpu-9: {type: gpu}, 'gpu-[1-2]': {type: gpu}, gpu-2: %s}\n"
)


@pytest.mark.parametrize(
    ("hosts", "second", "names", "problems"),
    [
        ("[gpu]", "{}", "gpu-1 gpu-2 gpu-9 spare-1", []),
        ("[gpu-9, gpu-1]", "{}", "gpu-1 gpu-9", []),
        ("['gpu-[1-2]', gpu-1]", "{}", "gpu-1 gpu-2", []),
        ("['gpu-[1-2]']", "{absent: true}", "gpu-1", []),
        ("[gpu-2]", "{absent: true}", "", [("NP101", "hosts.0")]),
        ("[gpu-1, gpu-7]", "{}", "gpu-1", [("NP101", "hosts.1")]),
        ("['gpu-[6-7]', gpu-1]", "{}", "gpu-1", [("NP101", "hosts.0")]),
        ("['gpu-[1-3]']", "{}", "gpu-1 gpu-2", [("NP101", "hosts.0")]),
        ("['gpu-[2-1]', gpu-1]", "{}", "gpu-1", [("NP102", "hosts.0")]),
        ("[gpu-2, gpu-1]", "{type: none}", "gpu-1", [("NP101", "hosts.gpu-2.type")]),
    ],
)
def test_hosts_of_a_workload(hosts: str, second: str, names: str, problems: list[tuple[str, str]]) -> None:
    found = resolved(f"{HOSTS % second}workloads: {{train: {{hosts: {hosts}}}}}")
    (workload,) = found.fabric.workloads
    assert " ".join(host.name for host in workload.hosts) == names
    assert [(code, path.removeprefix("workloads.train.")) for code, path, _ in said(found)] == problems


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("networks: [rail, store]", [("NP101", "networks.1")]),
        ("networks: [rail], devices: {rail: 1}", []),
        ("networks: [rail], devices: {rial: 1}", [("NP101", "devices.rial")]),
        ("nccl: {fifo_class: cnp}", []),
        ("nccl: {fifo_class: control-plane}", [("NP101", "nccl.fifo_class")]),
    ],
)
def test_what_a_workload_names(text: str, problems: list[tuple[str, str]]) -> None:
    found = resolved(f"workloads: {{train: {{{text}}}}}")
    assert [(code, path.removeprefix("workloads.train.")) for code, path, _ in said(found)] == problems


def test_values_of_a_workload() -> None:
    text = """
nccl_version: "2.21"
env: {B: "1", A: {value: "2", reason: measured}}
devices: {rail: 3}
extra: {b: [1, {d: 1, c: [2]}], a: 1}
nccl: {fifo_class: cnp, qps_per_connection: 4}
"""
    (workload,) = resolved(yaml.safe_dump({"workloads": {"train": yaml.safe_load(text)}})).fabric.workloads
    assert workload.nccl_version == (2, 21)
    assert workload.env == (("A", "2"), ("B", "1"))
    assert workload.env_reasons == (("A", "measured"),)
    assert workload.devices == {"rail": 3}
    assert list(workload.extra) == ["a", "b"]
    assert workload.extra["b"] == (1, {"c": (2,), "d": 1})
    assert list(workload.extra["b"][1]) == ["c", "d"]
    assert (workload.nccl.fifo_class and workload.nccl.fifo_class.name, workload.nccl.qps_per_connection) == (
        "cnp",
        4,
    )


CLUSTER = """
cluster:
  kubernetes_version: "1.34"
  cni_plugins: {multus: "4.2", sriov_cni: 2.9.1}
"""


def test_versions_of_a_cluster() -> None:
    cluster = resolved(CLUSTER).fabric.cluster
    assert cluster.kubernetes_version == (1, 34)
    assert (cluster.cni_plugins.multus, cluster.cni_plugins.sriov_cni) == ((4, 2, 0), (2, 9, 1))
    assert (cluster.cni_plugins.whereabouts, cluster.cni_plugins.plugins) == (None, None)
    assert (cluster.spiderpool, cluster.kueue, cluster.gitops, cluster.host_delivery) == (
        None,
        None,
        None,
        None,
    )
