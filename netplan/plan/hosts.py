"""Plans the operating system files: complete per host type, and per host only the differences.

A type's plan depends on the type, the cluster and the workloads, not on which hosts exist. The exceptions are
the longest cable and the set of HCAs that have an address; another host like the existing ones changes
neither.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import field, replace

from netplan.model.addresses import AddressPlan, RoutedHostLink, Segment
from netplan.model.fabric import Fabric, Workload
from netplan.model.hardware import Hca, Host, HostHca, HostType
from netplan.model.hosts import (
    Firmware,
    HostPlan,
    LinkFile,
    NetworkFile,
    NicQos,
    StatedHca,
    Sysctl,
    TypeReadme,
)
from netplan.model.nic_qos import in_question, qos_gap
from netplan.model.qos import QosPlan
from netplan.plan.host_files import plan_files
from netplan.plan.host_network import link_file, network_file
from netplan.plan.host_ports import Gateways, HostPort, gateways, host_ports, pods_own_addresses, type_ports
from netplan.plan.host_system import on_devices, plan_memlock, plan_modules, plan_netns_mode, plan_sysctl
from netplan.plan.nic_qos import plan_firmware, plan_nic_qos
from netplan.records import dataclass

_Devices = tuple[str, tuple[tuple[str | None, str | None], ...]]
"""Host type, with PCI address and interface of each of its HCAs."""
_OnDevices = tuple[Sysctl | None, NicQos | None, Firmware | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    """Lookup tables for all hosts, built once for the whole fabric.

    ``by_devices``: cache of the settings that name devices, shared by hosts with the same devices.
    """

    fabric: Fabric
    qos: QosPlan | None
    gateways: Gateways
    segments: Mapping[int | str, Segment]
    routed: Mapping[str, Mapping[str, RoutedHostLink]]
    addressed: Mapping[str, Mapping[str, frozenset[int]]]
    workloads: Mapping[str, tuple[Workload, ...]]
    cables: Mapping[tuple[str, str], int]
    by_devices: dict[_Devices, _OnDevices] = field(default_factory=dict)


def plan_hosts(fabric: Fabric, addresses: AddressPlan, qos: QosPlan | None) -> tuple[HostPlan, ...]:
    """Plans of all host types that have hosts and HCAs, in inventory order, then of hosts that differ from
    their type."""
    index = _index(fabric, addresses, qos)
    used = {h.type.name for h in fabric.hosts}
    types = {t.name: _type_plan(t, index) for t in fabric.host_types if t.name in used}
    hosts = (_host_plan(h, types[h.type.name], index) for h in fabric.hosts if h.named)
    plans = (*(types[t.name] for t in fabric.host_types if t.name in types and t.hcas), *filter(None, hosts))
    return tuple(replace(p, files=plan_files(p)) for p in plans)


def _index(fabric: Fabric, addresses: AddressPlan, qos: QosPlan | None) -> _Index:
    routed = _host_owned_links(fabric, addresses)
    segments: dict[int | str, Segment] = {}
    for segment in addresses.segments:
        segments.setdefault(segment.name if segment.rail is None else segment.rail, segment)
    workloads: dict[str, list[Workload]] = defaultdict(list)
    for workload in fabric.workloads:
        for host_type in workload.host_types:
            workloads[host_type.name].append(workload)
    cables: dict[tuple[str, str], int] = defaultdict(int)
    for link in fabric.host_links:
        key = (link.host.type.name, link.hca.name)
        cables[key] = max(cables[key], link.cable_m)
    return _Index(
        fabric=fabric,
        qos=qos,
        gateways=gateways(addresses),
        segments=segments,
        routed=routed,
        addressed=_addressed(fabric, routed),
        workloads={name: tuple(found) for name, found in workloads.items()},
        cables=dict(cables),
    )


def _host_owned_links(fabric: Fabric, addresses: AddressPlan) -> Mapping[str, Mapping[str, RoutedHostLink]]:
    """Routed links by host and HCA, without those whose addresses an IPAM gives to pods."""
    owned = {
        (t.name, h.name): not pods_own_addresses(fabric, t, h) for t in fabric.host_types for h in t.hcas
    }
    out: dict[str, dict[str, RoutedHostLink]] = defaultdict(dict)
    for routed in addresses.host_links:
        if owned[routed.link.host.type.name, routed.link.hca.name]:
            out[routed.link.host.name][routed.link.hca.name] = routed
    return out


def _addressed(
    fabric: Fabric, routed: Mapping[str, Mapping[str, RoutedHostLink]]
) -> Mapping[str, Mapping[str, frozenset[int]]]:
    """IP versions of host addresses by host type and HCA, as a union over the hosts of the type."""
    out: dict[str, dict[str, frozenset[int]]] = defaultdict(dict)
    for host in fabric.hosts:
        stated = [(name, own.address.ip) for name, own in host.hcas.items() if own.address is not None]
        linked = [
            (name, a.ip) for name, link in routed.get(host.name, {}).items() for a in link.host_addresses
        ]
        known = out[host.type.name]
        for name, ip in (*stated, *linked):
            known[name] = known.get(name, frozenset()) | {ip.version}
    return out


def _type_plan(host_type: HostType, index: _Index) -> HostPlan:
    fabric, ports = index.fabric, type_ports(host_type)
    entity = f"host_types.{host_type.name}"
    if not host_type.hcas:
        return HostPlan(name=host_type.name, entity=entity)
    if not host_type.node:
        return HostPlan(name=host_type.name, entity=entity, readme=_readme(host_type, fabric))
    links, networks = _links(ports, fabric), _networks(ports, fabric)
    for_pods = any(h.for_pods for h in host_type.hcas)
    netns_mode = plan_netns_mode(fabric.cluster) if for_pods else None
    memlock = plan_memlock(fabric.cluster) if for_pods else None
    return HostPlan(
        name=host_type.name,
        entity=entity,
        links=links,
        networks=networks,
        keep_foreign_routes=bool(networks),
        sysctl=_sysctl(host_type, ports, index),
        netns_mode=netns_mode,
        modules=plan_modules(fabric, host_type),
        qos=plan_nic_qos(fabric, host_type, ports, index.qos, index.cables),
        firmware=plan_firmware(fabric, ports, index.qos),
        memlock=memlock,
        readme=_readme(host_type, fabric, {k.hca for k in links} | {n.hca for n in networks}),
    )


def _links(ports: Iterable[HostPort], fabric: Fabric) -> tuple[LinkFile, ...]:
    return tuple(k for p in ports if (k := link_file(p, fabric)))


def _networks(ports: Iterable[HostPort], fabric: Fabric) -> tuple[NetworkFile, ...]:
    return tuple(n for p in ports if (n := network_file(p, fabric)))


def _sysctl(host_type: HostType, ports: tuple[HostPort, ...], index: _Index) -> Sysctl | None:
    return plan_sysctl(
        index.fabric,
        host_type,
        ports,
        index.addressed.get(host_type.name, {}),
        index.workloads.get(host_type.name, ()),
        index.segments,
    )


def _readme(host_type: HostType, fabric: Fabric, with_files: Set[str] = frozenset()) -> TypeReadme:
    hypervisor = "pvrdma-hypervisor" if fabric.type == "pvrdma" else "hypervisor"
    kind = "node" if host_type.node else hypervisor
    nic_qos_owner = fabric.cluster.owners.nic_qos if fabric.type == "roce" else None
    return TypeReadme(
        kind=kind,
        distribution=fabric.cluster.distribution,
        hcas=host_type.hcas,
        vf_owner=fabric.cluster.owners.vfs,
        rdma_mode=fabric.cluster.rdma_mode,
        nic_qos_owner=nic_qos_owner,
        without_qos=tuple(
            (h.name, gap)
            for h in host_type.hcas
            if in_question(fabric, host_type, h) and (gap := qos_gap(fabric, host_type, h))
        ),
        without_files=tuple(h.name for h in host_type.hcas if h.name not in with_files),
        gpus=host_type.gpus,
    )


def _host_plan(host: Host, of_type: HostPlan, index: _Index) -> HostPlan | None:
    """Files that this host needs beside those of its type; None if the type's files cover it."""
    routed = index.routed.get(host.name, {})
    if not routed and _repeats_type(host, of_type):
        return None
    ports = host_ports(host, routed, index.gateways)
    changed = _changed(host.type, ports)
    links = tuple(k for k in _links(changed, index.fabric) if k not in of_type.links)
    networks = tuple(n for n in _networks(changed, index.fabric) if n not in of_type.networks)
    plan = HostPlan(
        name=host.name,
        entity=f"hosts.{host.name}",
        links=links,
        networks=networks,
        keep_foreign_routes=bool(networks) and not of_type.keep_foreign_routes,
        stated=tuple(_stated(host, {k.hca for k in links} | {n.hca for n in networks}, of_type)),
    )
    if host.type.node and any(own.pci or own.netdev for own in host.hcas.values()):
        plan = _with_moved_devices(plan, host, ports, of_type, index)
    return plan if plan != HostPlan(name=plan.name, entity=plan.entity) else None


