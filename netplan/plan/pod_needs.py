"""What workload pods need from a cluster besides their networks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan.model.cluster import Cluster
from netplan.model.job_kinds import JOB_KINDS
from netplan.model.kubernetes import KubernetesPlan
from netplan.model.overview import Prerequisite
from netplan.model.workloads import WorkloadPlan
from netplan.plan.host_system import RUNTIME_UNITS

CRIO = '`default_ulimits = ["memlock=-1:-1"]` below `[crio.runtime]` in a file of /etc/crio/crio.conf.d'
"""cri-o/cri-o docs/crio.conf.5.md; as a MachineConfig in borball/snippets ulimit-mc.md."""

_CONTROLLERS = {
    "mpijob": ("mpi-operator", "the MPI operator (kubeflow.org/v2beta1)"),
    "jobset": ("jobset", "the JobSet controller (jobset.x-k8s.io/v1alpha2)"),
    "leaderworkerset": ("lws", "the LeaderWorkerSet controller (leaderworkerset.x-k8s.io/v1)"),
    "volcano-job": ("volcano", "Volcano (batch.volcano.sh/v1alpha1)"),
}
"""Kind of job -> program that brings its CRD; kinds built into Kubernetes need none."""

_GANGS = {"volcano": "volcano", "kueue": "kueue", "coscheduling": "scheduler-plugins"}
_GANG_NAMES = {"volcano": "Volcano", "kueue": "Kueue", "coscheduling": "the scheduler of scheduler-plugins"}


def for_pods(
    cluster: Cluster, kubernetes: KubernetesPlan, workloads: tuple[WorkloadPlan, ...]
) -> Iterator[Prerequisite]:
    if cluster.memlock == "runtime" and workloads:
        why = "pods have no IPC_LOCK, and registered RDMA memory counts against the limit they inherit"
        name = "a container runtime with an unlimited memlock limit"
        yield Prerequisite(None, name, why, _memlock_settings(cluster))
    scheduler = cluster.gang_scheduler
    if scheduler is not None:
        why = "the pods of a job start together or not at all"
        settings = _coverage(workloads) if scheduler == "kueue" else ""
        yield Prerequisite(_GANGS[scheduler], _GANG_NAMES[scheduler], why, settings)
    yield from _other_resources(kubernetes, workloads)
    if scheduler != "kueue" and any(w.local_queue is not None for w in workloads):
        why = "pods/kueue.yaml has objects of its CRDs"
        yield Prerequisite("kueue", _GANG_NAMES["kueue"], why, _coverage(workloads))
    for kind, (program, name) in _CONTROLLERS.items():
        users = [w.name for w in workloads if any(j.kind == kind for j in w.jobs)]
        if users and program != _GANGS.get(scheduler or ""):
            what = JOB_KINDS[kind].object
            yield Prerequisite(program, name, f"the test job of {' and '.join(users)} is {what}")
    yield from _named_objects(kubernetes, workloads)


def _named_objects(kubernetes: KubernetesPlan, workloads: tuple[WorkloadPlan, ...]) -> Iterator[Prerequisite]:
    """Objects that pods reference and netplan does not create. Without them the API server refuses the pod,
    or it does not start. The RuntimeClass nvidia is the GPU Operator's (NVIDIA/gpu-operator
    assets/pre-requisites)."""
    wanted: dict[str, list[str]] = {}
    for w in workloads:
        place, extra = f"in namespace {w.workload.namespace}", w.extra
        names = [
            ("RuntimeClass", w.workload.runtime_class, ""),
            ("PriorityClass", extra.get("priorityClassName"), ""),
            ("ServiceAccount", extra.get("serviceAccountName"), place),
            *(("Secret", secret.get("name"), place) for secret in extra.get("imagePullSecrets", ())),
        ]
        for kind, name, where in names:
            by_chart = (kind, name) == ("RuntimeClass", "nvidia") and kubernetes.gpu_operator is not None
            if name and not by_chart:
                wanted.setdefault(f"the {kind} `{name}` {where}".rstrip(), []).append(w.name)
    for what, users in wanted.items():
        yield Prerequisite(None, what, f"pods of {' and '.join(users)} name it")


def _other_resources(
    kubernetes: KubernetesPlan, workloads: tuple[WorkloadPlan, ...]
) -> Iterator[Prerequisite]:
    """Device plugins for requested extended resources that no network of the site provides: GPUs. None with
    the GPU Operator."""
    if kubernetes.gpu_operator is not None:
        return
    own = {r.full_name for r in kubernetes.resources}
    asked = {name for w in workloads for name, _ in w.limits if "/" in name and name not in own}
    for name in sorted(asked):
        yield Prerequisite(
            None, f"a device plugin for {name}", "the pods request it, but no chart here installs one"
        )


def _memlock_settings(cluster: Cluster) -> str:
    unit = RUNTIME_UNITS.get(cluster.distribution)
    if unit is None:
        return f"a MachineConfig with {CRIO}; the nodes of its pool reboot one by one"
    drop_in = f"the drop-in {unit}.service.d/10-rdma-memlock.conf of hosts/"
    return f"{drop_in}; with CRI-O instead {CRIO}" if unit == "containerd" else drop_in


def _coverage(workloads: Iterable[WorkloadPlan]) -> str:
    """What the ClusterQueue has to cover (kubernetes-sigs/kueue
    pkg/scheduler/flavorassigner/flavorassigner.go ("resource ... unavailable in ClusterQueue"),
    apis/config/v1beta2/configuration_types.go (excludeResourcePrefixes))."""
    workloads = tuple(workloads)
    rails = sorted({d.resource for w in workloads for d in w.devices if not d.claimed})
    others = sorted({name for w in workloads for name, _ in w.limits} - set(rails))
    if not rails:
        return f"the ClusterQueue covers {_quoted(others)}"
    return (
        f"the ClusterQueue covers {_quoted([*others, *rails])}, GPUs and rails in one group and flavor, "
        "else the jobs wait forever; or Kueue's own Configuration has the rails in "
        f"`resources.excludeResourcePrefixes: [{', '.join(rails)}]`"
    )


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{n}`" for n in names)
