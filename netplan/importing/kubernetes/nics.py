"""Cards of nodes: NicDevice and SriovNetworkNodeState.

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
from collections.abc import Iterator, Mapping
from itertools import islice

from netplan.importing.facts import Fact, Remark
from netplan.importing.kubernetes.objects import Reader, no_address, pci_of
from netplan.reading.kubernetes.objects import Thing

Path = tuple[str | int, ...]

MELLANOX = "15b3"
_MBPS = re.compile(r"([0-9]{1,7})(?: *Mb/s)?")
LINKS: Mapping[str, str] = {
    "eth": "ethernet",
    "ib": "infiniband",
    "ethernet": "ethernet",
    "infiniband": "infiniband",
}
MOST_RAILS = 64


def nic_facts(thing: Thing) -> Iterator[Fact | Remark]:
    read = Reader(thing)
    node, device = read.text("status", "node"), read.text("status", "type").lower()
    if not node:
        yield Remark(read.at("status"), f"{thing} states no node; its card is left out")
        return
    for path, row in read.rows("status", "ports"):
        pci = pci_of(read.text(*path, "pci"))
        if not pci:
            yield no_address(read.text(*path, "pci"), read.at(*path, "pci"))
            continue
        of = (node, pci)
        yield read.fact("card", of, "device", f"{MELLANOX}:{device}", "status", "type")
        for key, name in (("networkInterface", "netdev"), ("rdmaInterface", "rdma_device")):
            if row.get(key):
                yield read.fact("card", of, name, read.text(*path, key), *path, key)
        yield from _of_the_device(read, of)


def _of_the_device(read: Reader, of: tuple[str, ...]) -> Iterator[Fact]:
    if firmware := read.text("status", "firmwareVersion"):
        yield read.fact("card", of, "firmware", firmware, "status", "firmwareVersion")
    path: Path = ("spec", "interfaceNameTemplate", "railIndex")
    rail = read.number(*path)
    if rail is not None and rail < MOST_RAILS:
        yield read.fact("card", of, "rail", rail, *path)
    path = ("spec", "configuration", "template", "linkType")
    if link := LINKS.get(read.text(*path).lower()):
        yield read.fact("card", of, "link", link, *path)


def state_facts(thing: Thing) -> Iterator[Fact | Remark]:
    read, node = Reader(thing), thing.name
    for path, _ in read.rows("status", "interfaces"):
        pci = pci_of(read.text(*path, "pciAddress"))
        if pci:
            yield from _interface(read, (node, pci), path)
        else:
            yield no_address(read.text(*path, "pciAddress"), read.at(*path, "pciAddress"))
    for path, _ in islice(read.rows("spec", "interfaces"), 1):  # the operator writes them, of its policies
        yield read.fact("cluster", (), "sriov_operator", True, *path)
        yield read.fact("cluster", (), "sriov_namespace", read.text("metadata", "namespace"), "metadata")
    mode = read.text("spec", "system", "rdmaMode")
    if mode in ("shared", "exclusive"):
        yield read.fact("cluster", (), "rdma_mode", mode, "spec", "system", "rdmaMode")


def _interface(read: Reader, of: tuple[str, ...], path: Path) -> Iterator[Fact]:
    vendor, device = (read.text(*path, key).lower() for key in ("vendor", "deviceID"))
    if vendor and device:
        yield read.fact("card", of, "device", f"{vendor}:{device}", *path, "deviceID")
    if name := read.text(*path, "name"):
        yield read.fact("card", of, "netdev", name, *path, "name")
    if mac := read.text(*path, "mac").lower():
        yield read.fact("card", of, "mac", mac, *path, "mac")
    yield read.fact("card", of, "vfs", read.number(*path, "numVfs") or 0, *path, "numVfs")
    if mtu := read.number(*path, "mtu"):
        yield read.fact("card", of, "mtu", mtu, *path, "mtu")
    if link := LINKS.get(read.text(*path, "linkType").lower()):
        yield read.fact("card", of, "link", link, *path, "linkType")
    speed = _MBPS.fullmatch(read.text(*path, "linkSpeed"))
    if speed and int(speed[1]) >= 1000:
        yield read.fact("card", of, "speed_gbps", int(speed[1]) // 1000, *path, "linkSpeed")
