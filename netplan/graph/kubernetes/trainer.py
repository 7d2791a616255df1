"""The pod of a TrainJob: its runtime's, with the resources and patches that the job states.

Kubeflow Trainer applies ``resourcesPerNode`` to the container ``node`` of the runtime's jobs for the step
``trainer``. Annotations come from the runtime or from the job's patches, whose field has another name in
every release (kubeflow/trainer pkg/apis/trainer/v1alpha1/trainjob_types.go at v2.0.0, v2.1.0, v2.2.0).
Releases before 2.3 replace the runtime's resources, later ones merge (kubeflow/trainer v2.1.0
pkg/runtime/framework/plugins/jobset/builder.go, v2.3.0 pkg/runtime/core/trainingruntime.go).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import ObjectGraph, Pod
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.records import dataclass

TRAINER = "trainer.kubeflow.org"
_STEP = "trainer.kubeflow.org/trainjob-ancestor-step"
_ASKED: Path = ("spec", "trainer", "resourcesPerNode")
_JOINED = ("containers", "volumes", "resourceClaims")
"""Lists that patches of a job append to; the result may hold several entries for one container."""


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """``at``: where the job requests resources. ``unseen``: its runtime, if that is not here. ``alone``:
    the pod with the job's resources and none of the runtime's; None if the job states none."""

    pod: Pod
    at: Path
    unseen: str
    alone: Pod | None


def train_jobs(cluster: ObjectGraph) -> list[Trained]:
    """The pods that TrainJobs produce. Omits a job that states no resources and uses a TrainingRuntime of
    its namespace: that runtime has a pod template itself."""
    return [t for job in cluster.of(TRAINER, "TrainJob") for t in _trained(cluster, job)]


def _trained(cluster: ObjectGraph, job: Thing) -> Iterator[Trained]:
    stated = {k: v for k, v in mapping(inside(job.body, _ASKED)).items() if v}
    runtime = _runtime(cluster, job)
    if not stated and (runtime is None or runtime.kind == "TrainingRuntime"):
        return
    template = mapping(_template(runtime)) if runtime else {}
    metadata, spec = mapping(template.get("metadata")), mapping(template.get("spec"))
    annotations = mapping(metadata.get("annotations"))
    asked = {"name": "node", "resources": stated}
    for patch in _patches(job):
        annotations = {**annotations, **mapping(inside(patch, ("metadata", "annotations")))}
        own = mapping(patch.get("spec"))
        joined = {key: [*listing(spec.get(key)), *listing(own.get(key))] for key in _JOINED}
        spec = {**spec, **joined, **{key: own[key] for key in ("nodeSelector", "affinity") if key in own}}

    def pod(*containers: Any) -> Pod:
        body = {"metadata": {"annotations": annotations}, "spec": {**spec, "containers": [*containers]}}
        return Pod(thing=job, path=("spec", "trainer"), template=body, replicas=None)

    yield Trained(
        pod(*listing(spec.get("containers")), asked),
        _ASKED if stated else ("spec", "runtimeRef"),
        "" if runtime else _named(job),
        pod(asked) if stated else None,
    )


def _runtime(cluster: ObjectGraph, job: Thing) -> Thing | None:
    kind = str(job.get("spec", "runtimeRef", "kind") or "ClusterTrainingRuntime")
    name = job.get("spec", "runtimeRef", "name")
    named = (r for r in cluster.of(TRAINER, kind) if r.name == name)
    return next((r for r in named if kind != "TrainingRuntime" or r.may_be_beside(job)), None)


def _named(job: Thing) -> str:
    ref = mapping(job.get("spec", "runtimeRef"))
    return f"{ref.get('kind') or 'ClusterTrainingRuntime'} {ref.get('name')}"


def _template(runtime: Thing) -> Any:
    """Pod template of the replicated job for the step ``trainer``, else of the only one."""
    jobs = listing(runtime.get("spec", "template", "spec", "replicatedJobs"))
    steps = [j for j in jobs if inside(j, ("template", "metadata", "labels", _STEP)) == "trainer"]
    found = steps or (jobs if len(jobs) == 1 else [])
    return inside(found[0], ("template", "spec", "template")) if found else None


def _patches(job: Thing) -> Iterator[dict[str, Any]]:
    """``podSpecOverrides``, ``podTemplateOverrides`` and ``runtimePatches``, each as metadata and spec."""
    for one in listing(job.get("spec", "podSpecOverrides")):
        yield {"spec": one}
    yield from (p for p in listing(job.get("spec", "podTemplateOverrides")) if isinstance(p, dict))
    jobs = ("trainingRuntimeSpec", "template", "spec", "replicatedJobs")
    for patch in listing(job.get("spec", "runtimePatches")):
        for one in listing(inside(patch, jobs)):
            yield mapping(inside(one, ("template", "spec", "template")))
