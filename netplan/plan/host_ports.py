"""Effective HCAs of a host type or a single host, and the addresses the host has on them."""

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
    """A host's own address on a port. ``gateway``: the leaf's address in its subnet, None if not routed.

    ``beyond``: prefixes behind the gateway of a subnet beside the rails.
    """

    address: InterfaceAddress
    gateway: IPAddress | None
    beyond: tuple[IPNetwork, ...] = ()


@dataclass(frozen=True, slots=True)
class HostPort:
    """An HCA with the host's own values replacing those of its type.

    ``mac``: identifies the port where the host states no PCI address of its own.
    """

    hca: Hca
    mac: str | None = None
    addresses: tuple[PortAddress, ...] = ()

    @property
    def configurable(self) -> bool:
        """Whether the operating system owns the physical function. Front-end and storage ports are never
        touched."""
        return self.hca.for_pods and not self.hca.virtual


Gateways = Mapping[str, tuple[IPAddress | None, tuple[IPNetwork, ...]]]
"""Subnet as text -> its gateway and the prefixes it states behind it."""


def gateways(addresses: AddressPlan) -> Gateways:
    return {
        str(s.network.cidr): (s.gateway, segment.routes)
        for segment in addresses.segments
        for s in segment.subnets
    }


def pods_own_addresses(fabric: Fabric, host_type: HostType, hca: Hca) -> bool:
    """Whether an IPAM assigns the addresses of this HCA's rail to pods; the host must then not use one of
    them."""
    return any(n.by_ipam.addresses and uses(n, host_type, hca) for n in fabric.networks)


def type_ports(host_type: HostType) -> tuple[HostPort, ...]:
    return tuple(HostPort(hca) for hca in host_type.hcas)


def host_ports(host: Host, routed: Mapping[str, RoutedHostLink], known: Gateways) -> tuple[HostPort, ...]:
    """Ports of one host. ``routed``: its routed links, by HCA, whose address belongs to the host itself."""
    return tuple(_port(hca, host.hcas.get(hca.name), routed.get(hca.name), known) for hca in host.type.hcas)


def _port(hca: Hca, own: HostHca | None, routed: RoutedHostLink | None, known: Gateways) -> HostPort:
    if own is None and routed is None:
        return HostPort(hca)
    found = []
    if routed is not None:
        pairs = zip(routed.host_addresses, routed.switch_addresses, strict=True)
        found = [PortAddress(host, switch.ip) for host, switch in pairs]
    if own is None:
        return HostPort(hca, addresses=tuple(found))
    if own.address is not None:
        found.append(PortAddress(own.address, *known.get(str(own.address.network), (None, ()))))
    merged = replace(
        hca,
        pci=own.pci or hca.pci,
        netdev=own.netdev or hca.netdev,
        rdma_device=own.rdma_device or hca.rdma_device,
    )
    mac = own.mac if own.pci is None else None
    return HostPort(merged, mac=mac, addresses=tuple(dict.fromkeys(found)))
