"""Addresses and networks of objects: always by their text, because ``ipaddress`` takes a number for one."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

IpAddress = IPv4Address | IPv6Address
IpNetwork = IPv4Network | IPv6Network


def address_of(value: Any) -> IpAddress:
    """Raises ValueError for what is no address."""
    return ip_address(str(value))


def network_of(value: Any) -> IpNetwork:
    """Raises ValueError for what is no network, or has host bits."""
    return ip_network(str(value))


def around(value: Any) -> IpNetwork:
    """The network that an address with a length lies in. Raises ValueError."""
    return ip_network(str(value), strict=False)
