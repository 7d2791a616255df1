"""The kustomize component that adds rails to a job of any kind that somebody else wrote.

Only kustomize's replacements reach pod templates in lists of unknown length, add to lists and maps that may
be missing, and keep the other entries. JSON6902 has no wildcard and creates no parents; a strategic merge
deletes entries of lists in custom resources. So ``pod-rails.yaml`` holds every value, and each is copied by a
replacement.

This relies on kustomize api/filters/replacement/replacement.go and kyaml/yaml/match.go, unchanged from 5.0.1
(kubectl 1.27) to 5.8.1: ``options.create`` creates missing maps, and the list entry that a
``[field=expression]`` does not find, with the expression as the value of its field; it is a regular
expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.model.pod_kinds import CONTAINER, EACH, NODE, POD_KINDS, ROLE, SHAPES, PodKind, Shape
from netplan.model.workloads import WorkloadPlan
from netplan.records import dataclass
from netplan.render.dump import OneLine, written
from netplan.render.kind_patches import mark, put_back, taken_out
from netplan.render.pod_extra import with_extra
from netplan.render.pod_spec import (
    container_claims,
    env_list,
    mount,
    node_selector,
    pod_claims,
    pod_env,
    script_container,
    security_context,
    volume,
)  # fmt: skip

VALUES = "PodRails"
_COMPONENT = {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"}
REFUSED = "already-set-in-the-job"
"""Key that cannot be added below a scalar, so that kustomize fails and prints this name."""

WITHOUT_GPUS = "no-container-of-the-pod-asks-for-these-GPUs"
"""Printed by kustomize if no container of the job is to get the devices."""

WITHOUT_MEMORY = "huge-pages-need-cpu-or-memory-in-the-same-container"
"""Printed by kustomize if that container requests neither CPU nor memory: an API server would refuse its huge
pages (kubernetes pkg/apis/core/validation/validation.go, "HugePages require cpu or memory")."""

_HUGE_PAGES = (*CONTAINER, "resources", "limits", "hugepages-2Mi")

KEYS = {
    "claims": "name",
    "env": "name",
    "imagePullSecrets": "name",
    "initContainers": "name",
    "resourceClaims": "name",
    "schedulingGates": "name",
    "volumeMounts": "mountPath",
    "volumes": "name",
}
"""List -> key that identifies its entries. An entry of the job with the same key is replaced, others are
kept; entries of lists not named here are appended."""

_WHOLE = (("spec", "affinity"),)
"""Maps that are set only as a whole, because their parts belong together."""

_RESOURCES = (*CONTAINER, "resources")


@dataclass(frozen=True, slots=True)
class PodValue:
    """A value to copy. ``source``: its path in pod-rails.yaml; ``place``: its path in a pod template."""

    source: tuple[str, ...]
    place: tuple[str, ...]
    value: Any

    @property
    def listed(self) -> bool:
        return self.place[-1].startswith("[")

    @property
    def refused(self) -> bool:
        """Whether a value of the job's own is an error, because there is no telling which of the two is
        meant. Not so for device counts, which are the workload's to set, and huge pages, whose requests must
        equal the limits."""
        single = not isinstance(self.value, dict) and not self.listed
        device = self.place[: len(_RESOURCES)] == _RESOURCES and self.place != _HUGE_PAGES
        return self.place in _WHOLE or (single and not device)

    @property
    def seeded(self) -> bool:
        """Whether a placeholder must be created first: a replacement that creates the field itself would
        write ``"1"`` as 1."""
        return isinstance(self.value, str) and not self.listed


def rails(plan: WorkloadPlan, script: str | None) -> dict[str, Any]:
    """``pod-rails.yaml``: what a pod gets, as the source of the replacements.

    GPUs, CPUs and memory are left to the job. Huge pages come with the devices because EFA needs both.
    """
    own = {d.resource for d in plan.devices if not d.claimed} | {"hugepages-2Mi"}
    init = [script_container(plan, script)] if script is not None and plan.workload.image is not None else []
    limits = {name: count for name, count in plan.limits if name in own}
    spec = {
        "runtimeClassName": plan.workload.runtime_class,
        "resourceClaims": pod_claims(plan),
        "nodeSelector": node_selector(plan.placement),
        "initContainers": init,
        "volumes": [volume(v) for v in plan.volumes],
    }
    container = {
        "name": plan.workload.container,
        "env": env_list(pod_env(plan)),
        "securityContext": security_context(plan),
        "resources": written({"limits": limits, "claims": container_claims(plan)}),
        "volumeMounts": [mount(v) for v in plan.volumes],
    }
    local = {"config.kubernetes.io/local-config": "true"}
    metadata = written({"annotations": dict(plan.annotations)})
    return {
        "apiVersion": "netplan/v1",
        "kind": VALUES,
        "metadata": {"name": plan.name, "namespace": plan.workload.namespace, "annotations": local},
        "roles": list(_roles(plan)),
        "template": written({"metadata": metadata, "spec": with_extra(written(spec), plan.extra)}),
        "container": written(container),
        "seed": {REFUSED: VALUES, "container": "node"},
    }


def component(plan: WorkloadPlan, body: Mapping[str, Any]) -> dict[str, Any]:
    """The workload's ``kustomization.yaml``. ``body``: content of pod-rails.yaml."""
    return {**_COMPONENT, "components": ["rails"], "patches": put_back(_kinds(body))}


