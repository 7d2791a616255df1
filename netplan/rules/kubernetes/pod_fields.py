"""Fields of pods that stand at the wrong level, for NP750."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from netplan import resources
from netplan.diagnostics import Path, dotted
from netplan.graph.kubernetes.cluster import ObjectGraph, Pod
from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import Thing, inside, mapping
from netplan.reading.kubernetes.placeholders import templated

_KINDS = frozenset(
    {("", "Pod"), ("batch", "Job"), ("batch", "CronJob")}
    | {("apps", kind) for kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")}
)
_OF_METADATA = frozenset({"annotations", "labels"})
"""Fields of metadata that a pod template hands to its pods."""


@cache
def _levels() -> tuple[frozenset[str], frozenset[str]]:
    """Fields that only the spec of a pod has, and those that only a container has, in no release both."""
    text = (resources.schemas() / "foreign" / "pods.json").read_text(encoding="utf-8")
    made = json.loads(text)
    pod, container = (frozenset(made[kind]) for kind in ("PodSpec", "Container"))
    return pod - container, container - pod


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
    """Fields of the pod in a container, of a container in the pod, and of metadata beside it."""
    of_pod, of_container = _levels()
    for pod in pods_by_thing(cluster).get(id(thing), ()):
        spec: Path = (*pod.path, "spec")
        if pod.path:
            own = mapping(pod.template.get("metadata"))
            yield from _each(pod.path, pod.template, _OF_METADATA, dotted((*pod.path, "metadata")), own)
        containers = [container for _, container in pod.containers()]
        yield from _each(spec, pod.spec, of_container, "a container", *containers)
        for at, container in (*pod.containers(), *pod.containers("initContainers")):
            yield from _each(at, container, of_pod, dotted(spec), pod.spec)


_OF_PODS = ("cpu", "memory")


def devices_of_pods(cluster: ObjectGraph, thing: Thing) -> Iterator[FieldFault]:
    """Resources of a pod are cpu, memory and huge pages (kubernetes/kubernetes
    staging/src/k8s.io/component-helpers/resource/helpers.go, supportedPodLevelResources;
    pkg/apis/core/validation/validation.go, validatePodResourceRequirements); servers before them drop the
    field."""
    for pod in all_pods_by_thing(cluster).get(id(thing), ()):
        for part in ("limits", "requests"):
            at: Path = (*pod.path, "spec", "resources", part)
            names = [name for name in mapping(inside(thing.body, at)) if not _is_of_pods(name)]
            if names:
                more = f" and {len(names) - 1} more" if len(names) > 1 else ""
                message = f"resources of a pod are cpu, memory and huge pages, not {names[0]}{more}"
                yield FieldFault((*at, names[0]), message, "move it into resources of a container")
                break


def _is_of_pods(name: Any) -> bool:
    return not isinstance(name, str) or name in _OF_PODS or name.startswith("hugepages-") or templated(name)


def all_pods_by_thing(cluster: ObjectGraph) -> dict[int, list[Pod]]:
    """All pods but those of a running cluster, by object."""

    def make() -> dict[int, list[Pod]]:
        found: dict[int, list[Pod]] = {}
        for pod in cluster.pods:
            found.setdefault(id(pod.thing), []).append(pod)
        return found

    return cluster.once("all pods by object", make)


def _each(
    at: Path, here: dict[str, Any], others: frozenset[str], home: str, *right: dict[str, Any]
) -> Iterator[FieldFault]:
    """``right``: what stands at the level that has these fields."""
    for key, value in here.items():
        if key in others:
            known = all(_has(each.get(key), value) for each in right)
            hint = "remove it, " + _HAS.get(home, f"{home} has it") if known else f"move it into {home}"
            yield FieldFault(
                (*at, key), f"there is no field {dotted((*at, key))}", hint, unknown=True, near=key
            )


_HAS = {"a container": "each container has it"}


def _has(there: Any, value: Any) -> bool:
    """Whether nothing is lost without the value: of a map its keys, of a list its items are there."""
    if isinstance(value, dict) and isinstance(there, dict):
        return value.keys() <= there.keys()
    if isinstance(value, list) and isinstance(there, list):
        return all(item in there for item in value)
    return there is not None
