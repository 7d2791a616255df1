"""NP3xx, second part: limits of a pod's interface."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Fabric, Network
from netplan.model.modes import LINK_KEYS, MODES
from netplan.model.plan import Plan


def _network_count(fabric: Fabric) -> int:
    return len(fabric.networks)


@check(
    "NP307",
    "VLAN priority without a VLAN",
    on=Plan,
    counts=lambda plan: sum(a.network.vlan_qos is not None for a in plan.kubernetes.attachments),
)
def priority_without_vlan(plan: Plan) -> Iterator[Finding]:
    """The 802.1p priority is part of the tag.

    **Why.** sriov-cni refuses vlanQoS without a VLAN, so the pod does not start.
    **Fix.** Give the rail or subnet a VLAN and use `tagging: vf`, or remove `vlan_qos`.
    **Source.** k8snetworkplumbingwg/sriov-cni 1b7acc5b pkg/config/config.go
    """
    for network in {
        a.network.name: a.network for a in plan.kubernetes.attachments if a.vlan is None
    }.values():
        if network.vlan_qos is not None and network.by_mode.tags:
            reason = "the switch port tags" if network.tagging == "port" else "it has no VLAN"
            what = f"network {network.name} has vlan_qos {network.vlan_qos}, but {reason}"
            yield Finding(
                (*network.at, "vlan_qos"), what, "remove vlan_qos, or let the VF tag a VLAN (tagging: vf)"
            )


def _sorted_by_tag(fabric: Fabric) -> list[Network]:
    """Networks with ``vlan_qos`` and a traffic class whose tagged frames switches classify by PCP."""
    if fabric.qos is None or fabric.qos.trust != "pcp":
        return []
    stated = (n for n in fabric.networks if n.by_mode.tags and n.vlan_qos is not None)
    return [n for n in stated if n.traffic_class is not None]


@check(
    "NP320",
    "VLAN priority differs from that of the class",
    on=Fabric,
    counts=lambda fabric: len(_sorted_by_tag(fabric)),
)
def priority_of_class(fabric: Fabric) -> Iterator[Finding]:
    """With `trust: pcp` a switch queues a frame by the priority in its tag.

    **Why.** The priority in the tag puts the network's frames into another class, possibly a lossy one.
    **Fix.** Set `vlan_qos` to the priority of the network's `traffic_class`.
    **Source.** IEEE 802.1Q, clause 6.9.3; k8snetworkplumbingwg/sriov-cni 1b7acc5b
    docs/configuration-reference.md
    """
    for network in _sorted_by_tag(fabric):
        wanted = network.traffic_class
        if wanted is not None and network.vlan_qos != wanted.priority:
            has = f"network {network.name} tags its frames with priority {network.vlan_qos}"
            what = f"{has}, its class {wanted.name} has priority {wanted.priority}"
            yield Finding((*network.at, "vlan_qos"), what, f"set vlan_qos: {wanted.priority}")


def _foreign_keys(network: Network) -> list[str]:
    own = network.by_mode.keys
    return [key for key in LINK_KEYS if key not in own and getattr(network, key) is not None]


@check("NP308", "setting not supported by the mode", on=Fabric, counts=_network_count)
def setting_of_other_mode(fabric: Fabric) -> Iterator[Finding]:
    """Link settings belong to virtual functions: VLAN, trust and rates to Ethernet, the P_Key to InfiniBand.

    **Why.** The mode's CNI plugin has no such key, so the setting would be silently lost.
    **Fix.** Remove the setting, or use the mode that has it.
    **Source.** k8snetworkplumbingwg/sriov-cni 1b7acc5 docs/configuration-reference.md;
    k8snetworkplumbingwg/ib-sriov-cni 543060d README.md
    """
    for network in fabric.networks:
        for key in _foreign_keys(network):
            modes = " and ".join(mode for mode, row in MODES.items() if key in row.keys)
            what = f"network {network.name} has mode {network.mode}, but only {modes} has {key}"
            yield Finding((*network.at, key), what, f"remove {key} or use mode {modes}")


@check("NP309", "MTU too large for IPoIB", on=Fabric, counts=_network_count)
def ipoib_mtu(fabric: Fabric) -> Iterator[Finding]:
    """An IPoIB interface carries at most what fits into one InfiniBand packet.

    **Why.** The plugin refuses an MTU above that of its master, and the pod does not start.
    **Fix.** Lower `fabric.mtu` to 4092, or 2044 where the subnet manager gives 2 KiB.
    **Source.** RFC 4391; Mellanox/ipoib-cni bc0726f9 pkg/ipoib/ipoib.go
    """
    for network in fabric.networks:
        most = network.by_mode.mtu_max
        if most is not None and fabric.mtu > most:
            what = f"fabric.mtu is {fabric.mtu}, network {network.name} is IPoIB with at most {most}"
            yield Finding(("fabric", "mtu"), what, f"lower fabric.mtu to {most}")


@check("NP310", "transmit rates out of order", on=Fabric, counts=_network_count)
def rates_out_of_order(fabric: Fabric) -> Iterator[Finding]:
    """The guaranteed rate of a VF is at most its limit.

    **Why.** sriov-cni refuses the pair, so the pod does not start.
    **Fix.** Lower `min_tx_rate_mbps` or raise `max_tx_rate_mbps`; 0 is no limit.
    **Source.** k8snetworkplumbingwg/sriov-cni 1b7acc5b docs/configuration-reference.md
    """
    for network in fabric.networks:
        low, high = network.min_tx_rate_mbps, network.max_tx_rate_mbps
        if low and high and low > high:
            what = f"network {network.name} has min_tx_rate_mbps {low} above max_tx_rate_mbps {high}"
            yield Finding(
                (*network.at, "min_tx_rate_mbps"), what, "lower min_tx_rate_mbps or raise max_tx_rate_mbps"
            )
