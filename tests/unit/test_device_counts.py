"""Devices that pods request: never more than a node of any of their host types has."""

from __future__ import annotations

from functools import cache

import pytest

from netplan.model.plan import Plan
from netplan.model.workloads import DeviceRequest, WorkloadPlan
from netplan.plan import make_plan
from netplan.render.device_plugins import shared_config
from netplan.render.pods import render_pods
from tests.factories import fabric_from

EFA = """
version: 1
site: cloud
cluster: {distribution: eks, primary_network: {cni: aws-vpc-cni, interface: eth0}}
fabric: {type: efa}
host_types:
  p5:
    instance_type: p5.48xlarge
    gpus: 8
    node_selector: {type: p5}
    hcas: {"efa[0-31]": {model: efa, speed_gbps: 100, use: pf, virtual: true}}
  p4d:
    instance_type: p4d.24xlarge
    gpus: 8
    node_selector: {type: p4d}
    hcas: {"efa[0-3]": {model: efa, speed_gbps: 100, use: pf, virtual: true}}
hosts:
  big-a: {type: p5, count: 2, labels: {topology.kubernetes.io/zone: a}}
  big-b: {type: p5, count: 2, labels: {topology.kubernetes.io/zone: b}}
  small: {type: p4d, count: 2}
networks: {efa: {mode: device-only}}
workloads:
  job: {namespace: train, hosts: [p4d], networks: [efa], gpus: 8, image: example.com/t:1, jobs: [indexed-job]}
"""

VERBS = """
version: 1
site: verbs
cluster:
  distribution: kubernetes
  primary_network: {cni: calico, interface: eth0}
  owners: {vfs: none, device_plugin: manual}
fabric: {type: infiniband}
host_types:
  wide:
    gpus: 8
    node_selector: {type: wide}
    hcas: {"ib[0-7]": {model: connectx-7, netdev: "ibs[0-7]", speed_gbps: 400, use: pf}}
  narrow:
    gpus: 8
    node_selector: {type: narrow}
    hcas:
      "ib[0-1]": {model: connectx-7, netdev: "ibs[0-1]", speed_gbps: 400, use: pf}
      store: {model: connectx-7, netdev: ibs9, speed_gbps: 400, use: storage}
hosts: {"w-[1-2]": {type: wide, id: 1}, "n-[1-2]": {type: narrow, id: 11}}
networks: {verbs: {mode: device-only, resource_name: ib}}
workloads:
  job: {namespace: train, hosts: [wide], networks: [verbs], gpus: 8, image: example.com/train:1}
"""


@cache
def planned(base: str, over: str = "") -> Plan:
    plan, problems = make_plan(fabric_from(base, over), {})
    assert not problems
    return plan


def job(base: str, over: str = "") -> WorkloadPlan:
    return planned(base, over).workloads[0]


def device(base: str, over: str = "") -> DeviceRequest:
    (found,) = job(base, over).devices
    return found


@pytest.mark.parametrize(
    ("hosts", "count", "per_node"),
    [
        ("[p4d]", 4, {"p4d": 4}),
        ("[p5]", 32, {"p5": 32}),
        ("[big-a]", 32, {"p5": 32}),
        ("[p4d, p5]", 4, {"p4d": 4, "p5": 32}),
    ],
)
def test_efa_devices_follow_from_the_host_types_of_the_workload(
    hosts: str, count: int, per_node: dict[str, int]
) -> None:
    found = device(EFA, f"workloads: {{job: {{hosts: {hosts}}}}}")
    assert (found.resource, found.count, dict(found.per_node)) == ("vpc.amazonaws.com/efa", count, per_node)


def test_a_stated_number_of_devices() -> None:
    over = "workloads: {job: {hosts: [p5], gpus: 1, pods_per_node: 8, devices: {efa: 4}}}"
    assert ("vpc.amazonaws.com/efa", "4") in job(EFA, over).limits


def test_named_hcas_are_taken_of_all_that_the_plugin_advertises() -> None:
    over = 'networks: {efa: {hcas: ["efa[0-3]"]}}\nworkloads: {job: {hosts: [p5]}}'
    found = device(EFA, over)
    assert (found.count, dict(found.per_node)) == (4, {"p5": 32})


def test_two_efa_networks_of_a_workload_share_one_resource() -> None:
    over = """
networks: {efa: {hcas: ["efa[0-1]"]}, more: {mode: device-only, hcas: [efa2]}}
workloads: {job: {networks: [efa, more]}}
"""
    assert device(EFA, over).count == 3


@pytest.mark.parametrize(
    ("hosts", "zone", "affinity"), [("[big-a]", "a", False), ("[p4d]", None, True), ("[p5]", None, True)]
)
def test_pods_stay_in_one_zone_by_labels_or_by_affinity(hosts: str, zone: str | None, affinity: bool) -> None:
    plan = planned(EFA, f"workloads: {{job: {{hosts: {hosts}}}}}")
    assert plan.workloads[0].placement.zone == zone
    texts = {a.path: a.text for a in render_pods(plan.workloads, "cloud")}
    test_job, readme = texts["pods/job/nccl-test.yaml"], texts["pods/job/README.md"]
    assert ("podAffinity" in test_job) is affinity
    assert ("with a pod affinity" in readme) is affinity
    assert (f"The labels above hold them in {zone}." in readme) is not affinity


