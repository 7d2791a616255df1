"""Subnets of an address family that only some leaves have: the range of a family gives each leaf one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from netplan.importing.facts import Remark, not_taken
from netplan.importing.networks import SeenSubnet

_WHY = "the other leaves have no subnet of this family, and an inventory has one for each"


def whole_families(seen: Iterable[SeenSubnet]) -> list[SeenSubnet]:
    """Each once, without the subnets of a family that lacks rails or leaves of the other one."""
    once: dict[tuple[int, str, str], SeenSubnet] = {}
    for subnet in seen:
        once.setdefault((subnet.rail, subnet.leaf, str(subnet.network)), subnet)
    every = list(once.values())
    lone = {id(subnet) for subnet in _lone(every)}
    return [subnet for subnet in every if id(subnet) not in lone]


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
