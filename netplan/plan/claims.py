"""DRA in place of a device plugin: what the drivers advertise and what pods claim.

DRANET (driver dra.net) moves a whole interface into the pod, with the addresses it has on the host, so its
networks need neither NAD nor IPAM. The SR-IOV DRA driver in MULTUS mode replaces only the device plugin:
Multus attaches by the resource name the driver publishes.

Sources: kubernetes-sigs/dranet pkg/apis and pkg/driver/dra_hooks.go; k8snetworkplumbingwg/dra-driver-sriov
README.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from netplan.model.addresses import AddressPlan
from netplan.model.claims import (
    DRA_OWNERS,
    DRANET,
    SRIOV_DRIVER,
    ClaimRequest,
    DeviceFilter,
    DraPlan,
    InterfaceConfig,
    PodClaim,
    ResourcePolicy,
)  # fmt: skip
from netplan.model.fabric import Fabric, Workload
from netplan.model.hardware import Hca, HostType
from netplan.model.kubernetes import DeviceSelector, Resource
from netplan.model.workloads import PodNic
from netplan.plan.devices import carriers, pci_addresses
from netplan.plan.pod_routes import RAIL_TABLE_BASE, table_routes

DRANET_DRIVER = "dra.net"
DRANET_CLASS = "dranet-rdma"
SRIOV_CLASS = "sriovnetwork.k8snetworkplumbingwg.io"
"""DeviceClass in the driver's chart; it has the driver's name."""

CLAIM = "rdma"
"""Name of the claim in the pod."""


def plan_dra(fabric: Fabric, resources: tuple[Resource, ...]) -> DraPlan | None:
    owner = fabric.cluster.owners.device_plugin
    own = [r for r in resources if r.plugin == owner]
    if owner not in DRA_OWNERS or not own:
        return None
    if owner == DRANET:
        return DraPlan(driver=DRANET_DRIVER, device_class=DRANET_CLASS, resources=(), policies=())
    types = {t.name: t for t in fabric.host_types}
    by_type: dict[str, list[DeviceFilter]] = {}
    for resource in own:
        for selector in resource.selectors:
            by_type.setdefault(selector.host_type, []).append(_filter(resource, selector))
    return DraPlan(
        driver=SRIOV_CLASS,
        device_class=None,
        resources=tuple(r.name for r in own),
        policies=tuple(
            ResourcePolicy(host_type=n, node_selector=types[n].node_selector, filters=tuple(found))
            for n, found in by_type.items()
        ),
    )


def _filter(resource: Resource, selector: DeviceSelector) -> DeviceFilter:
    """Selects PFs by name or address. The policy cannot express VF ranges, so they are cut off; a check
    reports them."""
    return DeviceFilter(
        resource=resource.name,
        vendors=selector.vendors,
        devices=selector.devices,
        pf_names=tuple(n.partition("#")[0] for n in selector.pf_names),
        pf_pci_addresses=tuple(n.partition("#")[0] for n in selector.root_devices),
        pci_addresses=selector.pci_addresses,
    )


def plan_claim(
    fabric: Fabric, addresses: AddressPlan, workload: Workload, nics: tuple[PodNic, ...]
) -> PodClaim | None:
    """The claim of a workload's pods; None without a DRA driver or without devices from it."""
    owner = fabric.cluster.owners.device_plugin
    if owner == DRANET:
        requests = tuple(_interface(fabric, addresses, workload, nic) for nic in nics if _claimed(nic, owner))
    elif owner == SRIOV_DRIVER:
        counts = Counter(
            n.attachment.resource.name for n in nics if n.attachment.resource and _claimed(n, owner)
        )
        requests = tuple(_functions(name, count) for name, count in counts.items())
    else:
        return None
    if not requests:
        return None
    return PodClaim(
        name=CLAIM,
        template=workload.name,
        namespace=workload.namespace,
        driver=DRANET_DRIVER if owner == DRANET else SRIOV_CLASS,
        requests=requests,
    )


