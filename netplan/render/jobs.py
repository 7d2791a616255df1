"""Test jobs that prove the network, as Kubernetes objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from netplan.model.job_kinds import JOB_KINDS, WORKERS
from netplan.model.workloads import HOSTFILE, CollectiveJob, WorkloadPlan
from netplan.render.dump import written
from netplan.render.gangs import lws_queue, member, mpi_policy, pod_groups, queued, suspended
from netplan.render.job_parts import (
    labels,
    launcher_container,
    launcher_template,
    metadata,
    ranks,
    service,
    started,
)
from netplan.render.pod_spec import env_list, pod_template

Objects = list[dict[str, Any]]


def objects(plan: WorkloadPlan, job: CollectiveJob, script: str | None) -> Objects:
    """The objects of one job, in the order they are applied."""
    return _KINDS[job.kind](plan, job, script)


def _kind(job: CollectiveJob) -> dict[str, str]:
    row = JOB_KINDS[job.kind]
    return {"apiVersion": row.api_version, "kind": row.kind}


def _mpijob(plan: WorkloadPlan, job: CollectiveJob, script: str | None) -> Objects:
    """MPIJob of the MPI operator (kubeflow/mpi-operator pkg/apis/kubeflow/v2beta1/types.go).

    Workers run sshd, the operator's default; the operator also provides host file and keys.
    """
    worker = pod_template(plan, script, labels(job), {"env": env_list(dict(job.env))}, spread=True)
    launcher = {
        "replicas": 1,
        "restartPolicy": "OnFailure",
        "template": launcher_template(plan, {"containers": [launcher_container(plan, job)]}),
    }
    return [
        {
            **_kind(job),
            "metadata": queued(job, metadata(plan, job.name)),
            "spec": {
                "slotsPerWorker": job.slots,
                "runPolicy": written(
                    {
                        "cleanPodPolicy": "Running",
                        "suspend": suspended(job),
                        "schedulingPolicy": mpi_policy(job),
                    }
                ),
                "mpiReplicaSpecs": {
                    "Launcher": launcher,
                    "Worker": {"replicas": job.replicas, "template": worker},
                },
            },
        }
    ]


def _indexed_job(plan: WorkloadPlan, job: CollectiveJob, script: str | None) -> Objects:
    """Every pod runs torchrun. Pod 0 is the master, reached by its name in the headless Service."""
    template = member(job, ranks(plan, job, script))
    template["spec"] = {"subdomain": job.name, "restartPolicy": "Never", **template["spec"]}
    return [
        service(plan, job),
        *pod_groups(job, plan.workload.namespace),
        {
            **_kind(job),
            "metadata": queued(job, metadata(plan, job.name)),
            "spec": written(
                {
                    "suspend": suspended(job),
                    "completionMode": "Indexed",
                    "completions": job.replicas,
                    "parallelism": job.replicas,
                    "backoffLimit": 0,
                    "template": template,
                }
            ),
        },
    ]


def _statefulset(plan: WorkloadPlan, job: CollectiveJob, script: str | None) -> Objects:
    """Workers wait with sshd, whose keys are in the image; a Job launches the test over SSH."""
    container = {**started(job, ("/usr/sbin/sshd", "-D")), "ports": [{"containerPort": job.port}]}
    hosts = "".join(f"{job.name}-{i}.{job.name} slots={job.slots}\n" for i in range(job.replicas))
    template = member(job, pod_template(plan, script, labels(job), container, spread=True))
    folder, _, file = HOSTFILE.rpartition("/")
    launcher = {**launcher_container(plan, job), "volumeMounts": [{"name": "hostfile", "mountPath": folder}]}
    return [
        service(plan, job),
        *pod_groups(job, plan.workload.namespace),
        {
            **_kind(job),
            "metadata": queued(job, metadata(plan, job.name)),
            "spec": {
                "serviceName": job.name,
                "replicas": job.replicas,
                "podManagementPolicy": "Parallel",
                "selector": {"matchLabels": labels(job)},
                "template": template,
            },
        },
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": metadata(plan, f"{job.name}-hosts"),
            "data": {file: hosts},
        },
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": queued(job, metadata(plan, f"{job.name}-launcher")),
            "spec": written(
                {
                    "suspend": suspended(job),
                    "template": launcher_template(
                        plan,
                        {
                            # the first try may come before the workers' sshd
                            "restartPolicy": "OnFailure",
                            "containers": [launcher],
                            "volumes": [{"name": "hostfile", "configMap": {"name": f"{job.name}-hosts"}}],
                        },
                    ),
                }
            ),
        },
    ]


def _jobset(plan: WorkloadPlan, job: CollectiveJob, script: str | None) -> Objects:
    """One replicated job. JobSet creates the Service; pod 0 is the master (kubernetes-sigs/jobset
    api/jobset/v1alpha2/jobset_types.go)."""
    template = member(job, ranks(plan, job, script))
    template["spec"] = {"restartPolicy": "Never", **template["spec"]}
    pods = {
        "completionMode": "Indexed",
        "completions": job.replicas,
        "parallelism": job.replicas,
        "backoffLimit": 0,
        "template": template,
    }
    return [
        *pod_groups(job, plan.workload.namespace),
        {
            **_kind(job),
            "metadata": queued(job, metadata(plan, job.name)),
            "spec": written(
                {
                    "suspend": suspended(job),
                    "network": {"enableDNSHostnames": True, "publishNotReadyAddresses": True},
                    "failurePolicy": {"maxRestarts": 0},
                    "replicatedJobs": [{"name": WORKERS, "replicas": 1, "template": {"spec": pods}}],
                }
            ),
        },
    ]


def _leaderworkerset(plan: WorkloadPlan, job: CollectiveJob, script: str | None) -> Objects:
    """One group whose leader is also a worker. LWS creates the Service and names the leader
    (kubernetes-sigs/lws api/leaderworkerset/v1/leaderworkerset_types.go)."""
    group = {"size": job.replicas, "workerTemplate": member(job, ranks(plan, job, script))}
    return [
        *pod_groups(job, plan.workload.namespace),
        {
            **_kind(job),
            "metadata": lws_queue(job, queued(job, metadata(plan, job.name))),
            "spec": {"replicas": 1, "leaderWorkerTemplate": group},
        },
    ]


def _volcano_job(plan: WorkloadPlan, job: CollectiveJob, script: str | None) -> Objects:
    """One task whose pods start together. Plugin svc creates the Service and pod names, env numbers the pods
    (volcano-sh/volcano pkg/controllers/job/plugins)."""
    template = ranks(plan, job, script)
    template["spec"] = {"restartPolicy": "Never", **template["spec"]}
    return [
        {
            **_kind(job),
            "metadata": metadata(plan, job.name),
            "spec": written(
                {
                    "schedulerName": "volcano",
                    "queue": job.gang.queue if job.gang is not None else None,
                    "minAvailable": job.replicas,
                    "maxRetry": 1,
                    "plugins": {"svc": ["--publish-not-ready-addresses=true"], "env": []},
                    "tasks": [{"name": WORKERS, "replicas": job.replicas, "template": template}],
                }
            ),
        }
    ]


_KINDS: Mapping[str, Callable[[WorkloadPlan, CollectiveJob, str | None], Objects]] = {
    "mpijob": _mpijob,
    "indexed-job": _indexed_job,
    "statefulset": _statefulset,
    "jobset": _jobset,
    "leaderworkerset": _leaderworkerset,
    "volcano-job": _volcano_job,
}
