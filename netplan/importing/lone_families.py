"""Subnets of an address family that only some leaves have, or leaves and no pool: the range of a family gives
each leaf one, and pods an address of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from netplan.importing.facts import Remark, not_taken
from netplan.importing.networks import SeenSubnet

_NO_POOL = "no pool of a rail has this family, and with it in rails.supernets pods would get a second address"
_WHY = "the other leaves have no subnet of this family, and an inventory has one for each"


def whole_families(seen: Iterable[SeenSubnet]) -> list[SeenSubnet]:
    """Each once, without the subnets of a family that lacks rails or leaves of the other one."""
    once: dict[tuple[int, str, str], SeenSubnet] = {}
    for subnet in seen:
        once.setdefault((subnet.rail, subnet.leaf, str(subnet.network)), subnet)
    every = list(once.values())
    lone = {id(subnet) for subnet in _lone(every)}
    return [subnet for subnet in every if id(subnet) not in lone]


def with_pools(seen: Iterable[SeenSubnet], pools: Iterable[SeenSubnet]) -> list[SeenSubnet]:
    """Without the families that the pools of rails lack, where there are pools."""
    families = {subnet.network.version for subnet in pools}
    return [subnet for subnet in seen if not families or subnet.network.version in families]


def without_pools(seen: Iterable[SeenSubnet], pools: Iterable[SeenSubnet]) -> Iterator[Remark]:
    every = [*seen]
    kept = {id(subnet) for subnet in with_pools(every, pools)}
    for subnet in every:
        if id(subnet) not in kept:
            what = f"address of {subnet.leaf} in {subnet.network}"
            told = not_taken(subnet.said.at, what, subnet.gateway, _NO_POOL)
            yield Remark(told.at, told.text, alike=_NO_POOL)


def lone_families(seen: Iterable[SeenSubnet]) -> Iterator[Remark]:
    for subnet in _lone(list(seen)):
        what = f"subnet of {subnet.leaf or f'rail {subnet.rail}'}"
        told = not_taken(subnet.said.at, what, subnet.network, _WHY)
        yield Remark(told.at, told.text, alike=_WHY)


def _lone(seen: Sequence[SeenSubnet]) -> Iterator[SeenSubnet]:
    places: dict[int, set[tuple[int, str]]] = {}
    for subnet in seen:
        places.setdefault(subnet.network.version, set()).add((subnet.rail, subnet.leaf))
    for subnet in seen:
        own = places[subnet.network.version]
        if any(own < other for other in places.values()):
            yield subnet
