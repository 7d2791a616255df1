"""NP64x, NP681: gang scheduling of the test jobs, and the Kubernetes they need."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric
from netplan.model.job_kinds import JOB_KINDS
from netplan.model.plan import Plan


def _queues(fabric: Fabric) -> int:
    return sum(w.queue is not None for w in fabric.workloads)


@check("NP640", "a queue without Volcano or Kueue", on=Fabric, counts=_queues)
def queue_unread(fabric: Fabric) -> Iterator[Finding]:
    """Volcano and Kueue have queues; coscheduling and the default scheduler have none.

    **Why.** The job would start without the quota and the priority its queue stands for.
    **Fix.** Remove `queue`, or name the scheduler that has it in `cluster.gang_scheduler`.
    **Source.** kubeflow/mpi-operator pkg/apis/kubeflow/v2beta1/types.go, SchedulingPolicy: queue is passed to
    Volcano only; kubernetes-sigs/scheduler-plugins apis/scheduling/v1alpha1/types.go, PodGroupSpec.
    """
    scheduler = fabric.cluster.gang_scheduler
    for w in fabric.workloads:
        if w.queue is not None and scheduler not in ("volcano", "kueue"):
            who = "is not stated" if scheduler is None else f"is {scheduler}"
            what = f"workload {w.name} has queue {w.queue}, but cluster.gang_scheduler {who}"
            yield Finding((*w.at, "queue"), what, "remove queue, or set gang_scheduler to volcano or kueue")


def _with_kueue(fabric: Fabric) -> int:
    return sum(bool(w.jobs) for w in fabric.workloads) if fabric.cluster.gang_scheduler == "kueue" else 0


@check("NP641", "a job for Kueue without a queue", on=Fabric, counts=_with_kueue)
def queue_missing(fabric: Fabric) -> Iterator[Finding]:
    """Kueue admits a job from the LocalQueue that its label kueue.x-k8s.io/queue-name names.

    **Why.** Without the label Kueue leaves the job alone: suspended, it never starts; otherwise its pods are
    scheduled one by one.
    **Fix.** Set `queue` of the workload to a LocalQueue of its namespace.
    **Source.** kubernetes-sigs/kueue pkg/controller/constants, QueueLabel; pkg/controller/jobframework.
    """
    for w in fabric.workloads if fabric.cluster.gang_scheduler == "kueue" else ():
        if w.jobs and w.queue is None:
            what = f"workload {w.name} has jobs, cluster.gang_scheduler is kueue, but there is no queue"
            yield Finding((*w.at, "jobs"), what, "set queue to a LocalQueue of the namespace")


def _operated(plan: Plan) -> int:
    return sum(bool(JOB_KINDS[j.kind].told) and j.gang is not None for w in plan.workloads for j in w.jobs)


@check(
    "NP642",
    "a job's operator must be told of the gang scheduler",
    on=Plan,
    counts=_operated,
    severity=Severity.INFO,
)
def operator_makes_the_group(plan: Plan) -> Iterator[Finding]:
    """The MPI operator makes the PodGroup of an MPIJob, LWS with Volcano that of a LeaderWorkerSet.

    **Why.** Without that setting they make none: pods are scheduled one by one.
    **Fix.** Set what the message names, or use another kind of job.
    **Source.** kubeflow/mpi-operator pkg/controller/podgroup.go and cmd/mpi-operator/app/options;
    kubernetes-sigs/lws api/config/v1alpha1/configuration_types.go and pkg/schedulerprovider.
    """
    for w in plan.workloads:
        for job in w.jobs:
            if job.gang is not None and job.gang.told is not None:
                made = f"{job.gang.maker} makes its PodGroup only with {job.gang.told}"
                what = f"{job.name} is {JOB_KINDS[job.kind].object}: {made}"
                hint = f"start {job.gang.maker} with {job.gang.told}"
                yield Finding((*w.workload.at, "jobs"), what, hint)


def _dated(fabric: Fabric) -> int:
    version = fabric.cluster.kubernetes_version
    return sum(JOB_KINDS[kind].kubernetes_since is not None for w in fabric.workloads for kind in w.jobs) * (
        version is not None
    )


@check("NP681", "a test job newer than its Kubernetes", on=Fabric, counts=_dated, severity=Severity.INFO)
def job_of_a_later_kubernetes(fabric: Fabric) -> Iterator[Finding]:
    """Kinds of test job exist from some Kubernetes release on.

    **Why.** The operator cannot be installed or the API server refuses the job: it has to be written anew.
    **Fix.** Take another kind in `jobs`, or correct `cluster.kubernetes_version`.
    **Source.** kubeflow/mpi-operator manifests/base/kubeflow.org_mpijobs.yaml; kubernetes.io, deprecation
    guide, CustomResourceDefinition v1 (1.16); Kubernetes, Job, completionMode Indexed (1.22)
    """
    version = fabric.cluster.kubernetes_version
    for w in fabric.workloads if version is not None else ():
        for index, kind in enumerate(w.jobs):
            since = JOB_KINDS[kind].kubernetes_since
            if since is not None and version is not None and version < since[0]:
                first, own = (".".join(map(str, v)) for v in (since[0], version))
                what = f"{kind} of {w.name} needs Kubernetes {first}, kubernetes_version is {own}: {since[1]}"
                hint = "take another kind in jobs, or write that job for the API of an older operator"
                yield Finding((*w.at, "jobs", index), what, hint)
