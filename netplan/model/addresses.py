"""Every address, VLAN and AS number netplan computes, and the groups of hosts that share leaves.

All of it follows from ids by the formulas of ``plan/addresses.py``; nothing depends on a position in a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from netaddr import IPAddress, IPNetwork

from netplan.diagnostics import Path
from netplan.model.hardware import Host, HostLink, Labels, SwitchLink
from netplan.model.spans import Spans
from netplan.model.values import InterfaceAddress
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentSubnet:
    """One subnet of a segment; ``gateway`` is the leaf's address in it, or None when it is not routed."""

    network: IPNetwork
    gateway: IPAddress | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One L2 segment, or with ``host_prefixes`` the range from which routed host links are taken.

    ``rail``: rail number, None for a subnet of the inventory's ``subnets``. ``leaf``: the leaf switch if the
    segment is on one leaf only. ``vlan``: VLAN ID, None if untagged. ``host_prefixes``: prefix length of one
    host's link per subnet (rails.segment: host), else empty. ``external``: its gateway is not a switch of the
    inventory. ``routes``: prefixes behind a subnet's gateway besides the rails.
    """

    name: str
    rail: int | None
    leaf: str | None
    vlan: int | None
    subnets: tuple[SegmentSubnet, ...]
    host_prefixes: tuple[int, ...] = ()
    external: bool = False
    routes: tuple[IPNetwork, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PortUse:
    """What a host port carries, and in which segment: a network's frames, or with "" the host's own.

    ``tagged``: with the segment's VLAN tag. ``at``: what to change if two uses conflict.
    """

    network: str
    segment: Segment
    tagged: bool
    at: Path = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutedHostLink:
    """Addresses of one routed host link, one pair per subnet of the rail."""

    link: HostLink
    rail: int
    switch_addresses: tuple[InterfaceAddress, ...]
    host_addresses: tuple[InterfaceAddress, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Uplink:
    """A numbered link between two switches; the lower switch has the even address of the /31."""

    link: SwitchLink
    lower: InterfaceAddress
    upper: InterfaceAddress


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafGroup:
    """Hosts whose rails end on the same leaves. ``leaves``: (rail, switch name) in rail order.

    ``selectors``: for each host type in the group, node labels that select exactly its hosts; empty if no
    labels of the inventory do.
    """

    name: str
    leaves: tuple[tuple[int, str], ...]
    hosts: tuple[Host, ...]
    selectors: tuple[tuple[str, Labels], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressPlan:
    """``segments``: rails in (rail, leaf id) order, then subnets by name. ``loopbacks``, ``asns``: by switch.

    ``groups_at``: (rail, leaf) -> leaf groups with that rail there. ``rail_segments``: (rail, leaf or None)
    -> segment. ``port_uses``: (switch, port) -> all uses of the host link there, for links to HCAs on a
    segment. ``taken``: addresses that no pool may hand out.
    """

    segments: tuple[Segment, ...]
    groups: tuple[LeafGroup, ...]
    groups_at: Mapping[tuple[int, str], tuple[LeafGroup, ...]] = field(metadata={"index": True})
    rail_segments: Mapping[tuple[int, str | None], Segment] = field(metadata={"index": True})
    host_links: tuple[RoutedHostLink, ...]
    uplinks: tuple[Uplink, ...]
    loopbacks: Mapping[str, IPAddress]
    asns: Mapping[str, int]
    port_uses: Mapping[tuple[str, str], tuple[PortUse, ...]]
    taken: Spans = field(compare=False, repr=False, metadata={"index": True})

    def groups_of(self, segment: Segment) -> tuple[LeafGroup, ...]:
        """Leaf groups whose hosts are on a segment of one leaf."""
        if segment.rail is None or segment.leaf is None:
            return ()
        return self.groups_at.get((segment.rail, segment.leaf), ())
