"""Ranges of host-local, for NP777, and addresses that pods ask of it, for NP762."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.addresses import IpAddress, IpNetwork, address_of, around
from netplan.reading.kubernetes.objects import listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass

Problem = tuple[Path, str, str]
"""Path in the IPAM, message, hint."""


@dataclass(frozen=True, slots=True)
class Span:
    """Addresses of a range."""

    first: IpAddress
    last: IpAddress
    gateway: IpAddress


def host_local_problems(ipam: dict[str, Any]) -> Iterator[Problem]:
    """A range beside ``type``, and those of ``ranges``, a list of sets of ranges."""
    if ipam.get("subnet"):
        yield from _of_range((), ipam)
    for index, group in enumerate(listing(ipam.get("ranges"))):
        for number, row in enumerate(listing(group)):
            yield from _of_range(("ranges", index, number), mapping(row))


def refused_address(ipam: dict[str, Any], text: str) -> str:
    """Why a pod does not get the address that it asks for; empty if it may (containernetworking/plugins
    3d27709 plugins/ipam/host-local/main.go, cmdAdd; backend/allocator/allocator.go, Get)."""
    rows = [row for group in listing(ipam.get("ranges")) for row in listing(group)]
    try:
        spans = [_span(mapping(row)) for row in ([ipam] if ipam.get("subnet") else []) + rows]
        address = address_of(text.partition("/")[0])
    except ValueError:  # a placeholder, or a finding of its own
        return ""
    same = [span for span in spans if span.first.version == address.version]
    own = [span for span in same if int(span.first) <= int(address) <= int(span.last)]
    if spans and not own:
        return f"host-local gives {', '.join(f'{span.first} to {span.last}' for span in spans)}"
    return "host-local keeps the gateway to itself" if any(address == span.gateway for span in own) else ""


def _span(row: dict[str, Any]) -> Span:
    """Raises ValueError; what is not stated is as the plugin fills it in (range.go, Canonicalize)."""
    net = around(row.get("subnet"))
    if net.num_addresses <= 2:
        raise ValueError
    ends = {"rangeStart": net[1], "rangeEnd": net[-2] if net.version == 4 else net[-1], "gateway": net[1]}
    first, last, gateway = (address_of(row[key]) if row.get(key) else ends[key] for key in ends)
    return Span(first, last, gateway)


def _of_range(at: Path, row: dict[str, Any]) -> Iterator[Problem]:
    subnet, *ends = (row.get(key) for key in ("subnet", "rangeStart", "rangeEnd"))
    if not isinstance(subnet, str) or any(map(templated, (subnet, *ends))):
        return
    try:
        net = around(subnet)
    except ValueError:  # a word that another plugin replaces (Calico's usePodCidr)
        return
    if address_of(subnet.partition("/")[0]) != net.network_address:
        yield (*at, "subnet"), f"{subnet} has host bits set", f"write {net}"
        return
    problem = next(_of_ends(net, row), None)
    if problem is None and net.num_addresses <= 2:
        hint = f"write a /{net.max_prefixlen - 2} or larger"
        problem = ("subnet", f"{net} has no address to hand out", hint)
    if problem is not None:
        key, message, hint = problem
        yield (*at, key), message, hint


def _of_ends(net: IpNetwork, row: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Key, message, hint."""
    stated = [(key, row[key]) for key in ("rangeStart", "rangeEnd") if row.get(key)]
    for key, value in stated:
        if not _inside(value, net):
            yield key, f"{value} is not an address of {net}", "use one inside the subnet"
            return
    first, last = row.get("rangeStart"), row.get("rangeEnd")
    if len(stated) == 2 and int(address_of(first)) > int(address_of(last)):
        yield "rangeEnd", f"range ends at {last}, before {first}", "correct it"


def _inside(value: Any, net: IpNetwork) -> bool:
    try:
        address = address_of(value)
    except ValueError:
        return False
    return address.version == net.version and address in net
