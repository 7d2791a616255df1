"""Spiderpool: networks of its SpiderMultusConfig, pools, and its release.

Fields and what becomes of them: spidernet-io/spiderpool a7fbd3b2 pkg/k8s/apis/spiderpool.spidernet.io/v2beta1
(spidermultus_types.go, spiderippool_types.go) and pkg/multuscniconfig/multusconfig_informer.go, which makes
the NetworkAttachmentDefinition: main plugin, rdma, the chained ones, coordinator, each from here alone.
``enableRdma`` is rdmaIsolation before release 1.0 (PR 4549).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from netplan.importing.facts import Fact, Of, Remark
from netplan.importing.kubernetes.networks import chain_facts, resource_facts, setting_facts, with_whole
from netplan.importing.kubernetes.objects import Path, Reader
from netplan.importing.kubernetes.pools import Span, gaps, of_pool, pool_object, spider_pools
from netplan.model.values import LAST_VLAN, parse_address, parse_network
from netplan.reading.kubernetes.objects import CHAINED, Thing, mapping

_SECTIONS: Mapping[str, str] = {
    "sriov": "sriov",
    "macvlan": "macvlan",
    "ipvlan": "ipvlan",
    "ib-sriov": "ibsriov",
    "ipoib": "ipoib",
}
"""Type of the main plugin -> the section with its settings."""
_NAME = "multus.spidernet.io/cr-name"
_RELEASE = re.compile(r"spiderpool-(?:agent|controller):v?([0-9]{1,3}\.[0-9]{1,3})\b")
USED, LEFT, RELEASE = "spiderpool", "networks_left", "spiderpool_release"
"""Fields of the cluster: that it has Spiderpool, that it has networks which are left out, the release."""


def home(thing: Thing) -> Of:
    """Namespace and name of the NetworkAttachmentDefinition that Spiderpool makes."""
    name = thing.annotations.get(_NAME)
    return (str(thing.metadata.get("namespace") or "default"), str(name or thing.name))


def multus_config_facts(read: Reader) -> Iterator[Fact | Remark]:
    kind = read.text("spec", "cniType")
    yield read.fact("cluster", (), USED, True, "kind")
    if kind not in _SECTIONS:
        yield Remark(read.at("spec", "cniType"), f"{read.thing}: cniType {kind or 'custom'}, left out")
        yield read.fact("cluster", (), LEFT, True, "spec", "cniType")
        read.seen.add(("spec",))
        return
    of = home(read.thing)
    yield from with_whole(read, of, _of_config(read, of, kind), "spec", "cniType")


def _of_config(read: Reader, of: Of, kind: str) -> Iterator[Fact]:
    section: Path = ("spec", _SECTIONS[kind])
    yield read.fact("network", of, "mode", kind, "spec", "cniType")
    yield read.fact(
        "network", of, "writer", "netplan", "kind"
    )  # Spiderpool makes its NAD from either (NP652)
    for key in ("resourceName", "rdmaResourceName"):
        yield from resource_facts(read, of, *section, key)
    yield from _master(read, of, section)
    yield from _vlan(read, of, kind, section)
    yield from setting_facts(read, of, section)
    for key in ("minTxRateMbps", "maxTxRateMbps"):
        if read.number(*section, key):
            read.refuse("netplan's SpiderMultusConfig has no rates (NP651)", *section, key)
    if kind == "sriov" and read.flag(*section, "enableRdma"):
        yield read.fact("network", of, "rdma", True, *section, "enableRdma")
        yield read.fact("cluster", (), "rdma_mode/needed/exclusive", True, *section, "enableRdma")
    if not read.flag("spec", "disableIPAM"):
        yield read.fact("network", of, "ipam", "spiderpool", *section)
        yield from spider_pools(read, of, (*section, "ippools", "ipv4"), (*section, "ippools", "ipv6"))
    if read.flag("spec", "enableCoordinator") is not False:
        yield read.fact("network", of, "routing", "spiderpool", "spec", "enableCoordinator")
    yield from chain_facts(read, of, CHAINED, 0)


def _master(read: Reader, of: Of, section: Path) -> Iterator[Fact]:
    """The first interface; several are a bond that Spiderpool makes."""
    path: Path = (*section, "master")
    names = read.texts(*path) if isinstance(read.value(*path), list) else [read.text(*path)]
    if len(names) > 1:
        read.refuse("netplan's network is on one interface", *path)
    if names[:1] not in ([], [""]):
        yield read.fact("network", of, "master", names[0], *path)


def _vlan(read: Reader, of: Of, kind: str, section: Path) -> Iterator[Fact]:
    vlan = read.number(*section, "vlanID", most=LAST_VLAN)
    if vlan is not None and kind == "sriov":
        yield read.fact("network", of, "vlan", vlan, *section, "vlanID")
    elif vlan:
        read.refuse(f"netplan's {kind} network has no VLAN interface of its own", *section, "vlanID")


def spider_pool_facts(read: Reader) -> Iterator[Fact | Remark]:
    yield from of_pool(read, _of_ranges(read))


def _of_ranges(read: Reader) -> Iterator[Fact]:
    """What the ranges leave out is excluded."""
    of = (read.thing.name,)
    yield read.fact("cluster", (), USED, True, "kind")
    yield from pool_object(read, of, "subnet")
    network, gateway = parse_network(read.text("spec", "subnet")), read.text("spec", "gateway")
    spans = [span for span, _ in _spans(read, ("spec", "ips"))]
    if network is not None and spans:
        for text in gaps(network.cidr, spans, gateway):
            yield read.fact("pool", of, f"excluded/{text}", True, "spec", "ips")
    for _, (text, at) in _spans(read, ("spec", "excludeIPs")):
        yield read.fact("pool", of, f"excluded/{text}", True, *at)
    for path, _ in read.rows("spec", "routes"):
        read.address(*path, "gw")
    yield from _selected(read, of)
    yield from _in_use(read)


def _in_use(read: Reader) -> Iterator[Fact]:
    """``allocatedIPs``, JSON in a text: address -> its pod (PoolIPAllocations)."""
    path = ("status", "allocatedIPs")
    text = read.text(*path)
    try:
        rows = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        read.refuse("not JSON", *path)
        return
    for address, row in mapping(rows).items():
        if (ip := parse_address(address)) is not None:
            yield read.fact("address", (str(ip),), "pod", str(mapping(row).get("pod", "unknown")), *path)


def _spans(read: Reader, path: Path) -> Iterator[tuple[Span, tuple[str, Path]]]:
    """Ranges such as 10.0.0.10-10.0.0.20 and single addresses: as numbers, as text, and the place."""
    for index, text in enumerate(read.texts(*path)):
        first, _, last = text.partition("-")
        low, high = parse_address(first), parse_address(last or first)
        if low is None or high is None or low.version != high.version:
            read.refuse("not an address or a range such as 10.0.0.10-10.0.0.20", *path, index)
        else:
            yield (int(low), int(high)), (f"{low}-{high}", (*path, index))


def _selected(read: Reader, of: Of) -> Iterator[Fact]:
    """Keys of labels by which its nodes are selected."""
    at = ("spec", "nodeAffinity")
    for name in read.names(*at, "matchLabels"):
        yield read.fact("pool", of, f"selector/{name}", True, *at, "matchLabels", name)
    for path, row in read.rows(*at, "matchExpressions"):
        if isinstance(key := row.get("key"), str):
            yield read.fact("pool", of, f"selector/{key}", True, *path)


def release_facts(read: Reader) -> Iterator[Fact]:
    """Of a pod of Spiderpool itself, by the tag of its image."""
    for path, _ in read.rows("spec", "containers"):
        if found := _RELEASE.search(read.text(*path, "image")):
            yield read.fact("cluster", (), RELEASE, found[1], *path, "image")
