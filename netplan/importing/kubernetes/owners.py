"""What creates VFs, advertises devices and configures NICs: policies, device plugins, operators.

Fields: SriovNetworkNodePolicy k8snetworkplumbingwg/sriov-network-operator 249e200
api/v1/sriovnetworknodepolicy_types.go. Resources of the device plugins:
k8snetworkplumbingwg/sriov-network-device-plugin README.md, Mellanox/k8s-rdma-shared-dev-plugin README.md,
where ``devices`` beside ``resourceName`` are interfaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from netplan.importing.facts import Fact, Of, Remark, not_taken
from netplan.importing.kubernetes import dranet
from netplan.importing.kubernetes.nics import LINKS, MOST_MTU
from netplan.importing.kubernetes.objects import Path, Reader
from netplan.importing.kubernetes.spectrum_x import profile_facts

_PCI_SELECTORS = ("rootDevices", "pciAddresses")
_NAME_SELECTORS = ("pfNames", "ifNames")
_ID_SELECTORS: Mapping[str, str] = {
    "devices": "devices",
    "deviceIDs": "pf_devices",
    "deviceID": "pf_devices",
    "vendors": "vendors",
    "vendor": "vendors",
}
"""``devices`` of the SR-IOV device plugin also match virtual functions, ``deviceIDs`` of the other plugin and
``deviceID`` of a policy only physical ones."""
_RANGE = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")

_LINKS: Mapping[str, str] = {"ether": "ethernet", "infiniband": "infiniband"}
"""``linkTypes`` of both plugins (sriov-network-device-plugin README.md)."""


_RDMA_ONLY = (
    "netplan writes true: the resource then has the RDMA devices too, and no VF without one; in exclusive "
    "RDMA mode its networks get the rdma plugin"
)
"""k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/sriovnetworknodepolicy_types.go, IsRdma,
false by default; k8snetworkplumbingwg/sriov-network-device-plugin README.md, isRdma."""


_PORT_MTU = "netplan's policies of InfiniBand VFs set no MTU: they have that of the port"


def policy_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Facts of a SriovNetworkNodePolicy; the operator's own "default" selects nothing."""
    name, selector = read.text("spec", "resourceName"), read.value("spec", "nicSelector")
    if not name or not selector:
        read.seen.add(("spec",))
        return
    yield read.fact("cluster", (), "sriov_operator", True, "spec")
    yield read.fact("cluster", (), "sriov_namespace", read.text("metadata", "namespace"), "metadata")
    outside = read.flag("spec", "externallyManaged") or False
    yield read.fact("cluster", (), "externally_managed", outside, "spec", "externallyManaged")
    of = (name, read.thing.name)
    yield read.fact("resource", of, "policy", True, "spec", "resourceName")
    yield from selected(read, of, ("spec", "nicSelector"))
    if vfs := read.number("spec", "numVfs"):
        yield read.fact("resource", of, "vfs", vfs, "spec", "numVfs")
    if mtu := read.number("spec", "mtu", most=MOST_MTU):
        yield read.fact("resource", of, "mtu", mtu, "spec", "mtu")
    if read.flag("spec", "isRdma"):
        yield read.fact("resource", of, "rdma", True, "spec", "isRdma")
    else:
        stated = "not set" if read.value("spec", "isRdma") is None else "false"
        text = f"{read.called(('spec', 'isRdma'))} is {stated}: {_RDMA_ONLY}"
        yield Remark(read.at("spec", "isRdma"), text, alike=_RDMA_ONLY)
    if link := read.word(LINKS, "spec", "linkType"):
        yield read.fact("resource", of, "link", link, "spec", "linkType")
        if mtu and link == "infiniband":
            yield not_taken(read.at("spec", "mtu"), read.called(("spec", "mtu")), mtu, _PORT_MTU)
    yield from read.labels("resource", of, "spec", "nodeSelector")


def plugin_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Facts of a ConfigMap with a device plugin's configuration."""
    for place in read.thing.texts:
        yield from plugin_config(read, place, "manual")


