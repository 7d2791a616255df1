"""The cabled ports of one switch: peer, speed, MTU, VLANs or addresses, lossless priorities, headroom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from typing import NamedTuple

from netplan.model.addresses import AddressPlan
from netplan.model.fabric import Fabric
from netplan.model.hardware import HostLink, Switch, SwitchLink, SwitchType
from netplan.model.nos import NosProfile
from netplan.model.switch_ports import PortVlans, SwitchPort
from netplan.model.values import InterfaceAddress, natural
from netplan.plan.buffers import PortSizes, SizedPort
from netplan.records import copier, dataclass

PortKey = tuple[str, str]
"""(switch name, port name)"""


@dataclass(frozen=True, slots=True)
class Cabling:
    """Links by switch, with the addresses and VLANs of each port.

    ``trunk``: VLANs of segments that span several leaves, carried by switch links without addresses.
    ``rail_starts_per_hour``: pod starts per hour, counted once per network with rails.
    """

    host_links: Mapping[str, tuple[HostLink, ...]]
    uplinks: Mapping[str, tuple[SwitchLink, ...]]
    downlinks: Mapping[str, tuple[SwitchLink, ...]]
    addresses: Mapping[PortKey, tuple[InterfaceAddress, ...]]
    vlans: Mapping[PortKey, PortVlans]
    trunk: PortVlans
    pfc: tuple[int, ...]
    rail_starts_per_hour: int


def cabling(
    fabric: Fabric, addresses: AddressPlan, pfc: tuple[int, ...], vlans: Mapping[PortKey, PortVlans]
) -> Cabling:
    hosts: dict[str, list[HostLink]] = defaultdict(list)
    up: dict[str, list[SwitchLink]] = defaultdict(list)
    down: dict[str, list[SwitchLink]] = defaultdict(list)
    for link in fabric.host_links:
        hosts[link.switch.name].append(link)
    for cable in fabric.switch_links:
        up[cable.lower.name].append(cable)
        down[cable.upper.name].append(cable)
    shared = {s.vlan for s in addresses.segments if s.leaf is None and s.vlan is not None}
    return Cabling(
        host_links={name: tuple(links) for name, links in hosts.items()},
        uplinks={name: tuple(links) for name, links in up.items()},
        downlinks={name: tuple(links) for name, links in down.items()},
        addresses=_port_addresses(addresses),
        vlans=vlans,
        trunk=PortVlans(tuple(sorted(shared)), None),
        pfc=pfc,
        rail_starts_per_hour=sum(
            w.pod_starts_per_hour for w in fabric.workloads for n in w.networks if n.per_rail
        ),
    )


def _port_addresses(addresses: AddressPlan) -> dict[PortKey, tuple[InterfaceAddress, ...]]:
    found: dict[PortKey, tuple[InterfaceAddress, ...]] = {}
    for routed in addresses.host_links:
        found[routed.link.switch.name, routed.link.port] = routed.switch_addresses
    for uplink in addresses.uplinks:
        found[uplink.link.lower.name, uplink.link.lower_port] = (uplink.lower,)
        found[uplink.link.upper.name, uplink.link.upper_port] = (uplink.upper,)
    return found


class _End(NamedTuple):
    """One end of a cable, seen from its switch."""

    port: str
    peer: str
    link: HostLink | SwitchLink
    kind: str
    speed_gbps: int
    rdma: bool
    rail: int | None


_alike = copier(SwitchPort, "name", "peer", "at", "addresses")


class Ports:
    """Plans the ports of all switches of a type. Those that differ only in name, peer, addresses and place in
    the inventory are copies of the first."""

    def __init__(self, kind: SwitchType, nos: NosProfile, cables: Cabling) -> None:
        self._kind, self._nos, self._cables = kind, nos, cables
        self._sizes = PortSizes(kind, nos)
        self._first: dict[Hashable, SwitchPort] = {}

    def of(self, switch: Switch) -> tuple[SwitchPort, ...]:
        """In natural order of their names. Of several cables on a port (NP820 accepted) the first counts."""
        ends: dict[str, _End] = {}
        for end in _ends(switch, self._cables):
            ends.setdefault(end.port, end)
        return tuple([self._port(switch, ends[name]) for name in sorted(ends, key=natural)])

    def _port(self, switch: Switch, end: _End) -> SwitchPort:
        key, link = (switch.name, end.port), end.link
        addresses = self._cables.addresses.get(key, ())
        vlans = _NO_VLANS if addresses else _vlans(self._cables, key, end.kind)
        # by identity: hashing the two records takes longer than the copy, and most equal ones are one object
        shared = (link.cable_m, link.optic, id(link.settings), id(vlans))
        shape = (end.kind, end.speed_gbps, end.rdma, end.rail, *shared)
        if shape not in self._first:
            self._first[shape] = self._planned(end, vlans)
        return _alike(self._first[shape], end.port, end.peer, link.at, addresses)

    def _planned(self, end: _End, vlans: PortVlans) -> SwitchPort:
        """A port with a lossless priority gets the headroom of the next longer cable in its table."""
        kind, cable_m = self._kind, end.link.cable_m
        untagged = () if vlans.untagged is None else (vlans.untagged,)
        pfc = self._cables.pfc if end.rdma else ()
        size = self._sizes.of(end.speed_gbps, cable_m) if pfc else _UNSIZED
        buffer_cable_m = cable_m if size.headroom is None else size.headroom.cable_m
        return SwitchPort(
            name=end.port,
            kind=end.kind,
            peer=end.peer,
            at=end.link.at,
            speed_gbps=end.speed_gbps,
            cable_m=cable_m,
            optic=end.link.optic,
            mtu=kind.port_mtu,
            ip_mtu=kind.port_mtu - self._nos.units.mtu_overhead,
            tagged=vlans.tagged,
            untagged=untagged,
            addresses=(),
            rdma=end.rdma,
            pfc=pfc,
            rail=end.rail,
            buffer_cable_m=buffer_cable_m,
            headroom=size.headroom,
            missing=size.missing,
            lengths=size.lengths,
            settings=end.link.settings,
        )


def _ends(switch: Switch, plan: Cabling) -> Iterator[_End]:
    for link in plan.host_links.get(switch.name, ()):
        peer = f"{link.host.name} {link.hca.name}"
        yield _End(link.port, peer, link, "host", link.hca.speed_gbps, link.hca.for_pods, link.hca.rail)
    for cable in plan.uplinks.get(switch.name, ()):
        peer = f"{cable.upper.name} {cable.upper_port}"
        yield _End(cable.lower_port, peer, cable, _kind(cable, "uplink"), link_speed(cable), True, None)
    for cable in plan.downlinks.get(switch.name, ()):
        peer = f"{cable.lower.name} {cable.lower_port}"
        yield _End(cable.upper_port, peer, cable, _kind(cable, "downlink"), link_speed(cable), True, None)


def _kind(link: SwitchLink, between_tiers: str) -> str:
    return "peer" if link.lower.role == link.upper.role else between_tiers


def link_speed(link: SwitchLink) -> int:
    """Link speed in Gb/s: as stated, else the highest speed that both switch models support."""
    models = (link.lower.type.model, link.upper.type.model)
    return link.speed_gbps or min(max(model.speeds_gbps) for model in models)


_UNSIZED = SizedPort(None)
_NO_VLANS = PortVlans((), None)


def _vlans(plan: Cabling, key: PortKey, kind: str) -> PortVlans:
    if kind == "host":
        return plan.vlans.get(key, _NO_VLANS)
    return plan.trunk
