"""What pods on networks of the cluster ask for, by the job or other object that they are of.

The annotation is a list of names, or JSON (k8snetworkplumbingwg/multi-net-spec bf32935d v1.0, 4.1). A pod
knows its job by a label: kubernetes-sigs/jobset 08dfbdfd api/jobset/v1alpha2/jobset_types.go (JobSetNameKey),
kubernetes-sigs/lws 060ab4da api/leaderworkerset/v1/leaderworkerset_types.go (SetNameLabelKey),
kubeflow/mpi-operator caa3c47f pkg/apis/kubeflow/v2beta1/constants.go (JobNameLabel), volcano-sh/volcano
ed72c7c8 staging/src/volcano.sh/apis/pkg/apis/batch/v1alpha1/labels.go (JobNameKey), ray-project/kuberay
feeaf72f ray-operator/controllers/ray/utils/constant.go (RayClusterLabelKey). Others by their owner; a
ReplicaSet is named after its Deployment and the hash of its pods (kubernetes/kubernetes 737067c1
pkg/controller/deployment/sync.go), and pods without an owner may be a group (kubernetes-sigs/kueue 1be1e83c
pkg/controller/jobs/pod/constants/constants.go, GroupNameLabel). An interface without a name is ``netN``, by
its place in the list (k8snetworkplumbingwg/multi-net-spec, 4.1.2.1).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from netplan.catalog import is_gpu
from netplan.importing.facts import WHOLE, Fact, Of, Remark, Value, not_taken
from netplan.importing.kubernetes.objects import Path, Reader
from netplan.reading.kubernetes.objects import listing, mapping

NETWORKS = ("metadata", "annotations", "k8s.v1.cni.cncf.io/networks")
ON, AT, CALLED, TAKES = "networks of ", "node of ", "interfaces of ", "resources of "
CLAIMS = "claims of "
"""Of a pod: its networks, each ``namespace/name``, in order; its node; names of their interfaces; extended
resources that are no GPUs; claims and templates of claims, each ``namespace/name``."""
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
GPU, UNREAD = "gpu_resource", "unread/"
"""Fields of its pods: the resource of their GPUs; with a key of SIZES what an inventory cannot have there."""
Found = tuple[str, Value, Path]
_JOB_LABELS = (
    "jobset.sigs.k8s.io/jobset-name",
    "leaderworkerset.sigs.k8s.io/name",
    "training.kubeflow.org/job-name",
    "volcano.sh/job-name",
    "ray.io/cluster",
)
_GROUP = "kueue.x-k8s.io/pod-group-name"
_HASH = "pod-template-hash"
_NAMED = re.compile(
    r"(?:(?P<space>[a-z0-9][a-z0-9-]*)/)?(?P<name>[a-z0-9][a-z0-9.-]*)(?:@(?P<interface>[\w.-]{1,15}))?"
)
_ADDRESSES = "the inventory has no addresses of single pods"
_READ = ("name", "namespace", "interface")
_NO_NETWORK = "a workload of an inventory is on networks of pods; nothing plans or checks this one"
_LIMITS = "netplan writes limits, which are requests too"
_MOST = 64
"""Limit of networks of one pod."""
_MIB = {
    "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "": 1
}  # fmt: skip
_QUANTITY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)(Ki|Mi|Gi|Ti|k|M|G|T|)")


def workload_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Of a pod that asks for networks or devices and is neither over nor being deleted."""
    text, taken = read.text(*NETWORKS), _extended(read)
    space, claims = read.text("metadata", "namespace") or "default", _claims(read)
    if read.value("metadata", "deletionTimestamp"):
        return
    if not (text.strip() or taken or claims):
        yield from _on_the_host(read, space)
        return
    pod = read.thing.name
    asked = _networks(text, space)
    if asked is None:
        read.refuse("neither names of networks nor JSON", *NETWORKS)
        return
    of = (space, *_job(read))
    yield read.fact("workload", of, f"{ON}{pod}", tuple(name for name, _ in asked), *NETWORKS)
    yield read.fact("workload", of, f"{CALLED}{pod}", tuple(called for _, called in asked), *NETWORKS)
    yield read.fact("workload", of, f"{TAKES}{pod}", taken, "spec", "containers")
    if claims:
        whole = tuple(f"{space}/{name}" for name in claims)
        yield read.fact("workload", of, f"{CLAIMS}{pod}", whole, "spec", "resourceClaims")
    if node := read.text("spec", "nodeName"):
        yield read.fact("workload", of, f"{AT}{pod}", node, "spec", "nodeName")
    yield from _sizes(read, of)
    yield from _selected(read, text)


