"""NP789 to NP794: what operators and charts read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import NIC_CONFIGURATION, NVIDIA, SRIOV, ObjectGraph
from netplan.graph.kubernetes.node_selection import surely_meet
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping, templated
from netplan.rules.kubernetes.registry import ObjectFinding, rule

ONLY_NAME = {
    (NVIDIA, "NicClusterPolicy"): "nic-cluster-policy",
    (SRIOV, "SriovOperatorConfig"): "default",
    ("maintenance.nvidia.com", "MaintenanceOperatorConfig"): "default",
}


def _singletons(cluster: ObjectGraph) -> list[Thing]:
    return [t for t in cluster.tree.things if (t.group, t.kind) in ONLY_NAME]


@rule("NP789", "object that its operator ignores", on=_singletons)
def only_name(_: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """Some kinds are read under one name only.

    **Why.** An object with another name is accepted but ignored; nothing is deployed.
    **Fix.** Give it that name.
    **Source.** Mellanox/network-operator pkg/consts/consts.go; sriov-network-operator
    pkg/webhook/validate.go; Mellanox/maintenance-operator README.md.
    """
    wanted = ONLY_NAME[thing.group, thing.kind]
    if thing.name and thing.name != wanted and not templated(thing.name):
        message = f"only {wanted} is read, this one is named {thing.name}"
        yield ObjectFinding(thing, ("metadata", "name"), message, f"write name: {wanted}")


def _pool_configs(cluster: ObjectGraph) -> list[Thing]:
    return cluster.of(SRIOV, "SriovNetworkPoolConfig")


@rule("NP790", "invalid pool configuration", on=_pool_configs)
def pool_config(cluster: ObjectGraph, config: Thing) -> Iterator[ObjectFinding]:
    """ovsHardwareOffloadConfig.name must be the only key; maxUnavailable is a count or 1% to 100%; a node
    belongs to one pool.

    **Why.** The webhook rejects it; with the webhook off, a node in two pools is never drained, so
    nothing is applied.
    **Fix.** Correct the values, or give the pools selectors that do not overlap.
    **Source.** sriov-network-operator pkg/webhook/validate.go, controllers/drain_controller_helper.go.
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
        yield ObjectFinding(config, ("spec", "nodeSelector"), message, "give each node one pool")


@rule("NP791", "RDMA mode exclusive and the RDMA-shared plugin", on=_pool_configs)
def rdma_mode(cluster: ObjectGraph, config: Thing) -> Iterator[ObjectFinding]:
    """The RDMA mode applies to the whole node; the RDMA-shared device plugin exits in exclusive mode.

    **Why.** It crash-loops: incorrect RDMA subsystem network namespace. Its resources are missing.
    **Fix.** Use rdmaMode shared, or SR-IOV resources only on these nodes.
    **Source.** Mellanox/k8s-rdma-shared-dev-plugin 410b0f3 pkg/resources/resources_manager.go
    (ValidateRdmaSystemMode), #84, #87; sriov-network-operator#481.
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


def _templates(cluster: ObjectGraph) -> list[Thing]:
    return cluster.of(NIC_CONFIGURATION, "NicConfigurationTemplate")


@rule("NP794", "NIC firmware settings that are not applied", on=_templates)
def templates(cluster: ObjectGraph, template: Thing) -> Iterator[ObjectFinding]:
    """A template must suit its NIC, be the only one for it, and enable at least the VFs that a policy
    requests.

    **Why.** The operator sets IncorrectSpec and changes nothing; of two templates for one NIC neither is
    applied; VFs beyond the firmware limit are never created.
    **Fix.** Correct the settings named.
    **Source.** Mellanox/nic-configuration-operator README.md, pkg/configuration/configvalidation.go.
    """
    part = mapping(template.spec.get("template"))
    at: Path = ("spec", "template")
    roce = inside(part, ("roceOptimized", "enabled")) is True
    if roce and part.get("linkType") == "Infiniband":
        yield ObjectFinding(
            template, (*at, "roceOptimized"), "roceOptimized with linkType Infiniband", "remove one"
        )
    direct = mapping(part.get("gpuDirectOptimized"))
    if direct.get("enabled") is True and inside(part, ("pciPerformanceOptimized", "enabled")) is not True:
        message = "gpuDirectOptimized needs pciPerformanceOptimized"
        yield ObjectFinding(template, (*at, "gpuDirectOptimized"), message, "enable pciPerformanceOptimized")
    yield from _too_few(cluster, template, part.get("numVfs"))
    for other in _templates(cluster):
        if other is template:
            break
        if (
            cluster.together(template, other)
            and _nics(other) == _nics(template)
            and str(other) != str(template)
        ):
            message = f"it is for the same NICs as {other} at {other.source(())}"
            yield ObjectFinding(template, ("spec", "nicSelector"), message, "merge the two")


def _too_few(cluster: ObjectGraph, template: Thing, count: Any) -> Iterator[ObjectFinding]:
    """Reports only if policy and template name the same device ID, the same nodes or all, and may mean
    one card."""
    kind = str(mapping(template.spec.get("nicSelector")).get("nicType")).lower()
    for policy in (p for p in cluster.policies if cluster.together(template, p)):
        wanted = policy.spec.get("numVfs")
        same = str(inside(policy.spec, ("nicSelector", "deviceID"))).lower() == kind
        same = same and _may_share_a_card(mapping(policy.spec.get("nicSelector")), template)
        nodes, own = (mapping(t.spec.get("nodeSelector")).items() for t in (policy, template))
        if same and own <= nodes and type(wanted) is int and type(count) is int and wanted > count:
            place = policy.source(("spec", "numVfs"))
            message = f"the firmware is set to {count} VFs, but {policy} at {place} wants {wanted}"
            yield ObjectFinding(template, ("spec", "template", "numVfs"), message, f"write at least {wanted}")


def _may_share_a_card(chosen: dict[str, Any], template: Thing) -> bool:
    """Whether they may mean one card; interface names cannot be compared with PCI addresses: another
    template may cover the card."""
    own = {str(a) for a in listing(mapping(template.spec.get("nicSelector")).get("pciAddresses"))}
    devices = {str(d) for d in listing(chosen.get("rootDevices"))}
    return not own or (bool(devices & own) if devices else not chosen.get("pfNames"))


def _nics(template: Thing) -> tuple[Any, Any]:
    return template.spec.get("nicSelector"), template.spec.get("nodeSelector") or {}
