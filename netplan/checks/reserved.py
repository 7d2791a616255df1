"""NP226, NP227: addresses in use outside the inventory."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from netaddr import IPNetwork

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path
from netplan.model.fabric import Fabric
from netplan.model.plan import Plan
from netplan.model.values import AddressSpan


class _Reserved(NamedTuple):
    """An entry of ``reserved``. ``of``: the ranges it must be inside; ``named``, ``stated``: their name and
    place."""

    at: Path
    span: AddressSpan
    of: tuple[IPNetwork, ...]
    named: str
    stated: Path

    @property
    def inside(self) -> bool:
        low, high = self.span
        return any(low in network and high in network for network in self.of)

    @property
    def family(self) -> int:
        low, _ = self.span
        return int(low.version)

    def __str__(self) -> str:
        low, high = self.span
        return str(low) if low == high else f"{low}-{high}"


class _Used(NamedTuple):
    """A range that netplan assigns, or that a host or subnet states; addresses of one family, as integers."""

    first: int
    last: int
    what: str


def _entries(fabric: Fabric) -> Iterator[_Reserved]:
    rails = fabric.rails
    for index, span in enumerate(rails.reserved if rails is not None else ()):
        if rails is not None:
            at, ranges = (*rails.at, "reserved", index), tuple(stated.network for stated in rails.ranges)
            yield _Reserved(at, span, ranges, f"rails.{rails.ranges_key}", (*rails.at, rails.ranges_key))
    for subnet in fabric.subnets:
        for index, span in enumerate(subnet.reserved):
            named, stated = f"subnet {subnet.name}", (*subnet.at, "cidr")
            yield _Reserved((*subnet.at, "reserved", index), span, (subnet.cidr,), named, stated)


def _count(fabric: Fabric) -> int:
    return sum(1 for _ in _entries(fabric))


@check("NP227", "reserved address outside its subnet", on=Fabric, counts=_count)
def reserved_outside(fabric: Fabric) -> Iterator[Finding]:
    """`reserved` of a subnet lists addresses of its `cidr`, `rails.reserved` addresses of `rails.supernets`
    or `rails.rail_networks`.

    **Why.** It reserves nothing; usually one of the two was changed and the other was not.
    **Fix.** Correct the range, or move it to the subnet that it is in.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c api/v1alpha1/validate_exclusions.go: exclusions are inside
    the subnet
    """
    for entry in _entries(fabric):
        if not entry.inside:
            ranges = " and ".join(map(str, entry.of)) or "none stated"
            what = f"{entry} is not inside {entry.named}, {ranges}"
            yield Finding(entry.at, what, "correct it, or remove it", (frozenset({entry.stated}),))


def _numbered(plan: Plan) -> Iterator[tuple[int, _Used]]:
    """(address family, range) of gateways and host links that netplan assigns."""
    addresses = plan.addresses
    for segment in addresses.segments:
        if segment.rail is None or segment.external:
            continue
        for subnet in segment.subnets:
            if subnet.gateway is not None:
                at = int(subnet.gateway)
                what = f"{subnet.gateway} is the gateway of {segment.name}"
                yield subnet.network.version, _Used(at, at, what)
    for link in addresses.host_links:
        for address in link.switch_addresses:
            net = address.network
            what = f"{net} is the link of {link.link.host.name} on rail {link.rail}"
            yield net.version, _Used(net.first, net.last, what)


def _stated(plan: Plan) -> Iterator[tuple[Path, int, _Used]]:
    """(place, address family, address) of addresses that the inventory states."""
    for subnet in plan.fabric.subnets:
        if subnet.gateway is not None and not subnet.external:
            at = int(subnet.gateway)
            used = _Used(at, at, f"gateway {subnet.gateway} of subnet {subnet.name}")
            yield (*subnet.at, "gateway"), subnet.gateway.version, used
    for host in plan.fabric.hosts:
        for name, own in host.hcas.items():
            if own.address is not None:
                at = int(own.address.ip)
                used = _Used(at, at, f"address {own.address} of {name} of {host.name}")
                yield (*own.at, "address"), own.address.ip.version, used


@check("NP226", "reserved address in use", on=Plan, counts=lambda plan: _count(plan.fabric))
def reserved_used(plan: Plan) -> Iterator[Finding]:
    """`reserved` addresses belong to something outside the inventory, so no gateway, host or host link
    may use them. A gateway with `gateway_owner: external` may be reserved; pools leave reserved addresses
    out anyway.

    **Why.** Two devices answer ARP for the address, and traffic goes to whichever answered last.
    **Fix.** Use another address or id, or take the address out of `reserved`; `exclude` is for addresses
    that hosts of the inventory have.
    **Source.** RFC 5227
    """
    entries = [entry for entry in _entries(plan.fabric) if entry.inside]  # NP227 reports the others
    if not entries:
        return
    numbered = _by_family(_numbered(plan))
    for entry in entries:
        found = _touched(numbered[entry.family], entry.span)
        if found:
            more = f"; {len(found) - 1} more such addresses" if len(found) > 1 else ""
            hint = "take it out of reserved, or change the id or key that the other follows from"
            yield Finding(entry.at, f"{entry} is reserved, but {found[0].what}{more}", hint)
    for at, family, used in _stated(plan):
        by = next((e for e in entries if e.family == family and _holds(e.span, used.first)), None)
        if by is not None:
            place = ".".join(map(str, by.at[:-1]))
            what = f"{used.what} is in {by}, which {place} reserves"
            yield Finding(at, what, "use another address, or take it out of reserved")


def _by_family(found: Iterator[tuple[int, _Used]]) -> dict[int, list[_Used]]:
    out: dict[int, list[_Used]] = {4: [], 6: []}
    for family, used in found:
        out[family].append(used)
    return {family: sorted(each) for family, each in out.items()}


def _touched(used: list[_Used], span: AddressSpan) -> list[_Used]:
    """Entries of ``used`` that overlap the span; ``used`` is sorted and free of overlaps."""
    start = bisect_left(used, int(span[0]), key=lambda each: each.last)
    end = bisect_right(used, int(span[1]), key=lambda each: each.first)
    return used[start:end]


def _holds(span: AddressSpan, address: int) -> bool:
    return int(span[0]) <= address <= int(span[1])