def replacements(plan: WorkloadPlan, body: Mapping[str, Any]) -> dict[str, Any]:
    """``rails/kustomization.yaml``, which does everything except move the pod templates back."""
    kinds, values = _kinds(body), list(pod_values(body))
    used = {each.shape.name for kind in kinds for each in kind.templates}
    copy = _Copies(plan, tuple(shape for shape in SHAPES if shape.name in used), *_containers(plan, values))
    return {
        **_COMPONENT,
        "resources": ["pod-rails.yaml"],
        "patches": taken_out(kinds),
        "replacements": [
            *copy.roles(),
            *copy.steps(),
            *copy.seeds(values),
            *(copy.value(v) for v in values),
        ],
    }


def _containers(plan: WorkloadPlan, values: list[PodValue]) -> tuple[str, str]:
    """Path steps that select the containers requesting the workload's GPUs, and those of them that can have
    huge pages.

    Kubelet and driver give devices and claims to a container, not to its pod (kubernetes
    pkg/kubelet/cm/devicemanager/manager.go, Allocate). The expression is matched against the YAML of a whole
    field. If no container matches, kustomize creates one from the text of the expression, to which nothing
    can be added below ``resources``; so the build fails if a value goes there.
    """
    gpus = asks_for_gpus(plan, values)
    if gpus is None:
        return CONTAINER[-1], CONTAINER[-1]
    asked = rf"(^|\W)({re.escape(gpus)}|claims)\W"
    memory = r"(^|\W)(cpu|memory)\W"
    both = rf"(?s){asked}.*{memory}|{memory}.*{asked}"
    return f"[resources={asked}|{WITHOUT_GPUS}]", f"[resources={both}|{WITHOUT_MEMORY}]"


def asks_for_gpus(plan: WorkloadPlan, values: list[PodValue]) -> str | None:
    """GPU resource that identifies the containers to get devices; None: the first container gets them."""
    gpu = plan.workload.gpu_type
    below = any(v.place[: len(_RESOURCES)] == _RESOURCES for v in values)
    return gpu.gpu_resource if gpu is not None and plan.workload.gpus and below else None


def _kinds(body: Mapping[str, Any]) -> tuple[PodKind, ...]:
    """Kinds whose templates have a place for every value; the guard refuses the others."""
    values = list(pod_values(body))
    return tuple(k for k in POD_KINDS if all(_takes(t.shape, v) for t in k.templates for v in values))


def _roles(plan: WorkloadPlan) -> tuple[str, ...]:
    """Names of roles the job must have; by default those of the shapes, if the workload names none."""
    default = (shape.role for shape in SHAPES if shape.role is not None)
    return plan.workload.roles or tuple(dict.fromkeys(default))


def pod_values(body: Mapping[str, Any]) -> Iterator[PodValue]:
    yield from _below(("template",), (), body["template"])
    container = {key: value for key, value in body["container"].items() if key != "name"}
    yield from _below(("container",), CONTAINER, container)


def _below(source: tuple[str, ...], place: tuple[str, ...], value: Any) -> Iterator[PodValue]:
    if isinstance(value, list):
        for index, entry in enumerate(value):
            yield PodValue((*source, str(index)), (*place, _entry(place[-1], index, entry)), entry)
    elif isinstance(value, dict) and place not in _WHOLE:
        for key, inner in value.items():
            yield from _below((*source, key), (*place, key), inner)
    else:
        yield PodValue(source, place, value)


def _entry(listed: str, index: int, entry: Any) -> str:
    """Path step to the list entry with the same key, or to a new entry whose key matches no existing one; so
    has one without a key, as Kubernetes takes it in imagePullSecrets."""
    if not isinstance(entry, dict):
        return f"[={_exactly(str(entry))}]"
    key = KEYS.get(listed)
    return f"[{key}={_exactly(entry[key])}]" if key in entry else f"[netplan={index}]"


