"""NP313 to NP316, NP321: several networks on one switch port, and subnets beside the rails."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from netplan.checks.reach import cannot_carry, segment_homes
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path
from netplan.model.addresses import PortUse, Segment
from netplan.model.fabric import Fabric, Subnet
from netplan.model.kubernetes import Attachment
from netplan.model.plan import Plan
from netplan.model.values import natural, overlap


def _use_count(plan: Plan) -> int:
    return len(plan.addresses.port_uses) if plan.switches else 0


def _sends(use: PortUse) -> str:
    """What is sent, for a message: "network blue sends VLAN 300 tagged"."""
    who = f"network {use.network}" if use.network else "the host itself"
    if use.segment.vlan is None:
        return f"{who} sends {use.segment.name} untagged"
    return f"{who} sends VLAN {use.segment.vlan} {'tagged' if use.tagged else 'untagged'}"


def _clash(one: PortUse, other: PortUse) -> bool:
    """Whether uses conflict: a port has one untagged VLAN, and sends a VLAN either tagged or untagged."""
    if one.segment.vlan == other.segment.vlan:
        return one.tagged != other.tagged and one.segment.vlan is not None
    return not one.tagged and not other.tagged


@check("NP313", "conflicting uses of a switch port", on=Plan, counts=_use_count)
def untagged_clash(plan: Plan) -> Iterator[Finding]:
    """A port carries the VLANs of all networks of its HCA, at most one of them untagged.

    **Why.** All untagged frames go to the port's one untagged VLAN, and the switch sends each VLAN either
    tagged or untagged, so the other network receives nothing.
    **Fix.** Let the VFs tag all VLANs but one (`tagging: vf`), or give the network another HCA.
    **Source.** IEEE 802.1Q, PVID and untagged set of a port
    """
    seen: set[tuple[Path, Path]] = set()
    for (switch, port), uses in plan.addresses.port_uses.items() if plan.switches else ():
        for one, other in combinations(uses, 2):
            if _clash(one, other) and (one.at, other.at) not in seen:
                seen.add((one.at, other.at))
                what = f"{switch} {port}: {_sends(one)}, {_sends(other)}"
                yield Finding(other.at, what, _untangled(one, other))


def _untangled(one: PortUse, other: PortUse) -> str:
    if one.segment.vlan != other.segment.vlan:
        return "set tagging: vf for all but one, or use another HCA for one"
    name = one.network if one.tagged else other.network
    return f"set tagging: port for network {name}, or use another HCA for one"


@check("NP314", "subnet on a routed port", on=Plan, counts=_use_count)
def subnet_on_routed_port(plan: Plan) -> Iterator[Finding]:
    """With `rails.segment: host` the port to an HCA of a rail is a routed link and carries no VLAN.

    **Why.** The port is not a member of the subnet's VLAN, so its frames are dropped; no other host or
    gateway of the subnet is on the link.
    **Fix.** Put the network on an HCA without a rail.
    **Source.** sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models/sonic-vlan.yang (a
    routed port is not a VLAN member)
    """
    seen: set[Path] = set()
    for switch in plan.switches:
        for port in switch.ports:
            for use in plan.addresses.port_uses.get((switch.name, port.name), ()) if port.routed else ():
                if use.segment.rail is None and use.at not in seen:
                    seen.add(use.at)
                    what = f"{_sends(use)}, but {switch.name} {port.name} is a routed link of a rail"
                    yield Finding(use.at, what, "move the network to an HCA without a rail")


@check("NP321", "host port in no VLAN", on=Plan, counts=_use_count, about="switches")
def without_vlan(plan: Plan) -> Iterator[Finding]:
    """netplan puts the ports of a segment into its VLAN. NP306 has segments without one whose gateway is to
    be on a leaf.

    **Why.** The port is in the default VLAN of its NOS, together with every other such port, or in none and
    drops the frames: what is rendered joins nobody.
    **Fix.** State `vlan` of the subnet or `rails.vlan_ids`; where netplan does not configure the switches,
    leave the links of these ports out.
    **Source.** IEEE 802.1Q: an untagged frame is in the VLAN of the port's PVID; arista.com/en/um-eos/
    eos-virtual-lans-vlans (VLAN 1 unless stated); CumulusNetworks/docs, VLAN-aware Bridge Mode (a port is
    first made a member of a bridge).
    """
    if plan.fabric.type != "roce":
        return
    routed = {(switch.name, port.name) for switch in plan.switches for port in switch.ports if port.routed}
    seen: set[str] = set()
    for (switch, port), uses in plan.addresses.port_uses.items():
        for use in uses if (switch, port) not in routed else ():
            segment = use.segment
            if segment.name not in seen and _unplaced(segment):
                seen.add(segment.name)
                at, name, hint = _vlan_of(plan, segment)
                what = f"{name} has no VLAN, so its port {switch} {port} is in none"
                yield Finding(at, what, hint)


def _unplaced(segment: Segment) -> bool:
    own_gateway = not segment.external and any(subnet.gateway is not None for subnet in segment.subnets)
    return segment.vlan is None and not segment.host_prefixes and not own_gateway


def _vlan_of(plan: Plan, segment: Segment) -> tuple[Path, str, str]:
    """(place of a segment's VLAN, name, what to do)."""
    if segment.rail is not None:
        return ("rails", "vlan_ids"), f"segment {segment.name}", "state rails.vlan_ids"
    at = next(subnet.at for subnet in plan.fabric.subnets if subnet.name == segment.name)
    return (*at, "vlan"), f"subnet {segment.name}", "state vlan of the subnet"


def _subnet_count(plan: Plan) -> int:
    return len(plan.fabric.subnets) if plan.switches else 0


@check(
    "NP315", "VLAN without a layer 2 path between its leaves", on=Plan, counts=_subnet_count, about="switches"
)
def vlan_apart(plan: Plan) -> Iterator[Finding]:
    """Hosts of a subnet that is not a rail are on several leaves, which must be joined by loop-free trunks.

    **Why.** netplan does not configure EVPN or VXLAN, and routed uplinks carry no VLAN. Hosts on
    different leaves cannot reach each other, and no leaf can be the gateway of both parts.
    **Fix.** Give each leaf a VLAN and a subnet of its own, with `routes` to the others.
    **Source.** Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016: flooded lossless frames close
    a circle of paused buffers.
    """
    homes = segment_homes(plan)
    for subnet in plan.fabric.subnets:
        leaves = sorted(homes.get(subnet.name, ()), key=natural)
        if subnet.vlan is not None and len(leaves) > 1 and (why := cannot_carry(plan.fabric, leaves)):
            what = (
                f"VLAN {subnet.vlan.id} of subnet {subnet.name} is on {leaves[0]} and {leaves[1]}, but {why}"
            )
            yield Finding((*subnet.at, "vlan"), what, "give each leaf a VLAN and subnet of its own")


@check(
    "NP316",
    "routes that pods cannot have",
    on=Plan,
    counts=lambda plan: sum(len(subnet.routes) for subnet in plan.fabric.subnets),
)
def unroutable(plan: Plan) -> Iterator[Finding]:
    """Pods get the `routes` of their subnet together with their addresses, in table main.

    **Why.** A default route there, or one that covers pods or Services, diverts the pod's other traffic;
    without an IPAM that hands out routes, packets leave on the pod network instead.
    **Fix.** State the prefixes of the servers only; use nv-ipam, whereabouts, host-local or static.
    **Source.** containernetworking/cni 3f51e880 SPEC.md, routes of a result; spidernet-io/spiderpool a7fbd3b2
    docs/usage/route.md (its coordinator sets routes up by itself)
    """
    for subnet in plan.fabric.subnets:
        for index, network in enumerate(subnet.routes):
            why = _taken_by(plan.fabric, network.prefixlen == 0, subnet, index)
            if why:
                what = f"route {network} of subnet {subnet.name} {why}"
                yield Finding((*subnet.at, "routes", index), what, "state the prefixes of the servers only")
    for attachment in plan.kubernetes.attachments:
        segment = attachment.segment
        if segment is not None and segment.routes and not _hands_out(plan, attachment):
            network_, ipam = attachment.network, attachment.network.ipam
            what = (
                f"pods of network {network_.name} get no routes of subnet {segment.name}: its ipam is {ipam}"
            )
            hint = "use nv-ipam, whereabouts, host-local or static, or remove routes"
            yield Finding((*network_.at, "ipam"), what, hint)


def _taken_by(fabric: Fabric, default: bool, subnet: Subnet, index: int) -> str:
    if default:
        return "is a default route"
    primary = fabric.cluster.primary_network
    for name, other in (("pod_cidr", primary.pod_cidr), ("service_cidr", primary.service_cidr)):
        if other is not None and overlap(subnet.routes[index], other):
            return f"covers {name} {other}"
    return "is the subnet itself" if subnet.routes[index] == subnet.cidr else ""


def _hands_out(plan: Plan, attachment: Attachment) -> bool:
    if attachment.ipam is None:
        return False
    routed = {pool.name for pool in plan.kubernetes.pools if pool.routes}
    return bool(attachment.ipam.routes) or bool(routed & set(attachment.ipam.pools))
