"""The kustomize component that gives rails to somebody else's job, whatever its kind.

Only kustomize's replacements reach pod templates in lists of unknown length, add to lists and maps that may
be missing, and keep the other entries: JSON6902 has no wildcard and creates no parents, a strategic merge
deletes entries of lists in custom resources. So ``pod-rails.yaml`` holds every value, and each is a
replacement.
What that leans on: kustomize api/filters/replacement/replacement.go and kyaml/yaml/match.go, the same from
5.0.1 (kubectl 1.27) to 5.8.1: ``options.create`` makes missing maps, and the entry of a list that a
``[field=expression]`` does not find, with the expression as its field; the expression is a regular one.
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
"""Key that cannot be added below a text: its name is what kustomize prints."""

WITHOUT_GPUS = "no-container-of-the-pod-asks-for-these-GPUs"
"""What kustomize prints where the job has no container for the devices."""

WITHOUT_MEMORY = "huge-pages-need-cpu-or-memory-in-the-same-container"
"""And where that container states neither: an API server refuses its huge pages (kubernetes
pkg/apis/core/validation/validation.go, "HugePages require cpu or memory")."""

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
"""List -> what tells its entries apart; an entry of the job with the same one is replaced, others are kept.
Entries of other lists are added."""

_WHOLE = (("spec", "affinity"),)
"""Maps whose parts belong together."""

_RESOURCES = (*CONTAINER, "resources")


@dataclass(frozen=True, slots=True)
class PodValue:
    """``source``: where it is in pod-rails.yaml; ``place``: where it goes in a pod template."""

    source: tuple[str, ...]
    place: tuple[str, ...]
    value: Any

    @property
    def listed(self) -> bool:
        return self.place[-1].startswith("[")

    @property
    def refused(self) -> bool:
        """Whether the job must not have one: which of the two is meant nobody can say. Devices are the
        workload's to count; huge pages have requests as well, which must be the same."""
        single = not isinstance(self.value, dict) and not self.listed
        device = self.place[: len(_RESOURCES)] == _RESOURCES and self.place != _HUGE_PAGES
        return self.place in _WHOLE or (single and not device)

    @property
    def seeded(self) -> bool:
        """Whether it must be made a text first: replacements write ``"1"`` as 1 where they create it."""
        return isinstance(self.value, str) and not self.listed


def rails(plan: WorkloadPlan, script: str | None) -> dict[str, Any]:
    """``pod-rails.yaml``: what a pod gets, for replacements to copy.

    GPUs, CPUs and memory are left to the job; devices come with huge pages because EFA needs both.
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
    """The workload's ``kustomization.yaml``. ``body``: of pod-rails.yaml."""
    return {**_COMPONENT, "components": ["rails"], "patches": put_back(_kinds(body))}


def replacements(plan: WorkloadPlan, body: Mapping[str, Any]) -> dict[str, Any]:
    """``rails/kustomization.yaml``, which does all but put the pod templates back."""
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
    """The containers that ask for the workload's GPUs: kubelet and driver give devices and claims to a
    container, not to its pod (kubernetes pkg/kubelet/cm/devicemanager/manager.go, Allocate). And those of
    them that can have huge pages.

    An expression is compared with the YAML of a whole field. Where no container fits, kustomize makes one of
    the text of the expression, below which nothing can be added: that needs a value below ``resources``.
    """
    gpus = asks_for_gpus(plan, values)
    if gpus is None:
        return CONTAINER[-1], CONTAINER[-1]
    asked = rf"(^|\W)({re.escape(gpus)}|claims)\W"
    memory = r"(^|\W)(cpu|memory)\W"
    both = rf"(?s){asked}.*{memory}|{memory}.*{asked}"
    return f"[resources={asked}|{WITHOUT_GPUS}]", f"[resources={both}|{WITHOUT_MEMORY}]"


def asks_for_gpus(plan: WorkloadPlan, values: list[PodValue]) -> str | None:
    """The resource by which the containers with the devices are found; None: the first container has them."""
    gpu = plan.workload.gpu_type
    below = any(v.place[: len(_RESOURCES)] == _RESOURCES for v in values)
    return gpu.gpu_resource if gpu is not None and plan.workload.gpus and below else None


def _kinds(body: Mapping[str, Any]) -> tuple[PodKind, ...]:
    """Those that have a place for all there is; the guard refuses the others."""
    values = list(pod_values(body))
    return tuple(k for k in POD_KINDS if all(_takes(t.shape, v) for t in k.templates for v in values))


def _roles(plan: WorkloadPlan) -> tuple[str, ...]:
    """Names of entries that must be there; where the workload names none, those of its shapes by default."""
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
    """The entry with the same key, or a new one, which no entry can be mistaken for."""
    if not isinstance(entry, dict):
        return f"[={_exactly(str(entry))}]"
    key = KEYS.get(listed)
    return f"[{key}={_exactly(entry[key])}]" if key is not None else f"[netplan={index}]"


def _exactly(name: str) -> str:
    """Expression for one name, quoted or not. What kustomize creates where there is no such entry has the
    expression for a name, and the expression must find it: hence its second half."""
    return rf"^\W?{name}\W?$|netplan:{name}"


def _takes(shape: Shape, value: PodValue) -> bool:
    return not shape.takes or any(value.place[: len(place)] == place for place in shape.takes)


@dataclass(frozen=True, slots=True)
class _Copies:
    """Replacements of one workload. ``container``: that with the GPUs; ``roomy``: as that, for huge pages."""

    plan: WorkloadPlan
    shapes: tuple[Shape, ...]
    container: str
    roomy: str

    def roles(self) -> Iterator[dict[str, Any]]:
        """Each role over itself, without ``create``: it fails where there is none."""
        for index, role in enumerate(_roles(self.plan)):
            targets = []
            for shape in self.shapes:
                paths: list[tuple[str, ...]]
                if shape.key is not None and (self.plan.workload.roles or shape.role):
                    paths = [(shape.path[0], f"[{shape.key}={_exactly(role)}]", shape.key)]
                    targets.append(_target(shape, paths, create=False))
            yield self._replacement(("roles", str(index)), targets)

    def steps(self) -> Iterator[dict[str, Any]]:
        """As ``roles``, for the name of a container."""
        for shape in self.shapes:
            if shape.moved and shape.container == NODE:
                paths = [(*path, "name") for path in self._paths(shape, CONTAINER)]
                yield self._replacement(("seed", "container"), [_target(shape, paths, create=False)])

    def seeds(self, values: list[PodValue]) -> Iterator[dict[str, Any]]:
        """Something to replace, of no type; one that fails where the job has the value."""
        refused = [(*v.place, _refusal(v)) for v in values if v.refused]
        typed = [v.place for v in values if v.seeded and not v.refused]
        # devices first: where no container asks for GPUs, none can have huge pages either
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
        """Where a place of a pod template is in the object, for each role that has a path of its own."""
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
    """A key with a dot stands in brackets; entries of lists are in brackets already."""
    return ".".join(f"[{p}]" if "." in p and not p.startswith("[") else p for p in parts)
