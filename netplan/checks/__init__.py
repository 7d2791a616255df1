"""Rules about intent (Fabric) and about the result (Plan); importing an area registers its checks."""

from __future__ import annotations

from netplan.checks import (  # noqa: F401  importing a module registers its checks
    addressing,
    cabling,
    identity,
    interfaces,
    kubernetes,
    objects,
    platforms,
    pod_devices,
    pod_network,
    pools,
    qos,
    rails,
    rdma,
    reach,
    selectors,
    sriov,
    stated_env,
    switch,
    symmetry,
    uncabled,
    underlay,
    vlan,
    waste,
    workloads,
)
from netplan.checks.registry import REGISTRY, Finding, Outcome, check, run_checks

__all__ = ["REGISTRY", "Finding", "Outcome", "check", "run_checks"]