def _repeats_type(host: Host, of_type: HostPlan) -> bool:
    """Whether the type's files cover everything the host states. A shortcut: this holds for most of thousands
    of hosts that an inventory lists one by one."""
    if not host.hcas:
        return True
    linked = {link.hca for link in of_type.links}
    return all(
        (own := host.hcas.get(hca.name)) is None
        or (hca.name in linked and _filed(own, hca) and own.rdma_device in (None, hca.rdma_device))
        for hca in host.type.hcas
    )


def _filed(own: HostHca, hca: Hca) -> bool:
    """Whether the type's files for this HCA, if it has any, apply to the host unchanged. A MAC address stated
    beside a PCI address changes none of them."""
    return (
        own.address is None
        and (own.mac is None or own.pci is not None)
        and own.pci in (None, hca.pci)
        and own.netdev in (None, hca.netdev)
    )


def _changed(host_type: HostType, ports: tuple[HostPort, ...]) -> list[HostPort]:
    """Ports of a node that differ from the host type's."""
    if not host_type.node:
        return []
    return [p for p, q in zip(ports, type_ports(host_type), strict=True) if p != q]


def _with_moved_devices(
    plan: HostPlan, host: Host, ports: tuple[HostPort, ...], of_type: HostPlan, index: _Index
) -> HostPlan:
    """The plan with complete device-specific files where this host's devices differ from its type's."""
    devices = (host.type.name, tuple((p.hca.pci, p.hca.netdev) for p in ports))
    if devices not in index.by_devices:
        index.by_devices[devices] = (
            on_devices(of_type.sysctl, ports, index.addressed.get(host.type.name, {})),
            plan_nic_qos(index.fabric, host.type, ports, index.qos, index.cables),
            plan_firmware(index.fabric, ports, index.qos),
        )
    sysctl, qos, firmware = index.by_devices[devices]
    return replace(
        plan,
        sysctl=sysctl if sysctl != of_type.sysctl else None,
        qos=qos if qos != of_type.qos else None,
        firmware=firmware if firmware != of_type.firmware else None,
    )


def _stated(host: Host, carried: set[str], of_type: HostPlan) -> Iterator[StatedHca]:
    """Stated values that someone has to apply by hand, because no file of the host or its type carries
    them."""
    linked = {link.hca for link in of_type.links}
    for hca in host.type.hcas:
        own = host.hcas.get(hca.name)
        if own is None:
            continue
        by_type = hca.name in linked and _filed(own, hca)
        device = own.rdma_device if own.rdma_device != hca.rdma_device else None
        by_files = (
            ("address", str(own.address) if own.address else None),
            ("MAC", own.mac),
            ("PCI address", own.pci),
            ("interface", own.netdev),
        )
        pairs = (*(() if by_type or hca.name in carried else by_files), ("RDMA device", device))
        values = tuple((word, value) for word, value in pairs if value is not None)
        if values:
            yield StatedHca(hca=hca.name, values=values)
