"""What a gang scheduler reads, in a job's own metadata, in its pods and beside it.

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
    """Metadata of a job object, with the queue that Kueue admits it from."""
    gang = job.gang
    if gang is None or gang.scheduler != "kueue" or gang.queue is None:
        return metadata
    return {**metadata, "labels": {KUEUE_QUEUE: gang.queue}}


def suspended(job: CollectiveJob) -> bool | None:
    """Kueue starts a suspended job when the whole of it fits; None: the key is not written."""
    return True if job.gang is not None and job.gang.scheduler == "kueue" else None


def member(job: CollectiveJob, template: dict[str, Any]) -> dict[str, Any]:
    """A pod template that names its scheduler and its PodGroup, as far as netplan decides them."""
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
    """LWS puts the queue into the PodGroup that it makes for Volcano."""
    gang = job.gang
    if gang is None or gang.told is None or gang.queue is None:
        return metadata
    return {**metadata, "annotations": {VOLCANO_QUEUE: gang.queue}}


def pod_groups(job: CollectiveJob, namespace: str) -> list[dict[str, Any]]:
    """The PodGroup, before the pods that name it; none where another program makes it."""
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
    """``runPolicy.schedulingPolicy``: from it the MPI operator makes the PodGroup."""
    gang = job.gang
    if gang is None or gang.scheduler == "kueue":
        return None
    return written({"minAvailable": gang.members, "queue": gang.queue})
