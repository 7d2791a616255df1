"""NP731: a VF handed out by both a device plugin and a DRA driver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import SRIOV_DRA, ObjectGraph
from netplan.graph.kubernetes.node_selection import surely_meet
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.claims import rows
from netplan.rules.kubernetes.registry import ObjectFinding, rule

SELECTORS = {"pfNames": "pfNames", "pfPciAddresses": "rootDevices", "pciAddresses": "pciAddresses"}
"""Filters of the DRA driver -> the corresponding selectors of device plugin and operator."""
Owned = tuple[Thing, Path, dict[str, Any], dict[str, Any] | None]
"""Object, place of the selector, the selector, labels of its nodes (None if it uses more than plain
labels)."""


def _by_driver(cluster: ObjectGraph) -> list[Owned]:
    return [
        (policy, ("spec", "configs", c, "resourceFilters", f), row, _labels(policy.spec.get("nodeSelector")))
        for policy in cluster.of(SRIOV_DRA, "SriovResourcePolicy")
        for c, config in rows(policy.spec.get("configs"))
        for f, row in rows(config.get("resourceFilters"))
    ]


def _labels(selector: Any) -> dict[str, Any] | None:
    """Labels of a core NodeSelector with one term and one value per label; empty if it selects every node."""
    terms = listing(mapping(selector).get("nodeSelectorTerms"))
    if not terms:
        return {}
    wanted = listing(mapping(terms[0]).get("matchExpressions"))
    plain = all(
        mapping(e).get("operator") == "In" and len(listing(mapping(e).get("values"))) == 1 for e in wanted
    )
    if len(terms) > 1 or not plain or mapping(terms[0]).get("matchFields"):
        return None
    return {str(e.get("key")): e["values"][0] for e in wanted}


def _by_plugin(cluster: ObjectGraph) -> list[Owned]:
    """Selectors of device plugins, including the policies of the operator, which configures the device
    plugin from them."""
    found: list[Owned] = [
        (p, ("spec", "nicSelector"), mapping(p.spec.get("nicSelector")), mapping(p.spec.get("nodeSelector")))
        for p in cluster.policies
    ]
    for config in cluster.configs:
        for at, entry in config.entries if not config.shared else ():
            selectors = entry.get("selectors")
            each = selectors if isinstance(selectors, list) else [selectors]
            found += [(config.thing, (*at, "selectors"), mapping(s), {}) for s in each]
    return found


def _devices_of(selector: dict[str, Any], key: str) -> set[str]:
    """Devices without their VF ranges: a filter of the DRA driver takes every VF of a PF."""
    return {str(name).partition("#")[0] for name in listing(selector.get(key)) if not templated(name)}


def _both(cluster: ObjectGraph) -> list[Owned]:
    return _by_driver(cluster) if _by_plugin(cluster) else []


@rule("NP731", "device plugin and DRA driver offer the same VFs", on=_both, severity=Severity.INFO)
def two_owners(cluster: ObjectGraph, owned: Owned) -> Iterator[ObjectFinding]:
    """A VF has one owner on a node: the SR-IOV device plugin, or the SR-IOV DRA driver.

    **Why.** Neither knows of the other: where pods ask both, both hand out the same VF, and the second pod
    fails or takes it from the first. The SR-IOV operator gives every policy's VFs to its device plugin.
    **Fix.** Ask for the devices of the PF by one of the two only, or run them on different nodes.
    **Source.** k8snetworkplumbingwg/dra-driver-sriov cd9404f0 README.md;
    k8snetworkplumbingwg/sriov-network-operator 249e200 controllers/sriovnetworknodepolicy_controller.go.
    """
    policy, at, row, nodes = owned
    for other, place, selector, labels in _by_plugin(cluster):
        if nodes is None or labels is None or not surely_meet(nodes, labels):
            continue
        for key, twin in SELECTORS.items():
            shared = sorted(_devices_of(row, key) & _devices_of(selector, twin))
            if shared:
                message = (
                    f"VFs of {', '.join(shared)} are also handed out by {other} at {other.source(place)}"
                )
                yield ObjectFinding(policy, (*at, key), message, "ask for them by one of the two only")
