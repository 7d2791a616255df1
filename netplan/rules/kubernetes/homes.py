"""NP685, NP755: objects of operators in a namespace where none of them runs, or away from the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from netplan.diagnostics import Severity
from netplan.graph.kubernetes.cluster import NIC_CONFIGURATION, NV_IPAM, SRIOV, ObjectGraph
from netplan.graph.kubernetes.selections import pod_selections
from netplan.reading.kubernetes.objects import Thing
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.report import and_more
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.shape import defined, is_cluster_scoped

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


def _namespaced(cluster: ObjectGraph) -> list[Thing]:
    return [t for t in defined(cluster) if not is_cluster_scoped(cluster, t)]


@rule("NP755", "object in the wrong namespace", on=_namespaced, between=True)
def scope(cluster: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """Operators read their own objects in their own namespace only. Of two namespaces that are both named
    like an operator's, in files of others that no kustomization joins, it is a note: there may be two
    operators.

    **Why.** A policy or pool elsewhere is ignored without an error. An SriovNetwork may name a namespace
    for its NAD only if it is in the operator's own namespace; elsewhere the controller rejects it.
    **Fix.** Move the object to the namespace named.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go,
    pkg/webhook/validate_networks.go; Mellanox/nvidia-k8s-ipam 3ce4a34 deploy/manifests.
    """
    home = _other_home(cluster, thing)
    if home is None:
        return
    where, witness = home
    unsure = are_of_two_operators(cluster, thing, witness)
    if thing.kind in _AT_HOME:
        message = f"it is in namespace {thing.namespace}, {witness} is in {where}: only one of them is read"
        yield ObjectFinding(thing, ("metadata", "namespace"), message, f"move it to {where}", unsure=unsure)
    if is_refused(cluster, thing):
        target = thing.spec["networkNamespace"]
        own = f"the operator's is {where} ({witness})"
        message = f"networkNamespace {target} is set in namespace {thing.namespace}, {own}"
        hint = f"remove networkNamespace, or move the object to {where}"
        yield ObjectFinding(thing, ("spec", "networkNamespace"), message, hint, unsure=unsure)


def _other_home(cluster: ObjectGraph, thing: Thing) -> tuple[str, Thing] | None:
    """The namespace of the operator, and what shows it, where the object states another."""
    home = home_of(cluster, thing)
    if home is None or thing.namespace in (None, home[0]) or templated(thing.namespace):
        return None
    return home


def is_refused(cluster: ObjectGraph, thing: Thing) -> bool:
    """Whether a network names a namespace outside that of its operator, which generates nothing for it."""
    named = thing.kind in _MAY_ROAM and bool(thing.spec.get("networkNamespace"))
    return named and _other_home(cluster, thing) is not None


_AT_HOME = {"SriovNetworkNodePolicy", "SriovNetworkPoolConfig", "IPPool", "CIDRPool"}
_OF_NICS = ("NicConfigurationTemplate", "NicInterfaceNameTemplate", "NicFirmwareTemplate")
"""Read in any namespace, but a chart puts them beside its other objects (Mellanox/nic-configuration-operator
0ba486d internal/controller/nicconfigurationtemplate_controller.go, List without a namespace)."""
_MAY_ROAM = {"SriovNetwork", "SriovIBNetwork", "OVSNetwork"}
_WITNESSES = ("SriovOperatorConfig", "SriovNetworkNodePolicy", "SriovNetworkPoolConfig")


def home_of(cluster: ObjectGraph, thing: Thing) -> tuple[str, Thing] | None:
    """The namespace of the operator that reads an object: that of its configuration, else the one named
    like an operator's, else that of more than half of its objects; None if the tree does not tell. Folders
    that are alternatives have one each."""
    kinds = _WITNESSES if thing.kind in _MAY_ROAM else tuple(sorted(_AT_HOME))
    side = cluster.alternatives.side(thing)
    key = ("home", thing.group, kinds, side)
    return cluster.once(key, lambda: _find_home(cluster, thing.group, kinds, side))


def _find_home(
    cluster: ObjectGraph, group: str, kinds: tuple[str, ...], side: str | None
) -> tuple[str, Thing] | None:
    def near(things: list[Thing]) -> list[Thing]:
        return [t for t in things if side is None or cluster.alternatives.side(t) in (None, side)]

    config = near(cluster.of(group, "SriovOperatorConfig"))
    config = [t for t in config if t.name == "default" and t.namespace]
    if config:
        one = len({t.namespace for t in config}) == 1
        return (str(config[0].namespace), config[0]) if one else None
    return _most(near(_at_home(cluster, group, kinds)))


def _most(same: list[Thing]) -> tuple[str, Thing] | None:
    usual = [t for t in same if _OPERATORS.search(str(t.namespace))]
    if len({t.namespace for t in usual}) == 1:
        return str(usual[0].namespace), usual[0]
    for namespace, number in Counter(t.namespace for t in same).items():
        if 2 * number > len(same):
            return str(namespace), next(t for t in same if t.namespace == namespace)
    return None


def _at_home(cluster: ObjectGraph, group: str, kinds: tuple[str, ...]) -> list[Thing]:
    """Objects that their operator reads only in its own namespace, if they state one."""
    same = [t for t in cluster.of(group, *kinds) if t.namespace]
    if group == SRIOV:  # kinds that can name a namespace for their NAD are in the operator's too
        same += [t for t in cluster.of(group, *_MAY_ROAM) if t.namespace and t.spec.get("networkNamespace")]
    if group == NV_IPAM:  # one chart, one namespace
        same += [t for t in cluster.of(NIC_CONFIGURATION, *_OF_NICS) if t.namespace]
    return same


_OPERATORS = re.compile(r"(?:sriov-)?network-operator\Z")
"""Namespace names in the manifests and charts of these operators: sriov-network-operator,
openshift-sriov-network-operator, nvidia-network-operator."""


def are_of_two_operators(cluster: ObjectGraph, one: Thing, other: Thing) -> bool:
    """Whether two objects are of two setups, of which one is applied: each is in a namespace of its own that
    is named like an operator's, and no kustomization joins them."""
    spaces = {str(thing.namespace) for thing in (one, other)}
    return len(spaces) > 1 and all(map(_OPERATORS.search, spaces)) and not cluster.joined(one, other)
