"""NP7xx, first part: owners, operators and the objects that operators generate."""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path
from netplan.model.fabric import Fabric, Network
from netplan.model.kubernetes import Attachment
from netplan.model.modes import LACKS
from netplan.model.owners import NIC_QOS_OWNERS, Operator
from netplan.model.plan import Plan

SRIOV_KINDS = ("SriovNetwork", "SriovIBNetwork")
NVIDIA_PREFIX = "nvidia.com"
"""Resource prefix: fixed for HostDeviceNetwork, NVIDIA's chart default for SR-IOV resources
(network-operator values.yaml)."""

_FQDN = re.compile(r"[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z]{2,})+")
"""As in Mellanox/network-operator api/v1alpha1/validator/nicpolicy_webhook.go."""

_CLUSTER: Path = ("cluster",)


def _operator_count(fabric: Fabric) -> int:
    return int(fabric.cluster.network_operator is not None)


def _generated(plan: Plan) -> list[Attachment]:
    """Attachments whose NAD an operator generates, one per network."""
    by_network = {a.network.name: a for a in plan.kubernetes.attachments}
    others = ("NetworkAttachmentDefinition", "ResourceClaimTemplate", "SpiderMultusConfig")
    return [a for a in by_network.values() if a.owner_kind not in others]


def _generated_count(plan: Plan) -> int:
    return len(_generated(plan))


def _mode_at(network: Network) -> Path:
    return (*network.at, "mode")


@check("NP701", "owner not installed in the cluster", on=Fabric, counts=lambda fabric: 1)
def owner_missing(fabric: Fabric) -> Iterator[Finding]:
    """If an operator is not installed, nothing does the work it owns.

    **Why.** VFs, resources or NIC settings never appear, and nothing reports why.
    **Fix.** Add the section of the operator, or name another owner.
    **Source.** Mellanox/network-operator v26.4.1 README.md, NICClusterPolicy spec, and
    deployment/network-operator/Chart.yaml, dependencies (brings the SR-IOV operator);
    k8snetworkplumbingwg/sriov-network-operator v1.6.0 README.md, Features
    """
    cluster = fabric.cluster
    nvidia = cluster.network_operator is not None
    sections: dict[Operator, tuple[bool, str]] = {
        "sriov": (nvidia or cluster.sriov_operator is not None, "sriov_operator or network_operator"),
        "nvidia": (nvidia, "network_operator"),
    }
    own = cluster.owners
    named = (
        ("vfs", own.vfs, own.of_vfs.operator),
        ("device_plugin", own.device_plugin, own.of_devices.operator),
        ("nic_qos", own.nic_qos, NIC_QOS_OWNERS[own.nic_qos]),
    )
    for key, owner, operator in named:
        here, section = sections.get(operator, (True, ""))
        if not here:
            what = f"owners.{key} is {owner}, but the cluster has no {section}"
            yield Finding((*cluster.at, "owners", key), what, f"add cluster.{section}, or change the owner")


@check("NP702", "no operator generates the attachments of a network", on=Plan, counts=_generated_count)
def generator_missing(plan: Plan) -> Iterator[Finding]:
    """With `owners.nads: operator` the operator of the network's mode writes its NetworkAttachmentDefinition.

    **Why.** Without the operator nothing does, and pods fail with "network not found".
    **Fix.** Add the operator, or set `owners.nads: netplan`.
    **Source.** SriovNetwork: k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/helper.go; others:
    Mellanox/network-operator b06827e0 pkg/state
    """
    operator = plan.kubernetes.network_operator
    bundled = operator is not None and operator.sriov_operator
    sriov = bundled or plan.fabric.cluster.sriov_operator is not None
    for attachment in _generated(plan):
        here = sriov if attachment.owner_kind in SRIOV_KINDS else operator is not None
        if not here:
            section = "sriov_operator" if attachment.owner_kind in SRIOV_KINDS else "network_operator"
            name, kind = attachment.network.name, attachment.owner_kind
            what = f"network {name} needs a {kind}, but the cluster has no {section}"
            yield Finding(
                _mode_at(attachment.network), what, f"add cluster.{section}, or set owners.nads: netplan"
            )


def _lost(attachment: Attachment) -> list[str]:
    """Settings of an attachment that the operator's kind has no field for."""
    needs = {
        "pkey": attachment.pkey is not None,
        "rdmaIsolation": attachment.rdma == "isolation",
        "the rdma plugin": attachment.rdma == "chain",
        "sysctls": bool(attachment.sysctls),
        "an MTU": attachment.tuning_mtu is not None,
        "sbr": attachment.sbr,
    }
    return [name for name, needed in needs.items() if needed and name in LACKS[attachment.owner_kind]]


@check("NP717", "generated attachment lacks what the network needs", on=Plan, counts=_generated_count)
def generator_too_poor(plan: Plan) -> Iterator[Finding]:
    """HostDeviceNetwork, MacvlanNetwork and IPoIBNetwork cannot chain plugins; SriovIBNetwork has no P_Key.

    **Why.** Unknown fields are silently pruned: no policy routes, a wrong MTU.
    **Fix.** Set `owners.nads: netplan`.
    **Source.** CRDs of Mellanox/network-operator v26.4.1 and k8snetworkplumbingwg/sriov-network-operator
    v1.6.0
    """
    for attachment in _generated(plan):
        if lost := _lost(attachment):
            name, kind = attachment.network.name, attachment.owner_kind
            what = f"network {name} needs {', '.join(lost)}, which a {kind} cannot express"
            yield Finding(_mode_at(attachment.network), what, "set owners.nads: netplan")


