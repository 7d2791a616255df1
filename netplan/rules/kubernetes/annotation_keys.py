"""Keys of the networks annotation that Multus ignores, for NP750 and NP751."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.graph.kubernetes.askers import Asker, askers
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.field_names import nearest
from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import Thing

_KEYS = (
    "name", "namespace", "ips", "mac", "infiniband-guid", "interface", "portMappings", "bandwidth",
    "deviceID", "cni-args", "default-route", "ipam-claim-reference",
)  # fmt: skip
"""k8snetworkplumbingwg/multus-cni 95a0932 pkg/types/types.go and
k8snetworkplumbingwg/network-attachment-definition-client 46fcc411 pkg/apis/k8s.cni.cncf.io/v1/types.go,
NetworkSelectionElement."""
_OLD_KEYS = ("interfaceRequest", "ipRequest", "macRequest")
"""Those of releases before 3.2 (qyzhaoxun/multus-cni 7822a5f pkg/types/types.go, a fork of then)."""

_MEANT = {
    "ipAddress": "ips", "ipAddresses": "ips", "macAddress": "mac", "guid": "infiniband-guid",
}  # fmt: skip
"""Words for what other keys say. A gateway is none of them: default-route would move that of the pod."""
_GATEWAY = "remove it; write default-route if the pod's default route is to go there"


def asking(cluster: ObjectGraph) -> dict[int, list[Asker]]:
    """Those whose annotation is read, by object."""

    def make() -> dict[int, list[Asker]]:
        found: dict[int, list[Asker]] = {}
        for asker in askers(cluster):
            if asker.selections and not asker.replaced:
                found.setdefault(id(asker.thing), []).append(asker)
        return found

    return cluster.once("askers by object", make)


def ignored_keys(cluster: ObjectGraph, thing: Thing) -> Iterator[FieldFault]:
    """Go reads the names of keys in any case. ``near``: empty where nothing says what was meant."""
    read = {key.lower() for key in (*_KEYS, *_OLD_KEYS)}
    for asker in asking(cluster).get(id(thing), ()):
        for selection in asker.selections or ():
            for key in selection.more:
                if key.lower() in read:
                    continue
                near = _MEANT.get(key) or nearest(key, list(_KEYS))
                message = f"Multus does not read {key} of network {selection.name}"
                other = _GATEWAY if key == "gateway" else f"remove it; Multus reads {', '.join(_KEYS)}"
                hint = f"write {near}" if near else other
                yield FieldFault((*selection.at, key), message, hint, unknown=True, near=near)
