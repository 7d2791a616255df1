"""Interface names, MTU, VFs, addresses and policy routes: the files of systemd-udevd and systemd-networkd."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.fabric import Fabric, Rails
from netplan.model.hardware import Hca
from netplan.model.hosts import LinkFile, NetworkFile, Route, SourceRule
from netplan.plan.host_ports import HostPort, PortAddress

FIRST_TABLE = 700
"""Routing table and rule priority of rail 0. Outside the ranges of sbr and spiderpool (100-199, 500), DRANET
(1000-1999) and the kernel (253-255), and below 1024, where busybox ``ip`` stops."""

_ANYWHERE = {4: "0.0.0.0/0", 6: "::/0"}
_FULL_LENGTH = {4: 32, 6: 128}


def link_file(port: HostPort, fabric: Fabric) -> LinkFile | None:
    """Pins the interface name by PCI path, or by permanent MAC if the host states a MAC and no PCI address.

    The PCI path is preferred: device plugins, operators and mlxconfig find the card by it too, and it is the
    same on all hosts of a type, so one file serves them all. A MAC address is different on each host.

    Never by MAC on InfiniBand: its hardware address has 20 bytes, which no stated MAC matches.
    """
    hca = port.hca
    mac = port.mac if hca.link == "ethernet" else None
    if not port.configurable or hca.netdev is None or (hca.pci is None and mac is None):
        return None
    by_host = hca.use == "vf" and fabric.cluster.owners.of_vfs.files
    return LinkFile(
        hca=hca.name,
        match=f"PermanentMACAddress={mac}" if mac else f"Path=pci-{hca.pci}",
        netdev=hca.netdev,
        mtu=_mtu(hca, fabric),
        vfs=hca.vfs if by_host else None,
    )


def _mtu(hca: Hca, fabric: Fabric) -> int | None:
    """MTU that the host sets on a physical function; None where SriovNetworkNodePolicy sets it along with the
    VFs."""
    by_operator = hca.use == "vf" and fabric.cluster.owners.of_vfs.policies
    return fabric.mtu if hca.link == "ethernet" and not by_operator else None


def network_file(port: HostPort, fabric: Fabric) -> NetworkFile | None:
    """Brings up the physical function even without an address: only then do its VFs have carrier.

    The file sets the MTU where no ``.link`` file by PCI address does: macvlan refuses an MTU above its
    master's (containernetworking plugins/main/macvlan).

    A virtual function in a VM gets a file only for an address; the VM's image owns the rest.
    """
    hca = port.hca
    wanted = port.configurable or (hca.for_pods and port.addresses)
    if not wanted or hca.netdev is None:
        return None
    v6 = any(a.address.ip.version == 6 for a in port.addresses)
    link_local = "ipv6" if v6 else "no"
    mtu = _mtu(hca, fabric) if port.configurable and hca.pci is None else None
    return NetworkFile(
        hca=hca.name,
        netdev=hca.netdev,
        link_local=link_local,
        lldp=hca.link == "ethernet" and port.configurable,
        mtu=mtu,
        addresses=tuple(str(a.address) for a in port.addresses),
        routes=tuple(r for a in port.addresses for r in _routes(a, hca.rail, fabric.rails)),
        rules=tuple(r for a in port.addresses for r in _rules(a, hca.rail)),
    )


def _routes(own: PortAddress, rail: int | None, rails: Rails | None) -> Iterator[Route]:
    """Routes of the rail's own table; in the main table, for unbound sockets, a route to the rail on other
    leaves.

    A subnet beside the rails has its routes in the main table.
    """
    if own.gateway is None:
        return
    source, gateway = str(own.address.ip), str(own.gateway)
    if rail is None:
        for network in own.beyond:
            yield Route(destination=str(network), gateway=gateway, source=source, table=None)
        return
    table = FIRST_TABLE + rail
    subnet = own.address.network
    yield Route(destination=str(subnet), gateway=None, source=source, table=table)
    yield Route(destination=_ANYWHERE[subnet.version], gateway=gateway, source=source, table=table)
    parts = rails.rail_networks[rail] if rails and rail < len(rails.rail_networks) else ()
    for part in parts:
        if part.version == subnet.version and part.prefixlen < subnet.prefixlen:
            yield Route(destination=str(part), gateway=gateway, source=source, table=None)


def _rules(own: PortAddress, rail: int | None) -> Iterator[SourceRule]:
    if rail is not None and own.gateway is not None:
        ip = own.address.ip
        yield SourceRule(source=f"{ip}/{_FULL_LENGTH[ip.version]}", table=FIRST_TABLE + rail)
