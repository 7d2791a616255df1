"""Helm charts in installation order."""

from __future__ import annotations

import json

from netplan.model.cluster import Cluster
from netplan.model.kubernetes import KubernetesPlan
from netplan.model.operators import NetworkOperatorPlan
from netplan.model.overview import ChartStep

NETWORK_OPERATOR = "nvidia/network-operator"
GPU_OPERATOR = "nvidia/gpu-operator"

_RULE = "it creates a NodeFeatureRule, so NFD's CRD must exist"
"""templates/nodefeaturerules.yaml of the chart depends on nfd.deployNodeFeatureRules, true by default, not on
nfd.enabled (Mellanox/network-operator v24.10.1 to v26.7.0-rc.2)."""

_FIRMWARE = "the SR-IOV operator and the NIC configuration operator must not both write NIC firmware"
"""The chart has no value for it before 26.1."""

_LABELS = "its components select nodes by NFD's labels"
_CERTIFICATES = "its webhooks have certificates of cert-manager"
"""operator.admissionController.useCertManager is true by default, certManager.enabled of the SR-IOV
operator's webhooks too (Mellanox/network-operator deployment/network-operator/values.yaml)."""


def plan_charts(cluster: Cluster, kubernetes: KubernetesPlan) -> tuple[ChartStep, ...]:
    """The chart that brings NFD comes first; the others are independent of each other."""
    steps = [*_network_operator(cluster, kubernetes), *_gpu_operator(cluster, kubernetes)]
    if cluster.nfd == "gpu-operator":
        steps.reverse()
    return (*steps, *_efa(kubernetes))


def _network_operator(cluster: Cluster, kubernetes: KubernetesPlan) -> list[ChartStep]:
    operator = kubernetes.network_operator
    if operator is None:
        return []
    gpu_first = cluster.nfd == "gpu-operator" and kubernetes.gpu_operator is not None
    needs = ["nfd"] if cluster.nfd == "cluster" else []
    reasons = ["it brings Node Feature Discovery"] if operator.nfd else [_RULE]
    if operator.admission_webhooks:
        needs.append("cert-manager")
        reasons.append(_CERTIFICATES)
    after = (GPU_OPERATOR,) if gpu_first else ()
    then, because = (_disable_plugins(operator), _FIRMWARE) if operator.patch_plugins else ("", "")
    return [
        ChartStep(
            chart=NETWORK_OPERATOR,
            namespace=operator.namespace,
            version="{}.{}".format(*operator.release),
            values="network-operator/values.yaml",
            after=after,
            needs=tuple(needs),
            reason="; ".join(reasons),
            then=then,
            because=because,
        )
    ]


def _disable_plugins(operator: NetworkOperatorPlan) -> str:
    """Mellanox/network-operator-docs docs/nic-conf-operator/nic-fw-configuration.rst at v25.10.0."""
    patch = json.dumps({"spec": {"disablePlugins": list(operator.patch_plugins)}})
    where = f"sriovoperatorconfigs.sriovnetwork.openshift.io default -n {operator.namespace}"
    return f"kubectl patch {where} --type=merge --patch '{patch}'"


def _gpu_operator(cluster: Cluster, kubernetes: KubernetesPlan) -> list[ChartStep]:
    gpu = kubernetes.gpu_operator
    if gpu is None:
        return []
    network_first = cluster.nfd == "network-operator" and kubernetes.network_operator is not None
    reasons = ["it brings Node Feature Discovery"] if gpu.nfd else [_LABELS]
    if gpu.driver_rdma and not gpu.use_host_mofed:
        reasons.append("its driver pods wait for the driver of the NicClusterPolicy below")
    return [
        ChartStep(
            chart=GPU_OPERATOR,
            namespace=gpu.namespace,
            version="",
            values="gpu-operator/values.yaml",
            after=(NETWORK_OPERATOR,) if network_first else (),
            needs=("nfd",) if cluster.nfd == "cluster" else (),
            reason="; ".join(reasons),
        )
    ]


def _efa(kubernetes: KubernetesPlan) -> list[ChartStep]:
    if kubernetes.efa is None or not kubernetes.efa.instance_types:
        return []
    return [
        ChartStep(
            chart="eks/aws-efa-k8s-device-plugin",
            namespace="kube-system",
            version="",
            values="efa/values.yaml",
        )
    ]
