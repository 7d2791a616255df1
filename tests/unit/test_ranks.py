"""NP768: ranks that mpirun starts, and slots of the workers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_objects import said


def job(*words: str, workers: Any = 2, env: Any = (), **spec: Any) -> dict[str, Any]:
    own = {"name": "a", "image": "b"}
    launcher = {**own, "command": [*words], **({"env": [*env]} if env else {})}
    replicas = {
        "Launcher": {"replicas": 1, "template": {"spec": {"containers": [launcher]}}},
        "Worker": {"replicas": workers, "template": {"spec": {"containers": [own]}}},
    }
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": {"name": "train", "namespace": "apps"},
        "spec": {"slotsPerWorker": 8, **spec, "mpiReplicaSpecs": replicas},
    }


RUN = ("mpirun", "-np", "17", "train")
TOLD = ["mpirun starts 17 ranks, its workers have 16 slots"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (job(*RUN), TOLD),
        (job("mpirun", "-np", "16", "train"), []),
        (job("bash", "-c", "cd /x && mpirun --allow-run-as-root -np 17 -x A=B train"), TOLD),
        (job("bash", "-c", "mpiexec -n 17 train"), TOLD),
        (job("bash", "-c", "mpirun train; sleep -n 17"), []),
        (job("bash", "-c", "mpirun -np 17 a; mpirun -np 2 b"), []),
        (job("bash", "-c", "mpirun -np $N train"), []),
        (job("mpirun", "--oversubscribe", *RUN[1:]), []),
        (job("mpirun", "--hostfile", "x", *RUN[1:]), []),
        (job(*RUN, env=[{"name": "OMPI_MCA_rmaps_base_oversubscribe", "value": "1"}]), []),
        (job(*RUN, workers=3), []),
        (job(*RUN, slotsPerWorker=9), []),
        (job(*RUN, mpiImplementation="Intel"), []),
        (job(*RUN, runLauncherAsWorker=True), []),
        (job("python", "-np", "17"), []),
    ],
)
def test_ranks_have_slots(given: dict[str, Any], told: list[str]) -> None:
    assert [each.partition(": ")[2] for each in said("NP768", [given])] == told


def test_a_job_without_slots_has_one_for_each_worker() -> None:
    given = job("mpirun", "-np", "3", "train")
    del given["spec"]["slotsPerWorker"]
    (found,) = said("NP768", [given])
    assert found.endswith("mpirun starts 3 ranks, its workers have 2 slots")
