"""NP426: environment variables of workers that mpirun does not pass on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.report import few
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
