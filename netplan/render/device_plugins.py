"""Configuration of the SR-IOV and the RDMA-shared device plugin, as JSON and as ConfigMaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.kubernetes import DeviceSelector, KubernetesPlan, Resource
from netplan.model.plan import Plan
from netplan.render.dump import dump_json, written
from netplan.render.objects import object_file

NAMESPACE = "kube-system"
"""Namespace from which both stand-alone plugins read their ConfigMap
(k8snetworkplumbingwg/sriov-network-device-plugin v3.11.0 deployments/configMap.yaml;
Mellanox/k8s-rdma-shared-dev-plugin 410b0f3 deployment/k8s/base/configmap.yaml)."""

DEFAULT_SHARED_PREFIX = "rdma"
"""The RDMA-shared plugin's default prefix, left out of its configuration because the NVIDIA webhook would
refuse it (Mellanox/k8s-rdma-shared-dev-plugin 410b0f3 pkg/resources/resources_manager.go; fqdnRegex in
Mellanox/network-operator v26.4.1 api/v1alpha1/validator/nicpolicy_webhook.go)."""


def sriov_config(plan: KubernetesPlan) -> dict[str, Any]:
    """``config.json`` of the SR-IOV device plugin: resources in order, one selector object per host type."""
    return {"resourceList": [_sriov_entry(r) for r in plan.resources if r.plugin == "sriov"]}


def _sriov_entry(resource: Resource) -> dict[str, Any]:
    selectors = [_sriov_selector(s) for s in resource.selectors]
    return {
        "resourceName": resource.name,
        "resourcePrefix": resource.prefix,
        "selectors": selectors if len(selectors) > 1 else selectors[0],
    }


def _sriov_selector(selector: DeviceSelector) -> dict[str, Any]:
    return written(
        {
            "vendors": list(selector.vendors),
            "devices": list(selector.devices),
            "pciAddresses": list(selector.pci_addresses),
            "pfNames": list(selector.pf_names),
            "rootDevices": list(selector.root_devices),
            "linkTypes": list(selector.link_types),
            "isRdma": True,
        }
    )


def shared_config(plan: KubernetesPlan) -> dict[str, Any]:
    """``config.json`` of the RDMA-shared device plugin; it takes one selector object per resource."""
    return {"configList": [_shared_entry(r) for r in plan.resources if r.plugin == "rdma-shared"]}


def _shared_entry(resource: Resource) -> dict[str, Any]:
    def union(values: Iterable[tuple[str, ...]]) -> list[str]:
        return sorted({v for group in values for v in group})

    prefix = resource.prefix if resource.prefix != DEFAULT_SHARED_PREFIX else None
    return written(
        {
            "resourceName": resource.name,
            "resourcePrefix": prefix,
            "rdmaHcaMax": resource.share_max,
            "selectors": written(
                {
                    "vendors": union(s.vendors for s in resource.selectors),
                    "ifNames": union(s.if_names for s in resource.selectors),
                    "linkTypes": union(s.link_types for s in resource.selectors),
                }
            ),
        }
    )


def render_device_plugins(plan: Plan) -> Iterator[Artifact]:
    """ConfigMaps for clusters where no operator configures the device plugins."""
    kubernetes = plan.kubernetes
    if kubernetes.sriov_plugin_owner == "manual":
        yield _config_map(plan, "sriovdp-config", "sriov-device-plugin", "sriov", sriov_config(kubernetes))
    if kubernetes.shared_plugin_owner == "manual":
        yield _config_map(
            plan, "rdma-devices", "rdma-shared-device-plugin", "rdma-shared", shared_config(kubernetes)
        )


def _config_map(plan: Plan, name: str, file: str, plugin: str, config: dict[str, Any]) -> Artifact:
    networks = {r.network for r in plan.kubernetes.resources if r.plugin == plugin}
    types = {t for r in plan.kubernetes.resources if r.plugin == plugin for t in r.per_node}
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "data": {"config.json": dump_json(config) + "\n"},
    }
    entities = (*(f"networks.{n}" for n in sorted(networks)), *(f"host_types.{t}" for t in sorted(types)))
    path, about = f"device-plugin/{file}.yaml", f"resources of the {file}"
    return object_file(plan.fabric.site, path, [body], about, entities)
