"""Build the sections that reference no others: cluster, QoS, ARP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netaddr import IPNetwork

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
    PrimaryNetwork,
    Spiderpool,
    SriovOperator,
)
from netplan.model.fabric import Arp
from netplan.model.operator_releases import StatedImage
from netplan.model.owners import Owners
from netplan.model.qos_classes import Ecn, Qos, QosClass, Watchdog
from netplan.resolve.context import Context


def build_cluster(cluster: Mapping[str, Any], context: Context) -> Cluster:
    return Cluster(
        distribution=cluster["distribution"],
        kubernetes_version=_release(cluster, "kubernetes_version"),
        primary_network=_primary_network(cluster["primary_network"], context),
        owners=_owners(cluster["owners"]),
        network_operator=_network_operator(cluster.get("network_operator"), context),
        sriov_operator=_sriov_operator(cluster.get("sriov_operator")),
        gpu_operator=_gpu_operator(cluster.get("gpu_operator")),
        gang_scheduler=cluster.get("gang_scheduler"),
        kueue=_kueue(cluster.get("kueue")),
        spiderpool=_spiderpool(cluster.get("spiderpool")),
        cni_plugins=CniPlugins(
            plugins=_numbers(cluster, "plugins"),
            sriov_cni=_numbers(cluster, "sriov_cni"),
            whereabouts=_numbers(cluster, "whereabouts"),
            multus=_numbers(cluster, "multus"),
        ),
        nfd=cluster["nfd"],
        rdma_mode=cluster["rdma_mode"],
        memlock=cluster["memlock"],
        maintenance=_maintenance(cluster["maintenance"]),
        present=tuple(cluster["present"]),
        gitops=_gitops(cluster.get("gitops")),
        host_delivery=_host_delivery(cluster.get("host_delivery")),
    )


def _primary_network(values: Mapping[str, Any], context: Context) -> PrimaryNetwork:
    def cidr(key: str) -> IPNetwork | None:
        at = ("cluster", "primary_network", key)
        return context.network(values[key], at) if key in values else None

    return PrimaryNetwork(
        cni=values["cni"],
        interface=values["interface"],
        pod_cidr=cidr("pod_cidr"),
        service_cidr=cidr("service_cidr"),
    )


def _owners(values: Mapping[str, Any]) -> Owners:
    return Owners(
        vfs=values["vfs"],
        device_plugin=values["device_plugin"],
        nads=values["nads"],
        nic_qos=values["nic_qos"],
    )


def _sriov_operator(values: Mapping[str, Any] | None) -> SriovOperator | None:
    if values is None:
        return None
    return SriovOperator(namespace=values["namespace"], resource_prefix=values["resource_prefix"])


def _gpu_operator(values: Mapping[str, Any] | None) -> GpuOperator | None:
    if values is None:
        return None
    return GpuOperator(
        namespace=values["namespace"], driver_rdma=values["driver_rdma"], gdrcopy=values["gdrcopy"]
    )


def _maintenance(values: Mapping[str, Any]) -> Maintenance:
    return Maintenance(
        max_unavailable=values["max_unavailable"],
        drain=values["drain"],
        driver_upgrade=values["driver_upgrade"],
    )


def _spiderpool(values: Mapping[str, Any] | None) -> Spiderpool | None:
    return None if values is None else Spiderpool(release=_pair(values["release"]))


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
    return Kueue(release=_release(values, "release"), rails=values["rails"])


def _numbers(cluster: Mapping[str, Any], program: str) -> tuple[int, ...] | None:
    """A CNI plugin's version as (major, minor, patch); an omitted patch is 0. None if not stated."""
    stated = cluster.get("cni_plugins", {}).get(program)
    if stated is None:
        return None
    major, minor, patch = [*map(int, stated.split(".")), 0][:3]
    return major, minor, patch


def _release(values: Mapping[str, Any], key: str) -> tuple[int, int] | None:
    return _pair(values[key]) if key in values else None


def _pair(text: str) -> tuple[int, int]:
    major, minor = text.split(".")
    return int(major), int(minor)


def _gitops(values: Mapping[str, Any] | None) -> GitOps | None:
    if values is None:
        return None
    return GitOps(
        repository=values["repository"],
        path=values["path"],
        branch=values["branch"],
        prune=values["prune"],
        charts=values["charts"],
        chart_versions=values["chart_versions"],
        argo_cd=_argo_cd(values.get("argo_cd")),
        flux=_flux(values.get("flux")),
    )


def _argo_cd(values: Mapping[str, Any] | None) -> ArgoCd | None:
    if values is None:
        return None
    return ArgoCd(namespace=values["namespace"], project=values["project"], cluster=values["cluster"])


def _flux(values: Mapping[str, Any] | None) -> Flux | None:
    return None if values is None else Flux(namespace=values["namespace"], secret=values.get("secret"))


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
        ecn = Ecn(**values["ecn"]) if "ecn" in values else None
        classes.append(
            QosClass(
                name=name,
                dscp=values["dscp"],
                priority=values["priority"],
                lossless=values["lossless"],
                bandwidth_percent=values.get("bandwidth_percent"),
                scheduling=values["scheduling"],
                ecn=ecn,
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
