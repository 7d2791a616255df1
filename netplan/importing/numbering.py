"""The arithmetic of ``rails`` in reverse: from existing subnets to the range they are parts of.

A rail's part of ``supernets`` has length ``rail_prefixes``; within it a leaf's subnet has length ``prefixes``
(docs/addresses.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from netaddr import IPAddress, IPNetwork

from netplan.model.values import usable


@dataclass(frozen=True, slots=True)
class RailSpace:
    supernet: IPNetwork
    rail_prefix: int
    prefix: int


def rail_space(seen: Mapping[tuple[int, int], IPNetwork], count: int) -> RailSpace | None:
    """The smallest range in which every (rail, position in the rail) has exactly its subnet; None if there is
    none."""
    networks = list(seen.values())
    if not networks or len({(n.version, n.prefixlen) for n in networks}) > 1:
        return None
    prefix, bits = networks[0].prefixlen, 32 if networks[0].version == 4 else 128
    unit = 1 << (bits - prefix)
    for rail_prefix in range(prefix, 0, -1):
        step = 1 << (prefix - rail_prefix)
        starts = {n.first // unit - rail * step - at for (rail, at), n in seen.items()}
        length = rail_prefix - (count - 1).bit_length()
        if length < 0 or all(at >= step for _, at in seen):
            continue
        start = starts.pop() * unit
        fits = not starts and start >= 0 and start % (1 << (bits - length)) == 0
        if fits and all(at < step for _, at in seen):
            supernet = IPNetwork(f"{IPAddress(start, networks[0].version)}/{length}")
            return RailSpace(supernet, rail_prefix, prefix)
    return None


def gateway_word(network: IPNetwork, gateway: str) -> str:
    """``first``, ``last`` or ``none``; empty for another address of the subnet, or one outside."""
    if not gateway:
        return "none"
    first, last = usable(network)
    places = {str(IPAddress(network.first + offset, network.version)): offset for offset in (first, last)}
    return {first: "first", last: "last"}.get(places.get(gateway, -1), "")


def vlan_span(vlans: Mapping[int, int], count: int) -> str:
    """``100-103`` if rail n is in VLAN 100 + n; empty if the VLANs do not count up with the rails."""
    first = vlans.get(0, 0)
    if len(vlans) < count or any(vlans.get(rail) != first + rail for rail in range(count)):
        return ""
    return f"{first}-{first + count - 1}" if count > 1 else str(first)