def _claimed(nic: PodNic, owner: str) -> bool:
    return nic.attachment.resource is not None and nic.attachment.resource.plugin == owner


def _functions(resource: str, count: int) -> ClaimRequest:
    """Request for ``count`` VFs, selected by the attribute that Multus compares with the NAD's annotation."""
    domain = 'device.attributes["k8s.cni.cncf.io"]'
    return ClaimRequest(
        name=resource.replace("_", "-"),
        device_class=SRIOV_CLASS,
        selector=f'"resourceName" in {domain} && {domain}.resourceName == "{resource}"',
        count=count,
        config=None,
        ambiguous=(),
    )


def _interface(fabric: Fabric, addresses: AddressPlan, workload: Workload, nic: PodNic) -> ClaimRequest:
    attribute, names, ambiguous = _selection(fabric, workload, nic)
    listed = ", ".join(f'"{n}"' for n in names)
    domain = f'device.attributes["{DRANET_DRIVER}"]'
    return ClaimRequest(
        name=nic.interface,
        device_class=DRANET_CLASS,
        selector=f'"{attribute}" in {domain} && {domain}.{attribute} in [{listed}]',
        count=1,
        config=_config(fabric, addresses, nic),
        ambiguous=ambiguous,
    )


def _config(fabric: Fabric, addresses: AddressPlan, nic: PodNic) -> InterfaceConfig:
    """Interface configuration without ``addresses``: DRANET then keeps those of the host, and adds our routes
    to its own without conflict."""
    attachment = nic.attachment
    segment, rail = attachment.segment, attachment.rail
    ethernet = fabric.type == "roce"
    config = InterfaceConfig(
        interface=nic.interface,
        mtu=fabric.mtu if ethernet else None,
        arp=ethernet and rail is not None,
        routes=(),
        sources=(),
        table=None,
    )
    if attachment.network.by_routing.installs != "claim" or segment is None or rail is None:
        return config
    return replace(
        config,
        routes=tuple(r for s in segment.subnets for r in table_routes(fabric, addresses, segment, rail, s)),
        sources=tuple(s.network for s in segment.subnets),
        table=RAIL_TABLE_BASE + rail,
    )


def _selection(
    fabric: Fabric, workload: Workload, nic: PodNic
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """(attribute, values, ambiguous values): selects the rail's HCAs by interface name, else by PCI address.

    Ambiguous values are set where neither attribute identifies the rail: another rail has the same value on
    some host type, or a value is not stated ("").
    """
    network, rail = nic.attachment.network, nic.attachment.rail
    kinds = {t.name for t in workload.host_types}
    carried = [c for c in carriers(network, fabric) if c.host_type.name in kinds]
    on_rail = [(c.host_type, h) for c in carried for h in c.on(rail)]
    elsewhere = [(c.host_type, h) for c in carried for h in c.hcas if h not in c.on(rail)]
    found: tuple[str, ...] = ()
    for attribute in ("ifName", "pciAddress"):
        own, others = _names(fabric, on_rail, attribute), _names(fabric, elsewhere, attribute)
        if own and "" not in own and not others & own:
            return attribute, tuple(sorted(own)), ()
        found = found or tuple(sorted(others & own or {""}))
    return "ifName", (), found


def _names(fabric: Fabric, hcas: Iterable[tuple[HostType, Hca]], attribute: str) -> set[str]:
    """Attribute values of the HCAs on all hosts of their types; includes "" if any value is not stated."""
    if attribute == "pciAddress":
        return {name for kind, hca in hcas for name in pci_addresses(fabric, kind, hca) or ("",)}
    return {name for kind, hca in hcas for name in (hca.netdev or "", *_stated_names(fabric, kind, hca))}


def _stated_names(fabric: Fabric, kind: HostType, hca: Hca) -> Iterator[str]:
    for host in fabric.hosts:
        own = host.hcas.get(hca.name) if host.type.name == kind.name else None
        if own is not None and own.netdev:
            yield own.netdev
