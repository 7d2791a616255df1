"""What a spec holds beyond what its reader looked at.

Readers mark each path they look at (``Reader.seen``); the walk lists all others, so that a field that no
reader knows is reported and not lost. ``USUAL`` are values that say nothing: the default of the CRD, and what
netplan writes in that place itself. ``DERIVED`` are fields that netplan works out from other keys; they are
reported for objects that others wrote. ``WHY`` says more than that no key has a field.

Sources. Defaults: the CRDs of Mellanox/network-operator v26.4.1 (deployment/network-operator: crds, and those
of the charts it bundles; of ``vlanProto`` in its description); where none is stated, false and 0 are what a
field is without a value. Of plugins, containernetworking/plugins:
plugins/main/macvlan/macvlan.go 019727a3 and plugins/main/ipvlan/ipvlan.go 06ba001d (modeFromString),
plugins/ipam/host-local/backend/disk/backend.go 0924b71f (defaultDataDir). What an operator copies:
Mellanox/nic-configuration-operator 8bfbeb34 api/v1alpha1/nicdevice_types.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from netplan.importing.facts import Remark, not_taken
from netplan.importing.kubernetes.objects import Path, Reader, dotted

MANAGED_BY = "app.kubernetes.io/managed-by"
NO_KEY = "the inventory has no key for it"
_REMOVED = "the inventory has no key for it, and netplan's NicClusterPolicy would remove it"
ANY = "*"
_NETWORK = {
    "spec.logLevel": ("info",),
    "spec.vlanProto": ("802.1q", "802.1Q"),
}
_PLUGIN: Mapping[str, Sequence[str]] = {
    "cniVersion": (ANY,),
    "name": (ANY,),
    "mode": ("bridge", "l2", "overlay", "auto"),
    "capabilities.infinibandGUID": ("True",),
    "ipam.dataDir": ("/var/lib/cni/networks",),
    "logLevel": ("info",),
}
"""Of a plugin's own configuration; ``bridge`` of macvlan, ``l2`` of ipvlan, others of the coordinator."""
_COORDINATOR: Mapping[str, Sequence[str]] = {
    "tunePodRoutes": ("True",),
    "podDefaultRouteNIC": ("eth0",),
    "podRPFilter": ("0",),
    "hostRuleTable": ("500",),
    "txQueueLen": ("0",),
}
"""What netplan writes, and the defaults of Spiderpool's CRD (spidernet-io/spiderpool a7fbd3b2
spidercoordinator_types.go)."""
_NAMES = tuple(
    f"spec.interfaceNameTemplate.{key}" for key in ("nicIndex", "netDevicePrefix", "rdmaDevicePrefix")
)
"""The operator copies them from a NicInterfaceNameTemplate, which is reported; names come from the cards."""
_CONFIG = {
    f"spec.config.{part}{key}": value
    for key, value in {**_PLUGIN, **_COORDINATOR}.items()
    for part in ("", "plugins.")
}
_SELECTORS = {f"{key}.selectors.drivers": ("mlx5_core",) for key in ("resourceList", "configList")}
_POLICY = {
    "spec.nvIpam.enableWebhook": ("False",),
    "spec.ofedDriver.forcePrecompiled": ("False",),
    "spec.ofedDriver.terminationGracePeriodSeconds": ("300",),
    "spec.ofedDriver.upgradePolicy.safeLoad": ("False",),
    "spec.ofedDriver.upgradePolicy.drain.force": ("False",),
    "spec.ofedDriver.upgradePolicy.drain.timeoutSeconds": ("300",),
    "spec.ofedDriver.upgradePolicy.waitForCompletion.timeoutSeconds": ("0",),
    "spec.nicConfigurationOperator.logLevel": ("info",),
    **{f"spec.{name}.useCdi": ("False",) for name in ("sriovDevicePlugin", "rdmaSharedDevicePlugin")},
    **{f"spec.sriovDevicePlugin.config.{key}": value for key, value in _SELECTORS.items()},
    **{f"spec.rdmaSharedDevicePlugin.config.{key}": value for key, value in _SELECTORS.items()},
}
"""Defaults of the CRD."""
_DAEMON: Mapping[str, Sequence[str]] = {
    "beta.kubernetes.io/os": ("linux",),
    "kubernetes.io/os": ("linux",),
    "network.nvidia.com/operator.mofed.wait": ("false",),
    "network.nvidia.com/operator.nic-configuration.wait": ("false",),
}
"""Of the chart's sriovOperatorConfig.configDaemonNodeSelector, and what netplan writes there."""

