"""NP317: keys without any effect."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.cluster import Cluster
from netplan.model.fabric import Fabric, Rails

_POOLS = "owners.device_plugin is not sriov-network-operator, and no driver is upgraded automatically"
_DRAINS = "no owner is sriov-network-operator, and no driver is upgraded automatically"
_DRIVER = "network_operator has no ofed_version"


def _key_count(fabric: Fabric) -> int:
    stated = _maintenance(fabric.cluster)
    sections = (fabric.rails, fabric.cluster.gitops)
    segments = len(fabric.subnets) + len(fabric.vlans) + len(stated)
    return (
        sum(section is not None for section in sections)
        + segments
        + len(fabric.networks)
        + len(fabric.workloads)
    )


@check("NP317", "key without effect", on=Fabric, counts=_key_count, severity=Severity.WARNING)
def without_effect(fabric: Fabric) -> Iterator[Finding]:
    """Every key of the inventory should change something.

    **Why.** The author expects it to work: a VLAN that no port carries, a gateway that no pod uses.
    **Fix.** Remove the key, or add what it needs.
    **Source.** netplan's own rule: every key of an inventory changes an artifact or a finding.
    """
    yield from _of_maintenance(fabric.cluster)
    if fabric.rails is not None:
        yield from _of_rails(fabric.rails)
    yield from _of_gitops(fabric)
    used = {subnet.vlan.name for subnet in fabric.subnets if subnet.vlan is not None}
    for vlan in fabric.vlans:
        if vlan.name not in used:
            what = f"VLAN {vlan.name} is on no port: no subnet names it"
            yield Finding(vlan.at, what, f"set vlan: {vlan.name} for a subnet, or remove it")
    for subnet in fabric.subnets:
        keys = [
            key for key, stated in (("gateway_owner", subnet.external), ("routes", subnet.routes)) if stated
        ]
        for key in keys if subnet.gateway is None else ():
            what = f"{key} of subnet {subnet.name} has no effect: the subnet has no gateway"
            yield Finding((*subnet.at, key), what, f"state gateway, or remove {key}")
    yield from _of_devices(fabric)


def _of_devices(fabric: Fabric) -> Iterator[Finding]:
    for network in fabric.networks:
        if network.share_max is not None and not network.shared:
            what = f"share_max of network {network.name} has no effect: mode {network.mode} shares no HCA"
            hint = "remove share_max"
            yield Finding((*network.at, "share_max"), what, hint)
    for w in fabric.workloads:
        for network in (n for n in w.networks if n.name in w.devices):
            why = f"mode {network.mode} uses one device per attachment"
            if network.takes == "mount":
                why = "mode host-path uses no devices"
            elif network.shared:
                why = "its HCAs are shared, and a pod requests one unit for all"
            if network.takes != "any":
                what = f"devices of {w.name} for network {network.name} has no effect: {why}"
                yield Finding((*w.at, "devices", network.name), what, f"remove {network.name} from devices")


def _maintenance(cluster: Cluster) -> dict[str, str]:
    """Maintenance keys with a non-default value -> the prerequisite they lack, or "" if it is met."""
    maintenance, operator = cluster.maintenance, cluster.network_operator
    pools = cluster.owners.of_devices.node_policies
    drains = pools or cluster.owners.of_vfs.policies
    driver = operator is not None and operator.ofed_version is not None
    automatic = driver and maintenance.driver_upgrade == "automatic"
    needs = {
        "max_unavailable": (maintenance.max_unavailable != 1, pools or automatic, _POOLS),
        "drain": (not maintenance.drain, drains or automatic, _DRAINS),
        "driver_upgrade": (maintenance.driver_upgrade != "manual", driver, _DRIVER),
    }
    return {key: "" if met else why for key, (stated, met, why) in needs.items() if stated}


def _of_maintenance(cluster: Cluster) -> Iterator[Finding]:
    for key, why in _maintenance(cluster).items():
        if why:
            what = f"cluster.maintenance.{key} has no effect: {why}"
            yield Finding((*cluster.at, "maintenance", key), what, f"remove {key}")


def _of_rails(rails: Rails) -> Iterator[Finding]:
    if rails.external and (rails.segment == "host" or rails.gateway == "none"):
        why = (
            "with segment host the gateway is the switch end of each link"
            if rails.gateway != "none"
            else "gateway is none"
        )
        what = f"rails.gateway_owner external has no effect: {why}"
        yield Finding((*rails.at, "gateway_owner"), what, "remove gateway_owner")
    if rails.numbering == "position" and rails.segment != "leaf":
        why = f"with segment {rails.segment} a rail has no subnets of leaves"
        what = f"rails.numbering position has no effect: {why}"
        yield Finding((*rails.at, "numbering"), what, "remove numbering, or set segment: leaf")
    if rails.segment != "host":
        return
    if rails.vlan_ids:
        what = "rails.vlan_ids has no effect: with rails.segment host every link is routed, without a VLAN"
        yield Finding((*rails.at, "vlan_ids"), what, "remove vlan_ids")
    pairs = zip(rails.families, rails.prefixes, strict=False)
    short = [version for version, prefix in pairs if prefix >= (31 if version == 4 else 127)]
    if rails.gateway == "last" and short and len(short) == len(rails.families):
        what = "rails.gateway last has no effect: on a link with two addresses the switch has the even one"
        yield Finding((*rails.at, "gateway"), what, "remove gateway, or lengthen the link networks")


def _of_gitops(fabric: Fabric) -> Iterator[Finding]:
    gitops = fabric.cluster.gitops
    if gitops is None:
        return
    if gitops.argo_cd is None and gitops.flux is None:
        what = "cluster.gitops has no effect: it names neither Argo CD nor Flux"
        yield Finding(gitops.at, what, "state argo_cd: {} or flux: {}, or remove gitops")
    installed = {
        "network-operator": fabric.cluster.network_operator is not None,
        "gpu-operator": fabric.cluster.gpu_operator is not None,
        "aws-efa-k8s-device-plugin": fabric.type == "efa",
    }
    for chart in sorted(gitops.chart_versions):
        if not gitops.charts:
            what = f"the version of {chart} has no effect: charts is false"
            yield Finding((*gitops.at, "chart_versions", chart), what, "remove it, or set charts: true")
        elif not installed[chart]:
            what = f"the version of {chart} has no effect: netplan installs no chart of that name"
            yield Finding((*gitops.at, "chart_versions", chart), what, "remove it")
