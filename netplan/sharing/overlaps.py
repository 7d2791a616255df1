"""VLAN IDs and addresses that two clusters of one fabric cannot both have: NP133, NP134."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import itemgetter

from netaddr import IPAddress, IPNetwork, IPRange, IPSet

from netplan.diagnostics import Diagnostic, Path
from netplan.model.addresses import Segment
from netplan.model.values import AddressSpan, usable
from netplan.sharing.member import Member

_OTHER_VLAN = "give one of the clusters another VLAN ID"
_OTHER_ADDRESSES = "give one of the clusters other addresses"
_RESERVE = "state in reserved of each cluster what the other has, or give one of them other addresses"


def same(one: Segment, other: Segment) -> bool:
    """Whether two clusters mean the same segment: same VLAN, subnets and gateways."""
    return (one.vlan, one.leaf, one.subnets) == (other.vlan, other.leaf, other.subnets)


def vlan_clashes(one: Member, other: Member) -> Iterator[Diagnostic]:
    known: dict[tuple[int | None, str], Segment] = {}
    for segment in one.plan.addresses.segments:
        for switch in _where(one, segment) if segment.vlan is not None else ():
            known.setdefault((segment.vlan, switch), segment)
    for theirs in other.plan.addresses.segments:
        for switch in sorted(_where(other, theirs) if theirs.vlan is not None else ()):
            ours = known.get((theirs.vlan, switch))
            if ours is not None and not same(ours, theirs):
                place = one.there(stated_at(one, ours, "vlan"))
                what = f"VLAN {theirs.vlan} on {switch} is {theirs.name}, in {place} {ours.name}"
                yield other.finding("NP133", stated_at(other, theirs, "vlan"), what, _OTHER_VLAN)
                break


def _where(cluster: Member, segment: Segment) -> frozenset[str]:
    """Switches with its VLAN: all links between switches carry one that is not limited to a leaf."""
    if segment.leaf is not None:
        return frozenset({segment.leaf})
    uses = cluster.plan.addresses.port_uses.items()
    on = {switch for (switch, _), found in uses if any(use.segment is segment for use in found)}
    for link in cluster.fabric.switch_links:
        on |= {link.lower.name, link.upper.name}
    return frozenset(on)


def stated_at(cluster: Member, segment: Segment, what: str) -> Path:
    """Where the VLAN or the addresses of a segment are stated."""
    if segment.rail is None:
        return ("subnets", segment.name, "cidr" if what == "addresses" else "vlan")
    rails = cluster.fabric.rails
    ranges = rails.ranges_key if rails is not None else "supernets"
    return ("rails", ranges if what == "addresses" else "vlan_ids")


def address_overlaps(one: Member, other: Member) -> Iterator[Diagnostic]:
    yield from _subnets(one, other)
    yield from _host_links(one, other)
    yield from _stated(one, other)
    yield from _in_pools(one, other)


class _Ranges:
    """Subnets of one cluster, which do not overlap, so those that overlap with a network are adjacent."""

    def __init__(self, segments: Iterable[Segment]) -> None:
        found = [(_key(s.network), segment, s.network) for segment in segments for s in segment.subnets]
        self._found = sorted(found, key=itemgetter(0))
        self._firsts = [key for key, _, _ in self._found]

    def meeting(self, network: IPNetwork) -> Iterator[tuple[Segment, IPNetwork]]:
        place = bisect_right(self._firsts, (network.version, network.last))
        for _, segment, ours in reversed(self._found[:place]):
            if ours.version != network.version or ours.last < network.first:
                return
            yield segment, ours


def _key(network: IPNetwork) -> tuple[int, int]:
    return network.version, network.first


def _subnets(one: Member, other: Member) -> Iterator[Diagnostic]:
    """Links of single hosts are parts of a range that clusters may share; `_host_links` compares those."""
    known = _Ranges(one.plan.addresses.segments)
    for theirs in other.plan.addresses.segments:
        met = [pair for s in theirs.subnets for pair in ((s.network, *m) for m in known.meeting(s.network))]
        for network, ours, at in met:
            if ours.host_prefixes and theirs.host_prefixes:
                continue
            if same(ours, theirs):
                yield from _pools(one, ours, other, theirs)
            else:
                place = one.there(stated_at(one, ours, "addresses"))
                what = f"{network} of {theirs.name} overlaps {at} of {ours.name} in {place}"
                yield other.finding("NP134", stated_at(other, theirs, "addresses"), what, _OTHER_ADDRESSES)
            break


def _pools(one: Member, ours: Segment, other: Member, theirs: Segment) -> Iterator[Diagnostic]:
    """On a segment that both have, no address may be in pools of both."""
    common = _handed_out(one, ours) & _handed_out(other, theirs)
    if common:
        first = next(iter(common))
        at, known = stated_at(other, theirs, "addresses"), one.there(stated_at(one, ours, "addresses"))
        what = f"pods of {other.site} and of {known} on {theirs.name} both get addresses such as {first}"
        yield other.finding("NP134", at, what, _RESERVE)


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
    known = {address: (owner, at) for owner, address, at in _of_hosts(one)}
    for name, address, path in _of_hosts(other):
        if address in known:
            owner, at = known[address]
            what = f"{address} of {name} is also the address of {owner} in {one.there(at)}"
            yield other.finding("NP134", path, what, "give one of them another address")


def _of_hosts(cluster: Member) -> Iterator[tuple[str, IPAddress, Path]]:
    """(HCA and host, address, place) of addresses that hosts state."""
    for host in cluster.fabric.hosts:
        for name, own in host.hcas.items():
            if own.address is not None:
                yield f"{name} of {host.name}", own.address.ip, (*own.at, "address")


def _in_pools(one: Member, other: Member) -> Iterator[Diagnostic]:
    """Addresses that hosts of one cluster state and pods of the other can get."""
    for owner, address, at, segment in _given_to_pods(other, one):
        what = f"{address} of {owner} may be assigned to pods of {one.site} on {segment.name}"
        place = one.there(stated_at(one, segment, "addresses"))
        yield other.finding("NP134", at, f"{what}, in {place}", _RESERVE)
    for owner, address, at, segment in _given_to_pods(one, other):
        pods = f"pods of {other.site} on {segment.name}"
        what = f"{pods} may get {address}, the address of {owner} in {one.there(at)}"
        yield other.finding("NP134", stated_at(other, segment, "addresses"), what, _RESERVE)


def _given_to_pods(hosts: Member, pods: Member) -> Iterator[tuple[str, IPAddress, Path, Segment]]:
    """(HCA and host, address, place, segment with the pool). Links of single hosts have prefixes of their
    own, which `_host_links` compares; `_subnets` reports overlapping subnets."""
    segments = _Ranges(s for s in pods.plan.addresses.segments if not s.host_prefixes)
    known = _Ranges(hosts.plan.addresses.segments)
    handed_out: dict[str, IPSet] = {}
    for owner, address, at in _of_hosts(hosts):
        network = IPNetwork(address)
        for segment, _ in segments.meeting(network):
            if not all(same(segment, mine) for mine, _ in known.meeting(network)):
                continue
            if segment.name not in handed_out:
                handed_out[segment.name] = _handed_out(pods, segment)
            if address in handed_out[segment.name]:
                yield owner, address, at, segment
