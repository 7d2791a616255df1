"""VLANs of every host port: only those in use by the networks and addresses behind it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from netaddr import IPNetwork

from netplan.model.addresses import AddressPlan, PortUse, Segment
from netplan.model.fabric import Fabric, Network
from netplan.model.hardware import HostLink
from netplan.model.switch_ports import PortVlans
from netplan.plan.devices import carriers
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class _Segments:
    """Index of segments: by (rail, leaf), of which links ask for rails only; inventory subnets by name; all
    by network."""

    by_rail: Mapping[tuple[int | None, str | None], Segment]
    by_name: Mapping[str, Segment]
    by_network: Mapping[IPNetwork, Segment]

    def of_rail(self, link: HostLink) -> Segment | None:
        rail = link.hca.rail
        if rail is None or not link.hca.for_pods:
            return None
        return self.by_rail.get((rail, link.switch.name)) or self.by_rail.get((rail, None))

    def of_host(self, link: HostLink) -> Segment | None:
        """Segment of the host's own address on this link; None without one, or where it fits none (NP213,
        NP214)."""
        own = link.host.hcas.get(link.hca.name)
        if own is None or own.address is None:
            return None
        rail = self.of_rail(link)
        if rail is not None and any(own.address.ip in s.network for s in rail.subnets):
            return rail
        return self.by_network.get(own.address.network)


def plan_port_uses(
    fabric: Fabric, segments: Iterable[Segment]
) -> Mapping[tuple[str, str], tuple[PortUse, ...]]:
    """(switch, port) -> uses of the host link there. An HCA without any use is on its rail, untagged."""
    every = tuple(segments)
    index = _Segments(
        by_rail={(s.rail, s.leaf): s for s in every},
        by_name={s.name: s for s in every if s.rail is None},
        by_network={subnet.network: s for s in every for subnet in s.subnets},
    )
    networks: dict[tuple[str, str], list[Network]] = defaultdict(list)
    for network in fabric.networks:
        for carrier in carriers(network, fabric):
            for hca in carrier.hcas:
                networks[carrier.host_type.name, hca.name].append(network)
    out = {}
    on_rail: dict[tuple[str, str, str], tuple[PortUse, ...]] = {}  # for links without an address of the host
    for link in fabric.host_links:
        behind = link.host.type.name, link.hca.name
        if index.of_host(link) is not None:
            found = tuple(_uses(link, networks[behind], index))
        elif (known := on_rail.get((*behind, link.switch.name))) is not None:
            found = known
        else:
            found = on_rail[(*behind, link.switch.name)] = tuple(_uses(link, networks[behind], index))
        if found:
            out[link.switch.name, link.port] = found
    return out


def _uses(link: HostLink, networks: list[Network], index: _Segments) -> Iterator[PortUse]:
    """Uses of one host link, with the host's own address last. Networks without an attachment (verbs devices)
    share the port as it is; they count, untagged, only where no attached network uses the port."""
    attached = [n for n in networks if n.by_mode.attached]
    found = [use for n in attached or networks if (use := _of_network(link, n, index)) is not None]
    yield from found
    own, rail = index.of_host(link), index.of_rail(link)
    if own is not None:
        at = (*link.host.hcas[link.hca.name].at, "address")
        yield PortUse(network="", segment=own, tagged=False, at=at)
    elif not found and rail is not None:
        yield PortUse(network="", segment=rail, tagged=False, at=link.hca.at)


def _of_network(link: HostLink, network: Network, index: _Segments) -> PortUse | None:
    """The network's use of the link: in its subnet if it has one, else on the HCA's rail. A network with
    neither rails nor subnet has no VLAN to tag with."""
    stated = index.by_name.get(network.subnet.name) if network.subnet is not None else None
    segment = stated or index.of_rail(link)
    if segment is None:
        return None
    has_vlan = segment.vlan is not None and (stated is not None or network.per_rail)
    tagged = has_vlan and network.by_mode.tags and network.tagging == "vf"
    return PortUse(network=network.name, segment=segment, tagged=tagged, at=network.at)


def plan_port_vlans(addresses: AddressPlan) -> Mapping[tuple[str, str], PortVlans]:
    """(switch, port) -> union of the VLANs of its uses. Of conflicting untagged VLANs (NP313) the first one
    counts. Equal ones are the same object."""
    known: dict[int, PortVlans | None] = {}  # ports of one leaf and rail share their uses
    same: dict[PortVlans | None, PortVlans | None] = {}
    for uses in addresses.port_uses.values():
        if id(uses) not in known:
            vlans = _port_vlans(uses)
            known[id(uses)] = same.setdefault(vlans, vlans)
    found = ((key, known[id(uses)]) for key, uses in addresses.port_uses.items())
    return {key: vlans for key, vlans in found if vlans is not None}


def _port_vlans(uses: Iterable[PortUse]) -> PortVlans | None:
    tagged = {use.segment.vlan for use in uses if use.tagged and use.segment.vlan is not None}
    untagged = [u.segment.vlan for u in uses if not u.tagged and u.segment.vlan is not None]
    if not tagged and not untagged:
        return None
    return PortVlans(tagged=tuple(sorted(tagged)), untagged=next(iter(untagged), None))
