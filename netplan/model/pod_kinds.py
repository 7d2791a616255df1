"""Kinds of objects that create pods, with the paths of their pod templates; and kinds that create none.

Paths are from the CRDs and Go types: kubeflow/trainer v2.3.0 (runtimePatches from v2.2.0 on),
kubeflow/mpi-operator v0.8.0, kubeflow/training-operator v1.9.0 (PyTorchJob), kubernetes-sigs/jobset v0.12.0,
kubernetes-sigs/lws v0.9.0, ray-project/kuberay v1.6, volcano-sh/volcano v1.15.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from netplan.records import dataclass

RAILS = "netplan/rails"
"""Annotation of a job: which of its pod templates get the rails: ``all``, the name of one, or ``none``."""

EACH = "*"
"""In a path: every entry of a list, or those that the workload's ``roles`` name."""

ROLE = "{role}"
"""In a path: the name of an entry; there is a path for each role."""

CONTAINER = ("spec", "containers", "0")
"""The container that gets devices if nothing else identifies it; in a path: that container."""

NODE = r"[name=^\W?node\W?$]"
"""Container of Kubeflow's trainer, which knows it by this name (kubeflow/trainer
pkg/constants/constants.go)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Where pod templates are once all of them are in reach.

    ``name``: of the mark that such objects get. ``path``: of the templates; its first part is where the
    template, or with ``listed`` the list of them, is moved to; not ``moved``: everything stays in place.
    ``key``: the field that names a list entry. ``role``: the entry that trains if the workload names no
    roles; None: all of them. ``container``: index in the list of containers; None: those that request GPUs.
    ``elsewhere``: parts of the template that stand in another place. ``takes``: parts that are supported;
    empty: all.
    """

    name: str
    path: tuple[str, ...]
    moved: bool = True
    listed: bool = True
    key: str | None = None
    role: str | None = None
    container: str | None = None
    elsewhere: Mapping[tuple[str, ...], tuple[str, ...]] | None = None
    takes: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PodTemplates:
    """Pod templates of a kind.

    ``name``: value of the annotation that selects only them. ``place``: of the template or the list.
    ``default``: whether they get the rails if the job has no annotation; templates that do not get them and
    are ``optional`` must then be absent.
    """

    name: str
    shape: Shape
    place: tuple[str, ...]
    default: bool = True
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PodKind:
    """``states``: what such a job must have."""

    group: str
    kinds: tuple[str, ...]
    templates: tuple[PodTemplates, ...]
    states: tuple[tuple[str, ...], ...] = ()


_INNER = ("template", "spec", "template")

POD = Shape(name="pod", path=(), moved=False, listed=False)
TEMPLATE = Shape(name="templates", path=("netplan-templates", EACH), listed=False)
JOBS = Shape(name="jobs", path=("netplan-jobs", EACH, *_INNER), key="name")
STEPS = Shape(name="steps", path=("netplan-steps", EACH, *_INNER), key="name", role="node", container=NODE)
GROUPS = Shape(name="groups", path=("netplan-groups", EACH, "template"), key="groupName")
TASKS = Shape(name="tasks", path=("netplan-tasks", EACH, "template"), key="name")
# A TrainJob has no pod template, it patches its runtime's. The webhook refuses variables of container node
# there, and wants a manager with a domain (trainer pkg/runtime/framework/plugins/jobset/jobset.go 175-206).
PATCH = Shape(
    name="patches",
    path=(
        *("spec", "runtimePatches", f"[manager={RAILS}]", "trainingRuntimeSpec", "template", "spec"),
        *("replicatedJobs", f"[name={ROLE}]", *_INNER),
    ),
    moved=False,
    role="node",
    container="[name=node]",
    elsewhere={
        (*CONTAINER, "env"): ("spec", "trainer", "env"),
        (*CONTAINER, "resources", "limits"): ("spec", "trainer", "resourcesPerNode", "limits"),
    },
    takes=(
        ("metadata", "annotations"),
        *(("spec", k) for k in ("affinity", "imagePullSecrets", "nodeSelector", "securityContext")),
        *(("spec", k) for k in ("serviceAccountName", "tolerations", "volumes")),
        *((*CONTAINER, k) for k in ("env", "securityContext", "volumeMounts")),
        (*CONTAINER, "resources", "limits"),
    ),
)
SHAPES = (POD, TEMPLATE, JOBS, STEPS, GROUPS, TASKS, PATCH)


def _fixed(*path: str, name: str = "template", default: bool = True, optional: bool = False) -> PodTemplates:
    return PodTemplates(name=name, shape=TEMPLATE, place=path, default=default, optional=optional)


def _listed(name: str, shape: Shape, *path: str) -> PodTemplates:
    return PodTemplates(name=name, shape=shape, place=path)


def _replicas(specs: str, name: str, default: bool = True) -> PodTemplates:
    return _fixed("spec", specs, name, "template", name=name, default=default)


def _ray(kind: str, *cluster: str) -> PodKind:
    workers = _listed("workers", GROUPS, *cluster, "workerGroupSpecs")
    head = _fixed(*cluster, "headGroupSpec", "template", name="head", default=False)
    return PodKind(group="ray.io", kinds=(kind,), templates=(workers, head))


_TEMPLATE = _fixed("spec", "template")
_LWS = ("spec", "leaderWorkerTemplate")

