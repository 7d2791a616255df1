"""NP64x, NP681: gang scheduling of the test jobs, and the Kubernetes version they need."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric
from netplan.model.job_kinds import JOB_KINDS
from netplan.model.plan import Plan


def _queues(fabric: Fabric) -> int:
    return sum(w.queue is not None for w in fabric.workloads)


@check("NP640", "queue without Volcano or Kueue", on=Fabric, counts=_queues)
def queue_unread(fabric: Fabric) -> Iterator[Finding]:
    """Volcano and Kueue have queues; coscheduling and the default scheduler have none.

    **Why.** The job would start without the quota and the priority its queue stands for.
    **Fix.** Remove `queue`, or name the scheduler it belongs to in `cluster.gang_scheduler`.
    **Source.** kubeflow/mpi-operator caa3c47f pkg/apis/kubeflow/v2beta1/types.go, SchedulingPolicy: queue is
    passed to Volcano only; kubernetes-sigs/scheduler-plugins 903da7df apis/scheduling/v1alpha1/types.go,
    PodGroupSpec.
    """
    scheduler = fabric.cluster.gang_scheduler
    for w in fabric.workloads:
        if w.queue is not None and scheduler not in ("volcano", "kueue"):
            who = "is not stated" if scheduler is None else f"is {scheduler}"
            what = f"workload {w.name} has queue {w.queue}, but cluster.gang_scheduler {who}"
            yield Finding((*w.at, "queue"), what, "remove queue, or set gang_scheduler to volcano or kueue")


def _with_kueue(fabric: Fabric) -> int:
    return sum(bool(w.jobs) for w in fabric.workloads) if fabric.cluster.gang_scheduler == "kueue" else 0


@check("NP641", "Kueue job without a queue", on=Fabric, counts=_with_kueue)
def queue_missing(fabric: Fabric) -> Iterator[Finding]:
    """Kueue admits a job through the LocalQueue named by its label kueue.x-k8s.io/queue-name.

    **Why.** Without the label Kueue ignores the job: if suspended it never starts, otherwise its pods are
    scheduled one by one.
    **Fix.** Set `queue` of the workload to a LocalQueue of its namespace.
    **Source.** kubernetes-sigs/kueue ff69552e pkg/controller/constants, QueueLabel;
    pkg/controller/jobframework.
    """
    for w in fabric.workloads if fabric.cluster.gang_scheduler == "kueue" else ():
        if w.jobs and w.queue is None:
            what = f"workload {w.name} has jobs and cluster.gang_scheduler is kueue, but no queue"
            yield Finding((*w.at, "jobs"), what, "set queue to a LocalQueue of the namespace")


def _operated(plan: Plan) -> int:
    return sum(bool(JOB_KINDS[j.kind].told) and j.gang is not None for w in plan.workloads for j in w.jobs)


@check(
    "NP642",
    "job operator needs the gang scheduler's setting",
    on=Plan,
    counts=_operated,
    severity=Severity.INFO,
)
def operator_makes_the_group(plan: Plan) -> Iterator[Finding]:
    """The MPI operator creates the PodGroup of an MPIJob; LWS with Volcano creates that of a LeaderWorkerSet.

    **Why.** Without the setting they create none, and pods are scheduled one by one.
    **Fix.** Make the setting the message names, or use another kind of job.
    **Source.** kubeflow/mpi-operator caa3c47f pkg/controller/podgroup.go and cmd/mpi-operator/app/options;
    kubernetes-sigs/lws 060ab4da api/config/v1alpha1/configuration_types.go and pkg/schedulerprovider.
    """
    for w in plan.workloads:
        for job in w.jobs:
            if job.gang is not None and job.gang.told is not None:
                made = f"{job.gang.maker} creates its PodGroup only with {job.gang.told}"
                what = f"{job.name} is {JOB_KINDS[job.kind].object}: {made}"
                hint = f"start {job.gang.maker} with {job.gang.told}"
                yield Finding((*w.workload.at, "jobs"), what, hint)


def _dated(fabric: Fabric) -> int:
    version = fabric.cluster.kubernetes_version
    return sum(JOB_KINDS[kind].kubernetes_since is not None for w in fabric.workloads for kind in w.jobs) * (
        version is not None
    )


@check(
    "NP681",
    "test job kind newer than the cluster's Kubernetes",
    on=Fabric,
    counts=_dated,
    severity=Severity.INFO,
)
def job_of_a_later_kubernetes(fabric: Fabric) -> Iterator[Finding]:
    """Each kind of test job needs a minimum Kubernetes release.

    **Why.** The operator cannot be installed, or the API server rejects the job.
    **Fix.** Use another kind in `jobs`, or correct `cluster.kubernetes_version`.
    **Source.** kubeflow/mpi-operator caa3c47f manifests/base/kubeflow.org_mpijobs.yaml; kubernetes.io,
    deprecation guide, CustomResourceDefinition v1 (1.16); Kubernetes, Job, completionMode Indexed (1.22)
    """
    version = fabric.cluster.kubernetes_version
    for w in fabric.workloads if version is not None else ():
        for index, kind in enumerate(w.jobs):
            since = JOB_KINDS[kind].kubernetes_since
            if since is not None and version is not None and version < since[0]:
                first, own = (".".join(map(str, v)) for v in (since[0], version))
                what = f"{kind} of {w.name} needs Kubernetes {first}, kubernetes_version is {own}: {since[1]}"
                hint = "use another kind in jobs, or write the job for the API of an older operator"
                yield Finding((*w.at, "jobs", index), what, hint)
