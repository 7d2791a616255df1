"""VLANs, VLAN interfaces, BGP neighbours and announced prefixes of one switch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from netaddr import IPNetwork

from netplan.model.addresses import AddressPlan, Segment
from netplan.model.fabric import Fabric
from netplan.model.hardware import Switch
from netplan.model.switch_ports import SwitchPort, SwitchVlan, VlanMember
from netplan.model.switching import BgpNeighbour
from netplan.model.values import InterfaceAddress, natural
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class Segments:
    """Segments and BGP neighbours of all switches. ``gateways``: segments by the switch that is their
    gateway; ``names``: VLAN names by id."""

    gateways: Mapping[str, tuple[Segment, ...]]
    names: Mapping[int, str]
    neighbours: Mapping[str, tuple[BgpNeighbour, ...]]


def segment_index(fabric: Fabric, addresses: AddressPlan) -> Segments:
    homes: dict[str, set[str]] = defaultdict(set)
    for (switch, _), uses in addresses.port_uses.items():
        for use in uses:
            homes[use.segment.name].add(switch)
    gateways: dict[str, list[Segment]] = defaultdict(list)
    for segment in addresses.segments:
        home = segment.leaf or _only(homes[segment.name])
        if home and segment.vlan is not None and not segment.external:
            gateways[home].append(segment)
    shared = {s.vlan: s.name for s in addresses.segments if s.vlan is not None and s.leaf is None}
    named = {vlan.id: vlan.name for vlan in fabric.vlans}
    return Segments(
        gateways={name: tuple(found) for name, found in gateways.items()},
        names=shared | named,
        neighbours=_bgp(addresses),
    )


def _only(names: set[str]) -> str:
    """The switch that holds a segment's gateway; empty where the segment spans several switches, because
    netplan plans no anycast gateway."""
    return next(iter(names)) if len(names) == 1 else ""


def _bgp(addresses: AddressPlan) -> dict[str, tuple[BgpNeighbour, ...]]:
    found: dict[str, list[BgpNeighbour]] = defaultdict(list)
    for uplink in addresses.uplinks:
        link = uplink.link
        for me, port, mine, peer, theirs in (
            (link.lower, link.lower_port, uplink.lower, link.upper, uplink.upper),
            (link.upper, link.upper_port, uplink.upper, link.lower, uplink.lower),
        ):
            neighbour = BgpNeighbour(
                name=peer.name,
                port=port,
                address=theirs.ip,
                local=mine.ip,
                remote_as=addresses.asns[peer.name],
            )
            found[me.name].append(neighbour)
    return {name: tuple(sorted(rows, key=lambda n: natural(n.port))) for name, rows in found.items()}


_member = lru_cache(maxsize=4096)(VlanMember)
"""Cached: all switches of a type have the same members."""


def plan_vlans(switch: Switch, ports: Sequence[SwitchPort], index: Segments) -> tuple[SwitchVlan, ...]:
    """Every VLAN that a port carries or whose gateway is on this switch, by id."""
    members: dict[int, list[VlanMember]] = defaultdict(list)
    for port in ports:
        for vlan in port.tagged:
            members[vlan].append(_member(port.name, True))
        for vlan in port.untagged:
            if vlan not in port.tagged:
                members[vlan].append(_member(port.name, False))
    own = {s.vlan: s for s in index.gateways.get(switch.name, ()) if s.vlan is not None}
    return tuple(
        SwitchVlan(
            id=vlan,
            name=own[vlan].name if vlan in own else index.names.get(vlan, f"vlan-{vlan}"),
            addresses=gateway_addresses(own[vlan]) if vlan in own else (),
            members=tuple(members[vlan]),
        )
        for vlan in sorted({*members, *own})
    )


def gateway_addresses(segment: Segment) -> tuple[InterfaceAddress, ...]:
    return tuple(
        InterfaceAddress(subnet.gateway, subnet.network.prefixlen)
        for subnet in segment.subnets
        if subnet.gateway is not None
    )


def announced(
    loopbacks: Sequence[InterfaceAddress], vlans: Sequence[SwitchVlan], hosts: Sequence[IPNetwork]
) -> tuple[IPNetwork, ...]:
    """Prefixes a switch announces: its loopback, its VLAN interfaces' subnets, its routed host links."""
    routed = (address.network for vlan in vlans for address in vlan.addresses)
    return (*(address.network for address in loopbacks), *routed, *hosts)


def host_networks(ports: Sequence[SwitchPort]) -> tuple[IPNetwork, ...]:
    return tuple(a.network for port in ports if port.kind == "host" for a in port.addresses)
