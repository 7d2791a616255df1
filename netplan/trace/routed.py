"""Routed interfaces of switches, with the inventory's addresses as types of the standard library."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from netaddr import IPAddress, IPNetwork

from netplan.model.readback import ReadSwitch
from netplan.model.values import InterfaceAddress
from netplan.records import dataclass
from netplan.trace.linux import Address, Prefix


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """A routed interface of a switch: that of a VLAN, or the port itself."""

    switch: str
    vlan: int | None
    port: str | None
    ip: Address
    prefix: Prefix
    ip_mtu: int | None
    up: bool | None = True

    @property
    def name(self) -> str:
        return f"Vlan{self.vlan}" if self.port is None else self.port


def interfaces_of(switch: ReadSwitch) -> Iterator[Routed]:
    """Routed interfaces that can be up: one of a VLAN that does not exist is down."""
    for vlan, svi in switch.vlan_interfaces.items():
        if vlan in switch.vlans:
            for address in svi.addresses:
                yield _routed(switch.name, vlan, None, address, svi.ip_mtu, svi.up)
    for port in switch.ports.values():
        for address in port.addresses:
            yield _routed(switch.name, None, port.name, address, port.ip_mtu, port.up)


def _routed(
    switch: str,
    vlan: int | None,
    port: str | None,
    address: InterfaceAddress,
    mtu: int | None,
    up: bool | None,
) -> Routed:
    ip = as_address(address.ip)
    prefix = as_network(address.ip.version, int(ip), address.prefixlen)
    return Routed(switch=switch, vlan=vlan, port=port, ip=ip, prefix=prefix, ip_mtu=mtu, up=up)


def as_prefix(network: IPNetwork) -> Prefix:
    return as_network(network.version, network.first, network.prefixlen)


def as_address(address: IPAddress) -> Address:
    return (IPv4Address if address.version == 4 else IPv6Address)(int(address))


def as_network(version: int, address: int, length: int) -> Prefix:
    kind = IPv4Network if version == 4 else IPv6Network
    return kind((address, length), strict=False)
