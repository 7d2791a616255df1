"""Parts shared by several kinds of test job."""

from __future__ import annotations

from typing import Any

from netplan.model.workloads import CollectiveJob, WorkloadPlan
from netplan.render.dump import written
from netplan.render.pod_extra import launcher_extra, with_extra
from netplan.render.pod_spec import env_list, pod_template


def labels(job: CollectiveJob) -> dict[str, str]:
    return {"app": job.name}


def metadata(plan: WorkloadPlan, name: str) -> dict[str, str]:
    return {"name": name, "namespace": plan.workload.namespace}


def launcher_container(plan: WorkloadPlan, job: CollectiveJob) -> dict[str, Any]:
    """The container that runs mpirun; it needs neither devices nor rails."""
    body = {"name": "launcher", "image": plan.workload.image, "command": list(job.command)}
    return {**body, **written({"env": env_list(dict(job.launcher_env))})}


def launcher_template(plan: WorkloadPlan, spec: dict[str, Any]) -> dict[str, Any]:
    """Pod template of a launcher, with the site's annotations, which keep a service mesh's sidecar out of it
    too."""
    metadata = written({"annotations": dict(plan.workload.annotations)})
    return written({"metadata": metadata or None, "spec": with_extra(spec, launcher_extra(plan.extra))})


def started(job: CollectiveJob, command: tuple[str, ...]) -> dict[str, Any]:
    """Command and environment of a container."""
    return {"command": list(command), "env": env_list(dict(job.env))}


def service(plan: WorkloadPlan, job: CollectiveJob) -> dict[str, Any]:
    """Headless Service that resolves every pod's name before the pod is ready, when ranks already look for
    each other."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata(plan, job.name),
        "spec": {
            "clusterIP": "None",
            "publishNotReadyAddresses": True,
            "selector": labels(job),
            "ports": [{"port": job.port}],
        },
    }


def ranks(plan: WorkloadPlan, job: CollectiveJob, script: str | None) -> dict[str, Any]:
    """Template of pods that each run torchrun."""
    container = {**started(job, job.command), "ports": [{"containerPort": job.port}]}
    return pod_template(plan, script, labels(job), container, spread=True)
