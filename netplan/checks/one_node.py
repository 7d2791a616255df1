"""NP515: host types whose policies and NIC templates meet on one node."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from netplan.checks.maintenance import pools_on_one_node
from netplan.checks.registry import Finding, check
from netplan.model.hardware import HostType
from netplan.model.kubernetes import VfPolicy
from netplan.model.operators import NicTemplate
from netplan.model.plan import Plan


def on_one_node(plan: Plan) -> Iterator[tuple[HostType, HostType]]:
    """Pairs of host types of which the nodes of the second have all labels of the first. NP741 has those in
    two pools of the SR-IOV operator."""
    pooled = {(w, n) for a, b in pools_on_one_node(plan) for w in a.host_types for n in b.host_types}
    nodes = [t for t in plan.fabric.host_types if t.node and t.node_selector]
    for wide, narrow in permutations(nodes, 2):
        covers = set(wide.node_selector) <= set(narrow.node_selector)
        first = wide.node_selector != narrow.node_selector or wide.name < narrow.name
        if covers and first and (wide.name, narrow.name) not in pooled:
            yield wide, narrow


def claimed_twice(plan: Plan, wide: HostType, narrow: HostType) -> str:
    """The objects that both host types have for one NIC; "" if none."""
    policies = {
        t.name: [p for p in plan.kubernetes.policies if p.host_type == t.name] for t in (wide, narrow)
    }
    for mine in policies[narrow.name]:
        for theirs in policies[wide.name]:
            if (port := _port(mine, theirs)) and mine.name != theirs.name:
                return f"SriovNetworkNodePolicies {theirs.name} and {mine.name} for {port}"
    templates = {
        t.name: [n for n in plan.kubernetes.nic_templates if n.host_type == t.name] for t in (wide, narrow)
    }
    for own in templates[narrow.name]:
        for other in templates[wide.name]:
            if _one_card(own, other):
                return (
                    f"NicConfigurationTemplates {other.name} and {own.name} for NICs of type {own.nic_type}"
                )
    return ""


def _port(one: VfPolicy, other: VfPolicy) -> str:
    """A PF of which both take a VF; "" without one. A root device is whole: the webhook takes it once."""
    if (one.vendor, one.device_id) != (other.vendor, other.device_id):
        return ""
    whole = sorted({*one.root_devices} & {*other.root_devices})
    named = [a for a in one.pf_names for b in other.pf_names if _overlap(a, b)]
    return next(iter((*whole, *named)), "")


def _overlap(one: str, other: str) -> bool:
    """Whether two names, each with ``#first-last`` or without, take one VF."""
    (name, _, vfs), (same, _, others) = one.partition("#"), other.partition("#")
    if name != same or not vfs or not others:
        return name == same
    (first, last), (start, end) = (map(int, text.split("-")) for text in (vfs, others))
    return first <= end and start <= last


def _one_card(one: NicTemplate, other: NicTemplate) -> bool:
    """Without addresses a template is for every card of its type."""
    addresses = {*one.pci_addresses} & {*other.pci_addresses}
    everywhere = not one.pci_addresses or not other.pci_addresses
    return one.nic_type == other.nic_type and bool(everywhere or addresses)


def _objects(plan: Plan) -> int:
    return len(plan.kubernetes.policies) + len(plan.kubernetes.nic_templates)


@check("NP515", "NIC of a node in objects of two host types", on=Plan, counts=_objects)
def two_owners(plan: Plan) -> Iterator[Finding]:
    """Policies and NIC templates select nodes by `node_selector`: with the same labels, or some of them,
    those of both host types apply to one node.

    **Why.** The webhook of the SR-IOV operator refuses the second policy for a root device, and of two
    policies for one VF the operator drops one. Of two templates for one NIC the NIC Configuration Operator
    applies neither.
    **Fix.** Give each host type a label value of its own, or write one host type for both.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go,
    api/v1/helper.go; Mellanox/nic-configuration-operator 8bfbeb34 README.md
    """
    for wide, narrow in on_one_node(plan):
        if what := claimed_twice(plan, wide, narrow):
            labels = ", ".join(f"{k}={v}" for k, v in wide.node_selector)
            message = f"{labels} selects nodes of {wide.name} and of {narrow.name}, which have {what}"
            hint = "give each host type a label value of its own, or write one host type for both"
            yield Finding((*narrow.at, "node_selector"), message, hint)
