"""Gang scheduling: the pods of a job start all together or not at all, with the scheduler the cluster runs.

Volcano and coscheduling bind the pods of a PodGroup once its minMember fit. The MPI operator creates the
PodGroup of an MPIJob itself, LWS with Volcano that of a LeaderWorkerSet; netplan writes the others. Kueue
admits whole jobs.
"""

from __future__ import annotations

from netplan.model.fabric import Fabric, Workload
from netplan.model.job_kinds import JobKind
from netplan.model.workloads import Gang

SCHEDULER_NAMES = {"volcano": "volcano", "coscheduling": "scheduler-plugins-scheduler"}
"""Values of schedulerName in pods (kubeflow/mpi-operator cmd/mpi-operator/app/options, GangSchedulerVolcano;
kubernetes-sigs/scheduler-plugins manifests/install/charts/as-a-second-scheduler/values.yaml,
scheduler.name)."""


def plan_gang(fabric: Fabric, workload: Workload, kind: JobKind, name: str) -> Gang | None:
    """Gang of one job, None without a gang scheduler. An MPIJob's launcher is a member, because it starts
    with its workers."""
    scheduler = fabric.cluster.gang_scheduler
    if scheduler is None or (kind.own_gang and scheduler != "volcano"):
        return None
    by_operator = scheduler == "kueue" or scheduler in kind.told or kind.own_gang
    named = scheduler in SCHEDULER_NAMES and (kind.names_scheduler or not by_operator)
    return Gang(
        scheduler=scheduler,
        scheduler_name=SCHEDULER_NAMES[scheduler] if named else None,
        group=None if by_operator else name,
        members=workload.nodes + kind.launchers,
        queue=workload.queue if scheduler != "coscheduling" else None,
        maker=kind.operator if scheduler in kind.told else None,
        told=kind.told.get(scheduler),
    )
