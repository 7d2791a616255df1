"""Segments of the rails: the subnet of each rail on each leaf (docs/addresses.md).

With ``numbering: id`` the leaf with id n has the (n - 1)-th subnet of the rail's part. Where every leaf
carries one rail of eight, that leaves seven of eight subnets unused; ``numbering: position`` counts only the
leaves of the rail.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from netaddr import IPAddress, IPNetwork

from netplan.model.addresses import Segment, SegmentSubnet
from netplan.model.codes import Problems
from netplan.model.fabric import Fabric, Rails, RangeKey
from netplan.model.hardware import Switch
from netplan.model.values import natural, nth_address, nth_subnet, usable

Leaves = Mapping[int, Sequence[Switch]]
"""Rail -> its leaves, sorted by id."""


def rail_segments(fabric: Fabric, problems: Problems) -> tuple[Segment, ...]:
    rails = fabric.rails
    if rails is None or not rails.rail_networks:
        return ()
    leaves = _rail_leaves(fabric) if rails.segment == "leaf" else {}
    if rails.numbering == "position":
        _enough_for_all(rails, leaves, problems)
    else:
        _enough_for_ids(rails, leaves, problems)
    return tuple(s for rail in range(rails.count) for s in _of_rail(rails, rail, leaves.get(rail, ())))


def _rail_leaves(fabric: Fabric) -> Leaves:
    found: dict[int, dict[str, Switch]] = defaultdict(dict)
    for link in fabric.host_links:
        if link.hca.rail is not None and link.hca.for_pods:
            found[link.hca.rail][link.switch.name] = link.switch
    return {
        rail: sorted(leaves.values(), key=lambda s: (s.id, natural(s.name))) for rail, leaves in found.items()
    }


def _numbers(rails: Rails, leaves: Sequence[Switch]) -> Iterator[tuple[str | None, int]]:
    """(leaf, subnet number) for each leaf of a rail; (None, 0) for a rail without leaves, which is one
    segment."""
    if not leaves:
        yield None, 0
    for position, leaf in enumerate(leaves):
        yield leaf.name, position if rails.numbering == "position" else leaf.id - 1


def _of_rail(rails: Rails, rail: int, leaves: Sequence[Switch]) -> Iterator[Segment]:
    if rails.segment == "host":
        subnets = tuple(SegmentSubnet(network=n, gateway=None) for n in rails.rail_networks[rail])
        yield Segment(
            name=f"rail{rail}", rail=rail, leaf=None, vlan=None, subnets=subnets, host_prefixes=rails.prefixes
        )
        return
    vlan = rails.vlan_ids[rail] if rails.vlan_ids else None
    for leaf, number in _numbers(rails, leaves):
        yield Segment(
            name=f"rail{rail}-{leaf}" if leaf else f"rail{rail}",
            rail=rail,
            leaf=leaf,
            vlan=vlan,
            subnets=_subnets(rails, rail, number),
            external=rails.external,
        )


def _subnets(rails: Rails, rail: int, number: int) -> tuple[SegmentSubnet, ...]:
    """Subnets with this number, without those past the end of the rail's part, which NP203 reports."""
    parts = zip(rails.rail_networks[rail], rails.prefixes, strict=True)
    found = (nth_subnet(part, prefix, number) for part, prefix in parts)
    return tuple(
        SegmentSubnet(network=network, gateway=_gateway(network, rails.gateway))
        for network in found
        if network is not None
    )


def _gateway(network: IPNetwork, which: str) -> IPAddress | None:
    if which == "none":
        return None
    first, last = usable(network)
    return nth_address(network, first if which == "first" else last)


def _room(rails: Rails, rail: int) -> Iterator[tuple[IPNetwork, int, int]]:
    """(the rail's part, prefix length of a subnet, number of subnets) for each supernet."""
    for part, prefix in zip(rails.rail_networks[rail], rails.prefixes, strict=True):
        yield part, prefix, 1 << (prefix - part.prefixlen)


def _enough_for_ids(rails: Rails, leaves: Leaves, problems: Problems) -> None:
    """Reports NP203 at every leaf whose id is past the end of the rail's part."""
    for rail in sorted(rail for rail in leaves if rail < rails.count):
        for leaf in leaves[rail]:
            for part, prefix, count in _room(rails, rail):
                if not 0 <= leaf.id - 1 < count:
                    what = f"subnet number {leaf.id - 1} of rail {rail} is past the end of {part}"
                    hint = (
                        f"enlarge rails.{rails.ranges_key}, lengthen rails.prefixes, or lower the switch's id"
                    )
                    problems.add("NP203", leaf.at, f"{what}, which has {count} subnets of /{prefix}", hint)


def _enough_for_all(rails: Rails, leaves: Leaves, problems: Problems) -> None:
    """Reports NP203 at the prefixes, for the rail that lacks most subnets only."""
    mine = sorted(rail for rail in leaves if rail < rails.count)
    for index, prefix in enumerate(rails.prefixes):
        parts = {rail: rails.rail_networks[rail][index] for rail in mine}
        room = {rail: 1 << (prefix - part.prefixlen) for rail, part in parts.items()}
        short = [rail for rail in mine if len(leaves[rail]) > room[rail]]
        if short:
            rail = max(short, key=lambda rail: len(leaves[rail]) - room[rail])
            what = f"rail {rail} ends on {len(leaves[rail])} leaves, its part {parts[rail]} has {room[rail]}"
            hint = _ENLARGE[rails.ranges_key]
            problems.add("NP203", (*rails.at, "prefixes", index), f"{what} subnets of /{prefix}", hint)


_ENLARGE: Mapping[RangeKey, str] = {
    "supernets": "enlarge rails.supernets, shorten rails.rail_prefixes, or lengthen rails.prefixes",
    "rail_networks": "enlarge its entry of rails.rail_networks, or lengthen rails.prefixes",
}
