"""Environment variables: set with a value, or left out with a reason."""

from __future__ import annotations

import pytest

from tests.pod_site import plan_of, pods


def value(over: str, name: str) -> str | None:
    return {e.name: e.value for e in pods(over).env}.get(name)


def reason(over: str, name: str) -> str:
    return {o.name: o.reason for o in pods(over).omitted}[name]


SHARED = "cluster: {rdma_mode: shared}"
PFS = """
cluster: {rdma_mode: shared}
host_types:
  gpu:
    hcas:
      roce0: {use: pf, rdma_device: mlx5_2, vfs: null}
      roce1: {use: pf, rdma_device: mlx5_0, vfs: null}
networks: {rail: {mode: host-device}}
"""
MACVLAN = PFS.replace("mode: host-device", "mode: macvlan, ipam: whereabouts")
IPV6 = "rails: {supernets: ['fd00:16::/48'], prefixes: [64]}"
DUAL = "rails: {supernets: [172.16.0.0/20, 'fd00:16::/48'], prefixes: [24, 64]}"
BESIDE = """
host_types: {gpu: {hcas: {st0: {model: connectx-5, pci: "0000:86:00.0", use: pf}}}}
subnets: {store: {cidr: 172.24.0.0/24}}
networks: {store: {mode: host-device, hcas: [st0], namespaces: [train], ipam: whereabouts, subnet: store}}
workloads: {job: {networks: [rail, store]}}
"""
PFS_BESIDE = """
host_types:
  gpu:
    hcas:
      roce0: {use: pf, rdma_device: mlx5_2, vfs: null}
      roce1: {use: pf, rdma_device: mlx5_0, vfs: null}
      st0: {model: connectx-5, pci: "0000:86:00.0", use: pf}
subnets: {store: {cidr: 172.24.0.0/24}}
networks:
  rail: {mode: host-device, hcas: [roce0, roce1]}
  store: {mode: host-device, hcas: [st0], namespaces: [train], ipam: whereabouts, subnet: store}
workloads: {job: {networks: [rail, store]}}
"""
PREFIXES = """
host_types: {gpu: {hcas: {roce0: {vf_rdma_prefix: rail0v}, roce1: {vf_rdma_prefix: rail1v}}}}
"""
QPS = "workloads: {job: {nccl: {qps_per_connection: 8, split_data_on_qps: false}}}"
FIFO = """
fabric: {qos: {classes: {control: {dscp: 48, priority: 6, scheduling: strict}}}}
workloads: {job: {nccl_version: "2.26.2", nccl: {fifo_class: control}}}
"""
PCP = "fabric: {qos: {trust: pcp}}"
ADAPTIVE = "fabric: {adaptive_routing: true}"
TWO_CLASSES = "fabric: {qos: {classes: {storage: {dscp: 18, priority: 2, lossless: true}}}}"


def nccl(version: str) -> str:
    return f"workloads: {{job: {{nccl_version: '{version}'}}}}"


@pytest.mark.parametrize(
    ("over", "name", "expected"),
    [
        ("", "NCCL_SOCKET_IFNAME", "=eth0"),
        ("cluster: {primary_network: {interface: ens3}}", "NCCL_SOCKET_IFNAME", "=ens3"),
        ("", "NCCL_IB_TC", "106"),
        ("", "UCX_IB_TRAFFIC_CLASS", "106"),
        ("fabric: {qos: {classes: {roce: {dscp: 40}}}}", "NCCL_IB_TC", "162"),
        ("", "NCCL_IB_FIFO_TC", None),
        (nccl("2.22"), "NCCL_IB_FIFO_TC", "106"),
        (nccl("2.21.5"), "NCCL_IB_FIFO_TC", None),
        ("", "NCCL_IB_ADAPTIVE_ROUTING", None),
        (ADAPTIVE, "NCCL_IB_ADAPTIVE_ROUTING", None),
        (f"{ADAPTIVE}\n{nccl('2.16')}", "NCCL_IB_ADAPTIVE_ROUTING", "1"),
        (f"{ADAPTIVE}\n{nccl('2.15.5')}", "NCCL_IB_ADAPTIVE_ROUTING", None),
        ("", "NCCL_IB_SL", None),
        (PCP, "NCCL_IB_SL", "3"),
        (PCP, "UCX_IB_SL", "3"),
        ("", "NCCL_IB_GID_INDEX", None),
        (nccl("2.20.5"), "NCCL_IB_GID_INDEX", "3"),
        (nccl("2.21"), "NCCL_IB_GID_INDEX", None),
        (f"{MACVLAN}\n{nccl('2.20.5')}", "NCCL_IB_GID_INDEX", None),
        ("", "NCCL_CROSS_NIC", None),
        ("fabric: {cross_rail: aligned}", "NCCL_CROSS_NIC", "0"),
        ("", "UCX_MAX_RNDV_RAILS", "2"),
        (PFS, "NCCL_IB_HCA", "=mlx5_2,mlx5_0"),
        (PFS, "UCX_NET_DEVICES", "mlx5_2:1,mlx5_0:1"),
        ("", "NCCL_IB_QPS_PER_CONNECTION", None),
        (QPS, "NCCL_IB_QPS_PER_CONNECTION", "8"),
        (QPS, "NCCL_IB_SPLIT_DATA_ON_QPS", "0"),
        (FIFO, "NCCL_IB_FIFO_TC", "194"),
        (FIFO, "NCCL_IB_TC", "106"),
        ("", "NCCL_IB_ADDR_FAMILY", None),
        (DUAL, "NCCL_IB_ADDR_FAMILY", None),
        (DUAL, "UCX_IB_GID_INDEX", None),
        (IPV6, "NCCL_IB_ADDR_FAMILY", "AF_INET6"),
        (IPV6, "UCX_IB_GID_INDEX", "3"),
        (f"{IPV6}\n{nccl('2.20.5')}", "NCCL_IB_GID_INDEX", "3"),
        (PFS_BESIDE, "NCCL_IB_HCA", "=mlx5_2,mlx5_0"),
        (PFS_BESIDE, "UCX_NET_DEVICES", "mlx5_2:1,mlx5_0:1"),
        (PREFIXES, "NCCL_IB_HCA", "rail0v,rail1v"),
        (PREFIXES, "UCX_NET_DEVICES", None),
        ("", "FI_PROVIDER", None),
        ("fabric: {type: efa, qos: null}", "FI_PROVIDER", "efa"),
        ("fabric: {type: efa, qos: null}", "FI_EFA_USE_DEVICE_RDMA", "1"),
        ("fabric: {type: pvrdma}", "NCCL_IB_DISABLE", "0"),
    ],
)
def test_value(over: str, name: str, expected: str | None) -> None:
    assert value(over, name) == expected


