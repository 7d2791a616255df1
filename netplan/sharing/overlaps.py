"""VLAN ids and addresses that two clusters of one fabric cannot both have: NP133, NP134."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netaddr import IPAddress, IPNetwork, IPRange, IPSet

from netplan.diagnostics import Diagnostic, Path
from netplan.model.addresses import Segment
from netplan.model.values import AddressSpan, usable
from netplan.sharing.member import Member

_OTHER_VLAN = "give one of the clusters another VLAN id"
_OTHER_ADDRESSES = "give one of the clusters other addresses"


def same(one: Segment, other: Segment) -> bool:
    """Whether two clusters mean one segment: the same VLAN with the same subnets and gateways."""
    return (one.vlan, one.leaf, one.subnets) == (other.vlan, other.leaf, other.subnets)


def vlan_clashes(one: Member, other: Member) -> Iterator[Diagnostic]:
    for theirs in other.plan.addresses.segments:
        for ours in one.plan.addresses.segments:
            if theirs.vlan is None or ours.vlan != theirs.vlan or same(ours, theirs):
                continue
            meeting = sorted(_where(one, ours) & _where(other, theirs))
            if meeting:
                at = stated_at(theirs, "vlan")
                known = one.there(stated_at(ours, "vlan"))
                what = f"VLAN {theirs.vlan} on {meeting[0]} is {theirs.name}, in {known} {ours.name}"
                yield other.finding("NP133", at, what, _OTHER_VLAN)


def _where(cluster: Member, segment: Segment) -> frozenset[str]:
    """Switches with its VLAN: one that is not of one leaf is carried by all links between switches."""
    if segment.leaf is not None:
        return frozenset({segment.leaf})
    uses = cluster.plan.addresses.port_uses.items()
    on = {switch for (switch, _), found in uses if any(use.segment is segment for use in found)}
    for link in cluster.fabric.switch_links:
        on |= {link.lower.name, link.upper.name}
    return frozenset(on)


def stated_at(segment: Segment, what: str) -> Path:
    """Where the VLAN or the addresses of a segment are stated."""
    if segment.rail is None:
        return ("subnets", segment.name, "cidr" if what == "addresses" else "vlan")
    return ("rails", "supernets" if what == "addresses" else "vlan_ids")


def address_overlaps(one: Member, other: Member) -> Iterator[Diagnostic]:
    yield from _subnets(one, other)
    yield from _host_links(one, other)
    yield from _stated(one, other)


def _subnets(one: Member, other: Member) -> Iterator[Diagnostic]:
    """Links of single hosts are cut from a range that clusters may share: of these see `_host_links`."""
    for theirs in other.plan.addresses.segments:
        for ours in one.plan.addresses.segments:
            if ours.host_prefixes and theirs.host_prefixes:
                continue
            if same(ours, theirs):
                yield from _pools(one, ours, other, theirs)
                continue
            pair = next(
                (
                    (a, b)
                    for a in ours.subnets
                    for b in theirs.subnets
                    if a.network in b.network or b.network in a.network
                ),
                None,
            )
            if pair is not None:
                at = stated_at(theirs, "addresses")
                known = one.there(stated_at(ours, "addresses"))
                what = (
                    f"{pair[1].network} of {theirs.name} overlaps {pair[0].network} of {ours.name} in {known}"
                )
                yield other.finding("NP134", at, what, _OTHER_ADDRESSES)


def _pools(one: Member, ours: Segment, other: Member, theirs: Segment) -> Iterator[Diagnostic]:
    """On a segment that both have, no address may be in pools of both."""
    common = _handed_out(one, ours) & _handed_out(other, theirs)
    if common:
        first = next(iter(common))
        at, known = stated_at(theirs, "addresses"), one.there(stated_at(ours, "addresses"))
        what = f"pods of {other.site} and of {known} on {theirs.name} get addresses such as {first} both"
        hint = "state in reserved of each cluster what the other has, or give one of them other addresses"
        yield other.finding("NP134", at, what, hint)


def _handed_out(cluster: Member, segment: Segment) -> IPSet:
    found = IPSet()
    kubernetes = cluster.plan.kubernetes
    for pool in kubernetes.pools:
        if pool.segment == segment:
            found |= _of(pool.network, pool.exclusions, pool.gateway)
    for spider in kubernetes.spider_pools:
        if spider.segment == segment:
            found |= IPSet([IPRange(*span) for span in spider.spans])
    for attachment in kubernetes.attachments:
        if attachment.segment == segment and attachment.ipam is not None:
            for each in attachment.ipam.ranges:
                found |= _of(each.network, each.exclude, each.gateway)
    return found


def _of(network: IPNetwork, excluded: Iterable[AddressSpan], gateway: IPAddress | None) -> IPSet:
    first, last = (IPAddress(network.first + offset, network.version) for offset in usable(network))
    hosts = IPRange(first, last)
    taken = [IPRange(*span) for span in excluded]
    return IPSet(hosts) - IPSet([*taken, *([gateway] if gateway is not None else [])])


def _host_links(one: Member, other: Member) -> Iterator[Diagnostic]:
    known: dict[IPNetwork, tuple[str, Path]] = {}
    for link in one.plan.addresses.host_links:
        for address in link.switch_addresses:
            known[address.network] = (link.link.host.name, link.link.host.at)
    for link in other.plan.addresses.host_links:
        host = link.link.host
        for address in link.switch_addresses:
            if address.network in known:
                name, at = known[address.network]
                what = f"{host.name} on rail {link.rail} has {address.network}, as {name} in {one.there(at)}"
                yield other.finding("NP134", host.at, what, f"state another id for {host.name}")


def _stated(one: Member, other: Member) -> Iterator[Diagnostic]:
    """Addresses that hosts state."""
    known = {}
    for host in one.fabric.hosts:
        for name, own in host.hcas.items():
            if own.address is not None:
                known[own.address.ip] = (f"{name} of {host.name}", (*own.at, "address"))
    for host in other.fabric.hosts:
        for name, own in host.hcas.items():
            if own.address is not None and own.address.ip in known:
                owner, at = known[own.address.ip]
                what = f"{own.address.ip} of {name} of {host.name} is that of {owner} in {one.there(at)}"
                yield other.finding("NP134", (*own.at, "address"), what, "give one of them another address")
