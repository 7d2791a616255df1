"""Parses addresses and networks of objects, always from text: ``ipaddress`` would take a number for an
address."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

IpAddress = IPv4Address | IPv6Address
IpNetwork = IPv4Network | IPv6Network


def address_of(value: Any) -> IpAddress:
    """Raises ValueError if the value is not an address."""
    return ip_address(str(value))


def network_of(value: Any) -> IpNetwork:
    """Raises ValueError if the value is not a network, or has host bits set."""
    return _network(str(value), True)


def around(value: Any) -> IpNetwork:
    """The network of an address with prefix length. Raises ValueError."""
    return _network(str(value), False)


@lru_cache(maxsize=16_384)
def _network(text: str, strict: bool) -> IpNetwork:
    """Cached: the pools of a rail repeat the same few routes, and one network is in many objects."""
    return ip_network(text, strict=strict)
