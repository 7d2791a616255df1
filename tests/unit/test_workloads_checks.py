"""NP6xx: each rule broken once, with place and message; the base site breaks none."""

from __future__ import annotations

import pytest

from netplan.diagnostics import Severity, dotted
from tests.pod_site import HOST_SEGMENTS, findings

ANY_ORDER = "networks: {rail: {resource: shared}}"
SHARED = f"cluster: {{cni_plugins: {{multus: '4.3.0'}}}}\n{ANY_ORDER}"
ONE_VF = "host_types: {gpu: {hcas: {roce0: {vfs: 1}, roce1: {vfs: 1}}}}"
SWAPPED = (
    "host_types: {gpu: {hcas: {roce0: {vfs: 1, pci: '0000:5e:00.0'}, roce1: {vfs: 1, pci: '0000:3B:00.0'}}}}"
)
ONE_HOST_SWAPPED = f"{ONE_VF}\nhosts: {{gpu-2: {{hcas: {{roce1: {{pci: '0000:05:00.0'}}}}}}}}"
NO_PCI = """
host_types: {gpu: {hcas: {roce0: {vfs: 1, pci: null, netdev: a}, roce1: {vfs: 1, pci: null, netdev: b}}}}
"""
EFA = "fabric: {type: efa, qos: null}"
MACVLAN = """
host_types: {gpu: {hcas: {roce0: {use: pf, vfs: null}, roce1: {use: pf, vfs: null}}}}
networks: {rail: {mode: macvlan, ipam: whereabouts}}
"""
TWO_LOSSLESS = "fabric: {qos: {classes: {bulk: {dscp: 18, priority: 2, lossless: true}}}}"


def job(values: str) -> str:
    return f"workloads: {{job: {{{values}}}}}"


def rail(values: str) -> str:
    return f"networks: {{rail: {{{values}}}}}"


CASES = [
    ("NP601", job("hosts: [gpu], nodes: 4"), "workloads.job.hosts", "leaf groups leaf-1, leaf-3"),
    (
        "NP602",
        f"{ANY_ORDER}\n{ONE_VF}",
        "networks.rail.resource",
        "Multus hands out its devices in any order",
    ),
    (
        "NP602",
        f"cluster: {{cni_plugins: {{multus: '4.3.1'}}}}\n{ANY_ORDER}\n{ONE_VF}",
        "networks.rail.resource",
        "Multus 4.3.1 hands out its devices in any order",
    ),
    ("NP602", SHARED, "networks.rail.resource", "a pod of job uses 2 of 8 devices on gpu"),
    ("NP602", f"{SHARED}\n{SWAPPED}", "networks.rail.resource", "PCI order gives rails 1, 0 on gpu-1"),
    ("NP602", f"{SHARED}\n{ONE_HOST_SWAPPED}", "networks.rail.resource", "rails 1, 0 on gpu-2"),
    ("NP602", f"{SHARED}\n{NO_PCI}", "networks.rail.resource", "address of roce0 is not stated on gpu-1"),
    ("NP603", job("gpus: 9"), "workloads.job.gpus", "1 pods of job with 9 GPUs each exceed the 8 of gpu"),
    (
        "NP603",
        job("gpus: 1, pods_per_node: 5"),
        "workloads.job.pods_per_node",
        "5 pods of job with 1 intel.com/rail_0 each exceed the 4 of gpu",
    ),
    ("NP604", job("nodes: 3"), "workloads.job.nodes", "a job of job takes 3 nodes, but it has 2 hosts"),
    ("NP605", job("namespace: other"), "networks.rail.namespaces", "runs in namespace other"),
    (
        "NP606",
        job("env: {NCCL_IB_TC: '96'}"),
        "workloads.job.env.NCCL_IB_TC",
        "stated as 96 and derived as 106",
    ),
    (
        "NP607",
        "host_types: {cpu: {gpus: 4}}\nhosts: {cpu-1: {type: cpu, id: 9}}\n" + job("hosts: [gpu-1, cpu-1]"),
        "workloads.job.hosts",
        "cpu has no HCA for sriov network rail",
    ),
    ("NP608", rail("routing: sbr, ipam: static"), "networks.rail.routing", "routing sbr, but ipam is static"),
    ("NP608", rail("ipam: none"), "networks.rail.routing", "routing script, but ipam is none"),
    (
        "NP608",
        f"{rail('routing: sbr')}\nrails: {{gateway: none}}",
        "networks.rail.routing",
        "the rails have no gateway",
    ),
    (
        "NP608",
        "rails: {segment: host, vlan_ids: null, supernets: ['fd00::/56'], prefixes: [127]}",
        "networks.rail.routing",
        "routed IPv6 host links",
    ),
    ("NP609", "rails: {gateway: none}", "fabric.cross_rail", "rails.gateway is none"),
    ("NP611", f"{MACVLAN}\n{job('nccl_version: 2.26.1')}", "workloads.job.nccl_version", "has NCCL 2.26.1"),
    ("NP612", EFA, "workloads.job", "uses EFA without hugepages_2mi_mib"),
    ("NP613", rail("ipam: static"), "networks.rail.ipam", "2 pods at once"),
    ("NP614", TWO_LOSSLESS, "networks.rail", "lossless classes bulk, roce"),
    ("NP615", job("hugepages_2mi_mib: 2"), "workloads.job.hugepages_2mi_mib", "neither memory_mib nor cpus"),
    (
        "NP616",
        "hosts: {'gpu-[1-2]': {labels: null}, 'gpu-[3-4]': {labels: null}}",
        "workloads.job.hosts",
        "no labels select only the hosts of type gpu",
    ),
]


