"""Small typed values for texts of the inventory.

netaddr's ``IPNetwork`` is used for subnets only: it is mutable, and two addresses in one subnet compare
equal, so an interface address is netplan's own ``InterfaceAddress``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from socket import inet_ntoa

from netaddr import INET_PTON, AddrFormatError, IPAddress, IPNetwork

AddressSpan = tuple[IPAddress, IPAddress]
"""First and last address."""

FRAME_BYTES = 22
"""What a frame adds to its IP packet: Ethernet header, VLAN tag and checksum are 14, 4 and 4 bytes."""
DNS_SUBDOMAIN = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*")
"""Names of most Kubernetes objects, of any length (RFC 1123, 2.1; kubernetes.io, object names and IDs)."""
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True, order=True)
class InterfaceAddress:
    """An address with the prefix length of its subnet, such as ``172.16.0.1/24``."""

    ip: IPAddress
    prefixlen: int

    @property
    def network(self) -> IPNetwork:
        return subnet_of(int(self.ip), self.prefixlen, self.ip.version)

    @property
    def ipv6(self) -> bool:
        return bool(self.ip.version == 6)

    def __str__(self) -> str:
        return f"{text_of(self.ip)}/{self.prefixlen}"


def text_of(ip: IPAddress) -> str:
    """As netaddr writes it, which takes four times as long for IPv4."""
    return inet_ntoa(int(ip).to_bytes(4, "big")) if ip.version == 4 else str(ip)


@cache
def natural(text: str) -> tuple[tuple[int, str], ...]:
    """Sort key that puts ``Ethernet8`` before ``Ethernet64``."""
    return tuple(_part(part) for part in _DIGITS.split(text) if part)


def _part(part: str) -> tuple[int, str]:
    """Sorts numbers without `int`, which refuses more than 4,300 digits, and handles ``²``."""
    if not part.isdecimal():
        return -1, part
    digits = part.lstrip("0")
    return len(digits), digits


LAST_VLAN = 4094
"""The largest VLAN ID (sonic-net/sonic-buildimage src/sonic-yang-models/yang-models/sonic-vlan.yang)."""


def whole(text: str, digits: int) -> int | None:
    """The number, if the text is at most so many ASCII digits and nothing else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def parse_network(text: str) -> IPNetwork | None:
    """``"172.16.0.0/20"`` -> network, host bits kept; ``None`` when it is no CIDR."""
    address, _, length = text.partition("/")
    ip, bits = parse_address(address), whole(length, 3)
    if ip is None or bits is None or bits > (32 if ip.version == 4 else 128):
        return None
    return IPNetwork(f"{ip}/{bits}")


def parse_address(text: str) -> IPAddress | None:
    """``"172.16.0.1"`` -> address; ``None`` if it is not an address (``10.1`` is not)."""
    try:
        return IPAddress(text, flags=INET_PTON)
    except (AddrFormatError, ValueError):
        return None


def has_host_bits(network: IPNetwork) -> bool:
    return bool(network.ip != network.cidr.ip)


def size(network: IPNetwork) -> int:
    """Number of addresses, network and broadcast included."""
    return 1 << ((32 if network.version == 4 else 128) - network.prefixlen)


def nth_subnet(network: IPNetwork, prefixlen: int, index: int) -> IPNetwork | None:
    """The ``index``-th subnet of length ``prefixlen`` in ``network``; ``None`` past its end."""
    start = nth_start(network, prefixlen, index)
    return None if start is None else subnet_of(start, prefixlen, network.version)


def nth_start(network: IPNetwork, prefixlen: int, index: int) -> int | None:
    """The first address of that subnet as a number."""
    width = 32 if network.version == 4 else 128
    if not network.prefixlen <= prefixlen <= width or not 0 <= index < (1 << (prefixlen - network.prefixlen)):
        return None
    return int(network.first) + (index << (width - prefixlen))


def subnet_of(address: int, prefixlen: int, version: int) -> IPNetwork:
    """The subnet of an address, computed from numbers: netaddr is slower at parsing a text."""
    host_bits = (32 if version == 4 else 128) - prefixlen
    start = address >> host_bits << host_bits
    return IPNetwork((start, prefixlen), version=4 if version == 4 else 6)


def nth_address(network: IPNetwork, index: int) -> IPAddress | None:
    """Network address + ``index``; ``None`` outside the network."""
    if not 0 <= index < size(network):
        return None
    return IPAddress(int(network.first) + index, network.version)


def usable(network: IPNetwork) -> tuple[int, int]:
    """First and last host offset: a /31 and /32 (/127, /128) have no network and broadcast address."""
    count = size(network)
    if count <= 2:
        return 0, count - 1
    return (1, count - 2) if network.version == 4 else (1, count - 1)


def overlap(left: IPNetwork, right: IPNetwork) -> bool:
    return bool(left.version == right.version and left.first <= right.last and right.first <= left.last)


def free_spans(
    network: IPNetwork, exclude: Iterable[tuple[IPAddress, IPAddress]]
) -> Iterator[tuple[IPAddress, IPAddress]]:
    """(first, last) of the usable addresses between sorted exclusions."""
    first, last = usable(network)
    start, high = nth_address(network, first), nth_address(network, last)
    assert start is not None
    assert high is not None
    for low, up in exclude:
        if low > start:
            yield start, low - 1
        start = max(start, up + 1)
    if start <= high:
        yield start, high
