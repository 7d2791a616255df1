"""NP788: configuration of the device plugins."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, dotted
from netplan.graph.kubernetes.cluster import ANY, ObjectGraph, PluginConfig
from netplan.reading.kubernetes.objects import listing
from netplan.rules.kubernetes.registry import ObjectFinding, rule


@rule("NP788", "device plugin configuration that loses a resource", on=lambda cluster: cluster.configs)
def plugin_config(_: ObjectGraph, config: PluginConfig) -> Iterator[ObjectFinding]:
    """Names are unique; the SR-IOV plugin gives a device to the first entry of its `deviceType` that matches.

    **Why.** A duplicate name stops the plugin. The RDMA shared plugin makes as many devices as
    `rdmaHcaMax` says, also none. A second entry with the same selector gets nothing. Only
    the first element per PF in pfNames counts. The PCI driver of NVIDIA NICs is mlx5_core, that of DPDK
    vfio-pci; mlx5_ib and vfio_pci are modules and match none.
    **Fix.** Give each entry a name and devices of its own.
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 cmd/sriovdp/manager.go,
    pkg/resources/deviceSelectors.go, #386; Mellanox/k8s-rdma-shared-dev-plugin 410b0f3
    pkg/resources/resources_manager.go, pkg/resources/server.go (rdmaHcaMax).
    """
    thing = config.thing
    entries = [(at, e) for at, e in config.entries if isinstance(e.get("resourceName"), str)]
    names = [
        e["resourceName"] if config.shared else config.full(e).removeprefix(f"{ANY}/") for _, e in entries
    ]
    for index, ((at, _entry), name) in enumerate(zip(entries, names, strict=True)):
        if name in names[:index]:
            message = f"resource {name} appears {Counter(names)[name]} times"
            yield ObjectFinding(thing, (*at, "resourceName"), message, "give each entry a name of its own")
    yield from _without_devices(config)
    first: dict[str, str] = {}
    for (at, entry), name in zip(entries, names, strict=True):
        for place, selector in _selectors((*at, "selectors"), entry.get("selectors")):
            yield from _selector_findings(config, place, selector)
            chosen = (entry.get("deviceType") or "netDevice", selector)
            other = first.setdefault(json.dumps(chosen, sort_keys=True), name)
            if other != name and selector and not config.shared:
                message = f"{name} selects the same devices as {other}, which comes first and takes them all"
                yield ObjectFinding(thing, place, message, "give each entry devices of its own")


def _without_devices(config: PluginConfig) -> Iterator[ObjectFinding]:
    for at, entry in config.entries if config.shared else ():
        if type(entry.get("rdmaHcaMax")) is int and entry["rdmaHcaMax"] == 0:
            message = f"rdmaHcaMax of {entry.get('resourceName')} is 0: the plugin makes no device of it"
            hint = "write how many pods may share an HCA"
            yield ObjectFinding(config.thing, (*at, "rdmaHcaMax"), message, hint)


def _selectors(at: Path, value: Any) -> Iterator[tuple[Path, dict[str, Any]]]:
    if isinstance(value, dict):
        yield at, value
    for index, each in enumerate(listing(value)):
        if isinstance(each, dict):
            yield (*at, index), each


_NO_DRIVERS = {"mlx5_ib": "mlx5_core", "vfio_pci": "vfio-pci", "uio-pci-generic": "uio_pci_generic"}
"""Kernel modules and misspelt names -> the PCI driver (torvalds/linux drivers/vfio/pci/vfio_pci.c,
drivers/uio/uio_pci_generic.c)."""


def _selector_findings(config: PluginConfig, at: Path, selector: dict[str, Any]) -> Iterator[ObjectFinding]:
    drivers = [str(driver) for driver in listing(selector.get("drivers"))]
    if drivers and not config.shared and all(driver in _NO_DRIVERS for driver in drivers):
        message = f"{dotted((*at, 'drivers'))} is {drivers[0]}, which is not a PCI driver"
        yield ObjectFinding(config.thing, (*at, "drivers"), message, f"write {_NO_DRIVERS[drivers[0]]}")
    for key in () if config.shared else ("pfNames", "rootDevices"):
        seen: dict[str, str] = {}
        for index, element in enumerate(listing(selector.get(key))):
            pf = str(element).partition("#")[0].lower()
            if pf in seen:
                message = f"{element} is ignored: only the first element of {pf} counts, {seen[pf]}"
                yield ObjectFinding(
                    config.thing, (*at, key, index), message, f"write {pf}#0-3,5 in one element"
                )
            seen.setdefault(pf, str(element))
