"""Ranges of host-local, for NP777."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.addresses import IpNetwork, address_of, around
from netplan.reading.kubernetes.objects import listing, mapping
from netplan.reading.kubernetes.placeholders import templated

Problem = tuple[Path, str, str]
"""Path in the IPAM, message, hint."""


def host_local_problems(ipam: dict[str, Any]) -> Iterator[Problem]:
    """A range beside ``type``, and those of ``ranges``, a list of sets of ranges."""
    if ipam.get("subnet"):
        yield from _of_range((), ipam)
    for index, group in enumerate(listing(ipam.get("ranges"))):
        for number, row in enumerate(listing(group)):
            yield from _of_range(("ranges", index, number), mapping(row))


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
