"""What pods on networks of the cluster ask for, by the job or other object that they are of.

The annotation is a list of names, or JSON (k8snetworkplumbingwg/multi-net-spec bf32935d v1.0, 4.1). A pod
knows its job by a label: kubernetes-sigs/jobset 08dfbdfd api/jobset/v1alpha2/jobset_types.go (JobSetNameKey),
kubernetes-sigs/lws 060ab4da api/leaderworkerset/v1/leaderworkerset_types.go (SetNameLabelKey),
kubeflow/mpi-operator caa3c47f pkg/apis/kubeflow/v2beta1/constants.go (JobNameLabel), volcano-sh/volcano
ed72c7c8 staging/src/volcano.sh/apis/pkg/apis/batch/v1alpha1/labels.go (JobNameKey), ray-project/kuberay
feeaf72f ray-operator/controllers/ray/utils/constant.go (RayClusterLabelKey). Others by their owner; a
ReplicaSet is named after its Deployment and the hash of its pods (kubernetes/kubernetes 737067c1
pkg/controller/deployment/sync.go).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from netplan.catalog import is_gpu
from netplan.importing.facts import Fact, Remark, Value, not_taken
from netplan.importing.kubernetes.objects import Path, Reader
from netplan.reading.kubernetes.objects import listing, mapping

NETWORKS = ("metadata", "annotations", "k8s.v1.cni.cncf.io/networks")
ON, AT = "on/", "at/"
"""``on/POD``: its networks, each ``namespace/name``, in order; ``at/POD``: its node."""
SIZES = (
    "gpus",
    "image",
    "cpus",
    "memory_mib",
    "shm_mib",
    "hugepages_2mi_mib",
    "runtime_class",
    "privileged",
)
"""Fields of its pods that are keys of the inventory too."""
_JOB_LABELS = (
    "jobset.sigs.k8s.io/jobset-name",
    "leaderworkerset.sigs.k8s.io/name",
    "training.kubeflow.org/job-name",
    "volcano.sh/job-name",
    "ray.io/cluster",
)
_HASH = "pod-template-hash"
_NAMED = re.compile(r"(?:(?P<space>[a-z0-9][a-z0-9-]*)/)?(?P<name>[a-z0-9][a-z0-9.-]*)(?:@[\w.-]{1,15})?")
_MOST = 64
"""Limit of networks of one pod."""
_MIB = {
    "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "": 1
}  # fmt: skip
_QUANTITY = re.compile(r"([0-9]{1,15})(Ki|Mi|Gi|Ti|k|M|G|T|)")


def workload_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Of a pod that is not over, and asks for networks."""
    text = read.text(*NETWORKS)
    if not text.strip():
        return
    space = read.text("metadata", "namespace") or "default"
    asked = _networks(text, space)
    if asked is None:
        read.refuse("neither names of networks nor JSON", *NETWORKS)
        return
    of = (space, _job(read))
    yield read.fact("workload", of, f"{ON}{read.thing.name}", asked, *NETWORKS)
    if node := read.text("spec", "nodeName"):
        yield read.fact("workload", of, f"{AT}{read.thing.name}", node, "spec", "nodeName")
    container, index = _container(read)
    if container is not None:
        for name, value, path in _of_container(read, container, ("spec", "containers", index)):
            yield read.fact("workload", of, name, value, *path)
    if name := read.text("spec", "runtimeClassName"):
        yield read.fact("workload", of, "runtime_class", name, "spec", "runtimeClassName")
    yield from _addressed(read, text)


def _networks(text: str, space: str) -> tuple[str, ...] | None:
    """``namespace/name`` of each; None if the text is no list of networks."""
    if text.lstrip().startswith("["):
        try:
            rows = [mapping(row) for row in listing(json.loads(text))]
        except (ValueError, RecursionError):
            return None
        names = [(row.get("namespace") or space, row.get("name")) for row in rows]
    else:
        found = [_NAMED.fullmatch(part.strip()) for part in text.split(",")]
        names = [(one["space"] or space, one["name"]) if one else (space, None) for one in found]
    if len(names) > _MOST or not all(isinstance(part, str) for pair in names for part in pair):
        return None
    return tuple(f"{own}/{name}" for own, name in names)


