"""The HCAs a host type or a single host really has, and which networks use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from netaddr import IPAddress, IPNetwork

from netplan.model.addresses import AddressPlan, RoutedHostLink
from netplan.model.carrying import uses
from netplan.model.fabric import Fabric
from netplan.model.hardware import Hca, Host, HostHca, HostType
from netplan.model.values import InterfaceAddress
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class PortAddress:
    """An address of the host on a port; ``gateway``: the leaf's in its subnet, None when not routed.

    ``beyond``: prefixes behind the gateway of a subnet beside the rails.
    """

    address: InterfaceAddress
    gateway: IPAddress | None
    beyond: tuple[IPNetwork, ...] = ()


@dataclass(frozen=True, slots=True)
class Port:
    """One HCA with what a single host states laid over its host type's values.

    ``mac``: what finds the port, where the host states no PCI address of its own.
    """

    hca: Hca
    mac: str | None = None
    addresses: tuple[PortAddress, ...] = ()

    @property
    def configurable(self) -> bool:
        """The operating system owns the physical function: front-end and storage ports are never touched."""
        return self.hca.for_pods and not self.hca.virtual


Gateways = Mapping[str, tuple[IPAddress | None, tuple[IPNetwork, ...]]]
"""Subnet as text -> gateway, and the prefixes that the subnet states behind it."""


def gateways(addresses: AddressPlan) -> Gateways:
    return {
        str(s.network.cidr): (s.gateway, segment.routes)
        for segment in addresses.segments
        for s in segment.subnets
    }


def pods_own_addresses(fabric: Fabric, host_type: HostType, hca: Hca) -> bool:
    """An IPAM hands the addresses of this HCA's rail to pods, so the host must not configure one of them."""
    return any(n.by_ipam.addresses and uses(n, host_type, hca) for n in fabric.networks)


def type_ports(host_type: HostType) -> tuple[Port, ...]:
    return tuple(Port(hca) for hca in host_type.hcas)


def host_ports(host: Host, routed: Mapping[str, RoutedHostLink], known: Gateways) -> tuple[Port, ...]:
    """``routed``: the routed links of this host whose address is the host's own, by HCA."""
    return tuple(_port(hca, host.hcas.get(hca.name), routed.get(hca.name), known) for hca in host.type.hcas)


def _port(hca: Hca, own: HostHca | None, routed: RoutedHostLink | None, known: Gateways) -> Port:
    if own is None and routed is None:
        return Port(hca)
    found = []
    if routed is not None:
        pairs = zip(routed.host_addresses, routed.switch_addresses, strict=True)
        found = [PortAddress(host, switch.ip) for host, switch in pairs]
    if own is None:
        return Port(hca, addresses=tuple(found))
    if own.address is not None:
        found.append(PortAddress(own.address, *known.get(str(own.address.network), (None, ()))))
    merged = replace(
        hca,
        pci=own.pci or hca.pci,
        netdev=own.netdev or hca.netdev,
        rdma_device=own.rdma_device or hca.rdma_device,
    )
    mac = own.mac if own.pci is None else None
    return Port(merged, mac=mac, addresses=tuple(dict.fromkeys(found)))