def _exactly(name: str) -> str:
    """Expression for exactly one name, quoted or not. An entry that kustomize creates gets the expression
    itself as its name, and the expression has to match that too: hence the second alternative."""
    return rf"^\W?{name}\W?$|netplan:{name}"


def _takes(shape: Shape, value: PodValue) -> bool:
    return not shape.takes or any(value.place[: len(place)] == place for place in shape.takes)


@dataclass(frozen=True, slots=True)
class _Copies:
    """Replacements of one workload. ``container``: path step of the containers with the GPUs; ``roomy``: of
    those that can have huge pages."""

    plan: WorkloadPlan
    shapes: tuple[Shape, ...]
    container: str
    roomy: str

    def roles(self) -> Iterator[dict[str, Any]]:
        """Copies each role's name onto itself, without ``create``, so that a job without the role fails."""
        for index, role in enumerate(_roles(self.plan)):
            targets = []
            for shape in self.shapes:
                paths: list[tuple[str, ...]]
                if shape.key is not None and (self.plan.workload.roles or shape.role):
                    paths = [(shape.path[0], f"[{shape.key}={_exactly(role)}]", shape.key)]
                    targets.append(_target(shape, paths, create=False))
            yield self._replacement(("roles", str(index)), targets)

    def steps(self) -> Iterator[dict[str, Any]]:
        """Does the same for a container that its kind knows by name, such as node of Kubeflow's trainer."""
        for shape in self.shapes:
            if shape.moved and shape.container == NODE:
                paths = [(*path, "name") for path in self._paths(shape, CONTAINER)]
                yield self._replacement(("seed", "container"), [_target(shape, paths, create=False)])

    def seeds(self, values: list[PodValue]) -> Iterator[dict[str, Any]]:
        """Creates placeholders of no type for values that need one, and fails where the job already has a
        refused value."""
        refused = [(*v.place, _refusal(v)) for v in values if v.refused]
        typed = [v.place for v in values if v.seeded and not v.refused]
        # devices first: without a container that asks for GPUs there is none for huge pages either
        for source, places in ((("seed",), typed), (("seed", REFUSED), refused)):
            if places:
                yield self._all(source, places)

    def value(self, value: PodValue) -> dict[str, Any]:
        return self._all(value.source, [value.place])

    def _all(self, source: tuple[str, ...], places: list[tuple[str, ...]]) -> dict[str, Any]:
        targets = []
        for shape in self.shapes:
            paths = [path for place in places for path in self._paths(shape, place)]
            targets.append(_target(shape, paths, create=True))
        return self._replacement(source, targets)

    def _replacement(self, source: tuple[str, ...], targets: list[OneLine]) -> dict[str, Any]:
        select = {"kind": VALUES, "name": self.plan.name, "fieldPath": _path(source)}
        return {"source": OneLine(select), "targets": targets}

    def _paths(self, shape: Shape, place: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """Paths in the object for a place in the pod template, one for each role that has a template of its
        own."""
        for part, moved in (shape.elsewhere or {}).items():
            if place[: len(part)] == part:
                yield (*moved, *place[len(part) :])
                return
        if place[: len(CONTAINER)] == CONTAINER:
            container = shape.container or self.container
            if container == self.container and place[: len(_HUGE_PAGES)] == _HUGE_PAGES:
                container = self.roomy
            place = (*CONTAINER[:-1], container, *place[len(CONTAINER) :])
        named = self.plan.workload.roles or ((shape.role,) if shape.role is not None else ())
        for role in named if any(ROLE in part for part in shape.path) else ("",):
            yield (*(_step(part, role, shape.key, named) for part in shape.path), *place)


def _step(part: str, role: str, key: str | None, named: tuple[str, ...]) -> str:
    if part == EACH and key is not None and named:
        return rf"[{key}=^\W?({'|'.join(named)})\W?$]"
    return part.replace(ROLE, role)


def _refusal(value: PodValue) -> str:
    return f"[{REFUSED}={VALUES}]" if isinstance(value.value, dict) else REFUSED


def _target(shape: Shape, paths: list[tuple[str, ...]], create: bool) -> OneLine:
    options = {"options": {"create": True}} if create else {}
    select = {"annotationSelector": mark(shape.name)}
    return OneLine({"select": select, **options, "fieldPaths": [_path(p) for p in paths]})


def _path(parts: tuple[str, ...]) -> str:
    """Field path of these steps: keys with a dot go into brackets, list entries already have them."""
    return ".".join(f"[{p}]" if "." in p and not p.startswith("[") else p for p in parts)
