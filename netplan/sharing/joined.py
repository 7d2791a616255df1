"""The fabrics of several clusters as one, and its switches planned from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from netplan.model.addresses import AddressPlan, PortUse, Segment
from netplan.model.fabric import Fabric, Vlan
from netplan.model.hardware import Host, HostLink, Switch, SwitchLink
from netplan.model.nos import NosProfile
from netplan.model.plan import Plan
from netplan.model.spans import Spans
from netplan.model.switching import NeighbourDemand
from netplan.model.values import natural
from netplan.plan.neighbours import demand_of, plan_demand
from netplan.plan.port_vlans import plan_port_vlans
from netplan.plan.switch_ports import Cabling, cabling
from netplan.plan.switch_vlans import segment_index
from netplan.plan.switches import Demand, plan_switches
from netplan.records import dataclass
from netplan.sharing.member import Member


def joined_plan(clusters: Sequence[Member], nos: Mapping[str, NosProfile]) -> Plan:
    """The plan of the first cluster with fabric, addresses and switches of all: valid for questions about
    switches, not about pods. Every ``at`` begins with the cluster (``Member.of_itself``).

    The clusters must agree (``sharing.disagreements``).
    """
    parts = [_Part(cluster, _addresses(cluster)) for cluster in clusters]
    first = clusters[0].plan
    fabric = _fabric(parts)
    addresses = _joined_addresses(parts)
    demand = _demand(parts, fabric, addresses)
    vlans = plan_port_vlans(addresses)
    switches = plan_switches(fabric, addresses, first.qos, nos, vlans, demand)
    return replace(first, fabric=fabric, addresses=addresses, switches=switches)


@dataclass(frozen=True, slots=True)
class _Part:
    """A cluster whose segments have unique names among all clusters."""

    cluster: Member
    addresses: AddressPlan

    @property
    def cables(self) -> Cabling:
        plan = self.cluster.plan
        vlans = plan_port_vlans(self.addresses)
        return cabling(self.cluster.fabric, self.addresses, plan.qos.pfc if plan.qos else (), vlans)


def _addresses(cluster: Member) -> AddressPlan:
    """Segments named after the cluster, except those from the fabric's files: a switch has VLANs of several
    clusters, and names must be unique."""
    plan = cluster.plan.addresses
    new = {s.name: _named(cluster, s) for s in plan.segments}
    uses = {key: tuple(_use(cluster, use, new) for use in found) for key, found in plan.port_uses.items()}
    return replace(plan, segments=tuple(new.values()), port_uses=uses)


def _named(cluster: Member, segment: Segment) -> Segment:
    stated = ("rails",) if segment.rail is not None else ("subnets", segment.name)
    own = cluster.alone_states(stated)
    return replace(segment, name=f"{cluster.site}-{segment.name}") if own else segment


def _use(cluster: Member, use: PortUse, new: Mapping[str, Segment]) -> PortUse:
    return replace(use, segment=new[use.segment.name], at=cluster.of_itself(use.at))


def _fabric(parts: Sequence[_Part]) -> Fabric:
    members = [part.cluster for part in parts]
    first = members[0].fabric
    hosts = [_host(m, host) for m in members for host in m.fabric.hosts]
    return replace(
        first,
        site=first.name or first.site,
        hosts=tuple(sorted(hosts, key=lambda host: natural(host.name))),
        switches=tuple(_switches(members)),
        host_links=tuple(_link(m, link) for m in members for link in m.fabric.host_links),
        switch_links=tuple(_switch_links(members)),
        vlans=tuple(_vlans(members)),
        subnets=_of_all(members, lambda fabric: fabric.subnets),
        networks=_of_all(members, lambda fabric: fabric.networks),
        workloads=_of_all(members, lambda fabric: fabric.workloads),
        accept=_of_all(members, lambda fabric: fabric.accept),
    )


T = TypeVar("T")


def _of_all(members: Iterable[Member], part: Callable[[Fabric], tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(each for member in members for each in part(member.fabric))


def _switches(members: Iterable[Member]) -> Iterable[Switch]:
    found: dict[str, Switch] = {}
    for member in members:
        for switch in member.fabric.switches:
            found.setdefault(switch.name, _switch(member, switch))
    return sorted(found.values(), key=lambda switch: natural(switch.name))


def _switch_links(members: Iterable[Member]) -> Iterable[SwitchLink]:
    found: dict[tuple[str, str], SwitchLink] = {}
    for member in members:
        for link in member.fabric.switch_links:
            key = (link.lower.name, link.lower_port)
            found.setdefault(key, replace(link, at=member.of_itself(link.at)))
    return found.values()


def _host(cluster: Member, host: Host) -> Host:
    return replace(host, at=cluster.of_itself(host.at))


def _switch(cluster: Member, switch: Switch) -> Switch:
    kind = replace(switch.type, at=cluster.of_itself(switch.type.at))
    return replace(switch, type=kind, at=cluster.of_itself(switch.at))


def _link(cluster: Member, link: HostLink) -> HostLink:
    return replace(link, host=_host(cluster, link.host), at=cluster.of_itself(link.at))


def _vlans(clusters: Iterable[Member]) -> Iterator[Vlan]:
    """VLANs by name, without ids that mean different things on different switches."""
    found: dict[int, dict[str, Vlan]] = defaultdict(dict)
    for c in clusters:
        for vlan in c.fabric.vlans:
            name = f"{c.site}-{vlan.name}" if c.alone_states(vlan.at) else vlan.name
            found[vlan.id][name] = replace(vlan, name=name, at=c.of_itself(vlan.at))
    for named in found.values():
        if len(named) == 1:
            yield from named.values()


def _joined_addresses(parts: Sequence[_Part]) -> AddressPlan:
    plans = [part.addresses for part in parts]
    segments = {segment: None for plan in plans for segment in plan.segments}
    uplinks = {(u.link.lower.name, u.link.lower_port): u for plan in plans for u in plan.uplinks}
    return AddressPlan(
        segments=tuple(segments),
        groups=(),
        groups_at={},
        rail_segments={},
        host_links=tuple(link for plan in plans for link in plan.host_links),
        uplinks=tuple(uplinks.values()),
        loopbacks={name: address for plan in plans for name, address in plan.loopbacks.items()},
        asns={name: asn for plan in plans for name, asn in plan.asns.items()},
        port_uses={key: uses for plan in plans for key, uses in plan.port_uses.items()},
        taken=Spans(()),
    )


def _demand(parts: Sequence[_Part], fabric: Fabric, addresses: AddressPlan) -> Demand:
    """Neighbours caused by the networks and workloads of all clusters, added up."""
    joint = segment_index(fabric, addresses)
    every = cabling(fabric, addresses, (), {})
    known = [(part, part.cables, frozenset(part.addresses.segments)) for part in parts]

    def demand(switch: Switch) -> NeighbourDemand:
        gateways = joint.gateways.get(switch.name, ())
        found = [
            plan_demand(
                part.cluster.fabric, part.addresses, cables, switch, [g for g in gateways if g in segments]
            )
            for part, cables, segments in known
        ]
        links = len(every.uplinks.get(switch.name, ())) + len(every.downlinks.get(switch.name, ()))
        hosts, stale = sum(each.hosts for each in found), sum(each.stale for each in found)
        nics = sum(each.routed - each.uplinks for each in found)
        return demand_of(switch, hosts=hosts, stale=stale, uplinks=links, nics=nics)

    return demand
