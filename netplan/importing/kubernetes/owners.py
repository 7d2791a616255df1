"""What creates VFs, advertises devices and configures NICs: policies, device plugins, operators.

Fields: SriovNetworkNodePolicy k8snetworkplumbingwg/sriov-network-operator 249e200
api/v1/sriovnetworknodepolicy_types.go; NicClusterPolicy Mellanox/network-operator b06827e
api/v1alpha1/nicclusterpolicy_types.go. From 25.7 on every component has the tag network-operator-v<release>;
before, the driver's tag has year and month (hack/release.yaml at the tags of that repository). Resources of
the device plugins: k8snetworkplumbingwg/sriov-network-device-plugin README.md,
Mellanox/k8s-rdma-shared-dev-plugin README.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.importing.facts import Fact, Remark
from netplan.importing.kubernetes.objects import Reader, pci_of
from netplan.importing.kubernetes.spectrum_x import profile_facts
from netplan.reading.kubernetes.objects import Thing, listing, mapping

Path = tuple[str | int, ...]

_OWN_TAG = re.compile(r"network-operator-v(\d\d\.\d{1,2})\.\d")
_DRIVER_TAG = re.compile(r"(?:doca[0-9.]+-)?(\d\d)\.(\d\d)-[0-9.]+(?:-\d+)?")
_PCI_SELECTORS = ("rootDevices", "pciAddresses")
_NAME_SELECTORS = ("pfNames", "ifNames")
_DEVICE_SELECTORS = ("devices", "deviceIDs")
"""``devices`` of the SR-IOV device plugin also match virtual functions, ``deviceIDs`` of the other plugin
only physical ones."""

_LINKS: Mapping[str, str] = {"ether": "ethernet", "infiniband": "infiniband"}
"""``linkTypes`` of both plugins (sriov-network-device-plugin README.md)."""


def policy_facts(thing: Thing) -> Iterator[Fact | Remark]:
    """Facts of a SriovNetworkNodePolicy; the operator's own "default" selects nothing."""
    read, spec = Reader(thing), thing.spec
    name, selector = read.text("spec", "resourceName"), mapping(spec.get("nicSelector"))
    if not name or not selector:
        return
    yield read.fact("cluster", (), "sriov_operator", True, "spec")
    yield read.fact("cluster", (), "sriov_namespace", read.text("metadata", "namespace"), "metadata")
    of = (name, thing.name)
    yield from _selected(read, of, selector, ("spec", "nicSelector"))
    if vfs := read.number("spec", "numVfs"):
        yield read.fact("resource", of, "vfs", vfs, "spec", "numVfs")
    if mtu := read.number("spec", "mtu"):
        yield read.fact("resource", of, "mtu", mtu, "spec", "mtu")
    yield from read.labels("resource", of, "spec", "nodeSelector")


def plugin_facts(thing: Thing) -> Iterator[Fact | Remark]:
    """Facts of a ConfigMap with a device plugin's configuration."""
    for place, config in thing.texts.items():
        yield from _plugin(Reader(thing), thing, place, mapping(config), "manual")


def _plugin(read: Reader, thing: Thing, place: Path, config: Mapping[str, Any], owner: str) -> Iterator[Fact]:
    for key in ("resourceList", "configList"):
        for index, row in enumerate(map(mapping, listing(config.get(key)))):
            name, path = row.get("resourceName"), (*place, key, index)
            if not isinstance(name, str):
                continue
            of = (name, f"{thing.name}[{index}]")
            yield read.fact("cluster", (), "device_plugin", owner, *path)
            if isinstance(row.get("resourcePrefix"), str):
                yield read.fact("resource", of, "prefix", row["resourcePrefix"], *path)
            selectors = row.get("selectors")
            first = listing(selectors)[0] if listing(selectors) else selectors
            yield from _selected(read, of, mapping(first), (*path, "selectors"))


