"""Cards of nodes: NicDevice, SriovNetworkNodeState, and what is stated of pools of nodes.

Fields of NicDevice: Mellanox/nic-configuration-operator 8bfbeb3 api/v1alpha1/nicdevice_types.go;
``status.type`` is the PCI device ID, not the model's name (pkg/devicediscovery/devicediscovery.go, Type:
Product.ID); serial numbers are not unique, and names of objects are of two forms: a card is its node and PCI
address. Of SriovNetworkNodeState: k8snetworkplumbingwg/sriov-network-operator 249e200
api/v1/sriovnetworknodestate_types.go; ``linkSpeed`` is a text with its unit, "100000 Mb/s", and -1 on a port
that is down (pkg/host/internal/network/network.go); ``linkType`` is ETH or IB (pkg/consts/constants.go:68),
in samples also in lower case (doc/api/node-state-api.md); numbers that are 0 and texts that are empty are
left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from netplan.importing.facts import Fact, Remark
from netplan.importing.kubernetes.objects import Path, Reader, as_they_are, no_address, pci_of
from netplan.importing.virtual import physical_models, vf_models
from netplan.model.values import whole
from netplan.reading.kubernetes.objects import listing, mapping

MELLANOX = "15b3"
_MBPS = re.compile(r"([0-9]{1,7})(?: *Mb/s)?")
LINKS: Mapping[str, str] = {
    "eth": "ethernet",
    "ib": "infiniband",
    "ethernet": "ethernet",
    "infiniband": "infiniband",
}
RDMA_MODES = as_they_are("shared", "exclusive")
MOST_RAILS = 64
MOST_MTU = 65535
_ID = re.compile(r"[0-9a-f]{4}")
_LONGEST = 120
_FIRMWARE = ("status", "firmwareVersion")
_OTHER_DRIVER = "all VFs of a network are for pods of netplan, on the driver of the card"
_ALL_AT_ONCE = (
    "SriovNetworkPoolConfig spec.maxUnavailable is not set: all its nodes are drained at once; netplan "
    "writes cluster.maintenance.max_unavailable, which is 1 unless stated"
)


def nic_facts(read: Reader) -> Iterator[Fact | Remark]:
    node, device = read.text("status", "node"), read.text("status", "type").lower()
    if not node:
        yield Remark(read.at("status"), f"{read.thing} states no node; its card is left out")
        return
    if not _ID.fullmatch(device):
        read.refuse("not a PCI device ID such as 1021; the card is left out", "status", "type")
        return
    for path, _ in read.rows("status", "ports"):
        pci = pci_of(read.text(*path, "pci"))
        if not pci:
            yield no_address(read.text(*path, "pci"), read.at(*path, "pci"))
            continue
        of = (node, pci)
        yield read.fact("card", of, "device", f"{MELLANOX}:{device}", "status", "type")
        for key, name in (("networkInterface", "netdev"), ("rdmaInterface", "rdma_device")):
            if text := read.text(*path, key):
                yield read.fact("card", of, name, text, *path, key)
        yield from _of_the_device(read, of)


def _of_the_device(read: Reader, of: tuple[str, ...]) -> Iterator[Fact]:
    if firmware := read.text(*_FIRMWARE):
        yield read.fact("card", of, "firmware", firmware, *_FIRMWARE)
    path: Path = ("spec", "interfaceNameTemplate", "railIndex")
    rail = read.number(*path, most=MOST_RAILS - 1)
    if rail is not None:
        yield read.fact("card", of, "rail", rail, *path)
    path = ("spec", "configuration", "template", "linkType")
    if link := read.word(LINKS, *path):
        yield read.fact("card", of, "link", link, *path)


def state_facts(read: Reader) -> Iterator[Fact | Remark]:
    node = read.thing.name
    for path, _ in read.rows("status", "interfaces"):
        pci = pci_of(read.text(*path, "pciAddress"))
        if pci:
            yield from _interface(read, (node, pci), path)
            yield from _vf_drivers(read, path)
        else:
            yield no_address(read.text(*path, "pciAddress"), read.at(*path, "pciAddress"))
    for path, _ in read.rows("spec", "interfaces"):
        yield from _planned(read, node, path)
    yield from _failed(read)
    for part, role in (("status", "running"), ("spec", "wanted")):
        if mode := read.word(RDMA_MODES, part, "system", "rdmaMode"):
            yield read.fact("cluster", (), f"rdma_mode/{role}/{mode}", True, part, "system", "rdmaMode")


def _vf_drivers(read: Reader, path: Path) -> Iterator[Remark]:
    """The first VF of a card that has another driver than most of the others, such as one for a virtual
    machine (k8snetworkplumbingwg/sriov-network-operator 249e2001 api/v1/sriovnetworknodestate_types.go,
    VirtualFunction)."""
    drivers = [mapping(vf).get("driver") for vf in listing(read.value(*path, "Vfs"))]
    usual = next((name for name, _ in Counter(map(str, filter(None, drivers))).most_common(1)), "")
    for index, driver in enumerate(drivers):
        if driver and driver != usual:
            where = f"{read.thing.name} {read.text(*path, 'name')}"
            what = f"VF {index} of {where} has driver {driver}, most have {usual}"
            yield Remark(
                read.at(*path, "Vfs", index, "driver"), f"{what}: {_OTHER_DRIVER}", alike=_OTHER_DRIVER
            )
            return


def _failed(read: Reader) -> Iterator[Remark]:
    at, why = ("status", "syncStatus"), "the node may not run what its spec states"
    if read.text(*at) == "Failed":
        error = read.text("status", "lastSyncError")[:_LONGEST] or "no error stated"
        yield Remark(read.at(*at), f"{read.thing}: syncStatus Failed ({error}); {why}", alike=why)


def _planned(read: Reader, node: str, path: Path) -> Iterator[Fact]:
    """What the operator writes of its policies, which the dumps may lack: a card's resources."""
    yield read.fact("cluster", (), "sriov_operator", True, *path)
    yield read.fact("cluster", (), "sriov_namespace", read.text("metadata", "namespace"), "metadata")
    pci = read.pci(*path, "pciAddress")
    if pci and (vfs := read.number(*path, "numVfs")) and not read.flag(*path, "externallyManaged"):
        yield read.fact("card", (node, pci), "planned_vfs", vfs, *path, "numVfs")
    if pci and (link := read.word(LINKS, *path, "linkType")):
        yield read.fact("card", (node, pci), "planned_link", link, *path, "linkType")
    for group, _ in read.rows(*path, "vfGroups") if pci else ():
        if name := read.text(*group, "resourceName"):
            yield read.fact("card", (node, pci), f"resource/{name}", True, *group)
            if policy := read.text(*group, "policyName"):
                yield read.fact("card", (node, pci), f"by_policy/{name}", policy, *group)
            if read.flag(*group, "isRdma"):
                yield read.fact("resource", (name, "of a node state"), "rdma", True, *group)


