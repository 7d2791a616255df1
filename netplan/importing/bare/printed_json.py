"""What ``lshw -json``, ``ip -j link``, ``ip -j addr``, ``rdma -j link``, ``devlink -j port`` and
``mlxconfig -j FILE query`` print.

Names of fields: iproute2/iproute2 ee2a4a8 ip/ipaddress.c, rdma/link.c, rdma/dev.c, devlink/devlink.c;
Mellanox/mstflint b9d9e84 mlxconfig/mlxcfg_ui.cpp; lyonel/lshw src/core/hw.cc (asJSON) and
src/core/network.cc. ``parentdev`` is printed with ``-d``, by kernels that report it. ``logicalname`` is a
text, or a list where a device has several. ``lshw -numeric`` puts ``[15B3:1021]`` behind the product.
``operstate`` is one of oper_states, ``permaddr`` is printed where it is not the address, and
``phys_port_name`` names a representor (all in ip/ipaddress.c); ``state`` of an RDMA port is one of
link_state_str (rdma/link.c); flags of an address are ``true`` where it has them (ip/ipaddress.c,
print_ifa_flags); ``link`` of lshw is yes or no (ETHTOOL_GLINK, src/core/network.cc).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from netplan.importing.bare.rows import (
    MOST_ROWS,
    PERMANENT,
    PORT_OF,
    PRESENT_MAC,
    Found,
    Row,
    Same,
    address,
    listed,
    of_mac,
    of_number,
    text,
)
from netplan.importing.facts import Remark, not_taken
from netplan.importing.host_addresses import ON_INTERFACE, SEEN
from netplan.model.document import Places
from netplan.model.values import parse_network, whole

_IDS = re.compile(r"\[([0-9a-fA-F]{4}):([0-9a-fA-F]{4})\]\s*\Z")
_SPEED = re.compile(r"([0-9]{1,4})Gbit/s")
_LINK_TYPES: Mapping[str, str] = {"ether": "ethernet", "infiniband": "infiniband"}
_PORT_TYPES: Mapping[str, str] = {"eth": "ethernet", "ib": "infiniband"}
_FIRMWARE_TYPES: Mapping[str, str] = {"ETH(2)": "ethernet", "IB(1)": "infiniband"}
_BRIDGE = "bridge"
_DEFAULT_KEY = re.compile("0x[7f]fff", re.IGNORECASE)
_BUNDLES = frozenset({"bond", "team"})
_FUNCTIONS = frozenset({"", "ipoib"})
"""Kinds of the interfaces of functions; that of IPoIB is the kind of both the port and its partitions, which
have the port as ``link`` (torvalds/linux 00c1d29 drivers/infiniband/ulp/ipoib/ipoib_main.c, ipoib_get_iflink
and ipoib_child_init)."""
_REPRESENTOR = re.compile(r"(?:c[0-9]+)?pf[0-9]+(?:(?:vf|sf)[0-9]+)?")
"""torvalds/linux net/devlink/port.c, __devlink_port_phys_port_name_get: of a PF, VF or SF; a physical port is
p0."""
_LINK: Mapping[str, str] = {"yes": "up", "no": "down"}
_DEPTH = 24
"""Depth limit for lshw's tree of bridges below bridges."""


def lshw(data: Any, places: Places) -> Iterator[Found]:
    for device in _network(data, 0):
        pci = address(text(device.get("businfo")))
        if not pci:
            continue
        at = places.source_of(device, "businfo")
        for name in _names(device.get("logicalname"))[:1]:
            yield Same(pci, "netdev", name, at)
        ids = _IDS.search(text(device.get("product")))
        if ids:
            product = places.source_of(device, "product")
            yield Row("pci", pci, "device", f"{ids[1]}:{ids[2]}".lower(), product)
        elif shown := text(device.get("product")):
            what = "no [vendor:device] behind it; lshw -numeric prints them"
            yield not_taken(places.source_of(device, "product"), "product", shown, what)
        if "serial" in device:
            at = places.source_of(device, "serial")
            yield from of_mac("pci", pci, text(device["serial"]).lower(), at)
        yield from _speed(device, pci, places)
        settings = device.get("configuration")
        if isinstance(settings, dict) and (oper := _LINK.get(text(settings.get("link")))):
            yield Row("pci", pci, "oper", oper, places.source_of(settings, "link"))


def _speed(device: dict[str, Any], pci: str, places: Places) -> Iterator[Found]:
    settings = device.get("configuration")
    shown = text(settings.get("speed")) if isinstance(settings, dict) else ""
    if not shown or not isinstance(settings, dict):
        return
    at, speed = places.source_of(settings, "speed"), _SPEED.fullmatch(shown)
    if speed:
        yield Row("pci", pci, "speed_gbps", int(speed[1]), at)
    else:
        yield not_taken(at, "speed", shown, "not a link speed such as 100Gbit/s")