def _addressed(read: Reader, text: str) -> Iterator[Remark]:
    """Addresses that pods name themselves."""
    rows = listing(json.loads(text)) if text.lstrip().startswith("[") else []
    named = [f"{key} {row[key]}" for row in map(mapping, rows) for key in ("ips", "mac") if row.get(key)]
    if named:
        why = "the inventory has no addresses of single pods"
        yield not_taken(read.at(*NETWORKS), "network of a pod with", named[0], why)


def _job(read: Reader) -> str:
    labels = mapping(read.value("metadata", "labels"))
    for key in _JOB_LABELS:
        if isinstance(name := labels.get(key), str) and name:
            return name
    owners = [mapping(owner) for owner in listing(read.value("metadata", "ownerReferences"))]
    owner = next((each for each in owners if each.get("controller") is True), {})
    name, ending = str(owner.get("name") or read.thing.name), f"-{labels.get(_HASH)}"
    return name.removesuffix(ending) if owner.get("kind") == "ReplicaSet" else name


def _container(read: Reader) -> tuple[dict[str, Any] | None, int]:
    """The one that asks for GPUs, else the first."""
    rows = [mapping(row) for row in listing(read.value("spec", "containers"))]
    own = (index for index, row in enumerate(rows) if any(is_gpu(name) for name in _limits(row)))
    index = next(own, 0)
    return (rows[index] if rows else None), index


def _limits(container: dict[str, Any]) -> dict[str, Any]:
    resources = mapping(container.get("resources"))
    return {
        str(key): value
        for part in ("requests", "limits")
        for key, value in mapping(resources.get(part)).items()
    }


def _of_container(read: Reader, container: dict[str, Any], at: Path) -> Iterator[tuple[str, Value, Path]]:
    if image := read.text(*at, "image"):
        yield "image", image, (*at, "image")
    limits = _limits(container)
    where: Path = (*at, "resources")
    gpus = sum(_count(value) for name, value in limits.items() if is_gpu(name))
    if gpus:
        yield "gpus", gpus, where
    for field, name, number, unit in _SIZES:
        if size := number(limits.get(name)):
            yield field, size, where
        elif name in limits:
            read.refuse(f"the inventory has {name} in whole {unit}", *where)
    if mapping(container.get("securityContext")).get("privileged") is True:
        yield "privileged", True, (*at, "securityContext", "privileged")
    yield from _shared_memory(read, container)


def _shared_memory(read: Reader, container: dict[str, Any]) -> Iterator[tuple[str, Value, Path]]:
    mounts = [mapping(row) for row in listing(container.get("volumeMounts"))]
    names = {row.get("name") for row in mounts if row.get("mountPath") == "/dev/shm"}
    for index, row in enumerate(map(mapping, listing(read.value("spec", "volumes")))):
        empty = mapping(row.get("emptyDir"))
        if (
            row.get("name") in names
            and empty.get("medium") == "Memory"
            and (size := _mib(empty.get("sizeLimit")))
        ):
            yield "shm_mib", size, ("spec", "volumes", index, "emptyDir", "sizeLimit")


def _count(value: object) -> int:
    """0 for a part of one, which an inventory cannot have, and for no number."""
    text = str(value)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


def _mib(value: object) -> int:
    """0 where it is no number of whole MiB."""
    found = _QUANTITY.fullmatch(str(value))
    size = int(found[1]) * _MIB[found[2]] if found else 0
    return size // 2**20 if size % 2**20 == 0 else 0


_SIZES: tuple[tuple[str, str, Callable[[object], int], str], ...] = (
    ("cpus", "cpu", _count, "CPUs"),
    ("memory_mib", "memory", _mib, "MiB"),
    ("hugepages_2mi_mib", "hugepages-2Mi", _mib, "MiB"),
)
"""Key of the inventory, resource, what makes a number of it, and of what."""
