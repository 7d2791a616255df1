"""NP673, NP674: the device IDs and MTUs of NICs."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.catalog import hca_rows
from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.kubernetes.producers import every_producer
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.rules.kubernetes.registry import ObjectFinding, rule

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


_OLDER = frozenset({"1002", "1003", "1004", "1007", "1011", "1012", "a2d2", "a2d3"})
"""NVIDIA NICs from before the operator: ConnectX-3, Connect-IB, BlueField, and their virtual functions
(torvalds/linux drivers/net/ethernet/mellanox/mlx4/main.c, mlx4_pci_table; mlx5/core/main.c,
mlx5_core_pci_table)."""


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


@dataclass(frozen=True, slots=True)
class Chosen:
    """A device ID by which something selects NICs, at its place, and the vendors named beside it.
    ``virtual``: whether it may be the ID of a virtual function, as devices of a device plugin are."""

    thing: Thing
    at: Path
    device: str
    vendors: tuple[str, ...]
    virtual: bool


def _chosen(cluster: ObjectGraph) -> list[Chosen]:
    found = []
    for policy in cluster.policies:
        selector = mapping(policy.spec.get("nicSelector"))
        vendor, device = (str(selector.get(key) or "").lower() for key in ("vendor", "deviceID"))
        found.append(Chosen(policy, ("spec", "nicSelector", "deviceID"), device, (vendor,), False))
    for maker in every_producer(cluster):
        for one in maker.selected if maker.config is not None else ():
            key = "deviceIDs" if maker.config and maker.config.shared else "devices"
            vendors = tuple(str(each).lower() for each in listing(one.given.get("vendors")))
            for number, device in enumerate(listing(one.given.get(key))):
                at = (*one.at, key, number)
                found.append(Chosen(maker.thing, at, str(device).lower(), vendors or ("",), True))
    return found


def _extra(cluster: ObjectGraph) -> set[str]:
    """Ids added by the operator's own list, if that is in the directory."""
    lists = [t for t in cluster.of("", "ConfigMap") if t.name == "supported-nic-ids"]
    return {word for t in lists for row in mapping(t.body.get("data")).values() for word in str(row).split()}


@rule("NP673", "device ID that matches no NIC port", on=_chosen, severity=Severity.WARNING)
def device_id(cluster: ObjectGraph, found: Chosen) -> Iterator[ObjectFinding]:
    """`deviceID` of a policy is the PCI device ID of a physical function of the vendor it names; a device
    plugin selects by the IDs of ports or of virtual functions.

    **Why.** The ID of a virtual function or of another vendor's NIC selects nothing, and no VF is
    created. The operator's webhook, off by default, accepts only the IDs in its own list.
    **Fix.** Write the ID that `lspci -nn` shows for the port: 101d is ConnectX-6 Dx, 1021 ConnectX-7.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go
    (IsSupportedModel), deployment/sriov-network-operator-chart/templates/configmap.yaml.
    """
    device, vendor = found.device, found.vendors[0]
    wrong = [_wrong_id(each, device, found.virtual, cluster.whole) for each in found.vendors]
    if device and all(wrong) and not templated(device) and device not in _extra(cluster):
        known = sorted(_PHYSICAL.get(vendor, ()))[:14]
        hint = f"write that of the port{', one of ' if known else ''}{', '.join(known)}"
        yield ObjectFinding(found.thing, found.at, f"deviceID {device} is {wrong[0]}", hint)


def _wrong_id(vendor: str, device: str, virtual: bool, own: bool) -> str:
    """What the ID is, if it is not that of a port, or of virtual functions where they may be meant; empty if
    not known. ``own``: in netplan's own tree, where the catalog of a site may have more NICs."""
    groups = (_PHYSICAL, _VIRTUAL) if virtual else (_PHYSICAL,)
    owners = [v for group in groups for v, ids in group.items() if device in ids]
    right = vendor in owners if vendor else bool(owners)
    if right or (virtual and device in _OLDER):
        return ""
    if not virtual and any(device in ids for ids in _VIRTUAL.values()):
        return "that of virtual functions"
    return _unowned(vendor, own) if not owners else f"of vendor {owners[0]}, not of {vendor}"


def _unowned(vendor: str, own: bool) -> str:
    return "not a known ID of an NVIDIA NIC" if vendor == "15b3" and not own else ""


