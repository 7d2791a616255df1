"""Network attachments: what each NetworkAttachmentDefinition must say, whoever writes it."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.addresses import AddressPlan, Segment
from netplan.model.claims import DRANET
from netplan.model.fabric import Fabric, Network
from netplan.model.kubernetes import Attachment, Ipam, Resource
from netplan.model.routes import IpamRoute
from netplan.plan.devices import VERBS_ONLY_MODES, Carrier, carriers, rails_of
from netplan.plan.pod_routes import RAIL_TABLE_BASE, table_routes
from netplan.plan.pools import pool_names, ranges, reachable

Use = tuple[Network, Segment, tuple[Carrier, ...]]
"""A network on a segment, with the HCAs that carry it there."""

_OPERATOR_KINDS = {
    "sriov": "SriovNetwork",
    "ib-sriov": "SriovIBNetwork",
    "host-device": "HostDeviceNetwork",
    "macvlan": "MacvlanNetwork",
    "ipoib": "IPoIBNetwork",
}
"""Kind that generates the NAD of a mode when operators own NADs; ipvlan has none, netplan writes its NAD."""

SPIDERPOOL = "spiderpool"

_SYSCTLS = (("arp_ignore", "1"), ("arp_announce", "2"), ("rp_filter", "0"))
"""A NIC answers ARP only for its own addresses and asks with its own; the kernel takes the maximum of
``all`` and the interface, so both are set (torvalds/linux Documentation/networking/ip-sysctl.rst; the same
values in Mellanox/network-operator b06827e README.md, tuning before sbr)."""


_SYSCTLS_6 = (("net.ipv6.conf.IFNAME.accept_ra", "0"),)
"""A router advertisement would give the pod an address, so another GID, and a default route out of the rail
(Documentation/networking/ip-sysctl.rst, accept_ra: on by default). Duplicate address detection stays: the
plugin that sets the address waits for it (containernetworking/plugins pkg/ip SettleAddresses)."""


def uses(fabric: Fabric, addresses: AddressPlan) -> tuple[Use, ...]:
    """Every (network, segment) pair, by network, rail and leaf."""
    return tuple(use for network in fabric.networks for use in _uses(network, fabric, addresses))


def _uses(network: Network, fabric: Fabric, addresses: AddressPlan) -> Iterator[Use]:
    carried = carriers(network, fabric)
    if not carried or network.mode in VERBS_ONLY_MODES:
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
    """``rail-0-leaf-1``: the leaf belongs to the name from the beginning, so that a second leaf renames
    nothing."""
    if segment is None or segment.rail is None:
        return network.name
    leaf = f"-{segment.leaf}" if segment.leaf else ""
    return f"{network.name}-{segment.rail}{leaf}"


def plan_attachments(
    fabric: Fabric, addresses: AddressPlan, resources: tuple[Resource, ...], used: tuple[Use, ...]
) -> tuple[Attachment, ...]:
    """One attachment per use; a network with neither rails nor subnet has one without a segment."""
    out = [_attachment(fabric, addresses, resources, *use) for use in used]
    placed = {network.name for network, _, _ in used}
    for network in fabric.networks:
        carried = carriers(network, fabric)
        if (
            network.name not in placed
            and carried
            and network.mode not in VERBS_ONLY_MODES
            and not network.per_rail
        ):
            out.append(_attachment(fabric, addresses, resources, network, None, carried))
    return tuple(sorted(out, key=lambda a: (a.network.name, -1 if a.rail is None else a.rail)))


def _attachment(
    fabric: Fabric,
    addresses: AddressPlan,
    resources: tuple[Resource, ...],
    network: Network,
    segment: Segment | None,
    carried: tuple[Carrier, ...],
) -> Attachment:
    rail = segment.rail if segment else None
    kind = "NetworkAttachmentDefinition"
    if fabric.cluster.owners.device_plugin == DRANET and not network.shared:
        kind = "ResourceClaimTemplate"
    elif network.ipam == SPIDERPOOL:
        kind = "SpiderMultusConfig"
    elif fabric.cluster.owners.nads == "operator":
        kind = _OPERATOR_KINDS.get(network.mode, kind)
    tagged = network.mode == "sriov" and network.tagging == "vf"
    shared = network.shared
    ethernet = network.mode not in ("ib-sriov", "ipoib")
    # ib-kubernetes adds every GUID as a full member (Mellanox/ib-kubernetes pkg/sm/plugins/ufm/ufm.go)
    pkey = None if network.membership == "limited" else network.pkey
    # SpiderMultusConfig has an mtu for some plugins and releases only, so tuning sets it
    own_mtu = network.mode in ("macvlan", "ipvlan", "ipoib") and kind != "SpiderMultusConfig"
    # the VF policy sets the MTU, or a kind that cannot chain tuning leaves it to the .link file of the PF
    elsewhere = kind == "HostDeviceNetwork" or (
        network.mode == "sriov" and fabric.cluster.owners.vfs == "sriov-network-operator"
    )
    return Attachment(
        name=attachment_name(network, segment),
        network=network,
        namespaces=network.namespaces or ("default",),
        rail=rail,
        segment=segment,
        resource=next(
            (r for r in resources if r.network == network.name and (rail is None or rail in r.rails)), None
        ),
        owner_kind=kind,
        object_namespace=operator_namespace(fabric),
        master=next((h.netdev for c in carried for h in c.on(rail) if h.netdev), None) if shared else None,
        vlan=segment.vlan if segment and tagged else None,
        mtu=fabric.mtu if own_mtu else None,
        tuning_mtu=fabric.mtu if ethernet and not own_mtu and not elsewhere else None,
        rdma=_rdma(fabric, network),
        sysctls=_sysctls(segment) if ethernet and network.per_rail else (),
        sbr=network.routing in ("sbr", "table"),
        sbr_table=RAIL_TABLE_BASE + rail if network.routing == "table" and rail is not None else None,
        pkey=pkey,
        ipam=_ipam(fabric, addresses, network, segment),
    )


def operator_namespace(fabric: Fabric) -> str:
    """Namespace of the SR-IOV operator: its own, or that of the NVIDIA chart that brings it."""
    cluster = fabric.cluster
    if cluster.sriov_operator is not None:
        return cluster.sriov_operator.namespace
    return cluster.network_operator.namespace if cluster.network_operator else "default"


def _rdma(fabric: Fabric, network: Network) -> str:
    """How the RDMA device follows the netdev into the pod; only in exclusive mode does it move at all."""
    if fabric.cluster.rdma_mode != "exclusive" or network.shared:
        return "none"
    return "isolation" if network.mode == "ib-sriov" else "chain"


def _sysctls(segment: Segment | None) -> tuple[tuple[str, str], ...]:
    ipv6 = segment is not None and any(s.network.version == 6 for s in segment.subnets)
    pairs = tuple(
        (f"net.ipv4.conf.{scope}.{key}", value) for key, value in _SYSCTLS for scope in ("all", "IFNAME")
    )
    return (*pairs, *(_SYSCTLS_6 if ipv6 else ()))


def _routes(
    fabric: Fabric, addresses: AddressPlan, network: Network, segment: Segment
) -> tuple[IpamRoute, ...]:
    """For sbr what it moves into its own table; for table all that the rail's table and table main get."""
    if network.routing == "table" and segment.rail is not None:
        return tuple(r for s in segment.subnets for r in table_routes(fabric, addresses, segment, s))
    if network.routing != "sbr" and segment.rail is not None:
        return ()
    gateways = {s.network.version: s.gateway for s in segment.subnets}
    return tuple(
        IpamRoute(to=n, gateway=gateways[n.version], table=None)
        for n in reachable(fabric, addresses, segment)
        if gateways[n.version] is not None
    )


def _ipam(fabric: Fabric, addresses: AddressPlan, network: Network, segment: Segment | None) -> Ipam | None:
    if network.ipam == "none" or segment is None:
        return None
    of_pool = network.ipam == "nv-ipam"
    named = of_pool or network.ipam == SPIDERPOOL
    return Ipam(
        type=network.ipam,
        pools=pool_names(segment) if named else (),
        pool_kind=("cidrpool" if segment.host_prefixes else "ippool") if of_pool else None,
        ranges=() if of_pool else ranges(fabric, segment),
        routes=_routes(fabric, addresses, network, segment) if not of_pool else (),
        # tmpfs: DEL of sbr fails where the namespace is gone, as after a reboot (containernetworking/plugins
        # v1.9.1 plugins/meta/sbr/main.go, filemutex.New), and the leaked addresses vanish with that reboot
        data_dir=f"/run/cni/ipam-{segment.name}" if network.ipam == "host-local" else None,
    )
