"""HCAs that carry a network, and the resources that advertise them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from netplan.model.carrying import uses
from netplan.model.claims import DRA_OWNERS
from netplan.model.fabric import Fabric, Network
from netplan.model.hardware import Hca, HostType
from netplan.model.kubernetes import DeviceSelector, Resource
from netplan.model.ranges import expand, is_range
from netplan.records import dataclass

EFA = ("vpc.amazonaws.com", "efa")
"""Resource of the EFA device plugin (aws-samples/aws-efa-eks README.md)."""

_LINK_TYPES = {"ethernet": "ether", "infiniband": "infiniband"}
"""Link layer -> ``linkTypes`` word of both device plugins (sriov-network-device-plugin README.md)."""


@dataclass(frozen=True, slots=True)
class Carrier:
    """The HCAs of one host type that carry a network."""

    host_type: HostType
    hcas: tuple[Hca, ...]

    def on(self, rail: int | None) -> tuple[Hca, ...]:
        return tuple(h for h in self.hcas if rail is None or h.rail == rail)


def carriers(network: Network, fabric: Fabric) -> tuple[Carrier, ...]:
    """Node host types with HCAs that fit the network; only those the network names, if it names any."""
    out = []
    for kind in network.host_types or fabric.host_types:
        hcas = tuple(h for h in kind.hcas if uses(network, kind, h))
        if kind.node and hcas:
            out.append(Carrier(kind, hcas))
    return tuple(out)


def rails_of(network: Network, carried: tuple[Carrier, ...]) -> tuple[int | None, ...]:
    """Rails of a network; ``(None,)`` for one that is not per rail."""
    if not network.per_rail:
        return (None,)
    return tuple(sorted({h.rail for c in carried for h in c.hcas if h.rail is not None}))


def devices(network: Network, hca: Hca) -> int:
    """Devices one HCA gives an unshared network: its VFs (those of ``vf_range``), or 1 for the function
    itself."""
    if hca.use == "vf" and not hca.virtual:
        return network.vf_range[1] - network.vf_range[0] + 1 if network.vf_range else hca.vfs
    return 1


def plan_resources(fabric: Fabric) -> tuple[Resource, ...]:
    """All extended resources, by network and rail."""
    out = []
    for network in fabric.networks:
        carried = carriers(network, fabric)
        if network.takes == "mount" or not carried:
            continue
        rails = rails_of(network, carried)
        if network.per_rail and network.resource == "per-rail":
            out += [_resource(fabric, network, carried, (rail,)) for rail in rails]
        else:
            out.append(_resource(fabric, network, carried, rails))
    return tuple(out)


def _resource(
    fabric: Fabric, network: Network, carried: tuple[Carrier, ...], rails: tuple[int | None, ...]
) -> Resource:
    plugin = _plugin(fabric, network)
    on_rails = [Carrier(c.host_type, tuple(h for rail in rails for h in c.on(rail))) for c in carried]
    used = [c for c in on_rails if c.hcas]
    prefix, name = _full_name(fabric, network, plugin, rails)
    selectors = _selectors(fabric, network, used) if plugin != "efa" else ()
    share_max = network.share_max if plugin == "rdma-shared" else None
    return Resource(
        name=name,
        prefix=prefix,
        plugin=plugin,
        network=network.name,
        rails=tuple(r for r in rails if r is not None),
        selectors=selectors,
        per_node={c.host_type.name: _per_node(network, plugin, c) for c in used},
        hcas={c.host_type.name: len(c.hcas) for c in used},
        share_max=share_max,
    )


def _full_name(
    fabric: Fabric, network: Network, plugin: str, rails: tuple[int | None, ...]
) -> tuple[str, str]:
    """(prefix, name)."""
    if plugin == "efa":
        return EFA
    base = network.resource_name or network.name.replace("-", "_")
    prefix, rail = _prefix(fabric, network, plugin), rails[0]
    if not (network.per_rail and network.resource == "per-rail"):
        return prefix, base
    return prefix, expand(base)[rail] if is_range(base) and rail is not None else f"{base}_{rail}"


def _per_node(network: Network, plugin: str, carrier: Carrier) -> int:
    """Devices of a resource on one node.

    The RDMA-shared plugin advertises rdmaHcaMax units, however many HCAs there are (newResourceServer in
    Mellanox/k8s-rdma-shared-dev-plugin pkg/resources/server.go). The EFA plugin has one resource for all
    devices of a node, including those the network does not name (aws-samples/aws-efa-eks README.md).
    """
    if plugin == "rdma-shared":
        return network.pods_per_hca
    if plugin == "efa":
        return sum(h.for_pods for h in carrier.host_type.hcas)
    return sum(devices(network, h) for h in carrier.hcas)


def _plugin(fabric: Fabric, network: Network) -> str:
    """Plugin of the network's resource. A DRA driver replaces the SR-IOV device plugin; shared HCAs always
    need the RDMA-shared plugin."""
    if network.shared and fabric.type != "efa":
        return "rdma-shared"
    owners = fabric.cluster.owners
    if fabric.type == "efa":
        return "efa"
    return owners.device_plugin if owners.of_devices.claims else "sriov"


def _prefix(fabric: Fabric, network: Network, plugin: str) -> str:
    """Resource prefix, which depends on the component that owns the device plugin.

    sriov-network-operator: chart value operator.resourcePrefix, openshift.io upstream (v1.6.0
    deployment/sriov-network-operator-chart/values.yaml) and nvidia.com in NVIDIA's chart
    (Mellanox/network-operator v26.4.1 deployment/network-operator/values.yaml). The stand-alone plugin's own
    is intel.com (k8snetworkplumbingwg/sriov-network-device-plugin v3.11.0 cmd/sriovdp/main.go), the
    RDMA-shared one's rdma (Mellanox/k8s-rdma-shared-dev-plugin 410b0f3 pkg/resources/resources_manager.go).
    HostDeviceNetwork forces nvidia.com (Mellanox/network-operator pkg/state/state_hostdevice_network.go).
    """
    cluster = fabric.cluster
    if plugin in DRA_OWNERS:
        return ""  # the name is an attribute of the device (dra-driver-sriov README.md)
    if plugin == "sriov" and cluster.owners.of_devices.node_policies:
        return cluster.sriov_operator.resource_prefix if cluster.sriov_operator else "nvidia.com"
    if network.resource_prefix:
        return network.resource_prefix
    if plugin == "rdma-shared":
        return "rdma"
    return cluster.owners.of_devices.prefix


def pci_addresses(fabric: Fabric, kind: HostType, hca: Hca) -> tuple[str, ...]:
    """All PCI addresses of an HCA on the hosts of a type."""
    stated = {hca.pci} if hca.pci else set()
    for host in fabric.hosts:
        own = host.hcas.get(hca.name) if host.type.name == kind.name else None
        if own is not None and own.pci:
            stated.add(own.pci)
    return tuple(sorted(stated))


def _selectors(fabric: Fabric, network: Network, carried: Iterable[Carrier]) -> tuple[DeviceSelector, ...]:
    """One selector per host type. The RDMA-shared plugin accepts a single object, so its selectors all use
    the same criterion."""
    found = tuple(carried)
    if not network.shared:
        return tuple(_selector(fabric, network, c) for c in found)
    named = all(h.netdev for c in found for h in c.hcas)
    return tuple(_shared_selector(c, by_name=named) for c in found)


def _shared_selector(carrier: Carrier, *, by_name: bool) -> DeviceSelector:
    """Selects by interface name, or by link type in a VM that hides the names; the plugin cannot match PCI
    addresses."""
    selector = DeviceSelector(host_type=carrier.host_type.name, vendors=_vendors(carrier))
    if by_name:
        return replace(selector, if_names=_netdevs(carrier))
    return replace(selector, link_types=_link_types(carrier))


def _selector(fabric: Fabric, network: Network, carrier: Carrier) -> DeviceSelector:
    """Selects by PCI address if known, else by interface name, else (in a VM) by link type."""
    hcas, names = carrier.hcas, _netdevs(carrier)
    pcis = _pcis(fabric, carrier)
    virtual, of_vfs = hcas[0].virtual, hcas[0].use == "vf"
    ids = {h.model.vf_id if of_vfs else h.model.pf_id for h in hcas}
    selector = DeviceSelector(
        host_type=carrier.host_type.name,
        vendors=_vendors(carrier),
        devices=tuple(sorted(i for i in ids if i)),
    )
    if of_vfs and not virtual:
        suffix = "#{}-{}".format(*network.vf_range) if network.vf_range else ""
        if pcis:
            return replace(selector, root_devices=tuple(p + suffix for p in pcis))
        return replace(selector, pf_names=tuple(n + suffix for n in names))
    if pcis:
        return replace(selector, pci_addresses=pcis)
    if names and not virtual:
        return replace(selector, pf_names=names)
    return replace(selector, link_types=_link_types(carrier))


def _pcis(fabric: Fabric, carrier: Carrier) -> tuple[str, ...]:
    """PCI addresses of all these HCAs; empty if the host type leaves any open."""
    if not all(h.pci for h in carrier.hcas):
        return ()
    return tuple(p for h in carrier.hcas for p in pci_addresses(fabric, carrier.host_type, h))


def _vendors(carrier: Carrier) -> tuple[str, ...]:
    return tuple(sorted({h.model.vendor for h in carrier.hcas}))


def _link_types(carrier: Carrier) -> tuple[str, ...]:
    return tuple(sorted({_LINK_TYPES[h.link] for h in carrier.hcas}))


def _netdevs(carrier: Carrier) -> tuple[str, ...]:
    return tuple(h.netdev for h in carrier.hcas if h.netdev)
