"""Which of the features a switch's plan asks for its NOS lacks, or has only as an unconfirmed command."""

from __future__ import annotations

from netplan.model.fabric import Fabric
from netplan.model.nos import FEATURES, NosProfile
from netplan.model.qos import QosPlan
from netplan.model.switching import MissingFeature, SwitchPlan
from netplan.plan.switch_qos import fits_roce_profile

Features = tuple[MissingFeature, ...]


def missing_features(
    plan: SwitchPlan, fabric: Fabric, qos: QosPlan | None, nos: NosProfile
) -> tuple[Features, Features]:
    """(missing, unconfirmed), in the order of FEATURES."""
    asked = _qos_features(plan, qos) | _network_features(plan) | _arp_features(plan, fabric)
    missing = tuple(
        MissingFeature(name, required, nos.supports[name])
        for name, required in FEATURES.items()
        if name in asked and nos.supports[name]
    )
    unconfirmed = [
        MissingFeature(name, required, nos.unconfirmed[name])
        for name, required in FEATURES.items()
        if name in asked and name in nos.unconfirmed
    ]
    if plan.qos.marking and not plan.qos.ecn_known:
        unit, asic = nos.units.ecn, plan.type.model.asic
        reason = f"{nos.name} takes thresholds in {unit}, no size that converts them is known for {asic}"
        unconfirmed.append(MissingFeature("ecn", True, reason))
    return missing, tuple(unconfirmed)


def _qos_features(plan: SwitchPlan, qos: QosPlan | None) -> set[str]:
    if qos is None:
        return set()
    asked = {"dscp_trust" if plan.qos.dscp_trust else "pcp_trust"}
    asked |= {"pfc", "headroom"} if qos.pfc else set()
    asked |= {"ecn"} if any(c.ecn for c in qos.classes) else set()
    asked |= {"strict_queue"} if qos.strict else set()
    asked |= {"pfc_watchdog"} if qos.watchdog and qos.pfc else set()
    return asked | (set() if fits_roce_profile(qos) else {"qos_map"})


def _network_features(plan: SwitchPlan) -> set[str]:
    asked = {"vlan"} if plan.vlans else set()
    asked |= {"routed_port"} if any(port.routed for port in plan.ports) else set()
    asked |= {"bgp"} if plan.neighbours else set()
    asked |= {"announce_host_links"} if plan.host_networks and plan.neighbours else set()
    versions = {network.version for network in plan.networks} | {n.address.version for n in plan.neighbours}
    return asked | ({"ipv6"} if 6 in versions else set())


def _arp_features(plan: SwitchPlan, fabric: Fabric) -> set[str]:
    if not plan.arp.enabled or fabric.arp is None:
        return set()
    asked = {"arp_age"}
    asked |= {"arp_from_garp"} if any(vlan.addresses for vlan in plan.vlans) else set()
    return asked | ({"mac_age"} if fabric.arp.mac_timeout_seconds else set())
