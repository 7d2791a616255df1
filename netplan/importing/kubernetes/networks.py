"""Networks of pods, and the pools their addresses come from.

Fields, of the CRDs of the projects: SriovNetwork and SriovIBNetwork
k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/sriovnetwork_types.go, sriovibnetwork_types.go;
HostDeviceNetwork, MacvlanNetwork and IPoIBNetwork Mellanox/network-operator b06827e api/v1alpha1; IPPool and
CIDRPool Mellanox/nvidia-k8s-ipam 3ce4a34 api/v1alpha1. The operators make a NetworkAttachmentDefinition of
the same name in ``networkNamespace``: what is imported is its owner. ``config`` of a
NetworkAttachmentDefinition is JSON in a text, of one plugin or of a list, or empty where it lies on the nodes
(k8snetworkplumbingwg/multus-cni 95a0932).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from netplan.importing.facts import Fact, Of, Remark
from netplan.importing.kubernetes.objects import Reader
from netplan.reading.kubernetes.objects import (
    CONFIG,
    IPAM,
    META,
    RESOURCE_ANNOTATION,
    Thing,
    listing,
    mapping,
)

MANAGED_BY = "app.kubernetes.io/managed-by"
_MODES: Mapping[str, str] = {
    "SriovNetwork": "sriov",
    "SriovIBNetwork": "ib-sriov",
    "HostDeviceNetwork": "host-device",
    "MacvlanNetwork": "macvlan",
    "IPoIBNetwork": "ipoib",
}
_PLUGINS = frozenset((*_MODES.values(), "ipvlan"))
_SETTINGS: Mapping[str, str] = {
    "trust": "trust",
    "spoofChk": "spoofchk",
    "spoofchk": "spoofchk",
    "linkState": "link_state",
    "link_state": "link_state",
    "vlanQoS": "vlan_qos",
    "minTxRate": "min_tx_rate_mbps",
    "min_tx_rate": "min_tx_rate_mbps",
    "maxTxRate": "max_tx_rate_mbps",
    "max_tx_rate": "max_tx_rate_mbps",
}
"""Key of a SriovNetwork and of sriov-cni -> key of the inventory."""


def home(thing: Thing) -> Of:
    """Namespace and name of a network's NetworkAttachmentDefinition."""
    read = Reader(thing)
    namespace = read.text("spec", "networkNamespace") or read.text("metadata", "namespace")
    return (namespace or "default", thing.name)


def network_facts(thing: Thing) -> Iterator[Fact | Remark]:
    """Facts of an operator's network object."""
    read = Reader(thing)
    of = home(thing)
    yield read.fact("network", of, "mode", _MODES[thing.kind], "kind")
    yield read.fact("network", of, "writer", "operator", "kind")
    for key, name in (("resourceName", "resource"), ("master", "master")):
        if value := read.text("spec", key):
            yield read.fact("network", of, name, _bare(value), "spec", key)
    yield from _settings(read, of, ("spec",), thing.spec)
    if mtu := read.number("spec", "mtu"):
        yield read.fact("network", of, "mtu", mtu, "spec", "mtu")
    yield from _ipam(read, of, thing.text(*IPAM), IPAM)
    yield from _chain(read, of, listing(thing.text(*META)), META)


def attachment_facts(thing: Thing) -> Iterator[Fact | Remark]:
    """Facts of a NetworkAttachmentDefinition that no operator owns."""
    read, config = Reader(thing), mapping(thing.text(*CONFIG))
    if thing.owned:
        return
    plugins = [mapping(p) for p in listing(config.get("plugins"))] or [config]
    path = (*CONFIG, "plugins", 0) if "plugins" in config else CONFIG
    main = plugins[0]
    if main.get("type") not in _PLUGINS:
        kind = f"plugin {main['type']!r}" if isinstance(main.get("type"), str) else "no configuration in it"
        yield Remark(read.at(*CONFIG), f"{thing}: {kind}, left out")
        return
    of = home(thing)
    yield read.fact("network", of, "mode", main["type"], *path)
    yield read.fact("network", of, "writer", "netplan", *path)
    if name := read.text("metadata", "annotations", RESOURCE_ANNOTATION):
        at = ("metadata", "annotations", RESOURCE_ANNOTATION)
        yield read.fact("network", of, "resource", _bare(name), *at)
        if prefix := name.rpartition("/")[0]:
            yield read.fact("network", of, "prefix", prefix, *at)
    yield from _settings(read, of, path, main)
    yield from _ipam(read, of, main.get("ipam"), (*path, "ipam"))
    yield from _chain(read, of, plugins, (*CONFIG, "plugins"))