def _selected(read: Reader, of: tuple[str, ...], selector: Mapping[str, Any], path: Path) -> Iterator[Fact]:
    """By PCI address, by name (``ens1f0#0-3`` is VFs of ens1f0), else by device ID."""
    for key in (*_PCI_SELECTORS, *_NAME_SELECTORS, *_DEVICE_SELECTORS):
        texts = [text for text in listing(selector.get(key)) if isinstance(text, str)]
        if key in _PCI_SELECTORS:
            field, values = "pci", [pci_of(text) for text in texts]
        elif key in _NAME_SELECTORS:
            field, values = "netdevs", [text.partition("#")[0] for text in texts]
        else:
            field = "devices" if key == "devices" else "pf_devices"
            values = [text.lower() for text in texts]
        if any(values):
            yield read.fact("resource", of, field, tuple(filter(None, values)), *path)
    links = tuple(
        filter(None, (_LINKS.get(str(word).lower()) for word in listing(selector.get("linkTypes"))))
    )
    if links:
        yield read.fact("resource", of, "links", links, *path)
    if isinstance(selector.get("deviceID"), str | int):
        yield read.fact("resource", of, "pf_devices", (read.text(*path, "deviceID").lower(),), *path)


def cluster_policy_facts(thing: Thing) -> Iterator[Fact | Remark]:
    """Facts of a NicClusterPolicy or NicNodePolicy: the release, and the device plugins it deploys."""
    read = Reader(thing)
    yield read.fact("cluster", (), "network_operator", True, "kind")
    for path, version in _versions(read, ("spec",), thing.spec, 0):
        if release := _release(version, path):
            yield read.fact("cluster", (), "release", release, *path, "version")
    for key in ("repository", "version"):
        if text := read.text("spec", "global", key):
            yield read.fact("cluster", (), f"images_{key}", text, "spec", "global", key)
    driver = read.text("spec", "ofedDriver", "version")
    if driver:
        yield read.fact("cluster", (), "ofed_version", driver, "spec", "ofedDriver", "version")
    if isinstance(thing.get("spec", "secondaryNetwork", "multus"), dict):
        yield read.fact("cluster", (), "multus", True, "spec", "secondaryNetwork", "multus")
    for place, config in thing.texts.items():
        yield from _plugin(read, thing, place, mapping(config), "nic-cluster-policy")


def _versions(read: Reader, path: Path, value: Any, depth: int) -> Iterator[tuple[Path, str]]:
    """(path, version) of components and their parts that have an image version."""
    if not isinstance(value, dict) or depth > 3:
        return
    if "version" in value:
        yield path, read.text(*path, "version")
    for key, part in value.items():
        yield from _versions(read, (*path, key), part, depth + 1)


def release_of(tag: str) -> str:
    """``26.4`` of ``network-operator-v26.4.0``, empty for another tag."""
    own = _OWN_TAG.match(tag)
    return own[1] if own else ""


def _release(version: str, path: Path) -> str:
    if own := release_of(version):
        return own
    driver = _DRIVER_TAG.fullmatch(version) if path == ("spec", "ofedDriver") else None
    return f"{driver[1]}.{int(driver[2])}" if driver else ""


def nic_template_facts(thing: Thing) -> Iterator[Fact | Remark]:
    read = Reader(thing)
    yield read.fact("cluster", (), "nic_configuration", True, "kind")
    yield from profile_facts(read, ("spec", "template", "spectrumXOptimized"))


def gpu_policy_facts(thing: Thing) -> Iterator[Fact | Remark]:
    """Of the GPU Operator's ClusterPolicy (NVIDIA/gpu-operator api/nvidia/v1/clusterpolicy_types.go)."""
    read = Reader(thing)
    for path in (("driver", "rdma"), ("gdrcopy",)):
        value = thing.get("spec", *path, "enabled")
        if isinstance(value, bool):
            yield read.fact("cluster", (), f"gpu_operator/{path[0]}", value, "spec", *path, "enabled")
