"""Edge cases, one fact per case: what the pods of a workload need, and the nodes that they may run on."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.graph.kubernetes.needs import Need, Nodes, may_land, needs_of
from netplan.pipeline import compile_texts
from tests.inventories import compiled, text_of
from tests.pod_site import plan_of

RAILS = (("train", "rail-0-leaf-1"), ("train", "rail-1-leaf-2"))
DEVICES = (("intel.com/rail_0", 1), ("intel.com/rail_1", 1))
A, B = (("pod", "a"), ("type", "gpu")), (("pod", "b"), ("type", "gpu"))


def need(over: str = "") -> Need:
    (found,) = needs_of(plan_of(over))
    return found


def test_a_workload_needs_its_rails_on_its_nodes() -> None:
    found = need()
    assert (found.workload, found.namespace, found.gpus, found.claim) == ("job", "train", 4, None)
    assert found.limits == ("nvidia.com/gpu", "intel.com/rail_0", "intel.com/rail_1")
    assert (found.networks, found.devices, found.host_paths) == (RAILS, DEVICES, ())
    assert found.scripted == tuple((*rail, f"rail{number}") for number, rail in enumerate(RAILS))
    assert {frozenset(labels) for labels in found.nodes.labels} == {frozenset(A)}
    assert {frozenset(labels) for labels in found.nodes.others} == {frozenset(B)}
    assert found.nodes.names == frozenset({"gpu-1", "gpu-2"})
    assert found.nodes.other_names == frozenset({"gpu-3", "gpu-4"})


@pytest.mark.parametrize(
    ("over", "none"),
    [
        ("workloads: {job: {gpus: 1}}", False),
        ("workloads: {job: {gpus: 0}}", True),
    ],
)
def test_a_workload_without_gpus_is_not_compared(over: str, none: bool) -> None:
    assert (needs_of(plan_of(over)) == ()) is none


def test_routes_that_no_script_installs_are_not_looked_for() -> None:
    assert need("networks: {rail: {routing: sbr}}").scripted == ()


@pytest.mark.parametrize(
    ("name", "workload", "networks", "devices", "claim", "host_paths", "scripted"),
    [
        ("dgx-h100-dra", "training", 0, 0, "training", (), 8),
        ("vsphere-pvrdma", "tensorflow-benchmarks", 0, 0, None, ("/dev/infiniband",), 0),
        ("kitchen-sink", "training", 2, 3, None, (), 0),
        ("eks-efa", "multinode", 0, 1, None, (), 0),
    ],
)
def test_what_workloads_of_shipped_inventories_need(
    name: str, workload: str, networks: int, devices: int, claim: str | None, host_paths: Any, scripted: int
) -> None:
    """Devices that a claim allocates, and those of storage, are none of the rails' resources."""
    plan = compiled(name).plan
    assert plan is not None
    found = needs_of(plan)[0]
    counts = (len(found.networks), len(found.devices), len(found.scripted))
    assert (found.workload, found.claim, found.host_paths) == (workload, claim, host_paths)
    assert counts == (networks, devices, scripted)
    assert "example.com/storage" not in dict(found.devices)


def test_the_nodes_of_a_workload_and_the_other_hosts() -> None:
    plan = compiled("vsphere-pvrdma").plan
    assert plan is not None
    nodes = needs_of(plan)[0].nodes
    assert nodes.others == frozenset()  # hypervisors are no nodes
    assert {"sckubw01", "sc2esx24"} <= nodes.names | nodes.other_names
    assert not nodes.names & nodes.other_names
    cloud = compiled("eks-efa").plan
    assert cloud is not None
    (efa, *_) = needs_of(cloud)
    assert (efa.nodes.names, efa.nodes.other_names) == (frozenset(), frozenset())
    assert ("beta.kubernetes.io/instance-type", "p4d.24xlarge") in next(iter(efa.nodes.labels))


def nodes(own: list[dict[str, str]], others: list[dict[str, str]]) -> Nodes:
    mine, rest = (frozenset(tuple(each.items()) for each in labels) for labels in (own, others))
    return Nodes(labels=mine, others=rest, names=frozenset(), other_names=frozenset())


def test_nodes_without_fixed_names_have_none_that_keeps_a_pod_away() -> None:
    data = yaml.safe_load(text_of("eks-efa"))
    data["hosts"]["others"] = {"type": "p4d", "count": 3}
    data["workloads"]["multinode"]["hosts"] = ["workers"]
    plan = compile_texts({"site.yaml": yaml.safe_dump(data)}).plan
    assert plan is not None
    own = needs_of(plan)[0].nodes
    assert (own.names, own.other_names) == (frozenset(), frozenset())
    assert own.others == own.labels


def test_hypervisors_of_a_workload_are_no_nodes_of_it() -> None:
    data = yaml.safe_load(text_of("vsphere-pvrdma"))
    data["workloads"]["tensorflow-benchmarks"]["hosts"] = ["worker-vm", "esxi"]
    plan = compile_texts({"site.yaml": yaml.safe_dump(data)}).plan
    assert plan is not None
    own = needs_of(plan)[0].nodes
    assert sorted(own.names) == [f"sckubw0{number}" for number in range(1, 5)]
    assert (len(own.labels), own.others, own.other_names) == (1, frozenset(), frozenset())


ZONE, POOL, BOTH = {"zone": "a"}, {"pool": "p"}, {"zone": "a", "pool": "p"}


@pytest.mark.parametrize(
    ("selector", "own", "others", "lands"),
    [
        (POOL, [ZONE], [POOL], False),
        (POOL, [ZONE], [BOTH], False),
        (POOL, [ZONE], [], True),
        (POOL, [ZONE], [ZONE], True),
        (POOL, [POOL], [POOL], True),
        (POOL, [BOTH], [BOTH], True),
        (POOL, [BOTH, ZONE], [BOTH], True),
        (BOTH, [BOTH], [BOTH], True),
        (BOTH, [ZONE], [BOTH], False),
        (BOTH, [ZONE], [POOL], True),
        ({**POOL, "x": ["y"]}, [ZONE], [POOL], True),
        ({"x": 7}, [ZONE], [POOL], True),
        ({}, [ZONE], [POOL], True),
    ],
)
def test_labels_that_only_other_hosts_have_keep_a_pod_away(
    selector: dict[str, Any], own: list[dict[str, str]], others: list[dict[str, str]], lands: bool
) -> None:
    """A label that the inventory states nowhere may be on any node."""
    assert may_land({"nodeSelector": selector}, nodes(own, others)) is lands
