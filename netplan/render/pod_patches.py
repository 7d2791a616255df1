"""JSON6902 patches that add what RDMA needs to somebody else's job, and the component that applies them.

A JSON patch keeps the job's own image, command and entries, also in a custom resource such as an MPIJob,
where a strategic merge would replace the whole list of containers. What it cannot do is add to a list or map
the job does not have. The component therefore first lets kustomize's replacements create a seed in each of
them, takes the seed away again, and then patches: what was there keeps its entries, what is new is empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from netplan.model.workloads import WorkloadPlan
from netplan.render.dump import dump_yaml, written
from netplan.render.pod_spec import (
    container_claims,
    env_list,
    mount,
    node_selector,
    pod_claims,
    pod_env,
    script_container,
    volume,
)  # fmt: skip

SEED = "netplan-seed"
_CONTAINER = ("spec", "containers", "0")


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of job: ``template``: where in it the pod template is."""

    file: str
    kind: str
    template: tuple[str, ...]


TARGETS = (
    Target("pod.yaml", "Pod", ()),
    Target("job.yaml", "Job", ("spec", "template")),
    Target("statefulset.yaml", "StatefulSet", ("spec", "template")),
    Target("mpijob-worker.yaml", "MPIJob", ("spec", "mpiReplicaSpecs", "Worker", "template")),
)


@dataclass(frozen=True, slots=True)
class _Addition:
    """``parent``: the list or map, below the pod template; ``key``: of a map, None for a list."""

    parent: tuple[str, ...]
    key: str | None
    value: Any


def patch(plan: WorkloadPlan, script: str | None, target: Target) -> list[dict[str, Any]]:
    """The operations for one kind of job."""
    out = []
    for add in _additions(plan, script):
        path = _pointer((*target.template, *add.parent, "-" if add.key is None else add.key))
        out.append({"op": "add", "path": path, "value": add.value})
    return out


def _additions(plan: WorkloadPlan, script: str | None) -> Iterator[_Addition]:
    yield from _pod_additions(plan, script)
    yield from _container_additions(plan)
    for each in plan.volumes:
        yield _Addition((*_CONTAINER, "volumeMounts"), None, mount(each))
        yield _Addition(("spec", "volumes"), None, volume(each))


def _pod_additions(plan: WorkloadPlan, script: str | None) -> Iterator[_Addition]:
    for key, value in plan.annotations:
        yield _Addition(("metadata", "annotations"), key, value)
    if plan.workload.runtime_class is not None:
        yield _Addition(("spec",), "runtimeClassName", plan.workload.runtime_class)
    for claim in pod_claims(plan):
        yield _Addition(("spec", "resourceClaims"), None, claim)
    for key, value in node_selector(plan.placement).items():
        yield _Addition(("spec", "nodeSelector"), key, value)
    if script is not None and plan.workload.image is not None:
        yield _Addition(("spec", "initContainers"), None, script_container(plan, script))


def _container_additions(plan: WorkloadPlan) -> Iterator[_Addition]:
    """GPUs, CPUs and memory are left to the job; devices come with huge pages because EFA needs both."""
    own = {d.resource for d in plan.devices if not d.claimed} | {"hugepages-2Mi"}
    for entry in env_list(pod_env(plan)):
        yield _Addition((*_CONTAINER, "env"), None, entry)
    for name, count in plan.limits:
        if name in own:
            yield _Addition((*_CONTAINER, "resources", "limits"), name, count)
    for claim in container_claims(plan):
        yield _Addition((*_CONTAINER, "resources", "claims"), None, claim)
    if plan.workload.privileged:
        yield _Addition((*_CONTAINER, "securityContext"), "privileged", True)
    for capability in plan.capabilities:
        yield _Addition((*_CONTAINER, "securityContext", "capabilities", "add"), None, capability)


def _pointer(parts: tuple[str, ...]) -> str:
    """JSON pointer (RFC 6901): ``~`` and ``/`` inside a key are escaped."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def _parents(plan: WorkloadPlan, script: str | None) -> dict[tuple[str, ...], bool]:
    """Every list or map that is added to -> whether it is a list; ``spec`` itself is always there."""
    return {a.parent: a.key is None for a in _additions(plan, script) if a.parent != ("spec",)}


def component(plan: WorkloadPlan, script: str | None) -> dict[str, Any]:
    """The workload's ``kustomization.yaml``: ./parents makes the seeds, the patches follow."""
    patches = []
    for target in TARGETS:
        unseed = [_unseed(target, parent, listed) for parent, listed in _parents(plan, script).items()]
        select = {"target": {"kind": target.kind}}
        patches.append({**select, "patch": dump_yaml([unseed], "")})
        patches.append({**select, "path": f"patches/{target.file}"})
    return {**_component(), "components": ["parents"], "patches": patches}


def _unseed(target: Target, parent: tuple[str, ...], listed: bool) -> dict[str, str]:
    """The seed of a list is its last entry: kustomize appends what it creates."""
    return {"op": "remove", "path": _pointer((*target.template, *parent, "-1" if listed else SEED))}


def parents(plan: WorkloadPlan, script: str | None) -> dict[str, Any]:
    """``parents/kustomization.yaml``: a seed in every list and map that patches add to."""
    targets = [
        {
            "select": {"kind": target.kind},
            "options": {"create": True},
            "fieldPaths": [_seed_path(target, p, listed) for p, listed in _parents(plan, script).items()],
        }
        for target in TARGETS
    ]
    local = {"annotations": {"config.kubernetes.io/local-config": "true"}, "disableNameSuffixHash": True}
    return {
        **_component(),
        "configMapGenerator": [{"name": SEED, "literals": [f"seed={SEED}"], "options": local}],
        "replacements": [
            {"source": {"kind": "ConfigMap", "name": SEED, "fieldPath": "data.seed"}, "targets": targets}
        ],
    }


def _seed_path(target: Target, parent: tuple[str, ...], listed: bool) -> str:
    if not listed:
        last = SEED
    elif parent[-1] == "add":
        last = f"[={SEED}]"
    else:
        last = f"[name={SEED}].name"
    return ".".join((*target.template, *parent, last))


def _component() -> dict[str, Any]:
    return written({"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"})