POD_KINDS = (
    PodKind(group="", kinds=("Pod",), templates=(_listed("pod", POD),)),
    PodKind(group="apps", kinds=("Deployment", "StatefulSet", "DaemonSet"), templates=(_TEMPLATE,)),
    PodKind(group="batch", kinds=("Job",), templates=(_TEMPLATE,)),
    PodKind(
        group="batch",
        kinds=("CronJob",),
        templates=(_fixed("spec", "jobTemplate", "spec", "template"),),
    ),
    PodKind(
        group="kubeflow.org",
        kinds=("MPIJob",),
        templates=(
            _replicas("mpiReplicaSpecs", "Worker"),
            _replicas("mpiReplicaSpecs", "Launcher", default=False),
        ),
    ),
    PodKind(
        group="kubeflow.org",
        kinds=("PyTorchJob",),
        templates=(_replicas("pytorchReplicaSpecs", "Master"), _replicas("pytorchReplicaSpecs", "Worker")),
    ),
    # up to Trainer 2.2 resourcesPerNode replaces the runtime's requests, GPUs included
    PodKind(
        group="trainer.kubeflow.org",
        kinds=("TrainJob",),
        templates=(_listed("trainer", PATCH, "spec", "runtimePatches"),),
        states=(("spec", "trainer", "resourcesPerNode", "limits"),),
    ),
    PodKind(
        group="trainer.kubeflow.org",
        kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
        templates=(_listed("trainer", STEPS, "spec", "template", "spec", "replicatedJobs"),),
    ),
    PodKind(
        group="jobset.x-k8s.io",
        kinds=("JobSet",),
        templates=(_listed("jobs", JOBS, "spec", "replicatedJobs"),),
    ),
    PodKind(
        group="leaderworkerset.x-k8s.io",
        kinds=("LeaderWorkerSet",),
        templates=(
            _fixed(*_LWS, "workerTemplate", name="workers"),
            _fixed(*_LWS, "leaderTemplate", name="leader", default=False, optional=True),
        ),
    ),
    _ray("RayCluster", "spec"),
    _ray("RayJob", "spec", "rayClusterSpec"),
    _ray("RayService", "spec", "rayClusterConfig"),
    PodKind(group="batch.volcano.sh", kinds=("Job",), templates=(_listed("tasks", TASKS, "spec", "tasks"),)),
)

ANY = ".*"

WITHOUT_PODS: Mapping[str, str] = {
    "": "ConfigMap|Endpoints|LimitRange|Namespace|PersistentVolume|PersistentVolumeClaim|ResourceQuota|Secret"
    "|Service|ServiceAccount",
    "argoproj.io": "AppProject|Application|ApplicationSet",
    "autoscaling": "HorizontalPodAutoscaler",
    "kueue.x-k8s.io": "AdmissionCheck|ClusterQueue|Cohort|LocalQueue|ProvisioningRequestConfig|ResourceFlavor"
    "|Topology|WorkloadPriorityClass",
    "kustomize.toolkit.fluxcd.io": "Kustomization",
    "mellanox.com": "HostDeviceNetwork|IPoIBNetwork|MacvlanNetwork|NicClusterPolicy|NicNodePolicy",
    "monitoring.coreos.com": "PodMonitor|PrometheusRule|ServiceMonitor",
    "nvidia.com": "ClusterPolicy|NVIDIADriver",
    "scheduling.volcano.sh": "PodGroup|Queue",
    "scheduling.x-k8s.io": "ElasticQuota|PodGroup",
    **dict.fromkeys(
        (
            *("admissionregistration.k8s.io", "apiextensions.k8s.io", "policy", "rbac.authorization.k8s.io"),
            *("networking.k8s.io", "gateway.networking.k8s.io", "node.k8s.io", "scheduling.k8s.io"),
            *("resource.k8s.io", "snapshot.storage.k8s.io", "storage.k8s.io", "cert-manager.io"),
            *("external-secrets.io", "networking.istio.io", "security.istio.io", "source.toolkit.fluxcd.io"),
            *("configuration.net.nvidia.com", "k8s.cni.cncf.io", "nv-ipam.nvidia.com", "netplan"),
            *("spiderpool.spidernet.io", "sriovnetwork.k8snetworkplumbingwg.io", "sriovnetwork.openshift.io"),
            "whereabouts.cni.cncf.io",
        ),
        ANY,
    ),
}
"""API group -> regular expression of its kinds without a pod template. The operators of some of them start
pods, which cannot get rails."""


def pod_templates(body: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(JSON path, pod template) of every template that an object of a known kind has."""
    group = str(body.get("apiVersion", "")).rpartition("/")[0]
    for known in POD_KINDS:
        if known.group == group and body.get("kind") in known.kinds:
            for each in known.templates:
                if each.shape.moved or not each.place:
                    inner = each.shape.path[1:] if each.shape.listed else ()
                    yield from _found(body, (*each.place, *inner), "$")


def _found(node: Any, path: tuple[str, ...], where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if not path:
        if isinstance(node, dict) and "containers" in (node.get("spec") or ()):
            yield where, node
    elif isinstance(node, list):
        for index, entry in enumerate(node):
            yield from _found(entry, path[1:], f"{where}[{index}]")
    elif isinstance(node, dict) and path[0] in node:
        yield from _found(node[path[0]], path[1:], f"{where}.{path[0]}")
