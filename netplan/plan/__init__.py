"""Fabric -> Plan: every decision is made here, once."""

from __future__ import annotations

from collections.abc import Mapping

from netplan.diagnostics import Diagnostic
from netplan.model.codes import Problems
from netplan.model.fabric import Fabric
from netplan.model.nos import NosProfile
from netplan.model.plan import Plan
from netplan.plan.addresses import plan_addresses
from netplan.plan.delivery import plan_delivery
from netplan.plan.gitops import plan_gitops
from netplan.plan.hosts import plan_hosts
from netplan.plan.kubernetes import plan_kubernetes
from netplan.plan.kueue import plan_kueue
from netplan.plan.overview import plan_overview
from netplan.plan.port_vlans import plan_port_vlans
from netplan.plan.qos import plan_qos
from netplan.plan.switches import plan_switches
from netplan.plan.workloads import plan_workloads


def make_plan(fabric: Fabric, nos: Mapping[str, NosProfile]) -> tuple[Plan, list[Diagnostic]]:
    """The whole plan, and diagnostics where a numbering formula exceeds its address space."""
    problems = Problems()
    addresses = plan_addresses(fabric, problems)
    qos = plan_qos(fabric.qos) if fabric.qos else None
    kubernetes = plan_kubernetes(fabric, addresses, qos)
    workloads = plan_workloads(fabric, addresses, qos, kubernetes)
    switches = plan_switches(fabric, addresses, qos, nos, plan_port_vlans(addresses))
    overview = plan_overview(fabric, kubernetes, workloads)
    hosts = plan_hosts(fabric, addresses, qos)
    plan = Plan(
        fabric=fabric,
        addresses=addresses,
        qos=qos,
        kubernetes=kubernetes,
        overview=overview,
        gitops=plan_gitops(fabric, overview.charts),
        hosts=hosts,
        delivery=plan_delivery(fabric, hosts),
        switches=switches,
        workloads=workloads,
        kueue=plan_kueue(fabric, workloads),
    )
    return plan, problems.found