MTU_MAX = 9978
"""Maximum of mlx5 on Ethernet (``ip -d link``: maxmtu 9978, for ConnectX-7 in nvidia-holoscan/holohub
tutorials/high_performance_networking)."""
_CONNECTED, _DATAGRAM = 65520, 4092
"""Of IPoIB in connected mode, and in datagram mode on links of 4,096 bytes (torvalds/linux
Documentation/infiniband/ipoib.rst; drivers/infiniband/ulp/ipoib/ipoib.h, IPOIB_CM_MTU, IPOIB_UD_MTU)."""
_LARGER = frozenset({"1af4", "177d"})
"""Vendors on the operator's list whose drivers may take more: virtio, and Marvell's octeon_ep (9982, later
what its firmware says: torvalds/linux drivers/net/ethernet/marvell/octeon_ep/octep_config.h,
OCTEP_MAX_MTU)."""
_ICE_MTU_MAX = 9702
"""A frame of 9,728 bytes without its header, checksum and two VLAN tags."""
_ICE = frozenset({"1591", "1592", "1593", "1599", "159a", "159b"})
"""Device IDs of Intel's E810; other NICs of Intel have other drivers."""


@dataclass(frozen=True, slots=True)
class StatedMtu:
    """An MTU, the most that its NIC takes, and the name of that NIC if it is not any. ``mtu``: 0 if none is
    stated, or virtio takes it; ``usual``: the most without a mode that nothing here states."""

    thing: Thing
    at: Path
    mtu: int
    most: int
    nic: str = ""
    usual: int | None = None


def _mtus(cluster: ObjectGraph) -> list[StatedMtu]:
    """MTUs of policies, and of networks that move an RDMA device: no other NIC with one takes more."""
    found = [_of_policy(cluster, policy) for policy in cluster.policies]
    for network in cluster.networks:
        if network.types[:1] == ["sriov"] and "rdma" in network.types:
            places = [(at, plugin) for at, plugin in network.plugins if type(plugin.get("mtu")) is int]
            found += [StatedMtu(network.thing, (*at, "mtu"), p["mtu"], MTU_MAX) for at, p in places]
    return found


def _of_policy(cluster: ObjectGraph, policy: Thing) -> StatedMtu:
    selector = mapping(policy.spec.get("nicSelector"))
    vendor, device = (str(selector.get(key) or "").lower() for key in ("vendor", "deviceID"))
    stated = policy.spec.get("mtu")
    mtu = stated if type(stated) is int and vendor not in _LARGER else 0
    at: Path = ("spec", "mtu")
    if str(policy.spec.get("linkType")).lower() in ("ib", "infiniband"):
        return StatedMtu(policy, at, mtu, _CONNECTED, "IPoIB", None if cluster.whole else _DATAGRAM)
    ice = vendor in ("8086", "") and device in _ICE and not cluster.whole  # fabric.mtu may be larger
    most, nic = (_ICE_MTU_MAX, "Intel E810") if ice else (MTU_MAX, "")
    return StatedMtu(policy, at, mtu, most, nic)


@rule("NP674", "MTU above the NIC's maximum", on=_mtus)
def mtu_max(_: ObjectGraph, stated: StatedMtu) -> Iterator[ObjectFinding]:
    """The driver limits the MTU of a port: to 9978 for mlx5, to 9702 for ice (Intel E810, where the policy
    states its `deviceID`), to 65520 for IPoIB. A network on VFs whose chain has rdma is on such a NIC too.
    Above 4092 IPoIB needs connected mode, where 65520 is usual: another value is a note.

    **Why.** The kernel rejects the value: the operator's daemon fails on the node at every attempt, or the
    plugin when the pod starts.
    **Fix.** Write 9000, or the MTU of the switches.
    **Source.** torvalds/linux 519be699 drivers/net/ethernet/mellanox/mlx5/core/en_main.c (max_mtu);
    nvidia-holoscan/holohub 00a70dbe tutorials/high_performance_networking (maxmtu 9978); torvalds/linux
    drivers/net/ethernet/intel/ice/: 00110c5e ice.h (ICE_MAX_MTU), 0027140a ice_txrx.h (ICE_ETH_PKT_HDR_PAD),
    007676b4 ice_adminq_cmd.h (ICE_AQ_SET_MAC_FRAME_SIZE_MAX), 0698461a ice_devids.h;
    Documentation/infiniband/ipoib.rst and drivers/infiniband/ulp/ipoib/ipoib_main.c (ipoib_change_mtu).
    """
    if stated.mtu > stated.most:
        of = f", the maximum of {stated.nic}" if stated.nic else ""
        message = f"MTU {stated.mtu} is above {stated.most}{of}"
        yield ObjectFinding(stated.thing, stated.at, message, f"write at most {stated.most}")
    elif stated.usual is not None and stated.usual < stated.mtu < stated.most:
        message = f"MTU {stated.mtu} is above {stated.usual}, the maximum of {stated.nic} in datagram mode"
        hint = f"write at most {stated.usual}, or {stated.most} in connected mode"
        yield ObjectFinding(stated.thing, stated.at, message, hint, unsure=True)
