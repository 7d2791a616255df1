"""Subnets of an address family that the range of the rails would give more than have it today: one that only
some leaves have, and one of which pods get no address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from netplan.importing.facts import Remark, not_taken
from netplan.importing.networks import SeenSubnet

_WHY = "the others have no subnet of this family, and an inventory has one for each"
_NO_POOL = "no pool of the rails has this family, and netplan would give each pod an address of it"
_LINK_LOCAL = "the inventory has no link-local addresses"


def whole_families(seen: Iterable[SeenSubnet], pools: Iterable[SeenSubnet]) -> list[SeenSubnet]:
    """Each once, without the subnets of a family that lacks rails or leaves of the other one, or that no pool
    has. ``pools``: subnets of the rails' pools."""
    once: dict[tuple[int, str, str], SeenSubnet] = {}
    for subnet in seen:
        once.setdefault((subnet.rail, subnet.leaf, str(subnet.network)), subnet)
    every = list(once.values())
    left = {id(subnet) for subnet, _ in _left(every, pools)}
    return [subnet for subnet in every if id(subnet) not in left]


def lone_families(seen: Iterable[SeenSubnet], pools: Iterable[SeenSubnet]) -> Iterator[Remark]:
    for subnet, why in _left(list(seen), pools):
        what = f"subnet of {subnet.leaf or f'rail {subnet.rail}'}"
        told = not_taken(subnet.said.at, what, subnet.network, why)
        yield Remark(told.at, told.text, alike=why)


def _left(seen: Sequence[SeenSubnet], pools: Iterable[SeenSubnet]) -> Iterator[tuple[SeenSubnet, str]]:
    """With the reason."""
    given = {pool.network.version for pool in pools}
    places: dict[int, set[tuple[int, str]]] = {}
    for subnet in (each for each in seen if not each.network.is_link_local()):
        places.setdefault(subnet.network.version, set()).add((subnet.rail, subnet.leaf))
    for subnet in seen:
        own = places.get(subnet.network.version, set())
        if subnet.network.is_link_local():
            yield subnet, _LINK_LOCAL
        elif given and subnet.network.version not in given:
            yield subnet, _NO_POOL
        elif any(own < other for other in places.values()):
            yield subnet, _WHY
