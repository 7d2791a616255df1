"""A switch's plan in the data model of Arista's own generator (pyavd): a second opinion on netplan's EOS
lines.

Written from the plan, not from netplan's templates, with the key names of AVD's eos_cli_config_gen schema.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from netplan.model.switch_ports import SwitchPort, SwitchVlan
from netplan.model.switch_qos import SwitchQueue
from netplan.model.switching import AddressFamily, SwitchPlan
from netplan.model.values import InterfaceAddress

Data = dict[str, Any]


def structured(plan: SwitchPlan) -> Data:
    return {
        "hostname": plan.name,
        **{"ipv6_unicast_routing" if family.ipv6 else "ip_routing": True for family in plan.families},
        "lldp": {"run": True},
        "vlans": [{"id": vlan.id, "name": vlan.name} for vlan in plan.vlans],
        "ethernet_interfaces": [_port(plan, port) for port in plan.ports],
        "vlan_interfaces": [_vlan_interface(plan, vlan) for vlan in plan.vlans if vlan.addresses],
        "loopback_interfaces": [{"name": "Loopback0", **_addresses(plan.loopbacks)}]
        if plan.loopbacks
        else [],
        **_bgp(plan),
        **_qos(plan),
        **_ageing(plan),
    }


def _addresses(addresses: Iterable[InterfaceAddress]) -> Data:
    four = [str(a) for a in addresses if not a.ipv6]
    six = [str(a) for a in addresses if a.ipv6]
    return ({"ip_address": four[0]} if four else {}) | ({"ipv6_addresses": six} if six else {})


def _port(plan: SwitchPlan, port: SwitchPort) -> Data:
    data: Data = {"name": port.name, "description": port.peer, "mtu": port.mtu}
    split = next((s for s in plan.breakouts if port.name in s.members), None)
    if split is not None:
        one_lane = split.part_lanes == 1 and split.part_gbps < 50  # AVD has no form with the number for it
        data["speed"] = f"{split.part_gbps}g" if one_lane else f"{split.part_gbps}g-{split.part_lanes}"
    if port.rdma and plan.qos.enabled:
        data["service_profile"] = "ROCE"
    if port.routed:
        data |= {"switchport": {"enabled": False}, **_addresses(port.addresses)}
        if plan.arp.enabled and any(a.ipv6 for a in port.addresses):
            data["ipv6_nd"] = {"cache": {"expire": plan.arp.seconds}}
    elif port.tagged:
        trunk: Data = {"allowed_vlan": ",".join(str(vlan) for vlan in port.vlans)}
        if port.untagged:
            trunk["native_vlan"] = port.untagged[0]
        data["switchport"] = {"enabled": True, "mode": "trunk", "trunk": trunk}
    elif port.untagged:
        data["switchport"] = {"enabled": True, "mode": "access", "access_vlan": port.untagged[0]}
    return data


def _vlan_interface(plan: SwitchPlan, vlan: SwitchVlan) -> Data:
    data: Data = {"name": f"Vlan{vlan.id}", "mtu": plan.type.port_mtu, **_addresses(vlan.addresses)}
    if plan.arp.enabled:
        data["arp_gratuitous_accept"] = True
        if any(a.ipv6 for a in vlan.addresses):
            data["ipv6_nd"] = {"cache": {"expire": plan.arp.seconds}}
    return data


def _bgp(plan: SwitchPlan) -> Data:
    if not plan.neighbours:
        return {}
    paths = len(plan.neighbours)
    families = {f"address_family_ipv{6 if f.ipv6 else 4}": _family(f) for f in plan.families}
    neighbours = [
        {"ip_address": str(n.address), "remote_as": str(n.remote_as), "description": n.name}
        for n in plan.neighbours
    ]
    own = {"as": str(plan.asn), "router_id": plan.router_id, "maximum_paths": {"paths": paths, "ecmp": paths}}
    return {"router_bgp": {**own, "neighbors": neighbours, **families}}


def _family(family: AddressFamily) -> Data:
    return {
        "neighbors": [{"ip_address": str(n.address), "activate": True} for n in family.neighbours],
        "networks": [{"prefix": str(network)} for network in family.networks],
    }


def _qos(plan: SwitchPlan) -> Data:
    qos = plan.qos
    if not qos.enabled:
        return {}
    kind, positions = ("dscp", qos.dscp_to_tc) if qos.dscp_trust else ("cos", qos.pcp_to_tc)
    values = {
        queue.number: " ".join(str(value) for value, tc in enumerate(positions) if tc == queue.number)
        for queue in qos.queues
    }
    maps = {
        kind: [f"{listed} to traffic-class {number}" for number, listed in values.items()],
        "traffic_class": [f"{number} to tx-queue {number}" for number in values],
    }
    profile: Data = {"name": "ROCE", "trust": kind, _queue_key(plan): [_queue(queue) for queue in qos.queues]}
    if qos.pfc:
        profile["priority_flow_control"] = {
            "enabled": True,
            "priorities": [{"priority": priority, "no_drop": True} for priority in qos.pfc],
            "watchdog": {"enabled": plan.watchdog.enabled},
        }
    return {"qos": {"map": maps}, "qos_profiles": [profile], **_watchdog(plan)}


def _queue_key(plan: SwitchPlan) -> str:
    return "uc_tx_queues" if plan.type.model.asic.startswith("tomahawk") else "tx_queues"


def _queue(queue: SwitchQueue) -> Data:
    if queue.strict:
        return {"id": queue.number, "priority": "priority strict"}
    data: Data = {"id": queue.number, "priority": "no priority", "bandwidth_percent": queue.weight}
    for ecn in queue.ecn:
        limits = {"units": "bytes", "min": ecn.kmin_bytes, "max": ecn.kmax_bytes}
        data["random_detect"] = {"ecn": {"threshold": limits | {"max_probability": ecn.probability}}}
    return data


def _watchdog(plan: SwitchPlan) -> Data:
    times = plan.watchdog
    if not times.enabled:
        return {}
    seconds = {
        "timeout": times.detection,
        "recovery_time": times.restoration,
        "polling_interval": times.poll,
    }
    return {"priority_flow_control": {"watchdog": {"action": "drop", **seconds}}}


def _ageing(plan: SwitchPlan) -> Data:
    if not plan.arp.enabled:
        return {}
    data: Data = {"arp": {"aging": {"timeout_default": plan.arp.seconds}}}
    return data | ({"mac_address_table": {"aging_time": plan.arp.mac_wanted}} if plan.arp.mac_wanted else {})
