"""The Network Operator of a ``cluster-config.yaml``: release, images, namespace and driver.

NVIDIA/k8s-launch-kit docs/reference/configuration.md 0713a6aa. ``selectedRelease`` has the release,
``componentVersion`` the tag of the images, ``version`` that of the chart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.importing.facts import Fact
from netplan.importing.kubernetes.components import release_of
from netplan.importing.kubernetes.objects import Path, Reader

_SECTION = "networkOperator"
_CHART = re.compile(r"v?([0-9]{2}\.[0-9]{1,2})\.[0-9].*")
_DEFAULT = "nvidia-network-operator"
_OPENSHIFT = "openshift-sriov-network-operator"
DRIVER_OFF = "driver_off"
"""Field of the cluster: no driver container is deployed."""


def operator_facts(read: Reader) -> Iterator[Fact]:
    for key, field in (
        ("repository", "images_repository"),
        ("componentVersion", "images_version"),
        ("namespace", "operator_namespace"),
    ):
        if text := read.text(_SECTION, key):
            yield read.fact("cluster", (), "network_operator", True, _SECTION, key)
            yield read.fact("cluster", (), field, text, _SECTION, key)
    for key in ("selectedRelease", "componentVersion", "version"):
        if release := _release(key, read.text(_SECTION, key)):
            yield read.fact("cluster", (), "network_operator", True, _SECTION, key)
            yield read.fact("cluster", (), "release", release, _SECTION, key)
    driver: Path = ("docaDriver", "version")
    off = read.thing.get("docaDriver", "enable") is False
    if off:
        yield read.fact("cluster", (), DRIVER_OFF, True, "docaDriver", "enable")
    elif version := read.text(*driver):
        yield read.fact("cluster", (), "ofed_version", version, *driver)


def _release(key: str, text: str) -> str:
    chart = _CHART.fullmatch(text) if key != "componentVersion" else None
    return chart[1] if chart is not None else text if key == "selectedRelease" else release_of(text)


def is_openshift(read: Reader) -> bool:
    return read.text("flavor").lower() == "ocp"


def sriov_namespace_of(read: Reader) -> str:
    """OpenShift has an operator of its own for VFs, whose objects are beside it (NVIDIA/k8s-launch-kit
    profiles/sriov-ethernet-rdma-ocp d7b69dd5; its default, cluster-config.yaml 378fd361)."""
    if is_openshift(read):
        return read.text("sriov", "operatorNamespace") or _OPENSHIFT
    return read.text(_SECTION, "namespace") or _DEFAULT
