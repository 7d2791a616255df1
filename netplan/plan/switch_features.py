"""Which of the features a switch's plan asks for its NOS lacks, or has only as an unconfirmed command."""

from __future__ import annotations

from netplan.model.fabric import Fabric
from netplan.model.nos import FEATURES, NosProfile
from netplan.model.qos import QosPlan
from netplan.model.switching import MissingFeature, SwitchPlan
from netplan.plan.balance import balanced_ports
from netplan.plan.switch_qos import fits_roce_profile

Features = tuple[MissingFeature, ...]


def asked_features(plan: SwitchPlan, fabric: Fabric, qos: QosPlan | None) -> frozenset[str]:
    """What the plan asks of its NOS, of FEATURES."""
    return frozenset(
        _qos_features(plan, qos)
        | _network_features(plan)
        | _arp_features(plan, fabric)
        | _balance(plan, fabric)
    )


def missing_features(plan: SwitchPlan, asked: frozenset[str], nos: NosProfile) -> Features:
    """In the order of FEATURES."""
    missing = [
        MissingFeature(name, required, nos.supports[name])
        for name, required in FEATURES.items()
        if name in asked and nos.supports[name]
    ]
    if "adaptive_routing" in asked and not nos.supports["adaptive_routing"] and not plan.adaptive:
        missing.append(MissingFeature("adaptive_routing", False, _why_not_adaptive(plan, nos)))
    return tuple(missing)


def unconfirmed_features(plan: SwitchPlan, asked: frozenset[str], nos: NosProfile) -> Features:
    """In the order of FEATURES; then those that this plan's values make so."""
    unconfirmed = [
        MissingFeature(name, required, nos.unconfirmed[name])
        for name, required in FEATURES.items()
        if name in asked and name in nos.unconfirmed
    ]
    if plan.qos.marking and not plan.qos.ecn_known:
        unit, asic = nos.units.ecn, plan.type.model.asic
        reason = f"{nos.name} takes thresholds in {unit}, no size that converts them is known for {asic}"
        unconfirmed.append(MissingFeature("ecn", True, reason))
    splits = sorted({port.split for port in plan.breakouts if not port.confirmed})
    if splits and "breakout" not in nos.unconfirmed and not nos.supports["breakout"]:
        reason = f"no source has the split {', '.join(splits)} among those of {nos.name}"
        unconfirmed.append(MissingFeature("breakout", False, reason))
    return tuple(unconfirmed)


def _why_not_adaptive(plan: SwitchPlan, nos: NosProfile) -> str:
    model = plan.type.model
    asic = nos.asics.get(model.asic)
    if asic is None or not asic.adaptive_gbps:
        return f"{nos.name} has it on no {model.asic}, the ASIC of {model.name}"
    speeds = sorted({port.speed_gbps for port in balanced_ports(plan.ports)})
    at, has = ", ".join(map(str, asic.adaptive_gbps)), ", ".join(map(str, speeds))
    return f"it works on ports of {at} Gb/s, those to other switches run at {has}"


def _qos_features(plan: SwitchPlan, qos: QosPlan | None) -> set[str]:
    if qos is None:
        return set()
    asked = {"dscp_trust" if plan.qos.dscp_trust else "pcp_trust"}
    asked |= {"pfc", "headroom"} if qos.pfc else set()
    asked |= {"ecn"} if any(c.marked for c in qos.classes) else set()
    asked |= {"strict_queue"} if qos.strict else set()
    asked |= {"pfc_watchdog"} if qos.watchdog and qos.pfc else set()
    asked |= {"dcbx"} if qos.pfc else set()
    return asked | (set() if fits_roce_profile(qos) else {"qos_map"})


def _network_features(plan: SwitchPlan) -> set[str]:
    asked = {"vlan"} if plan.vlans else set()
    asked |= {"routed_port"} if any(port.routed for port in plan.ports) else set()
    asked |= {"bgp"} if plan.neighbours else set()
    asked |= {"lldp"} if plan.ports else set()
    asked |= {"breakout"} if plan.breakouts else set()
    asked |= {"announce_host_links"} if plan.host_networks and plan.neighbours else set()
    versions = {network.version for network in plan.networks} | {n.address.version for n in plan.neighbours}
    return asked | ({"ipv6"} if 6 in versions else set())


def _arp_features(plan: SwitchPlan, fabric: Fabric) -> set[str]:
    if not plan.arp.enabled or fabric.arp is None:
        return set()
    asked = {"arp_age"}
    asked |= {"arp_from_garp"} if any(vlan.addresses for vlan in plan.vlans) else set()
    return asked | ({"mac_age"} if fabric.arp.mac_timeout_seconds else set())


def _balance(plan: SwitchPlan, fabric: Fabric) -> set[str]:
    """Only a switch with a choice of paths has use for either."""
    asked = {"hash_seed"} if plan.hash_seed else set()
    return asked | ({"adaptive_routing"} if fabric.adaptive_routing and balanced_ports(plan.ports) else set())
