"""NP3xx: VLANs and MTU. NP867: VLANs of routed ports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from netaddr import IPAddress

from netplan.checks.reach import cannot_carry, segment_homes
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.addresses import Segment
from netplan.model.fabric import Fabric
from netplan.model.plan import Plan
from netplan.model.ranges import compressed, gathered
from netplan.model.switching import SwitchPlan, first_of_each_type
from netplan.model.values import natural


def _vlan_ids(fabric: Fabric) -> Iterator[tuple[int, str, Path]]:
    """(id, user, place) of every VLAN in the inventory."""
    if fabric.rails is not None:
        for rail, vlan in enumerate(fabric.rails.vlan_ids):
            yield vlan, f"rail {rail}", (*fabric.rails.at, "vlan_ids")
    for vlan_ in fabric.vlans:
        yield vlan_.id, f"VLAN {vlan_.name}", (*vlan_.at, "id")


def _vlan_count(fabric: Fabric) -> int:
    return sum(1 for _ in _vlan_ids(fabric))


@check("NP301", "duplicate VLAN ID", on=Fabric, counts=_vlan_count)
def vlan_id_twice(fabric: Fabric) -> Iterator[Finding]:
    """On a switch, a VLAN ID is one broadcast domain.

    **Why.** Rails or networks with the same id are one broadcast domain on every switch they share, so
    hosts of one answer ARP on the other.
    **Fix.** Give each its own VLAN ID.
    **Source.** IEEE 802.1Q
    """
    first: dict[int, str] = {}
    for vlan, what, at in _vlan_ids(fabric):
        if vlan in first:
            yield Finding(
                at, f"{what} and {first[vlan]} both have VLAN ID {vlan}", "give one of them another ID"
            )
        first.setdefault(vlan, what)


@check("NP302", "reserved VLAN ID", on=Fabric, counts=_vlan_count)
def vlan_id_reserved(fabric: Fabric) -> Iterator[Finding]:
    """Ids 2 to 4094 are free to use.

    **Why.** 1 is the default VLAN of most switches and cannot be created on SONiC, 0 and 4095 are reserved.
    **Fix.** Use an ID from 2 to 4094.
    **Source.** sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models/sonic-vlan.yang
    """
    for vlan, what, at in _vlan_ids(fabric):
        if not 2 <= vlan <= 4094:
            yield Finding(at, f"{what} has VLAN ID {vlan}, 2 to 4094 are allowed", "use an ID from 2 to 4094")


@check("NP303", "pod MTU does not fit a switch port", on=Plan, counts=lambda plan: len(plan.switches))
def pod_mtu_too_large(plan: Plan) -> Iterator[Finding]:
    """The IP MTU of a port is its MTU without the L2 header where the NOS counts that.

    **Why.** Small packets and BGP get through, large RDMA writes are silently dropped.
    **Fix.** Raise the switch type's port_mtu or lower fabric.mtu.
    **Source.** sonic-net/sonic-swss e6b0c5b5 orchagent/portsorch.cpp, setPortMtu, and arista-eosplus/rbeapi
    05709cd lib/rbeapi/api/ipinterfaces.rb, set_mtu (the IP packet); ipspace/netlab 771eeee6
    netsim/devices/junos.py, set_junos_mtu, and netsim/ansible/templates/initial/dellos10.j2 (L2 header
    as well); Onyx: unconfirmed, no source that can be opened was found
    """
    mtu = plan.fabric.mtu
    for switch in first_of_each_type(plan.switches):
        kind = switch.type
        for port in switch.ports[:1]:
            if mtu > port.ip_mtu:
                carries = f"carries IP packets of {port.ip_mtu:,} bytes"
                what = f"switch type {kind.name} {carries}, fabric.mtu is {mtu}"
                hint = f"raise it by {mtu - port.ip_mtu} or lower fabric.mtu"
                largest, spare = switch.limits.mtu_max, switch.limits.mtu_max - kind.port_mtu
                if largest and mtu - port.ip_mtu > spare:
                    what_fits = f"{switch.nos} supports port_mtu up to {largest}"
                    hint = f"lower fabric.mtu to {port.ip_mtu + spare}, {what_fits}"
                yield Finding((*kind.at, "port_mtu"), what, hint)


@check(
    "NP304",
    "port MTU not supported by the NOS",
    on=Plan,
    counts=lambda plan: len(plan.switches),
    about="switches",
)
def port_mtu_too_large(plan: Plan) -> Iterator[Finding]:
    """Every NOS has a largest port MTU.

    **Why.** The switch rejects the command, and the port keeps its old MTU.
    **Fix.** Lower port_mtu of the switch type.
    **Source.** sonic-net/sonic-buildimage 086b03bd sonic-port.yang (SONiC, 9216); arista-eosplus/rbeapi
    05709cd lib/rbeapi/api/ipinterfaces.rb (EOS, 9214); CiscoDevNet/terraform-provider-nxos docs, DME 10.5.3
    (9216); Huawei EDOC1100345000, jumboframe enable; published configurations with 9216: Cray-HPE/canu
    7b96d53 (Onyx), MicrosoftDocs/azure-stack-docs (OS10), Juniper/jvd 005ab34 (Junos), CumulusNetworks/docs
    (NVUE).
    """
    for switch in first_of_each_type(plan.switches):
        name, largest = switch.type.name, switch.limits.mtu_max
        if largest and switch.type.port_mtu > largest:
            mtu = switch.type.port_mtu
            what = f"port_mtu {mtu} of switch type {name} is above {largest}, the maximum of {switch.nos}"
            yield Finding((*switch.type.at, "port_mtu"), what, f"lower it to {largest}")


@check(
    "NP305",
    "MTU mismatch on a link",
    on=Plan,
    counts=lambda plan: len(plan.fabric.switch_links),
    about="switches",
)
def link_mtu_differs(plan: Plan) -> Iterator[Finding]:
    """Both ends of a cable must carry the same IP packets.

    **Why.** The smaller end drops what the larger one sends; nothing fragments RDMA.
    **Fix.** Give both switch types port MTUs that are equal once L2 headers are counted alike.
    **Source.** https://github.com/sonic-net/SONiC/wiki/Configuration (PORT mtu, default 9100)
    """
    mtus = {switch.name: port.ip_mtu for switch in plan.switches for port in switch.ports[:1]}
    seen: set[tuple[str, str]] = set()
    for link in plan.fabric.switch_links:
        lower, upper = mtus.get(link.lower.name), mtus.get(link.upper.name)
        types = (link.lower.type.name, link.upper.type.name)
        if lower != upper and types not in seen:
            seen.add(types)
            what = f"{link.lower.name} carries IP packets of {lower:,} bytes, {link.upper.name} of {upper:,}"
            hint = f"set port_mtu of {link.lower.type.name} and {link.upper.type.name} to matching values"
            yield Finding(link.at, what, hint)


_OUTSIDE = "gateway_owner: external if a router has it"
_RAIL_HINTS = {
    "VLAN": f"set rails.vlan_ids, or rails.{_OUTSIDE}",
    "several": f"set rails.segment: leaf or host, or rails.{_OUTSIDE}",
}
_SUBNET_HINTS = {
    "VLAN": f"set vlan, or {_OUTSIDE}",
    "several": f"give each leaf a VLAN and subnet of its own, or set {_OUTSIDE}",
    "none": f"add the cables of its HCAs to links, or set {_OUTSIDE}",
    "shared": f"give each subnet a VLAN of its own, or set {_OUTSIDE}",
}
"""Reason for a gateway being on no switch -> hint."""


@check(
    "NP306",
    "gateway on no switch",
    on=Plan,
    counts=lambda plan: len(plan.addresses.segments) if plan.switches else 0,
)
def gateway_nowhere(plan: Plan) -> Iterator[Finding]:
    """A gateway is a VLAN interface of the one leaf that its segment is on, unless `gateway_owner` is
    external.

    **Why.** The gateway of the pods does not answer, so traffic to other subnets or leaves is lost.
    **Fix.** For a subnet: cable its HCAs to one leaf and give it a VLAN, or set `gateway_owner: external`
    if a router outside the inventory has the address, or `gateway: none`. For rails: set
    `rails.vlan_ids`, use `segment: leaf` or `host`, or set one of these two keys.
    **Source.** netplan's own rule: anycast gateways are not planned, so one leaf has the address.
    """
    used = {n.subnet.name for n in plan.fabric.networks if n.subnet is not None}
    homes = segment_homes(plan)
    found: dict[tuple[Path, str], list[tuple[str, str]]] = defaultdict(list)
    for segment, lost in _unanswered(plan):
        mine = homes.get(segment.name, ())
        kind, why = _nowhere(plan, segment, mine) if mine or segment.name in used else ("", "")
        at, called, hints = _subject(segment)
        if kind in hints:
            found[at, hints[kind]] += [(f"gateway {gateway} of {called}", why) for gateway in lost]
    for (at, hint), lines in found.items():
        (what, why), more = lines[0], len(lines) - 1
        others = f" and {more} more" if more else ""
        yield Finding(at, f"{what}{others} {'are' if more else 'is'} on no switch: {why}", hint)


def _unanswered(plan: Plan) -> Iterator[tuple[Segment, list[IPAddress]]]:
    """Segments with gateways that no switch has. Left out: routed links, whose gateway is on the port, and
    segments with an external router."""
    there = {a.ip for switch in plan.switches for vlan in switch.vlans for a in vlan.addresses}
    for segment in plan.addresses.segments:
        lost = [s.gateway for s in segment.subnets if s.gateway is not None and s.gateway not in there]
        if lost and not segment.host_prefixes and not segment.external:
            yield segment, lost


def _subject(segment: Segment) -> tuple[Path, str, Mapping[str, str]]:
    """(place to change, name, hints)."""
    if segment.rail is not None:
        return ("rails",), f"segment {segment.name}", _RAIL_HINTS
    return ("subnets", segment.name, "gateway"), f"subnet {segment.name}", _SUBNET_HINTS


def _nowhere(plan: Plan, segment: Segment, homes: Collection[str]) -> tuple[str, str]:
    """(kind, reason). Segments whose leaves are not connected are left to NP621 and NP315; rails without a
    cable to NP117, NP118, NP826 and NP827."""
    leaves = sorted(homes, key=natural)
    if segment.vlan is None:
        return "VLAN", "no VLAN ID is stated"
    if not leaves:
        return "none", "no cable of an HCA in it is stated"
    if len(leaves) == 1:
        return "shared", f"VLAN {segment.vlan} of {leaves[0]} has the gateway of another subnet"
    if cannot_carry(plan.fabric, leaves):
        return "", ""
    return "several", f"VLAN {segment.vlan} is on {gathered(leaves)}"


def _taken(plan: Plan, switch: SwitchPlan, first: int, last: int) -> Iterator[tuple[Path, str]]:
    """(place, ids) of a switch's VLANs from ``first`` to ``last``."""
    carried = {vlan.id for vlan in switch.vlans}
    places: dict[Path, list[int]] = {}
    for vlan, _, at in _vlan_ids(plan.fabric):
        if vlan in carried and first <= vlan <= last:
            places.setdefault(at, []).append(vlan)
    for at, ids in places.items():
        yield at, f"VLAN {compressed(sorted(ids))} of {switch.name} ({switch.nos})"


