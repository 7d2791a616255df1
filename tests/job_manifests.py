"""Small jobs of every kind, as people write them: one with a bare container, and one with some of
everything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

GPUS: dict[str, Any] = {"limits": {"nvidia.com/gpu": "4"}}
BARE: dict[str, Any] = {
    "spec": {
        "containers": [{"name": "own", "image": "own:1", "command": ["own"], "resources": deepcopy(GPUS)}]
    }
}
RICH: dict[str, Any] = {
    "metadata": {"annotations": {"own": "1"}, "labels": {"own": "1"}},
    "spec": {
        "nodeSelector": {"own": "1"},
        "tolerations": [{"key": "own", "operator": "Exists"}],
        "initContainers": [{"name": "own-init", "image": "own:1"}],
        "volumes": [{"name": "own", "emptyDir": {}}],
        "containers": [
            {
                "name": "own",
                "image": "own:1",
                "command": ["own"],
                "env": [{"name": "OWN", "value": "1"}, {"name": "NCCL_IB_TCX", "value": "own"}],
                "resources": deepcopy(GPUS),
                "securityContext": {"capabilities": {"add": ["SYS_PTRACE"]}},
                "volumeMounts": [{"name": "own", "mountPath": "/own"}],
            },
            {"name": "sidecar", "image": "own:1", "env": [{"name": "OWN", "value": "1"}]},
        ],
    },
}
HEAD: dict[str, Any] = {"spec": {"containers": [{"name": "head", "image": "own:1"}]}}


def _ending(template: Mapping[str, Any]) -> dict[str, Any]:
    return {**deepcopy(dict(template)), "spec": {**deepcopy(template["spec"]), "restartPolicy": "Never"}}


def _replicated(*jobs: tuple[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": name, "template": {"spec": {"template": _ending(t)}}} for name, t in jobs]


def _runtime(template: Mapping[str, Any]) -> dict[str, Any]:
    jobs = _replicated(("dataset-initializer", HEAD), ("node", template))
    jobs[1]["template"]["spec"]["template"]["spec"]["containers"][0]["name"] = "node"
    return {"template": {"spec": {"replicatedJobs": jobs}}}


def _ray(template: Mapping[str, Any]) -> dict[str, Any]:
    groups = [
        {
            "groupName": name,
            "minReplicas": 1,
            "maxReplicas": 2,
            "rayStartParams": {},
            "template": deepcopy(dict(t)),
        }
        for name, t in (("first", template), ("second", template))
    ]
    return {
        "headGroupSpec": {"rayStartParams": {}, "template": deepcopy(HEAD)},
        "workerGroupSpecs": groups,
    }


def _controlled(template: Mapping[str, Any]) -> dict[str, Any]:
    labels = {"app": "own"}
    body = deepcopy(dict(template))
    body["metadata"] = {**body.get("metadata", {}), "labels": labels}
    return {"selector": {"matchLabels": labels}, "template": body}


def job(kind: str, template: Mapping[str, Any]) -> dict[str, Any]:
    """A job with pod templates like this one."""
    api_version, name, spec = {
        "Pod": lambda: ("v1", "Pod", _ending(template)["spec"]),
        "Deployment": lambda: ("apps/v1", "Deployment", _controlled(template)),
        "StatefulSet": lambda: ("apps/v1", "StatefulSet", _controlled(template)),
        "DaemonSet": lambda: ("apps/v1", "DaemonSet", _controlled(template)),
        "Job": lambda: ("batch/v1", "Job", {"template": _ending(template)}),
        "CronJob": lambda: (
            "batch/v1",
            "CronJob",
            {"schedule": "0 0 * * *", "jobTemplate": {"spec": {"template": _ending(template)}}},
        ),
        "MPIJob v1": lambda: ("kubeflow.org/v1", "MPIJob", _mpi(template)),
        "MPIJob": lambda: ("kubeflow.org/v2beta1", "MPIJob", _mpi(template)),
        "PyTorchJob": lambda: (
            "kubeflow.org/v1",
            "PyTorchJob",
            {"pytorchReplicaSpecs": _roles(Master=template, Worker=template)},
        ),
        "TrainingRuntime": lambda: ("trainer.kubeflow.org/v1alpha1", "TrainingRuntime", _runtime(template)),
        "ClusterTrainingRuntime": lambda: (
            "trainer.kubeflow.org/v1alpha1",
            "ClusterTrainingRuntime",
            _runtime(template),
        ),
        "JobSet": lambda: (
            "jobset.x-k8s.io/v1alpha2",
            "JobSet",
            {"replicatedJobs": _replicated(("first", template), ("second", template))},
        ),
        "LeaderWorkerSet": lambda: (
            "leaderworkerset.x-k8s.io/v1",
            "LeaderWorkerSet",
            {"leaderWorkerTemplate": {"size": 2, "workerTemplate": deepcopy(dict(template))}},
        ),
        "RayCluster": lambda: ("ray.io/v1", "RayCluster", _ray(template)),
        "RayJob": lambda: ("ray.io/v1", "RayJob", {"entrypoint": "own", "rayClusterSpec": _ray(template)}),
        "RayService": lambda: ("ray.io/v1", "RayService", {"rayClusterConfig": _ray(template)}),
        "Volcano Job": lambda: (
            "batch.volcano.sh/v1alpha1",
            "Job",
            {
                "tasks": [
                    {"name": n, "replicas": 1, "template": _ending(template)} for n in ("first", "second")
                ]
            },
        ),
    }[kind]()
    metadata = {"name": "own"}
    if name != "ClusterTrainingRuntime":
        metadata["namespace"] = "train"
    if name == "Pod":
        metadata = {**deepcopy(dict(template.get("metadata", {}))), **metadata}
    return {"apiVersion": api_version, "kind": name, "metadata": metadata, "spec": spec}


def _mpi(template: Mapping[str, Any]) -> dict[str, Any]:
    return {"mpiReplicaSpecs": _roles(Launcher=HEAD, Worker=template)}


def _roles(**templates: Mapping[str, Any]) -> dict[str, Any]:
    return {role: {"replicas": 1, "template": deepcopy(dict(t))} for role, t in templates.items()}


KINDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "Pod": ((),),
    "Deployment": (("spec", "template"),),
    "StatefulSet": (("spec", "template"),),
    "DaemonSet": (("spec", "template"),),
    "Job": (("spec", "template"),),
    "CronJob": (("spec", "jobTemplate", "spec", "template"),),
    "MPIJob v1": (("spec", "mpiReplicaSpecs", "Worker", "template"),),
    "MPIJob": (("spec", "mpiReplicaSpecs", "Worker", "template"),),
    "PyTorchJob": tuple(("spec", "pytorchReplicaSpecs", role, "template") for role in ("Master", "Worker")),
    "TrainingRuntime": (("spec", "template", "spec", "replicatedJobs", "1", "template", "spec", "template"),),
    "ClusterTrainingRuntime": (
        ("spec", "template", "spec", "replicatedJobs", "1", "template", "spec", "template"),
    ),
    "JobSet": tuple(("spec", "replicatedJobs", n, "template", "spec", "template") for n in "01"),
    "LeaderWorkerSet": (("spec", "leaderWorkerTemplate", "workerTemplate"),),
    "RayCluster": tuple(("spec", "workerGroupSpecs", n, "template") for n in "01"),
    "RayJob": tuple(("spec", "rayClusterSpec", "workerGroupSpecs", n, "template") for n in "01"),
    "RayService": tuple(("spec", "rayClusterConfig", "workerGroupSpecs", n, "template") for n in "01"),
    "Volcano Job": tuple(("spec", "tasks", n, "template") for n in "01"),
}
"""Kind -> paths of the pod templates that get the rails. Written by hand: netplan has its own table."""


def at(body: Any, path: tuple[str, ...]) -> Any:
    for part in path:
        body = body[int(part)] if isinstance(body, list) else body[part]
    return body


def without(body: dict[str, Any], paths: tuple[tuple[str, ...], ...]) -> str:
    """The object without these templates, to compare the rest of it."""
    left = deepcopy(body)
    for path in paths:
        if not path:
            left.pop("spec")
            left["metadata"].pop("annotations", None)
            continue
        parent = at(left, path[:-1])
        parent[path[-1]] = None
    return json.dumps(left, sort_keys=True)
