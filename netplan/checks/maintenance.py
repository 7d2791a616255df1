"""NP741, NP743: operators that drain nodes to reconfigure their NICs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from netplan.checks.registry import Finding, check
from netplan.model.kubernetes import PoolConfig
from netplan.model.plan import Plan


def _pool_count(plan: Plan) -> int:
    return len(plan.kubernetes.pool_configs)


def pools_on_one_node(plan: Plan) -> Iterator[tuple[PoolConfig, PoolConfig]]:
    """Pairs of pools of which the nodes of the second also carry the labels of the first."""
    for wide, narrow in permutations(plan.kubernetes.pool_configs, 2):
        if wide.node_selector and set(wide.node_selector) < set(narrow.node_selector):
            yield wide, narrow


@check("NP741", "node in two SriovNetworkPoolConfigs", on=Plan, counts=_pool_count)
def node_in_two_pools(plan: Plan) -> Iterator[Finding]:
    """Every host type with a SriovNetworkNodePolicy has a SriovNetworkPoolConfig, which selects nodes by
    the labels of the host type.

    **Why.** The SR-IOV operator drains no node that two pools select ("node is part of more then one pool"):
    the policies of the node are never applied.
    **Fix.** Give each host type its own label value. The same labels will do for types without a common NIC.
    **Source.** findNodePoolConfig in k8snetworkplumbingwg/sriov-network-operator 249e2001
    controllers/drain_controller_helper.go v1.6.0; controllers/drain_controller.go v1.3.0
    """
    types = {t.name: t for t in plan.fabric.host_types}
    for wide, narrow in pools_on_one_node(plan):
        labels = ", ".join(f"{k}={v}" for k, v in wide.node_selector)
        second = narrow.host_types[0]
        what = f"nodes of {second}, in pool {narrow.name}, also have the labels of pool {wide.name}: {labels}"
        at = (*types[second].at, "node_selector")
        yield Finding(at, what, "give each host type a label value of its own")


@check("NP743", "percentage of nodes that rounds to zero", on=Plan, counts=_pool_count)
def none_unavailable(plan: Plan) -> Iterator[Finding]:
    """The SR-IOV operator takes a percentage of the nodes of a pool and rounds down.

    **Why.** At 0 it drains no node, so a new number of VFs or MTU is never applied.
    **Fix.** State a number of nodes, or a percentage that gives at least one.
    **Source.** MaxUnavailable in k8snetworkplumbingwg/sriov-network-operator 249e2001 api/v1/helper.go v1.6.0
    (GetScaledValueFromIntOrPercent with roundUp false)
    """
    for pool in plan.kubernetes.pool_configs:
        if pool.nodes and pool.at_once == 0:
            nodes = f"the {pool.nodes} nodes" if pool.nodes > 1 else "the one node"
            least = -(-100 // pool.nodes)
            what = f"max_unavailable {pool.max_unavailable} of {nodes} of {pool.host_types[0]} is 0"
            at = ("cluster", "maintenance", "max_unavailable")
            yield Finding(at, what, f"state 1, or at least {least}%")
            return
