"""Derives addresses and AS numbers from ids.

Formulas (documented in docs/addresses.md, guarded by property tests):

- part of rail r: the r-th subnet of length ``rail_prefixes`` in each supernet, or its ``rail_networks``;
- rails.segment leaf: the leaf with id n has the (n - 1)-th subnet of the rail's part; with numbering position
  it goes to the n-th of the rail's leaves, sorted by id;
- rails.segment host: the host with id n has the (n - 1)-th subnet of the rail's part. The switch has the even
  address of a /31; in a larger link network the gateway is the first (or last) address and the host has the
  next one;
- rails.segment stretched: the first subnet of the rail's part;
- loopback of the switch with id n: network address + n;
- uplink k of the leaf with id n: the ((n - 1) * uplinks_per_leaf + k)-th /31, k counted over the leaf's
  uplink ports in natural order; the lower switch has the even address;
- AS number of the leaf with id n: leaf_asn + n - 1 where it counts, else leaf_asn; of a spine: spine_asn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal

from netaddr import IPAddress, IPNetwork

from netplan.model.addresses import AddressPlan, LeafGroup, RoutedHostLink, Segment, SegmentSubnet, Uplink
from netplan.model.codes import Problems
from netplan.model.fabric import Fabric, Rails, Subnet
from netplan.model.hardware import HostLink, Switch, SwitchLink
from netplan.model.spans import Spans
from netplan.model.values import (
    AddressSpan,
    InterfaceAddress,
    natural,
    nth_address,
    nth_start,
    nth_subnet,
    usable,
)
from netplan.plan.groups import leaf_groups
from netplan.plan.port_vlans import plan_port_uses
from netplan.plan.rail_segments import rail_segments


def plan_addresses(fabric: Fabric, problems: Problems) -> AddressPlan:
    """Addresses, VLANs and AS numbers of the whole fabric; NP203 where a formula runs past its space."""
    of_rails = rail_segments(fabric, problems)
    plain = tuple(
        Segment(
            name=s.name,
            rail=None,
            leaf=None,
            vlan=s.vlan.id if s.vlan else None,
            subnets=(SegmentSubnet(network=s.cidr, gateway=_gateway(s)),),
            external=s.external,
            routes=s.routes if s.gateway is not None else (),
        )
        for s in fabric.subnets
    )
    segments = (*of_rails, *plain)
    # Without segments there are no links either, and NP203 has told why.
    host_links = _routed_host_links(fabric, problems) if of_rails else ()
    groups = leaf_groups(fabric)
    groups_at: dict[tuple[int, str], tuple[LeafGroup, ...]] = {}
    for group in groups:
        for key in group.leaves:
            groups_at[key] = (*groups_at.get(key, ()), group)
    return AddressPlan(
        segments=segments,
        groups=groups,
        groups_at=groups_at,
        rail_segments={(s.rail, s.leaf): s for s in of_rails if s.rail is not None},
        host_links=host_links,
        uplinks=_uplinks(fabric, problems),
        loopbacks=_loopbacks(fabric, problems),
        asns={s.name: asn for s in fabric.switches if (asn := _asn(fabric, s)) is not None},
        port_uses=plan_port_uses(fabric, segments),
        taken=Spans(taken(fabric)),
    )


def reserved(fabric: Fabric) -> set[AddressSpan]:
    spans = {span for s in fabric.subnets for span in s.reserved}
    return spans.union(fabric.rails.reserved if fabric.rails is not None else ())


def taken(fabric: Fabric) -> set[AddressSpan]:
    """Addresses that no pool may hand out: reserved ranges, ranges that subnets exclude, hosts' own
    addresses."""
    spans = {span for s in fabric.subnets for span in s.exclude} | reserved(fabric)
    stated = (own.address for host in fabric.hosts for own in host.hcas.values())
    return spans | {(a.ip, a.ip) for a in stated if a is not None}


def _gateway(subnet: Subnet) -> IPAddress | None:
    """None where it is of the other address family (NP206)."""
    gateway = subnet.gateway
    return gateway if gateway is not None and gateway.version == subnet.cidr.version else None


def _routed_host_links(fabric: Fabric, problems: Problems) -> tuple[RoutedHostLink, ...]:
    rails = fabric.rails
    if rails is None or rails.segment != "host" or not rails.rail_networks:
        return ()
    out = []
    for link in fabric.host_links:
        if link.hca.rail is None or not link.hca.for_pods or link.hca.rail >= rails.count:
            continue
        pairs = _link_pairs(link, rails, rails.rail_networks[link.hca.rail], problems)
        out.append(
            RoutedHostLink(
                link=link,
                rail=link.hca.rail,
                switch_addresses=tuple(p[0] for p in pairs),
                host_addresses=tuple(p[1] for p in pairs),
            )
        )
    return tuple(out)


def _link_pairs(
    link: HostLink, rails: Rails, parts: tuple[IPNetwork, ...], problems: Problems
) -> list[tuple[InterfaceAddress, InterfaceAddress]]:
    """(switch, host) addresses of a link, one pair per address family."""
    host = link.host
    if host.id < 1:
        what = f"host {host.name} has no id, and its link networks are numbered by it"
        problems.add("NP105", host.at, what, "add id: 1 or another number of its own")
        return []
    pairs = []
    for part, prefix in zip(parts, rails.prefixes, strict=True):
        number = host.id - 1 + rails.first_subnet
        network = nth_subnet(part, prefix, number)
        if network is None:
            what = f"link number {number} of {host.name} is past the end of {part}"
            hint = f"enlarge rails.{rails.ranges_key}, lengthen rails.prefixes, or lower the host's id"
            problems.add("NP203", host.at, f"{what}, which has {1 << (prefix - part.prefixlen)}", hint)
        else:
            pairs.append(_link_pair(network, rails.gateway))
    return pairs


def _link_pair(network: IPNetwork, gateway: str) -> tuple[InterfaceAddress, InterfaceAddress]:
    """(switch, host) address. The switch has the even address of a /31, else the first or last address of the
    network and the host the next one."""
    first, last = usable(network)
    low, high = (last, last - 1) if gateway == "last" and last > 1 else (first, first + 1)
    start, version, length = int(network.first), network.version, network.prefixlen
    return _interface(start + low, version, length), _interface(start + min(high, last), version, length)


def _interface(address: int, version: Literal[4, 6], prefixlen: int) -> InterfaceAddress:
    return InterfaceAddress(IPAddress(address, version), prefixlen)


def _uplinks(fabric: Fabric, problems: Problems) -> tuple[Uplink, ...]:
    underlay = fabric.underlay
    if underlay is None:
        return ()
    version = underlay.uplinks.version
    prefix = 31 if version == 4 else 127
    by_leaf: dict[str, list[SwitchLink]] = defaultdict(list)
    for link in fabric.switch_links:
        by_leaf[link.lower.name].append(link)
    out = []
    for leaf in sorted(by_leaf, key=natural):
        links = sorted(by_leaf[leaf], key=lambda k: natural(k.lower_port))
        if len(links) > underlay.uplinks_per_leaf:
            what = f"{leaf} has {len(links)} uplinks, uplinks_per_leaf is {underlay.uplinks_per_leaf}"
            problems.add(
                "NP203", (*underlay.at, "uplinks_per_leaf"), what, f"raise it to {len(links)} or more"
            )
            continue
        for k, link in enumerate(links):
            number = (link.lower.id - 1) * underlay.uplinks_per_leaf + k
            start = nth_start(underlay.uplinks, prefix, number)
            if start is None:
                what = f"uplink {k} of {leaf} is number {number}, past the end of {underlay.uplinks}"
                hint = "enlarge underlay.uplinks or lower underlay.uplinks_per_leaf"
                problems.add("NP203", (*underlay.at, "uplinks"), what, hint)
                break
            lower, upper = (_interface(address, version, prefix) for address in (start, start + 1))
            out.append(Uplink(link=link, lower=lower, upper=upper))
    return tuple(out)


def _loopbacks(fabric: Fabric, problems: Problems) -> Mapping[str, IPAddress]:
    underlay = fabric.underlay
    if underlay is None:
        return {}
    out = {}
    for switch in fabric.switches:
        address = nth_address(underlay.loopbacks, switch.id)
        if address is None:
            what = f"loopback of {switch.name} with id {switch.id} is past the end of {underlay.loopbacks}"
            problems.add(
                "NP203", (*underlay.at, "loopbacks"), what, "enlarge underlay.loopbacks or lower the id"
            )
        else:
            out[switch.name] = address
    return out


def _asn(fabric: Fabric, switch: Switch) -> int | None:
    underlay = fabric.underlay
    if underlay is None:
        return None
    if switch.role == "spine":
        return underlay.spine_asn
    return underlay.leaf_asn + (switch.id - 1 if underlay.leaf_asn_counts else 0)
