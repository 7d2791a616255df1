"""NP669 to NP674: a resource and its devices: prefix, VLAN, RDMA, link type, device ID, MTU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.catalog import hca_rows
from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import ANY, Nad, ObjectGraph, pool_names
from netplan.graph.kubernetes.tags import vlan_of_master
from netplan.reading.kubernetes.objects import Thing, mapping, templated
from netplan.records import dataclass
from netplan.report import and_more
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.resource_names import Want, wanted


@dataclass(frozen=True, slots=True)
class Prefixed:
    """An object and the places in it that name a policy's resource with a prefix. ``likely``: the prefix that
    most objects have, ``tied`` if another has as many; ``named``: who names each resource."""

    thing: Thing
    wants: list[Want]
    likely: str
    tied: bool
    named: dict[str, list[Thing]]


def _by_policy(cluster: ObjectGraph) -> list[Prefixed]:
    """Empty if a Helm value states the prefix. An object counts once for each prefix it has; of prefixes with
    as many objects, the likely one is that of more networks."""
    if cluster.prefix != ANY:
        return []
    made: dict[str, set[str]] = {}
    for full in cluster.made:
        made.setdefault(full.rpartition("/")[2], set()).add(full.rpartition("/")[0])
    places: dict[int, list[Want]] = {}
    named: dict[str, dict[int, Thing]] = {}
    owners: dict[str, dict[int, bool]] = {}
    for want in wanted(cluster):
        prefix, _slash, name = want.resource.rpartition("/")
        if prefix != ANY and made.get(name) == {ANY}:
            places.setdefault(id(want.thing), []).append(want)
            named.setdefault(want.resource, {})[id(want.thing)] = want.thing
            owners.setdefault(prefix, {})[id(want.thing)] = want.on_network
    counted = {prefix: (len(each), sum(each.values())) for prefix, each in owners.items()}
    ranked = sorted(counted, key=lambda prefix: counted[prefix], reverse=True)
    tied = len(ranked) > 1 and counted[ranked[0]][0] == counted[ranked[1]][0]
    who = {resource: [*things.values()] for resource, things in named.items()}
    return [Prefixed(wants[0].thing, wants, ranked[0], tied, who) for wants in places.values()]


@rule("NP669", "resources of one operator under two prefixes", on=_by_policy, severity=Severity.WARNING)
def one_prefix(_: ObjectGraph, found: Prefixed) -> Iterator[ObjectFinding]:
    """The SR-IOV operator advertises all resources under one prefix, RESOURCE_PREFIX.

    **Why.** Nothing is advertised under the other prefix: the pod stays Pending, and the NAD gets no device.
    **Fix.** Use one prefix in NADs and pods; `kubectl describe node` shows the operator's.
    **Source.** sriov-network-operator deployment/sriov-network-operator-chart/values.yaml (resourcePrefix),
    controllers/sriovnetworknodepolicy_controller.go.
    """
    others = [w for w in found.wants if not w.resource.startswith(f"{found.likely}/")]
    if others:
        first = others[0]
        likely = f"{found.likely}/{first.resource.rpartition('/')[2]}"
        whole = {want.resource for want in others}
        more = and_more(len(whole) - 1, "resource")
        message = f"{first.resource}{more} has a different prefix from {_whose(found, likely)}"
        either = "use one prefix, the operator's: kubectl describe node shows it"
        yield ObjectFinding(found.thing, first.at, message, either if found.tied else f"write {likely}")


def _whose(found: Prefixed, likely: str) -> str:
    """A resource under the likely prefix, with those that name it, or with one that names another."""
    users = found.named.get(likely, [])
    if not users:
        likely, users = next((r, who) for r, who in found.named.items() if r.startswith(f"{found.likely}/"))
    return f"{likely}, which {'other objects use' if len(users) > 1 else f'{users[0]} uses'}"


Tagged = tuple[Nad, Path, int]
"""Network, place of its VLAN, the VLAN ID."""


def _sharing(cluster: ObjectGraph) -> list[tuple[str, list[Tagged]]]:
    """Pools and ranges, each with the networks that take addresses from it and state a VLAN."""
    found: dict[str, list[Tagged]] = {}
    for network in cluster.networks:
        tagged = _tagged(network)
        if tagged is not None:
            for name in (name for _, ipam in network.ipams for name in _sources(network, ipam)):
                found.setdefault(name, []).append((network, *tagged))
    return list(found.items())


def _sources(network: Nad, ipam: dict[str, Any]) -> Iterator[str]:
    yield from (f"pool {kind} {name}" for kind, name in pool_names(network, ipam))
    if ipam.get("type") == "whereabouts" and isinstance(ipam.get("range"), str):
        own = f" of {ipam['network_name']}" if ipam.get("network_name") else ""
        yield f"range {ipam['range']}{own}"


def _tagged(network: Nad) -> tuple[Path, int] | None:
    """The VLAN of the main plugin, stated or by the name of its host interface, and where."""
    for at, plugin in network.plugins[:1]:
        vlan = plugin.get("vlan")
        if type(vlan) is int and vlan:
            return (*at, "vlan"), vlan
        if not vlan and (vlan := vlan_of_master(plugin)) is not None:
            return (*at, "master"), vlan
    return None


@rule("NP670", "pool shared by two VLANs", on=_sharing, severity=Severity.WARNING)
def one_vlan(cluster: ObjectGraph, found: tuple[str, list[Tagged]]) -> Iterator[ObjectFinding]:
    """Addresses of one subnet belong to one VLAN: that of `vlan`, or of a `master` such as bond0.20.

    **Why.** Pods treat each other as neighbours, but their ARP requests stay in their own VLAN; the
    gateway is in only one of the two.
    **Fix.** Give each VLAN a pool of its own, or both networks the same VLAN.
    **Source.** RFC 1122 3.3.1.1; Mellanox/nvidia-k8s-ipam README.md (a pool is one subnet).
    """
    name, (first, *others) = found
    for network, at, vlan in others:
        if vlan != first[2] and cluster.together(network.thing, first[0].thing):
            message = f"it uses addresses of {name} in VLAN {vlan}, but {first[0]} does so in VLAN {first[2]}"
            yield ObjectFinding(network.thing, at, message, "give each VLAN a pool of its own")
            return


def _with_policies(cluster: ObjectGraph) -> list[tuple[Nad, list[Thing]]]:
    found = ((n, cluster.policies_of(n)) for n in cluster.networks if n.plugins)
    return [(network, policies) for network, policies in found if policies]


def _with_networks(cluster: ObjectGraph) -> list[tuple[Thing, list[Nad]]]:
    """Policies with the networks that take their VFs, without those that another policy gives RDMA."""
    found: dict[int, tuple[Thing, list[Nad]]] = {}
    for network, policies in _with_policies(cluster):
        with_rdma = any(policy.spec.get("isRdma") is True for policy in policies)
        for policy in policies:
            found.setdefault(id(policy), (policy, []))[1].extend([] if with_rdma else [network])
    return [*found.values()]


@rule("NP671", "policy without RDMA for a network with RDMA", on=_with_networks, severity=Severity.WARNING)
def rdma_devices(_: ObjectGraph, found: tuple[Thing, list[Nad]]) -> Iterator[ObjectFinding]:
    """The device plugin passes on the RDMA device files of VFs whose policy has `isRdma: true` only.

    **Why.** The rdma plugin moves the RDMA device into the pod, and /dev/infiniband is missing there: no
    program can open it.
    **Fix.** Write `isRdma: true` into the policy.
    **Source.** sriov-network-operator api/v1/sriovnetworknodepolicy_types.go (isRdma, false by default);
    sriov-network-device-plugin README.md (isRdma mounts the RDMA devices).
    """
    policy, networks = found
    moving = [n for n in networks if "rdma" in n.types or n.chain[0].get("rdmaIsolation") is True]
    if moving and policy.spec.get("isRdma") in (None, False):
        stated = "isRdma is false" if "isRdma" in policy.spec else "isRdma is not set"
        more = and_more(len(moving) - 1, "network")
        message = f"{stated}, but the chain of {moving[0]}{more} has RDMA"
        yield ObjectFinding(policy, ("spec", "isRdma"), message, "write isRdma: true")


_LINKS = {"sriov": ("ib", "eth", "InfiniBand"), "ib-sriov": ("eth", "ib", "Ethernet")}
"""Plugin -> link type it cannot use, the one it needs, and the first as text."""


@rule("NP672", "network on VFs of the wrong link type", on=_with_policies, between=True)
def link_type(_: ObjectGraph, found: tuple[Nad, list[Thing]]) -> Iterator[ObjectFinding]:
    """SriovNetwork and the sriov plugin are for Ethernet, SriovIBNetwork and ib-sriov for InfiniBand.

    **Why.** The plugin sets a VLAN or GUID, which the other link type does not have, and fails; the pod
    does not start.
    **Fix.** Use the other kind of network, or correct `linkType` of the policy.
    **Source.** sriov-network-operator README.md (SriovIBNetwork), api/v1/sriovnetworknodepolicy_types.go
    (linkType); k8snetworkplumbingwg/ib-sriov-cni README.md.
    """
    network, policies = found
    wrong, needed, words = _LINKS.get(network.types[0], ("", "", ""))
    kinds = {str(p.spec.get("linkType")).lower() for p in policies}
    if wrong and kinds == {wrong}:
        policy = policies[0]
        place = policy.source(("spec", "linkType"))
        message = f"{network.types[0]} needs linkType {needed}, but its VFs are {words}: {policy} at {place}"
        yield ObjectFinding(
            network.thing, network.resource_at, message, f"write linkType: {needed}, or change the kind"
        )


_IDS = """
8086 158a:154c 158b:154c 1572:154c 1563:1565 10c9:10ca 1589:154c 1581:154c 15ff:154c 0d58:154c 1583:154c
8086 1592:1889 1593:1889 159b:1889 1599:1889 1591:1889 188a:1889 124d:1889 124c:1889 579c:1889 579d:1889
8086 579e:1889 12d2:1889 12d3:1889 1249:1889 124a:1889
14e4 16d7:16dc 1750:1806
1077 1654:1664
177d b200:b203 b100:b103 b600:b603 b900:b903 ba00:ba03
1d0f ec20:
"""
"""Vendor, then PCI IDs of physical and virtual function, in addition to those of the catalog
(sriov-network-operator deployment/sriov-network-operator-chart/templates/configmap.yaml; 1249 and 124a by
OpenShift's list)."""


def _known() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Ids of physical functions and of virtual functions, by vendor."""
    rows = [(r["vendor"], r["pf_id"], r["vf_id"]) for r in hca_rows().values()]
    for line in _IDS.split("\n"):
        vendor, _, pairs = line.partition(" ")
        rows += [(vendor, pair[:4], pair[5:]) for pair in pairs.split()]
    physical: dict[str, set[str]] = {}
    virtual: dict[str, set[str]] = {}
    for vendor, pf, vf in rows:
        physical.setdefault(vendor, set()).add(pf)
        virtual.setdefault(vendor, set()).update({vf} - {None, ""})
    return physical, virtual


_PHYSICAL, _VIRTUAL = _known()


def _selectors(cluster: ObjectGraph) -> list[tuple[Thing, Path, dict[str, Any]]]:
    return [(p, ("spec", "nicSelector"), mapping(p.spec.get("nicSelector"))) for p in cluster.policies]


def _extra(cluster: ObjectGraph) -> set[str]:
    """Ids added by the operator's own list, if that is in the directory."""
    lists = [t for t in cluster.of("", "ConfigMap") if t.name == "supported-nic-ids"]
    return {word for t in lists for row in mapping(t.body.get("data")).values() for word in str(row).split()}


@rule("NP673", "device ID that matches no NIC port", on=_selectors, severity=Severity.WARNING)
def device_id(cluster: ObjectGraph, found: tuple[Thing, Path, dict[str, Any]]) -> Iterator[ObjectFinding]:
    """`deviceID` of a policy is the PCI device ID of a physical function of the vendor it names.

    **Why.** The ID of a virtual function or of another vendor's NIC selects nothing, and no VF is
    created. The operator's webhook, off by default, accepts only the IDs in its own list.
    **Fix.** Write the ID that `lspci -nn` shows for the port: 101d is ConnectX-6 Dx, 1021 ConnectX-7.
    **Source.** sriov-network-operator pkg/webhook/validate.go (IsSupportedModel),
    deployment/sriov-network-operator-chart/templates/configmap.yaml.
    """
    policy, at, selector = found
    vendor, device = (str(selector.get(key) or "").lower() for key in ("vendor", "deviceID"))
    wrong = _wrong_id(vendor, device)
    if device and wrong and not templated(device) and device not in _extra(cluster):
        known = sorted(_PHYSICAL.get(vendor, ()))[:14]
        hint = f"write that of the port{', one of ' if known else ''}{', '.join(known)}"
        yield ObjectFinding(policy, (*at, "deviceID"), f"deviceID {device} is {wrong}", hint)


def _wrong_id(vendor: str, device: str) -> str:
    """What the ID is, if it is not that of a port; empty if not known."""
    owners = [v for v, ids in _PHYSICAL.items() if device in ids]
    if vendor in owners or (owners and not vendor):
        return ""
    if any(device in ids for ids in _VIRTUAL.values()):
        return "that of virtual functions"
    if owners:
        return f"of vendor {owners[0]}, not of {vendor}"
    return "not a known ID of an NVIDIA NIC" if vendor == "15b3" else ""


MTU_MAX = 9978
"""Maximum of mlx5; on the operator's list only virtio accepts more (``ip -d link``: maxmtu 9978, for
ConnectX-7 in nvidia-holoscan/holohub tutorials/high_performance_networking)."""
_ICE_MTU_MAX = 9702
"""A frame of 9,728 bytes without its header, checksum and two VLAN tags."""
_ICE = frozenset({"1591", "1592", "1593", "1599", "159a", "159b"})
"""Device IDs of Intel's E810; other NICs of Intel have other drivers."""


@rule("NP674", "MTU above the NIC's maximum", on=lambda cluster: cluster.policies)
def mtu_max(cluster: ObjectGraph, policy: Thing) -> Iterator[ObjectFinding]:
    """The driver limits the MTU of a port: to 9978 for mlx5, to 9702 for ice (Intel E810, where the policy
    states its `deviceID`).

    **Why.** The kernel rejects the value, and the operator's daemon fails on the node at every attempt.
    **Fix.** Write 9000, or the MTU of the switches.
    **Source.** torvalds/linux drivers/net/ethernet/mellanox/mlx5/core/en_main.c (max_mtu);
    nvidia-holoscan/holohub tutorials/high_performance_networking (maxmtu 9978); torvalds/linux
    drivers/net/ethernet/intel/ice/: 00110c5e ice.h (ICE_MAX_MTU), 0027140a ice_txrx.h (ICE_ETH_PKT_HDR_PAD),
    007676b4 ice_adminq_cmd.h (ICE_AQ_SET_MAC_FRAME_SIZE_MAX), 0698461a ice_devids.h.
    """
    mtu = policy.spec.get("mtu")
    selector = mapping(policy.spec.get("nicSelector"))
    vendor, device = (str(selector.get(key) or "").lower() for key in ("vendor", "deviceID"))
    ice = vendor in ("8086", "") and device in _ICE
    most = _ICE_MTU_MAX if ice else MTU_MAX
    if type(mtu) is int and mtu > most and vendor != "1af4":
        message = f"MTU {mtu} is above {most}" + (", the maximum of Intel E810" if ice else "")
        yield ObjectFinding(policy, ("spec", "mtu"), message, f"write at most {most}")
