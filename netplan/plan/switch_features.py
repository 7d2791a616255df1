"""Features that a switch's plan needs and its NOS lacks, or has only as an unconfirmed command."""

from __future__ import annotations

from collections.abc import Mapping

from netplan.model.fabric import Fabric
from netplan.model.nos import FEATURES, NosProfile
from netplan.model.qos import QosPlan
from netplan.model.switching import MissingFeature, SwitchPlan
from netplan.plan.balance import balanced_ports
from netplan.plan.switch_qos import fits_roce_profile

Features = tuple[MissingFeature, ...]
Asked = Mapping[str, str]
"""Feature -> inventory key that asks for it; "" where the plan implies it without a key of its own."""

STANDARD_MTU = 1500
"""IP MTU in bytes that every port passes without configuration (RFC 894: data of an Ethernet frame)."""


def asked_features(plan: SwitchPlan, fabric: Fabric, qos: QosPlan | None) -> Asked:
    """Names in FEATURES that this switch's plan needs from its NOS."""
    return {
        **_qos_features(plan, qos),
        **_network_features(plan),
        **_arp_features(plan, fabric),
        **_stated_features(plan),
        **_balance(plan, fabric),
    }


def missing_features(plan: SwitchPlan, asked: Asked, nos: NosProfile) -> Features:
    """Features the NOS lacks, in the order of FEATURES; adaptive routing last where only the ASIC or its
    ports lack it."""
    missing = [
        _gap(name, asked, _why_not(name, plan, nos))
        for name in FEATURES
        if name in asked and nos.supports[name]
    ]
    if "adaptive_routing" in asked and not nos.supports["adaptive_routing"] and not plan.adaptive:
        missing.append(_gap("adaptive_routing", asked, _why_not_adaptive(plan, nos)))
    return tuple(missing)


def unconfirmed_features(plan: SwitchPlan, asked: Asked, nos: NosProfile) -> Features:
    """Features whose commands are unconfirmed on this NOS and ASIC, in the order of FEATURES; then those that
    are unconfirmed only with this plan's values."""
    family = nos.asics.get(plan.type.model.asic)
    confirmed = family.confirms if family else ()
    unconfirmed = [
        _gap(name, asked, nos.unconfirmed[name])
        for name in FEATURES
        if name in asked and name in nos.unconfirmed and name not in confirmed
    ]
    if plan.qos.marking and not plan.qos.ecn_known:
        unit, asic = nos.units.ecn, plan.type.model.asic
        reason = f"{nos.name} takes thresholds in {unit}, no size that converts them is known for {asic}"
        unconfirmed.append(_gap("ecn", asked, reason))
    splits = sorted({port.split for port in plan.breakouts if not port.confirmed})
    if splits and nos.writes("breakout"):
        reason = f"no source lists the split {', '.join(splits)} for {nos.name}"
        unconfirmed.append(_gap("breakout", asked, reason))
    return tuple(unconfirmed)


def _gap(name: str, asked: Asked, reason: str) -> MissingFeature:
    """A gap. An optional feature counts as needed where an inventory key asks for it, since that key must not
    be silently ignored."""
    return MissingFeature(name, FEATURES[name] or bool(asked[name]), asked[name], reason)


def _why_not(name: str, plan: SwitchPlan, nos: NosProfile) -> str:
    """Why the NOS lacks a feature; for the MAC age with the stated value and the one in force."""
    if name != "mac_age":
        return nos.supports[name]
    force = (
        f"{plan.arp.mac_seconds:,} s is in force" if plan.arp.mac_seconds else "what is in force is not known"
    )
    return f"{nos.supports[name]}; {plan.arp.mac_wanted:,} s is stated, {force}"


def _why_not_adaptive(plan: SwitchPlan, nos: NosProfile) -> str:
    model = plan.type.model
    asic = nos.asics.get(model.asic)
    if asic is None or not asic.adaptive_gbps:
        return f"{nos.name} does not support it on {model.asic}, the ASIC of {model.name}"
    speeds = sorted({port.speed_gbps for port in balanced_ports(plan.ports)})
    at, has = ", ".join(map(str, asic.adaptive_gbps)), ", ".join(map(str, speeds))
    return f"it works on ports of {at} Gb/s, those to other switches run at {has}"


def _qos_features(plan: SwitchPlan, qos: QosPlan | None) -> dict[str, str]:
    if qos is None:
        return {}
    asked = {"dscp_trust" if plan.qos.dscp_trust else "pcp_trust"}
    asked |= {"pfc", "headroom", "dcbx"} if qos.pfc else set()
    asked |= {"ecn", "ecn_probability"} if any(c.marked for c in qos.classes) else set()
    asked |= {"strict_queue"} if qos.strict else set()
    asked |= set() if fits_roce_profile(qos) else {"qos_map"}
    watched = {"pfc_watchdog": "fabric.qos.pfc_watchdog"} if qos.watchdog and qos.pfc else {}
    return dict.fromkeys(sorted(asked), "") | watched


def _network_features(plan: SwitchPlan) -> dict[str, str]:
    versions = {network.version for network in plan.networks} | {n.address.version for n in plan.neighbours}
    asked = {
        "announce_host_links": plan.host_networks and plan.neighbours,
        "bgp": plan.neighbours,
        "breakout": plan.breakouts,
        "cross_family": any(family.others for family in plan.families),
        "ecmp": len(plan.neighbours) > 1,
        "ipv6": 6 in versions,
        "jumbo": any(port.ip_mtu > STANDARD_MTU for port in plan.ports),
        "lldp": plan.ports,
        "routed_port": any(port.routed for port in plan.ports),
        "vlan": plan.vlans,
    }
    return {name: "" for name, wanted in asked.items() if wanted}


def _stated_features(plan: SwitchPlan) -> dict[str, str]:
    """Features asked for only by inventory keys."""
    stated = {
        "fec": any(port.settings.fec for port in plan.ports),
        "autoneg": any(port.settings.autoneg for port in plan.ports),
        "admin_status": any(port.settings.admin_status for port in plan.ports),
    }
    keys = ", ".join(key for key, found in stated.items() if found)
    asked = {"port_settings": f"{keys} of links"} if keys else {}
    return asked | ({"frr_mode": "frr_mode"} if plan.frr.stated else {})


def _arp_features(plan: SwitchPlan, fabric: Fabric) -> dict[str, str]:
    if not plan.arp.enabled or fabric.arp is None:
        return {}
    asked = {"arp_age": "fabric.arp.timeout_seconds"}
    asked |= {"arp_from_garp": ""} if any(vlan.addresses for vlan in plan.vlans) else {}
    return asked | (_mac_age(plan) if fabric.arp.mac_timeout_seconds else {})


def _mac_age(plan: SwitchPlan) -> dict[str, str]:
    """The MAC age feature, unless the stated age is already in force. It is optional where the age in force
    is not below the ARP age: then nothing floods, whatever the inventory states."""
    if plan.arp.mac_seconds == plan.arp.mac_wanted:
        return {}
    safe = plan.arp.mac_seconds >= plan.arp.seconds
    return {"mac_age": "" if safe else "fabric.arp.mac_timeout_seconds"}


def _balance(plan: SwitchPlan, fabric: Fabric) -> dict[str, str]:
    """Hash seed and adaptive routing, only for switches that have several paths to choose from."""
    asked = {"hash_seed": ""} if plan.hash_seed else {}
    adaptive = fabric.adaptive_routing and balanced_ports(plan.ports)
    return asked | ({"adaptive_routing": "fabric.adaptive_routing"} if adaptive else {})
