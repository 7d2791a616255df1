"""Ranks and slots of an MPIJob, for NP768."""

from __future__ import annotations

import re
from typing import Any

from netplan.diagnostics import Path
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping

_REPLICAS: Path = ("spec", "mpiReplicaSpecs")
_CONTAINERS: Path = (*_REPLICAS, "Launcher", "template", "spec", "containers")
_RANKS = re.compile(r"\bmpi(?:run|exec)\b(?:(?![;|&\n]).)*?\s--?np?\s+([0-9]{1,6})(?=\s|$)", re.DOTALL)
_OTHER_SLOTS = re.compile(r"oversubscribe|--?host(?:file)?\b|\s-H\s|--?machinefile\b", re.IGNORECASE)
"""What gives mpirun other slots than those of the operator's hostfile."""


def ranks_started(job: Thing) -> tuple[Path, int] | None:
    """The number of ranks that one mpirun of the launcher states, and where; None if it is not stated."""
    for index, container in enumerate(listing(inside(job.body, _CONTAINERS))):
        words = [
            (key, str(word)) for key in ("command", "args") for word in listing(mapping(container).get(key))
        ]
        text = " ".join(word for _, word in words)
        found = _RANKS.findall(text)
        if len(found) == 1 and "$" not in text and not _OTHER_SLOTS.search(f"{text} {container}"):
            return (*_CONTAINERS, index, words[-1][0]), int(found[0])
    return None


def slots_of(job: Thing) -> int | None:
    """Workers times slots, with Open MPI, the default; None if not known."""
    workers = inside(job.body, (*_REPLICAS, "Worker", "replicas"))
    slots: Any = job.spec.get("slotsPerWorker", 1)
    if (
        job.spec.get("mpiImplementation", "OpenMPI") != "OpenMPI"
        or job.spec.get("runLauncherAsWorker") is True
    ):
        return None
    return workers * slots if type(workers) is int and type(slots) is int and workers > 0 < slots else None
