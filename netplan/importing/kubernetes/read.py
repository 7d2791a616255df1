"""Which module reads which kind."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial

from netplan.importing.facts import Fact, Of, Remark, not_taken
from netplan.importing.kubernetes import (
    certificates,
    claims,
    components,
    interface_names,
    networks,
    nics,
    nodes,
    openshift,
    owners,
    pods,
    pools,
    primary,
    spectrum_x,
    spiderpool,
)
from netplan.importing.kubernetes.left import left_fields
from netplan.importing.kubernetes.made import made_facts
from netplan.importing.kubernetes.objects import Reader
from netplan.reading.kubernetes.objects import Thing

Read = Callable[[Reader], Iterator[Fact | Remark]]
_SRIOV, _NIC, _MELLANOX, _NV_IPAM, _SPIDERPOOL = (
    "sriovnetwork.openshift.io",
    "configuration.net.nvidia.com",
    "mellanox.com",
    "nv-ipam.nvidia.com",
    "spiderpool.spidernet.io",
)
_DRA = "resource.k8s.io"
READERS: Mapping[tuple[str, str], Read] = {
    ("", "Node"): nodes.node_facts,
    ("", "Pod"): pods.pod_facts,
    ("apps", "DaemonSet"): primary.daemon_facts,
    ("", "ConfigMap"): primary.config_map_facts,
    ("nvidia.com", "ClusterPolicy"): owners.gpu_policy_facts,
    (_DRA, "DeviceClass"): claims.class_facts,
    (_DRA, "ResourceClaim"): claims.unclassed,
    (_DRA, "ResourceClaimTemplate"): claims.unclassed,
    ("resource.k8s.io", "ResourceSlice"): owners.slice_facts,
    (_NIC, "NicDevice"): nics.nic_facts,
    (_NIC, "NicConfigurationTemplate"): owners.nic_template_facts,
    (_NIC, "NicInterfaceNameTemplate"): interface_names.template_facts,
    (_SRIOV, "SriovNetworkNodeState"): nics.state_facts,
    (_SRIOV, "SriovNetworkNodePolicy"): owners.policy_facts,
    (_SRIOV, "SriovNetworkPoolConfig"): nics.pool_config_facts,
    (_SRIOV, "SriovOperatorConfig"): nics.operator_config_facts,
    (_SRIOV, "OVSNetwork"): spectrum_x.ovs_network_facts,
    ("spectrumx.nvidia.com", "SpectrumXRailPoolConfig"): spectrum_x.rail_pool_facts,
    ("spectrumx.net.nvidia.com", "SpectrumXRailPoolConfig"): spectrum_x.rail_pool_facts,
    (_SRIOV, "SriovNetwork"): networks.network_facts,
    (_SRIOV, "SriovIBNetwork"): networks.network_facts,
    (_MELLANOX, "NicClusterPolicy"): components.cluster_policy_facts,
    (_MELLANOX, "NicNodePolicy"): components.cluster_policy_facts,
    (_MELLANOX, "HostDeviceNetwork"): networks.network_facts,
    (_MELLANOX, "MacvlanNetwork"): networks.network_facts,
    (_MELLANOX, "IPoIBNetwork"): networks.network_facts,
    ("k8s.cni.cncf.io", "NetworkAttachmentDefinition"): networks.attachment_facts,
    (_NV_IPAM, "IPPool"): pools.ip_pool_facts,
    (_NV_IPAM, "CIDRPool"): pools.cidr_pool_facts,
    (_SPIDERPOOL, "SpiderMultusConfig"): spiderpool.multus_config_facts,
    (_SPIDERPOOL, "SpiderIPPool"): spiderpool.spider_pool_facts,
    (certificates.GROUP, "Certificate"): certificates.certificate_facts,
    (certificates.GROUP, "Issuer"): certificates.certificate_facts,
    (certificates.GROUP, "ClusterIssuer"): certificates.certificate_facts,
    ("apiextensions.k8s.io", "CustomResourceDefinition"): certificates.crd_facts,
    ("whereabouts.cni.cncf.io", "IPPool"): pools.whereabouts_pool_facts,
    (openshift.OPERATOR, "Network"): openshift.cluster_network_facts,
    (openshift.CONFIG, "Network"): openshift.cluster_network_facts,
}
"""By API group and kind, because nv-ipam, whereabouts and Calico each have an IPPool."""


_STATES = ("SriovNetworkNodePolicy", "SriovNetworkNodeState")
_MADE_FROM: Mapping[str, tuple[str, ...]] = {
    "SriovOperatorConfig": _STATES,
    "SriovNetworkNodePolicy": _STATES,
    "NicClusterPolicy": ("NicClusterPolicy",),
    "NicNodePolicy": ("NicNodePolicy",),
}
"""Owner of a device plugin's ConfigMap -> kinds that the operator makes it from, which say more
(k8snetworkplumbingwg/sriov-network-operator 249e2001 controllers/sriovnetworknodepolicy_controller.go,
syncDevicePluginConfigMap; Mellanox/network-operator b06827e0 manifests)."""
_OF_OTHERS = frozenset(
    {
        "",
        "apps",
        "nvidia.com",
        openshift.OPERATOR,
        openshift.CONFIG,
        certificates.GROUP,
        "apiextensions.k8s.io",
    }
)
GROUPS = frozenset(group for group, _ in READERS) - _OF_OTHERS
_OF_HOSTS = frozenset({"nmstate.io", "machineconfiguration.openshift.io"})
"""Groups of what sets up interfaces and kernels of hosts."""
_NOT_OF_USE = frozenset({"OverlappingRangeIPReservation", "NodeSlicePool", "SpiderEndpoint"})
"""What whereabouts and Spiderpool keep for themselves."""


def operated_network(thing: Thing) -> Of | None:
    """Namespace and name of the NetworkAttachmentDefinition that an operator creates from an object; the kind
    of one that it makes a ConfigMap from."""
    reader = READERS.get((thing.group, thing.kind))
    if reader is spiderpool.multus_config_facts:
        return spiderpool.home(thing) if thing.name else None
    if any(thing.kind in kinds for kinds in _MADE_FROM.values()):
        return (thing.kind,)
    return networks.home(thing) if reader is networks.network_facts and thing.name else None


def operators_networks(things: Iterable[Thing]) -> Mapping[Of, Thing | None]:
    """What operators make of the objects of the dumps -> the first of these; None: not compared."""
    found: dict[Of, Thing | None] = {}
    for thing in things:
        if (of := operated_network(thing)) is not None:
            found.setdefault(of, thing)
            found.setdefault((thing.kind, thing.name, _REFERENCE), thing)
        if (thing.group, thing.kind) == (_DRA, "DeviceClass"):
            found.setdefault((thing.kind, thing.name), thing)
        for other in openshift.additional_networks(thing):
            found.setdefault(other, None)
    return found


def object_facts(thing: Thing, operated: Mapping[Of, Thing | None]) -> Iterator[Fact | Remark]:
    """Facts of an object; none if its kind is of no use here or it has no name. ``operated``: networks whose
    NetworkAttachmentDefinition an operator creates, and kinds that it makes ConfigMaps from."""
    reader = READERS.get((thing.group, thing.kind))
    if reader is None:
        yield from _unread_kind(thing)
        return
    if reader is networks.attachment_facts and (of := _owner_in(thing, operated)) is not None:
        owner = operated[of]
        yield from () if owner is None else made_facts(thing, owner)
        return
    if reader is primary.config_map_facts and _is_made(thing, operated):
        return
    if not thing.name:
        yield not_taken(thing.source(("metadata",)), thing.kind, "", "an object without a name, left out")
        return
    if reader is claims.unclassed:
        reader = partial(claims.claim_facts, drivers=_drivers(operated))
    read = Reader(thing)
    yield from _leaving(read)
    yield from reader(read)
    yield from read.refused
    yield from left_fields(read)


def _is_made(thing: Thing, operated: Container[Of]) -> bool:
    """A ConfigMap of an operator that is made from objects of the dumps."""
    kinds = (kind for owner in thing.owners for kind in _MADE_FROM.get(owner, ()))
    return any((kind,) in operated for kind in kinds)


def _drivers(known: Mapping[Of, Thing | None]) -> dict[str, str]:
    """DeviceClass -> driver."""
    classes = ((of[1], each) for of, each in known.items() if of[0] == "DeviceClass")
    return {name: claims.class_driver(each) for name, each in classes if each is not None}


_REFERENCE = "reference"


def _owner_in(thing: Thing, operated: Container[Of]) -> Of | None:
    """The operator's object that an attachment was made of, by its own place or by what it refers to."""
    references = ((kind, name, _REFERENCE) for kind, name in networks.made_for(thing))
    return next((of for of in (networks.home(thing), *references) if of in operated), None)


def _leaving(read: Reader) -> Iterator[Remark]:
    """An object of the operators that waits for its finalizers."""
    at = ("metadata", "deletionTimestamp")
    if read.thing.group in GROUPS and (since := read.text(*at)):
        text = f"{read.thing}: it is being deleted since {since}; taken as if it stayed"
        yield Remark(read.at(*at), text, alike=f"{read.thing.kind} {at}")


def _unread_kind(thing: Thing) -> Iterator[Remark]:
    """One line for each kind of the operators' own groups, or of hosts, that no reader is for."""
    if thing.group in GROUPS | _OF_HOSTS and thing.kind not in _NOT_OF_USE:
        why = "netplan does not read this kind"
        yield Remark(thing.source(("kind",)), f"{thing}: {why}", alike=f"{thing.kind}: {why}")
