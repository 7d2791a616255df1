"""Primary CNIs: how each is kept off the rails, and what it needs next to Multus."""

from __future__ import annotations

from collections.abc import Mapping

from netplan.model.cluster import Cluster
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PrimaryCni:
    """``pin``: setting that keeps it off the rails. ``file``: its file in the CNI directory.

    ``beside``: what must be set for Multus, empty for nothing. ``source``: of ``file`` and ``beside``.
    """

    name: str
    pin: str
    file: str
    beside: str
    source: str


RULE = "Multus makes 00-multus.conf from {file}: its own must sort first, and nothing may remove it"
"""Multus takes the first file by name other than its own (k8snetworkplumbingwg/multus-cni docs/quickstart.md;
its log line in aws/amazon-vpc-cni-k8s config/multus/README.md)."""

CNIS: Mapping[str, PrimaryCni] = {
    "calico": PrimaryCni(
        name="Calico",
        pin="pin its IP autodetection to the management interface, natOutgoing off the rail ranges",
        file="10-calico.conflist",
        beside="",
        source="docs.tigera.io, CNI configuration; k8snetworkplumbingwg/multus-cni docs/quickstart.md",
    ),
    "canal": PrimaryCni(
        name="Canal",
        pin="pin its interface choice (flannel's iface, Calico's autodetection) to the management interface",
        file="10-canal.conflist",
        beside="",
        source="rancher/rke2-docs docs/networking/multus_sriov.md",
    ),
    "flannel": PrimaryCni(
        name="Flannel",
        pin="pin its iface to the management interface",
        file="10-flannel.conflist",
        beside="",
        source="flannel-io/flannel Documentation/kube-flannel.yml",
    ),
    "cilium": PrimaryCni(
        name="Cilium",
        pin="pin its devices to the management interface",
        file="05-cilium.conflist",
        beside="Helm value `cni.exclusive: false`, else Cilium renames Multus's file to `*.cilium_bak`",
        source="rancher/rke2-docs docs/networking/multus_sriov.md; cilium/cilium daemon/cmd/cni/config.go",
    ),
    "kube-ovn": PrimaryCni(
        name="Kube-OVN",
        pin="pin its iface to the management interface",
        file="01-kube-ovn.conflist",
        beside="leave `NON_PRIMARY_CNI` false",
        source="kubeovn/kube-ovn charts/kube-ovn/values.yaml",
    ),
    "ovn-kubernetes": PrimaryCni(
        name="OVN-Kubernetes",
        pin="it uses the node's default-route interface, which must not be a rail",
        file="10-ovn-kubernetes.conf",
        beside="",
        source="openshift/machine-config-operator pull request 1105",
    ),
    "aws-vpc-cni": PrimaryCni(
        name="AWS VPC CNI",
        pin="it owns the instance's ENA interfaces; EFA devices carry no IP of its pool",
        file="10-aws.conflist",
        beside="take Multus from AWS's own manifest, config/multus of aws/amazon-vpc-cni-k8s",
        source="aws/amazon-vpc-cni-k8s config/multus/README.md",
    ),
    "other": PrimaryCni(
        name="the primary CNI",
        pin="it must not choose a rail interface for its own traffic",
        file="its own file",
        beside="confirm that it does not change other files in the CNI directory",
        source="k8snetworkplumbingwg/multus-cni docs/quickstart.md",
    ),
}
"""By cluster.primary_network.cni. ``pin`` is there because a primary CNI that picks a rail's address sends
the cluster's traffic over the fabric (docs.tigera.io/calico/latest/networking/ipam/ip-autodetection: the
first found)."""

_RKE2_CILIUM = {(1, 31): 14, (1, 32): 10, (1, 33): 6, (1, 34): 2}
"""Release -> first patch release of RKE2 whose Cilium chart sets cni.exclusive to false when Multus is on
(rancher/rke2-docs docs/networking/multus_sriov.md)."""


def beside_multus(cluster: Cluster) -> str:
    """Setting that the primary CNI needs for Multus, in words; empty for nothing."""
    cni = cluster.primary_network.cni
    stated = CNIS[cni].beside
    if cni == "cilium" and cluster.distribution == "rke2":
        return _rke2_cilium(stated, cluster.kubernetes_version)
    return stated


def _rke2_cilium(stated: str, version: tuple[int, int] | None) -> str:
    text = f"{stated}; on RKE2 in the HelmChartConfig `rke2-cilium`"
    if version is not None and version > max(_RKE2_CILIUM):
        return ""
    first = {k: v for k, v in _RKE2_CILIUM.items() if version in (None, k)}
    if not first:
        return text
    releases = ", ".join(f"v{major}.{minor}.{patch}" for (major, minor), patch in first.items())
    return f"{text}; RKE2 sets it itself from {releases} (+rke2r1) on"
