"""What pods claim (DRA) in place of networks and extended resources: ResourceClaimTemplate and ResourceClaim.

A request names a DeviceClass, whose selectors name the driver; ``exactly`` is around it since v1beta2
(kubernetes/api resource/v1/types.go, resource/v1beta1/types.go). dra-driver-sriov: the class has the driver's
name; ``VfConfig`` of a claim names the NetworkAttachmentDefinition, else Multus attaches by the attribute
``resourceName`` (k8snetworkplumbingwg/dra-driver-sriov cd9404f README.md, demo). DRANET moves an interface
into the pod, which ``ifName`` selects (kubernetes-sigs/dranet f258477 pkg/apis, examples).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.importing.facts import Fact, Of, Remark
from netplan.importing.kubernetes.objects import Path, Reader
from netplan.importing.kubernetes.owners import DRA_DRIVERS
from netplan.reading.kubernetes.objects import Thing, listing, mapping

NETWORKS, RESOURCES, OPEN = "networks", "resources", "open"
"""Fields of a claim: networks and resources that its pods get, what is not read of it."""
CLAIMED = "claimed"
"""Field of a network that has no object: claims alone show it."""
GPUS = "gpus"
"""Field of a claim: its drivers of GPUs."""
_GPU_DRIVER = re.compile(r"gpu\.[a-z0-9.-]+")
_DRIVER = re.compile(r"device\.driver\s*==\s*[\"']([a-z0-9.-]+)[\"']")
_RESOURCE = re.compile(r"\.resourceName\s*==\s*[\"']([^\"'\s]+)[\"']")
_INTERFACE = re.compile(r"\.ifName\s*(?:==\s*[\"']([\w.-]+)[\"']|in\s*\[\s*[\"']([\w.-]+)[\"'])")
_DOMAINS: Mapping[str, str] = {
    "dra.net": "dra.net",
    "k8s.cni.cncf.io": "sriovnetwork.k8snetworkplumbingwg.io",
}
"""Domain of attributes in a selector -> driver."""
_DRANET = "dra.net"
_DEVICES = ("spec", "devices")


def class_driver(thing: Thing) -> str:
    """Of a DeviceClass: its driver, or its name, which is that of the driver in both charts."""
    read = Reader(thing)
    texts = (read.text(*at, "cel", "expression") for at, _ in read.rows("spec", "selectors"))
    found = [driver for text in texts for driver in _DRIVER.findall(text)]
    return found[0] if found else thing.name


def claim_facts(read: Reader, drivers: Mapping[str, str]) -> Iterator[Fact | Remark]:
    """Of a template or a claim of its own. ``drivers``: DeviceClass -> driver."""
    if read.thing.owners:  # made of a template, which says the same
        return
    devices: Path = ("spec", *_DEVICES) if read.thing.kind == "ResourceClaimTemplate" else _DEVICES
    space = read.text("metadata", "namespace") or "default"
    of = (space, read.thing.name)
    found: dict[str, dict[str, None]] = {name: {} for name in (NETWORKS, RESOURCES, OPEN, GPUS)}
    named = _named(read, devices, space)
    for at, row in read.rows(*devices, "requests"):
        own: Path = (*at, "exactly") if isinstance(row.get("exactly"), dict) else at
        request = read.text(*at, "name")
        driver = _driver(read, own, drivers)
        if _GPU_DRIVER.fullmatch(driver):
            found[GPUS][driver] = None
        elif driver in DRA_DRIVERS:
            yield from _of_request(read, of, own, driver, request, named, found)
    yield read.fact("claim", of, "there", True, "metadata", "name")
    for name, values in found.items():
        if values:
            yield read.fact("claim", of, name, tuple(values), *devices)


def unclassed(read: Reader) -> Iterator[Fact | Remark]:
    """Where no DeviceClass is known."""
    return claim_facts(read, {})


def class_facts(read: Reader) -> Iterator[Fact]:
    """None of its own: claims have those of its driver."""
    yield from ()


def _driver(read: Reader, at: Path, drivers: Mapping[str, str]) -> str:
    name, text = read.text(*at, "deviceClassName"), _selected(read, at)
    by_domain = (driver for domain, driver in _DOMAINS.items() if f'"{domain}"' in text)
    return drivers.get(name) or next(by_domain, name)


def _selected(read: Reader, at: Path) -> str:
    return " ".join(read.text(*row, "cel", "expression") for row, _ in read.rows(*at, "selectors"))


def _of_request(
    read: Reader,
    of: Of,
    at: Path,
    driver: str,
    request: str,
    named: Mapping[str, str],
    found: Mapping[str, dict[str, None]],
) -> Iterator[Fact]:
    """Networks and resources of one request into ``found``; of DRANET the network of its interface."""
    text = _selected(read, at)
    interface = _INTERFACE.search(text)
    if driver == _DRANET and interface is not None:
        own = (of[0], request)
        found[NETWORKS]["/".join(own)] = None
        yield read.fact("network", own, "mode", "host-device", *at)
        yield read.fact("network", own, "writer", "netplan", *at)
        yield read.fact("network", own, "ipam", "none", *at)
        yield read.fact("network", own, CLAIMED, True, *at)
        yield read.fact("network", own, "master", interface[1] or interface[2], *at)
    elif network := named.get(request) or named.get(""):
        found[NETWORKS][network] = None
    elif resources := _RESOURCE.findall(text):
        found[RESOURCES] |= dict.fromkeys(name.rpartition("/")[2] for name in resources)
    else:
        found[OPEN][f"request {request} of {driver}"] = None


def _named(read: Reader, devices: Path, space: str) -> dict[str, str]:
    """Request -> network that a ``VfConfig`` names; empty for all requests."""
    found: dict[str, str] = {}
    for _at, row in read.rows(*devices, "config"):
        values: dict[str, Any] = mapping(mapping(row.get("opaque")).get("parameters"))
        name, own = values.get("netAttachDefName"), values.get("netAttachDefNamespace")
        requests = [text for text in listing(row.get("requests")) if isinstance(text, str)]
        if isinstance(name, str) and name:
            where = own if isinstance(own, str) and own else space
            found |= dict.fromkeys(requests or [""], f"{where}/{name}")
    return found
