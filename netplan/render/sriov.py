"""Objects of the sriov-network-operator. Fields: k8snetworkplumbingwg/sriov-network-operator v1.6.0
api/v1."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.kubernetes import Attachment, PoolConfig, VfPolicy
from netplan.model.plan import Plan
from netplan.render.cni import capabilities, ipam, meta_plugins
from netplan.render.dump import written
from netplan.render.objects import object_file

API = "sriovnetwork.openshift.io/v1"


def render_sriov(plan: Plan) -> Iterator[Artifact]:
    """Policies by host type, the RDMA mode of the nodes, and the networks for which the operator generates
    NADs."""
    site = plan.fabric.site
    policies: dict[str, list[VfPolicy]] = defaultdict(list)
    for policy in plan.kubernetes.policies:
        policies[policy.host_type].append(policy)
    for kind, group in sorted(policies.items()):
        path, about = f"sriov/policies-{kind}.yaml", f"virtual functions of host type {kind}"
        yield object_file(site, path, [_policy(p) for p in group], about, [f"host_types.{kind}"])
    for config in plan.kubernetes.pool_configs:
        path = f"sriov/pool-config-{config.host_types[0]}.yaml"
        entities = [f"host_types.{name}" for name in config.host_types]
        yield object_file(site, path, [_pool_config(config)], _pool_header(config), entities)
    yield from _networks(plan)


def _policy(policy: VfPolicy) -> dict[str, Any]:
    selector = {
        "vendor": policy.vendor,
        "deviceID": policy.device_id,
        "pfNames": list(policy.pf_names),
        "rootDevices": list(policy.root_devices),
    }
    spec = {
        "nodeSelector": dict(policy.node_selector),
        "nicSelector": written(selector),
        "resourceName": policy.resource_name,
        "numVfs": policy.num_vfs,
        "deviceType": "netdevice",
        "isRdma": True,
        "linkType": policy.link_type,
    }
    if policy.mtu is not None:
        spec["mtu"] = policy.mtu
    if policy.externally_managed:
        spec["externallyManaged"] = True
    return _object("SriovNetworkNodePolicy", policy.name, policy.namespace, spec)


def _pool_header(config: PoolConfig) -> str:
    drains = f"drains of host type {' and '.join(config.host_types)}"
    return drains if config.rdma_mode is None else f"{drains} and its RDMA mode, whose change reboots"


def _pool_config(config: PoolConfig) -> dict[str, Any]:
    spec = {
        "maxUnavailable": config.max_unavailable,
        "nodeSelector": {"matchLabels": dict(config.node_selector)},
        "rdmaMode": config.rdma_mode,
    }
    return _object("SriovNetworkPoolConfig", config.name, config.namespace, written(spec))


def _object(kind: str, name: str, namespace: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def _networks(plan: Plan) -> Iterator[Artifact]:
    """SriovNetwork and SriovIBNetwork are in the operator's namespace, the only one where releases up to
    v1.6.0 look for them (k8snetworkplumbingwg/sriov-network-operator, Reconcile in
    controllers/generic_network_controller.go: ``req.Namespace = vars.Namespace``)."""
    files: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for attachment in plan.kubernetes.attachments:
        if attachment.owner_kind in ("SriovNetwork", "SriovIBNetwork"):
            files[attachment.network.name].append(_network(attachment))
    for network, objects in sorted(files.items()):
        path, about = f"sriov/network-{network}.yaml", f"network {network}, whose NADs the operator generates"
        yield object_file(plan.fabric.site, path, objects, about, [f"networks.{network}"])


def compact(value: Any) -> str:
    """JSON on one line without white space, because the operator strips white space even inside strings."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def fragment(attachment: Attachment) -> str | None:
    """``metaPlugins``: JSON objects separated by commas, without brackets."""
    plugins = meta_plugins(attachment)
    return ",".join(compact(p) for p in plugins) if plugins else None


def _network(attachment: Attachment) -> dict[str, Any]:
    network = attachment.network
    allowed = capabilities(attachment)
    spec: dict[str, Any] = {
        "networkNamespace": attachment.namespaces[0],
        "resourceName": attachment.resource.name if attachment.resource else None,
        "ipam": compact(ipam(attachment.ipam)) if attachment.ipam else None,
        "capabilities": compact(allowed) if allowed else None,
        "linkState": network.link_state,
        "metaPlugins": fragment(attachment),
    }
    if attachment.owner_kind == "SriovNetwork":
        spec |= {
            "vlan": attachment.vlan,
            "vlanQoS": network.vlan_qos,
            "spoofChk": network.spoofchk,
            "trust": network.trust,
            "minTxRate": network.min_tx_rate_mbps,
            "maxTxRate": network.max_tx_rate_mbps,
        }
    return _object(attachment.owner_kind, attachment.name, attachment.object_namespace, written(spec))
