"""A small site for pod plans: two rails, two leaf groups of two hosts each, one VF per pod and rail."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from netplan.checks import pod_network, shared_resources, workloads
from netplan.checks.registry import REGISTRY, run_checks
from netplan.diagnostics import Diagnostic
from netplan.model.plan import Plan
from netplan.model.workloads import WorkloadPlan
from netplan.nos import load_nos
from netplan.plan import make_plan
from netplan.render.pods import render_pods
from tests.factories import fabric_from

BASE = """
version: 1
site: lab
cluster: {primary_network: {cni: calico, interface: eth0}, rdma_mode: exclusive}
fabric:
  type: roce
  qos: {classes: {roce: {dscp: 26, priority: 3, lossless: true}}}
rails: {count: 2, segment: leaf, vlan_ids: 100-101, supernets: [172.16.0.0/20], prefixes: [24]}
host_types:
  gpu:
    gpus: 8
    node_selector: {type: gpu}
    hcas:
      roce0: {model: connectx-5, pci: "0000:18:00.0", rail: 0, speed_gbps: 100, use: vf, vfs: 4}
      roce1: {model: connectx-5, pci: "0000:3b:00.0", rail: 1, speed_gbps: 100, use: vf, vfs: 4}
hosts:
  gpu-[1-2]: {type: gpu, id: 1, labels: {pod: a}}
  gpu-[3-4]: {type: gpu, id: 3, labels: {pod: b}}
switch_types: {leaf: {nos: sonic, model: msn2700, buffer_model: traditional, port_mtu: 9216}}
switches: {"leaf-[1-4]": {type: leaf, id: 1, role: leaf}}
links:
  - {hosts: "gpu-[1-2]", hca: roce0, switch: leaf-1, ports: "Ethernet[0-4/4]", cable_m: 5}
  - {hosts: "gpu-[1-2]", hca: roce1, switch: leaf-2, ports: "Ethernet[0-4/4]", cable_m: 5}
  - {hosts: "gpu-[3-4]", hca: roce0, switch: leaf-3, ports: "Ethernet[0-4/4]", cable_m: 5}
  - {hosts: "gpu-[3-4]", hca: roce1, switch: leaf-4, ports: "Ethernet[0-4/4]", cable_m: 5}
networks:
  rail: {for_each: rails, mode: sriov, ipam: nv-ipam, namespaces: [train], routing: script}
workloads:
  job:
    namespace: train
    hosts: ["gpu-[1-2]"]
    networks: [rail]
    gpus: 4
    image: example.com/train:1
    jobs: [mpijob]
"""

HOST_SEGMENTS = "rails: {segment: host, vlan_ids: null, prefixes: [31]}"


@cache
def plan_of(over: str = "") -> Plan:
    """The plan of the site with ``over`` merged into its inventory."""
    fabric = fabric_from(BASE, over)
    profiles, unusable = load_nos({"sonic": ("switch_types", "leaf", "nos")})
    plan, problems = make_plan(fabric, profiles)
    assert not unusable + problems
    return plan


def pods(over: str = "") -> WorkloadPlan:
    return plan_of(over).workloads[0]


def rendered(over: str = "") -> Mapping[str, str]:
    """Path below ``pods/job/`` -> text."""
    plan = plan_of(over)
    return {a.path.removeprefix("pods/job/"): a.text for a in render_pods(plan.workloads, plan.fabric.site)}


def findings(over: str = "") -> list[Diagnostic]:
    """Findings of the checks about pods and their network, on the fabric and on the plan."""
    plan = plan_of(over)
    found = [*run_checks(plan.fabric).diagnostics, *run_checks(plan).diagnostics]
    areas = (pod_network.__name__, shared_resources.__name__, workloads.__name__)
    return [d for d in found if REGISTRY[d.code].run.__module__ in areas]