@pytest.mark.parametrize(("code", "over", "at", "words"), CASES)
def test_broken_rule(code: str, over: str, at: str, words: str) -> None:
    found = [d for d in findings(over) if d.code == code]
    assert [dotted(d.path) for d in found][:1] == [at]
    assert words in found[0].message
    assert found[0].hint


def test_the_base_site_breaks_none() -> None:
    assert findings() == []


@pytest.mark.parametrize(
    "over",
    [
        f"{SHARED}\n{ONE_VF}",
        f"{HOST_SEGMENTS}\n{job('hosts: [gpu], nodes: 4')}",
        rail("routing: none") + "\nrails: {gateway: none}\nfabric: {cross_rail: aligned}",
        f"{EFA}\n{job('hugepages_2mi_mib: 5120, memory_mib: 8192')}",
        f"{MACVLAN}\n{job('nccl_version: 2.26.2')}",
        f"{TWO_LOSSLESS}\n{rail('traffic_class: roce')}",
        rail("ipam: static") + "\n" + job("nodes: 1"),
        job("gpus: 2, pods_per_node: 4"),
    ],
)
def test_the_same_with_the_fix_is_clean(over: str) -> None:
    assert findings(over) == []


@pytest.mark.parametrize("code", ["NP609", "NP611", "NP612", "NP616"])
def test_warnings(code: str) -> None:
    over = next(case[1] for case in CASES if case[0] == code)
    assert {d.severity for d in findings(over) if d.code == code} == {Severity.WARNING}


def test_two_classes_on_the_rails_of_one_pod() -> None:
    over = f"""{TWO_LOSSLESS}
networks:
  rail: {{traffic_class: roce}}
  bulk: {{for_each: rails, mode: sriov, namespaces: [train], traffic_class: bulk}}
{job("networks: [rail, bulk]")}"""
    (found,) = [d for d in findings(over) if d.code == "NP614"]
    assert found.message == "the rails of job have traffic classes bulk, roce, but a pod can use only one"


LONG = "a" * 48


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        (
            LONG,
            "mpijob",
            f"name {LONG}-nccl-test-worker-1 of nccl-test.yaml has 67 characters, the limit is 63",
        ),
        (LONG, "indexed-job", None),
        ("4d", "mpijob", "begins with 4"),
    ],
)
def test_job_names(name: str, kind: str, words: str | None) -> None:
    common = "namespace: train, hosts: ['gpu-[1-2]'], networks: [rail], image: a"
    one = f"{{{common}, jobs: [{kind}]}}"
    found = [d.message for d in findings(f"workloads: {{job: null, {name}: {one}}}") if d.code == "NP610"]
    assert [words is not None and words in message for message in found] == ([True] if words else [])