@pytest.mark.parametrize(
    ("over", "name", "part"),
    [
        ("", "NCCL_IB_HCA", "rdma_mode is exclusive"),
        (SHARED, "NCCL_IB_HCA", "another name in every pod"),
        (BESIDE, "NCCL_IB_HCA", "another name in every pod"),
        (PREFIXES, "UCX_NET_DEVICES", "whole names only"),
        (f"{MACVLAN}\n{IPV6}", "UCX_IB_GID_INDEX", "only the job can see"),
        (f"{IPV6}\n{nccl('2.26.2')}", "NCCL_IB_GID_INDEX", "IPv6 address itself"),
        (PFS.replace(", rdma_device: mlx5_0", ""), "NCCL_IB_HCA", "rdma_device is not stated"),
        (
            f"{PFS}\nhosts: {{gpu-2: {{hcas: {{roce0: {{rdma_device: mlx5_9}}}}}}}}",
            "NCCL_IB_HCA",
            "other names from host to host",
        ),
        (f"{PFS}\nworkloads: {{job: {{pods_per_node: 2}}}}", "NCCL_IB_HCA", "take different devices"),
        (MACVLAN, "NCCL_IB_GID_INDEX", "another index in every pod"),
        ("", "NCCL_IB_GID_INDEX", "nccl_version is not stated"),
        ("fabric: {qos: null}", "NCCL_IB_TC", "no fabric.qos"),
        (TWO_CLASSES, "NCCL_IB_TC", "no traffic class, or several"),
        ("fabric: {type: pvrdma}", "NCCL_IB_TC", "hypervisor"),
        ("fabric: {type: efa, qos: null}", "NCCL_IB_HCA", "libfabric"),
    ],
)
def test_reason_for_leaving_out(over: str, name: str, part: str) -> None:
    assert value(over, name) is None
    assert part in reason(over, name)


def test_a_stated_variable_is_not_listed_as_left_out() -> None:
    plan = pods("workloads: {job: {env: {NCCL_NET_GDR_LEVEL: SYS}}}")
    assert {e.name: e.value for e in plan.env}["NCCL_NET_GDR_LEVEL"] == "SYS"
    assert "NCCL_NET_GDR_LEVEL" not in {o.name for o in plan.omitted}


def test_the_class_of_a_storage_network_is_not_the_rails() -> None:
    over = """
fabric: {qos: {classes: {storage: {dscp: 18, priority: 2, lossless: true}}}}
networks:
  rail: {traffic_class: roce}
  store: {mode: sriov, namespaces: [train], traffic_class: storage}
workloads: {job: {networks: [rail, store]}}
"""
    assert value(over, "NCCL_IB_TC") == "106"


def test_every_variable_has_a_reason_and_a_source() -> None:
    assert all(e.reason and e.source for e in pods().env)


def test_only_networks_beside_the_rails_are_named() -> None:
    assert pods().beside_rails == ()
    assert pods(BESIDE).beside_rails == ("store",)


def test_pods_with_ipv6_rails_take_no_router_advertisements() -> None:
    key = "net.ipv6.conf.IFNAME.accept_ra"
    found = {
        over: dict(plan_of(over).kubernetes.attachments[0].sysctls).get(key) for over in ("", IPV6, DUAL)
    }
    assert found == {"": None, IPV6: "0", DUAL: "0"}


SPINE = """
switches: {spine-1: {type: leaf, id: 101, role: spine}}
links:
  - {hosts: "gpu-[1-2]", hca: roce0, switch: leaf-1, ports: "Ethernet[0-4/4]", cable_m: 5}
  - {hosts: "gpu-[1-2]", hca: roce1, switch: leaf-2, ports: "Ethernet[0-4/4]", cable_m: 5}
  - {switches: "leaf-[1-2]", ports: Ethernet64, to: spine-1, to_ports: "Ethernet[0-4/4]", cable_m: 40}
"""


@pytest.mark.parametrize(
    ("over", "part"),
    [
        (QPS, "no switch links to choose among"),
        (f"{QPS}\n{SPINE}", "a hash of addresses and UDP ports (seed 10 on leaf switches, seed 20 on spine"),
        (f"{QPS}\n{ADAPTIVE}", "for each packet by load"),
    ],
)
def test_queue_pairs_say_how_switches_choose(over: str, part: str) -> None:
    found = {e.name: e.reason for e in pods(over).env}["NCCL_IB_QPS_PER_CONNECTION"]
    assert part in found