def _settings(read: Reader, of: Of, path: tuple[str | int, ...], stated: Mapping[str, Any]) -> Iterator[Fact]:
    vlan = stated.get("vlan")
    if isinstance(vlan, int) and not isinstance(vlan, bool) and 0 <= vlan < 4095:
        yield read.fact("network", of, "vlan", vlan, *path, "vlan")
    for key, name in _SETTINGS.items():
        value = stated.get(key)
        if isinstance(value, bool):  # "on" without quotes
            value = "on" if value else "off"
        if isinstance(value, str | int) and value != "":
            yield read.fact("network", of, name, value, *path, key)


def _chain(read: Reader, of: Of, plugins: list[Any], path: tuple[str | int, ...]) -> Iterator[Fact]:
    """Facts of the chained plugins."""
    for index, plugin in enumerate(map(mapping, plugins)):
        at = (*path, index)
        if plugin.get("type") == "sbr":
            yield read.fact("network", of, "routing", "sbr", *at)
        elif plugin.get("type") == "rdma":
            yield read.fact("cluster", (), "rdma_mode", "exclusive", *at)
        elif plugin.get("type") == "tuning" and isinstance(plugin.get("mtu"), int):
            yield read.fact("network", of, "mtu", plugin["mtu"], *at)


def _ipam(read: Reader, of: Of, ipam: Any, path: tuple[str | int, ...]) -> Iterator[Fact]:
    """The IPAM, and the pool of an IPAM that has it in the network itself."""
    ipam = mapping(ipam)
    kind = ipam.get("type")
    if kind not in ("nv-ipam", "whereabouts", "host-local", "static", "spiderpool"):
        return
    yield read.fact("network", of, "ipam", kind, *path)
    if any("table" in mapping(route) for route in listing(ipam.get("routes"))):
        yield read.fact("network", of, "routing", "table", *path)
    if kind == "nv-ipam" and isinstance(ipam.get("poolName"), str):
        yield read.fact("network", of, "pool", ipam["poolName"], *path)
    own = ("/".join(of),)
    subnet = ipam.get("range" if kind == "whereabouts" else "subnet")
    if isinstance(subnet, str) and kind in ("whereabouts", "host-local"):
        yield read.fact("network", of, "pool", *own, *path)
        yield read.fact("pool", own, "subnet", subnet.rpartition("-")[2], *path)
        if isinstance(ipam.get("gateway"), str):
            yield read.fact("pool", own, "gateway", ipam["gateway"], *path)


def _bare(resource: str) -> str:
    """The resource without the device plugin's prefix."""
    return resource.rpartition("/")[2]


def ip_pool_facts(thing: Thing) -> Iterator[Fact | Remark]:
    yield from _pool(Reader(thing), thing.name, "subnet", "perNodeBlockSize", "block_size")


def cidr_pool_facts(thing: Thing) -> Iterator[Fact | Remark]:
    yield from _pool(Reader(thing), thing.name, "cidr", "perNodeNetworkPrefix", "node_prefix")


def _pool(read: Reader, name: str, subnet: str, size: str, field: str) -> Iterator[Fact]:
    of = (name,)
    if cidr := read.text("spec", subnet):
        yield read.fact("pool", of, "subnet", cidr, "spec", subnet)
    if gateway := read.text("spec", "gateway"):
        yield read.fact("pool", of, "gateway", gateway, "spec", "gateway")
    labels = ("metadata", "labels", MANAGED_BY)
    if read.text(*labels) == "netplan":
        yield read.fact("pool", of, "ours", True, *labels)
    for path, _ in read.rows("spec", "exclusions"):
        span = "-".join(read.text(*path, key) for key in ("startIP", "endIP"))
        yield read.fact("pool", of, f"excluded/{span}", True, *path)
    for path, _ in read.rows("spec", "staticAllocations"):
        node, prefix = read.text(*path, "nodeName"), read.text(*path, "prefix")
        if node and prefix:
            yield read.fact("pool", of, f"static/{node}", prefix, *path, "prefix")
    number = read.number("spec", size)
    if number is not None:
        yield read.fact("pool", of, field, number, "spec", size)


def whereabouts_pool_facts(thing: Thing) -> Iterator[Fact | Remark]:
    """Whereabouts has its own IPPool: allocations by offset from the first address
    (k8snetworkplumbingwg/whereabouts 3a262bd pkg/api/whereabouts.cni.cncf.io/v1alpha1/ippool_types.go)."""
    read = Reader(thing)
    taken = len(read.names("spec", "allocations"))
    if taken:
        subnet = read.text("spec", "range")
        yield Remark(read.at("spec", "allocations"), f"{taken} addresses of {subnet} are in use by pods")
