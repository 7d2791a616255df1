"""The stages below ``kubernetes/``: folders that are applied one after another, and the stage of each kind.

A kind is in the first stage in which its CRD certainly exists. The CRDs of IPPool, CIDRPool and
NicConfigurationTemplate are in no chart: the Network Operator applies them after reconciling a
NicClusterPolicy that asks for them.

Sources: manifests/state-nv-ipam-cni and manifests/state-nic-configuration-operator of
https://github.com/Mellanox/network-operator (24.10 to 26.7); the chart's crds/ has all other kinds of its
groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum

from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """``folder``: below ``kubernetes/``. ``holds``: for the page. ``ready``: a command that waits until the
    next stage can be applied; empty if there is nothing to wait for. ``timeout``: of that wait."""

    folder: str
    holds: str
    ready: str = ""
    timeout: str = "5m"

    @property
    def name(self) -> str:
        """Without the number."""
        return self.folder.partition("-")[2]


PREREQUISITES = Stage(folder="10-prerequisites", holds="Namespaces that the objects are created in")
OPERATOR = Stage(
    folder="20-operator",
    holds="what the Network Operator deploys",
    ready="kubectl wait nicclusterpolicy/nic-cluster-policy "
    "--for=jsonpath='{.status.state}'=ready --timeout=30m",
    timeout="30m",
)
NETWORKS = Stage(folder="30-networks", holds="address pools and networks")
DEVICE_PLUGINS = Stage(folder="40-device-plugins", holds="virtual functions, NIC settings and device plugins")
WORKLOADS = Stage(folder="50-workloads", holds="what pods refer to")

STAGES = (PREREQUISITES, OPERATOR, NETWORKS, DEVICE_PLUGINS, WORKLOADS)
"""In the order in which they are applied."""


GITOPS = ("argocd", "flux")
"""Folders beside the stages, with the objects by which Argo CD and Flux apply them."""


class Removal(Enum):
    """What a GitOps tool does with an object that is no longer in the tree."""

    PRUNE = "prune"
    ASK = "ask"
    """Removing it drains or reboots nodes, or takes addresses from running pods."""
    NEVER = "never"
    """Everything in it would be removed too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlacement:
    """``late``: the operator applies the CRD, not a chart. ``reports``: apiVersion of a kind whose
    ``status.state`` says when it is ready."""

    stage: Stage
    removal: Removal = Removal.PRUNE
    late: bool = False
    reports: str = ""


MELLANOX = "mellanox.com/v1alpha1"

KINDS: Mapping[str, StagePlacement] = {
    "Namespace": StagePlacement(stage=PREREQUISITES, removal=Removal.NEVER),
    "NicClusterPolicy.mellanox.com": StagePlacement(stage=OPERATOR, removal=Removal.ASK, reports=MELLANOX),
    "IPPool.nv-ipam.nvidia.com": StagePlacement(stage=NETWORKS, removal=Removal.ASK, late=True),
    "CIDRPool.nv-ipam.nvidia.com": StagePlacement(stage=NETWORKS, removal=Removal.ASK, late=True),
    "SpiderIPPool.spiderpool.spidernet.io": StagePlacement(stage=NETWORKS, removal=Removal.ASK),
    "SpiderMultusConfig.spiderpool.spidernet.io": StagePlacement(stage=NETWORKS),
    "NetworkAttachmentDefinition.k8s.cni.cncf.io": StagePlacement(stage=NETWORKS),
    "HostDeviceNetwork.mellanox.com": StagePlacement(stage=NETWORKS, reports=MELLANOX),
    "MacvlanNetwork.mellanox.com": StagePlacement(stage=NETWORKS, reports=MELLANOX),
    "IPoIBNetwork.mellanox.com": StagePlacement(stage=NETWORKS, reports=MELLANOX),
    "SriovNetwork.sriovnetwork.openshift.io": StagePlacement(stage=NETWORKS),
    "SriovIBNetwork.sriovnetwork.openshift.io": StagePlacement(stage=NETWORKS),
    "SriovNetworkPoolConfig.sriovnetwork.openshift.io": StagePlacement(
        stage=DEVICE_PLUGINS, removal=Removal.ASK
    ),
    "SriovNetworkNodePolicy.sriovnetwork.openshift.io": StagePlacement(
        stage=DEVICE_PLUGINS, removal=Removal.ASK
    ),
    "NicConfigurationTemplate.configuration.net.nvidia.com": StagePlacement(stage=DEVICE_PLUGINS, late=True),
    "ConfigMap": StagePlacement(stage=DEVICE_PLUGINS),
    "DeviceClass.resource.k8s.io": StagePlacement(stage=DEVICE_PLUGINS),
    "DeviceAttributes.sriovnetwork.k8snetworkplumbingwg.io": StagePlacement(stage=DEVICE_PLUGINS),
    "SriovResourcePolicy.sriovnetwork.k8snetworkplumbingwg.io": StagePlacement(stage=DEVICE_PLUGINS),
    "ResourceClaimTemplate.resource.k8s.io": StagePlacement(stage=WORKLOADS),
}
"""Kind and API group, as kubectl writes them, of every object below ``kubernetes/``."""

BUILT_IN_NAMESPACES = frozenset({"default", "kube-node-lease", "kube-public", "kube-system"})
"""Every cluster has them (https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/)."""


def folder_of(path: str) -> str:
    """First folder below ``kubernetes/`` of an output file; empty if there is none."""
    return path.removeprefix("kubernetes/").rpartition("/")[0].split("/")[0]


def present(paths: Iterable[str]) -> list[Stage]:
    """Stages that have files."""
    folders = {folder_of(path) for path in paths}
    return [stage for stage in STAGES if stage.folder in folders]


def qualified(api_version: str, kind: str) -> str:
    """``IPPool.nv-ipam.nvidia.com``; of a kind of the core group its name alone."""
    group, slash, _ = api_version.partition("/")
    return f"{kind}.{group}" if slash else kind
