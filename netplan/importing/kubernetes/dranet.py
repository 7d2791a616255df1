"""Cards that DRANET publishes in ResourceSlices.

Attributes: kubernetes-sigs/dranet f258477 pkg/apis/attributes.go; values pkg/inventory/db.go: the address in
``mac`` is the present one, ``sriovVfs`` the number of VFs that run. ``pciDevice`` is a name of pci.ids, such
as ``MT2910 Family [ConnectX-7]``, which says the model and not its device ID. In v1beta1 attributes are below
``basic`` (kubernetes/api resource/v1beta1/types.go).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.catalog import hca_rows
from netplan.importing.facts import Fact, Remark, not_taken
from netplan.importing.kubernetes.nics import MOST_MTU
from netplan.importing.kubernetes.objects import Path, Reader, pci_of
from netplan.model.values import parse_network

DRIVER = "dra.net"
_NAME = re.compile(r"\[(ConnectX-[0-9A-Za-z ]+)\]|(BlueField-[0-9])")
_MELLANOX = "Mellanox Technologies"
_OCTETS = 6
"""Of an Ethernet address; that of IPoIB has 20."""
_LINKS = {"ether": "ethernet", "infiniband": "infiniband"}
_TEXTS = {"ifName": "netdev", "rdmaDevice": "rdma_device"}
_NUMBERS = {"mtu": ("mtu", MOST_MTU), "numaNode": ("numa", 64), "sriovVfs": ("vfs", 512)}


def dranet_facts(read: Reader) -> Iterator[Fact | Remark]:
    node = read.text("spec", "nodeName")
    for path, row in read.rows("spec", "devices") if node else ():
        at: Path = (*path, "basic", "attributes") if "basic" in row else (*path, "attributes")
        pci = pci_of(read.text(*_of(at, "pciAddress", "string")))
        function = (read.value(*_of(at, key, "bool")) for key in ("isSriovVf", "virtual"))
        if pci and not any(function):
            yield from _card(read, (node, pci), at)


def _of(at: Path, key: str, kind: str) -> Path:
    return (*at, f"{DRIVER}/{key}", kind)


def _card(read: Reader, of: tuple[str, str], at: Path) -> Iterator[Fact | Remark]:
    yield from _model(read, of, at)
    for key, field in _TEXTS.items():
        if text := read.text(*_of(at, key, "string")):
            yield read.fact("card", of, field, text, *_of(at, key, "string"))
    if (mac := read.text(*_of(at, "mac", "string")).lower()) and mac.count(":") == _OCTETS - 1:
        yield read.fact("card", of, "mac", mac, *_of(at, "mac", "string"))
    if link := _LINKS.get(read.text(*_of(at, "encapsulation", "string"))):
        yield read.fact("card", of, "link", link, *_of(at, "encapsulation", "string"))
    for key, (field, most) in _NUMBERS.items():
        value = read.value(*_of(at, key, "int"))
        if value is not None and value != -1:  # no NUMA node
            number = read.number(*_of(at, key, "int"), most=most)
            yield from () if number is None else [read.fact("card", of, field, number, *_of(at, key, "int"))]
    for key in ("ipv4", "ipv6"):
        path = _of(at, key, "string")
        for text in filter(None, read.text(*path).split(",")):
            network = parse_network(text)
            if network is None:
                yield not_taken(
                    read.at(*path), f"{DRIVER}/{key}", text, "not an IP address with a prefix length"
                )
            else:
                yield read.fact("card", of, f"address/{network.ip}", str(network.prefixlen), *path)


def _model(read: Reader, of: tuple[str, str], at: Path) -> Iterator[Fact | Remark]:
    path = _of(at, "pciDevice", "string")
    named = _NAME.search(read.text(*path))
    model = (named[1] or named[2]).lower().replace(" ", "-") if named is not None else ""
    row = hca_rows().get(model)
    if row is not None:
        yield read.fact("card", of, "device", f"{row['vendor']}:{row['pf_id']}", *path)
    elif read.text(*_of(at, "pciVendor", "string")).startswith(_MELLANOX):
        yield not_taken(read.at(*path), f"{DRIVER}/pciDevice", read.text(*path), "no HCA of the catalog")
