"""The kinds of test jobs that netplan writes: one row each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """``object``: what it is, in words. ``starter``: mpirun over ssh, or torchrun in every pod.

    ``port``: TCP port of the pods, None without one. ``pod_names``: the longest ones; {name} is the job's
    name, {last} the number of its last pod. ``launchers``: pods of a gang that take no part in the test.
    ``master``: name of pod 0. ``master_variable``, ``rank_variable``: shell variables with that name, and
    with a pod's number. ``operator``: what creates the PodGroup for the schedulers in ``told``, with the
    setting it needs for that. ``names_scheduler``: the pods name the scheduler all the same. ``own_gang``: it
    is itself a Volcano gang, and no other scheduler's. ``framework``: Kueue's integration, on by default from
    release ``queued_since`` on; empty without one. ``kubernetes_since``: first Kubernetes that supports it,
    with the reason; None: all that netplan knows.
    """

    object: str
    api_version: str
    kind: str
    starter: str
    port: int | None = None
    pod_names: tuple[str, ...]
    launchers: int = 0
    master: str = ""
    master_variable: str = "MASTER_ADDR"
    rank_variable: str = "JOB_COMPLETION_INDEX"
    operator: str = ""
    told: Mapping[str, str] = field(default_factory=dict)
    names_scheduler: bool = False
    own_gang: bool = False
    framework: str
    queued_since: tuple[int, int] = (0, 0)
    kubernetes_since: tuple[tuple[int, int], str] | None = None
    source: str


MASTER_PORT = 29500
"""Default rendezvous port of torchrun (pytorch torch/distributed/run.py)."""

SSH_PORT = 22

WORKERS = "workers"
"""Name of the only replicated job of a JobSet, and of the only task of a Volcano Job."""

JOB_KINDS: Mapping[str, JobKind] = {
    "mpijob": JobKind(
        object="an MPIJob",
        api_version="kubeflow.org/v2beta1",
        kind="MPIJob",
        starter="mpirun",
        pod_names=("{name}-worker-{last}", "{name}-launcher"),
        launchers=1,
        operator="the MPI operator",
        told={
            "volcano": "--gang-scheduling=volcano",
            "coscheduling": "--gang-scheduling=scheduler-plugins-scheduler",
        },
        framework="kubeflow.org/mpijob",
        kubernetes_since=((1, 16), "the CRD of kubeflow.org/v2beta1 is of apiextensions.k8s.io/v1"),
        source="kubeflow/mpi-operator pkg/apis/kubeflow/v2beta1/types.go, pkg/controller/podgroup.go",
    ),
    "indexed-job": JobKind(
        object="a Job",
        api_version="batch/v1",
        kind="Job",
        starter="torchrun",
        port=MASTER_PORT,
        pod_names=("{name}-{last}",),
        master="{name}-0.{name}",
        framework="batch/job",
        kubernetes_since=((1, 22), "completionMode Indexed is on by default"),
        source="Kubernetes, Job, completionMode Indexed",
    ),
    "statefulset": JobKind(
        object="a StatefulSet",
        api_version="apps/v1",
        kind="StatefulSet",
        starter="mpirun",
        port=SSH_PORT,
        pod_names=("{name}-{last}", "{name}-launcher"),
        framework="statefulset",
        queued_since=(0, 16),
        source="Kubernetes, StatefulSet",
    ),
    "jobset": JobKind(
        object="a JobSet",
        api_version="jobset.x-k8s.io/v1alpha2",
        kind="JobSet",
        starter="torchrun",
        port=MASTER_PORT,
        pod_names=(f"{{name}}-{WORKERS}-0-{{last}}-abcde",),
        master=f"{{name}}-{WORKERS}-0-0.{{name}}",
        framework="jobset.x-k8s.io/jobset",
        source="kubernetes-sigs/jobset pkg/util/placement/placement.go, pkg/webhooks/jobset_webhook.go",
    ),
    "leaderworkerset": JobKind(
        object="a LeaderWorkerSet",
        api_version="leaderworkerset.x-k8s.io/v1",
        kind="LeaderWorkerSet",
        starter="torchrun",
        port=MASTER_PORT,
        pod_names=("{name}-0-{last}",),
        master_variable="LWS_LEADER_ADDRESS",
        rank_variable="LWS_WORKER_INDEX",
        operator="LWS",
        told={"volcano": "gangSchedulingManagement.schedulerProvider: volcano"},
        names_scheduler=True,
        framework="leaderworkerset.x-k8s.io/leaderworkerset",
        queued_since=(0, 16),
        source="kubernetes-sigs/lws pkg/utils/pod/pod_utils.go, pkg/schedulerprovider/volcano_provider.go",
    ),
    "volcano-job": JobKind(
        object="a Volcano Job",
        api_version="batch.volcano.sh/v1alpha1",
        kind="Job",
        starter="torchrun",
        port=MASTER_PORT,
        pod_names=(f"{{name}}-{WORKERS}-{{last}}",),
        master=f"{{name}}-{WORKERS}-0.{{name}}",
        rank_variable="VC_TASK_INDEX",
        own_gang=True,
        framework="",
        source="volcano-sh/volcano pkg/controllers/job/helpers/helpers.go, pkg/controllers/job/plugins",
    ),
}
"""By the word in ``workloads.X.jobs``. Kueue: kubernetes-sigs/kueue
config/components/manager/controller_manager_config.yaml at v0.9 to v0.19."""
