"""What requests GPUs: pod templates of any kind, and places outside them.

A pod template is any map with a spec that has containers (``gather``). Two kinds describe pods in another
form and are read as the pod they become: a template of an Argo Workflow, and a TrainJob with its runtime.
GPU requests anywhere else are kept by place, so that they can be reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from netplan.catalog import is_gpu
from netplan.diagnostics import Path
from netplan.graph.kubernetes.argo import argo_pods
from netplan.graph.kubernetes.cluster import ObjectGraph, Pod, quantities, whole_number
from netplan.graph.kubernetes.gather import NO_PODS
from netplan.graph.kubernetes.trainer import Trained, train_jobs
from netplan.reading.kubernetes.objects import Thing, inside, is_object, listing, mapping
from netplan.records import dataclass

_SLICE = re.compile(r"nvidia\.com/(?:mig-.+|gpu\.shared)\Z")
"""A MIG slice or a shared GPU: a GPU resource, but not a whole GPU."""
_CLASS = re.compile(r"(?:gpu|mig)\.(?P<vendor>nvidia|amd|intel)\.com\Z")
"""DeviceClasses of the vendors' DRA drivers."""
_VENDORS = {"nvidia": "nvidia.com", "amd": "amd.com", "intel": "gpu.intel.com"}
_BARE = "gpu"
"""Abbreviation of the resource in custom resources; in a pod it is not a valid one."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asking:
    """A pod that requests GPUs. ``gpus``: the amounts as written, by resource or DeviceClass. ``at``:
    where. ``unseen``: an object that supplies part of the pod and is not here; then only what is stated
    counts. ``alone``: the pod of a TrainJob whose limits replace those of its runtime."""

    pod: Pod
    gpus: dict[str, str]
    at: Path
    unseen: str = ""
    alone: Pod | None = None

    @property
    def thing(self) -> Thing:
        return self.pod.thing

    @property
    def namespace(self) -> str | None:
        """Namespace of the innermost object: an AppWrapper wraps objects."""
        here, found = self.thing.body, self.thing.namespace
        for part in self.pod.path:
            here = inside(here, (part,))
            if is_object(here):
                own = inside(here, ("metadata", "namespace"))
                found = own if isinstance(own, str) and own else found
        return found

    @property
    def vendors(self) -> set[str]:
        return {vendor for name in self.gpus if (vendor := vendor_of(name))}

    @property
    def whole(self) -> int:
        """Number of whole GPUs, slices not counted; 0 if it is not written as a number."""
        amounts = [a for name, a in self.gpus.items() if not _SLICE.match(name)]
        return sum(map(whole_number, amounts))

    def __str__(self) -> str:
        return ", ".join(f"{amount} {name}".strip() for name, amount in self.gpus.items())


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Place:
    """A resources map with GPUs outside any pod template."""

    thing: Thing
    at: Path
    gpus: dict[str, str]
    resources: dict[str, Any]


def vendor_of(name: str) -> str | None:
    """Vendor domain of a GPU resource or GPU DeviceClass; None for anything else."""
    if is_gpu(name):
        return name.partition("/")[0]
    claimed = _CLASS.match(name)
    return _VENDORS[claimed["vendor"]] if claimed else None


def gpu_pods(cluster: ObjectGraph) -> list[Asking]:
    return cluster.once("gpu pods", lambda: list(_gpu_pods(cluster)))


def _gpu_pods(cluster: ObjectGraph) -> Iterator[Asking]:
    jobs = train_jobs(cluster)
    for pod in chain(cluster.pods, argo_pods(cluster)):
        yield from _asking(cluster, pod, None)
    for job in jobs:
        yield from _asking(cluster, job.pod, job)


def _asking(cluster: ObjectGraph, pod: Pod, job: Trained | None) -> Iterator[Asking]:
    gpus: dict[str, str] = {}
    places: list[Path] = []
    for at, container in chain(pod.containers(), pod.containers("initContainers")):
        for name, amount, part in _amounts(container):
            gpus.setdefault(name, amount)
            places.append((*at, "resources", part, name))
    for at, name in _claimed(cluster, pod):
        gpus.setdefault(name, "")
        places.append(at)
    if gpus:
        if job is None:
            yield Asking(pod=pod, gpus=gpus, at=places[0])
        else:
            yield Asking(pod=pod, gpus=gpus, at=job.at, unseen=job.unseen, alone=job.alone)


def _amounts(container: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(resource, amount, limits or requests) of each GPU resource with a nonzero amount."""
    for part in ("limits", "requests"):
        for name, amount in quantities(container, part).items():
            if is_gpu(name) and _some(amount):
                yield name, str(amount), part


def _some(amount: Any) -> bool:
    """Whether the amount is nonzero; a text that is still to be replaced counts as nonzero."""
    return isinstance(amount, str | int | float) and str(amount).strip() not in ("", "0", "0.0", "False")


def _claimed(cluster: ObjectGraph, pod: Pod) -> Iterator[tuple[Path, str]]:
    """The pod's claims that a GPU DRA driver allocates, as far as they are here."""
    for index, entry in enumerate(listing(pod.spec.get("resourceClaims"))):
        for key, kind in (
            ("resourceClaimTemplateName", "ResourceClaimTemplate"),
            ("resourceClaimName", "ResourceClaim"),
        ):
            name = mapping(entry).get(key)
            for claim in cluster.of("resource.k8s.io", kind) if isinstance(name, str) else ():
                mine = claim.name == name and claim.may_be_beside(pod.thing)
                found = next(_classes(claim), None) if mine else None
                if found:
                    yield (*pod.path, "spec", "resourceClaims", index), found


def _classes(claim: Thing) -> Iterator[str]:
    own = claim.spec.get("spec") if claim.kind == "ResourceClaimTemplate" else claim.spec
    for request in listing(inside(own, ("devices", "requests"))):
        exact = mapping(request).get("exactly", request)
        for one in (exact, *listing(mapping(request).get("firstAvailable"))):
            name = mapping(one).get("deviceClassName")
            if isinstance(name, str) and _CLASS.match(name):
                yield name


def elsewhere(cluster: ObjectGraph) -> list[Place]:
    """Places outside pod templates that request GPUs."""

    def make() -> list[Place]:
        taken: dict[int, set[Path]] = {}
        for asking in gpu_pods(cluster):
            taken.setdefault(id(asking.thing), set()).add(asking.pod.path)
        for pod in cluster.pods:
            taken.setdefault(id(pod.thing), set()).add(pod.path)
        return [
            place
            for thing in cluster.tree.things
            if thing.kind not in NO_PODS and not thing.owned
            for place in _places(thing, (), thing.body, taken.get(id(thing), set()))
        ]

    return cluster.once("gpus elsewhere", make)


def _places(thing: Thing, at: Path, value: Any, taken: set[Path]) -> Iterator[Place]:
    if at in taken or at in (("metadata",), ("status",)):
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places(thing, (*at, index), item, taken)
    elif isinstance(value, dict):
        for key, item in value.items():
            gpus = _in_resources(item) if key == "resources" else {}
            if gpus:
                yield Place(thing=thing, at=(*at, key), gpus=gpus, resources=item)
            elif isinstance(item, dict | list):
                yield from _places(thing, (*at, key), item, taken)


def _in_resources(value: Any) -> dict[str, str]:
    parts = [mapping(mapping(value).get(part)) for part in ("limits", "requests")]
    return {
        str(name): str(amount)
        for part in parts
        for name, amount in part.items()
        if (is_gpu(str(name)) or name == _BARE) and _some(amount)
    }
