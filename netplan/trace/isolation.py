"""Whether a pod sees its RDMA devices: the host's RDMA namespace mode and the plugin that moves a device."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.graph.hosts import file_of
from netplan.graph.kubernetes.cluster import SRIOV, Nad, ObjectGraph
from netplan.model.site import SiteHost
from netplan.reading.hosts import module_options
from netplan.reading.kubernetes.objects import inside, mapping
from netplan.trace.model import Fault, Verdict

_STATES: Mapping[str, tuple[str, str]] = {
    "link_state": ("disable", "the VF is down"),
    "linkState": ("disable", "the VF is down"),
    "vlanProto": ("802.1ad", "frames have an outer tag that no port here accepts"),
}
"""Setting of sriov, ib-sriov or their operator -> value that cuts a pod off
(k8snetworkplumbingwg/sriov-cni docs/configuration-reference.md)."""
_MODES = {"0": "exclusive", "N": "exclusive", "n": "exclusive", "1": "shared", "Y": "shared", "y": "shared"}
"""Values of netns_mode, a bool parameter (torvalds/linux drivers/infiniband/core/device.c)."""


def attachment_faults(network: Nad) -> Iterator[Fault]:
    """VF settings that block all traffic."""
    for path, plugin in network.plugins[:1]:
        for key, (value, why) in _STATES.items():
            if plugin.get(key) == value:
                source = network.thing.source((*path, key))
                text = f"{key} of {network.name} is {value}: {why} ({source.file}:{source.line})"
                yield Fault(Verdict.LOST, text)


def isolation(
    texts: Mapping[str, str], cluster: ObjectGraph, host: SiteHost, network: Nad, file: str
) -> Iterator[Fault]:
    """In shared mode the rdma plugin fails the pod (k8snetworkplumbingwg/rdma-cni cmd/rdma/main.go,
    ensureRdmaSystemMode); in exclusive mode a pod without the plugin sees no device (rdma-system(8))."""
    mode, at = _mode(texts, cluster, host)
    moves = "rdma" in network.types
    if moves and mode == "shared":
        text = (
            f"{network.name} chains rdma ({file}), which needs RDMA devices to be exclusive: {at} shares them"
        )
        yield Fault(Verdict.LOST, text)
    elif moves and mode is None:
        text = f"{network.name} chains rdma ({file}); that RDMA devices of {host.name} are exclusive to a "
        yield Fault(
            Verdict.UNPROVED, f"{text}namespace is not stated; options ib_core netns_mode=0 would prove it"
        )
    elif not moves and mode == "exclusive" and network.resource is not None:
        text = f"RDMA devices are exclusive to a namespace ({at}) and {network.name} does not chain rdma"
        yield Fault(Verdict.LOST, f"{text}: the pod sees none ({file})")


def _mode(texts: Mapping[str, str], cluster: ObjectGraph, host: SiteHost) -> tuple[str | None, str]:
    """(mode, file and line); mode None if no file states it."""
    found = file_of(texts, host, "modprobe.d/rdma.conf")
    if found is not None:
        unit = module_options(*found)
        stated = unit.last("ib_core", "netns_mode")
        if stated is not None:
            return _MODES.get(stated.value), unit.at(stated)
    for thing in cluster.of(SRIOV, "SriovNetworkPoolConfig"):
        labels = mapping(inside(thing.spec, ("nodeSelector", "matchLabels")))
        if host.has(labels) and isinstance(thing.spec.get("rdmaMode"), str):
            return thing.spec["rdmaMode"], f"{thing.file}:{thing.source(('spec', 'rdmaMode')).line}"
    return None, ""
