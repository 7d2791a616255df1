"""Operators' policies: virtual functions, RDMA mode, NIC firmware and QoS."""

from __future__ import annotations

from dataclasses import replace

from netplan.model.carrying import uses
from netplan.model.fabric import Fabric, Network
from netplan.model.hardware import Hca, HostType, Labels
from netplan.model.kubernetes import PoolConfig, Resource, VfPolicy
from netplan.model.operators import NicTemplate
from netplan.model.qos import QosPlan, TrafficClass
from netplan.plan.attachments import operator_namespace
from netplan.plan.devices import carriers, pci_addresses

_LINK_TYPES = {"ethernet": "eth", "infiniband": "ib"}
"""SriovNetworkNodePolicy.spec.linkType (CRD enum)."""

_NIC_LINK_TYPES = {"ethernet": "Ethernet", "infiniband": "Infiniband"}
"""NicConfigurationTemplate.spec.template.linkType (CRD enum)."""


def plan_policies(fabric: Fabric, resources: tuple[Resource, ...]) -> tuple[VfPolicy, ...]:
    """One policy per network, host type and HCA; none unless the SR-IOV operator owns the device plugin."""
    if not fabric.cluster.owners.of_devices.node_policies:
        return ()
    return tuple(
        _policy(fabric, network, carrier.host_type, hca, _resource_name(resources, network, hca))
        for network in fabric.networks
        if network.takes in ("vf", "any")
        for carrier in carriers(network, fabric)
        for hca in carrier.hcas
        if hca.use == "vf" and not hca.virtual
    )


def _resource_name(resources: tuple[Resource, ...], network: Network, hca: Hca) -> str:
    return next(
        r.name for r in resources if r.network == network.name and (not r.rails or hca.rail in r.rails)
    )


def _policy(fabric: Fabric, network: Network, kind: HostType, hca: Hca, resource: str) -> VfPolicy:
    """Selects by PCI address, which is independent of slot names and drivers; a VF range needs the interface
    name."""
    roots = pci_addresses(fabric, kind, hca)
    suffix = "#{}-{}".format(*network.vf_range) if network.vf_range else ""
    named = (f"{hca.netdev}{suffix}",) if hca.netdev else ()
    by_name = network.vf_range is not None or not roots
    pf_names, root_devices = (named, ()) if by_name else ((), roots)
    mtu = fabric.mtu if hca.link == "ethernet" else None
    return VfPolicy(
        name=f"{network.name}-{kind.name}-{hca.name}",
        namespace=operator_namespace(fabric),
        host_type=kind.name,
        node_selector=kind.node_selector,
        resource_name=resource,
        num_vfs=hca.vfs,
        mtu=mtu,
        link_type=_LINK_TYPES[hca.link],
        vendor=hca.model.vendor,
        device_id=hca.model.pf_id,
        pf_names=pf_names,
        root_devices=root_devices,
        externally_managed=fabric.cluster.owners.of_vfs.files,
    )


def plan_pool_configs(fabric: Fabric, policies: tuple[VfPolicy, ...]) -> tuple[PoolConfig, ...]:
    """One per set of labels that policies select nodes by, because a node may be in only one pool.

    A pool without maxUnavailable drains all its nodes at the same time; a node in no pool is drained alone
    (MaxUnavailable in api/v1/helper.go, defaultPoolConfig in controllers/helper.go of
    k8snetworkplumbingwg/sriov-network-operator v1.6.0; the same at v1.3.0).
    """
    cluster = fabric.cluster
    mode = cluster.rdma_mode if cluster.owners.of_vfs.policies else None
    pools: dict[Labels, dict[str, VfPolicy]] = {}
    for policy in sorted(policies, key=lambda p: p.host_type):
        pools.setdefault(policy.node_selector, {}).setdefault(policy.host_type, policy)
    return tuple(
        PoolConfig(
            name=f"rdma-{next(iter(types))}",
            namespace=next(iter(types.values())).namespace,
            host_types=tuple(types),
            node_selector=labels,
            nodes=sum(h.count for h in fabric.hosts if h.type.name in types),
            max_unavailable=cluster.maintenance.max_unavailable,
            rdma_mode=mode,
        )
        for labels, types in pools.items()
    )


