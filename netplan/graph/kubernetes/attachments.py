"""Networks a pod attaches: each reference of its annotation, with the networks it may mean."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from typing import TypeVar

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph, Pod
from netplan.graph.kubernetes.selections import NetworkSelection, pod_selections
from netplan.reading.kubernetes.objects import Thing
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PodInterface:
    """One interface that Multus adds to a pod. ``at``: place of the reference. ``networks``: candidates,
    those of the nearest file first, since a directory may hold alternatives; empty if none is here. ``ips``,
    ``macs``: addresses that the reference asks for."""

    pod: Pod
    at: Path
    namespace: str | None
    name: str
    interface: str
    networks: tuple[Nad, ...]
    ips: tuple[str, ...] = ()
    macs: tuple[str, ...] = ()

    @property
    def network(self) -> Nad | None:
        return self.networks[0] if self.networks else None

    @property
    def definitions(self) -> tuple[Nad, ...]:
        """The networks of which any may be the one: a finding has to hold for all of them."""
        return tuple(in_question(self.pod.thing, self.networks, lambda network: network.thing))

    @property
    def reference(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


def attachments_of(cluster: ObjectGraph, pod: Pod) -> tuple[PodInterface, ...]:
    """In the annotation's order, which numbers the interfaces net1, net2, ...
    (k8snetworkplumbingwg/multus-cni v4.3.0 pkg/multus/multus.go, getIfname)."""
    key = ("attachments", id(pod.thing), pod.path)
    selections = pod_selections(pod) or ()
    return cluster.once(key, lambda: tuple(interfaces(cluster, pod, pod.thing.namespace, selections)))


def interfaces(
    cluster: ObjectGraph, pod: Pod, home: str | None, selections: Iterable[NetworkSelection]
) -> list[PodInterface]:
    """``home``: the namespace of the pod."""
    found = []
    for number, selection in enumerate(selections, 1):
        namespace = selection.namespace or home
        named = cluster.named(namespace, selection.name)
        found.append(
            PodInterface(
                pod=pod,
                at=selection.at,
                namespace=namespace,
                name=selection.name,
                interface=selection.interface or f"net{number}",
                networks=tuple(sorted(named, key=lambda n: apart(pod.thing, n.thing))),
                ips=selection.ips,
                macs=selection.macs,
            )
        )
    return found


def pods_of(cluster: ObjectGraph, network: Thing) -> list[Pod]:
    """Pods that attach what the object defines."""

    def make() -> dict[int, list[Pod]]:
        found: dict[int, list[Pod]] = {}
        for pod in cluster.pods:
            named = {id(n.thing) for a in attachments_of(cluster, pod) for n in a.definitions}
            for each in named:
                found.setdefault(each, []).append(pod)
        return found

    return cluster.once("pods of networks", make).get(id(network), [])


T = TypeVar("T")


def nearest(thing: Thing, found: Iterable[T], thing_of: Callable[[T], Thing]) -> list[T]:
    """Of objects with the same name, those in the file nearest to ``thing``: a directory may hold
    alternatives."""
    groups: dict[str, list[T]] = {}
    for each in sorted(found, key=lambda each: apart(thing, thing_of(each))):
        same = groups.setdefault(str(thing_of(each)), [])
        if not same or thing_of(same[0]) is thing_of(each):
            same.append(each)
    return [each for same in groups.values() for each in same]


def in_question(thing: Thing, found: Iterable[T], thing_of: Callable[[T], Thing]) -> list[T]:
    """Of objects with the same name, those in the file of ``thing``, else those in its folder, else all."""
    placed = [(apart(thing, thing_of(each)), each) for each in found]
    nearest_of = min((distance for distance, _ in placed), default=0)
    return [each for distance, each in placed if distance == nearest_of or nearest_of > 0]


def apart(one: Thing, other: Thing) -> int:
    """Number of folders between the files of two objects; -1 if they share a file."""
    if one.file == other.file:
        return -1
    first, second = (posixpath.dirname(thing.file).split("/") for thing in (one, other))
    shared = len(posixpath.commonprefix([first, second]))
    return len(first) + len(second) - 2 * shared