def _network(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Devices of class network, anywhere in the tree."""
    for device in listed(value) if depth < _DEPTH else ():
        if device.get("class") == "network":
            yield device
        if "children" in device:
            yield from _network(device["children"], depth + 1)


def _names(value: Any) -> list[str]:
    names = value if isinstance(value, list) else [value]
    return [name for name in names if isinstance(name, str) and name and "/" not in name]


def ip(data: Any, places: Places) -> Iterator[Found]:
    """``link`` and ``addr``. Without ``-d`` the PCI address comes from other files."""
    for row in listed(data):
        name, made, below = text(row.get("ifname")), _made(row.get("linkinfo")), text(row.get("link"))
        if made in _BUNDLES or made == _BRIDGE:
            yield from _addresses(row, name, places)
        elif below:  # a VLAN, or a partition, of a card
            yield from _partition(row, name, below, places)
            yield from _addresses(row, below, places)
        representor = _REPRESENTOR.fullmatch(text(row.get("phys_port_name")))
        if not name or below or made not in _FUNCTIONS or representor:
            continue
        at = places.source_of(row, "ifname")
        pci = address(text(row.get("parentdev"))) if row.get("parentbus") == "pci" else ""
        if pci:
            yield Same(pci, "netdev", name, at)
        yield from _interface(row, name, places)


def _partition(row: dict[str, Any], name: str, below: str, places: Places) -> Iterator[Remark]:
    """The P_Key of an IPoIB interface that is not its card's own."""
    info = row.get("linkinfo")
    data = info.get("info_data") if isinstance(info, dict) else None
    key = text(data.get("pkey")) if isinstance(data, dict) else ""
    if key and isinstance(data, dict) and not _DEFAULT_KEY.fullmatch(key):
        why = f"a partition of a host's interface is not taken; its addresses count as those of {below}"
        told = not_taken(places.source_of(data, "pkey"), f"P_Key of {name}", key, why)
        yield Remark(told.at, told.text, alike=f"P_Key {key}")


def _made(linkinfo: Any) -> str:
    """The kind of an interface that is a VLAN, a bridge or the like, not the function of a card."""
    return text(linkinfo.get("info_kind")) if isinstance(linkinfo, dict) else ""


def _bond(row: dict[str, Any]) -> str:
    """The bond that the interface is a port of; the master of another one is a bridge or a VRF. ``-d`` prints
    the kind of port, and without it a port of a bond has a flag of its own (``SLAVE``)."""
    info, flags = row.get("linkinfo"), row.get("flags")
    kind = text(info.get("info_slave_kind")) if isinstance(info, dict) else ""
    flagged = isinstance(flags, list) and "SLAVE" in flags
    return text(row.get("master")) if kind in _BUNDLES or flagged else ""


def _masters(row: dict[str, Any], name: str, places: Places) -> Iterator[Row]:
    master, bond = text(row.get("master")), _bond(row)
    for field, value in (("master", master), ("bond", bond), (PORT_OF, "" if bond else master)):
        if value:
            yield Row("netdev", name, field, value, places.source_of(row, "master"))


def _interface(row: dict[str, Any], name: str, places: Places) -> Iterator[Found]:
    key = "permaddr" if text(row.get("permaddr")) else "address"
    mac, link = text(row.get(key)).lower(), _LINK_TYPES.get(text(row.get("link_type")), "")
    if mac:
        field = PERMANENT if key == "permaddr" else PRESENT_MAC
        yield from of_mac("netdev", name, mac, places.source_of(row, key), field)
    if key == "permaddr" and (other := text(row.get("address")).lower()):
        yield Row("netdev", name, "replaced_mac", other, places.source_of(row, key))
    oper = text(row.get("operstate")).lower()
    if oper not in ("", "unknown") and link != "infiniband":  # IPoIB may be down on a port that is up
        yield Row("netdev", name, "oper", oper, places.source_of(row, "operstate"))
    if link == "infiniband" or (link and row.get("parentbus") == "pci"):
        yield Row("netdev", name, "link", link, places.source_of(row, "link_type"))
    yield from _masters(row, name, places)
    if "mtu" in row:
        at = places.source_of(row, "mtu")
        yield from of_number("netdev", name, "mtu", text(row["mtu"]), at, most=65536)
    yield from _addresses(row, name, places)
    yield from _own_addresses(row, name, places)
    yield from _all_addresses(row, name, places)
    vfs = row.get("vfinfo_list")
    if isinstance(vfs, list) and vfs:
        yield Row("netdev", name, "vfs", len(vfs), places.source_of(row, "vfinfo_list"))


def _addresses(row: dict[str, Any], name: str, places: Places) -> Iterator[Found]:
    for each in _global(row):
        at, shown = places.source_of(each, "local"), _with_length(each)
        if parse_network(shown) is not None:
            yield Row("netdev", name, f"address/{each['local']}", text(each.get("prefixlen")), at)
        else:
            yield not_taken(at, "address", shown, "not an IP address with a prefix length")


def _own_addresses(row: dict[str, Any], name: str, places: Places) -> Iterator[Row]:
    """Without those that a router announced, which follow from the host's MAC address."""
    if isinstance(row.get("addr_info"), list):
        yield Row("netdev", name, SEEN, True, places.source_of(row, "addr_info"))
    for each in _global(row):
        if parse_network(_with_length(each)) is not None and not _has(each, "mngtmpaddr", "temporary"):
            at = places.source_of(each, "local")
            yield Row("netdev", name, f"{ON_INTERFACE}{each['local']}", text(each.get("prefixlen")), at)


def _all_addresses(row: dict[str, Any], name: str, places: Places) -> Iterator[Found]:
    """``ip -j link`` has none. As long as duplicate address detection goes on nobody knows whether an address
    will be used; one that failed it is not."""
    own = list(_global(row))
    unsure = any(_has(each, "tentative") and not _has(each, "dadfailed", "optimistic") for each in own)
    if isinstance(row.get("addr_info"), list) and not unsure:
        shown = " ".join(sorted(map(_in_use, own))) or "none"
        yield Row("netdev", name, "addresses", shown, places.source_of(row, "addr_info"))


def _global(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for each in listed(row.get("addr_info")):
        if text(each.get("scope")) == "global" and text(each.get("local")):
            yield each


def _in_use(each: dict[str, Any]) -> str:
    return f"{_with_length(each)} (dadfailed)" if _has(each, "dadfailed") else _with_length(each)


def _has(each: dict[str, Any], *flags: str) -> bool:
    return any(each.get(flag) in (True, "true") for flag in flags)


def _with_length(each: dict[str, Any]) -> str:
    return f"{each['local']}/{text(each.get('prefixlen'))}"


def rdma(data: Any, places: Places) -> Iterator[Found]:
    """``rdma -j link``: the interface of an RDMA device; it has no PCI address."""
    for row in listed(data):
        device, netdev = text(row.get("ifname")), text(row.get("netdev"))
        state = text(row.get("state")).lower()
        if device and state not in ("", "nop", "unknown") and text(row.get("port")) in ("", "1"):
            oper = "up" if state == "active" else state
            yield Row("rdma", device.partition("/")[0], "oper", oper, places.source_of(row, "state"))
        if device and netdev:
            yield Row(
                "netdev", netdev, "rdma_device", device.partition("/")[0], places.source_of(row, "ifname")
            )


def devlink(data: Any, places: Places) -> Iterator[Found]:
    ports = data.get("port") if isinstance(data, dict) else None
    if not isinstance(ports, dict):
        return
    for name, row in ports.items():
        pci = address(name.rpartition("/")[0]) if isinstance(row, dict) else ""
        if not pci or row.get("flavour") not in ("physical", None):
            continue
        at = places.source_of(ports, name)
        if netdev := text(row.get("netdev")):
            yield Same(pci, "netdev", netdev, at)
        if device := text(row.get("ibdev")):
            yield Same(pci, "rdma", device, at)
        if link := _PORT_TYPES.get(text(row.get("type"))):
            yield Row("pci", pci, "link", link, at)


def mlxconfig(data: Any, places: Places) -> Iterator[Found]:
    for device in islice(data.values(), MOST_ROWS) if isinstance(data, dict) else ():
        if not isinstance(device, dict):
            continue
        pci, stated = address(text(device.get("device"))), device.get("tlv_configuration")
        if not pci or not isinstance(stated, dict):
            continue
        yield from _firmware_vfs(pci, stated, places)
        key = f"LINK_TYPE_P{int(pci[-1]) + 1}"
        value = _next(stated, key)
        if link := _FIRMWARE_TYPES.get(text(value)):
            yield Row("pci", pci, "link", link, places.source_of(stated, key))
        elif text(value):
            known = ", ".join(_FIRMWARE_TYPES)
            yield not_taken(places.source_of(stated, key), key, text(value), f"none of {known}")


def _next(stated: dict[str, Any], key: str) -> Any:
    """The value at the next start."""
    setting = stated.get(key)
    return setting.get("next_value") if isinstance(setting, dict) else setting


def _firmware_vfs(pci: str, stated: dict[str, Any], places: Places) -> Iterator[Row]:
    """How many VFs the card may have after its next start."""
    number = whole(text(_next(stated, "NUM_OF_VFS")), 5)
    if number is not None:
        off = text(_next(stated, "SRIOV_EN")).startswith("False")
        key = "SRIOV_EN" if off else "NUM_OF_VFS"
        yield Row("pci", pci, "firmware_vfs", 0 if off else number, places.source_of(stated, key))


READERS: Mapping[str, Callable[[Any, Places], Iterator[Found]]] = {
    "lshw": lshw,
    "ip": ip,
    "rdma": rdma,
    "devlink": devlink,
    "mlxconfig": mlxconfig,
}
