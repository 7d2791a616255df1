"""NP781 to NP785: SR-IOV policies, and resource names of any producer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.shape import is_misnamed

_NAME = re.compile(r"[a-zA-Z0-9]([a-zA-Z0-9_-]*[a-zA-Z0-9])?\Z")
_PLUGIN_NAME = re.compile(r"[a-zA-Z0-9_-]+\Z")
_SHARED_NAME = re.compile(r"[a-zA-Z0-9_]+\Z")
_RANGE = re.compile(r"(\d{1,6})-(\d{1,6})\Z")
NVIDIA_VFS_MAX = 128
"""Maximum that the operator's webhook accepts for a NVIDIA NIC (sriov-network-operator
pkg/webhook/validate.go)."""


def policies(cluster: ObjectGraph) -> list[Thing]:
    return cluster.policies


@rule("NP781", "resource name with invalid characters", on=lambda c: [*_named(c)])
def resource_names(_: ObjectGraph, named: tuple[Thing, Path, str, str]) -> Iterator[ObjectFinding]:
    """The name without its prefix consists of letters, digits, `_` and `-`; for the RDMA-shared plugin
    without `-`.

    **Why.** The operator's webhook, off by default, rejects it, or the plugin does and does not start.
    **Fix.** Use lower-case letters, digits and `_`; the prefix is a setting of its own.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go;
    k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 pkg/factory;
    Mellanox/k8s-rdma-shared-dev-plugin 410b0f3 pkg/resources/resources_manager.go.
    """
    thing, at, name, kind = named
    pattern = {"policy": _NAME, "sriov": _PLUGIN_NAME, "shared": _SHARED_NAME}[kind]
    if pattern.match(name) and len(name) <= 63:
        return
    own = name.rpartition("/")[2]
    hint = "use lower-case letters, digits and _"
    if "/" in name:
        bare = own if pattern.match(own) else re.sub(r"[^a-z0-9_]+", "_", own.lower())
        hint = f"write the name without its prefix: {bare}"
    yield ObjectFinding(thing, at, f"resource name {name!r} has invalid characters", hint)


def _named(cluster: ObjectGraph) -> Iterator[tuple[Thing, Path, str, str]]:
    for policy in cluster.policies:
        name = policy.spec.get("resourceName")
        if isinstance(name, str) and not templated(name):
            yield policy, ("spec", "resourceName"), name, "policy"
    for config in cluster.configs:
        for at, entry in config.entries:
            if isinstance(entry.get("resourceName"), str):
                kind = "shared" if config.shared else "sriov"
                yield config.thing, (*at, "resourceName"), entry["resourceName"], kind


SELECTORS = ("vendor", "deviceID", "pfNames", "rootDevices", "netFilter")


@rule("NP782", "policy that selects no NIC", on=policies)
def nic_selector(cluster: ObjectGraph, policy: Thing) -> Iterator[ObjectFinding]:
    """nicSelector needs at least one of vendor, deviceID, pfNames and rootDevices; netFilter must be the
    only key.

    **Why.** An empty selector matches every NIC or none, depending on the release; netFilter is for
    virtual machines, which have no PF to select.
    **Fix.** Name the PFs with pfNames or rootDevices.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go.
    """
    selector = mapping(policy.spec.get("nicSelector"))
    stated = [key for key in SELECTORS if selector.get(key)]
    at: Path = ("spec", "nicSelector")
    empty = "nicSelector" in policy.spec and not stated and not policy.partial
    if empty and not is_misnamed(cluster, policy, at):
        yield ObjectFinding(policy, at, "nicSelector selects nothing", "name PFs with pfNames or rootDevices")
    if "netFilter" in stated:
        others = [k for k in stated if k != "netFilter"] + [
            k for k in ("eSwitchMode", "bridge") if policy.spec.get(k)
        ]
        if others:
            message = f"netFilter cannot be combined with {', '.join(others)}"
            yield ObjectFinding(policy, (*at, "netFilter"), message, "remove netFilter or the others")


@dataclass(frozen=True, slots=True)
class Group:
    """VFs of one PF that a policy selects, first and last index; ``at``: place of the selector."""

    policy: Thing
    at: Path
    pf: str
    first: int
    last: int
    ranged: bool


def _count(policy: Thing) -> int | None:
    number = policy.spec.get("numVfs")
    return number if type(number) is int else None


def groups(policy: Thing, key: str = "pfNames") -> list[Group]:
    """Groups that can be parsed; NP783 reports the others."""
    found: list[Group] = []
    count = _count(policy)
    for index, element in enumerate(listing(mapping(policy.spec.get("nicSelector")).get(key))):
        if not isinstance(element, str) or templated(element):
            continue
        pf, mark, text = element.partition("#")
        match = _RANGE.match(text)
        if any(group.pf == pf for group in found):
            continue
        if match and mark:
            first, last = int(match[1]), int(match[2])
        elif not mark and count:
            first, last = 0, count - 1
        else:
            continue
        at = ("spec", "nicSelector", key, index)
        found.append(Group(policy, at, pf, first, last, bool(mark)))
    return found


@rule("NP783", "VF range outside the VFs of a PF", on=policies)
def vf_ranges(_: ObjectGraph, policy: Thing) -> Iterator[ObjectFinding]:
    """The operator takes `pf#first-last` only, with first <= last < numVfs; no lists, no single index.

    **Why.** The webhook rejects it; with the webhook off, the default, the operator's daemon fails or
    panics. The device plugin's own file has a different syntax (`pf#0-3,5`).
    **Fix.** Write `pf#0-3`; a single VF is `pf#3-3`.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go,
    api/v1/helper.go; openshift/sriov-network-operator#88.
    """
    count = _count(policy)
    seen: dict[str, str] = {}
    for index, element in enumerate(listing(mapping(policy.spec.get("nicSelector")).get("pfNames"))):
        if not isinstance(element, str) or templated(element):
            continue
        at = ("spec", "nicSelector", "pfNames", index)
        pf, mark, text = element.partition("#")
        match = _RANGE.match(text)
        if mark and not match:
            yield ObjectFinding(
                policy, at, f"{element} has a range that the operator cannot parse", f"write {pf}#first-last"
            )
        elif match and int(match[1]) > int(match[2]):
            yield ObjectFinding(policy, at, f"{element} runs backwards", f"write {pf}#{match[2]}-{match[1]}")
        elif match and count is not None and int(match[2]) >= count:
            message = f"{element} goes beyond numVfs {count}, whose last VF is {count - 1}"
            yield ObjectFinding(policy, at, message, f"end the range at {count - 1}, or raise numVfs")
        elif pf in seen and seen[pf] != element:
            message = f"{element} is ignored: only the first element of PF {pf} counts, {seen[pf]}"
            yield ObjectFinding(policy, at, message, "write one range per PF and policy")
        seen.setdefault(pf, element)


@rule("NP784", "settings of a policy exclude each other", on=policies)
def combinations_allowed(_: ObjectGraph, policy: Thing) -> Iterator[ObjectFinding]:
    """vfio-pci has no RDMA device, switchdev needs Ethernet, vdpaType needs netdevice and switchdev, a bridge
    needs switchdev.

    **Why.** The webhook rejects the policy; with the webhook off, VFs come up without the requested
    feature: a VF bound to vfio-pci has no verbs device.
    **Fix.** Change one of the two settings named.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go.
    """
    spec = policy.spec
    switchdev = spec.get("eSwitchMode") == "switchdev"
    if spec.get("deviceType") == "vfio-pci" and spec.get("isRdma") is True:
        message = "isRdma is true, but deviceType is vfio-pci, which has no RDMA device"
        yield ObjectFinding(policy, ("spec", "isRdma"), message, "write deviceType: netdevice")
    if switchdev and str(spec.get("linkType") or "eth").lower() != "eth":
        message = f"eSwitchMode is switchdev, but linkType is {spec.get('linkType')}"
        yield ObjectFinding(policy, ("spec", "eSwitchMode"), message, "switchdev is for linkType eth")
    if spec.get("vdpaType") and not (switchdev and (spec.get("deviceType") or "netdevice") == "netdevice"):
        message = f"vdpaType {spec['vdpaType']} needs deviceType netdevice and eSwitchMode switchdev"
        yield ObjectFinding(policy, ("spec", "vdpaType"), message, "add them, or remove vdpaType")
    if spec.get("bridge") and (not switchdev or spec.get("externallyManaged") is True):
        message = "bridge needs eSwitchMode switchdev, and VFs that the operator manages"
        yield ObjectFinding(
            policy, ("spec", "bridge"), message, "write eSwitchMode: switchdev, or remove bridge"
        )


@rule("NP785", "invalid number of VFs", on=policies)
def vf_count(_: ObjectGraph, policy: Thing) -> Iterator[ObjectFinding]:
    """numVfs is at least 1, and at most 128 for NVIDIA NICs.

    **Why.** The CRD accepts 0 and any number, the webhook does not; with the webhook off, no VF or no
    resource appears.
    **Fix.** Write a number that the NIC's firmware supports; NicConfigurationTemplate.numVfs must allow
    it too.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go.
    """
    count = _count(policy)
    nvidia = str(mapping(policy.spec.get("nicSelector")).get("vendor")).lower() == "15b3"
    if count == 0:
        yield ObjectFinding(
            policy, ("spec", "numVfs"), "numVfs is 0", "write 1 or more, or remove the policy"
        )
    elif count is not None and nvidia and count > NVIDIA_VFS_MAX:
        message = f"numVfs is {count}, but the operator takes at most {NVIDIA_VFS_MAX} for an NVIDIA NIC"
        yield ObjectFinding(policy, ("spec", "numVfs"), message, f"write at most {NVIDIA_VFS_MAX}")


def selector_of(policy: Thing) -> dict[str, Any]:
    return mapping(policy.spec.get("nicSelector"))
