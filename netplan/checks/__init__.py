"""Rules about intent (Fabric) and about the result (Plan); importing an area registers its checks."""

from __future__ import annotations

from netplan.checks import (  # noqa: F401  importing a module registers its checks
    abilities,
    acceptance,
    addressing,
    buffers,
    cabling,
    deadlock,
    dra,
    frr,
    gangs,
    identity,
    interfaces,
    kubernetes,
    multipath,
    nic_qos,
    objects,
    platforms,
    pod_devices,
    pod_network,
    pod_tables,
    pools,
    port_settings,
    ports,
    qos,
    rail_devices,
    rails,
    rdma,
    reach,
    selectors,
    spiderpool,
    sriov,
    stated_env,
    switch,
    symmetry,
    unbound,
    uncabled,
    underlay,
    vlan,
    waste,
    workloads,
)
from netplan.checks.acceptance import entry_problems, expired
from netplan.checks.registry import REGISTRY, Finding, Outcome, check, run_checks

__all__ = ["REGISTRY", "Finding", "Outcome", "check", "entry_problems", "expired", "run_checks"]
