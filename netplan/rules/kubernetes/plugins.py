"""NP675, NP676: plugins by their names, and keys that the sriov plugin refuses together."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from netplan.graph.kubernetes.cluster import Cluster, Network
from netplan.reading.kubernetes.objects import templated
from netplan.rules.kubernetes.networks import networks
from netplan.rules.kubernetes.registry import Finding, rule

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
"""Names of binaries that projects ship: containernetworking/plugins, k8snetworkplumbingwg, Mellanox,
spidernet-io, kubevirt, projectcalico, cilium, ovn-org."""
_NEAR = 0.8


@rule("NP675", "a plugin that is nearly one", on=networks)
def plugin_names(_: Cluster, network: Network) -> Iterator[Finding]:
    """`type` is the name of the plugin's binary on the node, to the letter.

    **Why.** The pod does not start: failed to find plugin in path /opt/cni/bin.
    **Fix.** Write the name that the hint has.
    **Source.** containernetworking/cni SPEC.md (type: filename of the plugin on disk), pkg/invoke/find.go.
    """
    named = [(at, plugin.get("type"), PLUGINS) for at, plugin in network.plugins]
    named += [(at, ipam.get("type"), IPAMS) for at, ipam in network.ipams]
    for at, kind, known in named:
        if isinstance(kind, str) and kind not in known and not templated(kind):
            near = difflib.get_close_matches(kind.lower(), known, n=1, cutoff=_NEAR)
            if near and near[0] not in kind:  # somebody's own macvlan-x
                message = f"there is no plugin {kind}"
                yield Finding(network.thing, (*at, "type"), message, f"did you mean {near[0]}?")


def _tagged(cluster: Cluster) -> list[Network]:
    keys = {"vlanQoS", "vlanProto"}
    return [n for n in networks(cluster) if n.types[0] == "sriov" and keys & n.chain[0].keys()]


@rule("NP676", "a VLAN priority or protocol without a VLAN", on=_tagged)
def vlan_keys(_: Cluster, network: Network) -> Iterator[Finding]:
    """vlanQoS and vlanProto of the sriov plugin need a `vlan` that is not 0.

    **Why.** The plugin refuses its configuration, and the pod does not start: non-zero vlan id must be
    configured.
    **Fix.** Add `vlan`, or remove the key.
    **Source.** k8snetworkplumbingwg/sriov-cni pkg/config/config.go (LoadConf).
    """
    at, plugin = network.plugins[0]
    for key in ("vlanQoS", "vlanProto"):
        defaults = (None, 0, "802.1q", "802.1Q", "")  # what the operator's template leaves out
        if plugin.get(key) not in defaults and plugin.get("vlan") in (None, 0):
            message = f"{key} is {plugin[key]}, and there is no vlan"
            yield Finding(network.thing, (*at, key), message, f"add vlan, or remove {key}")