def plan_nic_templates(fabric: Fabric, qos: QosPlan | None) -> tuple[NicTemplate, ...]:
    """One template per host type, NIC model and settings. If two matched one device, the operator would
    refuse both."""
    operator = fabric.cluster.network_operator
    if fabric.cluster.owners.nic_qos != "nic-configuration-operator" or operator is None:
        return ()
    out = []
    for kind in fabric.host_types:
        mine = [h for h in kind.hcas if kind.node and h.for_pods and not h.virtual]
        for model in sorted({h.model.pf_id for h in mine}):
            groups = _alike(fabric, qos, kind, [h for h in mine if h.model.pf_id == model])
            for number, hcas in enumerate(groups):
                name = f"{kind.name}-{hcas[0].model.name}" + (f"-{hcas[0].name}" if number else "")
                out.append(_nic_template(fabric, qos, kind, hcas, (name, operator.namespace)))
    return tuple(out)


def _alike(fabric: Fabric, qos: QosPlan | None, kind: HostType, hcas: list[Hca]) -> list[list[Hca]]:
    """HCAs of one model, grouped by what their template states. A template applies to all ports of a card,
    and only PCI addresses tell cards apart (NicDevice of Mellanox/nic-configuration-operator is a card);
    without them all are one group."""
    if not all(pci_addresses(fabric, kind, h) for h in hcas):
        return [hcas]
    cards: dict[str, list[Hca]] = {}
    for hca in hcas:
        cards.setdefault(pci_addresses(fabric, kind, hca)[0].rpartition(".")[0], []).append(hca)
    groups: dict[tuple[int, str, str | None], list[Hca]] = {}
    for ports in cards.values():
        data = _data_class(fabric, qos, kind, ports)
        key = _num_vfs(ports), ports[0].link, data.name if data else None
        groups.setdefault(key, []).extend(ports)
    return list(groups.values())


def _num_vfs(hcas: list[Hca]) -> int:
    return max(h.vfs if h.use == "vf" else 0 for h in hcas)


def _nic_template(
    fabric: Fabric, qos: QosPlan | None, kind: HostType, hcas: list[Hca], called: tuple[str, str]
) -> NicTemplate:
    """Template for HCAs with equal settings. ``called``: (name, namespace)."""
    name, namespace = called
    template = NicTemplate(
        name=name,
        namespace=namespace,
        host_type=kind.name,
        node_selector=kind.node_selector,
        nic_type=hcas[0].model.pf_id,
        pci_addresses=tuple(sorted({p for h in hcas for p in pci_addresses(fabric, kind, h)})),
        num_vfs=_num_vfs(hcas),
        link_type=_NIC_LINK_TYPES[hcas[0].link],
    )
    if qos is None or hcas[0].link != "ethernet":
        return template
    data = _data_class(fabric, qos, kind, hcas)
    return replace(
        template,
        trust=qos.trust,
        pfc=qos.pfc_mask,
        tos=None if data is None else data.tos,
        ecn_priority=None if data is None else data.priority,
        cnp_dscp=qos.cnp_dscp,
        cnp_priority=qos.cnp_priority,
    )


def _data_class(fabric: Fabric, qos: QosPlan | None, kind: HostType, hcas: list[Hca]) -> TrafficClass | None:
    """Lossless class used by the networks on these ports, else the first lossless class; None off
    Ethernet."""
    if qos is None or hcas[0].link != "ethernet":
        return None
    mine = [n for n in fabric.networks if any(uses(n, kind, h) for h in hcas)]
    named = {n.traffic_class.name for n in mine if n.traffic_class is not None}
    lossless = [c for c in qos.classes if c.lossless]
    return next((c for c in lossless if c.name in named), next(iter(lossless), None))