Values = Mapping[str, Sequence[str]]
USUAL: Mapping[str, Values] = {
    "SriovNetworkNodePolicy": {
        "spec.deviceType": ("netdevice",),
        "spec.eSwitchMode": ("legacy",),
        "spec.needVhostNet": ("False",),
        "spec.excludeTopology": ("False",),
        "spec.priority": ("0", "99"),
    },
    "SriovNetworkPoolConfig": {},
    "SriovOperatorConfig": {
        **{f"spec.configDaemonNodeSelector.{key}": values for key, values in _DAEMON.items()},
        "spec.logLevel": ("2",),
    },
    "SriovNetworkNodeState": {"spec.interfaces": (ANY,), "spec.dpConfigVersion": (ANY,)},
    "SriovNetwork": _NETWORK,
    "SriovIBNetwork": {
        "spec.capabilities.infinibandGUID": ("True",),
    },
    "HostDeviceNetwork": {},
    "MacvlanNetwork": {"spec.mode": ("bridge",)},
    "IPoIBNetwork": {},
    "NetworkAttachmentDefinition": _CONFIG,
    "IPPool": {"spec.defaultGateway": ("False",)},
    "SpiderIPPool": {
        "spec.ipVersion": ("4", "6"),
        "spec.default": ("False",),
        "spec.disable": ("False",),
        "spec.vlan": ("0",),
    },
    "SpiderMultusConfig": {
        "spec.coordinator.mode": ("overlay", "auto"),
        **{f"spec.coordinator.{key}": value for key, value in _COORDINATOR.items()},
        **{f"spec.{each}.ippools.matchMasterSubnet": ("False",) for each in ("sriov", "macvlan", "ipvlan")},
    },
    "CIDRPool": {"spec.defaultGateway": ("False",), "spec.gatewayIndex": ("0",)},
    "NicClusterPolicy": _POLICY,
    "NicNodePolicy": _POLICY,
    "ConfigMap": _SELECTORS,
    "SpectrumXRailPoolConfig": {  # its networks are told as a whole; objects that it names are read
        "spec.networkNamespace": (ANY,),
        "spec.sriovNetworkNodePolicyRef": (ANY,),
        "spec.cidrPoolRef": (ANY,),
        "spec.multiplaneMode": ("none",),
        "spec.vfStateFollow": ("True",),
    },
    "NicConfigurationTemplate": {
        "spec.resetToDefault": ("False",),
        "spec.template.force": ("False",),
        "spec.nicSelector": (ANY,),
        "spec.nodeSelector": (ANY,),
    },
    "NicDevice": {
        **dict.fromkeys(_NAMES, (ANY,)),
        "spec.interfaceNameTemplate.planeIndices": ("0",),
        "spec.configuration.resetToDefault": ("False",),
        "spec.configuration.template": (ANY,),  # the operator copies it from the NicConfigurationTemplate
    },
}
"""Kind -> dotted path -> values. A kind that is not in it is not walked."""
DERIVED: Mapping[str, Sequence[str]] = {
    "IPPool": ("spec.nodeSelector",),
    "CIDRPool": ("spec.nodeSelector", "spec.perNodeNetworkPrefix", "spec.gatewayIndex"),
    "SriovNetwork": ("spec.metaPlugins.sysctl", "spec.metaPlugins.table"),
    "SriovIBNetwork": ("spec.metaPlugins.sysctl", "spec.metaPlugins.table"),
    "NetworkAttachmentDefinition": ("spec.config.plugins.sysctl", "spec.config.plugins.table"),
    "SriovNetworkPoolConfig": ("spec.nodeSelector",),
    "NicConfigurationTemplate": ("spec.template",),
    "HostDeviceNetwork": ("spec.metaPlugins.sysctl", "spec.metaPlugins.table"),
    "MacvlanNetwork": ("spec.metaPlugins.sysctl", "spec.metaPlugins.table"),
    "SpiderMultusConfig": ("spec.chainCNIJsonData.sysctl",),
    "SpiderIPPool": ("spec.nodeAffinity",),
}
SYSCTLS = "netplan sets the sysctls of pods itself; compare them with the rendered network"
WHY: Mapping[str, str] = {
    **{
        f"{kind} {path}": SYSCTLS
        for kind, paths in DERIVED.items()
        for path in paths
        if path.endswith("sysctl")
    },
    "IPPool spec.nodeSelector": "netplan selects the nodes of a pool itself, by host type and leaf",
    "CIDRPool spec.nodeSelector": "netplan selects the nodes of a pool itself, by host type and leaf",
    "SpiderIPPool spec.nodeAffinity": "netplan selects the nodes of a pool itself, by host type and leaf",
    "SpiderIPPool spec.default": "no pool of netplan is a default",
    "SpiderIPPool spec.vlan": "a pool of netplan has none, the VLAN is that of the network",
    "SriovNetworkPoolConfig spec.nodeSelector": "netplan writes one for each host type",
    "SriovNetworkNodePolicy spec.priority": "policies of netplan do not overlap",
    "NicNodePolicy spec.nodeSelector": "netplan has one NicClusterPolicy, whose components are on all nodes",
    "NicConfigurationTemplate spec.template.linkType": "taken from the cards",
    "NicConfigurationTemplate spec.template.numVfs": "taken from the cards and policies",
    "NicConfigurationTemplate spec.template": "netplan works it out from fabric.qos and the cards",
}