def plugin_config(read: Reader, place: Path, owner: str) -> Iterator[Fact]:
    """Resources of both plugins, a subject for each selector: the SR-IOV plugin takes several."""
    for key in ("resourceList", "configList"):
        for number, (path, _) in enumerate(read.rows(*place, key)):
            name = read.text(*path, "resourceName")
            if not name:
                read.refuse("it has no resourceName", *path)
                continue
            yield read.fact("cluster", (), "device_plugin", owner, *path)
            if key == "configList":
                yield read.fact("cluster", (), "rdma_mode/needed/shared", True, *path)
            at = (*path, "selectors")
            several = [each for each, _ in read.rows(*at)] if isinstance(read.value(*at), list) else [at]
            for index, selector in enumerate(several):
                of = (name, f"{read.thing.name}[{number}]" + (f"[{index}]" if index else ""))
                yield from _resource(read, of, path)
                yield from _names(read, of, (*path, "devices"))
                yield from selected(read, of, selector)


def _resource(read: Reader, of: Of, path: Path) -> Iterator[Fact]:
    if prefix := read.text(*path, "resourcePrefix"):
        yield read.fact("resource", of, "prefix", prefix, *path)
    if share := read.number(*path, "rdmaHcaMax"):
        yield read.fact("resource", of, "share_max", share, *path, "rdmaHcaMax")


def selected(read: Reader, of: Of, path: Path) -> Iterator[Fact]:
    """By PCI address, by name (``ens1f0#0-3`` is VFs of ens1f0), by device ID, link type or vendor."""
    for key in _PCI_SELECTORS:
        texts = read.texts(*path, key)
        found = [pci for index in range(len(texts)) if (pci := read.pci(*path, key, index))]
        yield from _selector(read, of, "pci", found, (*path, key))
    for key in _NAME_SELECTORS:
        yield from _names(read, of, (*path, key))
    for key, field in _ID_SELECTORS.items():
        single = [read.text(*path, key)] if not isinstance(read.value(*path, key), list) else []
        yield from _selector(read, of, field, single or read.texts(*path, key), (*path, key))
    words = read.texts(*path, "linkTypes")
    links = [word for n in range(len(words)) if (word := read.word(_LINKS, *path, "linkTypes", n))]
    yield from _selector(read, of, "links", links, (*path, "linkTypes"))
    if read.flag(*path, "isRdma"):
        yield read.fact("resource", of, "rdma", True, *path, "isRdma")


def _names(read: Reader, of: Of, path: Path) -> Iterator[Fact]:
    names = read.texts(*path)
    yield from _selector(read, of, "netdevs", [name.partition("#")[0] for name in names], path)
    ranges = {name.partition("#")[2] for name in names}
    if len(ranges) == 1 and (span := _RANGE.fullmatch(ranges.pop())):
        first = int(span[1])
        yield read.fact("resource", of, "vf_range", f"{first}-{int(span[2] or first)}", *path)


def _selector(read: Reader, of: Of, field: str, values: list[str], path: Path) -> Iterator[Fact]:
    if found := tuple(value.lower() if field != "netdevs" else value for value in values if value):
        yield read.fact("resource", of, field, found, *path)


DRA_DRIVERS: Mapping[str, str] = {
    "sriovnetwork.k8snetworkplumbingwg.io": "dra-driver-sriov",
    "dra.net": "dranet",
}
"""Driver of a ResourceSlice -> owner of the devices (k8snetworkplumbingwg/dra-driver-sriov cd9404f
pkg/consts/consts.go, kubernetes-sigs/dranet f258477 cmd/dranet/app.go)."""


def slice_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Of a ResourceSlice: its driver advertises devices, and DRANET says what each card is. Those of other
    drivers, such as of GPUs, are of no use."""
    driver = read.text("spec", "driver")
    if driver in DRA_DRIVERS:
        yield read.fact("cluster", (), "dra_driver", DRA_DRIVERS[driver], "spec", "driver")
    if driver == dranet.DRIVER:
        yield from dranet.dranet_facts(read)


def nic_template_facts(read: Reader) -> Iterator[Fact | Remark]:
    yield read.fact("cluster", (), "nic_configuration", True, "kind")
    yield from profile_facts(read, ("spec", "template", "spectrumXOptimized"))


def gpu_policy_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Of the GPU Operator's ClusterPolicy (NVIDIA/gpu-operator api/nvidia/v1/clusterpolicy_types.go)."""
    for path in (("driver", "rdma"), ("gdrcopy",)):
        value = read.flag("spec", *path, "enabled")
        if value is not None:
            yield read.fact("cluster", (), f"gpu_operator/{path[0]}", value, "spec", *path, "enabled")
