"""Compares two pods, interface by interface: can packets of one reach the other?"""

from __future__ import annotations

from collections.abc import Iterator

from netplan.graph.kubernetes.supplies import shared_subnet
from netplan.graph.qos import Proof
from netplan.records import dataclass
from netplan.trace.chains.model import Chain, Meets, PodChain


@dataclass(frozen=True, slots=True)
class Compared:
    """One property of two interfaces. ``said``: both values, or that they are the same."""

    name: str
    said: str
    proof: Proof


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """``end`` is None where the other pod has no such interface."""

    start: str
    end: str | None
    rows: tuple[Compared, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """``rows``: properties of the pods as a whole."""

    start: PodChain
    end: PodChain
    pairs: tuple[Pair, ...]
    rows: tuple[Compared, ...]

    @property
    def proof(self) -> Proof:
        every = (row.proof for rows in (self.rows, *(pair.rows for pair in self.pairs)) for row in rows)
        return max(max(every, default=Proof.OPEN), self.start.proof, self.end.proof)


def compared(start: PodChain, end: PodChain) -> Comparison:
    return Comparison(start=start, end=end, pairs=tuple(_pairs(start, end)), rows=tuple(_classes(start, end)))


def _pairs(start: PodChain, end: PodChain) -> Iterator[Pair]:
    """Pairs each interface with the one of the same name, else one on the same network, else the next one
    left over."""
    left = list(end.chains)
    for chain in start.chains:
        same = [c for c in left if c.interface == chain.interface]
        same += [c for c in left if c.meets.network and c.meets.network == chain.meets.network]
        other = next(iter((*same, *left)), None)
        if other is None:
            row = Compared("interface", f"{end.name} has no interface left for it", Proof.OPEN)
            yield Pair(start=chain.interface, end=None, rows=(row,))
            continue
        left.remove(other)
        yield Pair(start=chain.interface, end=other.interface, rows=tuple(_rows(chain, other)))


def _rows(one: Chain, other: Chain) -> Iterator[Compared]:
    a, b = one.meets, other.meets
    yield _networks(a, b)
    yield _vlans(a, b)
    yield _subnets(a, b)
    yield _mtus(a, b)


def _networks(a: Meets, b: Meets) -> Compared:
    if not a.network or not b.network:
        return Compared("network", "not in the files", Proof.OPEN)
    if a.network == b.network:
        return Compared("network", f"the same, {a.network}", Proof.PROVED)
    return Compared("network", f"{a.network} and {b.network}", Proof.PROVED)


def _on_link(a: Meets, b: Meets) -> bool:
    return any(shared_subnet(one, other) for one in a.subnets for other in b.subnets)


def _vlans(a: Meets, b: Meets) -> Compared:
    if a.vlan is None or b.vlan is None:
        return Compared("vlan", "not stated for both", Proof.OPEN)
    if a.vlan == b.vlan:
        return Compared("vlan", f"the same, {_tag(a.vlan)}", Proof.PROVED)
    said = f"{_tag(a.vlan)} and {_tag(b.vlan)}"
    if _on_link(a, b):
        return Compared("vlan", f"{said}, in one subnet: neither reaches the other", Proof.REFUTED)
    return Compared("vlan", f"{said}: a router is between them", Proof.PROVED)


def _tag(vlan: int) -> str:
    return str(vlan) if vlan else "untagged"


def _subnets(a: Meets, b: Meets) -> Compared:
    if not a.subnets or not b.subnets:
        return Compared("subnet", "not stated for both", Proof.OPEN)
    if _on_link(a, b):
        shared = next(s for s in a.subnets for t in b.subnets if shared_subnet(s, t))
        return Compared("subnet", f"the same, {shared}", Proof.PROVED)
    said = f"{' '.join(map(str, a.subnets))} and {' '.join(map(str, b.subnets))}"
    if a.routed and b.routed:
        return Compared("subnet", f"{said}: the gateways must have routes", Proof.OPEN)
    return Compared("subnet", f"{said}, and no route leads from the one to the other", Proof.OPEN)


def _mtus(a: Meets, b: Meets) -> Compared:
    if a.mtu is None or b.mtu is None:
        return Compared("mtu", "not stated for both", Proof.OPEN)
    if a.mtu == b.mtu:
        return Compared("mtu", f"the same, {a.mtu}", Proof.PROVED)
    lost = f"packets above {min(a.mtu, b.mtu):,} bytes are lost on the way to the smaller MTU"
    said = f"{a.mtu} and {b.mtu}: {lost}"
    return Compared("mtu", said, Proof.REFUTED)


def _classes(start: PodChain, end: PodChain) -> Iterator[Compared]:
    one, other = start.traffic_class, end.traffic_class
    if one is None and other is None:
        yield Compared(
            "traffic class", "no environment sets it: the value RDMA uses is on the nodes", Proof.OPEN
        )
    elif one is None or other is None:
        yield Compared("traffic class", "only one of the two sets it", Proof.OPEN)
    elif one == other:
        yield Compared("traffic class", f"the same, {one} (DSCP {one >> 2})", Proof.PROVED)
    else:
        said = f"{one} (DSCP {one >> 2}) and {other} (DSCP {other >> 2})"
        yield Compared("traffic class", f"{said}: switches may keep only one of them lossless", Proof.OPEN)
