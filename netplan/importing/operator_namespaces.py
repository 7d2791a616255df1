"""Namespaces of the Network Operator and of an SR-IOV operator that its chart did not install."""

from __future__ import annotations

from dataclasses import replace

from netplan.importing.facts import Site
from netplan.importing.kubernetes.pools import OF_POOLS
from netplan.importing.text import Entry, stated

_DEFAULT = "nvidia-network-operator"
_OWN = frozenset({"sriov-network-operator", "openshift-sriov-network-operator"})
"""Namespaces that a stand-alone operator is installed in (k8snetworkplumbingwg/sriov-network-operator
d52db0d3 doc/quickstart.md, hack/env.sh)."""


def runs_network_operator(site: Site) -> bool:
    """Its policy says so, or pools outside the namespace of a stand-alone nv-ipam."""
    return any(site.said("cluster", (), name) is not None for name in ("network_operator", OF_POOLS))


def operator_namespace(site: Site) -> Entry | None:
    """That of pools, else that of the policies where these are in no namespace of a stand-alone operator."""
    own = stated(site, "cluster", (), "operator_namespace")
    policies = stated(site, "cluster", (), "sriov_namespace")
    if own is not None or policies is None or policies.value in (*_OWN, _DEFAULT, ""):
        return own
    alone = "state sriov_operator if the SR-IOV operator there is stand-alone"
    return replace(policies, comment=f"of the policies, {policies.comment}; {alone}")


def stands_alone(site: Site) -> bool:
    """Policies in another namespace than that of the Network Operator."""
    own, policies = (site.text("cluster", (), name) for name in ("operator_namespace", "sriov_namespace"))
    disputed = site.conflict("cluster", (), "operator_namespace") is not None
    if not policies or disputed:
        return False
    return policies != own if own else policies in _OWN