def left_fields(read: Reader) -> list[Remark]:
    """A remark for each field of the spec that nobody looked at; the topmost where all below is unread."""
    kind = read.thing.kind
    if kind not in USUAL:
        return []
    above = {path[:length] for path in read.seen for length in range(len(path))}
    roots = [("data",)] if kind == "ConfigMap" else [("spec",)]
    paths = [path for root in roots for path in _left(read, root, read.value(*root), above)]
    return [_remark(read, path) for path in paths]


def _left(read: Reader, path: Path, value: Any, above: set[Path]) -> list[Path]:
    if path in read.seen or _says_nothing(read, path, value):
        return []
    value = read.thing.texts.get(path, value)
    parts = value.items() if isinstance(value, dict) else enumerate(value) if _has_maps(value) else None
    if parts is None:
        return [path]
    found = [each for key, part in parts for each in _left(read, (*path, key), part, above)]
    whole = isinstance(value, dict) and found and len(path) > 1 and path not in above
    return [path] if whole else found


def _has_maps(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(part, dict | list) for part in value)


def _says_nothing(read: Reader, path: Path, value: Any) -> bool:
    if value in (None, "", {}, []):
        return True
    if path[0] == "data" and len(path) == 2:  # a ConfigMap of something else
        return path not in read.thing.texts and path not in read.thing.faults
    kind, name = read.thing.kind, dotted(path)
    if kind == "ConfigMap" and len(path) > 1:
        name = name.partition(f"{path[1]}.")[2]
    usual = USUAL[kind].get(name, ())
    values = value if isinstance(value, list) else [value]
    if ANY in usual or (usual and all(str(each) in usual for each in values)):
        return True
    ours = read.thing.get("metadata", "labels", MANAGED_BY) == "netplan"
    return ours and name in DERIVED.get(kind, ())


def _remark(read: Reader, path: Path) -> Remark:
    fault, called = read.thing.faults.get(path), read.called(path)
    if fault is not None:
        at = read.thing.source(path, fault.place)
        return Remark(at, f"{called}: not JSON ({fault.reason})", alike=f"{called}: not JSON")
    why = WHY.get(called, _REMOVED if read.thing.kind == "NicClusterPolicy" else NO_KEY)
    return not_taken(read.at(*path), called, read.shown(path), why)
