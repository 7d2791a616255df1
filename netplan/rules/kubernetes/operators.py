"""NP789 to NP793: what operators and charts read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Severity
from netplan.graph.kubernetes.cluster import NVIDIA, SRIOV, ObjectGraph
from netplan.graph.kubernetes.node_selection import surely_meet
from netplan.reading.kubernetes.objects import Thing, inside, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.primary_networks import second_primary, user_networks
from netplan.rules.kubernetes.registry import ObjectFinding, rule

ONLY_NAME = {
    (NVIDIA, "NicClusterPolicy"): "nic-cluster-policy",
    (SRIOV, "SriovOperatorConfig"): "default",
    ("maintenance.nvidia.com", "MaintenanceOperatorConfig"): "default",
}


def _singletons(cluster: ObjectGraph) -> list[Thing]:
    return [t for t in cluster.tree.things if (t.group, t.kind) in ONLY_NAME] + user_networks(cluster)


_OF_2020 = "devicePlugin"
"""Field of early releases, of which v0.1.0 reads a NicClusterPolicy of any name (Mellanox/network-operator
v0.1.0 and v0.2.0 pkg/controller/nicclusterpolicy/nicclusterpolicy_controller.go)."""


@rule("NP789", "object that its operator ignores", on=_singletons)
def only_name(cluster: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """Some kinds are read under one name only, and OVN-Kubernetes makes one primary network in a namespace,
    by a UserDefinedNetwork or a NAD.

    **Why.** An object with another name is accepted but ignored; nothing is deployed. So is a second primary
    network: "primary network already exist in namespace".
    **Fix.** Give it that name; keep one primary network.
    **Source.** Mellanox/network-operator b06827e0 pkg/consts/consts.go;
    k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go; Mellanox/maintenance-operator
    e15d07b2 README.md; ovn-kubernetes/ovn-kubernetes 8871cd9c
    go-controller/pkg/clustermanager/userdefinednetwork/nad.go.
    """
    if (thing.group, thing.kind) not in ONLY_NAME:
        yield from second_primary(cluster, thing)
        return
    wanted = ONLY_NAME[thing.group, thing.kind]
    older = _OF_2020 in thing.spec and thing.kind == "NicClusterPolicy"
    if thing.name and thing.name != wanted and not templated(thing.name) and not older:
        message = f"only {wanted} is read, this one is named {thing.name}"
        yield ObjectFinding(thing, ("metadata", "name"), message, f"write name: {wanted}")


def _pool_configs(cluster: ObjectGraph) -> list[Thing]:
    return cluster.of(SRIOV, "SriovNetworkPoolConfig")


@rule("NP790", "invalid pool configuration", on=_pool_configs)
def pool_config(cluster: ObjectGraph, config: Thing) -> Iterator[ObjectFinding]:
    """ovsHardwareOffloadConfig.name must be the only key; maxUnavailable is a count or 1% to 100%; a node
    belongs to one pool. Of two files of others that no kustomization joins the last is a note.

    **Why.** The webhook rejects it; with the webhook off, a node in two pools is never drained, so
    nothing is applied.
    **Fix.** Correct the values, or give the pools selectors that do not overlap.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go,
    controllers/drain_controller_helper.go.
    """
    if inside(config.spec, ("ovsHardwareOffloadConfig", "name")):
        for key in ("maxUnavailable", "nodeSelector"):
            if config.spec.get(key):
                message = f"{key} cannot be combined with ovsHardwareOffloadConfig.name"
                yield ObjectFinding(config, ("spec", key), message, "remove one of the two")
    value = config.spec.get("maxUnavailable")
    if _is_no_amount(value):
        yield ObjectFinding(
            config, ("spec", "maxUnavailable"), f"maxUnavailable is {value}", "write a count or 1% to 100%"
        )
    yield from _pool_twice(cluster, config)


def _is_no_amount(value: Any) -> bool:
    """Whether a value is neither a number of nodes nor a percentage of them."""
    if isinstance(value, str) and value.endswith("%"):
        percent = value[:-1]
        return not (percent.isdecimal() and len(percent) <= 3 and 1 <= int(percent) <= 100)
    return type(value) is int and value < 0


def _pool_twice(cluster: ObjectGraph, config: Thing) -> Iterator[ObjectFinding]:
    beside = (c for c in _pool_configs(cluster) if cluster.together(config, c))
    same = [c for c in beside if c.spec.get("nodeSelector") == config.spec.get("nodeSelector")]
    first = same[0] if same else config
    if first is not config and str(first) != str(config) and config.spec.get("nodeSelector"):
        message = f"it selects the nodes of {first} at {first.source(())}"
        at, unsure = ("spec", "nodeSelector"), not cluster.joined(first, config)
        yield ObjectFinding(config, at, message, "give each node one pool", unsure=unsure)


@rule("NP791", "RDMA mode exclusive and the RDMA-shared plugin", on=_pool_configs, between=True)
def rdma_mode(cluster: ObjectGraph, config: Thing) -> Iterator[ObjectFinding]:
    """The RDMA mode applies to the whole node; the RDMA-shared device plugin exits in exclusive mode.

    **Why.** It crash-loops: incorrect RDMA subsystem network namespace. Its resources are missing.
    **Fix.** Use rdmaMode shared, or SR-IOV resources only on these nodes.
    **Source.** Mellanox/k8s-rdma-shared-dev-plugin 410b0f3 pkg/resources/resources_manager.go
    (ValidateRdmaSystemMode), #84, #87; k8snetworkplumbingwg/sriov-network-operator#481.
    """
    if config.spec.get("rdmaMode") != "exclusive":
        return
    labels = mapping(inside(config.spec, ("nodeSelector", "matchLabels")))
    for shared in (c for c in cluster.configs if c.shared and cluster.together(config, c.thing)):
        thing = shared.thing
        own = mapping(thing.spec.get("nodeSelector")) if thing.kind == "NicNodePolicy" else {}
        # an affinity may keep the plugin off those nodes, and no object here tells the nodes' labels
        apart = labels and (not surely_meet(own, labels) if own else thing.spec.get("nodeAffinity"))
        if not apart:
            message = f"the RDMA-shared plugin runs there, but {config} sets rdmaMode exclusive"
            yield ObjectFinding(thing, shared.place, message, "use one of the two on a node")


ERA_KEYS = (
    "deployCR", "ofedDriver", "rdmaSharedDevicePlugin", "sriovDevicePlugin", "ibKubernetes", "nvIpam",
    "secondaryNetwork", "nicFeatureDiscovery", "docaTelemetryService", "nvPeerDriver",
)  # fmt: skip


def _values(cluster: ObjectGraph) -> list[Thing]:
    return list(cluster.tree.values)


@rule("NP792", "Helm values of an old Network Operator chart", on=_values, severity=Severity.INFO)
def old_values(_: ObjectGraph, values: Thing) -> Iterator[ObjectFinding]:
    """Up to 24.7 the chart of the NVIDIA Network Operator could create the NicClusterPolicy from its values.

    **Why.** Charts 24.10 and newer silently ignore these keys: neither driver nor device plugin is deployed.
    **Fix.** Write a NicClusterPolicy named nic-cluster-policy, and remove the keys.
    **Source.** Mellanox/network-operator PR#697, PR#1085; NVIDIA/cloud-native-stack PR#95.
    """
    body = values.body
    old = [key for key in ERA_KEYS if key == "deployCR" or "deploy" in mapping(body.get(key))]
    found = [key for key in old if key in body]
    if "deployCR" in found or len(found) > 1:
        message = f"charts from 24.10 on ignore {', '.join(found)}"
        yield ObjectFinding(
            values, (found[0],), message, "write a NicClusterPolicy, unless the chart is older"
        )


def _discovers(values: Thing) -> bool:
    return inside(values.body, ("nfd", "enabled")) is True


@rule("NP793", "two operators deploy Node Feature Discovery", on=_values, severity=Severity.WARNING)
def two_discoveries(cluster: ObjectGraph, values: Thing) -> Iterator[ObjectFinding]:
    """The GPU Operator and the Network Operator can both deploy Node Feature Discovery; a cluster needs
    exactly one.

    **Why.** Two instances fight over the node labels, and selectors stop matching.
    **Fix.** Set nfd.enabled to false in one of the two.
    **Source.** Mellanox/network-operator b06827e deployment/network-operator/Chart.yaml (condition
    nfd.enabled), #1212; NVIDIA/gpu-operator#87.
    """
    gpu = {"driver", "toolkit", "dcgmExporter", "devicePlugin"} & values.body.keys()
    network = [
        v
        for v in cluster.tree.values
        if cluster.together(values, v)
        and _discovers(v)
        and {"sriovNetworkOperator", "deployCR"} & v.body.keys()
    ]
    if gpu and _discovers(values) and network and network[0] is not values:
        other = network[0].source(("nfd", "enabled"))
        message = f"nfd.enabled is true here and at {other}"
        yield ObjectFinding(values, ("nfd", "enabled"), message, "set it to false in one of the two")