@pytest.mark.parametrize(
    ("hosts", "count"), [("[wide]", "8"), ("[narrow]", "2"), ("[wide, narrow]", "2"), ('["n-1"]', "2")]
)
def test_whole_hcas_by_host_type(hosts: str, count: str) -> None:
    assert ("intel.com/ib", count) in job(VERBS, f"workloads: {{job: {{hosts: {hosts}}}}}").limits


@pytest.mark.parametrize(("hosts", "hcas"), [("[wide]", 8), ("[narrow]", 2), ("[wide, narrow]", 8)])
def test_a_pod_takes_one_unit_of_shared_hcas(hosts: str, hcas: int) -> None:
    over = f"networks: {{verbs: {{share_max: 12}}}}\nworkloads: {{job: {{hosts: {hosts}}}}}"
    found = device(VERBS, over)
    assert (found.resource, found.count, found.hcas, found.share_max) == ("rdma/ib", 1, hcas, 12)
    assert set(found.per_node.values()) == {12}


def test_shared_hcas_are_the_other_plugins() -> None:
    plan = planned(VERBS, "networks: {verbs: {share_max: 12}}").kubernetes
    (entry,) = shared_config(plan)["configList"]
    assert (entry["resourceName"], entry["rdmaHcaMax"]) == ("ib", 12)
    assert entry["selectors"]["ifNames"] == [f"ibs{n}" for n in range(8)]
    assert (plan.shared_plugin_owner, plan.sriov_plugin_owner) == ("manual", None)


def test_shared_hcas_without_a_name_everywhere_go_by_link_type_alone() -> None:
    """The plugin combines a selector's criteria with AND: names of one host type would exclude the other."""
    narrow = '{"ib[0-1]": {netdev: null, virtual: true}}'
    over = f"networks: {{verbs: {{share_max: 12}}}}\nhost_types: {{narrow: {{hcas: {narrow}}}}}"
    (entry,) = shared_config(planned(VERBS, over).kubernetes)["configList"]
    assert entry["selectors"] == {"vendors": ["15b3"], "linkTypes": ["infiniband"]}


ROCE = """
version: 1
site: rails
cluster: {primary_network: {cni: calico, interface: eth0}}
fabric: {type: roce, qos: {classes: {roce: {dscp: 26, priority: 3, lossless: true}}}}
rails: {count: 2, segment: stretched, vlan_ids: 100-101, supernets: [172.16.0.0/20], prefixes: [24]}
host_types:
  full:
    gpus: 8
    node_selector: {type: full}
    hcas:
      r0: {model: connectx-7, pci: "0000:18:00.0", netdev: e0, rail: 0, speed_gbps: 400, use: USE}
      r1: {model: connectx-7, pci: "0000:3b:00.0", netdev: e1, rail: 1, speed_gbps: 400, use: USE}
  half:
    gpus: 8
    node_selector: {type: half}
    hcas:
      r0: {model: connectx-7, pci: "0000:18:00.0", netdev: e0, rail: 0, speed_gbps: 400, use: USE}
hosts: {"f-[1-2]": {type: full, id: 1}, "h-[1-2]": {type: half, id: 11}}
networks: {rail: {for_each: rails, mode: MODE, namespaces: [train], resource: RESOURCE}}
workloads:
  job: {namespace: train, hosts: [half], networks: [rail], gpus: 8, image: example.com/train:1}
"""


@pytest.mark.parametrize("hosts", ["[half]", "[full]", "[full, half]"])
@pytest.mark.parametrize("resource", ["per-rail", "shared"])
@pytest.mark.parametrize("mode", ["sriov", "host-device", "macvlan", "device-only"])
def test_pods_ask_for_the_rails_that_all_their_nodes_have(mode: str, resource: str, hosts: str) -> None:
    use = "vf, vfs: 4" if mode == "sriov" else "pf"
    base = ROCE.replace("USE", use).replace("MODE", mode).replace("RESOURCE", resource)
    plan = job(base, f"workloads: {{job: {{hosts: {hosts}}}}}")
    rails = [0, 1] if hosts == "[full]" else [0]
    assert [n.attachment.rail for n in plan.nics] == ([] if mode == "device-only" else rails)
    for found in plan.devices:
        assert all(found.count <= have for have in found.per_node.values())
    assert sum(d.count for d in plan.devices) == len(rails)


@pytest.mark.parametrize(
    ("devices", "names", "rails"),
    [
        ("", "=mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_7", "8"),
        ("devices: {verbs: 2}", None, "2"),
    ],
)
def test_variables_name_the_devices_only_where_a_pod_takes_all(
    devices: str, names: str | None, rails: str
) -> None:
    named = 'host_types: {wide: {hcas: {"ib[0-7]": {rdma_device: "mlx5_[0-7]"}}}}'
    env = {e.name: e.value for e in job(VERBS, f"{named}\nworkloads: {{job: {{{devices}}}}}").env}
    assert (env.get("NCCL_IB_HCA"), env.get("UCX_MAX_RNDV_RAILS")) == (names, rails)


def test_the_hosts_own_label_states_the_zone() -> None:
    types = "host_types: {p5: {node_selector: {topology.kubernetes.io/zone: c}}}"
    hosts = {h.name: h.zone for h in planned(EFA, types).fabric.hosts}
    assert hosts == {"big-a": "a", "big-b": "b", "small": None}
