"""NP675, NP676, NP687, NP798: plugin names, keys that the sriov plugin rejects in combination, its device."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import SRIOV_DRA, Nad, ObjectGraph
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.report import and_more
from netplan.rules.kubernetes.networks import networks, users
from netplan.rules.kubernetes.registry import ObjectFinding, rule

PLUGINS = frozenset({
    "accelerated-bridge", "bandwidth", "bond", "bridge", "calico", "cilium-cni", "coordinator", "dummy",
    "firewall", "flannel", "host-device", "ib-sriov", "ifacename", "ipoib", "ipvlan", "loopback", "macvlan",
    "macvtap", "multus", "ovn-k8s-cni-overlay", "ovs", "portmap", "ptp", "rdma", "route-override", "sbr",
    "sriov", "tap", "tc", "tuning", "userspace", "veth", "vlan", "vrf", "vxlan",
})  # fmt: skip
IPAMS = frozenset({
    "calico-ipam", "dhcp", "host-local", "nv-ipam", "ovn-k8s-cni-overlay", "spiderpool", "static",
    "whereabouts",
})  # fmt: skip
"""Names of IPAM binaries that projects ship: containernetworking/plugins, k8snetworkplumbingwg, Mellanox,
spidernet-io, kubevirt, projectcalico, cilium, ovn-org."""
_OF_CLUSTERS = frozenset({
    "afxdp", "antrea", "aws-cni", "azure-vnet", "cnv-bridge", "cnv-macvtap", "cnv-tuning", "egress-cni",
    "egress-router", "istio-cni", "kube-ovn", "kube-router", "kuryr-cni", "linkerd-cni", "multi-nic",
    "multi-nic-ipam", "openshift-sdn", "vhostuser", "weave-ipam", "weave-net",
})  # fmt: skip
"""Further released plugins; none of these names is near that of another."""
_NEAR = 0.8


@rule("NP675", "misspelt plugin name", on=networks)
def plugin_names(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """`type` is the exact name of the plugin's binary on the node. A name of no plugin counts as misspelt if
    it nearly is one, or has the letters of one in another order, and no pod or ConfigMap of the directory
    names it, as one that installs it would.

    **Why.** The pod does not start: failed to find plugin in path /opt/cni/bin.
    **Fix.** Write the name given in the hint.
    **Source.** containernetworking/cni 3f51e880 SPEC.md (type: filename of the plugin on disk),
    pkg/invoke/find.go.
    """
    named = [(at, plugin.get("type"), PLUGINS) for at, plugin in network.plugins]
    named += [(at, ipam.get("type"), IPAMS) for at, ipam in network.ipams]
    for at, kind, known in named:
        if not isinstance(kind, str) or kind in known or templated(kind):
            continue
        if meant := _meant(cluster, kind, known):
            message = f"there is no plugin {kind if kind.strip() == kind else repr(kind)}"
            yield ObjectFinding(network.thing, (*at, "type"), message, f"did you mean {meant}?")


def _meant(cluster: ObjectGraph, kind: str, known: frozenset[str]) -> str:
    """The name that was probably meant; empty for another plugin, such as macvlan-x."""
    if kind.strip() in known:
        return kind.strip()
    swapped = sorted(name for name in known if sorted(name) == sorted(kind.lower()))
    near = swapped or difflib.get_close_matches(kind.lower(), known, cutoff=_NEAR)
    return near[0] if near and near[0] not in kind and not _is_installed(cluster, kind) else ""


def _is_installed(cluster: ObjectGraph, kind: str) -> bool:
    """Whether a pod or a ConfigMap of the directory names such a plugin, by a word of its own."""

    def make() -> str:
        maps = (json.dumps(thing.body.get("data"), default=str) for thing in cluster.of("", "ConfigMap"))
        return "\n".join([*maps, *(json.dumps(pod.spec, default=str) for pod in cluster.pods)])

    text = cluster.once("texts of pods and ConfigMaps", make)
    return re.search(rf"(?<![\w-]){re.escape(kind)}(?![\w-])", text) is not None


@dataclass(frozen=True, slots=True)
class Named:
    """A plugin or IPAM by name, and the networks that use it, each with the place. ``known``: names of its
    kind."""

    kind: str
    known: frozenset[str]
    uses: list[tuple[Nad, Path]]


def _named(cluster: ObjectGraph) -> list[Named]:
    found: dict[tuple[str, frozenset[str]], list[tuple[Nad, Path]]] = {}
    for network in networks(cluster):
        named = [(at, plugin.get("type"), PLUGINS) for at, plugin in network.plugins]
        for at, kind, known in (*named, *((at, ipam.get("type"), IPAMS) for at, ipam in network.ipams)):
            if isinstance(kind, str) and kind and not templated(kind):
                found.setdefault((kind, known), []).append((network, (*at, "type")))
    return [Named(kind, known, uses) for (kind, known), uses in found.items()]


@rule("NP687", "plugin that netplan does not know", on=_named, severity=Severity.INFO)
def unknown_plugin(cluster: ObjectGraph, named: Named) -> Iterator[ObjectFinding]:
    """The `type` of a network's plugin or IPAM is in no list of released plugins, nor a misspelt name of one
    (NP675); said once for each name.

    **Why.** If the name is a mistake, no pod of the network starts. What such a plugin does with devices,
    addresses and routes was not checked.
    **Fix.** Compare the name with the files in /opt/cni/bin of a node.
    **Source.** containernetworking/cni 3f51e880 SPEC.md (type: filename of the plugin on disk); the releases
    of containernetworking/plugins and of the plugins that the chart of the operator installs.
    """
    if named.kind in named.known | _OF_CLUSTERS or _meant(cluster, named.kind, named.known):
        return
    network, at = named.uses[0]
    more = and_more(len({id(each.thing) for each, _ in named.uses}) - 1, "network")
    message = f"plugin {named.kind}{more} is not known"
    yield ObjectFinding(network.thing, at, message, "compare the name with the files in /opt/cni/bin")


def _tagged(cluster: ObjectGraph) -> list[Nad]:
    keys = {"vlanQoS", "vlanProto"}
    return [n for n in networks(cluster) if n.types[0] == "sriov" and keys & n.chain[0].keys()]


@rule("NP676", "VLAN priority or protocol without a VLAN", on=_tagged)
def vlan_keys(_: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """vlanQoS and vlanProto of the sriov plugin need a `vlan` that is not 0.

    **Why.** The plugin rejects its configuration, and the pod does not start: non-zero vlan id must be
    configured.
    **Fix.** Add `vlan`, or remove the key.
    **Source.** k8snetworkplumbingwg/sriov-cni 1b7acc5b pkg/config/config.go (LoadConf).
    """
    at, plugin = network.plugins[0]
    for key in ("vlanQoS", "vlanProto"):
        defaults = (None, 0, "802.1q", "802.1Q", "")  # what the operator's template leaves out
        if plugin.get(key) not in defaults and plugin.get("vlan") in (None, 0):
            message = f"{key} is {plugin[key]}, but there is no vlan"
            yield ObjectFinding(network.thing, (*at, key), message, f"add vlan, or remove {key}")


def _on_device(cluster: ObjectGraph) -> list[Nad]:
    """NADs whose interface is a device that Multus passes in."""
    kinds = ("sriov", "ib-sriov", "host-device")
    by_driver = _of_a_driver(cluster)
    found = [
        n for n in networks(cluster) if n.types[0] in kinds and n.thing.kind == "NetworkAttachmentDefinition"
    ]
    return [n for n in found if n.name not in by_driver and not _may_be_a_drivers(cluster, n)]


def _may_be_a_drivers(cluster: ObjectGraph, network: Nad) -> bool:
    """Whether the SR-IOV DRA driver is here, and no pod attaches the network by Multus: claims elsewhere may
    name it."""
    return bool(cluster.of(SRIOV_DRA, "SriovResourcePolicy", "DeviceAttributes")) and not users(
        cluster, network
    )


def _of_a_driver(cluster: ObjectGraph) -> set[str]:
    """NADs that the SR-IOV DRA driver runs for the devices of a claim or class, without Multus
    (k8snetworkplumbingwg/dra-driver-sriov pkg/api/virtualfunction/v1alpha1/api.go, VfConfig)."""
    things = (*cluster.of("resource.k8s.io", "ResourceClaim", "ResourceClaimTemplate", "DeviceClass"),)
    return {name for thing in things for name in _named_networks(thing.body)}


def _named_networks(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _named_networks(item)
    elif isinstance(value, dict):
        name = value.get("netAttachDefName")
        if isinstance(name, str):
            yield name
        for item in value.values():
            yield from _named_networks(item)


@rule("NP798", "network without the device it needs", on=_on_device)
def device(_: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """sriov, ib-sriov and host-device use the device that Multus passes on for the resource named in the
    annotation. It is a note in files of others where sriov names its PF, as releases up to 1.1 read it.

    **Why.** Without it the pod does not start: "VF pci addr is required", or "specify either device, hwaddr,
    kernelpath or pciBusID".
    **Fix.** Add the annotation k8s.v1.cni.cncf.io/resourceName with the full name of the resource.
    **Source.** k8snetworkplumbingwg/sriov-cni 1b7acc5 pkg/config/config.go (LoadConf), v0.4.0 sriov/sriov.go
    (if0), v1.1.0 pkg/types/types.go (master); containernetworking/plugins 3d27709
    plugins/main/host-device/host-device.go; k8snetworkplumbingwg/sriov-network-device-plugin#258, #310;
    Mellanox/network-operator#1382.
    """
    _at, plugin = network.plugins[0]
    named = any(plugin.get(key) for key in ("deviceID", "pciBusID", "device", "hwaddr", "kernelpath"))
    if network.resource_at[-1] not in network.thing.annotations and not named:
        message = f"{network.types[0]} needs a device, but no annotation names its resource"
        hint = "add k8s.v1.cni.cncf.io/resourceName"
        old = _old_key(plugin)
        if old:
            message = f"no annotation names its resource, and sriov since 2.0 does not read {old}"
        if network.types[0] == "host-device" and plugin.get("master"):
            hint = f"write device instead of master: {plugin['master']}"
        yield ObjectFinding(network.thing, ("metadata", "annotations"), message, hint, unsure=bool(old))


_OF_V1 = ("master", "if0")
"""Keys by which sriov found a PF, and its VF by itself, before it took a device."""


def _old_key(plugin: dict[str, Any]) -> str:
    """The key that an old release of sriov read; none beside the mode of macvlan, whose keys were copied."""
    old = plugin.get("type") == "sriov" and "mode" not in plugin
    return next((key for key in _OF_V1 if plugin.get(key)), "") if old else ""
