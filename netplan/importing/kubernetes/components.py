"""The NicClusterPolicy: the release of the Network Operator, and the image of each component.

Fields: Mellanox/network-operator b06827e api/v1alpha1/nicclusterpolicy_types.go. From 25.7 on every component
has the tag network-operator-v<release>; before, the driver's tag has year and month (hack/release.yaml at the
tags of that repository). The driver may be newer than the operator: where another component tells the
release, its tag says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from netplan.importing.facts import Fact, Remark, not_taken
from netplan.importing.kubernetes.objects import Path, Reader
from netplan.importing.kubernetes.owners import plugin_config
from netplan.model.operator_releases import IMAGES

_OWN_TAG = re.compile(r"network-operator-v(\d\d\.\d{1,2})\.\d")
_DRIVER_TAG = re.compile(r"(?:doca[0-9.]+-)?(\d\d)\.(\d\d)-[0-9.]+(?:-\d+)?")
_DIGEST = "sha256:"
_NO_DIGEST = "an inventory has the tags of a release, and no digests"
DRIVER = "ofedDriver"


def cluster_policy_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Facts of a NicClusterPolicy or NicNodePolicy: release, images, and the device plugins it deploys."""
    yield read.fact("cluster", (), "network_operator", True, "kind")
    yield from _release(read)
    for key in ("repository", "version"):
        if text := _image(read, "spec", "global", key):
            yield read.fact("cluster", (), f"images_{key}", text, "spec", "global", key)
    for name, image in IMAGES.items():
        yield from _component(read, name, image)
    yield from _upgrades(read)
    for place in read.thing.texts:
        yield from plugin_config(read, place, "nic-cluster-policy")


def _component(read: Reader, name: str, usual: str) -> Iterator[Fact]:
    at: Path = ("spec", *name.split("."))
    if not isinstance(read.value(*at), dict):
        return
    yield read.fact("cluster", (), f"component/{name}", True, *at)
    if name == "secondaryNetwork.multus":
        yield read.fact("cluster", (), "multus", True, *at)
    image = read.text(*at, "image")
    if image and image != usual:
        read.refuse(f"netplan writes {usual}", *at, "image")
    shared = read.text("spec", "global", "version")
    if name == DRIVER and shared and not read.value(*at, "version"):
        yield read.fact("cluster", (), "ofed_version", shared, "spec", "global", "version")
    for key in ("repository", "version"):
        if text := _image(read, *at, key):
            of = "ofed_version" if (name, key) == (DRIVER, "version") else f"image/{name}/{key}"
            yield read.fact("cluster", (), of, text, *at, key)


def _image(read: Reader, *path: str | int) -> str:
    """A version may be a digest, which says nothing of the release (Mellanox/network-operator b06827e
    api/v1alpha1/validator/nicpolicy_webhook.go, pkg/state/state_ofed.go)."""
    text = read.text(*path)
    if path[-1] == "version" and text.startswith(_DIGEST):
        told = not_taken(read.at(*path), read.called(path), text, _NO_DIGEST)
        read.refused.append(replace(told, alike=_NO_DIGEST))
        return ""
    return text


def _release(read: Reader) -> Iterator[Fact]:
    """By the components' own tags, else by the driver's."""
    found = list(_versions(read, ("spec",), read.value("spec"), 0))
    own = [(path, release) for path, version in found if (release := release_of(version))]
    driver = [(path, _of_driver(version)) for path, version in found if path == ("spec", DRIVER)]
    for path, release in own or driver:
        if release:
            yield read.fact("cluster", (), "release", release, *path, "version")


def _versions(read: Reader, path: Path, value: Any, depth: int) -> Iterator[tuple[Path, str]]:
    """(path, version) of components and their parts that have an image version."""
    if not isinstance(value, dict) or depth > 3:
        return
    if "version" in value and not isinstance(value["version"], dict | list):
        yield path, read.scalar((*path, "version"), value["version"])
    for key, part in value.items():
        yield from _versions(read, (*path, key), part, depth + 1)


def release_of(tag: str) -> str:
    """``26.4`` of ``network-operator-v26.4.0``, empty for another tag."""
    own = _OWN_TAG.match(tag)
    return own[1] if own else ""


def _of_driver(version: str) -> str:
    driver = _DRIVER_TAG.fullmatch(version)
    return f"{driver[1]}.{int(driver[2])}" if driver else ""


def _upgrades(read: Reader) -> Iterator[Fact]:
    """What happens to the nodes after the driver's version changed."""
    at: Path = ("spec", DRIVER, "upgradePolicy")
    if not read.flag(*at, "autoUpgrade"):
        read.seen.add(at)
        return
    yield read.fact("cluster", (), "maintenance/driver_upgrade", "automatic", *at, "autoUpgrade")
    if most := read.number(*at, "maxParallelUpgrades"):
        yield read.fact("cluster", (), "maintenance/at_once", most, *at, "maxParallelUpgrades")
    drain = read.flag(*at, "drain", "enable")
    if drain is not None:
        yield read.fact("cluster", (), "maintenance/driver_drain", drain, *at, "drain", "enable")
    empty = read.flag(*at, "drain", "deleteEmptyDir")
    if empty is not None and empty is not (drain is not False):
        read.refuse("netplan sets it as drain.enable: pods have an emptyDir", *at, "drain", "deleteEmptyDir")
