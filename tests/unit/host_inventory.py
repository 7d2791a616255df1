"""The base inventory of the host tests and its rendered files."""

from __future__ import annotations

from netplan.model.addresses import AddressPlan
from netplan.model.artifact import Artifact
from netplan.model.codes import Problems
from netplan.model.fabric import Fabric
from netplan.model.hosts import HostPlan
from netplan.plan.addresses import plan_addresses
from netplan.plan.hosts import plan_hosts
from netplan.plan.qos import plan_qos
from netplan.render.hosts import render_hosts
from tests.factories import fabric_from

ROCE = """
version: 1
site: lab
cluster:
  primary_network: {cni: calico}
  owners: {vfs: host}
  rdma_mode: exclusive
fabric:
  type: roce
  qos:
    classes:
      roce:
        dscp: 26
        priority: 3
        lossless: true
        bandwidth_percent: 50
        ecn: {kmin_bytes: 100000, kmax_bytes: 1500000}
      cnp: {dscp: 48, priority: 6, scheduling: strict}
rails: {count: 2, segment: leaf, vlan_ids: 100-101, supernets: [172.16.0.0/20], prefixes: [24]}
host_types:
  gpu:
    gpus: 8
    hcas:
      roce0: {model: connectx-5, pci: "0000:18:00.0", netdev: rail0, rail: 0, use: vf, vfs: 8}
      roce1: {model: connectx-5, pci: "0000:3b:00.0", netdev: rail1, rail: 1, use: vf, vfs: 8}
      fe0: {model: connectx-4-lx, pci: "0000:5e:00.0", netdev: eth0, use: front-end}
      st0: {model: connectx-5, pci: "0000:86:00.0", netdev: store0, use: storage}
hosts:
  gpu-[01-02]: {type: gpu, id: 1}
switch_types:
  leaf: {nos: sonic, model: msn2700}
switches:
  leaf-[1-2]: {type: leaf, id: 1, role: leaf}
links:
  - {hosts: gpu-01, hca: "roce[0-1]", switch: "leaf-[1-2]", ports: Ethernet0, cable_m: 5}
  - {hosts: gpu-02, hca: "roce[0-1]", switch: "leaf-[1-2]", ports: Ethernet4, cable_m: 30}
networks:
  rail: {for_each: rails, mode: sriov, ipam: nv-ipam, namespaces: [train], routing: sbr}
workloads:
  train:
    {namespace: train, hosts: [gpu], networks: [rail], nodes: 16, pods_per_node: 2, hugepages_2mi_mib: 1025}
"""

PODS_WITHOUT_ADDRESSES = """
rails: {segment: host, prefixes: [31], vlan_ids: null}
networks: {rail: {ipam: none, routing: none}}
"""
"""Routed host links whose addresses belong to the hosts, as pods get none."""

PVRDMA = """
version: 1
site: vsphere
cluster: {primary_network: {cni: calico}}
fabric: {type: pvrdma, mtu: 1500}
subnets: {fast: {cidr: 192.168.0.0/24}}
host_types:
  esxi: {node: false, hcas: {hca0: {model: connectx-5}}}
  vm: {hcas: {pvrdma0: {model: pvrdma, virtual: true}}}
hosts:
  esx-1: {type: esxi, id: 1, hcas: {hca0: {address: 192.168.0.24/24}}}
  vm-1: {type: vm, id: 1, runs_on: esx-1, hcas: {pvrdma0: {address: 192.168.0.51/24}}}
"""


def addresses_of(fabric: Fabric) -> AddressPlan:
    problems = Problems()
    plan = plan_addresses(fabric, problems)
    assert not problems.found
    return plan


def plans(base: str = ROCE, over: str = "") -> tuple[HostPlan, ...]:
    fabric = fabric_from(base, over)
    return plan_hosts(fabric, addresses_of(fabric), plan_qos(fabric.qos) if fabric.qos else None)


def artifacts(base: str = ROCE, over: str = "") -> dict[str, Artifact]:
    """Artifacts by path below ``hosts/``."""
    site = fabric_from(base).site
    return {a.path.removeprefix("hosts/"): a for a in render_hosts(plans(base, over), site)}


def settings(artifact: Artifact) -> list[str]:
    """Lines that are neither empty nor comments."""
    return [line for line in artifact.text.splitlines() if line and not line.startswith("#")]
