"""NP685: objects of operators in a namespace where none of them runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.diagnostics import Severity
from netplan.graph.kubernetes.cluster import NV_IPAM, SRIOV, ObjectGraph
from netplan.graph.kubernetes.selections import pod_selections
from netplan.reading.kubernetes.objects import Thing, templated
from netplan.records import dataclass
from netplan.report import and_more
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.shape import home_of

_READ_AT_HOME = (
    (NV_IPAM, ("IPPool", "CIDRPool")),
    (SRIOV, ("SriovNetworkNodePolicy", "SriovNetworkPoolConfig")),
)
_SYSTEM = re.compile(r"kube-|openshift|operator|nvidia|mellanox|network|sriov|ipam|system")
"""What namespaces of operators are called."""


_OPERATOR = re.compile(r"sriov-network-operator|network-operator|nv-ipam")
"""What their workloads are called."""


@dataclass(frozen=True, slots=True)
class Lodged:
    """Objects of one group in a namespace, and a pod there that attaches networks, None if there is none."""

    things: list[Thing]
    pod: Thing | None


def _lodged(cluster: ObjectGraph) -> list[Lodged]:
    """Groups all of whose objects are in one namespace; NP755 compares those of several."""
    pods: dict[str | None, Thing] = {}
    for pod in cluster.pods:
        if pod_selections(pod):
            pods.setdefault(pod.thing.namespace, pod.thing)
    found = []
    for group, kinds in _READ_AT_HOME:
        things = cluster.of(group, *kinds)
        stated = {thing.namespace for thing in things}
        if len(stated) == 1 and things[0].namespace and not templated(things[0].namespace):
            home = home_of(cluster, things[0])
            if home is not None and home[0] != things[0].namespace:  # NP755
                continue
            found.append(Lodged(things, pods.get(things[0].namespace)))
    return found


@rule("NP685", "operator's objects in a namespace of pods", on=_lodged, severity=Severity.WARNING)
def lodged(cluster: ObjectGraph, found: Lodged) -> Iterator[ObjectFinding]:
    """nv-ipam and the SR-IOV operator read pools and policies in their own namespace only, which is seldom
    `default`, or one where pods attach networks.

    **Why.** Elsewhere such an object is accepted and ignored: pods wait for an address or a VF forever.
    **Fix.** Move the objects to the operator's namespace: nvidia-network-operator for the NVIDIA Network
    Operator, kube-system for nv-ipam alone. Ignore this warning if the operator runs here; nothing is said
    where a workload of the directory shows it.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c README.md (ippools-namespace), deploy/manifests;
    k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go.
    """
    first, *others = found.things
    namespace = str(first.namespace)
    if _SYSTEM.search(namespace) or not (found.pod or namespace == "default"):
        return
    if any(pod.thing.namespace == namespace and _OPERATOR.search(pod.thing.name) for pod in cluster.pods):
        return
    here = f", where {found.pod} attaches networks" if found.pod else ""
    more = and_more(len(others), "object")
    message = f"it{more} is in namespace {namespace}{here}; the operator reads its own namespace only"
    yield ObjectFinding(first, ("metadata", "namespace"), message, "move it to the operator's namespace")
