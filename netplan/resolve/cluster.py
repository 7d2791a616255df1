"""The sections without references: cluster, QoS, ARP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.model.cluster import (
    ArgoCd,
    Cluster,
    CniPlugins,
    Flux,
    GitOps,
    GpuOperator,
    HostDelivery,
    Kueue,
    Maintenance,
    NetworkOperator,
    Owners,
    PrimaryNetwork,
    Spiderpool,
    SriovOperator,
)
from netplan.model.fabric import Arp, Ecn, Qos, QosClass, Watchdog
from netplan.model.operator_releases import StatedImage
from netplan.resolve.context import Context

CNI_PROGRAMS = ("plugins", "sriov_cni", "whereabouts", "multus")


def build_cluster(cluster: Mapping[str, Any], context: Context) -> Cluster:
    primary = cluster["primary_network"]
    where = ("cluster", "primary_network")
    cidrs = {
        key: context.network(primary[key], (*where, key)) if key in primary else None
        for key in ("pod_cidr", "service_cidr")
    }
    version = cluster.get("kubernetes_version")
    return Cluster(
        distribution=cluster["distribution"],
        kubernetes_version=_pair(version) if version else None,
        primary_network=PrimaryNetwork(cni=primary["cni"], interface=primary["interface"], **cidrs),
        owners=Owners(**cluster["owners"]),
        network_operator=_network_operator(cluster.get("network_operator"), context),
        sriov_operator=SriovOperator(**cluster["sriov_operator"]) if "sriov_operator" in cluster else None,
        gpu_operator=GpuOperator(**cluster["gpu_operator"]) if "gpu_operator" in cluster else None,
        gang_scheduler=cluster.get("gang_scheduler"),
        kueue=_kueue(cluster.get("kueue")),
        spiderpool=(
            Spiderpool(release=_pair(cluster["spiderpool"]["release"])) if "spiderpool" in cluster else None
        ),
        cni_plugins=CniPlugins(**{k: _numbers(cluster, k) for k in CNI_PROGRAMS}),
        nfd=cluster["nfd"],
        rdma_mode=cluster["rdma_mode"],
        memlock=cluster["memlock"],
        maintenance=Maintenance(**cluster["maintenance"]),
        present=tuple(cluster["present"]),
        gitops=_gitops(cluster.get("gitops")),
        host_delivery=_host_delivery(cluster.get("host_delivery")),
    )


def _host_delivery(values: Mapping[str, Any] | None) -> HostDelivery | None:
    if values is None:
        return None
    daemonset = values.get("daemonset", {})
    return HostDelivery(
        ansible=values["ansible"],
        butane=values.get("butane"),
        image=daemonset.get("image"),
        namespace=daemonset.get("namespace", ""),
    )


def _kueue(values: Mapping[str, Any] | None) -> Kueue | None:
    if values is None:
        return None
    return Kueue(release=_pair(values["release"]) if "release" in values else None, rails=values["rails"])


def _numbers(cluster: Mapping[str, Any], program: str) -> tuple[int, ...] | None:
    """Of a version with three parts, the last one 0 where it is left out."""
    stated = cluster.get("cni_plugins", {}).get(program)
    if stated is None:
        return None
    major, minor, patch = [*map(int, stated.split(".")), 0][:3]
    return major, minor, patch


def _pair(text: str) -> tuple[int, int]:
    major, minor = text.split(".")
    return int(major), int(minor)


def _gitops(values: Mapping[str, Any] | None) -> GitOps | None:
    if values is None:
        return None
    flux = values.get("flux")
    return GitOps(
        repository=values["repository"],
        path=values["path"],
        branch=values["branch"],
        prune=values["prune"],
        charts=values["charts"],
        chart_versions=values["chart_versions"],
        argo_cd=ArgoCd(**values["argo_cd"]) if "argo_cd" in values else None,
        flux=Flux(namespace=flux["namespace"], secret=flux.get("secret")) if flux is not None else None,
    )


def _network_operator(values: Mapping[str, Any] | None, context: Context) -> NetworkOperator | None:
    if values is None:
        return None
    return NetworkOperator(
        release=_pair(values["release"]),
        namespace=values["namespace"],
        repository=values.get("repository"),
        version=values.get("version"),
        images={name: StatedImage(**image) for name, image in values["images"].items()},
        ofed_version=values.get("ofed_version"),
        multus=values["multus"],
        admission_webhooks=values["admission_webhooks"],
        releases=context.operators,
    )


def build_qos(qos: Mapping[str, Any], context: Context) -> Qos:
    classes = []
    for name, values in qos["classes"].items():
        classes.append(
            QosClass(
                name=name,
                dscp=values["dscp"],
                priority=values["priority"],
                lossless=values["lossless"],
                bandwidth_percent=values.get("bandwidth_percent"),
                scheduling=values["scheduling"],
                ecn=Ecn(**values["ecn"]) if "ecn" in values else None,
                ecn_rule=values.get("ecn_rule"),
                at=("fabric", "qos", "classes", name),
            )
        )
    return Qos(
        trust=qos["trust"],
        classes=tuple(sorted(classes, key=lambda c: (c.priority, c.name))),
        watchdog=Watchdog(**qos["pfc_watchdog"]) if "pfc_watchdog" in qos else None,
        nic_pfc_stall_ms=qos.get("nic_pfc_stall_ms"),
        at=("fabric", "qos"),
    )


def build_arp(arp: Mapping[str, Any]) -> Arp:
    return Arp(timeout_seconds=arp["timeout_seconds"], mac_timeout_seconds=arp.get("mac_timeout_seconds"))
