"""Operators and plugins that the files disable although objects need them."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.graph.kubernetes.cluster import NV_IPAM, NVIDIA, ObjectGraph
from netplan.reading.kubernetes.objects import inside, mapping
from netplan.trace.model import Fault, unproved

_CHART_NAMESPACE = "nvidia-network-operator"
"""Where the chart of the Network Operator is installed, and its SR-IOV operator with it
(Mellanox/network-operator-docs 0c0ecad docs/deployment-guide-kubernetes.rst, helm install -n;
Mellanox/network-operator b06827e deployment/network-operator/values.yaml, sriovNetworkOperator.enabled)."""


def switched_off(cluster: ObjectGraph) -> Iterator[Fault]:
    yield from _sriov(cluster)
    yield from _nv_ipam(cluster)


def _sriov(cluster: ObjectGraph) -> Iterator[Fault]:
    waiting = next((p for p in cluster.policies if p.namespace == _CHART_NAMESPACE), None)
    for values in cluster.tree.values:
        stated = mapping(values.body.get("sriovNetworkOperator"))
        if waiting is None or "network-operator/" not in values.file or stated.get("enabled") is True:
            continue
        source = values.source(("sriovNetworkOperator", "enabled"))
        said = f"sriovNetworkOperator.enabled is not true ({source.file}:{source.line})"
        yield unproved(f"{said}: no file installs the operator that reads {waiting}")


def _nv_ipam(cluster: ObjectGraph) -> Iterator[Fault]:
    """Disabled nv-ipam in the NicClusterPolicy, if there is one (Mellanox/network-operator api/v1alpha1
    NicClusterPolicySpec, nvIpam)."""
    pool = next(iter(cluster.of(NV_IPAM, "IPPool", "CIDRPool")), None)
    policies = cluster.of(NVIDIA, "NicClusterPolicy")
    if pool is None or not policies or any(inside(p.spec, ("nvIpam",)) is not None for p in policies):
        return
    source = policies[0].source(("spec",))
    said = f"{policies[0]} has no nvIpam ({source.file}:{source.line})"
    yield unproved(f"{said}: no file installs nv-ipam, which reads {pool}")
