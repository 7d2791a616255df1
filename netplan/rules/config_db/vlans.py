"""NP800: VLAN subnets without hosts, or behind two leaves that no layer 2 path joins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from netaddr import IPNetwork

from netplan.diagnostics import Severity
from netplan.graph.config_db.links import DbTopology
from netplan.model.values import parse_network
from netplan.reading.config_db.switch import DbSwitch, once
from netplan.records import dataclass
from netplan.rules.config_db.registry import RowFinding, rule

_JOINING = (
    "VXLAN_TUNNEL", "VXLAN_TUNNEL_MAP", "MCLAG_DOMAIN", "PEER_SWITCH", "MUX_CABLE", "VNET", "VRRP", "VRRP6",
    "EVPN_ETHERNET_SEGMENT", "SAG",
)  # fmt: skip
"""Tables of what stretches a VLAN over two switches, or gives both one gateway."""
_MOST = 64
"""Switches with one subnet that are compared."""


@dataclass(frozen=True, slots=True)
class VlanSubnet:
    """An address of a VLAN interface, outside any VRF."""

    switch: DbSwitch
    key: str
    vlan: str
    network: IPNetwork


def _subnets(switch: DbSwitch) -> Iterator[VlanSubnet]:
    for key in switch.keys("VLAN_INTERFACE") if switch.whole else ():
        vlan, _, prefix = key.partition("|")
        network = parse_network(prefix) if prefix else None
        if network is None or network.ip.is_link_local() or switch.text("VLAN_INTERFACE", vlan, "vrf_name"):
            continue
        yield VlanSubnet(switch, key, vlan, network)


def _counted(fabric: DbTopology) -> int:
    return sum(1 for switch in fabric.switches for _ in _subnets(switch))


@once
def _members(switch: DbSwitch) -> Mapping[str, Sequence[str]]:
    """VLAN -> ports in it, those of port channels included."""
    of: dict[str, list[str]] = {}
    ports: dict[str, list[str]] = {}
    for port, lag in switch.lag_of.items():
        ports.setdefault(lag, []).append(port)
    for key in switch.rows("VLAN_MEMBER"):
        vlan, _, name = key.partition("|")
        of.setdefault(vlan, []).extend(ports.get(name) or [name])
    return of


@rule(
    "NP800",
    "VLAN subnet that the fabric cannot reach as a whole",
    on=DbTopology,
    counts=_counted,
    severity=Severity.WARNING,
)
def unreached(fabric: DbTopology) -> Iterator[RowFinding]:
    """A VLAN interface has an address, but the VLAN has no member and no VXLAN map; or two leaves below one
    spine have VLAN interfaces in one subnet, without VXLAN, MCLAG or a port of the VLAN towards each other.

    **Why.** vlanmgrd keeps the interface of a VLAN without members up, so its subnet is announced and its
    traffic ends on the leaf. A subnet behind two leaves is announced by both: the spine sends a packet to
    either, and hosts of one leaf are not found from the other. It happens when the VLANs of a leaf are
    copied to the next.

    **Fix.** Add the ports of the hosts to VLAN_MEMBER; give each leaf a subnet of its own, or stretch the
    VLAN.

    **Source.** sonic-net/sonic-swss e6b0c5b cfgmgr/vlanmgr.cpp (a dummy interface keeps Bridge up); RFC 4291
    section 2.1 (a subnet prefix is associated with one link).
    """
    alike: dict[str, list[VlanSubnet]] = {}
    for switch in fabric.switches:
        mapped = {switch.text("VXLAN_TUNNEL_MAP", key, "vlan") for key in switch.rows("VXLAN_TUNNEL_MAP")}
        empty: dict[str, VlanSubnet] = {}
        for one in _subnets(switch):
            if switch.row("VLAN", one.vlan) and one.vlan not in _members(switch):
                empty.setdefault(one.vlan, one)
            else:
                alike.setdefault(str(one.network.cidr), []).append(one)
        yield from (_without_members(one) for one in empty.values() if one.vlan not in mapped)
    spines = _above(fabric)
    for subnets in alike.values():
        apart = (
            (one, other)
            for one, other in combinations(subnets[:_MOST], 2)
            if one.switch is not other.switch
            and spines[one.switch] & spines[other.switch]
            and not _joined(fabric, one, other)
        )
        if pair := next(apart, None):
            yield _twice(*pair)


def _without_members(one: VlanSubnet) -> RowFinding:
    message = f"VLAN_INTERFACE {one.key} has an address, but {one.vlan} of {one.switch.name} has no member"
    return RowFinding(
        one.switch.spot("VLAN_INTERFACE", one.key), message, f"add the ports of {one.vlan} to VLAN_MEMBER"
    )


def _twice(one: VlanSubnet, other: VlanSubnet) -> RowFinding:
    where = one.switch.where(one.switch.spot("VLAN_INTERFACE", one.key))
    message = (
        f"{other.switch.name} has {other.network} on {other.vlan}, and {one.switch.name} {one.network} on "
        f"{one.vlan} at {where}: nothing joins the two VLANs"
    )
    hint = "give each leaf a subnet of its own, or stretch the VLAN"
    return RowFinding(other.switch.spot("VLAN_INTERFACE", other.key), message, hint)


def _above(fabric: DbTopology) -> Mapping[DbSwitch, frozenset[str]]:
    """Switch -> names of those that its routed ports are linked to."""
    found: dict[DbSwitch, set[str]] = {switch: set() for switch in fabric.switches}
    for link in fabric.links:
        for end, peer in ((link.a, link.b), (link.b, link.a)):
            if end.switch.row("INTERFACE", end.port) or end.port in end.switch.lag_of:
                found[end.switch].add(peer.switch.name)
    return {switch: frozenset(names) for switch, names in found.items()}


def _joined(fabric: DbTopology, one: VlanSubnet, other: VlanSubnet) -> bool:
    """Whether the files show, or may hide, a layer 2 path between two VLANs: a tunnel, a pair of switches, a
    member that leads to a switch given, or one neighbour of both."""
    switches = (one.switch, other.switch)
    if any(switch.rows(table) for switch in switches for table in _JOINING):
        return True
    names = []
    for each in (one, other):
        ports = set(_members(each.switch).get(each.vlan, ()))
        ends = (end for link in fabric.links for end in (link.a, link.b))
        if any(end.switch is each.switch and end.port in ports for end in ends):
            return True
        rows = each.switch.rows("DEVICE_NEIGHBOR").keys() & ports
        names.append({each.switch.text("DEVICE_NEIGHBOR", row, "name") for row in rows} - {None})
    return bool(names[0] & names[1])
