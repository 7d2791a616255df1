"""What gang schedulers read: in a job's metadata, in its pods, and in objects of their own.

Volcano: volcano-sh/apis pkg/apis/scheduling/v1beta1 (PodGroup, annotation scheduling.k8s.io/group-name).

Coscheduling: kubernetes-sigs/scheduler-plugins apis/scheduling/v1alpha1/types.go (PodGroup, PodGroupLabel).

Kueue: kubernetes-sigs/kueue pkg/controller/constants (QueueLabel); pkg/controller/jobs/statefulset.

LWS: kubernetes-sigs/lws pkg/schedulerprovider/volcano_provider.go and docs/examples/sample/gang-scheduling.

MPI operator: kubeflow/mpi-operator pkg/apis/kubeflow/v2beta1/types.go (SchedulingPolicy).
"""

from __future__ import annotations

from typing import Any

from netplan.model.workloads import CollectiveJob
from netplan.render.dump import written

KUEUE_QUEUE = "kueue.x-k8s.io/queue-name"
VOLCANO_QUEUE = "scheduling.volcano.sh/queue-name"
VOLCANO_GROUP = "scheduling.k8s.io/group-name"
COSCHEDULING_GROUP = "scheduling.x-k8s.io/pod-group"

_POD_GROUPS = {"volcano": "scheduling.volcano.sh/v1beta1", "coscheduling": "scheduling.x-k8s.io/v1alpha1"}


def queued(job: CollectiveJob, metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata of a job object, with the queue from which Kueue admits it."""
    gang = job.gang
    if gang is None or gang.scheduler != "kueue" or gang.queue is None:
        return metadata
    return {**metadata, "labels": {KUEUE_QUEUE: gang.queue}}


def suspended(job: CollectiveJob) -> bool | None:
    """Value of ``suspend``: True with Kueue, which starts the job once all of it fits; None: the key is left
    out."""
    return True if job.gang is not None and job.gang.scheduler == "kueue" else None


def member(job: CollectiveJob, template: dict[str, Any]) -> dict[str, Any]:
    """The pod template with the scheduler and PodGroup that netplan sets."""
    gang = job.gang
    if gang is None or gang.scheduler_name is None:
        return template
    spec = {"schedulerName": gang.scheduler_name, **template["spec"]}
    metadata = template["metadata"]
    if gang.group is None:
        return {"metadata": metadata, "spec": spec}
    volcano = gang.scheduler == "volcano"
    place, key = ("annotations", VOLCANO_GROUP) if volcano else ("labels", COSCHEDULING_GROUP)
    grouped = {**metadata, place: {**metadata.get(place, {}), key: gang.group}}
    return {"metadata": grouped, "spec": spec}


def lws_queue(job: CollectiveJob, metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata with the queue that LWS copies into the PodGroup it creates for Volcano."""
    gang = job.gang
    if gang is None or gang.told is None or gang.queue is None:
        return metadata
    return {**metadata, "annotations": {VOLCANO_QUEUE: gang.queue}}


def pod_groups(job: CollectiveJob, namespace: str) -> list[dict[str, Any]]:
    """The PodGroup, to be created before its pods; none if another program creates it."""
    gang = job.gang
    if gang is None or gang.group is None:
        return []
    return [
        {
            "apiVersion": _POD_GROUPS[gang.scheduler],
            "kind": "PodGroup",
            "metadata": {"name": gang.group, "namespace": namespace},
            "spec": written({"minMember": gang.members, "queue": gang.queue}),
        }
    ]


def mpi_policy(job: CollectiveJob) -> dict[str, Any] | None:
    """``runPolicy.schedulingPolicy``, from which the MPI operator creates the PodGroup."""
    gang = job.gang
    if gang is None or gang.scheduler == "kueue":
        return None
    return written({"minAvailable": gang.members, "queue": gang.queue})