@check("NP723", "generated attachment names another resource", on=Plan, counts=_generated_count)
def generator_of_other_prefix(plan: Plan) -> Iterator[Finding]:
    """An operator puts its own prefix before the resource name in the attachments it generates.

    **Why.** The device plugin advertises the name under another prefix: pods fail with "VF pci addr is
    required".
    **Fix.** Let the operator of the attachments own the device plugin, or set `owners.nads: netplan`.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/helper.go, RESOURCE_PREFIX
    """
    cluster = plan.fabric.cluster
    own = cluster.sriov_operator.resource_prefix if cluster.sriov_operator else NVIDIA_PREFIX
    prefixes = {"SriovNetwork": own, "SriovIBNetwork": own, "HostDeviceNetwork": NVIDIA_PREFIX}
    running = cluster.sriov_operator is not None or cluster.network_operator is not None
    for attachment in _generated(plan) if running else ():
        resource, prefix = attachment.resource, prefixes.get(attachment.owner_kind)
        if resource is not None and prefix not in (None, resource.prefix):
            name, kind = attachment.network.name, attachment.owner_kind
            what = (
                f"network {name} has resource {resource.full_name}, its {kind} names {prefix}/{resource.name}"
            )
            yield Finding(
                _mode_at(attachment.network), what, "set owners.nads: netplan, or change owners.device_plugin"
            )


@check("NP720", "one operator object for several namespaces", on=Plan, counts=_generated_count)
def several_namespaces(plan: Plan) -> Iterator[Finding]:
    """An operator's network object creates one NetworkAttachmentDefinition of its name, in
    networkNamespace. Objects of mellanox.com are cluster-scoped; those of the SR-IOV operator are in its
    namespace.

    **Why.** Only the first namespace gets a NetworkAttachmentDefinition.
    **Fix.** Set `owners.nads: netplan`, or write a network per namespace.
    **Source.** CRDs of Mellanox/network-operator v26.4.1; k8snetworkplumbingwg/sriov-network-operator v1.6.0
    controllers/generic_network_controller.go
    """
    for attachment in _generated(plan):
        spaces = attachment.namespaces
        if len(spaces) > 1:
            name, kind = attachment.network.name, attachment.owner_kind
            what = (
                f"network {name} has namespaces {', '.join(spaces)}, but one {kind} creates only one "
                "attachment"
            )
            yield Finding((*attachment.network.at, "namespaces"), what, "set owners.nads: netplan")


@check("NP705", "Node Feature Discovery has no owner", on=Fabric, counts=lambda fabric: 1)
def nfd_owner_missing(fabric: Fabric) -> Iterator[Finding]:
    """Exactly one component deploys Node Feature Discovery.

    **Why.** Without its labels the operators' components select no node.
    **Fix.** Name an operator of the cluster, or `cluster` if something else deploys it.
    **Source.** Mellanox/network-operator issue 1212; NVIDIA/gpu-operator issue 87
    """
    cluster = fabric.cluster
    here = {"network-operator": cluster.network_operator, "gpu-operator": cluster.gpu_operator}
    if cluster.nfd in here and here[cluster.nfd] is None:
        section = cluster.nfd.replace("-", "_")
        what = f"nfd is {cluster.nfd}, but the cluster has no {section}"
        yield Finding((*cluster.at, "nfd"), what, f"add cluster.{section}, or set nfd: cluster")


@check(
    "NP715",
    "resource prefix that the operator's webhook rejects",
    on=Plan,
    counts=lambda p: _operator_count(p.fabric),
)
def prefix_refused(plan: Plan) -> Iterator[Finding]:
    """The operator's admission webhook accepts only domain names with a dot as resource prefixes.

    **Why.** The webhook rejects the whole NicClusterPolicy.
    **Fix.** Use a prefix such as nvidia.com, or the RDMA-shared plugin's default (rdma).
    **Source.** Mellanox/network-operator b06827e0 api/v1alpha1/validator/nicpolicy_webhook.go
    """
    operator, kubernetes = plan.kubernetes.network_operator, plan.kubernetes
    if operator is None or not operator.admission_webhooks:
        return
    owners = {"sriov": kubernetes.sriov_plugin_owner, "rdma-shared": kubernetes.shared_plugin_owner}
    for resource in kubernetes.resources:
        default = resource.plugin == "rdma-shared" and resource.prefix == "rdma"
        if (
            owners.get(resource.plugin) == "nic-cluster-policy"
            and not default
            and not _FQDN.fullmatch(resource.prefix)
        ):
            at = ("networks", resource.network)
            what = f"prefix {resource.prefix} of resource {resource.name} is not a domain name with a dot"
            yield Finding(at, what, "use a prefix such as nvidia.com")
