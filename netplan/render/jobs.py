"""Jobs that prove the network, as Kubernetes objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from netplan.model.workloads import HOSTFILE, CollectiveJob, WorkloadPlan
from netplan.render.dump import written
from netplan.render.gangs import member, mpi_policy, pod_groups, queued, suspended
from netplan.render.pod_extra import launcher_extra, with_extra
from netplan.render.pod_spec import env_list, pod_template

Objects = list[dict[str, Any]]


def objects(plan: WorkloadPlan, job: CollectiveJob, script: str | None) -> Objects:
    """The objects of one job, in the order they are applied."""
    return _KINDS[job.kind](plan, job, script)


def _labels(job: CollectiveJob) -> dict[str, str]:
    return {"app": job.name}


def _metadata(plan: WorkloadPlan, name: str) -> dict[str, str]:
    return {"name": name, "namespace": plan.workload.namespace}


def _launcher(plan: WorkloadPlan, job: CollectiveJob) -> dict[str, Any]:
    """The container that runs mpirun; it needs neither devices nor rails."""
    return {"name": "launcher", "image": plan.workload.image, "command": list(job.command)}


def _launcher_spec(plan: WorkloadPlan, spec: dict[str, Any]) -> dict[str, Any]:
    return with_extra(spec, launcher_extra(plan.extra))


def _command(job: CollectiveJob, command: tuple[str, ...]) -> dict[str, Any]:
    return {"command": list(command), "env": env_list(dict(job.env))}


def _service(plan: WorkloadPlan, job: CollectiveJob) -> dict[str, Any]:
    """Headless: gives every pod a name before it is ready, which is when ranks look for each other."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": _metadata(plan, job.name),
        "spec": {
            "clusterIP": "None",
            "publishNotReadyAddresses": True,
            "selector": _labels(job),
            "ports": [{"port": job.port}],
        },
    }


def _mpijob(plan: WorkloadPlan, job: CollectiveJob, script: str | None) -> Objects:
    """MPIJob of the MPI operator (kubeflow/mpi-operator pkg/apis/kubeflow/v2beta1/types.go).

    Workers run sshd by the operator's default; host file and keys are the operator's too.
    """
    worker = pod_template(plan, script, _labels(job), {"env": env_list(dict(job.env))}, spread=True)
    launcher = {
        "replicas": 1,
        "restartPolicy": "OnFailure",
        "template": {"spec": _launcher_spec(plan, {"containers": [_launcher(plan, job)]})},
    }
    return [
        {
            "apiVersion": "kubeflow.org/v2beta1",
            "kind": "MPIJob",
            "metadata": queued(job, _metadata(plan, job.name)),
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
    """Every pod runs torchrun; pod 0 is the master, reached by its name in the headless Service."""
    container = {**_command(job, job.command), "ports": [{"containerPort": job.port}]}
    template = member(job, pod_template(plan, script, _labels(job), container, spread=True))
    template["spec"] = {"subdomain": job.name, "restartPolicy": "Never", **template["spec"]}
    return [
        _service(plan, job),
        *pod_groups(job, plan.workload.namespace),
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": queued(job, _metadata(plan, job.name)),
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
    """Workers wait with sshd, whose keys are in the image; a Job launches the test over them."""
    container = {**_command(job, ("/usr/sbin/sshd", "-D")), "ports": [{"containerPort": job.port}]}
    hosts = "".join(f"{job.name}-{i}.{job.name} slots={job.slots}\n" for i in range(job.replicas))
    template = member(job, pod_template(plan, script, _labels(job), container, spread=True))
    folder, _, file = HOSTFILE.rpartition("/")
    launcher = {**_launcher(plan, job), "volumeMounts": [{"name": "hostfile", "mountPath": folder}]}
    return [
        _service(plan, job),
        *pod_groups(job, plan.workload.namespace),
        {
            "apiVersion": "apps/v1",
            "kind": "StatefulSet",
            "metadata": queued(job, _metadata(plan, job.name)),
            "spec": {
                "serviceName": job.name,
                "replicas": job.replicas,
                "podManagementPolicy": "Parallel",
                "selector": {"matchLabels": _labels(job)},
                "template": template,
            },
        },
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": _metadata(plan, f"{job.name}-hosts"),
            "data": {file: hosts},
        },
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": queued(job, _metadata(plan, f"{job.name}-launcher")),
            "spec": written(
                {
                    "suspend": suspended(job),
                    "template": {
                        "spec": _launcher_spec(
                            plan,
                            {
                                # the first try may come before the workers' sshd
                                "restartPolicy": "OnFailure",
                                "containers": [launcher],
                                "volumes": [{"name": "hostfile", "configMap": {"name": f"{job.name}-hosts"}}],
                            },
                        )
                    },
                }
            ),
        },
    ]


_KINDS: Mapping[str, Callable[[WorkloadPlan, CollectiveJob, str | None], Objects]] = {
    "mpijob": _mpijob,
    "indexed-job": _indexed_job,
    "statefulset": _statefulset,
}