@check(
    "NP319",
    "VLAN ID reserved by the switch",
    on=Plan,
    counts=lambda plan: sum(s.bounds.reserved_vlans is not None for s in plan.switches),
    about="switches",
)
def vlan_id_of_the_switch(plan: Plan) -> Iterator[Finding]:
    """Some switches use a range of VLAN IDs internally.

    **Why.** The switch rejects the VLAN, or its frames mix with internal traffic.
    **Fix.** Use ids outside the range; or move the range on the switch and accept this finding.
    **Source.** cisco.com, Nexus 9000 NX-OS 10.5 layer 2 switching guide, VLAN Ranges (3968 to 4094);
    CumulusNetworks/docs, knowledge base, Reserved VLAN Range and Limitations (3725 to 3999).
    """
    seen: set[tuple[Path, str]] = set()
    for switch in plan.switches:
        rule = switch.bounds.reserved_vlans
        if rule is None:
            continue
        for at, who in _taken(plan, switch, rule.first, rule.last):
            if (at, switch.nos) not in seen:
                seen.add((at, switch.nos))
                what = (
                    f"{who} is within {rule.first}-{rule.last}, which {switch.nos} reserves for internal use"
                )
                yield Finding(at, what, f"use other ids, or move the range: {rule.move}")


@check(
    "NP867",
    "VLAN ID that a routed port can take",
    on=Plan,
    counts=lambda plan: sum(s.bounds.routed_vlans > 0 for s in plan.switches),
    severity=Severity.INFO,
    about="switches",
)
def vlan_id_of_routed_port(plan: Plan) -> Iterator[Finding]:
    """Each routed port uses a free VLAN ID, counting up from a first one.

    **Why.** If ports become routed before the VLAN exists, its id may be taken and the VLAN is rejected.
    **Fix.** Create the VLANs first, use other ids, or move the range on the switch.
    **Source.** arista.com/en/um-eos/eos-virtual-lans-vlans, internal VLANs of routed ports (from 1006
    upwards).
    """
    seen: set[tuple[Path, str]] = set()
    for switch in plan.switches:
        first, routed = switch.bounds.routed_vlans, sum(port.routed for port in switch.ports)
        for at, who in _taken(plan, switch, first, first + routed - 1) if first else ():
            if (at, switch.nos) not in seen:
                seen.add((at, switch.nos))
                ids = compressed(range(first, first + routed))
                what = f"{who} is among {ids}, which its routed ports use"
                yield Finding(at, what, "create the VLANs before the ports are routed, or use other ids")
