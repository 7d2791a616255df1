"""Segments of the rails: the subnet of each rail on each leaf (docs/addresses.md).

With ``numbering: id`` the leaf with id n has the (n - 1)-th subnet of the rail's part, ``first_subnet`` later
where its first subnets stay free. Where every leaf
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
    if not _has_first(rails, problems):
        return ()
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
    """(leaf, subnet number) for each leaf of a rail; (None, the first number) for a rail without leaves,
    which is one segment."""
    if not leaves:
        yield None, rails.first_subnet
    for position, leaf in enumerate(leaves):
        number = position if rails.numbering == "position" else leaf.id - 1
        yield leaf.name, number + rails.first_subnet


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


def _has_first(rails: Rails, problems: Problems) -> bool:
    """Whether the part of every rail has the first subnet; reports NP203 for the first that has not."""
    for rail in range(rails.count):
        for part, prefix, count in _room(rails, rail):
            if rails.first_subnet >= count:
                what = f"first_subnet {rails.first_subnet} is past the end of {part} of rail {rail}"
                hint = f"lower it, enlarge rails.{rails.ranges_key}, or lengthen rails.prefixes"
                at = (*rails.at, "first_subnet")
                problems.add("NP203", at, f"{what}, which has {count} subnets of /{prefix}", hint)
                return False
    return True


def _enough_for_ids(rails: Rails, leaves: Leaves, problems: Problems) -> None:
    """Reports NP203 at every leaf whose id is past the end of the rail's part."""
    for rail in sorted(rail for rail in leaves if rail < rails.count):
        for leaf in leaves[rail]:
            for part, prefix, count in _room(rails, rail):
                number = leaf.id - 1 + rails.first_subnet
                if not 0 <= number < count:
                    what = f"subnet number {number} of rail {rail} is past the end of {part}"
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
        wanted = {rail: len(leaves[rail]) + rails.first_subnet for rail in mine}
        short = [rail for rail in mine if wanted[rail] > room[rail]]
        if short:
            rail = max(short, key=lambda rail: wanted[rail] - room[rail])
            free = f" behind first_subnet {rails.first_subnet}" if rails.first_subnet else ""
            what = f"rail {rail} ends on {len(leaves[rail])} leaves{free}"
            what = f"{what}, its part {parts[rail]} has {room[rail]}"
            hint = _ENLARGE[rails.ranges_key]
            problems.add("NP203", (*rails.at, "prefixes", index), f"{what} subnets of /{prefix}", hint)


_ENLARGE: Mapping[RangeKey, str] = {
    "supernets": "enlarge rails.supernets, shorten rails.rail_prefixes, or lengthen rails.prefixes",
    "rail_networks": "enlarge its entry of rails.rail_networks, or lengthen rails.prefixes",
}
