"""Neighbour table demand and ARP ageing of a switch."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from netplan.model.addresses import AddressPlan, Segment
from netplan.model.fabric import Fabric
from netplan.model.hardware import Hca, HostLink, Switch
from netplan.model.nos import NosProfile
from netplan.model.switching import NeighbourDemand, SwitchArp
from netplan.model.values import size
from netplan.plan.switch_ports import Cabling

LIMIT_FACTOR = 2
"""Ratio of gc_thresh3, the hard limit, to the entries expected. A rule of thumb without a source; what the
limits do: torvalds/linux Documentation/networking/ip-sysctl.rst, neigh/default/gc_thresh1 to 3."""


def gc_thresholds(entries: int) -> tuple[int, int, int]:
    """gc_thresh1, 2 and 3 of a kernel that has to hold this many neighbours; gc_thresh2 is halfway between
    the others."""
    limit = LIMIT_FACTOR * entries
    return entries, ceil((entries + limit) / 2), limit


def plan_demand(
    fabric: Fabric, addresses: AddressPlan, cables: Cabling, switch: Switch, gateways: Sequence[Segment]
) -> NeighbourDemand:
    """Worst-case entries: every VF assigned, IPv6 hosts counted twice (global and link-local), plus stale
    entries.

    A host counts where this switch is its gateway or has a routed link to it.
    """
    local = {segment.name for segment in gateways}
    families: dict[int, int] = {}  # ports of one leaf and rail share their uses
    hosts = nics = 0
    for link in cables.host_links.get(switch.name, ()):
        nics += link.hca.for_pods
        key = (switch.name, link.port)
        if key in cables.addresses:
            hosts += sum(_weight(a.ip.version) for a in cables.addresses[key])
        elif (uses := addresses.port_uses.get(key)) is not None:
            if id(uses) not in families:
                here = (_families(use.segment) for use in uses if use.segment.name in local)
                families[id(uses)] = max(here, default=0)
            hosts += host_entries(fabric, link) * families[id(uses)]
    cabled = (*cables.uplinks.get(switch.name, ()), *cables.downlinks.get(switch.name, ()))
    uplinks = len(cabled)
    stale = sum(_stale(fabric, cables, segment) for segment in gateways)
    room = sum(size(s.network) * _weight(s.network.version) for g in gateways for s in g.subnets)
    stale = max(0, min(stale, room - hosts))
    return demand_of(switch, hosts=hosts, stale=stale, uplinks=uplinks, nics=nics)


def demand_of(switch: Switch, *, hosts: int, stale: int, uplinks: int, nics: int) -> NeighbourDemand:
    """Totals of the counts. ``nics``: HCAs for pods that are cabled to the switch."""
    return NeighbourDemand(
        hosts=hosts,
        stale=stale,
        uplinks=uplinks,
        total=hosts + stale + uplinks,
        routed=nics + uplinks,
        host_table=switch.type.host_table,
    )


def _stale(fabric: Fabric, cables: Cabling, segment: Segment) -> int:
    """Entries of ended pods on one segment: the pods that start within the ARP age, assuming all start on
    this segment."""
    if fabric.arp is None or segment.rail is None:
        return 0
    return ceil(cables.rail_starts_per_hour * fabric.arp.timeout_seconds / 3600) * _families(segment)


def _families(segment: Segment) -> int:
    return sum(_weight(s.network.version) for s in segment.subnets if s.gateway is not None)


def _weight(version: int) -> int:
    return 2 if version == 6 else 1


def host_entries(fabric: Fabric, link: HostLink) -> int:
    """Addresses behind one HCA: the PF's own where stated, plus those of its VFs or of the pods that share
    it."""
    stated = link.host.hcas.get(link.hca.name)
    own = int(stated is not None and stated.address is not None)
    return own + (link.hca.vfs if link.hca.use == "vf" else _pods(fabric, link.host.type.name, link.hca))


def _pods(fabric: Fabric, host_type: str, hca: Hca) -> int:
    """Pods on a whole PF: one, or the most that a macvlan or ipvlan network on it admits."""
    if hca.use != "pf":
        return 0
    sharing = (
        network.pods_per_hca
        for network in fabric.networks
        if network.by_mode.sharing == "always"
        and network.by_mode.link == "ethernet"
        and (not network.host_types or host_type in {t.name for t in network.host_types})
        and (not network.hcas or hca.name in network.hcas)
    )
    return max(sharing, default=1)


def plan_arp(
    fabric: Fabric, nos: NosProfile, switch: Switch, demand: NeighbourDemand, ipv6: bool
) -> SwitchArp:
    """ARP settings and kernel limits. Enabled on leaves only: a spine's neighbours are its leaves.

    Kernel limits are ``gc_thresholds`` of the demand, never below the shipped ones.
    """
    shipped, unit = nos.kernel_neighbours, nos.units.arp
    arp = fabric.arp if switch.role == "leaf" else None
    seconds = arp.timeout_seconds if arp else 0
    needed = gc_thresholds(demand.total)
    raised = tuple(max(pair) for pair in zip(shipped, needed, strict=True)) if shipped else ()
    mac_wanted = (arp.mac_timeout_seconds or 0) if arp else 0
    mac_stated = mac_wanted if nos.writes("mac_age") else 0
    age = ceil(seconds / 60) if unit == "min" else seconds
    return SwitchArp(
        enabled=arp is not None,
        age=age,
        unit=unit,
        seconds=seconds,
        kernel=bool(shipped),
        reachable_ms=seconds * 1000,
        gc_thresh=raised,
        gc_shipped=shipped,
        from_garp=arp is not None and not nos.supports["arp_from_garp"],
        ipv6=ipv6,
        mac_seconds=mac_stated or nos.mac_age_seconds,
        mac_wanted=mac_wanted,
    )
