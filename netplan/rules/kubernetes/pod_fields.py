"""Fields of pods that stand at the wrong level, for NP750."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.diagnostics import Path, dotted
from netplan.graph.kubernetes.cluster import ObjectGraph, Pod
from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import Thing

_KINDS = frozenset(
    {("", "Pod"), ("batch", "Job"), ("batch", "CronJob")}
    | {("apps", kind) for kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")}
)
_OF_POD = (
    "initContainers", "volumes", "nodeSelector", "affinity", "tolerations", "hostNetwork", "hostIPC",
    "hostPID", "serviceAccountName", "runtimeClassName", "schedulerName", "priorityClassName",
    "resourceClaims",
)  # fmt: skip
"""Fields of a pod's spec that no container has (kubernetes/kubernetes v1.34.4
api/openapi-spec/swagger.json)."""
_OF_CONTAINER = ("image", "command", "args", "env", "envFrom", "volumeMounts", "ports", "imagePullPolicy")
"""Fields of a container that the spec of a pod does not have."""
_OF_METADATA = ("annotations", "labels")


def pods_by_thing(cluster: ObjectGraph) -> dict[int, list[Pod]]:
    """Pods of Kubernetes' own workloads, by object."""

    def make() -> dict[int, list[Pod]]:
        found: dict[int, list[Pod]] = {}
        for pod in cluster.pods:
            if (pod.thing.group, pod.thing.kind) in _KINDS and not pod.thing.live:
                found.setdefault(id(pod.thing), []).append(pod)
        return found

    return cluster.once("pods by object", make)


def misplaced_fields(cluster: ObjectGraph, thing: Thing) -> Iterator[FieldFault]:
    for pod in pods_by_thing(cluster).get(id(thing), ()):
        spec: Path = (*pod.path, "spec")
        if pod.path:
            yield from _each(pod.path, pod.template, _OF_METADATA, dotted((*pod.path, "metadata")))
        yield from _each(spec, pod.spec, _OF_CONTAINER, "a container")
        for at, container in (*pod.containers(), *pod.containers("initContainers")):
            yield from _each(at, container, _OF_POD, dotted(spec))


def _each(at: Path, here: Iterable[str], others: tuple[str, ...], home: str) -> Iterator[FieldFault]:
    for key in here:
        if key in others:
            hint = f"move it into {home}"
            yield FieldFault(
                (*at, key), f"there is no field {dotted((*at, key))}", hint, unknown=True, near=key
            )
