"""Files for the NVIDIA Network Operator.

Fields: CRDs in deployment/network-operator/crds of Mellanox/network-operator, v24.10.1 to v26.7.0-rc.2; chart
values: deployment/network-operator/values.yaml of the same tags.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.kubernetes import Attachment, KubernetesPlan
from netplan.model.operator_releases import IMAGES, PARTS
from netplan.model.operators import DriverUpgrade, NetworkOperatorPlan, NicTemplate
from netplan.model.plan import Plan
from netplan.render.cni import ipam
from netplan.render.device_plugins import shared_config, sriov_config
from netplan.render.dump import dump_json, dump_yaml, written
from netplan.render.objects import object_file
from netplan.render.sriov import compact

_WAIT_LABELS = {
    "beta.kubernetes.io/os": "linux",
    "network.nvidia.com/operator.mofed.wait": "false",
}
"""The chart's own configDaemonNodeSelector, to which netplan adds one label (Mellanox/network-operator
v26.4.1 deployment/network-operator/values.yaml)."""

_KIND = "network-operator"
_ENTITY = "cluster.network_operator"


def render_network_operator(plan: Plan) -> Iterator[Artifact]:
    """Helm values, NicClusterPolicy, NIC templates and the networks for which this operator generates
    NADs."""
    site, kubernetes = plan.fabric.site, plan.kubernetes
    operator = kubernetes.network_operator
    if operator is None:
        return
    yield Artifact(
        path=f"kubernetes/{_KIND}/values.yaml",
        text=dump_yaml([helm_values(operator)], f"site {site}: Helm values of the NVIDIA Network Operator"),
        kind=_KIND,
        entities=(_ENTITY,),
    )
    if operator.policy:
        path, policy = f"{_KIND}/nic-cluster-policy.yaml", _policy(operator, kubernetes)
        about = "NicClusterPolicy"
        if not operator.components:
            about += (
                ": it deploys nothing, and is there for the labels that the operator then gives the nodes"
            )
        yield object_file(site, path, [policy], about, [_ENTITY])
    about = "firmware and RoCE settings; settings left out are reset to the NIC's defaults"
    for template in kubernetes.nic_templates:
        path = f"{_KIND}/nic-template-{template.name}.yaml"
        yield object_file(site, path, [_nic_template(template)], about, [_ENTITY])
    yield from _networks(plan)


def helm_values(operator: NetworkOperatorPlan) -> dict[str, Any]:
    """Values of the chart. All other settings are in the NicClusterPolicy: from 24.10 on Helm silently
    ignores them among the values."""
    maintenance = operator.maintenance_operator
    values: dict[str, Any] = {
        "nfd": {"enabled": operator.nfd},
        "sriovNetworkOperator": {"enabled": operator.sriov_operator},
        **({"maintenanceOperator": {"enabled": maintenance}} if maintenance is not None else {}),
        "operator": written(
            {
                "cniBinDirectory": operator.cni_bin_directory,
                "cniNetworkDirectory": operator.cni_network_directory,
                "admissionController": {"enabled": operator.admission_webhooks},
            }
        ),
    }
    if operator.sriov_operator:
        wait = dict(_WAIT_LABELS)
        if operator.waits_for_nics:
            wait["network.nvidia.com/operator.nic-configuration.wait"] = "false"
        values["sriov-network-operator"] = {
            "operator": {
                "resourcePrefix": operator.resource_prefix,
                "admissionControllers": {"enabled": operator.admission_webhooks},
            },
            "sriovOperatorConfig": {
                "deploy": True,
                "configDaemonNodeSelector": wait,
                "disableDrain": operator.disable_drain,
                **({"disablePlugins": list(operator.disable_plugins)} if operator.disable_plugins else {}),
            },
        }
    return values


def _policy(operator: NetworkOperatorPlan, kubernetes: KubernetesPlan) -> dict[str, Any]:
    """The NicClusterPolicy. Only the one with this fixed name is reconciled."""
    spec: dict[str, Any] = {}
    if operator.global_image:
        shared = written({"repository": operator.repository, "version": operator.version})
        spec |= written({"global": shared})
    for component in operator.components:
        section, _, part = component.partition(".")
        body = _component(component, operator, kubernetes)
        if part:
            spec.setdefault(section, {})[part] = body
        else:
            spec[section] = body
    return {
        "apiVersion": "mellanox.com/v1alpha1",
        "kind": "NicClusterPolicy",
        "metadata": {"name": "nic-cluster-policy"},
        "spec": spec,
    }


def _image(component: str, operator: NetworkOperatorPlan) -> dict[str, Any]:
    own = operator.images[component]
    return written({"image": IMAGES[component], "repository": own.repository, "version": own.version})


def _component(component: str, operator: NetworkOperatorPlan, kubernetes: KubernetesPlan) -> dict[str, Any]:
    if component in PARTS:
        return {part: _image(f"{component}.{part}", operator) for part in PARTS[component]}
    body = _image(component, operator)
    if component == "ofedDriver" and operator.driver_upgrade is not None:
        body["upgradePolicy"] = _upgrade_policy(operator.driver_upgrade)
    configs = {"sriovDevicePlugin": sriov_config, "rdmaSharedDevicePlugin": shared_config}
    if component in configs:
        body["config"] = dump_json(configs[component](kubernetes)) + "\n"
    return body


def _upgrade_policy(upgrade: DriverUpgrade) -> dict[str, Any]:
    """deleteEmptyDir is required to drain a node with RDMA pods, whose /dev/shm is an emptyDir
    (Mellanox/network-operator docs/automatic-ofed-upgrade.md)."""
    return {
        "autoUpgrade": True,
        "maxParallelUpgrades": upgrade.at_once,
        "drain": {"enable": upgrade.drain, "deleteEmptyDir": upgrade.drain},
    }


def _nic_template(template: NicTemplate) -> dict[str, Any]:
    body: dict[str, Any] = {"numVfs": template.num_vfs, "linkType": template.link_type}
    if template.trust is not None:
        qos = {"trust": template.trust, "pfc": ",".join(str(bit) for bit in template.pfc)}
        extra = {"tos": template.tos}
        if template.ecn_priority is not None:
            extra["ecn"] = {"enabled": True, "priority": template.ecn_priority}  # type: ignore[assignment]
        # GPUDirect and PCI settings are left to the platform; only RoCE settings must agree across the
        # fabric
        body["roceOptimized"] = {"enabled": True, "qos": {**qos, **written(extra)}}
    if template.cnp_dscp is not None:
        # for both ports: on a single-port card the operator ignores names that end in P2 (Mellanox/
        # nic-configuration-operator v1.2.0 to v1.3.1, pkg/configuration/configvalidation.go)
        stated = {"CNP_DSCP": template.cnp_dscp, "CNP_802P_PRIO": template.cnp_priority}
        body["rawNvConfig"] = [
            {"name": f"{name}_P{port}", "value": str(value)}
            for port in (1, 2)
            for name, value in stated.items()
        ]
    return {
        "apiVersion": "configuration.net.nvidia.com/v1alpha1",
        "kind": "NicConfigurationTemplate",
        "metadata": {"name": template.name, "namespace": template.namespace},
        "spec": {
            "nodeSelector": dict(template.node_selector),
            "nicSelector": written(
                {"nicType": template.nic_type, "pciAddresses": list(template.pci_addresses)}
            ),
            "resetToDefault": False,
            "template": body,
        },
    }


def _networks(plan: Plan) -> Iterator[Artifact]:
    """HostDeviceNetwork, MacvlanNetwork, IPoIBNetwork: cluster-scoped, one NAD each."""
    files: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for attachment in plan.kubernetes.attachments:
        if attachment.owner_kind in ("HostDeviceNetwork", "MacvlanNetwork", "IPoIBNetwork"):
            files[attachment.network.name].append(_network(attachment))
    for network, objects in sorted(files.items()):
        path, about = (
            f"{_KIND}/network-{network}.yaml",
            f"network {network}, whose NADs the operator generates",
        )
        yield object_file(plan.fabric.site, path, objects, about, [f"networks.{network}"])


def _network(attachment: Attachment) -> dict[str, Any]:
    by_kind: dict[str, dict[str, Any]] = {
        "HostDeviceNetwork": {"resourceName": attachment.resource.name if attachment.resource else None},
        "MacvlanNetwork": {"master": attachment.master, "mode": "bridge", "mtu": attachment.mtu},
        "IPoIBNetwork": {"master": attachment.master},
    }
    addresses = compact(ipam(attachment.ipam)) if attachment.ipam is not None else None
    return {
        "apiVersion": "mellanox.com/v1alpha1",
        "kind": attachment.owner_kind,
        "metadata": {"name": attachment.name},
        "spec": written(
            {
                "networkNamespace": attachment.namespaces[0],
                **by_kind[attachment.owner_kind],
                "ipam": addresses,
            }
        ),
    }
