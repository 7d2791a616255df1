"""Test jobs that prove the network: participants and commands."""

from __future__ import annotations

import re
from collections.abc import Iterable

from netplan.model.fabric import Fabric, Workload
from netplan.model.job_kinds import JOB_KINDS, MASTER_PORT, SSH_PORT, JobKind
from netplan.model.workloads import HOSTFILE, CollectiveJob, EnvVar
from netplan.plan.gangs import plan_gang
from netplan.plan.torch_test import PROGRAM

FIRST_FILE = "nccl-test"
TCP_FILE = "nccl-test-tcp"

PYTHON_FILE = ".py"
"""Suffix of programs that torchrun starts with Python."""

MPI_PROGRAM = re.compile(r"(.*/)?\w+_perf(_mpi)?\Z")
"""Programs of nccl-tests and rccl-tests, which run as a single rank without MPI (NVIDIA/nccl-tests
README.md)."""

_FULL_NAMES = {"OMPI_MCA_orte_keep_fqdn_hostnames": "true", "PRTE_MCA_prte_keep_fqdn_hostnames": "true"}
"""Keeps Open MPI from cutting host file names at the first dot: POD.SERVICE would become POD, which does not
resolve (open-mpi/ompi#12089, #2015; openpmix/prrte src/util/hostfile/hostfile.c). The MPI operator sets the
first one (kubeflow/mpi-operator pkg/controller/mpi_job_controller.go)."""

_OVER_TCP = {"NCCL_IB_DISABLE": "1"}
_OVER_TCP_EFA = {"NCCL_NET": "Socket"}
"""NCCL_IB_DISABLE does not affect the EFA plugin, so the socket network is selected by name (NVIDIA/nccl
docs/env)."""

_FLIPPED_OVER_TCP = {"HOROVOD_MPI_THREADS_DISABLE": "0"}
"""Horovod's MPI threads are disabled for RDMA only (NVIDIA's vSphere PVRDMA guide, change for TCP)."""


def plan_jobs(fabric: Fabric, workload: Workload, env: Iterable[EnvVar]) -> tuple[CollectiveJob, ...]:
    """One job per entry of ``jobs``. The first is nccl-test; with tcp_fallback it is repeated without
    RDMA."""
    if workload.image is None or not workload.jobs:
        return ()
    debug = {"NCCL_DEBUG": "INFO"} if workload.reads_nccl else {}
    values = debug | {e.name: e.value for e in env}
    files = (FIRST_FILE, *workload.jobs[1:])
    jobs = [
        _job(fabric, workload, kind, file, values) for kind, file in zip(workload.jobs, files, strict=True)
    ]
    if workload.test.tcp_fallback:
        jobs.insert(
            1,
            _job(
                fabric, workload, workload.jobs[0], TCP_FILE, values | _without_rdma(fabric, workload, values)
            ),
        )
    return tuple(jobs)


def _without_rdma(fabric: Fabric, workload: Workload, values: dict[str, str]) -> dict[str, str]:
    off = _OVER_TCP_EFA if fabric.type == "efa" else _OVER_TCP
    if workload.gpu_type is not None and not workload.reads_nccl:
        off = dict(workload.gpu_type.gpu_vendor.over_tcp)
    return off | {name: value for name, value in _FLIPPED_OVER_TCP.items() if name in values}


def _job(fabric: Fabric, workload: Workload, word: str, file: str, env: dict[str, str]) -> CollectiveJob:
    slots, kind = max(workload.gpus, 1), JOB_KINDS[word]
    name = f"{workload.name}-{file}"
    torchrun = kind.starter == "torchrun"
    command = _torchrun(workload, kind) if torchrun else _mpirun(fabric, workload, kind, slots, env)
    if torchrun:
        master = {"MASTER_ADDR": kind.master.format(name=name)} if kind.master else {}
        counts = {"MASTER_PORT": str(MASTER_PORT), "NNODES": str(workload.nodes), "NGPUS": str(slots)}
        env = env | master | counts
    launcher_env = tuple(_FULL_NAMES.items()) if kind.port == SSH_PORT else ()
    return CollectiveJob(
        kind=word,
        file=f"{file}.yaml",
        name=name,
        env=tuple(env.items()),
        replicas=workload.nodes,
        slots=slots,
        port=kind.port,
        command=command,
        own_program=runs_own_test(workload, kind),
        launcher_env=launcher_env,
        gang=plan_gang(fabric, workload, kind, name),
    )


def _mpirun(
    fabric: Fabric, workload: Workload, kind: JobKind, slots: int, env: dict[str, str]
) -> tuple[str, ...]:
    """The mpirun command line. Variables are exported with -x: processes started by sshd do not inherit the
    container's environment."""
    stated = workload.test.mpirun_args
    command = ["mpirun", "--allow-run-as-root", "-np", str(workload.nodes * slots)]
    for option, value in (("-bind-to", "none"), ("-map-by", "slot")):
        command += [option, value] if option not in stated and f"-{option}" not in stated else []
    if kind.port == SSH_PORT:  # no operator brings a host file
        command += ["--hostfile", HOSTFILE, "--mca", "plm_rsh_args", "-o StrictHostKeyChecking=no"]
    if fabric.type == "efa" and "pml" not in stated:
        command += ["--mca", "pml", "^cm"]  # aws-samples/aws-efa-eks examples/simple/nccl-efa-tests.yaml
    command += stated
    for name in ("PATH", "LD_LIBRARY_PATH"):
        command += ["-x", name] if name not in env else []
    for name, value in env.items():
        command += ["-x", f"{name}={value}"]
    return (*command, workload.test.program, *workload.test.args)


def _torchrun(workload: Workload, kind: JobKind) -> tuple[str, ...]:
    """The torchrun command line. The shell expands the variables; program and arguments are passed on
    unchanged.

    torchrun starts its program with Python unless told not to (pytorch torch/distributed/run.py,
    --no-python). A LeaderWorkerSet restarts pods that exit, so its pods sleep after a successful test.
    """
    program = (workload.test.program, *workload.test.args)
    if runs_own_test(workload, kind):
        program = ("python3", "-c", PROGRAM)
    binary = "" if program[0].endswith(PYTHON_FILE) else " --no-python"
    first, last = ("", " && exec sleep infinity") if kind.kind == "LeaderWorkerSet" else ("exec ", "")
    script = (
        f'{first}torchrun --nproc_per_node "$NGPUS" --nnodes "$NNODES" --node_rank "${kind.rank_variable}"'
        f' --master_addr "${kind.master_variable}" --master_port "$MASTER_PORT"{binary} "$@"{last}'
    )
    return ("sh", "-c", script, "torchrun", *program)


def runs_own_test(workload: Workload, kind: JobKind) -> bool:
    """Whether netplan's own test replaces a program that needs MPI."""
    on_gpus = workload.gpus > 0 and workload.reads_nccl
    return kind.starter == "torchrun" and on_gpus and MPI_PROGRAM.match(workload.test.program) is not None
