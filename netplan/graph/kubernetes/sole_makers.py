"""Resources of which the directory has the one maker: what it does not make, nothing makes."""

from __future__ import annotations

import posixpath
from typing import Any

from netplan import json_text
from netplan.graph.kubernetes.cluster import NVIDIA, ObjectGraph
from netplan.reading.kubernetes.objects import RESOURCE_ANNOTATION, Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass

MACVTAP = "macvtap.network.kubevirt.io/"
"""Prefix of the resources of macvtap-cni, which KubeVirt requests for the machines of a network."""
_ENTRIES = "DP_MACVTAP_CONF"
_RDMA = "rdma/"


@dataclass(frozen=True, slots=True)
class SoleMaker:
    """``names``: full names of all resources that it makes."""

    thing: Thing
    names: tuple[str, ...]

    def is_near(self, thing: Thing) -> bool:
        """Whether the maker is in the folder of an object, or the one above, so of the same setup."""
        folder = posixpath.dirname(thing.file)
        return posixpath.dirname(self.thing.file) in (folder, posixpath.dirname(folder))


def maker_of_prefix(cluster: ObjectGraph, resource: str) -> SoleMaker | None:
    """The one maker of all resources with the prefix of this one."""
    prefix = next((each for each in _MAKERS if resource.startswith(each)), "")
    return cluster.once(("sole maker", prefix), lambda: _MAKERS[prefix](cluster)) if prefix else None


def sole_maker(cluster: ObjectGraph, resource: str) -> SoleMaker | None:
    """The one maker of all resources with the prefix of this one, if it does not make this one."""
    maker = maker_of_prefix(cluster, resource)
    return maker if maker and resource not in maker.names else None


def macvtap_names(cluster: ObjectGraph) -> list[tuple[Thing, str]]:
    """NADs and the resource of macvtap-cni that they name, where its configuration is here."""
    if not maker_of_prefix(cluster, MACVTAP):
        return []
    nads = cluster.of("k8s.cni.cncf.io", "NetworkAttachmentDefinition")
    named = [(nad, str(nad.annotations.get(RESOURCE_ANNOTATION))) for nad in nads]
    return [(nad, name) for nad, name in named if name.startswith(MACVTAP) and not templated(name)]


def _of_macvtap(cluster: ObjectGraph) -> SoleMaker | None:
    """Without entries the device plugin makes a resource of every link of a node
    (kubevirt/macvtap-cni 0122d4d README.md, pkg/deviceplugin/lister.go)."""
    found = [(thing, mapping(thing.body.get("data")).get(_ENTRIES)) for thing in cluster.of("", "ConfigMap")]
    found = [(thing, text) for thing, text in found if text is not None]
    if len(found) != 1:
        return None
    thing, text = found[0]
    names = [mapping(row).get("name") for row in listing(_json(text))]
    if not names or not all(isinstance(name, str) and name and not templated(name) for name in names):
        return None
    return SoleMaker(thing, tuple(f"{MACVTAP}{name}" for name in names))


def _json(text: Any) -> Any:
    try:
        return json_text.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def _of_rdma(cluster: ObjectGraph) -> SoleMaker | None:
    """A NicClusterPolicy, of which a cluster has one, or the values of which the chart makes it; other
    device plugins of the prefix are none of its."""
    makers = {name: thing for name, thing in cluster.made.items() if name.startswith(_RDMA)}
    things = {id(thing): thing for thing in makers.values()}
    if len(things) != 1:
        return None
    (thing,) = things.values()
    own = thing.group == NVIDIA or "kind" not in thing.body
    return SoleMaker(thing, tuple(makers)) if own else None


_MAKERS = {MACVTAP: _of_macvtap, _RDMA: _of_rdma}
