"""Network attachments: the content of each NetworkAttachmentDefinition, whoever writes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from netplan.model.addresses import AddressPlan, Segment
from netplan.model.fabric import Fabric, Network
from netplan.model.kubernetes import Attachment, Ipam, Resource
from netplan.model.routes import IpamRoute
from netplan.plan.devices import Carrier, carriers, rails_of
from netplan.plan.pod_routes import RAIL_TABLE_BASE, table_routes
from netplan.plan.pools import pool_names, ranges, reachable

Use = tuple[Network, Segment, tuple[Carrier, ...]]
"""A network on a segment, with the HCAs that carry it there."""

SPIDERPOOL: Final = "spiderpool"
_SPIDER_KIND = "SpiderMultusConfig"

_SYSCTLS = (("arp_ignore", "1"), ("arp_announce", "2"), ("rp_filter", "0"))
"""ARP settings: a NIC answers only for its own addresses and asks with its own. The kernel takes the maximum
of ``all`` and the interface, so both are set (torvalds/linux Documentation/networking/ip-sysctl.rst; the same
values in Mellanox/network-operator b06827e README.md, tuning before sbr)."""


_SYSCTLS_6 = (("net.ipv6.conf.IFNAME.accept_ra", "0"),)
"""Router advertisements off: one would give the pod another address, and so another GID, and a default route
out of the rail (Documentation/networking/ip-sysctl.rst, accept_ra: on by default). Duplicate address
detection stays on: the plugin that sets the address waits for it (containernetworking/plugins pkg/ip
SettleAddresses)."""


def uses(fabric: Fabric, addresses: AddressPlan) -> tuple[Use, ...]:
    """Every (network, segment) pair, by network, rail and leaf."""
    return tuple(use for network in fabric.networks for use in _uses(network, fabric, addresses))


def _uses(network: Network, fabric: Fabric, addresses: AddressPlan) -> Iterator[Use]:
    carried = carriers(network, fabric)
    if not carried or not network.by_mode.attached:
        return
    types = {c.host_type.name for c in carried}
    for rail in rails_of(network, carried):
        for segment in addresses.segments:
            if rail is None:
                if network.subnet is not None and segment.name == network.subnet.name:
                    yield network, segment, carried
            elif segment.rail == rail and (
                segment.leaf is None or _on_leaf(addresses, rail, segment.leaf, types)
            ):
                yield network, segment, carried


def _on_leaf(addresses: AddressPlan, rail: int, leaf: str, types: set[str]) -> bool:
    return any(h.type.name in types for g in addresses.groups_at.get((rail, leaf), ()) for h in g.hosts)


def attachment_name(network: Network, segment: Segment | None) -> str:
    """``rail-0-leaf-1``: the leaf is always part of the name, so that adding a second leaf renames
    nothing."""
    if segment is None or segment.rail is None:
        return network.name
    leaf = f"-{segment.leaf}" if segment.leaf else ""
    return f"{network.name}-{segment.rail}{leaf}"


def plan_attachments(
    fabric: Fabric, addresses: AddressPlan, resources: tuple[Resource, ...], used: tuple[Use, ...]
) -> tuple[Attachment, ...]:
    """One attachment per use, by network and rail; a network with neither rails nor subnet has one without a
    segment."""
    out = [_attachment(fabric, addresses, resources, *use) for use in used]
    placed = {network.name for network, _, _ in used}
    for network in fabric.networks:
        carried = carriers(network, fabric)
        placeable = network.by_mode.attached and not network.per_rail
        if carried and placeable and network.name not in placed:
            out.append(_attachment(fabric, addresses, resources, network, None, carried))
    return tuple(sorted(out, key=lambda a: a.network.name))


def _attachment(
    fabric: Fabric,
    addresses: AddressPlan,
    resources: tuple[Resource, ...],
    network: Network,
    segment: Segment | None,
    carried: tuple[Carrier, ...],
) -> Attachment:
    rail = segment.rail if segment is not None else None
    kind = _owner_kind(fabric, network)
    own_mtu, tuning_mtu = _mtus(fabric, network, kind)
    routing = network.by_routing
    own_table = routing.sbr_plugin and routing.table == "rail"
    sbr_table = RAIL_TABLE_BASE + rail if own_table and rail is not None else None
    return Attachment(
        name=attachment_name(network, segment),
        network=network,
        namespaces=network.namespaces or ("default",),
        rail=rail,
        segment=segment,
        resource=_resource(resources, network, rail),
        owner_kind=kind,
        object_namespace=operator_namespace(fabric),
        master=_master(network, rail, carried),
        vlan=_vlan(network, segment),
        mtu=own_mtu,
        tuning_mtu=tuning_mtu,
        rdma=_rdma(fabric, network),
        sysctls=_sysctls(network, segment),
        sbr=routing.sbr_plugin,
        sbr_table=sbr_table,
        pkey=_pkey(network),
        ipam=_ipam(fabric, addresses, network, segment),
    )


def _owner_kind(fabric: Fabric, network: Network) -> str:
    """Kind of the object that creates the interface or the NAD; NetworkAttachmentDefinition if netplan writes
    the NAD itself."""
    owners, own = fabric.cluster.owners, "NetworkAttachmentDefinition"
    if owners.of_devices.moves_interface and not network.shared:
        return "ResourceClaimTemplate"
    if network.ipam == SPIDERPOOL:
        return _SPIDER_KIND
    return (network.by_mode.operator_kind or own) if owners.nads == "operator" else own


def _mtus(fabric: Fabric, network: Network, kind: str) -> tuple[int | None, int | None]:
    """(MTU set by the main plugin, MTU set by the tuning plugin), each None if that plugin sets none."""
    by = network.by_mode.mtu
    if by == "plugin" and kind == _SPIDER_KIND:
        by = "tuning"  # SpiderMultusConfig has an mtu for some plugins and releases only
    if by == "policy" and not fabric.cluster.owners.of_vfs.policies:
        by = "tuning"
    # HostDeviceNetwork cannot chain tuning and leaves it to the .link file of the PF
    tuned = by == "tuning" and kind != "HostDeviceNetwork"
    return fabric.mtu if by == "plugin" else None, fabric.mtu if tuned else None


def _resource(resources: tuple[Resource, ...], network: Network, rail: int | None) -> Resource | None:
    mine = (r for r in resources if r.network == network.name)
    return next((r for r in mine if rail is None or rail in r.rails), None)


def _master(network: Network, rail: int | None, carried: tuple[Carrier, ...]) -> str | None:
    """Interface on the host that pods share; None for a network that is not shared."""
    names = (h.netdev for c in carried for h in c.on(rail))
    return next((name for name in names if name), None) if network.shared else None


def _vlan(network: Network, segment: Segment | None) -> int | None:
    """VLAN ID that the VF tags with."""
    tagged = network.by_mode.tags and network.tagging == "vf"
    return segment.vlan if tagged and segment is not None else None


def _pkey(network: Network) -> int | None:
    """P_Key of the attachment; None for limited members, because ib-kubernetes adds every GUID as a full
    member (Mellanox/ib-kubernetes pkg/sm/plugins/ufm/ufm.go)."""
    return None if network.membership == "limited" else network.pkey


def operator_namespace(fabric: Fabric) -> str:
    """Namespace of the SR-IOV operator: its own, or that of the NVIDIA chart that deploys it."""
    cluster = fabric.cluster
    if cluster.sriov_operator is not None:
        return cluster.sriov_operator.namespace
    return cluster.network_operator.namespace if cluster.network_operator else "default"


def _rdma(fabric: Fabric, network: Network) -> str:
    """How the RDMA device follows the netdev into the pod; "none" unless the RDMA mode is exclusive."""
    if fabric.cluster.rdma_mode != "exclusive" or network.shared:
        return "none"
    return network.by_mode.rdma


def _sysctls(network: Network, segment: Segment | None) -> tuple[tuple[str, str], ...]:
    """Interface sysctls of an Ethernet rail; none for other networks."""
    if network.by_mode.link == "infiniband" or not network.per_rail:
        return ()
    ipv6 = segment is not None and any(s.network.version == 6 for s in segment.subnets)
    pairs = tuple(
        (f"net.ipv4.conf.{scope}.{key}", value) for key, value in _SYSCTLS for scope in ("all", "IFNAME")
    )
    return (*pairs, *(_SYSCTLS_6 if ipv6 else ()))


def _routes(
    fabric: Fabric, addresses: AddressPlan, network: Network, segment: Segment
) -> tuple[IpamRoute, ...]:
    """IPAM routes: for sbr those it moves into its own table; for table all routes of the rail's table and
    table main."""
    rail, installs = segment.rail, network.by_routing.installs
    if installs == "ipam" and rail is not None:
        return tuple(r for s in segment.subnets for r in table_routes(fabric, addresses, segment, rail, s))
    if installs != "sbr" and rail is not None:
        return ()
    gateways = {s.network.version: s.gateway for s in segment.subnets}
    return tuple(
        IpamRoute(to=n, gateway=gateways[n.version], table=None)
        for n in reachable(fabric, addresses, segment)
        if gateways[n.version] is not None
    )


def _ipam(fabric: Fabric, addresses: AddressPlan, network: Network, segment: Segment | None) -> Ipam | None:
    kind = network.by_ipam
    if segment is None or not kind.addresses:
        return None
    names = pool_names(segment) if kind.pools else ()
    if kind.hands_out == "block":
        pool_kind = "cidrpool" if segment.host_prefixes else "ippool"
        return Ipam(type=network.ipam, pools=names, pool_kind=pool_kind, ranges=(), routes=(), data_dir=None)
    # tmpfs: DEL of sbr fails once the namespace is gone, as after a reboot (containernetworking/plugins
    # v1.9.1 plugins/meta/sbr/main.go, filemutex.New); on tmpfs the reboot also clears the leaked addresses
    data_dir = f"/run/cni/ipam-{segment.name}" if kind.hands_out == "node" else None
    return Ipam(
        type=network.ipam,
        pools=names,
        pool_kind=None,
        ranges=ranges(addresses, segment),
        routes=_routes(fabric, addresses, network, segment),
        data_dir=data_dir,
    )
