"""Addresses and networks of objects: always by their text, because ``ipaddress`` takes a number for one."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

IpAddress = IPv4Address | IPv6Address
IpNetwork = IPv4Network | IPv6Network


def address_of(value: Any) -> IpAddress:
    """Raises ValueError for what is no address."""
    return ip_address(str(value))


def network_of(value: Any) -> IpNetwork:
    """Raises ValueError for what is no network, or has host bits."""
    return _network(str(value), True)


def around(value: Any) -> IpNetwork:
    """The network that an address with a length lies in. Raises ValueError."""
    return _network(str(value), False)


@lru_cache(maxsize=16_384)
def _network(text: str, strict: bool) -> IpNetwork:
    """Kept: the pools of a rail have the same few routes, and one network stands in many objects."""
    return ip_network(text, strict=strict)
