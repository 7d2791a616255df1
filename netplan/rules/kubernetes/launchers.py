"""NP426, NP768: MPIJobs: their replicas, and the environment that mpirun does not pass on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.report import few
from netplan.rules.kubernetes.ranks import ranks_started, slots_of
from netplan.rules.kubernetes.registry import ObjectFinding, rule

_OF_LIBRARIES = re.compile(r"(NCCL|RCCL|UCX|FI)_[A-Z0-9_]+\Z")
_REPLICAS = ("spec", "mpiReplicaSpecs")
_SHOWN = 3


def _jobs(cluster: ObjectGraph) -> list[Thing]:
    return [job for job in cluster.of("kubeflow.org", "MPIJob") if "mpirun" in _launcher(job)]


def _launcher(job: Thing) -> str:
    return json.dumps(mapping(inside(job.body, (*_REPLICAS, "Launcher"))), default=str)


@rule("NP426", "variables that mpirun does not pass on", on=_jobs, severity=Severity.INFO)
def forwarded(_: ObjectGraph, job: Thing) -> Iterator[ObjectFinding]:
    """The launcher of an MPIJob must pass on the NCCL, UCX and libfabric variables of its workers.

    **Why.** Workers run sshd, which starts the ranks in a fresh environment: without NCCL_IB_TC, for
    example, they send as best effort.
    **Fix.** Pass each to mpirun with -x NAME=VALUE; pods/WORKLOAD/README.md has the list.
    **Source.** NVIDIA/nccl#743; NVIDIA/cluster-readiness-engine#68, #230.
    """
    text = _launcher(job)
    lost = [(at, name) for at, name in _of_workers(job) if not re.search(rf"\b{name}\b", text)]
    if lost:
        names = [name for _, name in lost]
        message = f"mpirun does not pass on {few(names, _SHOWN)}, which Worker sets"
        hint = "pass them to mpirun: " + " ".join(f"-x {name}=VALUE" for name in names[:_SHOWN])
        yield ObjectFinding(job, lost[0][0], message, hint)


def _of_workers(job: Thing) -> Iterator[tuple[Path, str]]:
    place: Path = (*_REPLICAS, "Worker", "template", "spec", "containers")
    for index, container in enumerate(_maps(inside(job.body, place))):
        for number, entry in enumerate(_maps(container.get("env"))):
            name = entry.get("name")
            if isinstance(name, str) and _OF_LIBRARIES.match(name):
                yield (*place, index, "env", number, "name"), name


def _maps(value: Any) -> list[dict[str, Any]]:
    return [mapping(entry) for entry in listing(value)]


def _mpi_jobs(cluster: ObjectGraph) -> list[Thing]:
    """Not those that grow and shrink, which another operator runs: adityapb/mpi-operator bab09f39
    pkg/apis/kubeflow/v2beta1/types.go (minReplicas, maxReplicas)."""
    jobs = [t for t in cluster.of("kubeflow.org", "MPIJob") if t.api_version == "kubeflow.org/v2beta1"]
    return [job for job in jobs if job.get(*_REPLICAS, "Worker", "maxReplicas") is None]


@rule("NP768", "invalid MPIJob", on=_mpi_jobs)
def mpi_job(_: ObjectGraph, job: Thing) -> Iterator[ObjectFinding]:
    """An MPIJob has one launcher, at least one worker if workers are stated, names that are
    DNS labels, and slots for the ranks that Open MPI's mpirun starts. It knows no other replicas.

    **Why.** The operator marks the job as failed; the last worker's pod name is JOB-worker-N. mpirun ends
    with "not enough slots available".
    **Fix.** Write `replicas: 1` for the launcher, 1 or more for the workers, and a shorter name; as many
    ranks as workers times `slotsPerWorker`.
    **Source.** kubeflow/mpi-operator caa3c47f pkg/apis/kubeflow/validation/validation.go (IsDNS1035Label
    since v0.4.0), caa3c47 pkg/apis/kubeflow/v2beta1/types.go (MPIReplicaType),
    pkg/controller/mpi_job_controller.go (hostfile: slots of each worker)."""
    launcher, worker = (("spec", "mpiReplicaSpecs", role) for role in _ROLES)
    yield from _unknown_roles(job)
    if isinstance(job.get("spec", "mpiReplicaSpecs"), dict) and job.get(*launcher) is None:
        yield ObjectFinding(job, ("spec", "mpiReplicaSpecs"), "it has no Launcher", "add the launcher")
    if type(job.get(*launcher, "replicas")) is int and job.get(*launcher, "replicas") != 1:
        message = f"it has {job.get(*launcher, 'replicas')} launchers"
        yield ObjectFinding(job, (*launcher, "replicas"), message, "write replicas: 1")
    count = job.get(*worker, "replicas")
    if isinstance(job.get(*worker), dict) and (count is None or (type(count) is int and count < 1)):
        yield ObjectFinding(job, (*worker, "replicas"), "Worker has no replicas", "write 1 or more")
    if _OF_NAMES.match(job.name):  # NP752 tells others, capitals are still to be replaced
        yield from _of_workers_name(job, count if type(count) is int and count > 0 else 1)
    yield from _without_slots(job)


def _of_workers_name(job: Thing, count: int) -> Iterator[ObjectFinding]:
    name, at = f"{job.name}-worker-{count - 1}", ("metadata", "name")
    if len(name) > 63:
        message = f"the name of its last worker, {name}, has {len(name)} characters, the limit is 63"
        yield ObjectFinding(job, at, message, "shorten the name")
    elif not _LABEL.match(name):
        message = f"the name of its last worker, {name}, is no DNS label that begins with a letter"
        yield ObjectFinding(job, at, message, "begin with a letter, and leave out dots")


_OF_NAMES = re.compile(r"[a-z0-9.-]+\Z")
_LABEL = re.compile(r"[a-z][a-z0-9-]*\Z")
_ROLES = ("Launcher", "Worker")


def _unknown_roles(job: Thing) -> Iterator[ObjectFinding]:
    """Keys that the operator does not look up; the CRD accepts any."""
    given = mapping(job.get("spec", "mpiReplicaSpecs"))
    for key in given if "Launcher" in given else ():
        if key not in _ROLES and not templated(key):
            message = f"the operator reads Launcher and Worker, and ignores {key}"
            hint = f"remove {key}" if "Worker" in given else "did you mean Worker?"
            yield ObjectFinding(job, ("spec", "mpiReplicaSpecs", key), message, hint)


def _without_slots(job: Thing) -> Iterator[ObjectFinding]:
    ranks, slots = ranks_started(job), slots_of(job)
    if ranks is not None and slots is not None and ranks[1] > slots:
        message = f"mpirun starts {ranks[1]} ranks, its workers have {slots} slots"
        yield ObjectFinding(job, ranks[0], message, f"write -np {slots}, or more workers or slotsPerWorker")