def _on_the_host(read: Reader, space: str) -> Iterator[Remark]:
    """Pods with GPUs that use the interfaces of their host."""
    rows = map(mapping, listing(read.value("spec", "containers")))
    if read.value("spec", "hostNetwork") is True and any(
        is_gpu(name) for row in rows for name in _limits(row)
    ):
        job = f"{space}/{_job(read)[0]}"
        yield not_taken(
            read.at("spec", "hostNetwork"), "workload on the network of its hosts", job, _NO_NETWORK
        )


def _claims(read: Reader) -> list[str]:
    """Names of templates, or of claims of their own; below ``source`` up to v1alpha2."""
    keys = ("resourceClaimTemplateName", "resourceClaimName")
    rows = [at for at, _ in read.rows("spec", "resourceClaims")]
    texts = (read.text(*at, *below, key) for at in rows for below in ((), ("source",)) for key in keys)
    return [text for text in texts if text]


def _sizes(read: Reader, of: Of) -> Iterator[Fact]:
    """With their names: another pod of the job may lack one."""
    container, index = _container(read)
    found = [*_of_container(read, container, ("spec", "containers", index))] if container is not None else []
    if name := read.text("spec", "runtimeClassName"):
        found.append(("runtime_class", name, ("spec", "runtimeClassName")))
    for field, value, path in found:
        yield read.fact("workload", of, field, value, *path)
    yield read.fact("workload", of, f"{WHOLE}Pod", tuple(field for field, *_ in found), "spec")


Asked = list[tuple[object, object, object]]
"""Namespace, name and interface of networks, as a dump has them."""


def _networks(text: str, space: str) -> list[tuple[str, str]] | None:
    """``namespace/name`` and the interface of each; None if the text is no list of networks."""
    rows = _of_json(text, space) if text.lstrip().startswith("[") else _of_names(text, space)
    if len(rows) > _MOST or not all(isinstance(part, str) for own, name, _ in rows for part in (own, name)):
        return None
    return [(f"{own}/{name}", str(called or f"net{at}")) for at, (own, name, called) in enumerate(rows, 1)]


def _of_json(text: str, space: str) -> Asked:
    try:
        rows = [mapping(row) for row in listing(json.loads(text))]
    except (ValueError, RecursionError):
        return [(None, None, None)]
    return [(row.get("namespace") or space, row.get("name"), row.get("interface")) for row in rows]


def _of_names(text: str, space: str) -> Asked:
    found: Asked = []
    for part in text.split(",") if text.strip() else ():
        each = _NAMED.fullmatch(part.strip())
        found.append(
            (each["space"] or space, each["name"], each["interface"]) if each else (None, None, None)
        )
    return found


def _selected(read: Reader, text: str) -> Iterator[Remark]:
    """What pods say of a network beside its name."""
    rows = listing(json.loads(text)) if text.lstrip().startswith("[") else []
    for key, value in (pair for row in map(mapping, rows) for pair in row.items()):
        if value and key not in _READ:
            why = _ADDRESSES if key in ("ips", "mac") else "the inventory has no key for it"
            yield not_taken(read.at(*NETWORKS), "network of a pod with", f"{key} {value}", why)


def _extended(read: Reader) -> tuple[str, ...]:
    """Without prefix and those of GPUs."""
    rows = map(mapping, listing(read.value("spec", "containers")))
    names = dict.fromkeys(name for row in rows for name in _limits(row) if "/" in name and not is_gpu(name))
    return tuple(name.partition("/")[2] for name in names)


def _job(read: Reader) -> tuple[str, str]:
    """Name and kind, of a label its key."""
    labels = mapping(read.value("metadata", "labels"))
    owners = [mapping(owner) for owner in listing(read.value("metadata", "ownerReferences"))]
    owner = next((each for each in owners if each.get("controller") is True), {})
    for key in (*_JOB_LABELS, *(() if owner else (_GROUP,))):
        if isinstance(name := labels.get(key), str) and name:
            return name, key
    name, ending = str(owner.get("name") or read.thing.name), f"-{labels.get(_HASH)}"
    if owner.get("kind") == "ReplicaSet" and name.endswith(ending):
        return name.removesuffix(ending), "Deployment"
    return name, str(owner.get("kind") or "Pod")