def pool_config_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Of a SriovNetworkPoolConfig: the RDMA mode that its nodes are to have, and how many drain at once."""
    if mode := read.word(RDMA_MODES, "spec", "rdmaMode"):
        yield read.fact("cluster", (), f"rdma_mode/wanted/{mode}", True, "spec", "rdmaMode")
    if read.text("spec", "maxUnavailable"):
        yield from at_once(read)
    elif not read.value("spec", "ovsHardwareOffloadConfig", "name"):
        # k8snetworkplumbingwg/sriov-network-operator 249e2001 api/v1/helper.go (MaxUnavailable)
        yield Remark(read.at("spec"), _ALL_AT_ONCE, alike=_ALL_AT_ONCE)


def at_once(read: Reader) -> Iterator[Fact]:
    """How many nodes drain at once: a number, or a percentage."""
    if most := read.text("spec", "maxUnavailable"):
        number = whole(most, 5)
        stated = most if number is None else number
        yield read.fact("cluster", (), "maintenance/max_unavailable", stated, "spec", "maxUnavailable")


def operator_config_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Of the SR-IOV operator's own configuration: whether it drains nodes, and its webhooks, which its chart
    has together (k8snetworkplumbingwg/sriov-network-operator d52db0d3
    deployment/sriov-network-operator-chart/templates/sriovoperatorconfig.yaml)."""
    for key in ("enableInjector", "enableOperatorWebhook"):
        yield read.fact("cluster", (), "webhooks", read.flag("spec", key) or False, "spec", key)
    off = read.flag("spec", "disableDrain")
    if off is not None:
        yield read.fact("cluster", (), "maintenance/drain", not off, "spec", "disableDrain")
    gate = ("spec", "featureGates", "dynamicResourceAllocation")
    if read.flag(*gate):
        yield read.fact("cluster", (), "dra_gate", True, *gate)


def _interface(read: Reader, of: tuple[str, ...], path: Path) -> Iterator[Fact]:
    vendor, device = (read.text(*path, key).lower() for key in ("vendor", "deviceID"))
    if vendor and device:
        yield read.fact("card", of, "device", f"{vendor}:{device}", *path, "deviceID")
    if name := read.text(*path, "name"):
        yield read.fact("card", of, "netdev", name, *path, "name")
    if mac := read.text(*path, "mac").lower():
        yield read.fact("card", of, "mac", mac, *path, "mac")
    if link := read.word(LINKS, *path, "linkType"):
        yield read.fact("card", of, "link", link, *path, "linkType")
    vfs = read.number(*path, "numVfs")
    if vfs is not None or not read.text(*path, "numVfs"):
        yield read.fact("card", of, "vfs", vfs or 0, *path, "numVfs")
    if read.text(*path, "eSwitchMode") not in ("", "legacy"):
        read.refuse("VFs in switchdev mode are not supported", *path, "eSwitchMode")
    if vendor and f"{vendor}:{device}" not in physical_models() | vf_models():
        return  # it is left out
    if mtu := read.number(*path, "mtu", most=MOST_MTU):
        yield read.fact("card", of, "mtu", mtu, *path, "mtu")
    yield from _speed(read, of, (*path, "linkSpeed"))


def _speed(read: Reader, of: tuple[str, ...], path: Path) -> Iterator[Fact]:
    text = read.text(*path)
    speed = _MBPS.fullmatch(text)
    if speed and int(speed[1]) >= 1000:
        yield read.fact("card", of, "speed_gbps", int(speed[1]) // 1000, *path)
    elif text and not text.startswith("-1"):
        read.refuse("not a link speed such as 100000 Mb/s", *path)