def _container(read: Reader) -> tuple[dict[str, Any] | None, int]:
    """The one that asks for GPUs, else the first."""
    rows = [mapping(row) for row in listing(read.value("spec", "containers"))]
    own = [index for index, row in enumerate(rows) if any(is_gpu(name) for name in _limits(row))]
    for other in own[1:]:
        read.refuse("the GPUs of the container before it are taken", "spec", "containers", other, "resources")
    for other, row in enumerate(map(mapping, listing(read.value("spec", "initContainers")))):
        if any(is_gpu(name) for name in _limits(row)):
            read.refuse("GPUs of init containers have no key", "spec", "initContainers", other, "resources")
    index = own[0] if own else 0
    return (rows[index] if rows else None), index


def _limits(container: dict[str, Any]) -> dict[str, Any]:
    resources = mapping(container.get("resources"))
    return {
        str(key): value
        for part in ("requests", "limits")
        for key, value in mapping(resources.get(part)).items()
    }


def _of_container(read: Reader, container: dict[str, Any], at: Path) -> Iterator[Found]:
    if image := read.text(*at, "image"):
        yield "image", image, (*at, "image")
    limits = _limits(container)
    where: Path = (*at, "resources")
    requests, most = (mapping(mapping(container.get("resources")).get(key)) for key in ("requests", "limits"))
    yield from _gpus(limits, where)
    for field, name, number, unit in _SIZES:
        if size := number(limits.get(name)):
            yield field, size, where
        elif name in limits:
            yield f"{UNREAD}{field}", f"{name} {limits[name]}, in whole {unit}", where
        if name in requests and str(requests[name]) != str(most.get(name)):
            read.refuse(_LIMITS, *where, "requests", name)
    if mapping(container.get("securityContext")).get("privileged") is True:
        yield "privileged", True, (*at, "securityContext", "privileged")
    yield from _shared_memory(read, container)


def _gpus(limits: dict[str, Any], where: Path) -> Iterator[Found]:
    """Their number and resource; a pod of an inventory has those of one."""
    asked = {name: value for name, value in limits.items() if is_gpu(name) and str(value) != "0"}
    (name, value), *others = (*asked.items(), ("", ""))
    if others[1:] or (name and not _count(value)):
        shown = " and ".join(f"{name} {value}" for name, value in asked.items())
        yield f"{UNREAD}gpus", f"{shown}, in whole GPUs of one resource", where
    elif name:
        yield "gpus", _count(value), where
        yield GPU, name, where


def _shared_memory(read: Reader, container: dict[str, Any]) -> Iterator[Found]:
    mounts = [mapping(row) for row in listing(container.get("volumeMounts"))]
    names = {str(row.get("name")) for row in mounts if row.get("mountPath") == "/dev/shm"}
    for index, row in enumerate(map(mapping, listing(read.value("spec", "volumes")))):
        if str(row.get("name")) not in names:
            continue
        empty, at = mapping(row.get("emptyDir")), ("spec", "volumes", index, "emptyDir")
        limit = empty.get("sizeLimit")
        if empty.get("medium") != "Memory":
            read.refuse("netplan writes /dev/shm in memory alone", *at[:-1])
        elif size := _mib(limit):
            yield "shm_mib", size, (*at, "sizeLimit")
        else:
            without = "no sizeLimit" if limit is None else f"sizeLimit {limit}, in whole MiB"
            yield f"{UNREAD}shm_mib", f"/dev/shm in memory with {without}", at


def _count(value: object) -> int:
    """0 for a part of one, which an inventory cannot have, and for no number."""
    text = str(value)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


def _mib(value: object) -> int:
    """0 where it is no number of whole MiB."""
    found = _QUANTITY.fullmatch(str(value))
    size = Fraction(found[1]) * _MIB[found[2]] / 2**20 if found else Fraction(0)
    return int(size) if size.denominator == 1 else 0


_SIZES: tuple[tuple[str, str, Callable[[object], int], str], ...] = (
    ("cpus", "cpu", _count, "CPUs"),
    ("memory_mib", "memory", _mib, "MiB"),
    ("hugepages_2mi_mib", "hugepages-2Mi", _mib, "MiB"),
)
"""Key of the inventory, resource, what makes a number of it, and of what."""
